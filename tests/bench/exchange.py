#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Speed of permuting whole runs, against scipy.stats.permutation_test.

    tests/bench/exchange.py OSPROF [OPERATIONS [RUNS]]

Writes RUNS runs a side (10) of OPERATIONS operations (1000) in osprof's own format and
times `osprof rank --format json` on them, reading and printing included: the median of
five.  SciPy gets the shapes of a few operations as arrays and draws 10,000 resamples; its
time is that of the tests alone, scaled up to all operations.  So the ratio is against
osprof.  What reading and printing take of it is measured by `osprof distance`, which does the
same with the same runs, but judges nothing.  osprof uses two processors or more where there
are as many, SciPy one.
"""
import math
import os
import random
import subprocess
import sys
import tempfile
import time

import numpy as np
from scipy import stats

CELLS = 27
RESAMPLES = 10000
SAMPLE = 20


def write_runs(folder, n_ops, n_runs, rng):
    counts = np.zeros((2, n_runs, n_ops, CELLS))
    for side in range(2):
        os.mkdir(os.path.join(folder, "ab"[side]))
        for run in range(n_runs):
            with open(os.path.join(folder, "ab"[side], f"{run}.osprof"), "w",
                      encoding="utf-8") as f:
                f.write("osprof 1\nunit ns\n")
                for op in range(n_ops):
                    middle = 8 + op % 9 + 0.1 * rng.gauss(0, 1)
                    f.write(f"op o{op}\n")
                    for i in range(CELLS):
                        n = int(1e5 * math.exp(-(i + 5 - middle) ** 2 / 8)) + rng.randrange(1, 20)
                        counts[side, run, op, i] = n
                        f.write(f"{i + 5} {n}\n")
    return counts


def median_seconds(command, folder):
    times = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return sorted(times)[2]


def scipy_seconds(counts):
    """As fast as we know how to ask: a vectorised statistic in batches, of one side only
    (what both add up to is known), its sums by a matrix product."""
    cdf = np.cumsum(counts, axis=3) / counts.sum(axis=3, keepdims=True)
    n = cdf.shape[1]
    index = (np.arange(n), np.arange(n, 2 * n))
    start = time.perf_counter()
    for op in range(SAMPLE):
        runs = np.concatenate([cdf[0, :, op, :], cdf[1, :, op, :]])
        after = runs.sum(axis=0) / n

        def statistic(x, _, axis, runs=runs, after=after):
            side = np.zeros(x.shape[:-1] + (2 * n,))
            np.put_along_axis(side, x, 2 / n, axis)
            return np.abs(side @ runs - after).sum(axis=-1)

        stats.permutation_test(index, statistic, vectorized=True, n_resamples=RESAMPLES,
                               batch=1000, alternative="greater", random_state=1)
    return (time.perf_counter() - start) / SAMPLE


def main():
    osprof = os.path.abspath(sys.argv[1])
    n_ops = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    n_runs = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    with tempfile.TemporaryDirectory() as folder:
        counts = write_runs(folder, n_ops, n_runs, random.Random(20061106))
        ours = median_seconds([osprof, "rank", "-q", "--format", "json", "a", "b"], folder)
        rest = median_seconds([osprof, "distance", "-q", "--format", "json", "a", "b"], folder)
    theirs = scipy_seconds(counts) * n_ops
    print(f"{n_ops} operations, {n_runs} + {n_runs} runs, {RESAMPLES} permutations")
    print(f"osprof rank, all of it       {ours:8.3f} s")
    print(f"  reading and printing       {rest:8.3f} s")
    print(f"scipy permutation_test alone {theirs:8.1f} s  ({theirs / ours:.0f} times as long; "
          f"measured on {SAMPLE} operations)")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main()
