#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Adds profiles in osprof's own format up, sharing nothing with osprof.

usage: adder.py FILE...

Prints one line for each operation, sorted by layer and name: its calls by the lower and
upper edge of each bucket, its stated count and its stated total, as exact numbers. Reads
what tests/merge/merging.py makes: one unit, log2 buckets, whole runs.
"""

import collections
import fractions
import sys


def read(path):
    """(layer, name) -> {resolution, rows, count, total}"""
    operations, layer, current = {}, "", None
    for line in open(path, encoding="utf-8"):
        word, _, rest = line.strip().partition(" ")
        if word == "layer":
            layer = rest
        elif word == "op":
            current = {"resolution": 1, "rows": collections.Counter(), "count": None, "total": None}
            operations[layer, rest] = current
        elif word == "buckets":
            current["resolution"] = int(rest.split()[1])
        elif word == "count":
            current["count"] = int(rest)
        elif word == "total":
            current["total"] = fractions.Fraction(rest)
        elif word == "zero" or word.lstrip("-").isdigit():
            current["rows"][-1 if word == "zero" else int(word)] += int(rest)
    return operations


def called(operation):
    return sum(operation["rows"].values()) > 0 or (operation["count"] or 0) > 0


def gcd(numbers):
    result = 0
    for number in numbers:
        while number:
            result, number = number, result % number
    return result


def add(profiles):
    keys = sorted({key for profile in profiles for key in profile},
                  key=lambda key: (key[0].encode(), key[1].encode()))
    for key in keys:
        parts = [profile[key] for profile in profiles if key in profile]
        used = [part for part in parts if called(part)]
        resolution = gcd(part["resolution"] for part in parts if sum(part["rows"].values()) > 0) or 1
        rows = collections.Counter()
        for part in parts:
            for index, count in part["rows"].items():
                coarse = index // (part["resolution"] // resolution) if count else 0
                if count:
                    rows[coarse if index >= 0 else -1] += count
        count = None if any(part["count"] is None for part in used) else \
            sum(part["count"] or 0 for part in used)
        total = None if any(part["total"] is None for part in used) else \
            sum(part["total"] or 0 for part in used)
        yield key, resolution, dict(sorted(rows.items())), count, total if used else None


def main():
    for key, resolution, rows, count, total in add([read(path) for path in sys.argv[1:]]):
        print(*key, resolution, rows, count, total, sep="\t")


if __name__ == "__main__":
    main()
