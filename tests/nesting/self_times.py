#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Self time of random calls, instant by instant, against what osprof says of them.

    self_times.py OSPROF [TRIALS]

Calls are made in memory, with times that are whole numbers.  Which instants are a call's own is
counted one by one, without osprof's arithmetic.  The same calls are written in each format whose
calls nest by their times or by their parents, in several orders.  Prints TAP.
"""
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import defaultdict

OSPROF = os.path.realpath(sys.argv[1])
TRIALS = int(sys.argv[2]) if len(sys.argv) > 2 else 25
NAMES = ["f", "g", "h", "read page", "a\"b"]


class Call:
    """Of a thread, or a span with a parent; ends are open."""

    def __init__(self, thread, name, start, end, parent=None):
        self.thread, self.name, self.start, self.end = thread, name, start, end
        self.parent, self.children = parent, []
        if parent is not None:
            parent.children.append(self)

    def own(self):
        """Instants that none of its children covers."""
        free = set(range(self.start, self.end))
        for child in self.children:
            free.difference_update(range(child.start, child.end))
        return len(free)

    def inner(self):
        """Whether it lies in a call of its name."""
        at = self.parent
        while at is not None:
            if at.name == self.name:
                return True
            at = at.parent
        return False


def nested(rnd, calls, thread, low, high, parent, depth):
    """Calls one after the other in [low, high), each with others in it."""
    at = low
    while at < high and len(calls) < 400:
        start = at + rnd.randint(0, 6)
        end = start + rnd.randint(1, max(1, (high - low) // 2))
        if end > high:
            return
        call = Call(thread, rnd.choice(NAMES), start, end, parent)
        calls.append(call)
        if depth > 0 and rnd.random() < 0.7:
            nested(rnd, calls, thread, start + (rnd.random() < 0.8), end, call, depth - 1)
        at = end


def threads(rnd):
    """Calls of three threads; none begins and ends with the one around it."""
    calls = []
    for thread in (7, 8, 9):
        nested(rnd, calls, thread, rnd.randint(0, 50), rnd.randint(100, 600), None, 5)
    return [c for c in calls if c.parent is None or
            (c.start, c.end) != (c.parent.start, c.parent.end) or not drop(c)]


def drop(call):
    """Takes a call out of its tree: which one is the outer of two equal ones nobody knows."""
    call.parent.children.remove(call)
    for child in call.children:
        child.parent = call.parent
        call.parent.children.append(child)
    return True


def spans(rnd):
    """Trees whose children overlap, and outlast their parents."""
    calls = []
    for _ in range(rnd.randint(1, 5)):
        start = rnd.randint(0, 300)
        calls.append(Call(0, rnd.choice(NAMES), start, start + rnd.randint(1, 200)))
    for _ in range(rnd.randint(0, 80)):
        parent = rnd.choice(calls)
        start = rnd.randint(parent.start, parent.end)
        calls.append(Call(0, rnd.choice(NAMES), start, start + rnd.randint(0, 60), parent))
    return calls


# --- what is true of them -------------------------------------------------------------------

def expected(calls):
    """name: [total, self, inclusive] and (upper, lower): [calls with one, calls, total]."""
    ops, edges = defaultdict(lambda: [0, 0, 0]), defaultdict(lambda: [0, 0, 0])
    for c in calls:
        length = c.end - c.start
        op = ops[c.name]
        op[0] += length
        op[1] += c.own()
        op[2] += 0 if c.inner() else length
        for name in {child.name for child in c.children}:
            edges[c.name, name][0] += 1
        for child in c.children:
            edge = edges[c.name, child.name]
            edge[1] += 1
            edge[2] += child.end - child.start
    return dict(ops), dict(edges)


def seen(path, *options):
    """The same of a file, as osprof says it."""
    run = subprocess.run([OSPROF, "layers", "-q", "-f", "json", "--all", "--idle", "none",
                          *options, path], capture_output=True, text=True, check=True)
    ops, edges = {}, {}
    for op in json.loads(run.stdout)["runs"][0]["operations"]:
        ops[op["name"]] = [op["total"], op["self"], op["inclusive"]]
        for below in op["below"]:
            edges[op["name"], below["name"]] = [below["reached"], below["calls"], below["total"]]
    return ops, edges


# --- formats ------------------------------------------------------------------------------------

def complete(c, scale):
    """An X event; times in units of `scale` microseconds."""
    return {"name": c.name, "ph": "X", "pid": 1, "tid": c.thread, "ts": c.start * scale,
            "dur": (c.end - c.start) * scale}


def chrome(path, events):
    """A file of Chrome trace events."""
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"traceEvents": events}, f)


def pairs(calls, left_out=()):
    """Begins and ends in the order of time, outer ones around inner ones."""
    events = []

    def walk(c):
        if c in left_out:
            return
        events.append({"name": c.name, "ph": "B", "pid": 1, "tid": c.thread, "ts": c.start})
        for child in sorted(c.children, key=lambda k: k.start):
            walk(child)
        events.append({"name": c.name, "ph": "E", "pid": 1, "tid": c.thread, "ts": c.end})

    for c in calls:
        if c.parent is None:
            walk(c)
    return events


def csv_field(text):
    """Quoted as RFC 4180 has it."""
    return '"%s"' % text.replace('"', '""')


def table(path, calls, by_parent):
    """A table of calls."""
    number = {id(c): i + 1 for i, c in enumerate(calls)}
    with open(path, "w", encoding="utf-8") as f:
        f.write("start_ns,end_ns,thread,name" + (",id,parent\n" if by_parent else "\n"))
        for c in calls:
            f.write("%d,%d,%d,%s" % (c.start, c.end, c.thread, csv_field(c.name)))
            if by_parent:
                f.write(",%d,%s" % (number[id(c)], number[id(c.parent)] if c.parent else ""))
            f.write("\n")


def otlp(path, calls):
    """Spans of one service."""
    number = {id(c): i + 1 for i, c in enumerate(calls)}
    made = [{"traceId": "%032x" % 77, "spanId": "%016x" % number[id(c)], "name": c.name,
             "parentSpanId": "%016x" % number[id(c.parent)] if c.parent else "",
             "startTimeUnixNano": str(c.start), "endTimeUnixNano": str(c.end)} for c in calls]
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"resourceSpans": [{"scopeSpans": [{"spans": made}]}]}, f)


def ltrace(path, calls):
    """Lines of ltrace -f -T, the threads one after the other."""
    def walk(f, c):
        name = c.name.replace(" ", "_").replace('"', "_")
        length = "%.6f" % ((c.end - c.start) / 1e6)
        if not c.children:
            f.write("[pid %d] %s(1) = <void> <%s>\n" % (c.thread, name, length))
            return
        f.write("[pid %d] %s(1 <unfinished ...>\n" % (c.thread, name))
        for child in sorted(c.children, key=lambda k: k.start):
            walk(f, child)
        f.write("[pid %d] <... %s resumed> ) = <void> <%s>\n" % (c.thread, name, length))

    with open(path, "w", encoding="utf-8") as f:
        for c in calls:
            if c.parent is None:
                walk(f, c)
        f.write("[pid 7] +++ exited (status 0) +++\n")


# --- cases ---------------------------------------------------------------------------------------

def same(calls, path, *options, factor=1, rename=False):
    """What is said of the file is true of the calls."""
    ops, edges = expected(calls)

    def name(s):
        return s.replace(" ", "_").replace('"', "_") if rename else s

    ops = {name(k): [v * factor for v in got] for k, got in ops.items()}
    edges = {(name(u), name(l)): [v[0], v[1], v[2] * factor] for (u, l), v in edges.items()}
    if not edges:
        return
    got = seen(path, *options)
    assert got == (ops, edges), (path, ops, edges, got)


def completes(rnd):
    """X events by start, by end, shuffled."""
    for scale, factor in ((1, 1000), (0.001, 1)):
        calls = threads(rnd)
        for key in (lambda c: c.start, lambda c: c.end, lambda c: rnd.random()):
            ordered = sorted(calls, key=key)
            chrome("x.json", [complete(c, scale) for c in ordered])
            same(calls, "x.json", factor=factor)


def begins(rnd):
    """B and E events, alone and with X events of the same threads."""
    calls = threads(rnd)
    chrome("be.json", pairs(calls))
    same(calls, "be.json", factor=1000)
    leaves = [c for c in calls if not c.children]
    chrome("mixed.json", pairs(calls, leaves) + [complete(c, 1) for c in leaves])
    same(calls, "mixed.json", factor=1000)


def tables(rnd):
    """Tables, nested by times and by parents."""
    calls = threads(rnd)
    rnd.shuffle(calls)
    table("times.csv", calls, False)
    same(calls, "times.csv")
    calls = spans(rnd)
    rnd.shuffle(calls)
    table("parents.csv", calls, True)
    same(calls, "parents.csv", "--from", "call-table")


def distributed(rnd):
    """Spans, in any order."""
    calls = spans(rnd)
    rnd.shuffle(calls)
    otlp("spans.json", calls)
    same(calls, "spans.json")


def libraries(rnd):
    """ltrace of calls that call others."""
    calls = threads(rnd)
    ltrace("l.txt", calls)
    same(calls, "l.txt", "--from", "ltrace", factor=1000, rename=True)


def outlasting(_):
    """A call that ends after the one it began in is its child up to there."""
    with open("over.csv", "w", encoding="utf-8") as f:
        f.write("start_ns,end_ns,thread,name\n0,10,1,f\n5,15,1,g\n12,14,1,h\n")
    ops, _ = seen("over.csv")
    assert ops == {"f": [10, 5, 10], "g": [10, 8, 10], "h": [2, 2, 2]}, ops


def circles(_):
    """Spans that are their own parents, or each other's, are counted once."""
    with open("circle.csv", "w", encoding="utf-8") as f:
        f.write("start_ns,end_ns,thread,name,id,parent\n0,10,1,f,1,2\n2,8,1,g,2,1\n0,5,1,h,3,3\n")
    run = subprocess.run([OSPROF, "show", "-q", "-f", "json", "--idle", "none", "circle.csv"],
                         capture_output=True, text=True, check=True)
    got = {o["name"]: o["count"] for o in json.loads(run.stdout)["runs"][0]["operations"]}
    assert got == {"f": 1, "g": 1, "h": 1}, run.stdout


