#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws every kind of figure with the real gnuplot, and looks at what came out.

usage: render.py OSPROF TESTDATA

PNG: neither blank nor cut off, long names do not run into the key, and in low panels
neither peaks into names nor labels into each other; PNG and SVG: the same bytes from the
script that lies beside the figure. Text: marks, and the operation's name.
"""
import collections
import ctypes
import lzma
import os
import re
import subprocess
import sys
import tempfile

osprof, testdata = (os.path.realpath(path) for path in sys.argv[1:3])
runs = os.path.join(testdata, "runs") + "/"
PAIR = ["--unit", "ns", runs + "randread-1", runs + "randread-2"]
SAMPLED = ["--unit", "ns", runs + "flusher-1s-5.json"]
CAUSES = os.path.join(testdata, "causes") + "/"
CALLS = os.path.join(testdata, "calls") + "/"
KINDS = {
    "histogram": (PAIR, "lseek"),
    "latency": (PAIR, "lseek"),
    "cumulative": (PAIR, "lseek"),
    "percentiles": (PAIR, "lseek"),
    "difference": (PAIR, "lseek"),
    "shift": (PAIR, "lseek"),
    "ranking": (PAIR, "lseek"),
    "forest": (PAIR, "lseek"),
    "duet": ([runs + "duet/before", runs + "duet/after", "--op", "read"], "read"),
    "history": (PAIR, "lseek"),
    "runs": (PAIR, "lseek"),
    "mix": (PAIR, "lseek"),
    "layers": (["--unit", "ns", runs + "layers.json"], "block/RS"),
    "values": (["--unit", "plain", runs + "getdents-values.txt"], "past_eof_fast"),
    "map": (["--unit", "ns", runs + "flusher-1s-1000.json", runs + "flusher-1s-5.json", "--op", "pread64"], "pread64"),
    "timeline": (SAMPLED, "fsync"),
    "preempt": (["--unit", "ns", runs + "zeroread-2"], "read"),
    "calls": ([CALLS + "forks.csv"], "fork: trend from"),
    "threads": ([CALLS + "pipes.csv"], "thread 10728"),
    "blocking": ([CALLS + "pipes.csv"], "directory"),
    "sites": ([CALLS + "pipes.csv"], "wait3 dash+0xbcc0"),
    "causes": ([CAUSES + "shop.dump.txt.xz", CAUSES + "shop2.dump.txt.xz", "--function", "handle"], "load_file"),
}


# Without osprof: directories that ls(1) listed, calls by result, as the figure has them.
def getdents():
    """Calls with result 0, and all calls."""
    with lzma.open(os.path.join(testdata, "values", "getdents.strace.xz"), "rt") as file:
        results = re.findall(r"\) += (\d+) <", file.read())
    return results.count("0"), len(results)


def check_values():
    """The bars of a row are all calls of that value, those of all rows all calls."""
    words = [os.path.join(testdata, "values", "getdents.strace.xz")]
    check("values", words, "getdents64: result explains 84 %")
    script = read("a.gp").decode()
    rows = [tuple(map(float, row)) for block in re.findall(r"^\$calls\S+ << EOD\n(.*?)^EOD",
                                                           script, re.M | re.S)
            for row in re.findall(r"^(\S+) (\S+) (\S+)$", block, re.M) if row[0] != "#"]
    ends, calls = getdents()
    assert sum(n for n, low, high in rows if -0.5 < low and high < 0.5) == ends, (rows, ends)
    assert sum(n for n, _, _ in rows) == calls, (rows, calls)


def run(*words):
    done = subprocess.run(words, capture_output=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(words)}: status {done.returncode}: {done.stderr.decode()}")
    return done.stdout


def cairo():
    """The library with which gnuplot draws PNG; it reads them, too."""
    lib = ctypes.CDLL("libcairo.so.2")
    lib.cairo_image_surface_create_from_png.restype = ctypes.c_void_p
    lib.cairo_image_surface_create_from_png.argtypes = [ctypes.c_char_p]
    lib.cairo_image_surface_get_data.restype = ctypes.c_void_p
    for name in ("surface_status", "surface_destroy", "image_surface_get_data",
                 "image_surface_get_width", "image_surface_get_height", "image_surface_get_stride"):
        getattr(lib, "cairo_" + name).argtypes = [ctypes.c_void_p]
    return lib


CAIRO = cairo()


def pixels(png):
    """The lines of a picture, each pixel as a number: 8 bits each of blue, green, red, alpha."""
    with open("looked-at.png", "wb") as file:
        file.write(png)
    picture = CAIRO.cairo_image_surface_create_from_png(b"looked-at.png")
    assert CAIRO.cairo_surface_status(picture) == 0
    width, height, stride = (getattr(CAIRO, "cairo_image_surface_get_" + of)(picture)
                             for of in ("width", "height", "stride"))
    data = ctypes.string_at(CAIRO.cairo_image_surface_get_data(picture), stride * height)
    CAIRO.cairo_surface_destroy(picture)
    return [memoryview(data)[y * stride : y * stride + 4 * width].cast("I") for y in range(height)]


def channels(pixel):
    return [pixel >> shift & 255 for shift in (0, 8, 16)]


def check_png(kind, png):
    lines = pixels(png)
    counts = collections.Counter()
    for line in lines:
        counts.update(line)
    total = sum(counts.values())
    ground = max(counts.values()) / total
    coloured = sum(n for p, n in counts.items() if max(channels(p)) - min(channels(p)) > 40) / total
    assert 0.3 < ground < 0.99, f"{kind}: {ground:.1%} of the picture is ground"
    assert coloured > 0.001, f"{kind}: {coloured:.2%} of the picture has a colour"
    blank = max(counts, key=counts.get)
    assert set(lines[0]) == {blank}, f"{kind}: cut off at the top"
    assert set(lines[-1]) == {blank}, f"{kind}: cut off at the foot"
    assert all(line[0] == blank for line in lines), f"{kind}: cut off at the left"
    assert all(line[-1] == blank for line in lines), f"{kind}: cut off at the right"


def read(path):
    with open(path, "rb") as file:
        return file.read()


def draw_twice(kind, words, path):
    """By osprof, and by gnuplot from the script beside the figure."""
    run(osprof, "plot", "-q", kind, *words, "-o", path, "--force")
    drawn = read(path)
    os.remove(path)
    run("gnuplot", "--default-settings", path[:-3] + "gp")
    assert read(path) == drawn, f"{kind}: the script of {path} draws something else"
    return drawn


def check(kind, words, name):
    check_png(kind, draw_twice(kind, words, "a.png"))
    assert name.encode() in draw_twice(kind, words, "b.svg"), f"{kind}: SVG without {name}"
    # In text, gnuplot 5.4.2 writes boxes over labels: that they are asked for is what holds.
    assert name.encode() in read("b.gp"), f"{kind}: no {name} in the script"
    text = run(osprof, "plot", "-q", kind, *words).decode()
    assert len(re.sub(r"\s", "", text)) > 200, f"{kind}: hardly any text"


def changed(one, other):
    """The pixels in which two pictures of one size differ."""
    return {(x, y) for y, (a, b) in enumerate(zip(pixels(one), pixels(other))) if a != b
            for x, (p, q) in enumerate(zip(a, b)) if p != q}


def redrawn(script, *changes):
    """A picture by a script that lost what matches."""
    for pattern, instead in changes:
        script, n = re.subn(pattern, instead, script, flags=re.M)
        assert n > 0, f"no {pattern} in {script}"
    with open("again.gp", "w", encoding="utf-8") as file:
        file.write(script)
    run("gnuplot", "--default-settings", "again.gp")
    return read("long.png")


def box(pixels_of):
    xs, ys = [x for x, _ in pixels_of], [y for _, y in pixels_of]
    return min(xs), max(xs), min(ys), max(ys)


def check_long_names(kind, letters, *words):
    """The first panel's name and its key do not overlap."""
    with open("long.osprof", "w", encoding="utf-8") as file:
        file.write(f"osprof 1\nunit ns\nlayer file_operations\nop {letters * 40}\n9 5000\n14 200\n")
    run(osprof, "plot", "-q", kind, "long.osprof", "long.osprof", "-o", "long.png", "--force", *words)
    script = read("long.gp").decode()
    name = (r"^set label .* at graph 0, graph [0-9.]+ front$", "")
    key = (r"^set key .*$", "unset key")
    bare = redrawn(script, name, key)
    named, keyed = (changed(bare, redrawn(script, gone)) for gone in (key, name))
    assert named and keyed, f"{kind}: neither a name nor a key"
    (left, right, top, foot), (key_left, key_right, key_top, key_foot) = box(named), box(keyed)
    assert right < key_left or key_right < left or foot < key_top or key_foot < top, \
        f"{kind} of {letters}: the name and the key overlap: {box(named)}, {box(keyed)}"


