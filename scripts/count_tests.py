#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""count_tests.py TESTLOG.JSON: prints how many tests passed, how many failed, and the programs
with failures.

The log is meson's, one JSON object a line for each test program. A program that
counts its own tests (cmocka, TAP, a line `N passed, N failed`) is as many tests as it says, any other is one.
A failure that a program did not count, such as a crash or a leak, is one more.
Status 1 if the log has no test.
"""
import json
import re
import sys

GOOD = ("OK", "EXPECTEDFAIL", "SKIP")
CMOCKA_PASSED = re.compile(r"^\[  PASSED  \] (\d+) test\(s\)", re.M)
CMOCKA_FAILED = re.compile(r"^\[  FAILED  \] (?:.*: )?(\d+) test\(s\)", re.M)
PLAIN = re.compile(r"^(\d+) passed, (\d+) failed$", re.M)
TAP_PLAN = re.compile(r"^1\.\.\d+", re.M)
TAP_LINE = re.compile(r"^(not )?ok\b(?!.*#\s*(?:skip|todo))", re.M | re.I)


def count(test):
    output = test.get("stdout", "") + "\n" + test.get("stderr", "")
    good = test["result"] in GOOD
    if TAP_PLAN.search(output):
        lines = TAP_LINE.findall(output)
        failed = sum(1 for wrong in lines if wrong)
        passed = len(lines) - failed
    else:
        plain = PLAIN.findall(output)
        passed = sum(map(int, CMOCKA_PASSED.findall(output))) + sum(int(p) for p, _ in plain)
        failed = sum(map(int, CMOCKA_FAILED.findall(output))) + sum(int(f) for _, f in plain)
    if passed + failed == 0 and test["result"] != "SKIP":
        passed = 1 if good else 0
    if good:
        failed = 0
    elif failed == 0:
        failed = 1
    return passed, failed


def main():
    try:
        with open(sys.argv[1], encoding="utf-8", errors="replace") as log:
            tests = [json.loads(line) for line in log if line.strip()]
    except FileNotFoundError:
        tests = []
    counts = [count(test) for test in tests]
    wrong = [test["name"].split("/")[-1].strip() for test, (_, failed) in zip(tests, counts) if failed]
    print(sum(passed for passed, _ in counts), sum(failed for _, failed in counts), *wrong)
    return 0 if tests else 1


if __name__ == "__main__":
    sys.exit(main())
