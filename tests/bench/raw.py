#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Individual samples by the million: osprof against what else reads such files.

    tests/bench/raw.py BUILD [FOLDER]

BUILD is an optimised build folder with the programs of tests/bench in it:

    ninja -C BUILD osprof tests/bench/{raw_lines,raw_loop,raw_libcsv,clock_rate}

FOLDER, by default a new one in /dev/shm, gets files of LINES lines `operation,latency_ns`,
of 20, 10,000 and 100,000 operations, one of 500 operations with names of 1 to 3 bytes (9.7
bytes a line), and one with every field in quotes; files that are there are used as they are,
and those made here are removed.

For each number of operations: `osprof show` of the file and of a pipe, which prints a line
for each, and of the file without printing any (DuckDB prints none), and beside it wc -l,
a plain C loop on all processors (raw_loop.c), libcsv alone (raw_libcsv.c), mawk and
DuckDB, those that are installed; DuckDB as duckdb, or with NODE_DUCKDB=FOLDER as the package
@duckdb/node-api that is installed there, and what its start alone takes.  The programs take
turns, ROUNDS times.  Of each: the best and the median of seconds that passed, of seconds that
processors worked (on a machine that is busy these say more), MB/s and processor, and how
often osprof's best fits into its best.  Of osprof also the most memory that was resident;
it maps no file, so that this is all.  Less than this script itself has cannot be told.

Of osprof alone, show and watch, also on one processor: MB/s of its time, and by turns with
clock_rate.c, which says what that time was worth, the cycles of a byte.

Before each program 256 MiB of memory are provided (see memory.py).

