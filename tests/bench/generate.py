#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Write two made-up runs of N operations as `bpftrace -f json` prints them.

Usage: generate.py [--seed S] [--changed FILE] [N [OUTDIR]]

Writes OUTDIR/before.json and OUTDIR/after.json.  Each operation has a latency
histogram of about 13 power-of-two buckets in the map @ns, and in the map
@total a sum of latencies that its buckets allow.  In the second run 5 % of
the operations have truly changed: they got slower or faster, or a second
peak came up.  The others differ by sampling noise alone.

The same N and seed give the same files.  Only the standard library is used.
"""

import argparse
import json
import math
import os
import random

SEED = 20061106
CHANGED_SHARE = 0.05
LOWEST, HIGHEST = 4, 34  # the centres' range, as powers of two, in ns


def poisson(rng, mean):
    """A Poisson number; the normal approximation where the mean is large."""
    if mean > 50:
        return max(0, round(rng.gauss(mean, math.sqrt(mean))))
    limit = math.exp(-mean)
    product = rng.random()
    count = 0
    while product > limit:
        product *= rng.random()
        count += 1
    return count


def new_shape(rng):
    """Shares of the buckets of one operation: one or two peaks and a tail."""
    width = rng.randint(11, 15)
    low = rng.randint(LOWEST, HIGHEST - width)
    centres = [(low + rng.uniform(0.25, 0.6) * width, 1.0)]
    if rng.random() < 0.4:
        centres.append((low + rng.uniform(0.6, 0.9) * width, rng.uniform(0.05, 0.4)))
    sigma = rng.uniform(0.7, 1.8)
    shape = {}
    for i in range(low, low + width):
        bell = sum(
            w * math.exp(-((i - c) ** 2) / (2 * sigma**2)) for c, w in centres
        )
        shape[i] = bell + 0.003
    return shape


def change(rng, shape):
    """The shape of an operation that truly changed."""
    if rng.random() < 0.5:  # all of it shifted, by at least half an octave
        shift = rng.choice((-1, 1)) * rng.uniform(0.5, 2.5)
        whole = math.floor(shift)
        part = shift - whole
        moved = {}
        for i, w in shape.items():
            moved[i + whole] = moved.get(i + whole, 0.0) + (1 - part) * w
            moved[i + whole + 1] = moved.get(i + whole + 1, 0.0) + part * w
        return moved
    total = sum(shape.values())
    top = max(shape, key=shape.get)
    at = top + rng.randint(3, 7)  # a new peak, of three buckets
    weight = rng.uniform(0.1, 0.5) * total
    grown = dict(shape)
    for i, share in ((at - 1, 0.2), (at, 0.6), (at + 1, 0.2)):
        grown[i] = grown.get(i, 0.0) + share * weight
    return grown


def sample(rng, shape, operations):
    """Counts drawn from a shape, and a sum of latencies to go with them."""
    scale = operations / sum(shape.values())
    counts = {i: poisson(rng, w * scale) for i, w in sorted(shape.items())}
    filled = [i for i, c in counts.items() if c > 0]
    if not filled:
        filled = [max(shape, key=shape.get)]
        counts[filled[0]] = 1
    buckets = []
    total = 0
    for i in range(min(filled), max(filled) + 1):
        low, high = 2**i, 2 ** (i + 1) - 1
        count = counts.get(i, 0)
        buckets.append({"min": low, "max": high, "count": count})
        total += count * low + int(count * (high - low) * rng.uniform(0.3, 0.5))
    return buckets, total


def write_run(path, run):
    lines = (
        {"type": "attached_probes", "data": {"probes": 2}},
        None,
        {"type": "hist", "data": {"@ns": {k: v[0] for k, v in run.items()}}},
        {"type": "map", "data": {"@total": {k: v[1] for k, v in run.items()}}},
    )
    with open(path, "w", encoding="ascii", newline="\n") as file:
        for line in lines:
            file.write(json.dumps(line) + "\n" if line else "\n")


def main():
    parser = argparse.ArgumentParser(
        description="Write two made-up runs as bpftrace -f json prints them."
    )
    parser.add_argument("n", nargs="?", type=int, default=10000,
                        help="how many operations (default 10000)")
    parser.add_argument("outdir", nargs="?", default=".",
                        help="where to put before.json and after.json")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--changed", metavar="FILE",
                        help="also write the names of the changed operations")
    args = parser.parse_args()
    if args.n < 1:
        parser.error("N must be at least 1")

    rng = random.Random(args.seed)
    names = [f"op_{i:04d}" for i in range(1, args.n + 1)]
    changed = set(rng.sample(names, max(1, round(CHANGED_SHARE * args.n))))
    before, after = {}, {}
    for name in names:
        shape = new_shape(rng)
        operations = math.exp(rng.uniform(math.log(2e3), math.log(2e6)))
        before[name] = sample(rng, shape, operations)
        if name in changed:
            shape = change(rng, shape)
        after[name] = sample(rng, shape, operations * rng.uniform(0.95, 1.05))

    os.makedirs(args.outdir, exist_ok=True)
    write_run(os.path.join(args.outdir, "before.json"), before)
    write_run(os.path.join(args.outdir, "after.json"), after)
    if args.changed:
        with open(args.changed, "w", encoding="ascii", newline="\n") as file:
            file.writelines(name + "\n" for name in names if name in changed)


if __name__ == "__main__":
    main()