def services(path, spans_of):
    """Spans as (service, id, parent, name, start, end)."""
    out = []
    for service in sorted({s[0] for s in spans_of}):
        made = [{"traceId": "%032x" % 5, "spanId": "%016x" % i, "name": name,
                 "parentSpanId": "%016x" % parent if parent else "",
                 "startTimeUnixNano": str(start), "endTimeUnixNano": str(end)}
                for of, i, parent, name, start, end in spans_of if of == service]
        out.append({"resource": {"attributes": [
            {"key": "service.name", "value": {"stringValue": service}}]},
            "scopeSpans": [{"spans": made}]})
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"resourceSpans": out}, f)


def clocks(rnd):
    """A service with another clock: its calls are moved into their callers, at any depth."""
    made, own, at = [], defaultdict(int), 10**6
    offset = rnd.choice((-999999, -5000, 3333, 10**8))
    for i in range(rnd.randint(5, 40)):
        length = rnd.randint(200, 900)
        start = rnd.randint(2, 60)
        serve = rnd.randint(20, length - start - 2)
        made += [("front", 3 * i + 1, 0, "ask", at, at + length),
                 ("back", 3 * i + 2, 3 * i + 1, "serve", at + start + offset,
                  at + start + serve + offset),
                 ("back", 3 * i + 3, 3 * i + 2, "read", at + start + 3 + offset,
                  at + start + serve - 5 + offset)]
        own["ask"] += length - serve
        own["serve"] += 8
        own["read"] += serve - 8
        at += length + rnd.randint(0, 300)
    services("clocks.json", made)
    ops, _ = seen("clocks.json")
    assert {name: v[1] for name, v in ops.items()} == own, (offset, ops, own)