Environment: LINES (30000000), ROUNDS (5), OPERATIONS ("20 10000 100000"), NODE_DUCKDB.
"""
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import memory

PROVIDED = 256 << 20
SILENT = "osprof, none printed"
PROCESSORS = len(os.sched_getaffinity(0))
AWK = ('NR>1 {v=$2; for (b=0; v>=2; v/=2) b++; n[$1","b]++} '
       'END {for (k in n) print k","n[k]}')
SQL = ["set threads = %d" % PROCESSORS,
       "select count(*), sum(n) from (select operation, "
       "floor(log2(greatest(latency_ns, 1))) b, count(*) n from read_csv('%s') group by all)"]


def run(command, path, how, folder=None):
    """Seconds passed, seconds worked, KiB resident at most."""
    start = time.perf_counter()
    with open(path, "rb") as file:
        feeder = None
        stdin = file if how == "stdin" else subprocess.DEVNULL
        if how == "pipe":
            feeder = subprocess.Popen(["cat"], stdin=file, stdout=subprocess.PIPE)
            stdin = feeder.stdout
        child = subprocess.Popen(command, stdin=stdin, stdout=subprocess.DEVNULL, cwd=folder)
        if feeder:
            feeder.stdout.close()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if feeder:
            feeder.wait()
    if child.returncode != 0:
        sys.exit("%s: status %d" % (" ".join(command), child.returncode))
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def duckdb(*sql):
    """Its command, how it gets the file, and in which folder."""
    node = os.environ.get("NODE_DUCKDB")
    if node:
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "duckdb.mjs")
        return ["node", script, *sql], "", node
    return ["duckdb", "-c", "; ".join(sql)], ""


def programs(build, path):
    """Name: command, how it gets the file, and perhaps in which folder."""
    osprof, bench = os.path.join(build, "osprof"), os.path.join(build, "tests/bench")
    found = {
        "osprof show FILE": ([osprof, "show", "-q", path], ""),
        "cat FILE | osprof show -": ([osprof, "show", "-q", "-"], "pipe"),
        SILENT: ([osprof, "show", "-q", "-f", "json", "--op", "no such", path], ""),
        "wc -l": (["wc", "-l", path], ""),
        "C loop, %d threads" % PROCESSORS:
            ([os.path.join(bench, "raw_loop"), path, str(PROCESSORS)], ""),
        "libcsv alone": ([os.path.join(bench, "raw_libcsv")], "stdin"),
        "mawk": (["mawk", "-F,", AWK, path], ""),
        "DuckDB": duckdb(SQL[0], SQL[1] % path),
        "DuckDB's start": duckdb("select 1"),
    }
    return {name: p for name, p in found.items() if shutil.which(p[0][0])}


def measure(wanted, path, rounds):
    """Lists of what run() gives, by name; the first round warms up."""
    times = {name: [] for name in wanted}
    for number in range(rounds + 1):
        for name in wanted if number % 2 else reversed(wanted):
            command, how, *folder = wanted[name]
            memory.provide(PROVIDED)
            measured = run(command, path, how, *folder)
            if number > 0:
                times[name].append(measured)
    return times


def measure_one_processor(build, path, rounds):
    """Prints what a byte costs osprof with only one processor to run on, medians of rounds."""
    alone = ["taskset", "-c", str(max(os.sched_getaffinity(0)))]
    osprof = os.path.join(build, "osprof")
    rate = alone + [os.path.join(build, "tests/bench/clock_rate")]
    size = os.path.getsize(path)
    for words in ["show", "-q", "-"], ["watch", "--every", "10s", "-"]:
        speeds, cycles, rates = [], [], [float(subprocess.check_output(rate))]
        for _ in range(rounds):
            worked = run(alone + [osprof, *words], path, "stdin")[1]
            rates.append(float(subprocess.check_output(rate)))
            speeds.append(size / 1e6 / worked)
            cycles.append(worked * (rates[-2] + rates[-1]) / 2 / size)
        print("  osprof %s on one processor: %.0f MB/s (%.0f to %.0f) at %.2f GHz, %.2f cycles a byte"
              % (words[0], statistics.median(speeds), min(speeds), max(speeds),
                 statistics.median(rates) / 1e9, statistics.median(cycles)), flush=True)


def report(title, path, times):
    """A line a program."""
    size = os.path.getsize(path)
    best = {name: [min(t[i] for t in taken) for i in (0, 1)] for name, taken in times.items()}
    ours, ours_worked = best["osprof show FILE"]
    print("%s: %.0f MB" % (title, size / 1e6))
    for name, taken in times.items():
        passed, worked = ([t[i] for t in taken] for i in (0, 1))
        line = "  %-25s %6.3f s (median %6.3f), worked %6.3f s (%6.3f), %5.0f MB/s and processor" \
            % (name, min(passed), statistics.median(passed), min(worked),
               statistics.median(worked), size / 1e6 / min(worked))
        if "osprof" in name:
            line += ", %5.1f MiB" % (max(t[2] for t in taken) / 1024)
        else:
            line += ", osprof %.2f times (worked %.2f)" \
                % (min(passed) / ours, min(worked) / ours_worked)
        print(line, flush=True)
    return best["osprof show FILE"] + best[SILENT]


def make(build, path, lines, operations, *more):
    """A file, unless it is there; whether it was not."""
    if os.path.exists(path):
        return False
    with open(path, "wb") as file:
        subprocess.run([os.path.join(build, "tests/bench/raw_lines"), str(lines),
                        str(operations), *more], stdout=file, check=True)
    return True


def measure_file(build, folder, name, title, settings):
    """One file: made, measured, reported, removed."""
    lines, operations, more, rounds = settings
    path = os.path.join(folder, name)
    made = make(build, path, lines, operations, *more)
    wanted = programs(build, path)
    if "quoted" in more:  # nobody but a reader of CSV can do with quotes
        wanted = {n: p for n, p in wanted.items() if n.split()[0] not in ("C", "mawk")}
    try:
        costs = report(title, path, measure(wanted, path, rounds))
        measure_one_processor(build, path, rounds)
        return costs
    finally:
        if made:
            os.remove(path)


def main():
    """All files in turn, and what they cost compared with each other."""
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build = os.path.abspath(sys.argv[1])
    lines, rounds = (int(os.environ.get(n, d)) for n, d in (("LINES", 30000000), ("ROUNDS", 5)))
    operations = [int(n) for n in os.environ.get("OPERATIONS", "20 10000 100000").split()]
    own = None if len(sys.argv) > 2 else tempfile.mkdtemp(prefix="osprof-bench-", dir="/dev/shm")
    folder = own or os.path.abspath(sys.argv[2])
    missing = [t for t in ("mawk", duckdb("")[0][0]) if not shutil.which(t)]
    if missing:
        print("not installed, left out: " + ", ".join(missing))
    try:
        costs = {}
        for n in operations:
            costs[n] = measure_file(build, folder, "raw-%d.csv" % n, "%d operations" % n,
                                    (lines, n, (), rounds))
        short = measure_file(build, folder, "raw-short.csv", "500 operations, short names",
                             (lines, 500, ("short",), rounds))
        quoted = measure_file(build, folder, "raw-quoted.csv", "%d operations, quoted"
                              % operations[0], (lines, operations[0], ("quoted",), rounds))
        first = costs[operations[0]]
        for name, cost in list(costs.items())[1:] + [("short names", short), ("quotes", quoted)]:
            print("%s cost %.2f times as much as %d operations (worked %.2f); none printed,"
                  " %.2f (%.2f)" % (name, cost[0] / first[0], operations[0], cost[1] / first[1],
                                    cost[2] / first[2], cost[3] / first[3]))
    finally:
        if own:
            os.rmdir(own)


main()
