#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every number that rank states is recomputed from the histograms of both sides.

    tests/facts/check.py OSPROF TESTDATA [--made N] [--seed N] [--all] [-v]

Compared are pairs of captures of TESTDATA both ways round (a third of them by default, all
with --all) and N made pairs of odd shapes (default 60): fine buckets, two buckets, clocks that
tick, one call, a million. What `rank` says of each operation, as facts of the JSON and in
words, is held next to what the buckets that `show` prints allow: a share of a
range lies between the calls in the buckets wholly inside it and those in the buckets that
touch it, a percentile in its bucket, a mean is total by calls. Printed is each false statement,
and how many of each kind were checked. The status is 1 if one is false.
"""
import argparse
import collections
import concurrent.futures
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "oracle"))
import expectations  # noqa: E402 (it stands in another folder)
from archives import unpacked  # noqa: E402 (it stands one folder up)

SIZES = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
NUMBER = r"[\d.]+(?:e[+-]?\d+)?"
LATENCY = rf"(?:{NUMBER}) (?:ns|us|ms|s)\b"
RANGE = rf"(?:(?:>= |< ){LATENCY}|{NUMBER}(?: (?:ns|us|ms|s))?-{LATENCY}|{LATENCY})"
SHARE = rf"<?{NUMBER} %"

# --- what the buckets allow --------------------------------------------------


class Printed:
    """A number as text: the values that are printed so."""

    def __init__(self, text, scale=1.0):
        digits = text.lstrip("<").split(" ")[0]
        x = float(digits)
        last = 10.0 ** -len(digits.partition(".")[2].partition("e")[0])
        if "." not in digits and len(digits) > 3:
            last = 10.0 ** (len(digits) - 3)
        self.low = 0.0 if text.startswith("<") else (x - last / 2) * scale
        self.high = (x if text.startswith("<") else x + last / 2) * scale
        self.slack = 1e-9 * abs(self.high)

    def meets(self, low, high):
        return self.low - self.slack <= high and low <= self.high + self.slack


class Histogram:
    """One operation of a side: the buckets of all its runs, in the run's unit."""

    def __init__(self):
        self.buckets, self.calls, self.total, self.exact, self.runs = collections.Counter(), 0, 0.0, True, 1

    def add(self, operation):
        self.calls += operation["count"]
        self.total += operation["total"] or 0
        self.exact = self.exact and operation["total_exact"]
        for b in operation["buckets"]:
            low = -math.inf if b["low"] in (None, "-inf") else b["low"]
            high = math.inf if b["high"] in (None, "inf") else b["high"]
            self.buckets[low, high] += b["count"]

    def within(self, low, high, rounding=0.0):
        """The fewest and the most calls between the edges, which were rounded so much."""
        outer = low * (1 - rounding), high * (1 + rounding)
        inner = low * (1 + rounding), high * (1 - rounding)
        most = sum(n for (a, b), n in self.buckets.items() if a < outer[1] and b > outer[0] or a == b == low)
        least = sum(n for (a, b), n in self.buckets.items()
                    if a >= inner[0] * (1 - 1e-9) and b <= inner[1] * (1 + 1e-9))
        return least, most

    def quantile(self, p):
        """The edges between which it lies, one call more or less."""
        seen, edges = 0, []
        n = sum(self.buckets.values())
        for (low, high), k in sorted(self.buckets.items()):
            if k and seen - 1 <= p * n <= seen + k + 1:
                edges += [low, high]
            seen += k
        return (min(edges), max(edges)) if edges else (0.0, math.inf)


def side(osprof, paths, options):
    """{(layer, name): Histogram}, and seconds per unit, or None if that is no time."""
    out = subprocess.run([osprof, "show", "-q", "-f", "json", *options, *paths], capture_output=True, check=False)
    if out.returncode:
        return None
    found, scale = collections.defaultdict(Histogram), None
    for run in json.loads(out.stdout)["runs"]:
        scale = scale_of(run["unit"], run["hz"])
        for o in run["operations"]:
            found[o["layer"], o["name"]].add(o)
    return found, scale


def find(found, layer, name):
    """Of the operation; rank compares one that has a layer on one side only with that of the other."""
    if (layer, name) in found:
        return found[layer, name]
    alike = [h for (_, other), h in found.items() if other == name]
    return alike[0] if len(alike) == 1 else None


def scale_of(unit, hz):
    return SIZES.get(unit) or (1 / hz if unit == "cycles" and hz else None)


# --- statements in words -----------------------------------------------------

def edges_of(text):
    """A printed range as seconds."""
    if text.startswith(">= "):
        return seconds(text[3:]), math.inf
    if text.startswith("< "):
        return 0.0, seconds(text[2:])
    m = re.fullmatch(rf"({NUMBER})(?: (\w+))?-({NUMBER}) (\w+)", text)
    if m:
        return float(m[1]) * SIZES[m[2] or m[4]], float(m[3]) * SIZES[m[4]]
    return seconds(text), seconds(text)


