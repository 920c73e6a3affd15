#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws every kind of figure of made runs that are hard to draw, and reads the words of the SVG.

usage: words.py OSPROF TESTDATA

No word lies on another or reaches beyond the page; every axis has a name or ticks with a unit;
every entry of a key has data, and each series with data is drawn.  The same figures in characters fit
79 columns and show data. Widths of words are those
that cairo draws, independent of the estimate by which osprof makes room.
"""
import ctypes
import itertools
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from unicodedata import east_asian_width

OSPROF, TESTDATA = (os.path.realpath(path) for path in sys.argv[1:3])
RUNS = os.path.join(TESTDATA, "runs") + "/"
LONG = "std::pair<std::_Rb_tree_iterator<std::pair<const std::string, std::vector<Order>>>, bool> " * 3
KINDS_ONE = ("histogram", "latency", "cumulative", "cumulative --tail", "percentiles", "mix", "layers")
KINDS_PAIR = KINDS_ONE[:5] + ("histogram --bucket-numbers", "difference", "shift", "ranking", "forest", "mix", "history",
                              "runs")
KINDS_TIME = ("map", "timeline", "timeline --total")


# --- made runs -------------------------------------------------------------------------------------

def write(path, ops, head=""):
    with open(path, "w", encoding="utf-8") as file:
        file.write("osprof 1\nunit ns\n" + head)
        for name, buckets in ops.items():
            file.write(f"op {json.dumps(name, ensure_ascii=False)}\n")
            file.writelines(f"{bucket} {count}\n" for bucket, count in sorted(buckets.items()) if count > 0)


def bell(middle, width, calls):
    return {k: int(calls * math.exp(-((k - middle) / width) ** 2)) for k in range(max(0, middle - 5), middle + 6)}


def write_calls(path, calls):
    """Of each call: start, thread, operation, latency."""
    with open(path, "w", encoding="utf-8") as file:
        file.write("# osprof calls 1\n# lost: 0\n# clock: nanoseconds\n"
                   "start_ns,process,thread,operation,number,site,latency_ns,cpu_ns,minor_faults,major_faults,"
                   "voluntary_switches,involuntary_switches,blocked_ns,resource,kernel_ns\n")
        for number, (start, thread, name, latency) in enumerate(calls, 1):
            file.write(f'{start},71,{thread},"{name}",{number},site,{latency},{latency},0,0,0,0,0,,\n')


def make_runs():
    for side, up in (("a", 0), ("b", 2)):
        write(f"one-{side}", {"read": {10 + up: 5000}})
        write(f"single-{side}", {"fsync": {22 + up: 1}})
        write(f"forty-{side}", {"io": {k: 10**6 // (k + 1 + up) for k in range(40)}})
        write(f"counts-{side}", {"huge": {10: 10**9, 11 + up: 3 * 10**8, 20: 1}, "tiny": {10 + up: 1}})
        write(f"size-{side}", {"read": bell(10 + up, 2, 10 ** (3 + 3 * up)), "write": bell(13, 2, 100)})
        write(f"long-{side}", {LONG[:199] + "1": bell(10 + up, 2, 9999), "読み取り操作": bell(14, 1, 3000)})
        write(f"none-{side}", {"read": bell(10 + up, 2, 500), **({"gone": {9: 5}} if up == 0 else {"new": {9: 5}})})
        write(f"twelve-{side}", {f"operation_{i}": bell(8 + i + up, 2, 30000 // (i + 1)) for i in range(12)})
        os.mkdir(f"sixty-{side}")
        for i in range(30):
            write(f"sixty-{side}/{i:02}", {"read": bell(10 + up, 2, 9000 + 97 * (i % 7)), "write": bell(13, 1, 300 + i)})
    for side, up in (("a", 0), ("b", 2)):  # one duet, and operations that one partner lacks
        write(f"duet-{side}", {LONG[:199]: bell(10 + up, 2, 9999), "single": {22 + up: 1}, f"only-{side}": {9: 5}},
              "duet 1.5-7-1\n")
    with open("clock", "w", encoding="utf-8") as file:
        file.write("osprof 1\nunit ns\nepoch\nop read\n")
        for i in range(60):
            start = 1790000000 + 10 * i
            file.write(f"interval {start} {start + 10}\n10 {100 + i}\n12 {i % 7}\n" + ("20 1\n" if i == 30 else ""))
    write_calls("one-call.csv", [(5, 4294967295, "x", 1)])
    write_calls("threads.csv", ((10**9 + 10**5 * i, 4294967000 + i % 60, "read" if i % 3 else LONG[:40], 10 ** (i % 9))
                                for i in range(600)))
    with open("calls.csv", "w", encoding="utf-8") as file:
        file.write("start_ns,end_ns,tid,name\n")
        for i in range(1, 9):
            slow = 4000 if i > 6 else 0
            for level, name in enumerate(("handle", LONG[:199], "読み取り操作", "x")):
                file.write(f'{10000 * i + 50 * level},{10000 * i + 1000 + slow - 50 * level},1,"{name}"\n')


# --- words of an SVG -------------------------------------------------------------------------------

class Extents(ctypes.Structure):
    _fields_ = [(name, ctypes.c_double) for name in ("left", "top", "width", "height", "x", "y")]


def measure():
    lib = ctypes.CDLL("libcairo.so.2")
    lib.cairo_image_surface_create.restype = lib.cairo_create.restype = ctypes.c_void_p
    lib.cairo_create.argtypes = [ctypes.c_void_p]
    context = lib.cairo_create(lib.cairo_image_surface_create(0, 8, 8))
    lib.cairo_select_font_face.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_int]
    lib.cairo_set_font_size.argtypes = [ctypes.c_void_p, ctypes.c_double]
    lib.cairo_text_extents.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(Extents)]
    lib.cairo_select_font_face(context, b"sans-serif", 0, 0)

    def extents(words, size):
        found = Extents()
        lib.cairo_set_font_size(context, size)
        lib.cairo_text_extents(context, words.encode(), ctypes.byref(found))
        return found

    return extents


EXTENTS = measure()
TEXT = re.compile(r'<g transform="translate\(([-\d.]+),([-\d.]+)\)( rotate\(([-\d.]+)\))?"[^>]*font-size="([\d.]+)"\s+'
                  r'text-anchor="(\w+)">\s*<text>(.*?)</text>', re.S)


def unescaped(words):
    words = re.sub("<[^>]*>", "", words)
    for entity, char in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&"), ("&#160;", " "), ("&nbsp;", " ")):
        words = words.replace(entity, char)
    return words.strip()


def boxes(svg):
    """Each word with the box that its letters need: left, top, right, bottom."""
    for x, y, _, turned, size, anchor, words in TEXT.findall(svg):
        words, x, y = unescaped(words), float(x), float(y)
        if not words:
            continue
        e = EXTENTS(words, float(size))
        left = {"start": 0, "middle": -e.x / 2, "end": -e.x}[anchor]
        box = (left, e.top, left + e.x, e.top + e.height)
        if turned and float(turned) != 0:
            assert float(turned) in (-90, 270), turned
            box = (box[1], -box[2], box[3], -box[0])
        yield words, (x + box[0], y + box[1], x + box[2], y + box[3])


def check_words(what, svg):
    width, height = (float(n) for n in re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups())
    found = list(boxes(svg))
    assert len(found) > 2, f"{what}: hardly any words"
    for words, (left, top, right, bottom) in found:
        assert left > -1 and top > -1 and right < width + 1 and bottom < height + 1, \
            f"{what}: '{words}' reaches beyond the page: {left:.0f} {top:.0f} {right:.0f} {bottom:.0f} of {width}x{height}"
    for (one, a), (other, b) in itertools.combinations(found, 2):
        across, up = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
        assert across <= 1.5 or up <= 1.5, f"{what}: '{one}' lies on '{other}'"


# --- the script ------------------------------------------------------------------------------------

UNITS = re.compile(r"\d ?(ns|us|ms|s|min|h|d|%|k|M|G|x)?$|\d\d:\d\d|\d\d-\d\d|^1/\d+$|^[+−]\d+ %$")


def check_script(what, script):
    """Axes have a name or ticks that say their unit; entries of keys have data."""
    for axis in ("x", "y"):
        names = re.findall(rf"^set {axis}label '(.+)'$", script, re.M)
        names += re.findall(r"^set label '(.+)' at .* rotate by 90$", script, re.M) if axis == "y" else []
        ticks = re.findall(r"'([^']+)' ", " ".join(re.findall(rf"^set {axis}tics \(([^)]*)\)", script, re.M)))
        assert names or ticks or (axis == "y" and "$icicle" in script), f"{what}: the {axis} axis has neither a name nor ticks"
    data = set(re.findall(r"^\$(\S+) << EOD\n# [^\n]*\n[^E]", script, re.M))
    for block, title in re.findall(r"\$(\S+) using [^\n]*? title '([^']*)'", script):
        assert block in data, f"{what}: '{title}' has no data"
    assert data or "NaN notitle" in script


# --- what is drawn ---------------------------------------------------------------------------------

SAMPLE = {"lines": 2, "points": 1, "boxxyerror": 5, "filledcurves": 5, "xerrorbars": 3}  # positions of a key's sample


def check_drawn(what, script, svg):
    """Of each series with data there is more than the sample of the key, in the order of the script."""
    filled = set(re.findall(r"^\$(\S+) << EOD\n# [^\n]*\n[^E]", script, re.M))
    drawn = re.findall(r'<g id="gnuplot_plot_\w+"[^>]*>(.*?)(?=<g id="gnuplot_plot_|</svg)', svg, re.S)
    plots = re.findall(r"(?:plot |\t)(?:\$(\S+) using [^\n]*?with (\w+)|NaN notitle)", script)
    assert len(plots) == len(drawn), f"{what}: {len(plots)} plots, {len(drawn)} drawn"
    for (block, style), group in zip(plots, drawn):
        positions = len(re.findall(r"\d,-?\d", group)) + group.count("<use")
        if block in filled:
            assert positions > (SAMPLE[style] if "<text>" in group else 0), f"{what}: nothing is drawn of {block}"


# --- the figure in characters ------------------------------------------------------------------------

def check_text(what, words, runs):
    """It fits its width, shows its names, and there are characters where the panels are."""
    done = subprocess.run([OSPROF, "plot", "-q", *words, *runs], capture_output=True, text=True, check=False,
                          env={**os.environ, "LC_ALL": "C.UTF-8", "OSPROF_GNUPLOT": "none"})
    assert done.returncode == 0, f"{what}: in characters: {done.stderr}"
    lines = done.stdout.splitlines()
    for line in lines:
        assert sum(2 if east_asian_width(c) in "WF" else 1 for c in line) <= 79, f"{what}: wider than 79: '{line}'"
    panels = [line.split("\u2502", 1)[-1] if "\u2502" in line else line.split("\u2524", 1)[-1]
              for line in lines if "\u2502" in line or "\u2524" in line]
    assert any(line.strip() for line in panels), f"{what}: nothing is drawn in characters"


def check(kind, *runs):
    what = " ".join((kind, *runs))
    check_text(what, kind.split(), runs)
    words = [OSPROF, "plot", "-q", *kind.split(), *runs, "-o", "x.svg", "--force"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{what}: {done.stderr}"
    with open("x.svg", encoding="utf-8") as file:
        svg = file.read()
    with open("x.gp", encoding="utf-8") as file:
        script = file.read()
    check_words(what, svg)
    check_script(what, script)
    check_drawn(what, script, svg)


def main():
    n = 0
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        make_runs()
        made = sorted(name[:-2] for name in os.listdir(".") if name.endswith("-a"))
        flushed = ("--unit", "ns", RUNS + "flusher-1s-1000.json", RUNS + "flusher-1s-5.json")
        calls, causes = TESTDATA + "/calls/", TESTDATA + "/causes/"
        cases = [(kind, f"{x}-a", f"{x}-b", "--op", "*") for x in made for kind in KINDS_PAIR]
        cases += [(kind, f"{x}-b", "--op", "*") for x in ("long", "twelve", "single") for kind in KINDS_ONE]
        cases += [(kind, *run) for kind in KINDS_TIME for run in (("clock",), flushed[:3])]
        cases += [("map", *flushed), ("map", *flushed, "--op", "pread64"), ("history", "sixty-a"), ("runs", "sixty-a")]
        cases += [(f"{kind} --style {style}", "twelve-a", "twelve-b") for kind in ("histogram", "ranking", "forest")
                  for style in ("paper", "slides")]
        cases += [("preempt --quantum 1ms", f"{x}-b") for x in ("one", "forty", "counts", "long", "twelve", "sixty")]
        cases += [("duet", RUNS + "duet/before", RUNS + "duet/after"), ("duet", "duet-a", "duet-b", "--op", "*")]
        cases += [("threads", *calls) for calls in (("threads.csv",), ("one-call.csv",), (calls + "pipes.csv",))]
        cases += [("calls", calls + "forks.csv"), ("blocking", calls + "pipes.csv"),
                  ("sites", calls + "pipes.csv"),
                  ("values", TESTDATA + "/values/getdents.strace.xz"),
                  ("values", "--unit", "plain", RUNS + "getdents-values.txt"),
                  ("causes", causes + "shop.data", "--function", "handle"),
                  ("causes", causes + "shop.dump.txt.xz", causes + "shop2.dump.txt.xz", "--function", "handle"),
                  ("causes", "calls.csv", "--function", "handle", "--range", "2us:")]
        for case in cases:
            try:
                check(*case)
            except AssertionError as problem:
                problems.append(str(problem))
            n += 1
    print("\n".join(problems))
    print(n, "figures,", len(problems), "with a fault")
    sys.exit(len(problems) > 0)


main()
