#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""osprof judge against thresholds and rates found here, one operation after the other.

usage: judge.py OSPROF LABEL.PY SETTINGS TRIALS

Prints TAP.
"""
import csv
import json
import math
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from tap import run_cases  # noqa: E402 (it stands one folder up)

OSPROF, LABEL, SETTINGS = (os.path.realpath(path) for path in sys.argv[1:4])
TRIALS = int(sys.argv[4])
COLUMNS = ["baseline", "candidate", "operation", "label"]


def run(*arguments, status=0):
    p = subprocess.run([OSPROF, *arguments], capture_output=True, text=True)
    assert p.returncode == status, (p.returncode, p.stderr)
    return p


def judge(labels, *options):
    return json.loads(run("judge", "-q", "-f", "json", *options, labels).stdout)


def write_run(name, operations):
    """A profile; each operation is {k: calls of 2^k ns}."""
    with open(name, "w") as f:
        f.write("osprof 1\nunit ns\n")
        for op, buckets in operations.items():
            f.write(f"op {op}\ncount {sum(buckets.values())}\n"
                    f"total {sum(n << k for k, n in buckets.items())}\n")
            f.writelines(f"{k} {n}\n" for k, n in sorted(buckets.items()))


def write_labels(name, rows, columns=COLUMNS):
    with open(name, "w", newline="") as f:
        csv.writer(f).writerows([columns, *rows])


def binomial_tail(n, k, p):
    """P(at least k of n)."""
    return sum(math.comb(n, i) * p**i * (1 - p)**(n - i) for i in range(k, n + 1))


def exact_interval(k, n):
    """Clopper and Pearson, by bisection of the binomial tails."""
    def solve(f):
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if f(middle) < 0.025 else (low, middle)
        return low
    if n == 0:
        return None, None
    return (0 if k == 0 else solve(lambda p: binomial_tail(n, k, p)),
            1 if k == n else 1 - solve(lambda p: 1 - binomial_tail(n, k + 1, 1 - p)))


def errors(rows, threshold):
    wrong = [(r["changed"], (r["score"] >= threshold < math.inf) != r["changed"]) for r in rows]
    return ([bad for changed, bad in wrong if not changed],
            [bad for changed, bad in wrong if changed])


def sum_of_rates(rows, threshold):
    same, changed = errors(rows, threshold)
    return sum(same) / len(same) + sum(changed) / len(changed)


def check_method(method, rows):
    """The threshold of one half has the smallest sum of error rates there; the rates are those
    that it has on the other."""
    tested = [[], []]
    for half in (0, 1):
        own, other = ([r for r in rows if r["half"] == h] for h in (half, 1 - half))
        threshold = method["thresholds"][half]
        if len({r["changed"] for r in other}) < 2:
            assert threshold is None, method
            continue
        threshold = math.inf if threshold == "inf" else threshold
        finite = {r["score"] for r in other} - {math.inf}
        best = min(sum_of_rates(other, t) for t in {*finite, max(finite, default=0) + 1, math.inf})
        assert abs(sum_of_rates(other, threshold) - best) < 1e-12, (method["name"], best)
        for kind, found in zip(tested, errors(own, threshold)):
            kind += found
    check_rates(method, tested)


def check_rates(method, tested):
    for key, found in zip(("false_positives", "false_negatives"), tested):
        got = method[key]
        assert (got["wrong"], got["of"]) == (sum(found), len(found)), (method, tested)
        for bound, expected in zip((got["low"], got["high"]), exact_interval(sum(found), len(found))):
            assert bound is expected or abs(bound - expected) < 1e-9, (got, expected)


def made_study(rng):
    """Runs of three settings beside a base, and labels at random; returns them with what rank
    says of each operation."""
    ops = [f"op{i}" for i in range(6)]
    runs = [f"{setting}.{n}.osprof" for setting in ("base", "one", "two", "three") for n in (1, 2)]
    for name in runs:
        write_run(name, {op: {10 + rng.randrange(4): 1 + rng.randrange(2000),
                              20: rng.randrange(3)} for op in ops if rng.random() < 0.95})
    rows, settings = [], []
    for before, after in ((a, b) for a in runs[:2] for b in runs[2:]):
        found = {o["name"]: o for o in json.loads(
            run("rank", "-q", "-f", "json", "--min-share", "0", before, after).stdout)["operations"]}
        setting = after.split(".")[0]
        settings += [setting] if setting not in settings else []
        for op in rng.sample(sorted(found), len(found) // 2):
            rows.append({"row": (before, after, op, rng.choice(("changed", "same", "unscored"))),
                         "half": settings.index(setting) % 2, "found": found[op]})
    return rows


def rates_agree():
    for trial in range(TRIALS):
        rows = made_study(random.Random(trial))
        write_labels("labels.csv", [r["row"] for r in rows])
        got = judge("labels.csv", "--min-share", "0")
        rows = [r for r in rows if r["row"][3] != "unscored"]
        for r in rows:
            r["changed"] = r["row"][3] == "changed"
        selection, *methods = got["methods"]
        assert selection["name"] == "selection" and len(methods) > 8
        check_rates(selection, [[r["found"]["reported"] != r["changed"] for r in rows
                                 if r["changed"] == kind] for kind in (False, True)])
        for method in methods:
            for r in rows:
                value = r["found"]["metrics"][method["name"]]
                r["score"] = math.inf if value == "inf" else abs(value or 0)
            check_method(method, rows)
        small = judge("labels.csv", "--min-share", "100")["methods"][1:]
        assert all(m["thresholds"] == ["inf", "inf"] for m in small), small
        wrong = [r["row"] for r in rows if r["found"]["reported"] != r["changed"]]
        assert [(w["baseline"], w["candidate"], w["operation"], w["label"])
                for w in got["misjudged"]] == wrong, trial


def settings_of_programs():
    """Captures of sqlite3, tar and nginx whose settings alter known system calls."""
    for program in sorted(os.listdir(SETTINGS)):
        folder = os.path.join(SETTINGS, program)
        labels = subprocess.run([sys.executable, LABEL, folder], check=True, capture_output=True,
                                text=True).stdout
        subprocess.run(["tar", "xf", os.path.join(folder, "runs.tar.xz")], check=True)
        with open("labels.csv", "w") as f:
            f.write(labels)
        got = judge("labels.csv")
        selection = got["methods"][0]
        rows = list(csv.DictReader(labels.splitlines()))
        assert got["labels"]["missing"] == 0
        assert selection["false_positives"]["of"] == sum(r["label"] == "same" for r in rows)
        assert selection["false_negatives"]["of"] == sum(r["label"] == "changed" for r in rows)
        assert len(got["misjudged"]) == sum(selection[kind]["wrong"] for kind in
                                            ("false_positives", "false_negatives"))


def bad_tables_are_refused():
    write_run("a.osprof", {"read": {10: 500}, "sys_enter_read": {11: 500}})
    write_run("b.osprof", {"read": {12: 500}, "sys_enter_write": {11: 500}})
    pair = ["a.osprof", "b.osprof"]
    for name, rows, columns, message in (
            ("empty.csv", None, None, "empty.csv: error"),
            ("column.csv", [[*pair, "read"]], COLUMNS[:3], "column.csv:1:1: error: not a table of labels: no column label"),
            ("label.csv", [[*pair, "read", "maybe"]], COLUMNS, "label.csv:2:24: error"),
            ("twice.csv", [[*pair, "read", "same"]] * 2, COLUMNS, "twice.csv:3:1: error"),
            ("few.csv", [[*pair, "read"]], COLUMNS, "few.csv:2:1: error"),
            ("none.csv", [], COLUMNS, "none.csv: error"),
            ("unscored.csv", [[*pair, "read", "unscored"]], COLUMNS, "unscored.csv: error"),
            ("nobody.csv", [[*pair, "nobody", "same"]], COLUMNS, "nobody.csv:2:19: warning"),
            ("run.csv", [["a.osprof", "nowhere", "read", "same"]], COLUMNS, "nowhere: error")):
        if rows is None:
            open(name, "w").close()
        else:
            write_labels(name, rows, columns)
        said = run("judge", name, status=2).stderr
        assert message in said, (name, said)


def names_without_prefix():
    write_run("a.osprof", {"tracepoint:syscalls:sys_exit_read": {10: 500}, "write": {10: 9}})
    write_run("b.osprof", {"tracepoint:syscalls:sys_exit_read": {13: 500}, "write": {10: 9}})
    os.mkdir("sub")
    rows = [["../a.osprof", "../b.osprof", "read", "changed", "by hand"],
            ["../a.osprof", "../b.osprof", "write", "same", ""],
            ["../a.osprof", "../b.osprof", '"\x1b[31m|,<b>"', "same", ""]]
    write_labels("sub/labels.csv", rows, [*COLUMNS, "why"])
    got = judge("sub/labels.csv")
    assert got["labels"] == {"changed": 1, "same": 1, "unscored": 0, "missing": 1}, got["labels"]
    assert got["misjudged"] == []
    assert all(m["thresholds"] == [None, None] for m in got["methods"][1:]), "one pair has no halves"
    for form in ("text", "csv", "markdown", "html"):
        p = run("judge", "-f", form, "sub/labels.csv")
        assert "\x1b" not in p.stdout + p.stderr, form


run_cases([rates_agree, settings_of_programs, bad_tables_are_refused, names_without_prefix])