def seconds(text):
    number, _, unit = text.partition(" ")
    return float(number) * SIZES[unit]


NOW = re.compile(rf"(?P<share>{SHARE})(?: of the calls)? (?:now )?take (?P<range>{RANGE})"
                 rf"(?:, before (?P<was>{SHARE}))?")
MEAN = re.compile(rf"[Mm]ean [^(;.]*\((?P<before>{LATENCY}) -> (?P<after>{LATENCY})\)")
AVERAGE = re.compile(rf"calls now take (?P<after>{LATENCY}) on average, before (?P<before>{LATENCY})")
SLOW = re.compile(rf"a few slow calls change the mean \((?P<after>{NUMBER}) beyond (?P<beyond>{LATENCY}), "
                  rf"before (?P<before>{NUMBER})")
QUANTILE = re.compile(rf"p(?P<p>\d+(?:\.\d+)?) (?P<before>{RANGE}) -> (?P<after>{RANGE})")


def finite(pairs):
    """An object of the JSON, in which infinite values are strings."""
    return {k: float(v) if v in ("inf", "-inf") and k != "name" else
            [float(x) if x in ("inf", "-inf") else x for x in v] if isinstance(v, list) else v for k, v in pairs}


class Checker:
    def __init__(self):
        self.checked, self.false = collections.Counter(), []
        self.second = 1.0  # in the run's unit

    def expect(self, kind, good, where, said, true):
        self.checked[kind] += 1
        if not good:
            self.false.append((kind, f"{where}: \"{said}\": {true}"))

    def share(self, where, h, said, share, text):
        """A printed share of the calls in a printed range."""
        low, high = (x * self.second for x in edges_of(text))
        least, most = (100 * n / max(h.calls, 1) for n in h.within(low, high, 0.012))
        self.expect("share", Printed(share.replace(" %", "")).meets(least - 0.5, most + 0.5), where, said,
                    f"{least:.1f} to {most:.1f} % of the calls are in {text}")

    def mean(self, where, said, before, after, b, a):
        for text, h in ((before, b), (after, a)):
            if h.calls and h.exact and h.total > 0:
                mean = h.total / h.calls / self.second
                scale = SIZES[text.split(" ")[1]]
                self.expect("mean", Printed(text.split(" ")[0], scale).meets(mean * 0.995, mean * 1.005), where, said,
                            f"the mean is {mean:.6g} s")

    def words(self, where, text, b, a):
        for m in NOW.finditer(text):
            self.share(where, a, m[0], m["share"], m["range"])
            if m["was"]:
                self.share(where + " (before)", b, m[0], m["was"], m["range"])
        for m in (*MEAN.finditer(text), *AVERAGE.finditer(text)):
            self.mean(where, m[0], m["before"], m["after"], b, a)
        for m in SLOW.finditer(text):
            up = a.total / max(a.calls, 1) > b.total / max(b.calls, 1)
            more = float(m["after"]) / max(a.calls, 1) > float(m["before"]) / max(b.calls, 1)
            self.expect("slow", up == more, where, m[0], f"the mean went {'up' if up else 'down'}")

    # --- facts of the JSON ---

    def fact(self, where, f, b, a):
        check = getattr(self, f"fact_{f['kind'].replace('-', '_')}", None)
        if check:
            check(where, f, b, a)
        else:
            self.checked[f"kind {f['kind']} not checked"] += 1

    def fact_range(self, where, f, b, a):
        low, high = f["low"], f["high"]
        for h, said in ((b, f["before"]), (a, f["after"])):
            least, most = h.within(low, high, 1e-9)
            n = max(h.runs, 1)
            self.expect("range", least / n - 1e-6 <= said["count"] <= most / n + 1e-6, where, f, f"{least / n} to {most / n} calls")
            share = said["count"] * n / max(h.calls, 1)
            self.expect("range share", abs(share - said["share"]) < 1e-3, where, f, f"share {share}")

    def fact_quantile(self, where, f, b, a):
        for h, said in ((b, f["before"]), (a, f["after"])):
            if not said or None in said or not h.buckets:
                continue
            low, high = h.quantile(f["p"])
            least, value, most = (float(x) for x in said)
            slack = 1e-6 * abs(value)
            self.expect("quantile", low - slack <= value <= high + slack, where, f, f"p lies in {low} to {high}")
            self.expect("quantile", least - slack <= value <= most + slack, where, f, "not in its own bounds")
        if f["before"] and f["after"] and None not in (f["before"][1], f["after"][1]):
            self.interval(where, f, float(f["before"][1]), float(f["after"][1]))

    def interval(self, where, f, before, after):
        """The interval is of after by before; one that excludes its own estimate cannot occur."""
        if f.get("interval") and None not in f["interval"] and 0 < before < math.inf and 0 < after < math.inf:
            low, high = (float(x) for x in f["interval"])
            self.expect("interval", low * (1 - 1e-6) <= after / before <= high * (1 + 1e-6), where, f,
                        f"after by before is {after / before:.4g}")

    def fact_mean(self, where, f, b, a):
        for h, said in ((b, f["before"]), (a, f["after"])):
            if h.calls and h.exact and said is not None:
                mean = h.total / h.calls
                self.expect("mean fact", abs(said - mean) <= 1e-6 * abs(mean), where, f, f"the mean is {mean:.6g}")
        self.interval(where, f, f["before"] or 0, f["after"] or 0)

    def fact_calls(self, where, f, b, a):
        for h, said in ((b, f["before"]), (a, f["after"])):
            n = h.calls / max(h.runs, 1)
            self.expect("calls fact", abs(said - n) <= 1e-6 * max(n, 1), where, f, f"{n} calls a run")
        self.interval(where, f, f["before"] or 0, f["after"] or 0)

    def fact_total(self, where, f, b, a):
        for h, said in ((b, f["before"]), (a, f["after"])):
            if h.exact:
                total = h.total / max(h.runs, 1)
                self.expect("total fact", abs(said - total) <= 1e-6 * abs(total), where, f, f"{total} a run")
        self.interval(where, f, f["before"] or 0, f["after"] or 0)

    def fact_slow(self, where, f, b, a):
        for h, said in ((b, f["before"]), (a, f["after"])):
            least, most = (n / max(h.runs, 1) for n in h.within(f["beyond"], math.inf))
            self.expect("slow fact", least - 1e-6 <= said["count"] <= most + 1e-6, where, f, f"{least} to {most} calls a run")

    def fact_states(self, where, f, b, a):
        runs = {"before": b, "after": a}[f["side"]].runs
        self.expect("states fact", 0 < len(set(f["runs"])) == len(f["runs"]) < f["of"] == runs and f["factor"] > 0,
                    where, f, f"{runs} runs on that side")

    # --- one pair ---

    def pair(self, osprof, before, after, options, name):
        out = subprocess.run([osprof, "rank", "-q", "-f", "json", *options, *before, "--", *after],
                             capture_output=True, check=False)
        try:
            ranking = json.loads(out.stdout, object_pairs_hook=finite)
        except ValueError:
            return
        sides = [side(osprof, paths, options) for paths in (before, after)]
        if None in sides or sides[0][1] != sides[1][1]:
            return
        self.second = 1 / (sides[0][1] or 1.0)
        for o in ranking["operations"]:
            self.operation(f"{name}: {o['name']}", o, sides[0][0], sides[1][0], sides[0][1])
        self.headline(osprof, before, after, options, name, ranking)

    def operation(self, where, o, before, after, is_time):
        b, a = find(before, o["layer"], o["name"]), find(after, o["layer"], o.get("name_after") or o["name"])
        if o["verdict"] in ("new", "gone"):  # the other side has none of this layer
            b, a = (None, a) if o["verdict"] == "new" else (b, None)
        elif not (b and a):
            return
        for h, said in ((b, o["before"]), (a, o["after"])):
            if h and said:
                h.runs = said["runs"]
        b, a = b or Histogram(), a or Histogram()
        if is_time:
            self.words(where, " ".join(str(o.get(k) or "") for k in ("explanation", "text")), b, a)
        for f in o.get("facts", []):
            self.fact(where, f, b, a)

    def headline(self, osprof, before, after, options, name, ranking):
        """`No operation differs` is a statement about each: none is undecided with a difference beyond its threshold."""
        out = subprocess.run([osprof, "rank", "-q", *options, *before, "--", *after], capture_output=True, check=False)
        said = re.search(r"No operation differs[^.:]*", out.stdout.decode(errors="replace"))
        if said:
            beyond = [o["name"] for o in ranking["operations"] if o["verdict"] == "inconclusive" and o.get("threshold")
                      and o["mean_log2_ratio"] is not None and abs(o["mean_log2_ratio"]) > o["threshold"]]
            self.expect("headline", not beyond, name, said[0], f"not decided, and beyond the threshold: {', '.join(beyond)}")


