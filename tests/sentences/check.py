#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentences hold what their numbers say, over captures of testdata, both ways round.

usage: check.py OSPROF TESTDATA [-v]

Each sentence of rank, explain and calls is taken to pieces.  Words that tell a direction
must agree with the numbers beside them, and these with the numbers of the JSON; none is
longer than 600 characters, or names more than four peaks.
"""

import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "oracle"))
import expectations  # noqa: E402 (it stands in another folder)
from archives import unpacked  # noqa: E402 (it stands one folder up)

OSPROF, TESTDATA, VERBOSE = sys.argv[1], pathlib.Path(sys.argv[2]), "-v" in sys.argv[3:]
LONGEST, MAX_PEAKS = 600, 4
SIZES = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "k": 1e3, "M": 1e6, "G": 1e9, "": 1,
         "cycles": 1, "kcycles": 1e3, "Mcycles": 1e6, "Gcycles": 1e9}
NUMBER = r"-?[\d.]+(?:e[+-]?\d+)?(?: (?:ns|us|ms|s|k|M|G|[kMG]?cycles)\b)?"
SHARE = r"<?[\d.]+ %"
RANGE = rf"(?:anything|(?:>= |< )?{NUMBER}(?:-{NUMBER})?)"
HOW = r"(?:[\d.]+x |<?[\d.]+ % )?(?:higher|lower)"
NEVER = r"times (?:up|down)|moved (?:up|down)|(?:added|saved) latency|regressed \d|hardly moved"

# What can be said first, and of other peaks.
SOME = rf"(?:{SHARE}|{NUMBER} calls?(?: a run)?)"
NEWS = rf"(?:{SOME}(?: of the calls)? now (?:take|have) (?P<now>{RANGE}), before (?P<was>{RANGE}|none)" \
       rf"|{SOME}(?: of the calls)? (?:take|have) {RANGE}, before {SHARE}" \
       rf"|(?:no calls|none) (?:take|have) {RANGE} any more, before {SOME}(?: of the calls)?)"
UNNAMED = re.sub(r"\?P<\w+>", "?:", NEWS)
COST = rf"(?:; (?P<cost>[+-]{NUMBER})(?P<a_run> a run)?(?P<each> for as many calls)?(?: of (?P<whole>[+-]{NUMBER}))?)?"
FIRST = rf"(?:{UNNAMED}" \
        rf"|calls now (?:take|have) (?P<mean_after>{NUMBER}) on average, before (?P<mean_before>{NUMBER})" \
        rf"|(?P<calls_after>{NUMBER}) calls(?: a run)?, before (?P<calls_before>{NUMBER}); each as long as it was" \
        rf"|calls (?:take|have) as long as before" \
        rf"|only (?:before|after): {NUMBER} calls?(?: a run)?(?: of {NUMBER}(?: on average)?)?)"
BEGINNING = re.compile(FIRST + COST + r"(?=\. |; |$| \()")
ANY_NEWS = re.compile(rf"(?:^|(?<=also )|(?<=, )){NEWS}")
COMPARED = re.compile(rf"({HOW}) \(({NUMBER}) -> ({NUMBER})(?: a run)?\)")
GONE = re.compile(NEVER)


def value(text):
    number, _, unit = text.lstrip("+<").partition(" ")
    return float(number) * SIZES[unit]


def close(a, b):
    """Equal but for the three digits that are printed."""
    return abs(a - b) <= 0.0051 * max(abs(a), abs(b)) + 1e-30


class Checker:
    def __init__(self):
        self.faults, self.sentences, self.words = [], 0, 0

    def fault(self, where, what, text):
        self.faults.append(f"{where}: {what}: {text}")

    def direction(self, where, how, before, after, text):
        """"2.0x higher" beside two numbers."""
        self.words += 1
        a, b = value(before), value(after)
        if (b > a) != how.endswith("higher") or a == b:
            self.fault(where, f"{how} from {before} to {after}", text)
        ratio = max(a, b) / min(a, b) if min(a, b) > 0 else None
        times = re.match(r"([\d.]+)x", how)
        percent = re.match(r"([\d.]+) %", how)
        if times and ratio and abs(float(times[1]) / ratio - 1) > 0.06:
            self.fault(where, f"{how} is not {ratio:.3g}", text)
        if percent and abs(float(percent[1]) - abs(b / a - 1) * 100) > 1.6:
            self.fault(where, f"{how} is not {abs(b / a - 1):.3g}", text)

    def explanation(self, where, text, op, repeated, run_change):
        self.sentences += 1
        if len(text) > LONGEST:
            self.fault(where, f"{len(text)} characters", text)
        if GONE.search(text):
            self.fault(where, "a phrase that is gone", text)
        peaks = [m.groupdict() for m in ANY_NEWS.finditer(text)]
        if len(peaks) > MAX_PEAKS:
            self.fault(where, f"{len(peaks)} peaks", text)
        for peak in peaks:
            if peak["now"] is not None and peak["now"] == peak["was"]:
                self.fault(where, "peaks that did not move", text)
        first = BEGINNING.match(text)
        if first is None:
            self.fault(where, "not understood", text)
            return
        self.cost(where, first, text, op, repeated, run_change)
        for name, of in ("mean", "[Mm]ean"), ("calls", "[Nn]umber of calls"):
            if first[f"{name}_after"] is None:
                continue
            said = re.search(rf"{of} ({HOW})(?! \()", text)
            if said:
                self.direction(where, said[1], first[f"{name}_before"], first[f"{name}_after"], text)
        for m in COMPARED.finditer(text):
            self.direction(where, m[1], m[2], m[3], text)

    def cost(self, where, first, text, op, repeated, run_change):
        sides = op["before"], op["after"]
        before, after = (s["total"] / max(s["runs"], 1) if s["total"] is not None else 0 for s in sides)
        change = after - before
        if first["each"]:  # of a fixed duration: what as many calls as before would take
            change = float(op["mean_log2_ratio"] or 0)
        if first["cost"] is None:
            if op["mean_log2_ratio"] is not None and op["fixed_duration"]:
                return
            if abs(change) > 1e-5 * max(before, after):
                self.fault(where, f"no cost, but {change}", text)
            return
        self.words += 1
        if (first["cost"][0] == "+") != (change > 0):
            self.fault(where, f"cost is {change}", text)
        if bool(first["a_run"]) != repeated:
            self.fault(where, "a run or not", text)
        if first["whole"] and run_change and (first["whole"][0] == "+") != (run_change > 0):
            self.fault(where, f"the run's change is {run_change}", text)

    def ranking(self, where, ranking, one_unit):
        ops = ranking["operations"]
        repeated = max((op[side]["runs"] for op in ops for side in ("before", "after")), default=1) > 1
        whole = sum((op[side].get("self", op[side]["total"]) or 0) / max(op[side]["runs"], 1) * sign
                    for op in ops for side, sign in (("before", -1), ("after", 1)) if not op["idle"])
        size = max(sum(op[side].get("self", op[side]["total"]) or 0 for op in ops if not op["idle"]) for side in ("before", "after")) if ops else 0
        for op in ops:
            self.explanation(f"{where}: {op['name']}", op["explanation"], op, repeated,
                             whole if one_unit and abs(whole) > 1e-6 * size else None)

    def story(self, where, text):
        for m in re.finditer(rf"moved from ({NUMBER}) to ({NUMBER}) \(({HOW})\)", text):
            self.direction(where, m[3], m[1], m[2], m[0])
        for m in re.finditer(rf"(grew|shrank) from ({SHARE}) to ({SHARE})", text):
            self.words += 1
            shares = [0.05 if s[0] == "<" else float(s.split()[0]) for s in m.groups()[1:]]
            if (shares[1] > shares[0]) != (m[1] == "grew"):
                self.fault(where, "another direction", m[0])

    def trends(self, where, text):
        """What grows costs more, and not more than there is."""
        for m in re.finditer(rf": from ({NUMBER}) to ({NUMBER}) over .*, ({NUMBER}) (more|less) than", text):
            self.words += 1
            if (value(m[2]) > value(m[1])) != (m[4] == "more"):
                self.fault(where, "another direction", m[0])


def run(*args):
    r = subprocess.run([OSPROF, *map(str, args)], capture_output=True, text=True, check=False,
                       errors="replace")
    return r.stdout if r.returncode == 0 else None


def files(folder):
    skipped = (".expect", ".matrix")
    return sorted(p for p in folder.iterdir() if p.is_file() and p.suffix not in skipped)


def is_refused(path):
    """As the test of the formats expects: there is nothing to compare it with."""
    expected = expectations.of_file(path)
    return expected is not None and expected[1] is None


def pairs(settings):
    """Every pair of runs; of the runs of each setting and the files of each format neighbours."""
    runs = sorted(p for p in (TESTDATA / "runs").iterdir())
    yield from itertools.permutations(runs, 2)
    for setting in sorted(p for p in settings.iterdir()):
        of = files(setting)
        for i, step in itertools.product(range(len(of)), (1,)):
            yield of[i], of[(i + step) % len(of)]
            yield of[(i + step) % len(of)], of[i]
    for path in files(TESTDATA / "papers"):
        yield path, path
    for folder in sorted(p for p in TESTDATA.iterdir() if p.is_dir()):
        if folder.name in ("runs", "settings", "papers", "calls"):
            continue
        of = [p for p in files(folder) if not is_refused(p)]
        for a, b in zip(of, of[1:]):
            yield a, b
            yield b, a


def compare(pair):
    options = ["--unit", "ns", "-q"]
    text = run("rank", "--format", "json", *options, *pair) or run("rank", "--format", "json", "-q", *pair)
    story = run("explain", *options, *pair) if text and pair[0].parent.name == "runs" and pair[0] < pair[1] else None
    return pair, text, story


def main():
    checker, compared = Checker(), 0
    with (unpacked(TESTDATA / "settings") as settings,
          concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool):
        for pair, text, story in pool.map(compare, list(pairs(settings))):
            where = " ".join(os.path.join(*p.parts[-2:]) for p in pair)
            if text is None:
                continue
            compared += 1
            checker.ranking(where, json.loads(text), pair[0].parts[-2] != "rocksdb")
            checker.story(where, story or "")
        for path, text in zip(files(TESTDATA / "calls"), pool.map(
                lambda p: run("calls", "-q", "--section", "trends", p), files(TESTDATA / "calls"))):
            checker.trends(path, text or "")
    for fault in checker.faults[:None if VERBOSE else 30]:
        print(fault)
    print(f"{compared} comparisons, {checker.sentences} explanations, {checker.words} words of direction: "
          f"{len(checker.faults)} faults")
    # A test that reads nothing would pass, too.
    if compared < 500 or checker.sentences < 5000 or checker.words < 5000:
        sys.exit("too little was read")
    sys.exit(1 if checker.faults else 0)


if __name__ == "__main__":
    main()
