#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What it costs a recorded program that its counters are read in place, and what it costs
the reader: bare, recorded, and recorded while another process reads every second and every
100 ms, in turns within one run.

    tests/bench/region.py BUILD [ROUNDS]

    ninja -C BUILD osprof collect/libosprof-record.so tests/bench/{io_bound,call_bound,postmark}

Figures are medians of the ratio to the recorded run of the same round, for elapsed time and
for processor time of the command and all that it started; the reader's own time is told per
reading. Files are in TMPDIR (/dev/shm).
"""
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

READERS = (("bare", None), ("recorded", None), ("read each 1 s", 1.0), ("read each 0.1 s", 0.1))


def used(rusage):
    return rusage.ru_utime + rusage.ru_stime


def run(osprof, command, out, kind, every):
    """Elapsed and processor seconds of the command, readings, processor seconds of a reading."""
    if kind != "bare":
        command = [osprof, "record", "-q", "--force", "-o", out, "--"] + command
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    readings, reading, due = 0, 0.0, start + (every or 0)
    while every is not None:
        time.sleep(max(due - time.perf_counter(), 0))
        due += every
        if os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
            break
        reader = subprocess.Popen([osprof, "convert", "-q", "--force", f"pid:{child.pid}", "-o", out + ".live"],
                                  stderr=subprocess.DEVNULL)
        _, status, rusage = os.wait4(reader.pid, 0)
        reader.returncode = status
        readings += status == 0
        reading += used(rusage)
    _, child.returncode, rusage = os.wait4(child.pid, 0)
    return time.perf_counter() - start, used(rusage), readings, reading / max(readings, 1)


def compare(osprof, name, command, out, rounds):
    elapsed, processor = {kind: [] for kind, _ in READERS}, {kind: [] for kind, _ in READERS}
    readings, each = 0, 0.0
    for number in range(rounds):
        # Turns begin elsewhere each time, so that a drift falls on all of them.
        order = READERS[number % 4:] + READERS[:number % 4]
        seen = {kind: run(osprof, command, out, kind, every) for kind, every in order}
        for kind, _ in READERS:
            elapsed[kind].append(seen[kind][0] / seen["recorded"][0])
            processor[kind].append(seen[kind][1] / seen["recorded"][1])
            readings += seen[kind][2]
            each = max(each, seen[kind][3])
    for kind, _ in READERS:
        print(f"{name:12} {kind:16} elapsed {statistics.median(elapsed[kind]):6.3f} "
              f"[{min(elapsed[kind]):.3f}, {max(elapsed[kind]):.3f}]  processor "
              f"{statistics.median(processor[kind]):6.3f} [{min(processor[kind]):.3f}, "
              f"{max(processor[kind]):.3f}]")
    print(f"{name:12} {readings} readings, at most {each * 1e3:.1f} ms of processor time each, "
          "a new process each time")


def main():
    build, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 7
    osprof, bench = os.path.join(build, "osprof"), os.path.join(build, "tests/bench")
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/dev/shm")) as folder:
        out = os.path.join(folder, "out.osprof")
        loads = {
            "mail load": [f"{bench}/postmark", "3000", "100000", os.path.join(folder, "mail")],
            "call-bound": [f"{bench}/call_bound", "10000000"],
        }
        for name, command in loads.items():
            compare(osprof, name, command, out, rounds)


if __name__ == "__main__":
    main()
