#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ranks each story of expected.csv and compares with what is known of it.

    tests/stories/run.py OSPROF FOLDER [STORY...]

FOLDER holds stories, as folders or archives of them, and expected.csv, whose columns are

  story             its name
  before, after     runs or folders of runs below FOLDER
  options           of rank, beside --exit-code
  operation         a name, or names with | between them, of which one is there; `*`: each
                    operation of the pair; empty: only the gate counts
  allowed_verdicts  of the operation, with | between them; empty: only its peaks and
                    explanation count
  gate              exit statuses that rank --exit-code may have, with | between them
  explanation       a regular expression that the explanation matches; `!` before it: that
                    it does not match
  note              what is known, and why

Each line is a story of its own and prints one; the status is 1 when any of them fails.
"""
import csv
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from archives import unpacked  # noqa: E402 (it stands one folder up)


def rank(osprof, folder, story):
    """Exit status of the gate, and what rank says of each operation."""
    runs = [os.path.join(folder, story[side]) for side in ("before", "after")]
    command = [osprof, "rank", "-q", "--exit-code", *story["options"].split(), "--format", "json"]
    done = subprocess.run([*command, *runs], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 3):
        return done.returncode, {}, done.stderr.strip()
    return done.returncode, {o["name"]: o for o in json.loads(done.stdout)["operations"]}, ""


def explanation_fails(pattern, text):
    wanted = not pattern.startswith("!")
    return bool(re.search(pattern.removeprefix("!"), text or "")) != wanted


def wrong(story, status, operations, error):
    """What is not as expected, a list of short sentences."""
    if error:
        return [error]
    bad = []
    if str(status) not in story["gate"].split("|"):
        failing = [n for n, o in operations.items() if o["verdict"] in ("regressed", "new")]
        bad.append(f"gate {status}, expected {story['gate']}"
                   + (f" ({', '.join(failing)})" if status == 1 else ""))
    names = story["operation"].split("|")
    if story["operation"] not in ("", "*") and not operations.keys() & names:
        bad.append(f"no operation {story['operation']}, only {', '.join(operations)}")
    for o in operations.values():
        if names != ["*"] and o["name"] not in names:
            continue
        allowed = story["allowed_verdicts"].split("|")
        if allowed != [""] and o["verdict"] not in allowed:
            bad.append(f"{o['name']} is {o['verdict']}, expected {story['allowed_verdicts']}")
        if story["explanation"] and explanation_fails(story["explanation"], o["text"]):
            bad.append(f"{o['name']}: \"{o['text']}\", expected {story['explanation']}")
    return bad


def judge(osprof, folder):
    """Prints each story; the status."""
    with open(os.path.join(folder, "expected.csv"), encoding="utf-8") as f:
        stories = [s for s in csv.DictReader(f)
                   if not sys.argv[3:] or s["story"] in sys.argv[3:]]
    failed = 0
    for story in stories:
        bad = wrong(story, *rank(osprof, folder, story))
        failed += bool(bad)
        pair = f"{story['story']}: {story['before']} {story['after']} {story['operation']}"
        print(f"{'FAIL' if bad else 'ok  '} {pair.rstrip()}")
        for line in bad:
            print(f"     {line}")
    print(f"{len(stories) - failed} of {len(stories)} hold")
    return 1 if failed or not stories else 0


def main():
    osprof = os.path.abspath(sys.argv[1])
    with unpacked(sys.argv[2]) as folder:
        return judge(osprof, folder)


if __name__ == "__main__":
    sys.exit(main())
