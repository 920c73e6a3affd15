#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How the time and memory of every command grow with what it is given.

usage: growth.py [-x FACTOR] [-r ROUNDS] [-t SECONDS] [-a] OSPROF [DIMENSION[/COMMAND]...]

Made-up profiles are written at a size N and at N/FACTOR (-x, by default 8), one dimension of
them growing and all others small, and each command that they make sense for is run on both. A
line for each pair of dimension and command:

    small, large   seconds of processor time, best of the rounds (-r, by default 2)
    growth         how many times FACTOR times the small one's time the large one took: about 1
                   where time is proportional, up to 2 where memory is slower than caches,
                   FACTOR where it is quadratic. None where the small one took less than a
                   hundredth of a second.
    reading        how many times as long as reading the same files alone
    MiB, growth    the most memory of the large one, and the same of it; what osprof has for itself
                   is taken off, and none is given where this program had more when it began it

Only lines that look wrong are printed unless -a is given: growth of time above 2, of memory
above 1.5, or more than a second and 10 times the time of reading. A command is given up after
so many seconds (-t, by default 60) of processor time.

DIMENSION and COMMAND are shell patterns; by default all. Optimised builds only.
"""
import fnmatch
import getopt
import os
import random
import resource
import subprocess
import sys
import tempfile

# --- profiles ----------------------------------------------------------------------------


def rows(rnd, buckets, shift=0):
    return "".join("%d %d\n" % (b + shift, rnd.randint(50, 2000)) for b in buckets)


def profile(path, body, head=""):
    with open(path, "w", encoding="ascii") as f:
        f.write("osprof 1\nunit ns\n" + head)
        f.writelines(body)


FEW = (7, 8, 12)


def operations(n, side, name="op%d"):
    """A seventh of them slower after, one in fifty gone, as many new."""
    rnd = random.Random(side)
    for i in range(n):
        if i % 50 != 49 - side:
            yield "op %s\n%s" % (name % i, rows(rnd, FEW, 2 * side * (i % 7 == 0)))


def layers(n, side):
    rnd = random.Random(side)
    for i in range(n):
        yield "layer l%d\nop read\n%s" % (i, rows(rnd, FEW, 2 * side * (i % 7 == 0)))


def nested(n, side):
    """System calls, and as many block requests, each called by one of them."""
    rnd = random.Random(7)
    slow = [rnd.randint(50, 20000) for _ in range(n)]
    yield "nest syscall > block\nlayer syscall\n"
    for i in range(n):
        yield "op s%d\n8 300\n%d %d\n" % (i, 14 + side, slow[i])
    yield "layer block\n"
    for i in range(n):
        yield "op b%d\n%d %d\n" % (i, 13 + side, slow[i * 7 % n])


def intervals(n, n_ops, side):
    rnd = random.Random(side)
    for k in range(n_ops):
        yield "op op%d\n" % k
        for i in range(n):
            slow = 3 * (i * 3 // n % 2) + side
            yield "interval %d %d\n%s" % (i, i + 1, rows(rnd, FEW, slow))


def comb(n, side):
    """One operation of n buckets, all of them filled, with a peak every twenty."""
    rnd = random.Random(side)
    yield "op op\n"
    for i in range(n):
        yield "%d %d\n" % (i, rnd.randint(1, 9) + 5000 * ((i + side) % 20 < 3))


def edges(n, side):
    at, edge = 1.0, []
    for i in range(n + 1):
        edge.append("%d" % at)
        at += 1 + (i * 7 + side) % 5
    return "buckets edges %s\n" % " ".join(edge)


# --- dimensions: write(folder, n, side) gives the files of a side ---------------------------


def one(make):
    def write(folder, n, side):
        path = os.path.join(folder, "%s.osprof" % "ba"[side])
        make(path, n, side)
        return [path]
    return write


def many(make):
    """n runs in a folder."""
    def write(folder, n, side):
        folder = os.path.join(folder, "ba"[side])
        os.makedirs(folder)
        for i in range(n):
            make(os.path.join(folder, "%04d.osprof" % i), i, side)
        return [folder]
    return write


def several(n_runs):
    """As many runs, of n operations."""
    def write(folder, n, side):
        return many(run_of(n))(folder, n_runs, side)
    return write


def logs(folder, n, side):
    """The logs of one run of fio with n jobs, of three layers each."""
    folder = os.path.join(folder, "ba"[side])
    os.makedirs(folder)
    for job in range(1, n + 1):
        for layer in ("clat", "slat", "lat"):
            with open(os.path.join(folder, "job_%s.%d.log" % (layer, job)), "w",
                      encoding="ascii") as f:
                f.write("1, %d, 0, 4096, 0, 0\n" % (1000 + job % 50 + 500 * side))
    return [folder]


def write_ops(path, n, side):
    profile(path, operations(n, side))


def write_shuffled(path, n, side):
    op = list(operations(n, side))
    random.Random(side).shuffle(op)
    profile(path, op)


def write_layers(path, n, side):
    profile(path, layers(n, side))


def write_nested(path, n, side):
    profile(path, nested(n, side))


def write_intervals(path, n, side):
    profile(path, intervals(n, 1, side))


def write_ops_intervals(path, n, side):
    profile(path, intervals(5, n, side))


def write_fine(path, n, side):
    """Log2 at the finest resolutions: the octaves of 20 are filled."""
    profile(path, comb(n, side), "buckets log2 %d\n" % max(1, n // 20))


def write_linear(path, n, side):
    profile(path, comb(n, side), "buckets linear 0 10\n")


def write_edges(path, n, side):
    profile(path, comb(n, side), edges(n, 0))


def write_other_edges(path, n, side):
    profile(path, comb(n, side), edges(n, side))


def write_thicket(path, n, side):
    """Every other bucket is a peak."""
    body = "".join("%d %d\n" % (i, 5 + 500 * ((i + side) % 2)) for i in range(n))
    profile(path, ["op op\n" + body], "buckets linear 0 10\n")


def write_wide(path, n, side):
    """Two buckets that are far apart."""
    profile(path, ["op op\n0 500\n%d %d\n" % (n, 400 + side)], "buckets linear 0 10\n")


def write_late(path, n, side):
    """Intervals that are far apart."""
    profile(path, ["op op\n" + "".join("interval %d %d\n7 %d\n9 20\n" % (t, t + 1, 500 + t % 9)
                                       for t in (0, 1, 2, 3, n - 2, n - 1, n))])


def write_counts(path, n, side):
    profile(path, ["op op\n7 %d\n9 %d\n" % (n, n // (2 - side))])


def write_units(path, n, side):
    """The second side in another unit."""
    profile(path, [("unit us\n" if side else "")] + list(comb(n, side)),
            "buckets linear 0 10\n")


def write_names(path, n, side):
    """Twenty operations with names of n letters."""
    profile(path, operations(20, side, "x" * n + "%d"))


def write_long_names(path, n, side):
    """Many that begin with the same 200 letters."""
    profile(path, operations(n, side, "x" * 200 + "%d"))


def run_of(n_ops):
    """One of repeated runs, of so many operations; one in ten is slower after."""
    def write(path, i, side):
        rnd = random.Random(2 * i + side)
        profile(path, ("op op%d\n%s" % (k, rows(rnd, (7, 8, 9, 12), 2 * side * (k % 10 == 3)))
                       for k in range(n_ops)))
    return write


def write_schemes(path, n, side):
    """Linear buckets on one side, powers of two on the other."""
    profile(path, comb(n if side else 24, side), "buckets linear 0 10\n" if side else "")


def write_apart(path, i, side):
    """Runs whose intervals are never at the same time."""
    rnd = random.Random(2 * i + side)
    profile(path, ("op op%d\n" % k + "".join(
        "interval %g %g\n%s" % (t * 1000 + i, t * 1000 + i + 1, rows(rnd, FEW, side))
        for t in range(20)) for k in range(5)))


def write_run_of_intervals(path, i, side):
    profile(path, intervals(20, 5, side))


CALLS_HEAD = ("# osprof calls 1\n# lost: 0\n# clock: cycles at 2600000000 Hz\n"
              "start_ns,process,thread,operation,number,site,latency_ns,cpu_ns,minor_faults,"
              "major_faults,voluntary_switches,involuntary_switches,blocked_ns,resource,kernel_ns,"
              "size,result\n")


def calls(of_operation, of_site, of_thread, of_resource):
    """Per-call records; each of the four says of call i, of n, which it has."""
    def write(path, n, side):
        rnd = random.Random(side)
        number = {}
        with open(path, "w", encoding="ascii") as f:
            f.write(CALLS_HEAD)
            for i in range(n):
                op, thread = of_operation(i, n), of_thread(i, n)
                number[op] = number.get(op, 0) + 1
                cpu = rnd.randint(500, 2000) + (1 + side) * number[op] // 10
                blocked = rnd.randint(5000, 90000) if i % 3 == 0 else 0
                f.write("%d,100,%d,op%d,%d,f.c:%d,%d,%d,0,0,%d,0,%d,%s,%d,%d,%d\n" % (
                    i * 3000, 100 + thread, op, number[op], of_site(i, n), cpu + blocked, cpu,
                    blocked > 0, blocked, "lock%d" % of_resource(i, n) if blocked else "",
                    cpu // 2, 512 << rnd.randint(0, 9), 0 if blocked else rnd.randint(1, 1 << 20)))
    return write


def few(i, n):
    return i % 3


def all_differ(i, n):
    return i


# --- commands --------------------------------------------------------------------------------

OUTPUT_FORMATS = {
    "rank": ("text", "json", "csv", "markdown", "junit", "html"), "explain": ("text", "json"),
    "calls": ("text", "json", "markdown"),
}
TABLE = ("text", "json", "csv", "markdown")
WRITTEN = ("osprof", "csv", "prometheus", "hgrm")
KINDS_ONE = ("histogram", "latency", "cumulative", "percentiles", "mix", "map", "timeline")
KINDS_PAIR = ("histogram", "difference", "shift", "ranking", "forest", "mix")
KINDS_CALLS = ("calls", "blocking", "sites")


def formatted(name, words, forms=None):
    command = words[0]
    for form in forms or OUTPUT_FORMATS.get(command, TABLE):
        yield "%s.%s" % (name, form), [*words, "-f", form]


def of_one(f):
    yield from formatted("show", ["show", *f])
    yield "show.resolution", ["show", "-r", "1", *f]
    yield from formatted("peaks", ["peaks", *f])
    yield from formatted("check", ["check", *f])
    yield from formatted("timeline", ["timeline", *f], ("text", "json"))
    yield "timeline.coincidences", ["timeline", "--section", "coincidences", "-f", "csv", *f]
    yield from formatted("timeline-all", ["timeline", "-a", *f])
    yield from formatted("preempt", ["preempt", "--quantum", "4ms", *f])
    yield "preempt.unknown", ["preempt", *f]
    yield from formatted("within", ["distance", "--within", *f])
    for to in WRITTEN:
        yield "convert." + to, ["convert", "--to", to, *f, "-o", "-"]
    yield "convert.finer", ["convert", "-r", "1", *f, "-o", "-"]
    yield "merge", ["merge", f[0], f[0], "-o", "-"]
    yield "history", ["history", *(f * 8)]
    yield "history.all", ["history", "-a", *(f * 8)]
    for kind in KINDS_ONE:
        yield "plot." + kind, ["plot", kind, *f, "-o", "OUT.gp"]


def of_pair(b, a):
    yield from formatted("rank", ["rank", *b, *a])
    yield from formatted("rank-all", ["rank", "-a", *b, *a])
    yield "rank.exit-code", ["rank", "--exit-code", *b, *a]
    yield "rank.metric", ["rank", "-m", "ks", *b, *a]
    yield from formatted("distance", ["distance", *b, *a])
    yield from formatted("explain", ["explain", *b, *a])
    yield "explain.all", ["explain", "--op", "*", *b, *a]
    yield "merge.two", ["merge", *b, *a, "-o", "-"]
    for kind in KINDS_PAIR:
        yield "plot." + kind + ".pair", ["plot", kind, *b, *a, "-o", "OUT.gp"]
    yield "show.two", ["show", *b, *a]


def of_nested(b, a):
    yield "show", ["show", *b]
    yield from formatted("layers", ["layers", *b])
    yield "layers.all", ["layers", "-a", *b]
    yield from formatted("layers-pair", ["layers", *b, *a])
    yield "rank", ["rank", *b, *a]
    yield "plot.layers", ["plot", "layers", *b, "-o", "OUT.gp"]


def of_runs(b, a):
    yield from formatted("show", ["show", *b])
    yield from formatted("rank", ["rank", *b, *a])
    yield from formatted("distance", ["distance", *b, *a], ("text", "json"))
    yield "explain", ["explain", *b, *a]
    yield from formatted("history", ["history", *b])
    yield "history.all", ["history", "-a", *b]
    yield from formatted("aa", ["aa", *b])
    yield "aa.all", ["aa", "-a", *b]
    yield "baseline", ["baseline", *b, "-o", "OUT.base"]
    yield "baseline.rank", ["rank", "OUT.base", *a]
    yield "baseline.show", ["show", "OUT.base"]
    yield "check", ["check", *b]
    yield "timeline", ["timeline", *b]
    yield "merge", ["merge", *b, *a, "-o", "-"]
    yield "plot.histogram", ["plot", *b, *a, "-o", "OUT.gp"]
    yield "plot.mix", ["plot", "mix", *b, *a, "-o", "OUT.gp"]


def of_calls(b, a):
    yield from formatted("calls", ["calls", *b])
    yield from formatted("calls-all", ["calls", "-a", *b])
    yield from formatted("calls-pair", ["calls", *b, *a])
    yield from formatted("values", ["values", *b])
    yield "values.all", ["values", "-a", *b]
    yield "plot.values", ["plot", "values", *b, "-o", "OUT.gp"]
    yield "calls.top", ["calls", "--top", "1000000", *b]
    for kind in KINDS_CALLS:
        yield "plot." + kind, ["plot", kind, *b, "-o", "OUT.gp"]


def of_both(b, a):
    yield from of_one(b)
    yield from of_pair(b, a)


DIMENSIONS = [
    ("ops", 100000, one(write_ops), of_both),
    ("ops-shuffled", 100000, one(write_shuffled), of_pair),
    ("layers", 100000, one(write_layers), of_both),
    ("nested", 50000, one(write_nested), of_nested),
    ("intervals", 20000, one(write_intervals), of_both),
    ("ops-intervals", 20000, one(write_ops_intervals), of_both),
    ("fine", 81920, one(write_fine), of_both),
    ("linear", 100000, one(write_linear), of_both),
    ("edges", 100000, one(write_edges), of_both),
    ("other-edges", 100000, one(write_other_edges), of_pair),
    ("units", 100000, one(write_units), of_pair),
    ("schemes", 100000, one(write_schemes), of_pair),
    ("names", 100000, one(write_names), of_both),
    ("long-names", 20000, one(write_long_names), of_both),
    ("thicket", 100000, one(write_thicket), of_both),
    ("wide", 400000000, one(write_wide), of_both),
    ("late", 1000000000, one(write_late), of_both),
    ("counts", 1000000000000000000, one(write_counts), of_both),
    ("runs", 800, many(run_of(50)), of_runs),
    ("runs-few", 64, many(run_of(50)), of_runs),
    ("runs-ops", 10000, several(8), of_runs),
    ("runs-intervals", 160, many(write_run_of_intervals), of_runs),
    ("runs-logs", 1600, logs, of_runs),
    ("runs-apart", 400, many(write_apart), of_runs),
    ("calls", 400000, one(calls(few, few, few, few)), of_calls),
    ("calls-ops", 100000, one(calls(all_differ, few, few, few)), of_calls),
    ("calls-sites", 100000, one(calls(few, all_differ, few, few)), of_calls),
    ("calls-threads", 100000, one(calls(few, few, all_differ, few)), of_calls),
    ("calls-resources", 100000, one(calls(few, few, few, all_differ)), of_calls),
]

# --- measuring --------------------------------------------------------------------------------


class Measured:
    """Of one process: seconds of processor time, peak memory in MiB, and what went wrong."""

    def __init__(self, command, limit):
        def own():
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))

        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, preexec_fn=own)
        why = child.stderr.read().decode(errors="replace").strip()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        self.seconds = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss / 1024
        self.why = ("given up" if child.returncode < 0 else
                    why[:70] if child.returncode not in (0, 1) else "")


def best(osprof, words, folder, limit, rounds):
    words = [os.path.join(folder, w) if w.startswith("OUT") else w for w in words]
    if words[0] in ("plot", "baseline"):
        words = words + ["--force"]
    took = [Measured([osprof, *words, "-q"], limit) for _ in range(rounds)]
    return min(took, key=lambda m: m.seconds)


def write(dimension, folder, n):
    os.makedirs(folder)
    make = dimension[2]
    return make(folder, n, 0), make(folder, n, 1)


def measure(osprof, dimension, wanted, factor, rounds, limit, every):
    name, n = dimension[0], dimension[1]
    if not wanted:
        return
    with tempfile.TemporaryDirectory() as folder:
        small = write(dimension, os.path.join(folder, "small"), n // factor)
        large = write(dimension, os.path.join(folder, "large"), n)
        read = best(osprof, ["show", "--op", "nothing", *large[0], *large[1]], folder, limit,
                    rounds)
        floor = Measured(["true"], limit).memory
        for (what, few_words), (_, many_words) in zip(dimension[3](*small), dimension[3](*large)):
            if any(fnmatch.fnmatch(what, w) for w in wanted):
                tell(name + "/" + what, best(osprof, few_words, folder, limit, rounds),
                     best(osprof, many_words, folder, limit, rounds), read, factor, floor, every)


OWN = 5  # MiB of osprof that has read nothing


def in_words(growth):
    return "-" if growth is None else "%.2f" % growth


def tell(name, small, large, read, factor, floor, every):
    growth = memory = None
    if small.seconds >= 0.01:
        growth = large.seconds / small.seconds / factor
    if small.memory > floor:
        memory = (large.memory - OWN) / (small.memory - OWN) / factor
    slow = large.seconds > 1 and (growth is None or large.seconds > 10 * read.seconds)
    if every or slow or (memory or 0) > 1.5 or (growth or 0) > 2 or large.why == "given up":
        print("%-32s %8.3f %8.3f %7s %8.1f %8.1f %7s  %s" % (
            name, small.seconds, large.seconds, in_words(growth), large.seconds / read.seconds,
            large.memory, in_words(memory), large.why), flush=True)


def main():
    try:
        given, rest = getopt.getopt(sys.argv[1:], "x:r:t:a")
    except getopt.GetoptError:
        sys.exit(__doc__)
    if not rest:
        sys.exit(__doc__)
    given = dict(given)
    sys.stdout.reconfigure(line_buffering=True)
    pattern = [r.partition("/") for r in rest[1:]] or [("*", "", "")]
    print("%-32s %8s %8s %7s %8s %8s %7s" % (
        "", "small", "large", "growth", "reading", "MiB", "growth"))
    for dimension in DIMENSIONS:
        wanted = [p[2] or "*" for p in pattern if fnmatch.fnmatch(dimension[0], p[0])]
        measure(os.path.realpath(rest[0]), dimension, wanted, int(given.get("-x", 8)),
                int(given.get("-r", 2)), int(given.get("-t", 60)), "-a" in given)


main()
