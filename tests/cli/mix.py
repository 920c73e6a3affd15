#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""osprof mix against sums made here, and against the numbers of FSprof.

usage: mix.py OSPROF TRIALS

Prints TAP.
"""
import json
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from tap import run_cases  # noqa: E402 (it stands one folder up)

OSPROF = os.path.realpath(sys.argv[1])
TRIALS = int(sys.argv[2])


def write(name, rows):
    """A profile with so many calls of 2^k ns of each operation."""
    with open(name, "w") as f:
        f.write("osprof 1\nunit ns\n")
        for op, (k, calls) in rows.items():
            f.write(f"op {op}\ncount {calls}\ntotal {calls << k}\n" + (f"{k} {calls}\n" if calls else ""))
    return name


def mix(*files, form="json", status=0):
    p = subprocess.run([OSPROF, "mix", "-q", "-f", form, *files], capture_output=True, text=True)
    assert p.returncode == status, (p.returncode, p.stderr)
    return json.loads(p.stdout) if form == "json" else p.stdout


def parts(rows, weigh):
    weights = {op: weigh(*row) for op, row in rows.items()}
    total = sum(weights.values())
    return {op: w / total for op, w in weights.items()} if total else None


def distance(a, b):
    if a is None or b is None:
        return None
    return sum(abs(a.get(op, 0) - b.get(op, 0)) for op in a.keys() | b.keys()) / 2


def same(a, b):
    return a is b or (a is not None and b is not None and abs(a - b) < 1e-9)


def sums_agree():
    for trial in range(TRIALS):
        r = random.Random(trial)
        runs = [{op: (r.randrange(30), r.choice((0, 1, r.randrange(10**6))))
                 for op in r.sample("abcdefgh", r.randrange(1, 8))} for _ in range(r.randrange(1, 5))]
        got = mix(*(write(f"{i}.osprof", rows) for i, rows in enumerate(runs)))
        for weigh, key in ((lambda k, n: n, "calls"), (lambda k, n: n << k, "time")):
            of = [parts(rows, weigh) for rows in runs]
            for d in got["distances"]:
                assert same(d[key], distance(of[d["run"]], of[d["other"]])), (trial, d)
            for op in got["operations"]:
                for i, run in enumerate(op["runs"]):
                    expected = of[i] and of[i].get(op["name"], 0)
                    assert same(run[key[:4] + "_share"], expected), (trial, op)
        assert len(got["distances"]) == len(runs) * (len(runs) - 1) // 2


def builds_of_the_paper():
    """FSprof 5.2: 0.75 reads for each write in one build, and 1.28 in the other."""
    amutils = write("am-utils.osprof", {"read": (12, 26458), "write": (13, 35060)})
    ssh = write("ssh.osprof", {"read": (12, 42381), "write": (13, 33108)})
    text = mix(amutils, ssh, form="text")
    lines = [l for l in text.splitlines() if " for each of " in l]
    assert lines == ["calls of read for each of write: A 0.755, B 1.28"], text
    assert [r["nearest"] for r in mix(amutils, ssh)["runs"]] == [1, 0]


def bad_input_is_refused():
    a = write("a.osprof", {"read": (3, 5)})
    for files in ((), (a, "nowhere"), ("nowhere",)):
        mix(*files, form="text", status=2)
    nothing = write("nothing.osprof", {"read": (3, 0)})
    assert mix(a, nothing)["distances"] == [{"run": 0, "other": 1, "calls": None, "time": None}]
    name = write("hostile.osprof", {'"\\x1b[31m|,<b>"': (3, 7)})
    for form in ("text", "csv", "markdown"):
        assert "\x1b" not in mix(a, name, form=form)


run_cases([sums_agree, builds_of_the_paper, bad_input_is_refused])
