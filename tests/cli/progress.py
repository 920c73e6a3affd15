#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The line that says how far reading has come: where it is shown, and that it goes.

    tests/cli/progress.py OSPROF

A pipe is held open until the line was seen, or for so long that it should have been.
Skipped without pseudo-terminals.
"""
import os
import pty
import re
import select
import subprocess
import sys
import time

import terminals

PATIENCE, LONG_ENOUGH = 60, 1.5  # seconds; a line comes after one
ROWS = b"operation,latency_ns\nread,100\nread,200\n"
LINE = re.compile(rb"\rreading standard input 39 B, [0-9.]+ k?B/s\x1b\[K")
GONE = b"\r\x1b[K"


class Running:
    """osprof reading a pipe, with a terminal for its messages or a pipe."""

    def __init__(self, osprof, *options, term="xterm", terminal=True):
        self.ours, theirs = pty.openpty() if terminal else os.pipe()
        stdin, self.feed = os.pipe()
        self.child = subprocess.Popen(
            [osprof, "show", "--ascii", *options, "-"], stdin=stdin, stdout=subprocess.PIPE,
            stderr=theirs, env=dict(os.environ, TERM=term))
        os.close(stdin)
        os.close(theirs)
        self.told = b""
        os.write(self.feed, ROWS)

    def listen(self, until, seconds):
        """What is printed, until it matches or so long."""
        end = time.monotonic() + seconds
        while not until.search(self.told) and time.monotonic() < end:
            if not select.select([self.ours], [], [], end - time.monotonic())[0]:
                break
            try:
                more = os.read(self.ours, 4096)
            except OSError:  # a terminal that nobody has open any more
                more = b""
            if not more:
                break
            self.told += more

    def finish(self, more=b""):
        """The rest of the pipe; what was printed and told, and the status."""
        os.write(self.feed, more)
        os.close(self.feed)
        printed = self.child.stdout.read()
        self.child.stdout.close()
        self.listen(re.compile(rb"(?!)"), PATIENCE)
        os.close(self.ours)
        return printed, self.told, self.child.wait()


def must(holds, what):
    """A check."""
    if not holds:
        sys.exit("not so: %r" % (what,))


def main():
    """All kinds side by side: they only wait."""
    osprof = sys.argv[1]
    terminals.need()
    shown, wrong = Running(osprof), Running(osprof)
    silent = {
        "quiet": Running(osprof, "--quiet"),
        "dumb": Running(osprof, term="dumb"),
        "no terminal": Running(osprof, terminal=False),
    }
    start = time.monotonic()
    shown.listen(LINE, PATIENCE)
    wrong.listen(LINE, PATIENCE)
    time.sleep(max(0, start + LONG_ENOUGH - time.monotonic()))
    quick = subprocess.run([osprof, "show", "--ascii", "-"], input=ROWS, check=True,
                           capture_output=True).stdout

    printed, told, status = shown.finish()
    must(LINE.search(told), told)
    must(told.endswith(GONE), told)
    must(printed == quick and status == 0, printed)

    printed, told, status = wrong.finish(b"read,12x\n")
    must(LINE.search(told), told)
    must(told.split(GONE)[-1].startswith(b"osprof: error: -:4:6:") or
         told.split(GONE)[-1].startswith(b"-:4:6:"), told)
    must(printed == b"" and status == 2, printed)

    for name, running in silent.items():
        printed, told, status = running.finish()
        must(told == b"" and printed == quick and status == 0, (name, told))


main()
