#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of six columns separates the peaks of 1,000,000 calls: the target is 2 seconds.

usage: values.py OSPROF [CALLS]

The calls are made: one column of names decides the peak, the others know nothing of it.
Prints the median of five rounds and their mean processor time, and how both grow from a tenth of the calls; status 1 when
that column is not the one that is named, or another one is, too.
"""
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time


def write(path, calls):
    rng = random.Random(3)
    with open(path, "w") as out:
        out.write("operation,latency_ns,offset,kind,cause,user,load,size\n")
        for i in range(calls):
            slow = rng.random() < 0.3
            out.write("%s,%d,%d,%d,%s,u%d,%.4f,%d\n" % (
                "read" if i % 3 else "write", rng.lognormvariate(11 if slow else 6, 0.5),
                rng.randrange(1 << 30), rng.randrange(8), "miss" if slow else "hit",
                rng.randrange(100), rng.random(), 4096 * rng.randrange(1, 5)))


def measure(osprof, path):
    took = []
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for _ in range(5):
        start = time.perf_counter()
        done = subprocess.run([osprof, "values", "-q", "-f", "json", path], check=True,
                              capture_output=True)
        took.append(time.perf_counter() - start)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return statistics.median(took), cpu / 5, json.loads(done.stdout)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    calls = int(sys.argv[2]) if len(sys.argv) == 3 else 1000000
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "calls.csv")
        write(path, calls // 10)
        tenth, tenth_cpu, _ = measure(sys.argv[1], path)
        write(path, calls)
        whole, cpu, found = measure(sys.argv[1], path)
    print("%d calls, 6 columns: %.2f s, of the processor %.2f s (target 2 s); a tenth of them: "
          "%.2f s, %.2f s" % (calls, whole, cpu, tenth, tenth_cpu))
    for op in found["operations"]:
        told = [v["name"] for v in op["variables"] if v["verdict"] == "separates"]
        if told != ["cause"]:
            sys.exit("%s: %s" % (op["name"], told))


if __name__ == "__main__":
    main()
