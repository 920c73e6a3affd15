#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Error rates of single pairs and of repeated runs, on a folder of labelled runs.

    tests/corpus/runs.py OSPROF CORPUS [SPLITS]

CORPUS holds files VARIANT.REPETITION.SUFFIX, or an archive of them, several of the
variant `base`, and labels.csv (baseline,candidate,operation,label) or what label.py needs.  Printed are

  - of single pairs, each judged alone: which operations that are not altered are
    reported, which altered ones are not, and in how many pairs;
  - of random splits of the base runs, N against N for N from 2 to 5, the share in
    which any operation is reported, and how many operations were called same;
  - of each variant, three and six base runs, chosen at random, against three of its
    own: how often each altered operation is found, and what else is reported.

Not a test: the figures are for people to read.
"""
import collections
import csv
import glob
import itertools
import json
import os
import random
import subprocess
import sys

import label

DRAWS = 30


def rank(osprof, before, after):
    out = subprocess.run([osprof, "rank", "-q", "--format", "json", *before, "--", *after],
                         check=True, capture_output=True)
    result = json.loads(out.stdout)
    for o in result["operations"]:
        o["name"] = short(o["name"])
    return result


def runs_of(corpus, variant):
    return sorted(glob.glob(os.path.join(corpus, variant + ".[0-9]*.*")))


def pairs_of(corpus):
    """Of each pair of files, what is known of its operations."""
    pairs = collections.defaultdict(dict)
    if os.path.exists(os.path.join(corpus, "labels.csv")):
        with open(os.path.join(corpus, "labels.csv"), encoding="utf-8") as f:
            rows = list(csv.reader(f))[1:]
    else:
        rows = label.labels_of(corpus)
    for before, after, operation, what in rows:
        pairs[before, after][operation] = what
    return pairs


def labels(pairs):
    """Of each variant and operation: changed where some pair says so and none says same,
    same where all say so, else unscored."""
    known = {}
    for (_, candidate), operations in pairs.items():
        of = known.setdefault(candidate.split(".")[0], {})
        for operation, what in operations.items():
            pair = {of.setdefault(operation, what), what}
            if pair == {"changed", "unscored"}:
                of[operation] = "changed"
            elif len(pair) > 1:
                of[operation] = "mixed"
    return known


def short(name):
    return name.rsplit("sys_exit_", 1)[-1]


def single_pairs(osprof, corpus, pairs):
    count, wrong, of_run = collections.Counter(), collections.Counter(), collections.Counter()
    for (before, after), operations in sorted(pairs.items()):
        r = rank(osprof, [os.path.join(corpus, before)], [os.path.join(corpus, after)])
        reported = {o["name"] for o in r["operations"] if o["reported"]}
        for operation, what in operations.items():
            count[what] += 1
            if what in ("same", "changed") and (operation in reported) != (what == "changed"):
                wrong[what, after.split(".")[0], operation] += 1
                of_run.update((what, run) for run in (before, after) if run.startswith("base."))
    print("single pairs:")
    for what, says in (("same", "not altered but reported"), ("changed", "altered but missed")):
        n = sum(k for (w, _, _), k in wrong.items() if w == what)
        print(f"  {says} {n} of {count[what]}, {100 * n / max(count[what], 1):.2f} %: "
              + (", ".join(f"{v} {o} {k}" for (w, v, o), k in wrong.most_common() if w == what)
                 or "-"))
        print("    by run of base: "
              + (", ".join(f"{run} {k}" for (w, run), k in of_run.most_common() if w == what)
                 or "-"))


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


def judged(osprof, corpus, name, n_before, n_after, truth, seed):
    """How often, of DRAWS choices of base runs, each altered operation is found, and any
    that is not altered reported."""
    chance = random.Random(seed)
    base, every = runs_of(corpus, "base"), runs_of(corpus, name)
    found, wrong = collections.Counter(), collections.Counter()
    for _ in range(DRAWS):
        before, after = chance.sample(base, n_before), chance.sample(every, n_after)
        for o in rank(osprof, before, after)["operations"]:
            what = truth.get(o["name"])
            if o["reported"] and what in ("changed", "same"):
                (found if what == "changed" else wrong)[o["name"]] += 1
    return found, wrong


def percent(k):
    return f"{100 * k / DRAWS:.0f} %"


def power(osprof, corpus, truth):
    """A line for each operation of each variant that is altered."""
    print(f"power: base runs against runs of the variant, share of {DRAWS} choices")
    print(f"  {'variant':10} {'altered':16} {'3 v 3':>6} {'6 v 3':>6}  not altered but reported")
    cases, sums, alarms = 0, collections.Counter(), collections.Counter()
    for name in sorted(truth):
        altered = sorted(o for o, what in truth[name].items() if what == "changed")
        of = {n: judged(osprof, corpus, name, n, 3, truth[name], 20061106) for n in (3, 6)}
        wrong = "; ".join(f"{n} v 3: " + ", ".join(f"{o} {percent(k)}" for o, k in w.items())
                          for n, (_, w) in of.items() if w)
        for n, (found, w) in of.items():
            sums[n] += sum(found.values())
            alarms[n] += sum(w.values())
        cases += sum(what == "same" for what in truth[name].values())
        for operation in altered or ["-"]:
            shares = [percent(of[n][0][operation]) if altered else "-" for n in (3, 6)]
            print(f"  {name:10} {operation:16} {shares[0]:>6} {shares[1]:>6}  {wrong}")
            wrong = ""
    n_altered = sum(what == "changed" for of in truth.values() for what in of.values())
    for n in (3, 6):
        print(f"  {n} v 3: found {100 * sums[n] / (DRAWS * n_altered):.1f} % of {n_altered} "
              f"altered, reported {100 * alarms[n] / (DRAWS * cases):.2f} % of {cases} not altered")


def measure(osprof, corpus, splits):
    pairs = pairs_of(corpus)
    base, truth = runs_of(corpus, "base"), labels(pairs)
    single_pairs(osprof, corpus, pairs)
    for n in range(2, len(base) // 2 + 1):
        no_change(osprof, base, n, splits)
    truth.pop("base", None)
    power(osprof, corpus, truth)


def main():
    with label.unpacked(sys.argv[2]) as corpus:
        measure(sys.argv[1], corpus, int(sys.argv[3]) if len(sys.argv) > 3 else 100)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main()
