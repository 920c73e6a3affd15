#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Forced preemption by exact arithmetic, without osprof (OSprof 3.3).

usage: preempt.py                       equation 3 for some arguments
       preempt.py QUANTUM FILE...       operation read of files of osprof(5), QUANTUM in
                                        their unit: expected, low, high, observed

What it prints is in tests/captures/test_preempt.c.
"""
import sys
from decimal import Decimal, getcontext
from fractions import Fraction

import means

getcontext().prec = 60


def equation(tcpu, tperiod, yielding, quantum):
    base = Decimal(tcpu) / Decimal(tperiod)
    survival = (1 - Decimal(yielding)).ln() * Decimal(quantum) / Decimal(tperiod)
    return base.log10() + survival / Decimal(10).ln()


def edge(number, resolution):
    """2^(number / resolution), to 60 digits."""
    return Fraction(Decimal(2) ** (Decimal(number) / Decimal(resolution)))


def read_buckets(path):
    resolution, buckets, inside = 1, [], False
    for line in open(path):
        words = line.split()
        if words[:2] == ["buckets", "log2"]:
            resolution = int(words[2])
        elif words[0] == "op":
            inside = words[1] == "read"
        elif inside and words[0].isdigit():
            buckets.append((int(words[0]), int(words[1])))
    return resolution, buckets


def run(quantum, path):
    resolution, buckets = read_buckets(path)
    cut = 0
    while edge(cut + 1, resolution) <= quantum / 2:
        cut += 1
    low = sum(n * edge(b, resolution) for b, n in buckets if b < cut)
    high = sum(n * edge(b + 1, resolution) for b, n in buckets if b < cut)
    observed = sum(n for b, n in buckets if b >= cut)
    inside = {b: n for b, n in buckets if b < cut}
    mean = means.means_log2(resolution, inside)
    estimate = Fraction(sum(n * mean[b] for b, n in inside.items()))
    print(path, *("%.6f" % float(v / quantum) for v in (estimate, low, high)), observed,
          "from %.6f" % float(edge(cut, resolution)))


if len(sys.argv) == 1:
    for arguments in (("1024", "2048", "0.01", "67108864"), ("1", "1", "0", "1000"),
                      ("3", "8", "0.5", "10"), ("1e-3", "7", "1e-9", "1e15")):
        print(*arguments, "%.14f" % equation(*arguments))
else:
    for name in sys.argv[2:]:
        run(Fraction(sys.argv[1]), name)
