#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""ULF's experiment once more: what it costs a mail load that its system calls are profiled.

    tests/bench/ulf.py BUILD [ROUNDS [FILES TRANSACTIONS]]

    bare        the load alone
    recorded    osprof record counts each call where it happens (ULF: gathered and dropped)
    watched     the same, and osprof watch reads the counters each second (ULF: to the card)
    to disk     each call as an event into a file, by perf record (ULF: LTT to the local disk)
    to a pipe   each call as an event into a pipe that is read and dropped

BUILD is a build folder, better optimised:

    ninja -C BUILD osprof collect/libosprof-record.so tests/bench/postmark

The ways take turns, and figures are medians over rounds. The load works in TMPDIR (/var/tmp),
which should be a disk. Processor time is that of the load and of all that watches it.
"""
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


def main():
    build = os.path.realpath(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    files, transactions = sys.argv[3:5] if len(sys.argv) > 4 else ("3000", "60000")
    folder = tempfile.mkdtemp(prefix="osprof-ulf-", dir=os.environ.get("TMPDIR", "/var/tmp"))
    work = os.path.join(folder, "work")
    load = [os.path.join(build, "tests/bench/postmark"), files, transactions, work]
    there = ways(os.path.join(build, "osprof"), folder)
    taken = {name: [] for name in there}
    try:
        for _ in range(rounds):
            for name, (wrapper, beside) in there.items():
                shutil.rmtree(work, ignore_errors=True)
                os.sync()
                taken[name].append(timed([*wrapper, *load], beside))
                if name == "to disk":
                    size = os.path.getsize(os.path.join(folder, "out"))
                    taken[name][-1] = (*taken[name][-1][:2], size)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    bare = [statistics.median(column) for column in zip(*taken["bare"])]
    print(f"{'':10} {'elapsed':>9} {'':>8} {'processor':>10} {'':>8} {'events':>9}")
    for name, rows in taken.items():
        elapsed, used, size = (statistics.median(column) for column in zip(*rows))
        print(f"{name:10} {elapsed:8.2f}s {100 * (elapsed / bare[0] - 1):+7.1f}% {used:9.2f}s "
              f"{100 * (used / bare[1] - 1):+7.1f}% {size / 1e6:6.1f} MB")


main()
