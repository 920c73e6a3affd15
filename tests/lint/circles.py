#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether object files call each other in a circle, or a folder one that is above it.

usage: circles.py ARCHIVE...           # of the lowest folder first

What the linker sees is looked at, not includes: two files are in a circle if each calls functions
of the other, directly or by way of others; a table of functions is not a call. Such files are one
piece of code in several files, and have to be parted. Prints each circle and each call upwards;
status 1 if there is any.
"""
import collections
import re
import subprocess
import sys


def symbols_of(archives):
    """By object file: the symbols that it defines, and those that it needs."""
    defined, needed = {}, collections.defaultdict(set)
    listing = subprocess.run(["nm", "-A", "-g", *archives], check=True, capture_output=True,
                             text=True).stdout
    for line in listing.splitlines():
        found = re.match(r"(?:.*/)?lib(\w+)\.a[:[](?:.*/)?([^/]*?)\.c\.o\]?:[0-9a-f ]* ([A-Za-z]) (\S+)$", line)
        if not found:
            continue
        library, file, kind, symbol = found.groups()
        unit = f"{library}/{file}"
        if kind == "U":
            needed[unit].add(symbol)
        elif kind == "T":
            defined[symbol] = unit
    return defined, needed


def edges_of(defined, needed):
    return {unit: {defined[s] for s in symbols if s in defined} - {unit}
            for unit, symbols in needed.items()}


def circles_in(edges):
    """The strongly connected components of more than one unit (Tarjan 1972)."""
    number, low, stack, on_stack, found = {}, {}, [], set(), []

    def visit(unit):
        number[unit] = low[unit] = len(number)
        stack.append(unit)
        on_stack.add(unit)
        for other in edges.get(unit, ()):
            if other not in number:
                visit(other)
                low[unit] = min(low[unit], low[other])
            elif other in on_stack:
                low[unit] = min(low[unit], number[other])
        if low[unit] == number[unit]:
            at = stack.index(unit)
            part = stack[at:]
            del stack[at:]
            on_stack.difference_update(part)
            if len(part) > 1:
                found.append(sorted(part))

    for unit in sorted(edges):
        if unit not in number:
            visit(unit)
    return found


def calls_upwards(edges, archives):
    height = {re.search(r"lib(\w+)\.a$", a).group(1): i for i, a in enumerate(archives)}
    return [(unit, other) for unit, others in sorted(edges.items()) for other in sorted(others)
            if height[unit.split("/")[0]] < height[other.split("/")[0]]]


def main():
    archives = sys.argv[1:]
    sys.setrecursionlimit(10000)
    edges = edges_of(*symbols_of(archives))
    if not edges:
        sys.exit("no symbols in " + " ".join(archives))
    upwards = calls_upwards(edges, archives)
    for unit, other in upwards:
        print(unit, "calls upwards:", other)
    circles = circles_in(edges)
    for circle in circles:
        print("in a circle:", " ".join(circle))
    return 1 if circles or upwards else 0


if __name__ == "__main__":
    sys.exit(main())
