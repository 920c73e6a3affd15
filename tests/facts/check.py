#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every number that rank, show and explain state is recomputed from the histograms.

    tests/facts/check.py OSPROF TESTDATA [--made N] [--seed N] [--all] [-v]

Compared are pairs of captures of TESTDATA both ways round (some of them by default, all
with --all) and N made pairs of odd shapes: fine buckets, two buckets, clocks that
tick, one call, a million. What `rank` says of each operation, as facts of the JSON and in
words, is held next to what the buckets that `show` prints allow: a share of a
range lies between the calls in the buckets wholly inside it and those in the buckets that
touch it, a percentile in its bucket, a mean is total by calls. A statement of no known kind,
one that is too long, and a headline that its operations contradict are false, too. Printed is
each false statement, and how many of each kind were checked. The status is 1 if one is false.
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
        self.own = []  # what show says of it
        self.most, self.second = -math.inf, 1.0  # the largest latency; a second in its unit

    def add(self, operation):
        self.calls += operation["count"]
        self.total += operation["total"] or 0
        self.exact = self.exact and operation["total_exact"]
        self.most = max(self.most, operation["max"] if operation.get("max") is not None else math.inf)
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
                    if a >= inner[0] * (1 - 1e-9) and min(b, max(self.most, a)) <= inner[1] * (1 + 1e-9))
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

    def latency_share(self, beyond):
        """The least and the most of the latency that the calls beyond an edge have."""
        sums = {}
        for above in (False, True):
            of = [(max(a, 0), min(b, self.most), n) for (a, b), n in self.buckets.items() if (a >= beyond * (1 - 1e-9)) == above]
            sums[above] = sum(a * n for a, _, n in of), sum(b * n for _, b, n in of)
        (low, high), (low_above, high_above) = sums[False], sums[True]
        least = low_above / (low_above + high) if low_above + high > 0 else 0
        most = high_above / (high_above + low) if math.isfinite(high_above) else 1
        if self.exact and self.total > 0:
            least, most = max(least, 1 - high / self.total), min(most, 1 - low / self.total)
        return least, most


def side(osprof, paths, options):
    """{(layer, name): Histogram}, and seconds per unit, or None if that is no time."""
    out = subprocess.run([osprof, "show", "-q", "-f", "json", *options, *paths], capture_output=True, check=False)
    if out.returncode:
        return None
    found, scale = collections.defaultdict(Histogram), None
    for run in json.loads(out.stdout, object_pairs_hook=finite)["runs"]:
        scale = scale_of(run["unit"], run["hz"])
        for o in run["operations"]:
            found[o["layer"], o["name"]].add(o)
            found[o["layer"], o["name"]].own.append((run["merged_runs"], o))
            found[o["layer"], o["name"]].second = 1 / (scale_of(o.get("unit", run["unit"]), run["hz"]) or 1.0)
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


CALLS = rf"{NUMBER}(?: [kMG])?"
EACH = r"(?: a run| a host)?"
HOW = r"(?:[\d.]+x |<?[\d.]+ % )?(?:higher|lower)"
SOME = rf"~?(?:{LATENCY}|0|inf)"  # a latency, or an estimate
PAIR = rf"{SOME}(?: -> {SOME})?"

