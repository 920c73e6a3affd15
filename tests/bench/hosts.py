#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How often equal fleets raise a false alarm, and the minimum detectable effect. Not a test.

usage: hosts.py OSPROF [FLEETS [HOSTS]]

FLEETS pairs of nights (default 200) of HOSTS hosts (default 5000) and 20 operations are drawn
from fixed seeds and compared by `osprof rank --by host`. Their sums are written as spreads, so
that no file of a host has to be made, and the hosts of one night are not those of the other;
paired nights go through the files of 40 hosts. Hosts
differ by 0.3 octaves, a host from night to night by 0.05. Printed are the comparisons in which
an operation was reported, or a host was named, though nothing changed; then the smallest
slowdown that is found in 9 of 10 comparisons, in steps of 19 %: of one operation on all hosts, and on 1 % of
them.
"""

import concurrent.futures
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

OSPROF = pathlib.Path(sys.argv[1]).resolve()
FLEETS = int(sys.argv[2]) if len(sys.argv) > 2 else 200
HOSTS = int(sys.argv[3]) if len(sys.argv) > 3 else 5000
OPERATIONS = 20
BETWEEN, WITHIN = 0.3, 0.05  # octaves: of hosts, of a host from night to night
UNIT = 1 << 20
KEPT = 8


def draw_normal(r):
    return r.gauss(0, 1)


def draw_t3(r):
    """Student's t of 3 degrees of freedom, of variance 1."""
    return r.gauss(0, 1) / math.sqrt(r.gammavariate(1.5, 2) / 3) / math.sqrt(3)


def spread(feature, values):
    order = sorted(range(len(values)), key=lambda host: (values[host], host))
    kept = order if len(order) <= 2 * KEPT else order[:KEPT] + order[-KEPT:]
    extremes = " ".join(f"{host + 1}:{values[host]}" for host in kept)
    return f"spread {feature} {len(values)} {sum(values)} {sum(v * v for v in values)} extreme {extremes}"


def night(path, fleet, seed, draw, hosts, slower=()):
    """A sum by host. Of the hosts of `slower` (operation, octaves, hosts) calls are slower."""
    lines = ["osprof 1", "ends", "by-host"]
    lines += [f"host h{host:05}" for host in range(hosts)]
    lines += [f"hosts {hosts} of {hosts}", "unit ns"]
    for operation in range(OPERATIONS):
        r = random.Random((fleet * 7 + seed) * 1000 + operation)
        values = [10 + operation / 10 + BETWEEN * draw(r) + WITHIN * r.gauss(0, 1) for _ in range(hosts)]
        for which, octaves, of in slower:
            if which == operation:
                for host in of:
                    values[host] += octaves
        mean = sum(values) / hosts
        low = int(mean)
        # Two buckets whose mean is that of the fleet, by which effects are shown.
        above = round(100 * hosts * (mean - low))
        lines += [f"op call{operation:02}", f"count {100 * hosts}", f"total {100 * round(sum(2 ** v for v in values))}"]
        numbers = [round(v * UNIT) for v in values]
        lines += [spread("shift", numbers), spread("mean", numbers),
                  spread("calls", [round(math.log2(100) * UNIT)] * hosts)]
        lines += [f"{low} {100 * hosts - above}"] + ([f"{low + 1} {above}"] if above else [])
    pathlib.Path(path).write_text("\n".join([*lines, f"end {OPERATIONS}\n"]))


def compare(*args):
    done = subprocess.run([OSPROF, "rank", "-q", "--by", "host", "--min-share", "0", "-f", "json", *args],
                          capture_output=True, check=True)
    return json.loads(done.stdout)


def unpaired(fleet, draw, hosts, slower=(), options=()):
    with tempfile.TemporaryDirectory() as folder:
        paths = [f"{folder}/{name}" for name in ("before", "after")]
        night(paths[0], fleet, 1, draw, hosts)
        night(paths[1], fleet, 2, draw, hosts, slower)
        return compare(*options, *paths)


