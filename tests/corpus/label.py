#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Labels of the runs that collect/settings.sh made, without asking osprof.

    tests/corpus/label.py FOLDER

Prints baseline,candidate,operation,label.  FOLDER holds SETTING.N.json
and SETTING.N.txt (bpftrace), or an archive of them, calls.csv (what strace counted) and
altered.csv (setting,operation,how): which operations a setting alters, as far as the
program's documentation tells, and how: `calls`, how many there are; `size`, how much
each moves; `work`, what each has to do.

Every run of another setting is paired with every run of base, and the runs of base with
each other. Written is FOLDER/labels.csv (baseline,candidate,operation,label):

    changed   altered.csv names it, and it has 1 % of the latency of either run or more;
              where it says `calls`, strace counted 1.5 times as many on one side
    same      altered.csv does not name it, and strace counted as many, to within 2 %;
              between runs of base: in both runs of strace
    unscored  all else: altered too little, too small, or a side effect, which is another
              number of calls, or a mean latency beyond that of all runs of base in every
              run of the setting
"""
import csv
import glob
import itertools
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from archives import unpacked  # noqa: E402 (it stands one folder up)


def measured(path):
    """Of each operation of a run, its calls and their sum."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    calls, total = {}, {}
    if path.endswith(".json"):
        for message in map(json.loads, filter(None, text.splitlines())):
            if message["type"] == "hist":
                calls = {op: sum(b["count"] for b in of)
                         for op, of in message["data"]["@ns"].items()}
            elif message["type"] == "map":
                total.update(message["data"].get("@total", {}))
    else:
        total = {m[1]: int(m[2]) for m in re.finditer(r"^@total\[(.*)\]: (\d+)$", text, re.M)}
        for m in re.finditer(r"^@ns\[(.*)\]: *\n((?:[\[(].*\n)+)", text, re.M):
            calls[m[1]] = sum(int(n) for n in re.findall(r"[\])] +(\d+) \|", m[2]))
    return {op: (calls[op], t) for op, t in total.items()}


def read_csv(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as f:
        return list(csv.DictReader(f))


def ratio(a, b):
    return max(a, b) / min(a, b) if min(a, b) > 0 else float("inf") if max(a, b) > 0 else 1


def shifted(operation, runs, setting):
    """Whether the mean latency of every run of a setting lies above that of all runs of
    base, or below.  By chance that happens twice in all ways to choose the former."""
    mean = {True: [], False: []}
    for name, run in runs.items():
        if operation in run and name.split(".")[0] in ("base", setting):
            calls, total = run[operation]
            mean[name.startswith("base.")].append(total / calls)
    base, other = mean[True], mean[False]
    return bool(base and other) and (min(other) > max(base) or max(other) < min(base))


def label_of(operation, setting, calls, altered, share, moved):
    base = calls["base"].get(operation, 0)
    other = calls["base again" if setting == "base" else setting].get(operation, 0)
    how = altered.get((setting, operation))
    if how is None:
        steady = ratio(base, calls["base again"].get(operation, 0)) <= 1.02
        return "same" if steady and ratio(base, other) <= 1.02 and not moved else "unscored"
    if share < 0.01 or (how == "calls" and ratio(base, other) < 1.5):
        return "unscored"
    return "changed"


def share_of(run, operation):
    return run.get(operation, (0, 0))[1] / sum(total for _, total in run.values())


def labels_of(folder):
    """Yields (baseline, candidate, operation, label)."""
    runs = {}
    for path in sorted(glob.glob(os.path.join(folder, "*.[0-9]*.*"))):
        runs[os.path.basename(path)] = measured(path)
    calls = {}
    for row in read_csv(folder, "calls.csv"):
        calls.setdefault(row["setting"], {})[row["operation"]] = int(row["calls"])
    altered = {(r["setting"], r["operation"]): r["how"] for r in read_csv(folder, "altered.csv")}
    base = [r for r in runs if r.startswith("base.")]
    pairs = list(itertools.combinations(base, 2))
    pairs += [(b, r) for r in runs if not r.startswith("base.") for b in base]
    for before, after in pairs:
        setting = after.split(".")[0]
        for op in sorted(runs[before].keys() | runs[after].keys()):
            share = max(share_of(runs[before], op), share_of(runs[after], op))
            moved = setting != "base" and shifted(op, runs, setting)
            yield before, after, op, label_of(op, setting, calls, altered, share, moved)


def main():
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["baseline", "candidate", "operation", "label"])
    with unpacked(sys.argv[1]) as folder:
        out.writerows(labels_of(folder))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main()