def queues(rnd):
    """Work that nobody waits for, in another service, is not moved into those who sent it."""
    made, sent, at = [], 0, 10**6
    for i in range(rnd.randint(5, 40)):
        length, begin = rnd.randint(200, 900), at + 1000 + rnd.randint(0, 90000)
        made += [("front", 2 * i + 1, 0, "send", at, at + length),
                 ("back", 2 * i + 2, 2 * i + 1, "work", begin, begin + rnd.randint(10, 100))]
        sent += length
        at += 100000
    services("queues.json", made)
    ops, _ = seen("queues.json")
    assert ops["send"][1] == sent, (ops, sent)


def main():
    """Each case with several seeds."""
    cases = ((completes, TRIALS), (begins, TRIALS), (tables, TRIALS), (distributed, TRIALS),
             (libraries, TRIALS), (clocks, TRIALS), (queues, TRIALS), (outlasting, 1),
             (circles, 1))
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for i, (case, trials) in enumerate(cases):
            try:
                for seed in range(trials):
                    case(random.Random(seed))
                print("ok %d - %s" % (i + 1, case.__name__))
            except Exception as why:  # pylint: disable=broad-except
                failed = True
                print("not ok %d - %s\n# seed %d, %s: %s" % (
                    i + 1, case.__name__, seed, type(why).__name__,
                    str(why).replace("\n", "\n# ")))
        os.chdir("/")
    print("1..%d" % len(cases))
    sys.exit(failed)


main()
