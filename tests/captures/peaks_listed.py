#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""osprof causes without and with --function finds the same peaks of the same calls, and the same
calls the same paths, in whatever format they come.

    peaks_listed.py OSPROF

Random calls, with recursion, calls of no duration, and names that have to be escaped.  Prints TAP.
"""
import csv
import io
import json
import os
import random
import subprocess
import sys
import tempfile

OSPROF = os.path.realpath(sys.argv[1])
NAMES = ["f", "g", "a \"quoted\" one", "b,c", "h\u00e9", "k"]


def osprof(*arguments):
    """osprof causes, as JSON."""
    done = subprocess.run([OSPROF, "causes", "-q", "--format", "json", *arguments],
                          capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, (arguments, done.stderr)
    return json.loads(done.stdout)


def grow(rng, at, depth, calls, parent):
    """A call with others within it, slow ones in one of four; gives its end."""
    me = len(calls)
    calls.append([rng.choice(NAMES), at, 0, parent])
    first = at
    at += rng.choice([1, 100, 1000])
    for _ in range(rng.choice([0, 1, 1, 2]) if depth < 6 else 0):
        at = grow(rng, at, depth + 1, calls, me) + rng.choice([1, 50])
    at += 4_000_000 if rng.random() < 0.25 else rng.choice([1, 3000, 200_000])
    if len(calls) == me + 1 and rng.random() < 0.2:
        at = first
    calls[me][2] = at
    return at


def made(seed):
    """Calls of one thread: name, start, end, parent."""
    rng, calls, at = random.Random(seed), [], 1_000_000
    for _ in range(150):
        at = grow(rng, at, 0, calls, None) + rng.randrange(1, 500)
    return calls


def steps(calls):
    """Enters and leaves, as a program makes them."""
    stack = []
    for i, (name, start, _, parent) in enumerate(calls):
        while stack and stack[-1] != parent:
            yield "E", calls[stack[-1]][2], calls[stack.pop()][0]
        yield "B", start, name
        stack.append(i)
    while stack:
        yield "E", calls[stack[-1]][2], calls[stack.pop()][0]


def pairs(calls):
    """Chrome's begins and ends."""
    return json.dumps({"traceEvents": [
        {"ph": ph, "ts": ns / 1000, "pid": 1, "tid": 1, "name": name}
        for ph, ns, name in steps(calls)]})


def whole(calls):
    """Chrome's complete events, as they ended."""
    order = sorted(range(len(calls)), key=lambda i: (calls[i][2], -calls[i][1], -i))
    return json.dumps({"traceEvents": [
        {"ph": "X", "ts": calls[i][1] / 1000, "dur": (calls[i][2] - calls[i][1]) / 1000, "pid": 1,
         "tid": 1, "name": calls[i][0]} for i in order]})


def table(calls):
    """A table of calls."""
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(["thread", "start_ns", "end_ns", "name"])
    rows.writerows([1, start, end, name] for name, start, end, _ in calls)
    return out.getvalue()


def dump(calls):
    """uftrace dump."""
    lines, depth = ["reading 1.dat"], 0
    for ph, ns, name in steps(calls):
        depth -= ph == "E"
        lines.append(f"{ns // 10**9}.{ns % 10**9:09}      1: "
                     f"[{'entry' if ph == 'B' else 'exit '}] {name}(1) depth: {depth}")
        depth += ph == "B"
    return "\n".join(lines) + "\n"


FORMATS = {"pairs.json": pairs, "whole.json": whole, "table.csv": table, "dump.txt": dump}


def listed(path):
    """The list has those functions that have several peaks, and these peaks."""
    several = {f["name"]: [p["count"] for p in f["peaks"]] for f in osprof(path)["functions"]}
    for name in NAMES:
        peaks = [p["count"] for p in osprof(path, "--function", name)["peaks"]]
        assert several.get(name, peaks[:1]) == peaks, (path, name, several.get(name), peaks)


def flat(tree, above=()):
    """Own time and calls of each path."""
    here = (*above, tree["name"])
    found = {here: (round(tree["chosen"]["own"], 3), round(tree["chosen"]["calls"], 6))}
    for child in tree["children"]:
        found.update(flat(child, here))
    return found


def alike(paths):
    """One tree, whatever the format."""
    for name in NAMES:
        trees = [flat(osprof(p, "--function", name, "--method", "time", "--range", "0ns:")["tree"])
                 for p in paths]
        for path, tree in zip(paths, trees):
            assert tree == trees[0], (path, name, sorted(set(tree.items()) ^
                                                         set(trees[0].items()))[:4])


def main():
    """Each seed in each format."""
    failed, seeds = 0, 3
    print(f"1..{seeds}")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for seed in range(1, seeds + 1):
            for path, write in FORMATS.items():
                with open(path, "w", encoding="utf-8") as out:
                    out.write(write(made(seed)))
            try:
                for path in FORMATS:
                    listed(path)
                alike(list(FORMATS))
                print(f"ok {seed}")
            except AssertionError as why:
                failed += 1
                print(f"not ok {seed}\n# {why!r}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
