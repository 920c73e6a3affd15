#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Error rates of judging repeated runs, on a folder of labelled runs.

    tests/corpus/runs.py OSPROF CORPUS [SPLITS]

CORPUS holds files VARIANT.REPETITION.SUFFIX, several of the variant `base`, and
labels.csv (baseline,candidate,operation,label).  Printed are

  - of random splits of the base runs, N against N for N from 2 to 5, the share in
    which any operation is reported, and how many operations were called same;
  - of each variant, six base runs against all of its repetitions and three against
    three: which altered operations are found, and what else is reported.

Not a test: the figures are for people to read.
"""
import csv
import glob
import itertools
import json
import os
import random
import subprocess
import sys


def rank(osprof, before, after):
    out = subprocess.run([osprof, "rank", "-q", "--format", "json", *before, "--", *after],
                         check=True, capture_output=True)
    result = json.loads(out.stdout)
    for o in result["operations"]:
        o["name"] = short(o["name"])
    return result


def runs_of(corpus, variant):
    return sorted(glob.glob(os.path.join(corpus, variant + ".[0-9]*.*")))


def labels(corpus):
    """Of each variant and operation: changed where some pair says so and none says same,
    same where all say so, else unscored."""
    label = {}
    with open(os.path.join(corpus, "labels.csv"), encoding="utf-8") as f:
        for row in csv.DictReader(f):
            of = label.setdefault(row["candidate"].split(".")[0], {})
            seen = of.setdefault(row["operation"], row["label"])
            pair = {seen, row["label"]}
            if pair == {"changed", "unscored"}:
                of[row["operation"]] = "changed"
            elif len(pair) > 1:
                of[row["operation"]] = "mixed"
    return label


def short(name):
    return name.rsplit("sys_exit_", 1)[-1]


def no_change(osprof, base, n, splits):
    every = []
    for chosen in itertools.combinations(range(len(base)), 2 * n):
        for first in itertools.combinations(chosen, n):
            if first[0] == chosen[0]:
                every.append((first, tuple(i for i in chosen if i not in first)))
    picked = random.Random(20061106).sample(every, min(splits, len(every)))
    alarms, judged, said, who = 0, 0, {}, {}
    for first, second in picked:
        r = rank(osprof, [base[i] for i in first], [base[i] for i in second])
        reported = [o for o in r["operations"] if o["reported"]]
        alarms += bool(reported)
        for o in reported:
            who[o["name"]] = who.get(o["name"], 0) + 1
        for o in r["operations"]:
            judged += 1
            said[o["verdict"]] = said.get(o["verdict"], 0) + 1
    print(f"{n} v {n}: {alarms} of {len(picked)} splits with an alarm; "
          + ", ".join(f"{v} {100 * k / judged:.1f} %" for v, k in sorted(said.items())), who)


def variant(osprof, before, after, truth):
    r = rank(osprof, before, after)
    verdict = {o["name"]: o["verdict"] for o in r["operations"] if o["reported"]}
    changed = [o for o, what in truth.items() if what == "changed"]
    found = [o for o in changed if o in verdict]
    wrong = [o for o in verdict if truth.get(o) == "same"]
    return changed, found, wrong, verdict


def power(osprof, corpus, n_before, n_after, truth):
    n_changed = n_found = n_same = n_wrong = 0
    base = runs_of(corpus, "base")[:n_before]
    print(f"{n_before} base runs against {n_after} of each variant:")
    for name in sorted(truth):
        if name == "base":
            continue
        after = runs_of(corpus, name)[:n_after]
        changed, found, wrong, verdict = variant(osprof, base, after, truth[name])
        n_changed += len(changed)
        n_found += len(found)
        n_wrong += len(wrong)
        n_same += sum(what == "same" for what in truth[name].values())
        print(f"  {name:10} altered and found {len(found)} of {len(changed)}"
              f" {', '.join(f'{o} {verdict[o]}' for o in found) or '-'};"
              f" missed {', '.join(o for o in changed if o not in verdict) or '-'};"
              f" not altered but reported {', '.join(f'{o} {verdict[o]}' for o in wrong) or '-'}")
    print(f"  all: found {n_found} of {n_changed}; reported {n_wrong} of {n_same} not altered")


def main():
    osprof, corpus = sys.argv[1:3]
    splits = int(sys.argv[3]) if len(sys.argv) > 3 else 100
    base, truth = runs_of(corpus, "base"), labels(corpus)
    for n in range(2, len(base) // 2 + 1):
        no_change(osprof, base, n, splits)
    power(osprof, corpus, 6, 3, truth)
    power(osprof, corpus, 3, 3, truth)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main()
