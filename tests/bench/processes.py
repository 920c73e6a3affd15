#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the gate does what is right on simulated programs. Not a test.

    tests/bench/processes.py OSPROF [--seed N] [--times N] [--jobs N] [--keep FOLDER] [STORY...]

Each story of process_stories.py is simulated --times times (default 3): five runs a side in turns,
printed in each of its formats, compared five against five, with the sides exchanged, and one
against one; where nothing gets slower, beside two busy loops, too. Printed is a line for each story and format that
has a wrong answer, what was wrong, and how often; --keep leaves the files of the first wrong
one in FOLDER. The seed is drawn and printed. The status is 1 when a group is right in less
than 4 of 5, or an unchanged one wrong in more than a chance of 5 % explains.
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import exact
import made_runs
import printed
from process_stories import STORIES, simulated, write


def rank(osprof, before, after):
    """Status, and what rank says as JSON, or None."""
    done = subprocess.run([osprof, "rank", "-q", "--exit-code", "-f", "json", *before, "--", *after],
                          capture_output=True, text=True, errors="replace", check=False)
    try:
        return done.returncode, json.loads(done.stdout)
    except ValueError:
        return done.returncode, None


def failed_names(result):
    gate = result.get("gate")
    if gate:
        return [str(name) for name in gate["failed"]]
    return [o["name"] for o in result["operations"] if o["reported"] and o["verdict"] in ("regressed", "new")]


def wrong(story, status, result, statuses, direct):
    """What is not right, a list of short sentences."""
    if result is None:
        return [f"status {status}"]
    bad, failed = [], failed_names(result)
    if str(status) not in statuses.split("|"):
        bad.append(f"gate {status}, expected {statuses}" + (f" ({', '.join(failed[:4])})" if failed else ""))
    if not direct:
        return bad
    for o in result["operations"]:
        allowed = story.verdicts.get(o["name"])
        if allowed and o["verdict"] not in allowed:
            bad.append(f"{o['name']} {o['verdict']}")
    return bad + [f"{name} fails" for name in story.not_failed if status == 1 and name in failed]


def comparisons(story, before, after, beside):
    """(group, before, after, right statuses, whether verdicts count)"""
    busy = " busy" if beside else ""
    yield "5v5" + busy, before, after, story.gate, True
    if not beside:
        yield "5v5 back", after, before, story.reverse, False
    if story.single and len(before) > 1:
        for b, a in zip(before, after):
            yield "1v1" + busy, [b], [a], story.single, story.single == "1"


def kinds(story, libc):
    return [kind for kind in story.formats if (kind not in printed.SYSTEM_CALLS) == libc]


def one(osprof, seed, number, name, formats, libc, beside, keep):
    """(format, group, what was wrong) of every comparison of ten simulated runs, in these formats."""
    story = next(s for s in STORIES if s.name == name)
    chance = made_runs.seeded(seed, name, libc, beside, number)
    sides = simulated(chance, story, libc, 10 if name.endswith("function") else 5, beside)
    found = []
    with tempfile.TemporaryDirectory() as t:
        for kind in formats:
            folder = pathlib.Path(t) / kind
            before, after = (write(runs, kind, folder / side) for runs, side in zip(sides, ("before", "after")))
            for group, b, a, statuses, verdicts in comparisons(story, before, after, beside):
                bad = wrong(story, *rank(osprof, b, a), statuses, verdicts)
                found.append((kind, group, bad))
                if bad and keep:
                    shutil.copytree(folder, pathlib.Path(keep) / f"{name}-{kind}{'-busy' * (beside > 0)}", dirs_exist_ok=True)
    return found


def judge(osprof, seed, stories, times, jobs, keep=None, beside=(0, 2)):
    """(story, format, group) -> the number of tries, and what was wrong, in how many of them."""
    todo = [(story, libc, load, i) for story in stories for libc in (False, True) if kinds(story, libc)
            for load in beside if story.gate == "0" or not load for i in range(times)]
    found = {}
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        futures = [pool.submit(one, osprof, seed, i, story.name, kinds(story, libc), libc, load, keep)
                   for story, libc, load, i in todo]
        for (story, *_), future in zip(todo, futures):
            for kind, group, bad in future.result():
                of = found.setdefault((story.name, kind, group), [0, []])
                of[0] += 1
                if bad:
                    of[1].append(bad)
    return found


def report(found):
    """Prints what is wrong; whether all is right."""
    good, quiet = True, [0, 0]
    unchanging = {s.name for s in STORIES if s.gate == "0"}
    for (name, kind, group), (tries, bad) in found.items():
        if name in unchanging:
            quiet[0] += len(bad)
            quiet[1] += tries
        if bad:
            what = collections.Counter(sentence for of in bad for sentence in of)
            good = good and (name in unchanging or len(bad) <= tries / 5)
            print(f"{name} {kind} {group}: wrong in {len(bad)} of {tries}: "
                  + "; ".join(f"{s} {k}" for s, k in what.most_common(3)))
    n_right = sum(tries - len(bad) for tries, bad in found.values())
    print(f"{n_right} of {sum(tries for tries, _ in found.values())} right, "
          f"{sum(not bad for _, bad in found.values())} of {len(found)} groups without a wrong one; "
          f"where nothing is slower {quiet[0]} of {quiet[1]} wrong")
    return good and exact.at_most(*quiet, 0.05)


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("osprof", type=pathlib.Path)
    a.add_argument("story", nargs="*")
    a.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10 ** 8))
    a.add_argument("--times", type=int, default=3)
    a.add_argument("--jobs", type=int, default=2)
    a.add_argument("--keep")
    o = a.parse_intermixed_args()
    print(f"seed {o.seed}", flush=True)
    stories = [s for s in STORIES if not o.story or s.name in o.story]
    return 0 if report(judge(o.osprof.resolve(), o.seed, stories, o.times, o.jobs, o.keep)) else 1


if __name__ == "__main__":
    sys.exit(main())
