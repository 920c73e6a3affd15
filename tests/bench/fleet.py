#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast a fleet is added up, and whether rightly. Not a test.

usage: fleet.py BUILD-FOLDER [HOSTS [MADE]]

Makes HOSTS files (default 1000) of 500 operations, of which the true sum is known, and adds
them up by osprof merge, on one processor and on all, and by osprof-mpi with 1, 2 and 64
processes. The times of 1 and 2 fit T = files c / p + bytes / B + 2 ms log2 p + start; what
that predicts is printed with what it assumes. MADE hosts (default 100000) of 8 operations go
through parts of 1000, as without an engine, and have to give the known sum.
"""

import math
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

BUILD = pathlib.Path(sys.argv[1]).resolve()
HOSTS = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
MADE = int(sys.argv[3]) if len(sys.argv) > 3 else 100000
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1"}
READ_BYTES_PER_SECOND = 2e9
ROUNDS_OF_LIST = 10


def rows(host, operation, n):
    """The counts of n buckets of a host: any function will do whose sum is known."""
    return [1 + (host * 2654435761 + operation * 97 + bucket * 31) % 997 for bucket in range(n)]


def profile(host, operations, buckets):
    lines = ["osprof 1", "ends", f"host made{host:06}", "unit ns", "elapsed 900"]
    for operation in range(operations):
        counts = rows(host, operation, buckets)
        lines += [f"op call_{operation:03}",
                  f"count {sum(counts)}",
                  f"total {sum(count << (8 + bucket) for bucket, count in enumerate(counts))}"]
        lines += [f"{8 + bucket} {count}" for bucket, count in enumerate(counts)]
    return "\n".join([*lines, f"end {operations}\n"])


def known_sum(hosts, operations, buckets):
    sums = [[0] * buckets for _ in range(operations)]
    for host in range(hosts):
        for operation in range(operations):
            for bucket, count in enumerate(rows(host, operation, buckets)):
                sums[operation][bucket] += count
    return sums


def sums_in(path, operations, buckets):
    sums, current = [[0] * buckets for _ in range(operations)], None
    for line in open(path):
        word, _, rest = line.rstrip("\n").partition(" ")
        if word == "op":
            current = sums[int(rest[5:])]
        elif word.isdigit():
            current[int(word) - 8] += int(rest)
    return sums


def timed(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    subprocess.run(command, check=True, env=ENVIRONMENT, stdout=subprocess.DEVNULL)
    elapsed = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return elapsed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def best(command, rounds=3):
    return min(timed(command) for _ in range(rounds))


def peak_kib(command, processes):
    shutil.rmtree("peaks", ignore_errors=True)
    os.mkdir("peaks")
    wrapped = ["/bin/sh", "-c", "exec /usr/bin/time -f %M -o peaks/$OMPI_COMM_WORLD_RANK \"$@\"", "sh"]
    subprocess.run(["mpirun", "-n", str(processes), *wrapped, *command], check=True, env=ENVIRONMENT)
    return max(int(path.read_text()) for path in pathlib.Path("peaks").iterdir())


def many_files():
    os.mkdir("hosts")
    size = 0
    for host in range(HOSTS):
        size += pathlib.Path(f"hosts/{host:06}.osprof").write_text(profile(host, 500, 11))
    pathlib.Path("list").write_text("".join(f"hosts/{host:06}.osprof\n" for host in range(HOSTS)))
    merge = [BUILD / "osprof", "merge", "-q", "--files-from", "list", "--force", "-o"]
    one, cpu = best(["taskset", "-c", "0", *merge, "one"])
    both, _ = best([*merge, "all"])
    print(f"{HOSTS} files of 500 operations, {size / 1e6:.1f} MB")
    print(f"osprof merge: one processor {one:.2f} s ({size / 1e6 / one:.0f} MB/s, "
          f"{size / 1e6 / cpu:.0f} MB/s of processor time, {HOSTS / one:.0f} files/s), all {both:.2f} s")
    right = sums_in("one", 500, 11) == known_sum(HOSTS, 500, 11)
    same = pathlib.Path("one").read_bytes() == pathlib.Path("all").read_bytes()
    print(f"the sum is {'the known one' if right else 'WRONG'}, {'the same' if same else 'OTHER'} bytes")
    return merge, size


def processes(merge, size):
    if shutil.which("mpirun") is None or not (BUILD / "osprof-mpi").exists():
        print("no mpirun, or no osprof-mpi")
        return
    job = [BUILD / "osprof-mpi", *merge[1:]]
    start, _ = best(["mpirun", "-n", "1", BUILD / "osprof-mpi", "--help"])
    # The list several times over: what takes seconds tells more. They do not say when they were.
    names = pathlib.Path("list").read_text()
    pathlib.Path("list").write_text(names * ROUNDS_OF_LIST)
    took = {n: best(["mpirun", "-n", str(n), *job, f"mpi{n}"])[0] for n in (1, 2)}
    c = max(took[1] - start, 1e-9) / HOSTS / ROUNDS_OF_LIST
    pathlib.Path("long").write_bytes(subprocess.run(merge[:-2], check=True,
                                                    capture_output=True).stdout)
    print(f"osprof-mpi: 1 process {took[1]:.2f} s, 2 {took[2]:.2f} s, {start:.2f} s of each to start: "
          f"2 are {(took[1] - start) / (took[2] - start):.2f} times 1")
    peak = peak_kib([*job, "mpi64"], 64)
    same = {pathlib.Path(f"mpi{n}").read_bytes() == pathlib.Path("long").read_bytes()
            for n in (1, 2, 64)}
    print(f"64 processes: {peak / 1024:.1f} MiB at most, {'the same' if same == {True} else 'OTHER'} bytes")
    print(f"c = {1e3 * c:.3f} ms a file; assumed: storage gives {READ_BYTES_PER_SECOND / 1e9:g} GB/s "
          "in all, 2 ms a step of the tree")
    for hosts, p in ((5000, 16), (5000, 64), (100000, 16), (100000, 64)):
        files = hosts * 96
        seconds = max(files * c / p, files * size / HOSTS / READ_BYTES_PER_SECOND) + 0.002 * math.log2(p) + start
        print(f"  {hosts} hosts x 96, {p} processes: {seconds:.0f} s")


def many_hosts():
    start = time.monotonic()
    os.mkdir("parts")
    for first in range(0, MADE, 1000):
        last = min(first + 1000, MADE)
        os.mkdir("batch")
        for host in range(first, last):
            pathlib.Path(f"batch/{host:06}.osprof").write_text(profile(host, 8, 4))
        subprocess.run([BUILD / "osprof", "merge", "-q", "batch", "-o", f"parts/{first}.osprof"], check=True)
        shutil.rmtree("batch")
    subprocess.run([BUILD / "osprof", "merge", "-q", "parts", "-o", "made"], check=True)
    right = sums_in("made", 8, 4) == known_sum(MADE, 8, 4)
    hosts = [line for line in open("made") if line.startswith("hosts ")]
    print(f"{MADE} made hosts in {time.monotonic() - start:.0f} s, most of it to make them: "
          f"{'the known sum' if right else 'WRONG'}, {''.join(hosts).strip()}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        merge, size = many_files()
        processes(merge, size)
        many_hosts()
        os.chdir("/")


if __name__ == "__main__":
    main()
