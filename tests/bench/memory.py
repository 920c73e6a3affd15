# SPDX-License-Identifier: GPL-3.0-or-later
"""Memory for programs that are measured.

On a virtual machine pages that lay idle may first have to come from its host, which was seen
to take up to ten times as long as clearing them does, and another time in each run.
"""
import subprocess
import sys


def provide(size):
    """Has so many bytes written to and given back, by a process that ends: what this one ever
    held would count as memory of those that it starts."""
    subprocess.run([sys.executable, "-S", "-c", "len(b'x' * %d)" % size], check=True)