def host_file(path, values, host):
    """A host of which every operation has a known mean, of a total."""
    lines = ["osprof 1", "ends", f"host h{host:05}", "unit ns"]
    for operation, value in enumerate(values):
        below = round(1000 * (1 - (value - int(value))))
        rows = [(int(value), below), (int(value) + 1, 1000 - below)]
        lines += [f"op call{operation:02}", "count 1000", f"total {round(1000 * 2 ** (value + 0.5))}"]
        lines += [f"{bucket} {count}" for bucket, count in rows if count]
    pathlib.Path(path).write_text("\n".join([*lines, f"end {len(values)}\n"]))


def paired(fleet, draw, hosts, slower=0.0):
    r = random.Random(fleet)
    with tempfile.TemporaryDirectory() as folder:
        for name in ("before", "after"):
            os.mkdir(f"{folder}/{name}")
        for host in range(hosts):
            own = [10.5 + operation / 10 + BETWEEN * draw(r) for operation in range(10)]
            for name in ("before", "after"):
                values = [v + WITHIN * r.gauss(0, 1) for v in own]
                values[3] += slower if name == "after" else 0
                host_file(f"{folder}/{name}/h{host:05}.osprof", values, host)
        return compare("--min-effect", "0.001", "--pairs", f"{folder}/before", f"{folder}/after")


def reported(result):
    return any(operation["reported"] for operation in result["operations"])


def named(result):
    return any(odd["side"] != "before" for odd in result["hosts"]["outliers"])


def interval(k, n):
    """Exact, of 95 % (Clopper and Pearson), by bisection."""
    def tail(p, from_k):
        return sum(math.comb(n, i) * p ** i * (1 - p) ** (n - i) for i in range(from_k, n + 1))

    def solve(wanted, from_k):
        low, high = 0.0, 1.0
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (middle, high) if tail(middle, from_k) < wanted else (low, middle)
        return low
    return (solve(0.025, k) if k > 0 else 0.0, solve(0.975, k + 1) if k < n else 1.0)


def tell(what, results, test):
    k, n = sum(test(result) for result in results), len(results)
    low, high = interval(k, n)
    print(f"{what}: {k} of {n} ({100 * k / n:.1f} %, {100 * low:.1f} to {100 * high:.1f})", flush=True)


def many(pool, job, *args, n=FLEETS):
    return list(pool.map(job, range(n), *[[arg] * n for arg in args]))


def smallest(pool, sizes, job):
    for size in sizes:
        found = sum(pool.map(job, range(10), [size] * 10))
        if found >= 9:
            return f"{100 * (2 ** size - 1):.2g} %"
    return "none"


def finds_on_all(fleet, size):
    result = unpaired(fleet, draw_normal, HOSTS, [(7, size, range(HOSTS))], ["--min-effect", "0.001"])
    return any(o["name"] == "call07" and o["verdict"] == "regressed" for o in result["operations"])


def finds_on_few(fleet, size):
    slow = range(3, HOSTS, 100)
    result = unpaired(fleet, draw_normal, HOSTS, [(7, size, slow)])
    return any(odd["operation"] == "call07" and odd["side"] == "after" and int(odd["host"][1:]) in slow
               for odd in result["hosts"]["outliers"])


def finds_paired(fleet, size):
    return any(o["name"] == "call03" and o["verdict"] == "regressed"
               for o in paired(fleet, draw_normal, 40, size)["operations"])


def main():
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        for name, draw in (("normal", draw_normal), ("t(3)", draw_t3)):
            for hosts in (12, 100, HOSTS):
                n = FLEETS if hosts <= 100 else max(2, FLEETS // 10)
                results = many(pool, unpaired, draw, hosts, (), ("--min-effect", "0.001"), n=n)
                tell(f"{name}, {hosts} hosts, an operation reported", results, reported)
                tell(f"{name}, {hosts} hosts, a host named", results, named)
            results = many(pool, paired, draw, 40, n=FLEETS)
            tell(f"{name}, 40 hosts paired, an operation reported", results, reported)
            tell(f"{name}, 40 hosts paired, a host named", results, named)
        sizes = [2 ** (i / 4) / 100 for i in range(24)]
        print(f"found on all of {HOSTS} hosts, from", smallest(pool, sizes, finds_on_all))
        print("found on all of 40 hosts, paired, from", smallest(pool, sizes, finds_paired))
        print(f"hosts named, where 1 % of {HOSTS} are slower, from",
              smallest(pool, [i / 2 for i in range(1, 10)], finds_on_few))


if __name__ == "__main__":
    main()
