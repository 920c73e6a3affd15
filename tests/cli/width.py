#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports fit the terminal that they go to, and nothing else is changed by one.

    tests/cli/width.py OSPROF TESTDATA

Skipped without pseudo-terminals.
"""
import fcntl
import os
import struct
import subprocess
import sys
import tempfile
import termios

import terminals


def must(holds, what):
    """A check."""
    if not holds:
        sys.exit("not so: %s" % (what,))


def on_terminal(columns, *command, status=0, **others):
    """What is printed to a terminal of so many columns."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=theirs,
                             **{name: theirs for name in others})
    os.close(theirs)
    printed = b""
    while True:
        try:
            more = os.read(ours, 4096)
        except OSError:  # nobody has it open any more
            break
        if not more:
            break
        printed += more
    os.close(ours)
    must(child.wait() == status, command)
    return printed.decode().replace("\r\n", "\n")


def through_pipe(*command, columns=None):
    """What is printed elsewhere, where COLUMNS says so many columns, or nothing."""
    stated = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    if columns is not None:
        stated["COLUMNS"] = str(columns)
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          check=True, env=stated).stdout.decode()


def heads(text):
    """The titles of a ranking's columns."""
    return next(line for line in text.splitlines() if line.split()[:1] == ["operation"]).split()


def fits(rank):
    """Of a ranking nothing but columns is missing, and those are named."""
    whole = through_pipe(*rank, columns=400)
    titles = heads(whole)
    for columns in (40, 60, 72, 80, 100, 140):
        narrow = on_terminal(columns, *rank)
        must(through_pipe(*rank, columns=columns) == narrow, "COLUMNS=%d" % columns)
        widest = max(narrow.splitlines(), key=len)
        must(len(widest) <= columns, "%r in %d columns" % (widest, columns))
        kept = heads(narrow)
        told = "(%d columns have no room for " % columns
        named = []
        if told in " ".join(narrow.split()):
            named = " ".join(narrow.split()).split(told)[1].split(")")[0].split(", ")
        must(kept == [title for title in titles if title not in named] and
             named == [title for title in titles if title not in kept],
             "%s and %s of %s" % (kept, named, titles))
        must("mean" in kept or "calls" in named, "calls go before the mean: %s" % kept)
    must(on_terminal(400, *rank) == whole, "room for all")
    must(heads(through_pipe(*rank)) == heads(on_terminal(80, *rank)), "a pipe has 80 columns")


def messages(osprof, folder):
    """A message is broken, but not the line that it blames."""
    path = folder + "/p"
    with open(path, "w", encoding="utf-8") as file:
        file.write("osprof 1\nop read\n7 1\n7 this is no count and far too long for it\n")
    told = on_terminal(40, osprof, "show", path, status=2, stderr=True).splitlines()
    must("7 this is no count and far too long for it" in told[-2], told)
    must(told[-1].strip().strip("^") == "", told)
    must(len(told) > 3 and all(len(line) <= 40 or " " not in line for line in told[:-2]), told)


def main():
    """A ranking, on terminals and elsewhere."""
    osprof, testdata = map(os.path.abspath, sys.argv[1:])
    terminals.need()
    os.chdir(testdata)  # a long path is a long word
    runs = ["--unit", "ns", "runs/randread-1", "runs/randread-2"]
    rank = [osprof, "rank", "-q", "--ascii", "--color=never"]
    fits(rank + runs)
    for form in ("json", "csv", "markdown"):
        other = rank + ["--format", form] + runs
        must(on_terminal(40, *other) == through_pipe(*other), form)
    script = [osprof, "completion", "bash"]
    must(on_terminal(40, *script) == through_pipe(*script), "what a shell reads")
    with tempfile.TemporaryDirectory() as folder:
        kept = folder + "/report.txt"
        on_terminal(40, *rank, "-o", kept, *runs)
        with open(kept, encoding="utf-8") as file:
            must(file.read() == through_pipe(*rank, *runs, columns=400), "a file")
        messages(osprof, folder)


main()
