#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The mean latency in each bucket, from the counts around it, without osprof.

usage: means.py RESOLUTION BUCKET:CALLS ...      buckets of osprof(5), log2

The curve of profile/means.c, found in another way: all buckets are listed, empty ones too, the
slopes are derivatives of interpolating polynomials found by exact division, and the latency is
integrated numerically.  What it prints is in tests/unit/test_means.c.
"""
import math
import sys
from fractions import Fraction


def derivative_at_middle(x, y):
    """That of the polynomial through five points, at the third, by divided differences."""
    table = [list(y)]
    for order in range(1, 5):
        last = table[-1]
        table.append([(last[i + 1] - last[i]) / (x[i + order] - x[i]) for i in range(5 - order)])
    slope = Fraction(0)
    for order in range(1, 5):
        product = sum(math.prod(x[2] - x[k] for k in range(order) if k != left)
                      for left in range(order))
        slope += table[order][0] * product
    return slope


def slopes(widths, counts):
    """At each edge, with two empty buckets added on either side."""
    widths = [widths[0]] * 2 + widths + [widths[-1]] * 2
    counts = [0, 0] + counts + [0, 0]
    edges, below = [Fraction(0)], [Fraction(0)]
    for width, count in zip(widths, counts):
        edges.append(edges[-1] + width)
        below.append(below[-1] + count)
    found = []
    for i in range(2, len(edges) - 2):
        slope = derivative_at_middle(edges[i - 2:i + 3], below[i - 2:i + 3])
        most = 3 * min(counts[i - 1] / widths[i - 1], counts[i] / widths[i])
        found.append(max(Fraction(0), min(slope, most)))
    return found


def mean(low, width, count, left, right, steps=2000):
    """Integrates the latency over the density, by Simpson's rule."""
    left, right = float(left * width / count), float(right * width / count)

    def weighted(t):
        density = 6 * t * (1 - t) + left * (3 * t * t - 4 * t + 1) + right * (3 * t * t - 2 * t)
        return density * low * math.exp(float(width) * t)
    return sum(weighted(k / steps) * (1 if k in (0, steps) else 4 if k % 2 else 2)
               for k in range(steps + 1)) / (3 * steps)


def means_log2(resolution, calls):
    """calls: by bucket.  Returns the mean of each bucket that has calls."""
    first, last = min(calls), max(calls)
    width = Fraction(math.log(2)) / resolution
    counts = [Fraction(calls.get(b, 0)) for b in range(first, last + 1)]
    at = slopes([width] * len(counts), counts)
    return {b: mean(2 ** (b / resolution), width, counts[b - first], at[b - first],
                    at[b - first + 1])
            for b in calls}


if __name__ == "__main__":
    given = {int(b): int(n) for b, n in (word.split(":") for word in sys.argv[2:])}
    for bucket, value in means_log2(int(sys.argv[1]), given).items():
        print(bucket, "%.12g" % value)