# Every statement is one of these; what none of them matches is not understood.
LATENCY_LEAD = rf"(?P<word>slower|faster|larger|smaller)(?: at the tail)? \((?P<what>mean|maximum|p[\d.]+) (?P<how>{HOW}), (?P<pair>{PAIR})\)"
SLOW = rf"(?P<now>{CALLS}) calls?{EACH} (?:take|of) (?P<beyond>{LATENCY}) or (?:longer|more), before (?P<was>{CALLS})"
SLOW_LEAD = rf"(?P<which>more|fewer) slow calls \({SLOW}\)"
CALLS_LEAD = rf"(?:called|counted) (?P<ratio>[\d.]+x|<?[\d.]+ %) (?P<more>as|more|less) often \((?P<calls>{CALLS}(?: -> {CALLS})?){EACH}\)"
SLOW_IN_LEAD = re.sub(r"\?P<\w+>", "?:", SLOW_LEAD)
STATEMENTS = {name: re.compile(pattern + r"\Z", re.IGNORECASE) for name, pattern in {
    "lead": rf"(?:{LATENCY_LEAD}(?: and {re.sub(r'[?]P<', '?P<calls_', CALLS_LEAD)})?"
            rf"|{re.sub(r'[?]P<', '?P<first_', CALLS_LEAD)}(?:, each {re.sub(r'[?]P<', '?P<then_', LATENCY_LEAD)}| and {SLOW_IN_LEAD})?)",
    "slow lead": SLOW_LEAD + rf"(?: and {re.sub(r'[?]P<', '?P<calls_', CALLS_LEAD)})?",
    "slow": SLOW + "(?:; they look preempted)?",
    "alone": rf"(?:new: |gone: before, )(?P<n>{CALLS}) calls?{EACH}(?:, (?:mean )?(?P<mean>{LATENCY}|0))?",
    "shape": r"(?:latencies|values) are distributed differently",
    "range": rf"(?:about )?(?P<after>{SHARE}) of the calls (?:take|have) (?P<range>{RANGE}), before (?P<before>{SHARE})",
    "range before": rf"before, (?:about )?(?P<before>{SHARE}) (?:took|had) (?P<range>{RANGE}), now (?P<after>{SHARE})",
    "percentiles": rf"p[\d.]+ {PAIR}(?:, p[\d.]+ {PAIR})*",
    "mean": rf"each (?:takes|has) (?P<after>{LATENCY}) on average, (?:as before|before (?P<before>{LATENCY}))",
    "mean against": rf"but the mean is (?P<how>{HOW}), (?P<pair>{PAIR})",
    "same": rf"unchanged(?:: (?P<bounds>\w+ within {SHARE}(?:, \w+ within {SHARE})*))?",
    "undecided": rf"not decided(?:: (?:in too few of the runs to test|too few calls .*|delays of other operations .*|a disk may .*|other operations were called .*|a few slow calls change the mean|calls changed .*"
                 rf"|too small a part of the run|one run a side shows .*|the (?:mean|number of calls) may be {HOW} to {HOW}))?",
    "longest": rf"not decided: of one run a side, only the longest call became much longer, (?P<pair>{PAIR})",
    "states": r"\d+ of \d+ runs (?:after|before) (?:is|are) [\d.]+x (?:slower|faster) than the others",
    "wait": r"waits,? .*|makes the run longer|declared idle",
    "certain": r"certain: \d+ (?:runs?|hosts?)(?: against \d+|, each against itself), q (?:< 0\.0001|[\d.e-]+)"
               r"|in \d+ of \d+ (?:runs|hosts) (?:after|before), in none of \d+ (?:after|before)",
    "small": "too small a part of the run to be reported",
}.items()}
OWN_SLOWEST = re.compile(rf"the (?:slowest|largest) (?P<share>{SHARE}) of the (?:calls|values), (?P<beyond>{LATENCY}) or (?:longer|more), "
                         rf"hold (?:about )?(?P<latency>{SHARE}) of (?:the time|their sum)", re.IGNORECASE)
OWN_PERCENTILES = re.compile(rf"(?:p[\d.]+ {SOME}, )*largest (?P<max>{RANGE}|0|inf)", re.IGNORECASE)
LONGEST, MOST = 160, 6  # characters of a statement, statements of an operation
MUCH_LONGER = 8  # times, as osprof-method(7) says of the longest call and of slow calls
CHANGE = re.compile(rf"^(?:Calls of|Values of) a \w+ .*?(?P<size>{LATENCY}) (?P<more>more|less) \((?P<before>{LATENCY}) -> (?P<after>{LATENCY})", re.M)
HEADLINE = re.compile(r"^(?P<word>[A-Z][A-Z ]+): (?P<said>.*)\.$", re.M)


