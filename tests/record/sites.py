#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The call sites of programs as several compilers' options make them.

    sites.py OSPROF FOLDER PROGRAM...

The programs are sites.c and sites.cc of FOLDER, with _FORTIFY_SOURCE where the compiler
optimizes. A site is where the source says: in the line of a comment `site: OPERATION FUNCTION
TIMES`. In C++, FUNCTION is a part of the name. Prints TAP.
"""
import csv
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter

OSPROF, FOLDER, *PROGRAMS = (os.path.realpath(a) for a in sys.argv[1:])
MARK = re.compile(r"site: (\w+) (\S+) (\d+)")
OPERATIONS = ("read", "pread", "open", "fgets", "poll")


def stated(*names):
    """What the sources state: {(operation, file:line): (function, times)}."""
    found = {}
    for name in names:
        with open(os.path.join(FOLDER, name), encoding="utf-8") as source:
            for number, line in enumerate(source, 1):
                if mark := MARK.search(line):
                    found[mark[1], "%s:%d" % (name, number)] = (mark[2], int(mark[3]))
    return found


def sites(program):
    """The sites in the sources, as recorded: {(operation, text): times}."""
    subprocess.run([OSPROF, "record", "-q", "--calls", "--force", "-o", "out", "--", program,
                    os.path.join(FOLDER, "sites.c")], check=True, timeout=60)
    with open("out.calls.csv", encoding="utf-8", newline="") as f:
        calls = csv.DictReader(line for line in f if not line.startswith("# "))
        return Counter((c["operation"].replace("64", ""), c["site"]) for c in calls
                       if c["operation"].replace("64", "") in OPERATIONS)


def compare(program):
    """The recorded sites are the stated ones."""
    in_cpp = "cc" in os.path.basename(program)
    expected = stated("sites.c", "sites.cc") if in_cpp else stated("sites.c")
    found = sites(program)
    seen = Counter()
    for (operation, text), times in found.items():
        place, _, function = text.partition(" ")
        assert (operation, place) in expected, (operation, text, found)
        name = expected[operation, place][0]
        assert name in function if in_cpp else name == function, (operation, text, name)
        seen[operation, place] += times
    assert seen == {key: times for key, (_, times) in expected.items()}, (seen, expected)


def main():
    """Each program in turn."""
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for i, program in enumerate(PROGRAMS, 1):
            try:
                compare(program)
                print("ok %d - %s" % (i, os.path.basename(program)))
            except (AssertionError, subprocess.SubprocessError) as why:
                failed = True
                print("not ok %d - %s\n# %s" % (i, os.path.basename(program),
                                                 str(why).replace("\n", "\n# ")))
        os.chdir("/")
    print("1..%d" % len(PROGRAMS))
    sys.exit(failed)


main()
