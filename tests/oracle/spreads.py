#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How hosts differ, from their files, sharing nothing with osprof.

usage: spreads.py FILE...

Prints the `spread` lines that osprof merge --by host writes, by operation. Files of one host are
added up first. Reads what adder.py reads: one unit, log2 buckets of one resolution, whole runs;
a host is what `host` says.
"""

import collections
import math
import sys

import adder
import means

UNIT = 1 << 20


def host_of(path):
    return next(line.split()[1] for line in open(path, encoding="utf-8") if line.startswith("host "))


def numbers(operation):
    """feature -> octaves, of one host."""
    rows, resolution = operation["rows"], operation["resolution"]
    calls = sum(rows.values())
    place = {bucket: bucket / resolution for bucket in rows}
    rank, median = 0, None
    for bucket in sorted(rows):
        rank += rows[bucket]
        if rank >= calls - calls // 2:
            median = place[bucket]
            break
    slow = sum(count for bucket, count in rows.items() if place[bucket] > median + 3)
    if operation["total"] is not None:
        total = operation["total"]
    else:
        estimated = means.means_log2(resolution, rows)
        total = sum(count * estimated[bucket] for bucket, count in rows.items())
    return {"shift": sum(count * place[bucket] for bucket, count in rows.items()) / calls,
            "mean": math.log2(total / calls),
            "tail": math.log2((slow + 0.5) / (calls - slow + 0.5)),
            "calls": math.log2(calls)}


def spreads(paths):
    """(layer, operation) -> feature -> {host: number in units of 2^-20}"""
    of_host = collections.defaultdict(list)
    for path in paths:
        of_host[host_of(path)].append(adder.read(path))
    found = collections.defaultdict(lambda: collections.defaultdict(dict))
    for host, profiles in of_host.items():
        for key, resolution, rows, count, total in adder.add(profiles):
            one = {"rows": {bucket: n for bucket, n in rows.items() if n}, "resolution": resolution,
                   "total": total}
            if sum(rows.values()):
                for feature, octaves in numbers(one).items():
                    found[key][feature][host] = round(octaves * UNIT)
    return found, sorted(of_host)


def lines(paths):
    found, hosts = spreads(paths)
    number = {host: i + 1 for i, host in enumerate(hosts)}
    for (_, name), features in sorted(found.items()):
        for feature in ("shift", "mean", "tail", "calls"):
            values = features[feature]
            order = sorted(values, key=lambda host: (values[host], host))
            kept = order if len(order) <= 16 else order[:8] + order[-8:]
            yield (f"{name}: spread {feature} {len(values)} {sum(values.values())} "
                   f"{sum(v * v for v in values.values())} extreme "
                   + " ".join(f"{number[host]}:{values[host]}" for host in kept))


if __name__ == "__main__":
    print("\n".join(lines(sys.argv[1:])))