def around(pixels_of):
    return {(x + i, y + k) for x, y in pixels_of for i in (-1, 0, 1) for k in (-1, 0, 1)}


def without_labels(script, axis, parity=None):
    """An axis without any label, or without every second one."""

    def thinned(ticks):
        kept = iter(range(1000))
        keep = lambda label: label[0] if label[1] and next(kept) % 2 == parity else "'' "
        return re.sub(r"'([^']*)' ", keep, ticks[0])

    return re.sub(rf"^set {axis}tics \([^)]*\)$", thinned, script, flags=re.M)


def check_labels(script, axis, words):
    """No label touches its neighbour. The axis's own label moves with them, and is left out."""
    script = re.sub(rf"^set {axis}label .*$", f"unset {axis}label", script, flags=re.M)
    bare = redrawn(without_labels(script, axis))
    even, odd = (changed(bare, redrawn(without_labels(script, axis, parity))) for parity in (0, 1))
    assert even, f"{words}: {axis} has no label"
    assert not around(even) & odd, f"{words}: labels of {axis} run into each other"


def check_low_panels(*words):
    """Peaks keep off names, if they are there at all, and labels off each other."""
    run(osprof, "plot", "-q", *words, "-o", "long.png", "--force")
    script = read("long.gp").decode()
    name = (r"^set label .* at graph 0, graph [0-9.]+ front$", "")
    peak = (r"^set (label .* point pt 11 .*|arrow .* nohead lw 1.5 lc .*)$", "")
    if re.search(peak[0], script, re.M):
        bare, named, peaked = (redrawn(script, *gone) for gone in ((name, peak), (peak,), (name,)))
        assert not around(changed(bare, named)) & changed(bare, peaked), f"{words}: a peak lies on a name"
    for axis in ("y", "x2" if "--bucket-numbers" in words else "x"):
        check_labels(script, axis, words)


