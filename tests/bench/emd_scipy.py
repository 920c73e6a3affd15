#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rank operations by earth mover's distance, with SciPy: the benchmark's peer.

Usage: emd_scipy.py [--time] BEFORE.json AFTER.json

Reads two `bpftrace -f json` outputs of power-of-two histograms and prints CSV
`operation,emd`, the largest distance first.  The distance is in buckets, that
is in octaves.  Operations missing from one of the runs are left out.  With
--time the seconds of import, load and analysis go to stderr, apart: the
analysis is the distances and the sorting, on data that has been read and
turned into lists of indices and counts.
"""

import time

START = time.perf_counter()

import argparse  # noqa: E402
import json  # noqa: E402
import sys  # noqa: E402

from scipy.stats import wasserstein_distance  # noqa: E402

IMPORTED = time.perf_counter()


def bucket_index(low):
    """The index of the bucket that starts at low; -1 for that of zero."""
    return low.bit_length() - 1


def load(path):
    """Operation -> (indices, counts) of its filled buckets."""
    run = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if not line.strip():
                continue
            record = json.loads(line)
            if record["type"] != "hist":
                continue
            for histograms in record["data"].values():
                for operation, buckets in histograms.items():
                    filled = [b for b in buckets if b["count"] > 0]
                    if filled:
                        run[operation] = (
                            [bucket_index(b["min"]) for b in filled],
                            [b["count"] for b in filled],
                        )
    return run


def analyse(before, after):
    """(operation, distance) pairs, the largest distance first."""
    ranks = []
    for operation, (indices, counts) in before.items():
        if operation in after:
            other_indices, other_counts = after[operation]
            distance = wasserstein_distance(
                indices, other_indices, counts, other_counts
            )
            ranks.append((operation, float(distance)))
    ranks.sort(key=lambda pair: (-pair[1], pair[0]))
    return ranks


def main():
    parser = argparse.ArgumentParser(
        description="Rank operations by earth mover's distance, with SciPy."
    )
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--time", action="store_true",
                        help="print the seconds of each part to stderr")
    args = parser.parse_args()

    begin = time.perf_counter()
    before = load(args.before)
    after = load(args.after)
    loaded = time.perf_counter()
    ranks = analyse(before, after)
    analysed = time.perf_counter()

    sys.stdout.write("operation,emd\n")
    sys.stdout.writelines(f"{name},{emd!r}\n" for name, emd in ranks)
    if args.time:
        print(f"import_seconds {IMPORTED - START:.6f}", file=sys.stderr)
        print(f"load_seconds {loaded - begin:.6f}", file=sys.stderr)
        print(f"analysis_seconds {analysed - loaded:.6f}", file=sys.stderr)


if __name__ == "__main__":
    main()
