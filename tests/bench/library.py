#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a comparison costs in the library, over what it costs in the program.

    tests/bench/library.py BUILD [ROUNDS]

BUILD is a build folder; one of --buildtype=release says most. The same two files, of 6, 1,000 and
10,000 operations, are compared by turns by `osprof rank --format json` and by a process that calls
osc_compare() and osc_comparison_render(), whose outputs must be the same bytes. Printed are the
processor seconds of the best of ROUNDS, 7 if not said, and how often the program's fit into the
library's. The program has one thread, as a call of the library has. What it takes to begin, which
a host pays once, is taken off each: that of `osprof --version`, and of the host without a call.
"""

import ctypes
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def seconds_of_host(library, files):
    """Processor seconds of one comparison in this process, and what it wrote."""
    osc = ctypes.CDLL(str(library))
    written = []
    write_type = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
    write = write_type(lambda _, p, n: written.append(ctypes.string_at(p, n)) or 0)
    context, comparison = ctypes.c_void_p(), ctypes.c_void_p()
    start = resource.getrusage(resource.RUSAGE_SELF)
    status = osc.osc_new(ctypes.byref(context))
    status |= osc.osc_set(context, b"unit", b"ns")
    for side, file in enumerate(files):
        status |= osc.osc_add_path(context, side, os.fsencode(file))
    status |= osc.osc_compare(context, ctypes.byref(comparison))
    status |= osc.osc_comparison_render(comparison, b"json", write, None)
    end = resource.getrusage(resource.RUSAGE_SELF)
    assert status == 0, status
    return used(start, end), b"".join(written)


def used(start, end):
    return end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime


def seconds_of_program(command):
    """The same for a child."""
    start = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return used(start, resource.getrusage(resource.RUSAGE_CHILDREN)), done.stdout


def in_child(library, files):
    """In a new process each time: what the host before it left in its caches and heap is gone."""
    code = (f"import sys; sys.path.insert(0, {str(ROOT / 'tests/bench')!r}); import library; "
            f"s, text = library.seconds_of_host({str(library)!r}, {[str(f) for f in files]!r}); "
            "sys.stdout.buffer.write(b'%.6f\\n' % s + text)")
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True)
    first, text = done.stdout.split(b"\n", 1)
    return float(first), text


def main():
    build = Path(sys.argv[1]).resolve()
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    osprof, library = build / "osprof", build / "library/libosprof-compare.so.0"
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    begin = min(seconds_of_program([osprof, "--version"])[0] for _ in range(rounds))
    print("operations  program s  library s  ratio")
    with tempfile.TemporaryDirectory() as folder:
        for n in 6, 1000, 10000:
            files = [ROOT / f"testdata/runs/randread-{i}/1.json" for i in (1, 2)]
            if n != 6:
                subprocess.run([ROOT / "tests/bench/generate.py", str(n), folder], check=True,
                               stdout=subprocess.DEVNULL)
                files = [Path(folder) / "before.json", Path(folder) / "after.json"]
            of_program, of_library = [], []
            for _ in range(rounds):
                seconds, expected = seconds_of_program(
                    [osprof, "rank", "-q", "--unit", "ns", "--format", "json", *files])
                of_program.append(seconds - begin)
                seconds, text = in_child(library, files)
                of_library.append(seconds)
                assert text == expected, "the outputs differ"
            print(f"{n:10}  {min(of_program):9.4f}  {min(of_library):9.4f}  "
                  f"{min(of_library) / min(of_program):5.2f}", flush=True)


if __name__ == "__main__":
    main()