def with_kernel_times():
    """Calls whose times in the kernel are made up: no more than their processor's."""
    with open(CALLS + "forks.csv", encoding="utf-8") as file, open("kernel.csv", "w", encoding="utf-8") as to:
        for line in file:
            fields = line.rstrip("\n").split(",")
            made_up = line[0].isdigit() and len(fields) == 15
            to.write(",".join(fields[:-1] + [fields[7]]) + "\n" if made_up else line)


def main():
    told = run(osprof, "plot", "--help").decode()
    kinds = re.findall(r"^  ([a-z-]+) +\S", told[told.index("Kinds:") : told.index("\n\n", told.index("Kinds:"))], re.M)
    assert sorted(kinds) == sorted(KINDS), f"not drawn here: {set(kinds) ^ set(KINDS)}"
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with_kernel_times()
        for kind, (words, name) in KINDS.items():
            check(kind, words, name)
        check_values()
        for letters in ("name_", "MW", "il"):
            check_long_names("histogram", letters)
        check_long_names("cumulative", "name_", "--size", "640x400")
        check_low_panels(*PAIR, "--size", "640x400")
        check_low_panels(*PAIR, "--size", "640x400", "--bucket-numbers")
        check_low_panels(*PAIR, "--size", "640x400", "--op", "lseek")
        check_low_panels(*PAIR, "--size", "500x500", "--op", "*")
    print(len(KINDS), "kinds")


main()
