#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What recording two programs at once gains over recording them in turns. Not a test.

    tests/bench/duet.py OSPROF [--trials N] [--seconds S] [--loops N] [--more PERCENT]

Each trial records five pairs of `dd`, which reads /dev/zero: 50 pages a call before, and
PERCENT (2, 4 ...) more after, once with --duet and once with --interleave, beside N busy loops (4).
A read clears its pages, so that it takes nearly so much longer. Then the same is done with no
difference. Printed are what `osprof rank --min-effect 1%` says of read: in how many trials it is
found, and how far the estimates of its median lie from each other.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

PAGE = 4096
BEFORE = 50 * PAGE


def dd(size, calls):
    return ["dd", "if=/dev/zero", "of=/dev/null", f"bs={size}", f"count={calls}", "status=none"]


def calls_of(seconds):
    """Number of calls that take so long, alone."""
    began, calls = time.process_time(), 0
    with open("/dev/zero", "rb", buffering=0) as f:
        room = bytearray(BEFORE)
        while time.process_time() - began < 0.5:
            calls += f.readinto(room) > 0
    return int(calls * seconds / 0.5)


def record(o, out, duet, size):
    commands = ["--", *dd(BEFORE, o.calls), "--", *dd(size, o.calls)]
    pairs = ["--duet", "-o", out] if duet else ["--interleave", f"{out}/after", "-o", f"{out}/before"]
    out.mkdir()
    subprocess.run([o.osprof, "record", "-q", "--force", "--repeat", "5", *pairs, *commands], check=True)
    done = subprocess.run([o.osprof, "rank", "-q", "-f", "json", "--all", "--min-effect", "1%", "--min-difference", "0",
                           out / "before", out / "after"], capture_output=True, check=True)
    read = next(op for op in json.loads(done.stdout)["operations"] if op["name"] == "read")
    return read["verdict"], read["replicates"]["p50_shift"] if "replicates" in read else read["p50_shift"]


def trials(o, duet, more):
    size, found = round(50 * (1 + more / 100)) * PAGE, []
    for _ in range(o.trials):
        with tempfile.TemporaryDirectory() as at:
            found.append(record(o, pathlib.Path(at) / "runs", duet, size))
    percent = [100 * (2 ** shift - 1) for _, shift in found]
    spread = statistics.stdev(percent) if o.trials > 1 else float("nan")
    regressed = sum(verdict == "regressed" for verdict, _ in found)
    improved = sum(verdict in ("improved", "changed-shape") for verdict, _ in found)
    print(f"{'duets' if duet else 'turns':6} {more:+5.1f} %: regressed in {regressed} of {o.trials}, improved or changed in "
          f"{improved}; median {statistics.median(percent):+.2f} %, standard deviation {spread:.2f} %", flush=True)


def options():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("osprof", type=pathlib.Path)
    a.add_argument("--trials", type=int, default=10)
    a.add_argument("--seconds", type=float, default=30)
    a.add_argument("--loops", type=int, default=4)
    a.add_argument("--more", type=float, default=2)
    return a.parse_args()


def main():
    o = options()
    o.osprof = o.osprof.resolve()
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(o.loops)]
    try:
        o.calls = calls_of(o.seconds)
        for more in (0, o.more):
            for duet in (True, False):
                trials(o, duet, more)
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


if __name__ == "__main__":
    main()
