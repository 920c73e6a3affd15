#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What rank must conclude of runs whose truth is known, a small part of tests/bench/calibrate.

    tests/conclusions/run.py OSPROF [NAME...]

Runs are simulated and made by tests/bench/ from fixed seeds: the same on every machine. Each
property prints a line; the status is 1 when one does not hold.
"""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench"))
import exact  # noqa: E402 (it stands in tests/bench)
import processes  # noqa: E402
from made_runs import Change, Comparison, UNCHANGED, operations, seeded  # noqa: E402
from process_stories import STORIES  # noqa: E402

SEED = 20061106
QUIET = {"noise": (0.005, 0.01), "tails": False}
DIFFERENT = ("regressed", "improved", "changed-shape", "new", "gone")

# Simulated programs: waits with elapsed time and without, a closed loop, repetitions inside a file, few
# calls.  tests/bench/processes.py has all of them, in all formats.
SIMULATED = {
    "one-long-sleep": ("strace",), "contended-mutex": ("bpftrace",), "longer-select": ("osprof",),
    "slower-script": ("pgbench",), "slower-function": ("go-test",), "handful": ("bpftrace",),
}


def rank(osprof, made, chance, change=None):
    """Status and verdicts, with --min-share 0."""
    with tempfile.TemporaryDirectory() as folder:
        before, after = made.write(chance, pathlib.Path(folder), change)
        status, result = processes.rank(osprof, [*before], [*after])
    return status, {o["name"]: o["verdict"] for o in result["operations"]}, result


def slower(n, factor):
    return lambda i, _: Change(factor=factor) if i < n else UNCHANGED


# --- properties: what is wrong, a list of sentences --------------------------

def simulated(osprof):
    stories = [s for s in STORIES if s.name in SIMULATED]
    for s in stories:
        s.formats = SIMULATED[s.name]
    quiet = {s.name for s in stories if s.gate == "0"}
    alarms, n = [], 0
    for (name, kind, group), (tries, bad) in processes.judge(osprof, SEED, stories, 1, 2, beside=(0,)).items():
        wrong = f"{name} {kind} {group}: {len(bad)} of {tries}: {bad[0][0]}" if bad else ""
        if name in quiet or group == "5v5 back":
            n += tries
            alarms += [wrong] * len(bad)
        elif len(bad) > tries / 5:
            yield wrong
    if not exact.at_most(len(alarms), n, 0.05):
        yield from [f"where nothing is slower, {len(alarms)} of {n} fail", *alarms]


def whole_run(osprof):
    """All operations 15 % slower fail in turns, with any number of them; three times as slow, with one run a side."""
    for n in (3, 7, 8, 9, 10, 11, 14):
        chance = seeded(SEED, "whole", n)
        ops = operations(chance, n, **QUIET)
        status, _, _ = rank(osprof, Comparison(chance, ops, 5, 5, machine=False), chance, slower(n, 1.15))
        if status != 1:
            yield f"all of {n} operations x1.15, five against five in turns: status {status}"
        status, _, _ = rank(osprof, Comparison(chance, ops, 1, 1), chance, slower(n, 3))
        if status != 1:
            yield f"all of {n} operations x3, one run a side: status {status}"


def nothing_changed(osprof):
    """At most 5 % of the comparisons report anything."""
    alarms, n = 0, 0
    for noise in ("normal", "t3", "two-states"):
        for i in range(8):
            chance = seeded(SEED, noise, i)
            made = Comparison(chance, operations(chance, 10, calls=(300, 1500)), 3, 3, noise)
            status, verdicts, _ = rank(osprof, made, chance)
            alarms += status == 1 or any(v in DIFFERENT for v in verdicts.values())
            n += 1
    if not exact.at_most(alarms, n, 0.05):
        yield f"{alarms} of {n} comparisons of unchanged runs report something"


def majority(osprof):
    """Where 8 of 12 operations are slower, they are found, and the others are not said to be faster."""
    found = false = 0
    for i in range(4):
        chance = seeded(SEED, "most", i)
        made = Comparison(chance, operations(chance, 12, noise=(0.01, 0.03), tails=False), 5, 5)
        _, verdicts, _ = rank(osprof, made, chance, slower(8, 1.4))
        found += sum(verdicts[f"op{j:03d}"] == "regressed" for j in range(8))
        false += sum(verdicts[f"op{j:03d}"] in DIFFERENT for j in range(8, 12))
    if not (exact.at_least(found, 32, 0.9) and exact.at_most(false, found + false, 0.05)):
        yield f"8 of 12 operations x1.4: found {found} of 32, {false} of 16 others reported"


def tails(osprof):
    """The slowest 2 % of the calls take three times as long: regressed."""
    found = 0
    for i in range(4):
        chance = seeded(SEED, "tails", i)
        made = Comparison(chance, operations(chance, 10, calls=(2000, 4000), noise=(0.01, 0.03)), 5, 5)
        _, verdicts, _ = rank(osprof, made, chance,
                              lambda j, _: Change(slowest=(0.02, 3)) if j < 3 else UNCHANGED)
        found += sum(verdicts[f"op{j:03d}"] == "regressed" for j in range(3))
    if not exact.at_least(found, 12, 0.95):
        yield f"slowest 2 % x3: {found} of 12 found"


def never_same(osprof):
    """One run a side cannot show that nothing changed."""
    chance = seeded(SEED, "same")
    _, verdicts, _ = rank(osprof, Comparison(chance, operations(chance, 12, calls=(4000, 6000), **QUIET), 1, 1), chance)
    same = [name for name, v in verdicts.items() if v == "same"]
    if same:
        yield f"same, of one run a side: {len(same)} of 12"


def two_states(osprof):
    """Three of ten runs are six times slower in one operation: a fact, with its count and factor."""
    chance = seeded(SEED, "states")
    made = Comparison(chance, operations(chance, 8, noise=(0.01, 0.02), tails=False), 10, 10)
    for run in (11, 14, 18):
        made.shift[0][run] += 2.585
    result = rank(osprof, made, chance)[2]
    facts = [(o["name"], len(f["runs"]), f["of"], round(f["factor"]))
             for o in result["operations"] for f in o.get("facts", []) if f["kind"] == "states"]
    if facts != [("op000", 3, 10, 6)]:
        yield f"three of ten runs x6 in op000: states {facts}"


PROPERTIES = (simulated, whole_run, nothing_changed, majority, tails, never_same, two_states)


def main():
    osprof, failed = pathlib.Path(sys.argv[1]).resolve(), 0
    for p in PROPERTIES:
        if sys.argv[2:] and p.__name__ not in sys.argv[2:]:
            continue
        bad = list(p(osprof))
        failed += bool(bad)
        print(f"{'FAIL' if bad else 'ok  '} {p.__name__}", *(f"     {line}" for line in bad), sep="\n", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
