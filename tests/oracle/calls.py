#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What per-call records tell, without osprof, against `osprof calls`.

usage: calls.py OSPROF FILE...

Reads each CSV with Python's own csv module, works out the blocking matrix, the costs of
call sites, times, trends and overlaps from the definitions in osprof(1), and compares them with
what OSPROF prints as JSON.  Status 1 and a line for each difference.
"""
import collections
import csv
import io
import itertools
import json
import lzma
import math
import statistics
import subprocess
import sys

TIMES = ("min", "median", "mean", "max")
differences = []


def same(what, mine, theirs):
    if isinstance(mine, float) and isinstance(theirs, (int, float)):
        if math.isclose(mine, theirs, rel_tol=1e-9, abs_tol=1e-9):
            return
    elif mine == theirs:
        return
    differences.append(f"{what}: {mine} here, {theirs} there")


def read(path):
    reader = lzma.open if path.endswith(".xz") else open
    with reader(path, "rt", encoding="utf-8", newline="") as file:
        text = file.read()
    while text.startswith("#"):
        text = text.split("\n", 1)[1]
    rows = list(csv.DictReader(io.StringIO(text)))
    for row in rows:
        for key, value in row.items():
            if key not in ("operation", "site", "resource", "kernel_ns", "size", "result"):
                row[key] = int(value)
        row["kernel_ns"] = int(row["kernel_ns"]) if row["kernel_ns"] else None
        row["blocked"] = bool(row["resource"] or row["blocked_ns"] or row["voluntary_switches"])
        row["preempted"] = row["involuntary_switches"] > 0 and not row["blocked"]
    return rows


def spread(values):
    if not values:
        return None
    return dict(zip(TIMES, (min(values), statistics.median(values), sum(values) / len(values), max(values))))


def same_spread(what, values, theirs):
    mine = spread(values)
    if mine is None or theirs is None:
        same(what, mine, theirs)
        return
    for key in TIMES:
        same(f"{what} {key}", float(mine[key]), theirs[key])


def grouped(rows, *keys):
    groups = collections.defaultdict(list)
    for row in rows:
        groups[tuple(row[key] for key in keys)].append(row)
    return groups


def total(rows, key):
    return float(sum(row[key] for row in rows))


def blocking(rows, theirs):
    mine = grouped([row for row in rows if row["blocked"]], "resource", "operation")
    cells = {(c["resource"] or "", o["name"]): o for c in theirs for o in c["operations"]}
    same("blocking cells", sorted(mine), sorted(cells))
    for key in set(mine) & set(cells):
        same(f"{key} calls", len(mine[key]), cells[key]["calls"])
        same(f"{key} blocked", total(mine[key], "blocked_ns"), cells[key]["blocked"])
    for column in theirs:
        inside = [row for row in rows if row["blocked"] and row["resource"] == (column["resource"] or "")]
        same(f"{column['resource']} calls", len(inside), column["calls"])
        same(f"{column['resource']} blocked", total(inside, "blocked_ns"), column["blocked"])


def sites(rows, theirs):
    mine = grouped(rows, "operation", "site")
    known = {(s["name"], s["site"] or ""): s for s in theirs}
    same("sites", sorted(mine), sorted(known))
    for key in set(mine) & set(known):
        calls, site = mine[key], known[key]
        same(f"{key} calls", len(calls), site["calls"])
        for column, name in (("latency_ns", "total"), ("cpu_ns", "cpu"), ("blocked_ns", "blocked"),
                             ("minor_faults", "minor_faults"), ("major_faults", "major_faults")):
            same(f"{key} {name}", total(calls, column), site[name])
        same(f"{key} share", total(calls, "latency_ns") / (total(rows, "latency_ns") or 1), site["share"])
        same(f"{key} blocked calls", sum(c["blocked"] for c in calls), site["blocked_calls"])
        same(f"{key} preempted calls", sum(c["preempted"] for c in calls), site["preempted_calls"])
        same_spread(f"{key}", [c["latency_ns"] for c in calls], site["latency"])


def times(rows, theirs):
    mine = grouped(rows, "operation")
    same("operations with times", sorted(mine), sorted((t["name"],) for t in theirs))
    for there in theirs:
        calls = mine[(there["name"],)]
        timed = [c for c in calls if c["kernel_ns"] is not None]
        seen = timed or calls
        what = f"times of {there['name']}"
        same_spread(f"{what}, user", [c["latency_ns"] for c in seen], there["user"])
        same_spread(f"{what}, kernel", [c["kernel_ns"] for c in timed], there["kernel"])
        same_spread(f"{what}, undisturbed",
                    [c["latency_ns"] for c in seen if not c["blocked"] and not c["preempted"]],
                    there["undisturbed"])
        more = [(c, c["latency_ns"] - (c["kernel_ns"] if timed else c["cpu_ns"])) for c in seen]
        same(f"{what}, beyond", float(sum(m for _, m in more)), there["beyond"]["total"])
        for fate in ("blocked", "preempted"):
            same(f"{what}, {fate}", float(sum(m for c, m in more if c[fate])), there["beyond"][fate])


# --- trends --------------------------------------------------------------------------------


def ranks(values):
    order = sorted(values)
    return [(2 * order.index(v) + 1 + order.count(v)) / 2 for v in values]


def rising(values):
    """The nearest line that nowhere falls, by its definition as a minimum of maxima of means."""
    n = len(values)
    sums = list(itertools.accumulate(values, initial=0))

    def mean(i, k):
        return (sums[k + 1] - sums[i]) / (k + 1 - i)

    return [max(min(mean(i, k) for k in range(at, n)) for i in range(at + 1)) for at in range(n)]


def wander(values):
    least = None
    for sign in (1, -1):
        v = [sign * r for r in ranks(values)]
        rest = [a - b for a, b in zip(v, rising(v))]
        squares = sum(r * r for r in rest)
        if least is None or squares < least[0] - 1e-9:
            least = (squares, rest)
    squares, rest = least
    r = sum(a * b for a, b in zip(rest, rest[1:])) / squares if squares > 1e-9 else 0
    r = max(0, min(r, 0.95))
    return (1 + r) / (1 - r)


def tie_sums(values):
    counts = collections.Counter(values).values()
    return (sum(t * (t - 1) / 2 for t in counts), sum(t * (t - 1) * (t - 2) for t in counts),
            sum(t * (t - 1) * (2 * t + 5) for t in counts))


def kendall(x, y):
    """S, its variance, the largest S, and all slopes."""
    n, s, slopes = len(x), 0, []
    for (xa, ya), (xb, yb) in itertools.combinations(zip(x, y), 2):
        s += ((xb > xa) - (xb < xa)) * ((yb > ya) - (yb < ya))
        if xa != xb:
            slopes.append((yb - ya) / (xb - xa))
    pairs = n * (n - 1) / 2
    (px, tx, vx), (py, ty, vy) = tie_sums(x), tie_sums(y)
    variance = (n * (n - 1) * (2 * n + 5) - vx - vy) / 18 + px * py / pairs + tx * ty / (18 * pairs * (n - 2))
    return s, variance, math.sqrt((pairs - px) * (pairs - py)), slopes


def trend(calls):
    s = variance = largest = numbers = 0
    slopes, first, last, processes = [], [], [], 0
    for process in grouped(calls, "process").values():
        if len(process) < 20:
            continue
        processes += 1
        process.sort(key=lambda c: c["number"])
        latency = [c["latency_ns"] for c in process]
        n, tenth, blocks = len(process), len(process) // 10, min(len(process) // 3, 30)
        first += latency[:tenth]
        last += latency[-tenth:]
        numbers += sum(c["number"] - process[0]["number"] for c in process)
        x, y = [], []
        for b in range(blocks):
            part = slice(b * n // blocks, (b + 1) * n // blocks)
            x.append(statistics.mean(c["number"] for c in process[part]))
            y.append(statistics.median(latency[part]))
        one = kendall(x, y)
        s += one[0]
        variance += one[1] * wander(y)
        largest += one[2]
        slopes += one[3]
    if processes == 0:
        return None
    p = math.erfc(abs(s) / math.sqrt(2 * variance)) if variance > 0 else None
    return {"processes": processes, "first": statistics.median(first), "last": statistics.median(last),
            "tau": s / largest if largest > 0 else None, "p": p, "slope": statistics.median(slopes),
            "extra": float(statistics.median(slopes) * numbers)}


def corrected(p):
    """Benjamini and Hochberg."""
    known = sorted((v for v in p if v is not None), reverse=True)
    q, least = {}, 1
    for i, v in enumerate(known):
        least = min(least, v * len(known) / (len(known) - i))
        q[v] = least
    return [q.get(v) for v in p]


def verdict(t, q):
    if t is None:
        return "few"
    octaves = math.log2(max(t["last"], 1) / max(t["first"], 1))
    if q is None or q > 0.05 or abs(t["tau"]) < 0.3 or abs(octaves) < 0.5 or (octaves > 0) != (t["tau"] > 0):
        return "none"
    return "grows" if t["tau"] > 0 else "shrinks"


def trends(rows, theirs):
    mine = {(op, None): trend(calls) for (op,), calls in grouped(rows, "operation").items()}
    by_site = grouped(rows, "operation", "site")
    several = collections.Counter(op for op, _ in by_site)
    for (op, site), calls in by_site.items():
        one = trend(calls) if several[op] > 1 else None
        if one is not None:
            mine[(op, site)] = one
    keys = list(mine)
    q = dict(zip(keys, corrected([mine[k] and mine[k]["p"] for k in keys])))
    known = {(t["name"], None if t["all_sites"] else t["site"] or ""): t for t in theirs}
    same("trends", sorted(map(str, mine)), sorted(map(str, known)))
    latency = total(rows, "latency_ns")
    for key in set(mine) & set(known):
        here, there = mine[key], known[key]
        same(f"trend of {key}", verdict(here, q[key]), there["verdict"])
        if here is None:
            continue
        for name, value in here.items():
            same(f"{name} of {key}", float(value) if value is not None else None, there[name])
        same(f"q of {key}", q[key], there["q"])
        tells = verdict(here, q[key]) in ("grows", "shrinks") and abs(here["extra"]) >= 0.001 * latency
        same(f"{key} is telling", tells, there["telling"])


# --- overlap -------------------------------------------------------------------------------


def outermost(rows):
    """Calls that lie in no other call of their thread."""
    kept, until = [], collections.defaultdict(int)
    for row in sorted(rows, key=lambda r: r["start_ns"]):
        if row["start_ns"] >= until[row["thread"]]:
            until[row["thread"]] = row["start_ns"] + row["latency_ns"]
            kept.append(row)
    return kept


def covered(call, others):
    """Time of a call during which at least one of the others goes on."""
    time, at, end = 0, call["start_ns"], call["start_ns"] + call["latency_ns"]
    for other in others:  # by start
        if other["start_ns"] >= end:
            break
        until = min(end, other["start_ns"] + other["latency_ns"])
        time += max(0, until - max(at, other["start_ns"]))
        at = max(at, until)
    return time


def overlap(rows, theirs):
    calls = outermost(rows)
    for there in theirs:
        mine = [c for c in calls if c["operation"] == there["name"]]
        slow = [c for c in mine if c["latency_ns"] >= there["limit"]]
        quick = [c for c in mine if c["latency_ns"] < there["limit"]]
        what = f"slow {there['name']}"
        same(f"{what}, calls", len(slow), there["slow_calls"])
        same(f"{what}, time", total(slow, "latency_ns"), there["slow_time"])
        known = {w["name"]: w for w in there["with"]}
        for (name,), within in grouped(calls, "operation").items():
            by_thread = {t: [c for c in within if c["thread"] != t] for t in {c["thread"] for c in mine}}
            for some, key in ((slow, "share"), (quick, "share_of_others")):
                time = sum(covered(c, by_thread[c["thread"]]) for c in some)
                if name in known and some:
                    same(f"{what} within {name}, {key}", time / total(some, "latency_ns"), known[name][key])
                elif key == "share":
                    same(f"{what} within {name}, time", time, 0)


def main():
    for path in sys.argv[2:]:
        rows = read(path)
        printed = subprocess.run([sys.argv[1], "calls", "-q", "--format", "json", path],
                                 check=True, capture_output=True).stdout
        there = json.loads(printed)["runs"][0]
        before = len(differences)
        same("calls", len(rows), there["summary"]["calls"])
        same("latency", total(rows, "latency_ns"), there["summary"]["latency"])
        blocking(rows, there["blocking"])
        sites(rows, there["sites"])
        times(rows, there["times"])
        trends(rows, there["trends"])
        overlap(rows, there["overlap"])
        found = len(differences) - before
        print(f"{path}: {len(rows)} calls, {found} differences")
    print("\n".join(differences[:40]))
    return 1 if differences else 0


sys.exit(main())
