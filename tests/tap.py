# SPDX-License-Identifier: GPL-3.0-or-later
"""Test cases as functions, and their results as TAP."""
import os
import tempfile


def run_cases(cases):
    """Runs each case in an empty folder of its own."""
    print(f"1..{len(cases)}")
    for number, case in enumerate(cases, 1):
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                case()
                print(f"ok {number} - {case.__name__}", flush=True)
            except AssertionError as wrong:
                print(f"not ok {number} - {case.__name__}\n# {str(wrong)[:2000]!r}", flush=True)
            os.chdir("/")
