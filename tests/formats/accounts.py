#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is known of the run that a file holds: for each format, one capture with the most.

Compares `osprof show --format json` with accounts.expect, which has for each format: how elapsed
time is known, "since" if the start is, the stated number of clients, and "fixed" if the run was
given a time.  A dash: not known.

usage: accounts.py OSPROF TESTDATA            compares
       accounts.py --update OSPROF TESTDATA   looks for the captures that state most; takes minutes
"""
import json
import os
import subprocess
import sys

EXPECTED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "accounts.expect")


def run_of(osprof, path):
    shown = subprocess.run([osprof, "show", "-q", "--format", "json", path],
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return json.loads(shown.stdout)["runs"][0] if shown.returncode == 0 else None


def known_of(run):
    a = run["account"]
    return [a["elapsed_source"] or "-",
            "since" if a["started"] is not None else "-",
            f"{a['concurrency']:g}" if a["concurrency_stated"] else "-",
            "fixed" if a["fixed_duration"] else "-"]


def captures_of(testdata):
    for folder, _, names in os.walk(testdata):
        for name in sorted(names):
            path = os.path.join(folder, name)
            if os.path.isfile(path) and os.path.getsize(path) < 1 << 20 and \
                    not folder.startswith(os.path.join(testdata, "stories")):
                yield path


def update(osprof, testdata):
    best = {}
    for path in captures_of(testdata):
        run = run_of(osprof, path)
        if run is None:
            continue
        known = known_of(run)
        row = (sum(k != "-" for k in known), os.path.relpath(path, testdata), known)
        if run["format"] not in best or row[0] > best[run["format"]][0]:
            best[run["format"]] = row
    with open(EXPECTED, "w", encoding="utf-8") as out:
        out.write("# format, capture, elapsed, start, clients, duration\n")
        for name in sorted(best):
            out.write(" ".join([name, best[name][1]] + best[name][2]) + "\n")


def check(osprof, testdata):
    failed = 0
    with open(EXPECTED, encoding="utf-8") as rows:
        for row in rows:
            if row.startswith("#"):
                continue
            name, path, *expected = row.split()
            run = run_of(osprof, os.path.join(testdata, path))
            known = [run["format"]] + known_of(run) if run else ["not read"]
            if known != [name] + expected:
                failed += 1
                print(f"{path}: expected {name} {expected}, is {known}")
    print(f"{failed} differ")
    return failed > 0


if sys.argv[1] == "--update":
    update(*sys.argv[2:4])
else:
    sys.exit(check(*sys.argv[1:3]))
