#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What `osprof record` costs the programs that it records, against strace -c and perf
trace -s on the same programs in the same run; and what it costs to record per-call records,
against strace -T and perf trace.

    tests/bench/recorder.py BUILD [ROUNDS [PROGRAM]]

PROGRAM is "call-bound", "I/O-bound" or "mail load"; all of them without it. BUILD is a build folder with the programs of tests/bench in it:

    ninja -C BUILD osprof collect/libosprof-record.so \\
        tests/bench/io_bound tests/bench/call_bound tests/bench/postmark

Wrappers take turns, and figures are medians over rounds. Tools that are not installed are
left out, and those that print each call sit out the mail load, which they would take minutes
for. The I/O-bound program and the mail load work in TMPDIR (/var/tmp), which should be
a disk. Times are of a whole command; of the call-bound program, which runs fewer calls
under the slow tools, those of an empty command are taken off first, and cycles are of the
processors' time, the tool's own included.
"""
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time

CALLS, SOME_CALLS, MIN_CALLS = 5000000, 500000, 30000
WRITES, FILES, TRANSACTIONS = 4000, 3000, 30000
PRINTERS = ("strace -T", "perf trace")


def run(command):
    """Elapsed, system and processor seconds of a command and all that it started."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    elapsed = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    system = after.ru_stime - before.ru_stime
    return elapsed, system, system + after.ru_utime - before.ru_utime


def cycles_a_second():
    """Of the processor, as the kernel says; NaN where it does not."""
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        for line in info:
            if line.startswith("cpu MHz"):
                return float(line.split(":")[1]) * 1e6
    return float("nan")


def wrappers_there(osprof, out):
    """Bare first, then what there is to compare."""
    wrappers = {
        "bare": [],
        "osprof record": [osprof, "record", "-q", "--force", "-o", out, "--"],
        "strace -c": ["strace", "-f", "-c", "-o", out],
        "perf trace -s": ["perf", "trace", "-s", "-o", out],
        "record --calls": [osprof, "record", "-q", "--force", "--calls", "-o", out, "--"],
        "strace -T": ["strace", "-f", "-T", "-o", out],
        "perf trace": ["perf", "trace", "-o", out],
    }
    return {name: w for name, w in wrappers.items() if not w or shutil.which(w[0])}


def calls_of(wrapper):
    """How many calls the call-bound program makes."""
    return {"bare": CALLS, "osprof record": CALLS, "record --calls": SOME_CALLS}.get(
        wrapper, MIN_CALLS)


def measure(wrappers, bench, folder, rounds, wanted):
    """Lists of what run() gives, by program and wrapper; the first round warms up."""
    programs = {
        "empty": lambda w: ["/bin/true"],
        "call-bound": lambda w: [os.path.join(bench, "call_bound"), str(calls_of(w))],
        "I/O-bound": lambda w: [os.path.join(bench, "io_bound"), str(WRITES),
                                os.path.join(folder, "file")],
        "mail load": lambda w: [os.path.join(bench, "postmark"), str(FILES),
                                str(TRANSACTIONS), os.path.join(folder, "mail")],
    }
    programs = {p: c for p, c in programs.items() if wanted in (None, p) or p == "empty"}
    times = {(p, w): [] for p in programs for w in wrappers}
    for number in range(rounds + 1):
        for program, command in programs.items():
            order = list(wrappers) if number % 2 else list(reversed(wrappers))
            for wrapper in order:
                if program == "mail load" and wrapper in PRINTERS:
                    continue
                measured = run(wrappers[wrapper] + command(wrapper))
                if number > 0:
                    times[program, wrapper].append(measured)
    return times


def report(times, wrappers, rounds):
    """A line a program and wrapper."""
    def middle(program, wrapper, which=0):
        return statistics.median(t[which] for t in times[program, wrapper])

    def call(wrapper, which):
        return (middle("call-bound", wrapper, which) - middle("empty", wrapper, which)) / \
            calls_of(wrapper)

    hz = cycles_a_second()
    print("medians of %d rounds" % rounds)
    for wrapper in (w for w in wrappers if times.get(("call-bound", w))):
        print("call-bound  %-14s %9.1f ns a call elapsed, %9.1f of processors: %8.0f cycles more"
              % (wrapper, call(wrapper, 0) * 1e9, call(wrapper, 2) * 1e9,
                 (call(wrapper, 2) - call("bare", 2)) * hz))
    for program in "I/O-bound", "mail load":
        for wrapper in (w for w in wrappers if times.get((program, w))):
            print("%-11s %-14s %9.1f ms, %7.2f %% more; system time %7.1f ms, %7.2f %% more"
                  % (program, wrapper, middle(program, wrapper) * 1e3,
                     (middle(program, wrapper) / middle(program, "bare") - 1) * 100,
                     middle(program, wrapper, 1) * 1e3,
                     (middle(program, wrapper, 1) / middle(program, "bare", 1) - 1) * 100))
    print("to start and end a command: " + ", ".join(
        "%s %.1f ms" % (w, middle("empty", w) * 1e3) for w in wrappers))


def main():
    """Measures in a folder of its own."""
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build = os.path.abspath(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    wanted = sys.argv[3] if len(sys.argv) > 3 else None
    folder = os.path.join(os.environ.get("TMPDIR", "/var/tmp"), "osprof-bench-%d" % os.getpid())
    os.mkdir(folder)
    try:
        wrappers = wrappers_there(os.path.join(build, "osprof"), os.path.join(folder, "out"))
        times = measure(wrappers, os.path.join(build, "tests", "bench"), folder, rounds,
                        wanted)
    finally:
        shutil.rmtree(folder)
    report(times, wrappers, rounds)


main()
