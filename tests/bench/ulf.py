#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""ULF's experiment once more: what it costs a program that its system calls are profiled.

    tests/bench/ulf.py BUILD [--load mail|io] [--rounds N] [--work N] [--ways NAME,...]
    tests/bench/ulf.py BUILD --within [--load mail|io] [--rounds N] [--work N]

    bare        the load alone
    recorded    osprof record counts each call where it happens (ULF: gathered and dropped)
    watched     the same, and osprof watch reads the counters each second (ULF: to the card)
    to disk     each call as an event into a file, by perf record (ULF: LTT to the local disk)
    to a pipe   each call as an event into a pipe that is read and dropped

BUILD is a build folder, better optimised:

    ninja -C BUILD osprof collect/libosprof-record.so tests/bench/postmark tests/bench/io_bound

The load is a mail server's, or one that writes records and asks for each to be on the disk;
--work is its transactions or records. It works in TMPDIR (/var/tmp), which should be a disk.
Processor time is that of the load and of all that watches it. The ways take turns, each
round in another order; a cost is the median over rounds of the ratio to the bare load of
the same round, with a 95 % interval of that median (order statistics).

Whole programs differ by some per cent from run to run. --within tells less apart: a load that is
recorded and watched, whose blocks of 250 transactions or 50 records go by turns to libc and
through the recorder, and the ratio of neighbours. What osprof watch takes itself is told apart.
"""
import argparse
import math
import os
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

EVENTS = ["-e", "raw_syscalls:sys_enter", "-e", "raw_syscalls:sys_exit"]


def processor():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(command, beside=None):
    """Elapsed and processor seconds, and bytes that came out of it."""
    before, start, size = processor(), time.perf_counter(), 0
    quiet = subprocess.DEVNULL
    if beside == "pipe":
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=quiet) as p:
            while piece := p.stdout.read(1 << 20):
                size += len(piece)
        elapsed = time.perf_counter() - start
    elif beside:
        with subprocess.Popen(command, stdout=quiet, stderr=quiet) as p:
            watcher = subprocess.Popen([*beside, f"pid:{p.pid}"], stdout=quiet, stderr=quiet)
            p.wait()
            elapsed = time.perf_counter() - start
            watcher.send_signal(signal.SIGTERM)
            watcher.wait()
    else:
        subprocess.run(command, stdout=quiet, stderr=quiet, check=True)
        elapsed = time.perf_counter() - start
    return elapsed, processor() - before, size


def ways(osprof, folder):
    out = os.path.join(folder, "out")
    record = [osprof, "record", "-q", "--force", "-o", out, "--"]
    there = {
        "bare": ([], None),
        "recorded": (record, None),
        "watched": (record, [osprof, "watch", "-q", "--every", "1s", "--keep",
                             os.path.join(folder, "kept")]),
    }
    if shutil.which("perf"):
        there["to disk"] = (["perf", "record", "-q", *EVENTS, "-o", out, "--"], None)
        there["to a pipe"] = (["perf", "record", "-q", *EVENTS, "-o", "-", "--"], "pipe")
    return there


def of_median(values):
    """The median, and a 95 % interval of it."""
    v, n, k, tail = sorted(values), len(values), 0, 0.0
    while tail + math.comb(n, k) / 2**n <= 0.025:
        tail += math.comb(n, k) / 2**n
        k += 1
    k = max(k, 1)
    return statistics.median(v), v[k - 1], v[n - k]


def arguments():
    there = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    there.add_argument("build")
    there.add_argument("--load", choices=("mail", "io"), default="mail")
    there.add_argument("--rounds", type=int, default=20)
    there.add_argument("--work", type=int, help="20000 transactions, or 1000 records")
    there.add_argument("--within", action="store_true", help="blocks of one run that is recorded and watched")
    there.add_argument("--ways", help="of those in the table; bare is always there")
    return there.parse_args()


def load_command(args, work):
    build = os.path.realpath(args.build)
    if args.load == "io":
        return [os.path.join(build, "tests/bench/io_bound"), str(args.work or 1000), work]
    return [os.path.join(build, "tests/bench/postmark"), "1000", str(args.work or 20000), work]


def take_round(order, there, load, folder, taken):
    for name in order:
        wrapper, beside = there[name]
        shutil.rmtree(os.path.join(folder, "work"), ignore_errors=True)
        os.sync()
        figures = timed([*wrapper, *load], beside)
        if name == "to disk":
            figures = (*figures[:2], os.path.getsize(os.path.join(folder, "out")))
        taken[name].append(figures)


def cost(rows, bare, column, digits=1):
    ratios = [100 * (row[column] / by[column] - 1) for row, by in zip(rows, bare)]
    median, low, high = of_median(ratios)
    return f"{median:+6.{digits}f}% ({low:+.{digits}f} to {high:+.{digits}f})"


def within(there, load, block):
    """Elapsed and processor seconds of each block, of libc and recorded; those of osprof watch."""
    record, watch = there["watched"]
    with subprocess.Popen([*record, *load, block], stdout=subprocess.PIPE, text=True) as program:
        watcher = subprocess.Popen([*watch, f"pid:{program.pid}"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        rows = [[float(figure) for figure in line.split()] for line in program.stdout]
        watcher.send_signal(signal.SIGTERM)
        used = os.wait4(watcher.pid, 0)[2]
    if program.returncode != 0:
        sys.exit("ulf.py: the load failed")
    blocks = [[row[1:] for row in rows if row[0] == which] for which in (0, 1)]
    return blocks, used.ru_utime + used.ru_stime


def print_within(there, load, block, folder, rounds):
    bare, recorded, watching = [], [], 0
    for _ in range(rounds):
        shutil.rmtree(os.path.join(folder, "work"), ignore_errors=True)
        blocks, used = within(there, load, block)
        bare += blocks[0]
        recorded += blocks[1]
        watching += used
    elapsed = sum(row[0] for row in bare + recorded)
    print(f"{len(bare)} pairs of blocks; osprof watch took {1000 * watching / elapsed:.1f} ms of "
          "processor time a second")
    for column, name in enumerate(("elapsed", "processor")):
        ms = 1000 * statistics.median(row[column] for row in bare)
        print(f"{name:10} {ms:8.2f}ms {cost(recorded, bare, column, 2)}")


def main():
    args = arguments()
    folder = tempfile.mkdtemp(prefix="osprof-ulf-", dir=os.environ.get("TMPDIR", "/var/tmp"))
    load = load_command(args, os.path.join(folder, "work"))
    there = ways(os.path.join(os.path.realpath(args.build), "osprof"), folder)
    if args.ways:
        there = {name: there[name] for name in ["bare", *args.ways.split(",")]}
    taken = {name: [] for name in there}
    names = list(there)
    try:
        if args.within:
            block = "250" if args.load == "mail" else "50"
            print_within(there, load, block, folder, args.rounds)
            return
        for i in range(args.rounds):
            turn = i % len(names)
            take_round(names[turn:] + names[:turn], there, load, folder, taken)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{'':10} {'elapsed':>9} {'':24} {'processor':>10} {'':24} {'events':>9}")
    for name, rows in taken.items():
        elapsed, used, size = (statistics.median(column) for column in zip(*rows))
        print(f"{name:10} {elapsed:8.2f}s {cost(rows, taken['bare'], 0):24} "
              f"{used:9.2f}s {cost(rows, taken['bare'], 1):24} {size / 1e6:6.1f} MB")


main()
