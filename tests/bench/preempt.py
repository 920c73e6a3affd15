#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""OSprof section 3.3, live: reads of zero bytes by processes that share a processor.

usage: preempt.py OSPROF QUANTUM [READS]

For one process, two and four, a line with what the profile lets expect and shows, and
with what the kernel counted apart from it: involuntary switches, processor time over
the quantum, and time stolen from a virtual machine. As root it runs ahead of all other
programs, so that they matter little.
"""
import json
import os
import resource
import subprocess
import sys
import tempfile


def put_ahead():
    try:
        os.setsid()
        with open("/proc/self/autogroup", "w") as autogroup:
            autogroup.write("-20")
        os.nice(-20)
    except OSError as why:
        print("not ahead of other programs:", why, file=sys.stderr)


def stolen():
    with open("/proc/stat") as stat:
        return int(stat.readline().split()[8])


def measure(osprof, quantum, processes, reads, profile):
    zeroread = os.path.join(os.path.dirname(os.path.realpath(osprof)), "collect", "zeroread")
    before, steal = resource.getrusage(resource.RUSAGE_CHILDREN), stolen()
    subprocess.run([osprof, "record", "--force", "-o", profile, "--", zeroread, str(processes),
                    str(reads // processes), "/etc/passwd"], check=True)
    after, steal = resource.getrusage(resource.RUSAGE_CHILDREN), stolen() - steal
    shown = subprocess.run([osprof, "preempt", "-q", "-f", "json", "--op", "read", "--quantum",
                            quantum, profile], check=True, capture_output=True)
    run = json.loads(shown.stdout)
    op = run["operations"][0]
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print("%9d %8d %8.0f %8.0f %8.0f  %-10s %8d %8.0f %6d" % (
        processes, op["observed"], op["expected"], op["expected_low"], op["expected_high"],
        op["verdict"], after.ru_nivcsw - before.ru_nivcsw,
        seconds * run["hz"] / run["quantum"], steal))


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    osprof, quantum = sys.argv[1], sys.argv[2]
    reads = int(sys.argv[3]) if len(sys.argv) == 4 else 24000000
    put_ahead()
    print("processes observed expected at least  at most  verdict    switches    CPU/Q stolen")
    with tempfile.TemporaryDirectory() as folder:
        for processes in (1, 2, 4, 2, 4):
            measure(osprof, quantum, processes, reads, os.path.join(folder, "reads.osprof"))


if __name__ == "__main__":
    main()