# --- pairs -------------------------------------------------------------------

def captures(testdata, stories):
    """Neighbours of each folder of captures, and the stories: (before, after, options), lists of paths."""
    for folder in sorted(p for p in testdata.iterdir() if p.is_dir()):
        if folder.name in ("settings", "calls", "causes", "stories", "compressed", "runs"):
            continue
        of = [p for p in sorted(folder.iterdir()) if (e := expectations.of_file(p)) and e[1]]
        for first, second in zip(of, of[1:]):
            options = options_of(first)
            if options == options_of(second):
                yield [first], [second], options
                yield [second], [first], options
    for folder in sorted(p for p in stories.iterdir() if p.is_dir()):
        befores, afters = folder / "before", folder / "after"
        if befores.is_dir() and afters.is_dir():
            yield [befores], [afters], []
            yield [afters], [befores], []


def options_of(path):
    """Options of a capture as captures.expect states them, such as `unit ns`."""
    return [word for option in expectations.of_file(path)[0] for word in ("--" + option).split(" ", 1)]


def made_histogram(chance):
    """(resolution, tick, [(bucket, count)]) of an odd shape."""
    resolution = chance.choice((1, 1, 2, 4, 8, 16))
    n_calls = chance.choice((1, 2, 10, 100, 1000, 10 ** 6))
    n_buckets = min(n_calls, chance.choice((1, 2, 5, 20, 60)))
    start = chance.randrange(0, 20 * resolution)
    step = chance.choice((1, 1, 1, 3))
    weights = [chance.expovariate(1) ** chance.choice((1, 4)) for _ in range(n_buckets)]
    counts = [max(1, round(n_calls * w / sum(weights))) for w in weights]
    return resolution, [(start + step * i, n) for i, n in enumerate(counts)]


