#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""osprof predict against numbers made here, and against runs that it was not given.

usage: predict.py OSPROF SETTINGS TRIALS

Prints TAP.
"""
import json
import math
import os
import random
import statistics
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from tap import run_cases  # noqa: E402 (it stands one folder up)

OSPROF, SETTINGS = (os.path.realpath(path) for path in sys.argv[1:3])
TRIALS = int(sys.argv[3])
T_975 = {2: 12.7062047, 3: 4.30265273, 4: 3.18244631, 5: 2.77644511, 6: 2.57058184,
         7: 2.44691185}  # upper quantile of Student's t, by number of runs (tables)


def run(*arguments, status=0):
    p = subprocess.run([OSPROF, *arguments], capture_output=True, text=True)
    assert p.returncode == status, (p.returncode, p.stderr)
    return p


def predict(costs, counts, *options):
    return json.loads(run("predict", "-q", "-f", "json", *options, "--costs", costs, "--counts",
                          counts).stdout)


def write_run(name, operations, unit="ns"):
    """A profile; each operation is (k, calls of 2^k)."""
    with open(name, "w") as f:
        f.write(f"osprof 1\nunit {unit}\n")
        for op, (k, calls) in operations.items():
            f.write(f"op {op}\ncount {calls}\ntotal {calls << k}\n" + (f"{k} {calls}\n" if calls else ""))


def expected(values):
    """Geometric mean and prediction interval of one more value, or no interval."""
    logs = [math.log(v) for v in values]
    mean = statistics.fmean(logs)
    if len(logs) < 2:
        return math.exp(mean), None, None
    reach = T_975[len(logs)] * statistics.stdev(logs) * math.sqrt(1 + 1 / len(logs))
    return math.exp(mean), math.exp(mean - reach), math.exp(mean + reach)


def agree(estimate, values, factor=1.0):
    for key, value in zip(("value", "low", "high"), expected(values)):
        got = estimate[key]
        assert got is value or math.isclose(got, value * factor, rel_tol=1e-6), (estimate, value)


def numbers_agree():
    for trial in range(TRIALS):
        r = random.Random(trial)
        n_runs = r.randrange(1, 8)
        os.makedirs(f"costs{trial}")
        runs = [{op: (r.randrange(5, 12), r.randrange(1, 500)) for op in "abcd"}
                for _ in range(n_runs)]
        for i, one in enumerate(runs):
            write_run(f"costs{trial}/{i}.osprof", one)
        counts = {op: (r.randrange(5, 12), r.randrange(0, 10**6)) for op in "bcdx"}
        counts["b"] = (7, 1000)
        write_run("counts.osprof", counts)
        got = predict(f"costs{trial}", "counts.osprof")
        assert got["runs"] == n_runs
        assert got["calls"] == sum(calls for _, calls in counts.values())
        assert got["calls_without_cost"] == counts["x"][1]
        for op in got["operations"]:
            k, calls = counts[op["name"]]
            assert op["calls"] == calls and op["observed"] == calls << k
            if op["name"] == "x":
                assert op["cost"] == {"value": None, "low": None, "high": None}
                continue
            agree(op["cost"], [1 << one[op["name"]][0] for one in runs])
            agree(op["total"], [1 << one[op["name"]][0] for one in runs], calls)
        agree(got["total"], [sum(counts[op][1] << one[op][0] for op in "bcd") for one in runs])
        assert got["observed"] == sum(calls << k for k, calls in (counts[op] for op in "bcd"))


def units_and_bad_input():
    write_run("ns.osprof", {"read": (10, 100), "poll": (20, 5)})
    write_run("us.osprof", {"read": (3, 50)}, unit="us")
    write_run("plain.osprof", {"read": (3, 50)}, unit="plain")
    write_run("other.osprof", {"write": (3, 50)})
    got = predict("ns.osprof", "us.osprof")
    assert (round(got["total"]["value"]), got["observed"], got["unit"]) == (51200, 400000, "ns"), got
    assert predict("ns.osprof", "plain.osprof")["observed"] is None
    assert [o["name"] for o in predict("us.osprof", "ns.osprof")["operations"]] == ["read"], "poll waits"
    for arguments in ((), ("--costs", "ns.osprof"), ("--costs", "ns.osprof", "--counts", "nowhere"),
                      ("--costs", "nowhere", "--counts", "ns.osprof"), ("ns.osprof", "us.osprof"),
                      ("--costs", "ns.osprof", "--counts", "other.osprof")):
        assert "error" in run("predict", *arguments, status=2).stderr
    write_run("hostile.osprof", {'"\\x1b[31m|,<b>"': (3, 7)})
    for form in ("text", "csv", "markdown", "html"):
        p = run("predict", "-f", form, "--costs", "hostile.osprof", "--counts", "hostile.osprof")
        assert "\x1b" not in p.stdout, form


def held_out_runs():
    """Each base run of a program is predicted from the others: an interval of 95 % misses no more
    than a binomial law allows."""
    inside = of = 0
    for program in sorted(os.listdir(SETTINGS)):
        subprocess.run(["tar", "xf", os.path.join(SETTINGS, program, "runs.tar.xz")], check=True)
        base = sorted(str(p) for p in Path().glob("base.*"))
        for left_out in base:
            costs = Path(f"{program}-without-{left_out}")
            costs.mkdir()
            for other in base:
                if other != left_out:
                    os.link(other, costs / other)
            got = predict(str(costs), left_out)
            inside += got["total"]["low"] <= got["observed"] <= got["total"]["high"]
            of += 1
        for p in Path().glob("*.[0-9]*.*"):
            if p.is_file():
                p.unlink()
    missed = of - inside
    chance = sum(math.comb(of, k) * 0.05**k * 0.95**(of - k) for k in range(missed, of + 1))
    print(f"# {inside} of {of} within their intervals")
    assert chance > 0.001, (inside, of)


run_cases([numbers_agree, units_and_bad_input, held_out_runs])