def value(text):
    """A printed number of calls or latency."""
    number, _, unit = text.lstrip("~<").partition(" ")
    return float(number) * {"k": 1e3, "M": 1e6, "G": 1e9}.get(unit, SIZES.get(unit, 1.0))


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

    # --- words ---

    def words(self, where, o, b, a):
        said = [x for x in o["text"].split(". ") if x]
        self.expect("length", len(said) <= MOST and all(len(x) <= LONGEST for x in said), where, o["text"],
                    f"{len(said)} statements, {max(map(len, said), default=0)} characters")
        for statement in said:
            found = [(name, m) for name, pattern in STATEMENTS.items() if (m := pattern.match(statement))]
            self.expect("understood", len(found) == 1, where, statement, f"{[name for name, _ in found]}")
            for name, m in found[:1]:
                getattr(self, "say_" + name.replace(" ", "_"), lambda *_: None)(where, m, o, b, a)

    def say_lead(self, where, m, o, b, a):
        g = m.groupdict()
        alone = "call" not in m[0]
        self.expect("lead of verdict", not (alone and g["word"] and o["verdict"] in ("regressed", "improved")) or
                    (o["verdict"] == "regressed") == (g["word"].lower() in ("slower", "larger")), where, m[0], o["verdict"])
        for word, what, how, pair in ((g["word"], g["what"], g["how"], g["pair"]),
                                      (g["then_word"], g["then_what"], g["then_how"], g["then_pair"])):
            if word:
                self.lead_of_latency(where, m[0], word.lower(), what, how, pair, b, a)
        self.say_calls(where, m, g["calls_ratio"] or g["first_ratio"], g["calls_more"] or g["first_more"],
                       g["calls_calls"] or g["first_calls"], b, a)

    def lead_of_latency(self, where, said, word, what, how, pair, b, a):
        higher = how.endswith("higher")
        self.expect("word", (word in ("slower", "larger")) == higher, where, said, how)
        self.expect("a change", not how.startswith("0 %"), where, said, how)
        before, _, after = pair.partition(" -> ")
        self.change(where, said, how, before, after or before)
        if what == "mean":
            self.mean(where, said, before, b)
            self.mean(where, said, after or before, a)
        elif what != "maximum":
            self.percentile(where, said, float(what[1:]) / 100, before, b)
            self.percentile(where, said, float(what[1:]) / 100, after or before, a)

    def change(self, where, said, how, before, after):
        """"2.0x higher" beside two numbers."""
        low, high = sorted((value(before), value(after)))
        size = how.rpartition(" ")[0]
        off = 0.11 if "~" in before + after else 0  # each of two digits is off by 5 % at most
        if before != after:
            self.expect("direction", how.endswith("higher") == (value(after) > value(before)), where, said, f"{before} to {after}")
        if low > 0 and size.endswith("x"):
            self.expect("ratio", abs(float(size[:-1]) / (high / low) - 1) < 0.07 + off, where, said, f"{high / low:.3g}")
        elif size.endswith("%"):
            true = abs(value(after) / value(before) - 1) * 100
            self.expect("percent", abs(float(size.lstrip("<")[:-2]) - true) < 1.6 + off * (100 + true), where, said, f"{true:.3g} %")

    def say_calls(self, where, m, ratio, more, pair, b, a):
        if pair is None:
            return
        before, _, after = pair.partition(" -> ")
        for text, h in ((before, b), (after or before, a)):
            n = h.calls / max(h.runs, 1)
            self.expect("calls", abs(value(text) - n) <= 0.051 + 0.006 * n, where, m[0], f"{n} calls a run")
        n = b.calls / max(b.runs, 1), a.calls / max(a.runs, 1)
        self.expect("often", (n[1] > n[0]) == (more != "less"), where, m[0], f"{n}")

    def mean(self, where, said, text, h):
        if h.calls and h.exact and h.total > 0:
            mean = h.total / h.calls / self.second
            self.expect("mean", abs(value(text) - mean) <= 0.006 * mean, where, said, f"the mean is {mean:.6g} s")

    def percentile(self, where, said, p, text, h):
        if h.buckets:
            low, high = (x / self.second for x in h.quantile(p))
            near = 0.051 if text.startswith("~") else 0.006
            self.expect("percentile", low * (1 - near) <= value(text) <= high * (1 + near), where, said, f"p{100 * p:g} lies in {low} to {high} s")

    def say_mean(self, where, m, o, b, a):
        self.mean(where, m[0], m["before"] or m["after"], b)
        self.mean(where, m[0], m["after"], a)

    def say_mean_against(self, where, m, o, b, a):
        before, _, after = m["pair"].partition(" -> ")
        self.change(where, m[0], m["how"], before, after or before)
        self.mean(where, m[0], before, b)
        self.mean(where, m[0], after or before, a)

    def say_alone(self, where, m, o, b, a):
        h = b if m[0].lower().startswith("gone") else a
        n = h.calls / max(h.runs, 1)
        self.expect("calls", abs(value(m["n"]) - n) <= 0.051 + 0.006 * n, where, m[0], f"{n} calls a run")
        if m["mean"]:
            self.mean(where, m[0], m["mean"], h)

    def say_range(self, where, m, o, b, a):
        self.share(where, a, m[0], m["after"], m["range"])
        self.share(where, b, m[0], m["before"], m["range"])

    say_range_before = say_range

    def say_percentiles(self, where, m, o, b, a):
        for one in m[0].split(", "):
            p, _, pair = one.partition(" ")
            before, _, after = pair.partition(" -> ")
            self.percentile(where, m[0], float(p[1:]) / 100, before, b)
            self.percentile(where, m[0], float(p[1:]) / 100, after or before, a)

    def say_slow(self, where, m, o, b, a):
        for h, said in ((b, m["was"]), (a, m["now"])):
            least, most = (n / max(h.runs, 1) for n in h.within(value(m["beyond"]) * self.second, math.inf, 0.006))
            self.expect("slow", least - 0.51 - 0.006 * most <= value(said) <= most * 1.006 + 0.51, where, m[0], f"{least} to {most} calls a run")

    def say_slow_lead(self, where, m, o, b, a):
        self.say_slow(where, m, o, b, a)
        self.expect("slow word", (m["which"].lower() == "more") == (value(m["now"]) > value(m["was"])), where, m[0], "")

    def say_same(self, where, m, o, b, a):
        """Its numbers are those of the fact, and the means of both sides differ by no more."""
        bounds = next((f["bounds"] for f in o["facts"] if f["kind"] == "same"), {})
        for one in (m["bounds"] or "").split(", "):
            if one:
                name, _, share = one.partition(" within ")
                self.expect("bound", Printed(share.replace(" %", "")).meets(*(100 * bounds.get(name, math.nan) + x for x in (-0.1, 0.1))), where, m[0], f"{bounds}")
        self.expect("unchanged", o["verdict"] == "same", where, m[0], o["verdict"])

    def say_undecided(self, where, m, o, b, a):
        self.expect("undecided", o["verdict"] == "inconclusive", where, m[0], o["verdict"])

    def say_longest(self, where, m, o, b, a):
        """Both sides state a maximum and no buckets, of which the latter is much longer, and the mean less so."""
        self.say_undecided(where, m, o, b, a)
        before, after = b.most / b.second, a.most / a.second
        self.expect("longest", 0 < MUCH_LONGER * before <= after < math.inf and b.runs == a.runs == 1,
                    where, m[0], f"{before:g} s, then {after:g} s")
        for text, most in zip(m["pair"].split(" -> "), (before, after)):
            self.expect("longest printed", abs(value(text) - most) <= 0.006 * most, where, m[0], f"{most:g} s")
        self.expect("longest of summary", not (b.buckets and a.buckets), where, m[0], "its buckets show others")
        if b.calls and a.calls and b.total > 0 and a.total > 0:
            grew = a.total / a.calls / a.second / (b.total / b.calls / b.second)
            self.expect("only longest", grew < after / before, where, m[0], f"the mean is {grew:.3g} times that before")

    def say_certain(self, where, m, o, b, a):
        self.expect("certain", o["verdict"] not in ("inconclusive", "same"), where, m[0], o["verdict"])

    # --- facts of the JSON ---

    def fact(self, where, f, b, a):
        check = getattr(self, f"fact_{f['kind'].replace('-', '_')}", None)
        if check:
            check(where, f, b, a)
        else:
            self.checked[f"kind {f['kind']} not checked"] += 1

    def fact_range(self, where, f, b, a):
        low, high = f["low"], f["high"]
        self.expect("range", high <= max(b.most, a.most, low) * (1 + 1e-9), where, f, f"the largest are {b.most} and {a.most}")
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

    def fact_max(self, where, f, b, a):
        for h, said in ((b, f["before"]), (a, f["after"])):
            self.expect("max fact", h.most == math.inf or abs(said - h.most) <= 1e-6 * h.most, where, f, f"{h.most}")

    def fact_same(self, where, f, b, a):
        """The means of both sides differ by no more than their bound."""
        if f["bounds"].get("mean") is not None and b.calls and a.calls and b.exact and a.exact and b.total > 0 and a.total > 0:
            ratio = a.total / a.calls / (b.total / b.calls)
            self.expect("same fact", max(ratio, 1 / ratio) <= (1 + f["bounds"]["mean"]) * 1.001, where, f, f"{ratio}")

    def fact_slow(self, where, f, b, a):
        for h, said in ((b, f["before"]), (a, f["after"])):
            least, most = (n / max(h.runs, 1) for n in h.within(f["beyond"], math.inf))
            self.expect("slow fact", least - 1e-6 <= said["count"] <= most + 1e-6, where, f, f"{least} to {most} calls a run")

    def fact_states(self, where, f, b, a):
        runs = {"before": b, "after": a}[f["side"]].runs
        self.expect("states fact", 0 < len(set(f["runs"])) == len(f["runs"]) < f["of"] == runs and f["factor"] > 0,
                    where, f, f"{runs} runs on that side")

    # --- one run ---

    def own(self, where, h):
        """What show says of an operation of one run."""
        for runs, o in h.own:
            single = Histogram()
            single.add(o)
            single.runs, single.second = runs, h.second
            self.second = h.second
            for f in o["facts"]:
                getattr(self, "own_" + f["kind"])(where, f, single)
            self.own_words(where, o, single)

    def own_mean(self, where, f, h):
        if h.calls and h.exact and f["value"] is not None:
            mean = h.total / h.calls
            self.expect("own mean", abs(f["value"] - mean) <= 1e-6 * abs(mean), where, f, f"the mean is {mean:.6g}")

    def own_calls(self, where, f, h):
        self.expect("own calls", abs(f["value"] * h.runs - h.calls) <= 1e-6 * max(h.calls, 1), where, f, f"{h.calls} in all")

    def own_total(self, where, f, h):
        self.expect("own total", not h.exact or abs(f["value"] * h.runs - h.total) <= 1e-6 * abs(h.total), where, f, f"{h.total} in all")

    def own_max(self, where, f, h):
        self.expect("own max", f["value"] is None and h.most == math.inf or f["value"] == h.most, where, f, f"{h.most}")

    def own_quantile(self, where, f, h):
        low, high = h.quantile(f["p"])
        least, value, most = (float(x) for x in f["value"])
        slack = 1e-6 * abs(value) if math.isfinite(value) else 0
        self.expect("own quantile", low - slack <= value <= high + slack and least - slack <= value <= most + slack, where, f, f"p lies in {low} to {high}")
        self.expect("own quantile", value <= h.most * (1 + 1e-9), where, f, f"the largest is {h.most}")

    def own_range(self, where, f, h):
        self.expect("own range", f["high"] <= max(h.most, f["low"]) * (1 + 1e-9), where, f, f"the largest is {h.most}")
        self.expect("own range", abs(f["count"] * h.runs - h.within(f["low"], f["high"])[0]) <= 1e-6 * max(h.calls, 1), where, f, "")
        self.expect("own range", abs(f["share"] * h.calls - f["count"] * h.runs) <= 1e-6 * h.calls, where, f, "its share")

    def own_slowest(self, where, f, h):
        """The share of the latency lies within what the edges and the total allow."""
        calls = h.within(f["beyond"], math.inf)[0]
        self.expect("own slowest", abs(f["count"] * h.runs - calls) <= 1e-6 * h.calls, where, f, f"{calls} calls in all")
        self.expect("own slowest", abs(f["share"] * h.calls - calls) <= 1e-6 * h.calls, where, f, f"{calls} of {h.calls}")
        low, high = h.latency_share(f["beyond"])
        least, value, most = (float(x) for x in f["of_latency"])
        self.expect("own slowest", low - 1e-6 <= least <= value <= most <= high + 1e-6, where, f, f"{low} to {high} of the latency")

    def own_words(self, where, o, h):
        said = [x for x in o["text"].split(". ") if x]
        self.expect("own length", all(len(x) <= LONGEST for x in said), where, o["text"], "")
        for x in said:
            m, n = OWN_SLOWEST.fullmatch(x), OWN_PERCENTILES.fullmatch(x)
            self.expect("own understood", bool(m or n), where, x, "")
            if m:
                beyond = value(m["beyond"]) * h.second
                least, most = (100 * k / h.calls for k in h.within(beyond, math.inf, 0.006))
                self.expect("own words", Printed(m["share"].replace(" %", "")).meets(least - 0.5, most + 0.5), where, x, f"{least} to {most} %")
                f = next(f for f in o["facts"] if f["kind"] == "slowest")
                low, high = h.latency_share(f["beyond"])
                self.expect("own words", Printed(m["latency"].replace(" %", "")).meets(100 * low - 0.5, 100 * high + 0.5), where, x, f"{low} to {high}")
            for p, text in re.findall(rf"p([\d.]+) ({SOME})", x if n else ""):
                self.percentile(where, x, float(p) / 100, text, h)
            if n:
                low, high = (v * h.second for v in edges_of(n["max"]))
                top = max((b for (_, b), k in h.buckets.items() if k), default=h.most)
                self.expect("own largest", low * 0.994 <= (h.most if h.most < math.inf else top) <= high * 1.006 or
                            top == math.inf, where, x, f"{h.most}, {top}")

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
        for found, scale in sides:
            for (layer, operation), h in found.items():
                if scale:
                    self.own(f"{name}: {layer}/{operation}", h)
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
        self.second = (b or a).second if b or a else 1.0
        b, a = b or Histogram(), a or Histogram()
        if is_time:
            self.words(where, o, b, a)
            self.expect("first", o["text"].startswith(o["explanation"]), where, o["explanation"], o["text"])
        for f in o.get("facts", []):
            self.fact(where, f, b, a)

    def headline(self, osprof, before, after, options, name, ranking):
        """What the first lines say is what the operations say together."""
        env = {**os.environ, "COLUMNS": "400"}
        out = subprocess.run([osprof, "rank", "-q", *options, *before, "--", *after], capture_output=True, check=False, env=env)
        text = out.stdout.decode(errors="replace")
        m = HEADLINE.search(text)
        self.expect("headline", bool(m) and m["said"] in ranking["headline"], name, m and m[0], ranking["headline"])
        if not m:
            return
        reported = collections.Counter(o["verdict"] for o in ranking["operations"] if o["reported"])
        self.expect("headline", not m["said"].startswith("no operation differs") or
                    all(o["verdict"] == "same" for o in ranking["operations"]), name, m[0], "not all are the same")
        counted = re.findall(r"(?:^|; )(\d+)(?: of (\d+) operations?)? (regressed|improved|changed shape|new|gone)(?=: |; |$)", m["said"])
        for n, of, verdict in counted:
            self.expect("headline", int(n) == reported.pop(verdict.replace(" ", "-"), 0) and
                        int(of or len(ranking["operations"])) == len(ranking["operations"]), name, m[0], f"{reported}")
        self.expect("headline", not reported or not counted, name, m[0], f"{reported} are left out")
        worse = any(o["reported"] and o["verdict"] == "regressed" for o in ranking["operations"])
        better = any(o["reported"] and o["verdict"] == "improved" for o in ranking["operations"])
        whole = ranking["run"]["verdict"] in ("regressed", "improved")
        self.expect("headline word", whole or {"SLOWER": not better, "FASTER": better and not worse, "MIXED": better}.get(m["word"], not worse and not better),
                    name, m[0], f"{reported}")
        for c in CHANGE.finditer(text):
            self.expect("total", (c["more"] == "more") == (value(c["after"]) > value(c["before"])) or c["after"] == c["before"], name, c[0], "")
        for line in text.splitlines():
            if line and not line.startswith((" ", "before ", "after ", "operation")) and ": " in line and "   " not in line:
                self.expect("line", len(line) <= LONGEST, name, line, f"{len(line)} characters")


    # --- what explain and calls say ---

    def story(self, where, text):
        for m in re.finditer(rf"moved from ({LATENCY}) to ({LATENCY}) \(({HOW})\)", text):
            self.change(where, m[0], m[3], m[1], m[2])
        for m in re.finditer(rf"(grew|shrank) from ({SHARE}) to ({SHARE})", text):
            shares = [0.05 if s[0] == "<" else float(s.split()[0]) for s in m.groups()[1:]]
            self.expect("story share", (shares[1] > shares[0]) == (m[1] == "grew"), where, m[0], "the other direction")

    def trends(self, where, text):
        """What grows costs more, and not more than there is."""
        for m in re.finditer(rf": from ({LATENCY}) to ({LATENCY}) over .*, ({LATENCY}) (more|less) than", text):
            self.expect("trend", (value(m[2]) > value(m[1])) == (m[4] == "more"), where, m[0], "the other direction")


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