def made_text(chance, operations):
    lines = ["osprof 1", "unit ns"]
    for name, (resolution, counts) in operations.items():
        edge = 2.0 ** (1 / resolution)
        inside = sum(n * edge ** (i + chance.random()) for i, n in counts)
        lines += [f"op {name}"] + [f"total {round(inside)}"] * (chance.random() < 0.7) + [f"buckets log2 {resolution}"]
        lines += [f"{i} {n}" for i, n in counts]
    return "\n".join(lines) + "\n"


def after_of(chance, histogram):
    """What becomes of a histogram: moved, heavier in its tail, as it was, or another."""
    resolution, counts = histogram
    how = chance.choice(("same", "moved", "tail", "other", "more"))
    if how == "moved":
        return resolution, [(i + resolution * chance.choice((1, 2, 4)), n) for i, n in counts]
    if how == "tail":
        last = counts[-1][0] + chance.randrange(1, 8 * resolution)
        return resolution, counts + [(last, max(1, counts[0][1] // chance.choice((2, 20, 200))))]
    if how == "more":
        return resolution, [(i, n * chance.choice((2, 3))) for i, n in counts]
    return histogram if how == "same" else (resolution, made_histogram(chance)[1])


def made(folder, seed, n):
    for k in range(n):
        chance = random.Random(f"{seed}:{k}")
        before = {f"op{i}": made_histogram(chance) for i in range(chance.choice((1, 3, 8)))}
        after = {name: after_of(chance, h) for name, h in before.items()}
        paths = folder / f"{k}-before.osprof", folder / f"{k}-after.osprof"
        for path, operations in zip(paths, (before, after)):
            path.write_text(made_text(chance, operations))
        yield [paths[0]], [paths[1]], []
        yield [paths[1]], [paths[0]], []


# --- all ---------------------------------------------------------------------

def check_pair(osprof, pair, root):
    before, after, options = pair
    checker = Checker()
    name = " ".join(os.path.relpath(p, root) for p in (*before, *after))
    checker.pair(osprof, [str(p) for p in before], [str(p) for p in after], options, name)
    return checker


def report(results, verbose):
    checked, false = collections.Counter(), []
    for r in results:
        checked += r.checked
        false += r.false
    of = collections.Counter(kind for kind, _ in false)
    shown = collections.Counter()
    for kind, line in false:
        shown[kind] += 1
        if verbose or shown[kind] <= 5:
            print(f"{kind}: {line}")
    print(", ".join(f"{kind}: {of[kind]} of {n} false" for kind, n in sorted(checked.items())))
    return 1 if false or not checked else 0


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("osprof", type=pathlib.Path)
    a.add_argument("testdata", type=pathlib.Path)
    a.add_argument("--made", type=int, default=60)
    a.add_argument("--seed", type=int, default=20061106)
    a.add_argument("--all", action="store_true")
    a.add_argument("-v", action="store_true")
    o = a.parse_args()
    osprof = o.osprof.resolve()
    with unpacked(o.testdata / "stories") as stories, tempfile.TemporaryDirectory() as t:
        pairs = list(captures(o.testdata, pathlib.Path(stories)))
        pairs = (pairs if o.all else pairs[0::6] + pairs[1::6]) + list(made(pathlib.Path(t), o.seed, o.made))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            results = list(pool.map(lambda p: check_pair(osprof, p, o.testdata), pairs))
    print(f"{len(pairs)} pairs")
    return report(results, o.v)


if __name__ == "__main__":
    sys.exit(main())
