#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""osprof record --causes: programs of this folder against the calls that they are known to make.

    nested.py OSPROF NESTED LEAVING...

NESTED is nested.c; LEAVING are jumps.c as several compilers' options make it, and throws.cc.

Prints TAP.
"""
import json
import os
import subprocess
import sys
import tempfile

OSPROF, NESTED, *LEAVING = (os.path.realpath(a) for a in sys.argv[1:])
CALLS, SLOW, JUMPS, DIVES = 2 * 50 + 20 + 5, 2 * 5 + 2 + 1, 2 * 5 + 2 + 1, 2 + 1


def run(*arguments, status=0):
    """What osprof prints, and what it tells."""
    done = subprocess.run([OSPROF, *arguments], capture_output=True, text=True, timeout=60,
                          check=False)
    assert done.returncode == status, (arguments, done.returncode, done.stderr)
    return done.stdout, done.stderr


def record(out, *options, function="serve", status=0, program=NESTED):
    """Runs it under the recorder."""
    return run("record", "-o", out, *options, "--functions", "*", "--causes", function, "--",
               program, status=status)


def causes(*arguments):
    """osprof causes, as JSON."""
    return json.loads(run("causes", "-q", "--format", "json", *arguments)[0])


def node(tree, *path):
    """The node of a path; None without it."""
    for name in path:
        tree = next((c for c in tree["children"] if c["name"] == name), None)
        if tree is None:
            return None
    return tree


def total(tree, key="calls"):
    """Over all of the 125 calls."""
    return round(tree["chosen"][key] * CALLS)


def counts():
    """Each function is called as often as it is."""
    _, told = record("a.osprof")
    tree = causes("a.osprof.tree", "--method", "time", "--range", "1ns:")["tree"]
    assert "1 calls of serve never ended" in told, told
    assert tree["name"] == "serve" and total(tree) == CALLS, tree["chosen"]
    assert total(node(tree, "flush", "rest", "usleep")) == SLOW
    assert total(node(tree, "quick")) == CALLS
    assert total(node(tree, "jump")) == JUMPS
    assert total(node(tree, "dive")) == DIVES * 1000
    assert node(tree, "dive")["depth"] == 1000 and node(tree, "dive")["children"] == []


def is_between(low, ns, high):
    """What was recorded lies between clocks read within and around it. They are no one clock: 2 %."""
    return 0.98 * low < ns < 1.02 * high


def cause():
    """The sleep is what makes calls slow, as much as the program sees itself."""
    out, _ = record("b.osprof")
    inside, n_long, outside, slept = (int(word) for word in out.split())
    found = causes("b.osprof.tree", "--range", "2.5ms:")
    first = found["causes"][0]
    assert first["path"] == ["serve", "flush", "rest", "usleep"], first["path"]
    count = found["chosen"]["count"]
    assert SLOW <= count <= n_long, (found["chosen"], out)
    assert is_between(inside, found["chosen"]["total"], outside), (found["chosen"], out)
    assert is_between(SLOW * 3e6, first["chosen"]["mean"] * count, slept), (first, slept)
    assert is_between(SLOW * 3e6 / outside, first["share"], 1), (first["share"], out)
    assert is_between(SLOW, first["chosen"]["unusual"] * count, SLOW) and first["against"]["present"] == 0


def repeated():
    """Trees of repeated runs add up, and are two sides."""
    record("runs", "--repeat", "2")
    assert sorted(os.listdir("runs.trees")) == ["1.tree", "2.tree"]
    found = causes("runs.trees/1.tree", "--", "runs.trees/2.tree")
    assert [r["calls"] for r in found["runs"]] == [CALLS, CALLS], found["runs"]
    assert found["function"] == "serve" and found["chosen"]["what"] == "after"


def chosen():
    """The function is recorded though the patterns leave it out; others are no nodes."""
    run("record", "-q", "-o", "c.osprof", "--functions", "!serve,!quick", "--causes", "serve",
        "--", NESTED)
    tree = causes("c.osprof.tree", "--method", "time", "--range", "1ns:")["tree"]
    assert total(tree) == CALLS and node(tree, "quick") is None and node(tree, "flush")


def paths(tree, above=()):
    """The path of each node."""
    here = (*above, tree["name"])
    return {here}.union(*(paths(c, here) for c in tree["children"]))


def left():
    """What comes after a longjmp or an exception is below the function that it returned to."""
    jumps = ["quick", "parse", "parse deep", "recover", "recover usleep", "attempt",
             "other_attempt", "usleep", "handler", "after_signal", "after_signal usleep", "climb",
             "climb usleep", "leave_thread", "wait_cancelled"]
    slow = ["recover usleep", "usleep", "after_signal usleep", "climb usleep"]
    throws = ["quick", "parse", "parse deep", "parse quick", "recover", "recover usleep"]
    for i, program in enumerate(LEAVING):
        thrown = "throws" in os.path.basename(program)
        out, told = record(f"g{i}.osprof", program=program)
        found = causes(f"g{i}.osprof.tree", "--method", "time", "--range", "1ns:")
        tree, n = found["tree"], found["chosen"]["count"]
        seen = {" ".join(p[1:]) for p in paths(tree)} - {""}
        assert seen <= set(throws if thrown else jumps), (program, seen)
        assert n == (40 if thrown else 60 + 1 + 60), (program, n)
        assert thrown or "3 calls of serve never ended" in told, (program, told)
        for path, slept in zip(slow[:1] if thrown else slow, out.split()):
            at = node(tree, *path.split())
            calls = 20 if thrown else 12
            assert round(at["chosen"]["calls"] * n) == calls, (program, path, at)
            ns = at["chosen"]["mean"] * n
            assert is_between(calls * 2e6, ns, int(slept)), (program, path, ns, slept)


def refused():
    """What cannot be kept: said, and nothing half there."""
    _, told = record("d.osprof", function="sreve", status=2)
    assert "no call of a function sreve" in told and not os.path.exists("d.osprof.tree"), told
    assert os.path.exists("d.osprof")
    _, told = run("record", "-o", "e.osprof", "--causes", "serve", "--", NESTED, status=2)
    assert "--functions" in told and not os.path.exists("e.osprof"), told
    with open("f.osprof.tree", "w", encoding="utf-8"):
        pass
    record("f.osprof", status=2)
    assert not os.path.exists("f.osprof") and os.path.getsize("f.osprof.tree") == 0


def main():
    """Runs all of them in a folder of their own."""
    tests = [counts, cause, repeated, chosen, left, refused]
    failed = 0
    print(f"1..{len(tests)}")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for i, test in enumerate(tests, 1):
            try:
                test()
                print(f"ok {i} - {test.__doc__}")
            except AssertionError as why:
                failed += 1
                print(f"not ok {i} - {test.__doc__}\n# {why!r}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