def other_sentences(osprof, testdata):
    """What explain says of pairs of runs, and calls of call logs."""
    checker = Checker()
    runs = sorted((testdata / "runs").iterdir())
    for pair in zip(runs, runs[1:]):
        out = subprocess.run([osprof, "explain", "-q", "--unit", "ns", *pair], capture_output=True, check=False)
        checker.story(" ".join(p.name for p in pair), out.stdout.decode(errors="replace"))
    for path in sorted((testdata / "calls").iterdir()):
        out = subprocess.run([osprof, "calls", "-q", "--section", "trends", path], capture_output=True, check=False)
        checker.trends(path.name, out.stdout.decode(errors="replace"))
    return checker


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
    a.add_argument("--made", type=int, default=30)
    a.add_argument("--seed", type=int, default=20061106)
    a.add_argument("--all", action="store_true")
    a.add_argument("-v", action="store_true")
    o = a.parse_args()
    osprof = o.osprof.resolve()
    with unpacked(o.testdata / "stories") as stories, tempfile.TemporaryDirectory() as t:
        pairs = list(captures(o.testdata, pathlib.Path(stories)))
        pairs = (pairs if o.all else pairs[0::5]) + list(made(pathlib.Path(t), o.seed, o.made))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            results = list(pool.map(lambda p: check_pair(osprof, p, o.testdata), pairs))
        results.append(other_sentences(osprof, o.testdata))
    print(f"{len(pairs)} pairs")
    return report(results, o.v)


if __name__ == "__main__":
    sys.exit(main())
