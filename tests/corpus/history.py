#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Error rates of osprof history, on series made with known noise and on shuffled runs.

    tests/corpus/history.py OSPROF [HISTORIES [FOLDER...]]

Made histories have 20 operations, whose runs differ by 0.05 octaves and those of the
whole machine by 0.03, in three kinds of noise.  Printed are

  - without a change: how many operations are said to have changed, and in how many
    histories any is;
  - with a step in one operation: how often it is found, how far from its place, and
    what else is said;
  - of each FOLDER of runs of one configuration, shuffled: the same as without a change.

Not a test: the figures are for people to read.
"""
import glob
import json
import math
import os
import random
import subprocess
import sys
import tempfile

OPERATIONS, NOISE, MACHINE, CALLS = 20, 0.05, 0.03, 2000


def normal(rng, n):
    return [rng.gauss(0, 1) for _ in range(n)]


def heavy(rng, n):
    """Student's t with 3 degrees of freedom, of variance 1."""
    return [rng.gauss(0, 1) / math.sqrt(rng.gammavariate(1.5, 2)) for _ in range(n)]


def persistent(rng, n):
    """AR(1), 0.4, of variance 1."""
    v, x = [], rng.gauss(0, 1)
    for _ in range(n):
        x = 0.4 * x + math.sqrt(1 - 0.16) * rng.gauss(0, 1)
        v.append(x)
    return v


def profile(rng, places):
    lines = ["osprof 1", "unit ns"]
    for i, place in enumerate(places):
        count, total = {}, 0
        for k in range(-4, 5):
            b = math.floor(place) + k
            share = math.exp(-((b + 0.5 - place) ** 2) / 2)
            count[b] = max(0, round(CALLS / 2.5066 * share + rng.gauss(0, 1) * math.sqrt(share * CALLS) / 3))
        n = sum(count.values())
        total = round(n * 2 ** (place + 0.3))
        lines += [f"op op{i}", f"total {total}"]
        lines += [f"{b} {c}" for b, c in sorted(count.items()) if c > 0]
    return "\n".join(lines) + "\n"


def made(folder, rng, noise, n, step=0.0, at=0):
    series = [noise(rng, n) for _ in range(OPERATIONS)]
    machine = noise(rng, n)
    base = [rng.uniform(8, 14) for _ in range(OPERATIONS)]
    for k in range(n):
        places = [base[i] + NOISE * series[i][k] + MACHINE * machine[k]
                  + (step if i == 0 and at and k >= at else 0) for i in range(OPERATIONS)]
        with open(os.path.join(folder, f"{k}.osprof"), "w", encoding="utf-8") as f:
            f.write(profile(rng, places))


def history(osprof, operands):
    out = subprocess.run([osprof, "history", "-q", "--unit", "ns", "--format", "json", *operands],
                         check=True, capture_output=True)
    return json.loads(out.stdout)


def changes(result):
    return {o["name"]: o["changes"] for o in result["operations"] if o["changes"]}


def without_change(osprof, rng, noise, n, histories):
    said = alarms = 0
    for _ in range(histories):
        with tempfile.TemporaryDirectory() as folder:
            made(folder, rng, noise, n)
            found = changes(history(osprof, [folder]))
        said += len(found)
        alarms += bool(found)
    print(f"{noise.__name__:10} {n} runs: {said} of {histories * OPERATIONS} operations,"
          f" {alarms} of {histories} histories", flush=True)


def with_step(osprof, rng, noise, n, step, at, histories):
    hits, errors, wrong = 0, [], 0
    for _ in range(histories):
        with tempfile.TemporaryDirectory() as folder:
            made(folder, rng, noise, n, step, at)
            found = changes(history(osprof, [folder]))
        hits += "op0" in found
        if "op0" in found:
            errors.append(min(abs(c["at"] - 1 - at) for c in found["op0"]))
        wrong += len(found) - ("op0" in found)
    errors.sort()
    place = f"{sum(errors) / len(errors):.1f} runs off, worst {errors[-1]}" if errors else "-"
    print(f"{noise.__name__:10} {n} runs, step {step} before the last {n - at}:"
          f" found {hits} of {histories}, {place}; {wrong} others", flush=True)


def shuffled(osprof, rng, folder, histories):
    runs, said, alarms, who = glob.glob(os.path.join(folder, "*")), 0, 0, {}
    operations = 0
    for _ in range(histories):
        rng.shuffle(runs)
        result = history(osprof, runs)
        found = changes(result)
        operations += result["tested"]
        said += len(found)
        alarms += bool(found)
        for name in found:
            who[name] = who.get(name, 0) + 1
    print(f"{folder}, {len(runs)} runs shuffled: {said} of {operations} tested operations,"
          f" {alarms} of {histories} histories", who or "", flush=True)


def main():
    osprof = sys.argv[1]
    histories = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    rng = random.Random(20061106)
    for folder in sys.argv[3:]:
        shuffled(osprof, rng, folder, 5 * histories)
    for noise in normal, heavy, persistent:
        for n in 24, 60:
            without_change(osprof, rng, noise, n, histories)
    for noise in normal, heavy, persistent:
        for step in 0.1, 0.2, 0.5:
            for last in 20, 5, 3:
                with_step(osprof, rng, noise, 40, step, 40 - last, max(1, histories // 4))


if __name__ == "__main__":
    main()
