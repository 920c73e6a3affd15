#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast each text format is read, and with how much memory.

usage: formats.py [-n MB] [-r ROUNDS] [-d FOLDER] [-p] [-g] [-l] OSPROF [CASE...]

A capture of testdata/ is repeated to about so many MB (-n, by default 100), in a way that
keeps it valid, and read by osprof, which shows no operation of it. A line for each case:

    MB/s      of osprof, the median of the rounds (-r, by default 3) after one to warm up
    /wc       how many times as fast as wc -l on the same file in the same rounds
    /mawk     the same for mawk '{n++}'
    MiB       osprof's peak memory; what is below the first line's floor is not seen
    counts    of events: how many osprof counts, of those in the capture repeated

CASE is a format, or FORMAT.WHAT, or a shell pattern of them; by default all. -p gives osprof
a pipe, not a file. -g shows growth instead: processor time a byte of a hundredth, a tenth and
all of so many MB, best of the rounds, for cases that are no events; with intervals (`again`) or
operations (`named`) a hundred times as many it must not grow by more than memory explains. -d
keeps the files in FOLDER and takes those that are there. -l lists the cases.

Before each round as much memory as osprof takes is provided (see memory.py).

Ways to repeat: `again` as it is; `later` with times, or rows, that go on; `named` with other
names each time, so that there are as many operations more. Optimised builds only.
"""
import fnmatch
import getopt
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import memory

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))


class again:
    def __init__(self, text):
        self.text = text

    def copy(self, k):
        return self.text


class later(again):
    """Numbers in group 1 of the pattern, all with as many digits after the point, go on."""

    def __init__(self, text, pattern):
        self.piece, self.number, self.digits = [], [], 0
        at = 0
        for m in re.finditer(pattern, text, re.M):
            whole, _, part = m.group(1).partition(".")
            self.digits = len(part)
            self.piece.append(text[at:m.start(1)])
            self.number.append(int(whole + part))
            at = m.end(1)
        self.rest = text[at:]
        self.span = max(self.number) - min(self.number) + 1

    def time(self, value):
        if self.digits == 0:
            return str(value)
        text = str(value).zfill(self.digits + 1)
        return text[:-self.digits] + "." + text[-self.digits:]

    def copy(self, k):
        add = k * self.span
        return "".join(p + self.time(n + add) for p, n in zip(self.piece, self.number)) + self.rest


class named(again):
    """The number of the repetition follows group 1 of the pattern."""

    def __init__(self, text, pattern):
        self.piece, at = [], 0
        for m in re.finditer(pattern, text, re.M):
            self.piece.append(text[at:m.end(1)])
            at = m.end(1)
        self.piece.append(text[at:])

    def copy(self, k):
        return str(k).join(self.piece)


def processors(text):
    """Of a table of oslat, columns of 64 times as many processors."""
    def cores(m):
        n = 64 * len(m.group(2).split())
        return m.group(1) + " ".join(str(i) for i in range(n))

    text = re.sub(r"^( *Core:\t )([\d ]+)$", cores, text, flags=re.M)
    return re.sub(r"^( *\S+ \(us\):\t )([\d ]+)$",
                  lambda m: m.group(1) + " ".join([m.group(2)] * 64), text, flags=re.M)


SECONDS = r"(\d+\.\d{6})"

# Case, capture, how; then: lines that come but once, before and after what is repeated, and what
# stands between two repetitions; what is cut off of the capture's end; what else is done to it.
EVENTS = [
    ("ab", "ab/slow.tsv", again, {"head": 1}),
    ("babeltrace", "babeltrace/ust-fast-seconds.txt", (later, r"^\[(\d+\.\d{9})\]")),
    ("babeltrace.kernel", "babeltrace/lttng-2.10.txt", again),
    ("babeltrace.perf", "babeltrace/perf-6.1.txt", again),
    ("bcc-events.ext4slower", "bcc-events/ext4slower-03.txt", again),
    ("bcc-events.runqslower", "bcc-events/runqslower.txt", again),
    ("blkparse", "blkparse/two-devices.txt", (later, r"^ *\d+,\d+ +\d+ +\d+ +(\d+\.\d{9})")),
    ("btt-dat", "btt-dat/lat_8,0_d2c.dat", (later, r"^" + SECONDS)),
    ("calls", "calls/pipes.csv", (later, r"^(\d+),"), {"head": 7}),
    ("chrome-trace", "chrome-trace/uftrace.json", again, {"head": 1, "tail": 5, "between": ","}),
    ("criterion", "criterion/calls.csv", again, {"head": 1}),
    ("csv", "csv/samples.csv", again, {"head": 1}),
    ("cyclictest.v", "rt-tests/cyclictest-v.txt", again),
    ("fio-log", "fio/log_clat.1.log", (later, r"^(\d+)")),
    ("dnsperf", "dnsperf/queries.txt", again),
    ("fio-log.offset", "fio/offset_lat.1.log", (later, r"^(\d+)")),
    ("ftrace.events", "ftrace/events.txt", (later, SECONDS + ": ")),
    ("ftrace.graph", "ftrace/funcgraph-abstime.txt", (later, r"^ *" + SECONDS + r" \|")),
    ("ghz", "ghz/pretty.json", again, {"head": 121, "tail": 6, "between": ","}),
    ("ghz.csv", "ghz/calls.csv", again, {"head": 2}),
    ("h2load", "h2load/threads.log", (later, r"^(\d{16})")),
    ("haproxy", "haproxy/syslog.log", again),
    ("hey.csv", "hey/requests.csv", again, {"head": 1}),
    ("hwlatdetect", "rt-tests/hwlatdetect-several.txt", (later, r"^ts: (\d+\.\d{9})"),
     {"head": 15}),
    ("hyperfine", "hyperfine/two-commands.json", again, {"head": 2, "tail": 2, "between": ","}),
    ("jmh.calls", "jmh/calls.json", again, {"head": 1, "tail": 3, "between": ","}),
    ("jmeter", "jmeter/good.jtl", again, {"head": 1}),
    ("gatling-log", "gatling-log/3.9.log", again, {"head": 2}),
    ("k6", "k6/request.csv", again, {"head": 1}),
    ("ltrace", "ltrace/T-tt-S.txt", again),
    ("mysql-slow", "mysql-slow/good.log", again, {"head": 3}),
    ("nginx", "nginx/good.log", again),
    ("numbers", "numbers/curl-time_total.txt", again),
    ("oha.csv", "oha/requests.csv", again, {"head": 1}),
    ("perf-kwork.timehist", "perf-kwork/timehist.txt", (later, r"^ +" + SECONDS), {"head": 3}),
    ("perf-sched.timehist", "perf-sched/timehist.txt", (later, r"^ +" + SECONDS), {"head": 3}),
    ("perf-script.block", "perf-script/block-irq-sched.txt", (later, r"(\d+\.\d{9}): ")),
    ("perf-script.ns", "perf-script/syscalls-ns.txt", (later, r"(\d+\.\d{9}): ")),
    ("perf-script.syscalls", "perf-script/syscalls.txt", (later, SECONDS + ": ")),
    ("perf-trace.calls", "perf-trace/calls.txt", (later, r"^ +(\d+\.\d{3}) \(")),
    ("pgbench", "pgbench/thread-0.log", again),
    ("ping", "ping/ping.txt", again),
    ("postgresql", "postgresql/text.log", again),
    ("postgresql.csv", "postgresql/log.csv", again),
    ("postgresql.json", "postgresql/log.json", again),
    ("pytest-benchmark", "pytest-benchmark/pedantic.json", again,
     {"head": 30, "tail": 4, "between": ","}),
    ("sipp", "sipp/rtt.csv", again, {"head": 1}),
    ("sockperf", "sockperf/ping-pong.csv", again, {"head": 22}),
    ("strace", "strace/T-f-ttt.txt", (later, r"^\d+ +" + SECONDS)),
    ("strace.ns", "strace/ns-tt-f-terminal.txt", again),
    ("sysdig", "sysdig/haproxy-relative.txt", (later, r"^\d+ (\d+\.\d{9})")),
    ("trace-cmd", "trace-cmd/report.txt", (later, r"\] \S+ (\d+\.\d+): "), {"head": 3}),
    ("uftrace.dump", "uftrace/dump-cpp.txt", again),
    ("uftrace.replay", "uftrace/replay-fields.txt", again, {"head": 1}),
    ("ycsb.raw", "ycsb/raw.csv", again, {"head": 4, "tail": 44}),
]
# Histograms that come again ...
PRINTS = [
    ("bcachefs", "bcachefs/prints.txt", again),
    ("bcc", "bcc/biolatency-D-F.txt", again),
    ("bcc-json", "bcc-json/biolatency-jF-per-flags.txt", again),
    ("bcc-summary", "bcc-summary/syscount-L.txt", again),
    ("bpftool", "bpftool/bpftrace-percpu.txt", again),
    ("bpftrace", "bpftrace/maps-with-totals.txt", again),
    ("bpftrace-json", "bpftrace/maps-with-totals.json", again),
    ("ceph", "ceph/twice.json", again),
    ("criterion.summary", "criterion/all.csv", again),
    ("cyclictest.h", "rt-tests/cyclictest-h.txt", again),
    ("dmstats", "dmstats/intervals.txt", again),
    ("dmstats-print", "dmstats-print/cleared.txt", again),
    ("dtrace", "dtrace/toolkit-lockbydist-02.txt", again),
    ("filebench", "filebench/psrun-cleared.txt", again),
    ("fio", "fio/three-kinds.json", again),
    ("fio-hist-log", "fio/hist-two-jobs.log", (later, r"^(\d+)")),
    ("fio-terse", "fio/terse-v5.txt", again),
    ("foundationdb", "foundationdb/trace.json", again),
    ("function-profile", "function-profile/one-thread.txt", again),
    ("gluster", "gluster/prints.txt", again),
    ("go-test", "go-test/packages.txt", again),
    ("google-benchmark", "google-benchmark/repetitions.json", again),
    ("hgrm", "hgrm/processor.hgrm", again),
    ("hist-trigger", "hist-trigger/log2-multi-key.hist", again),
    ("hlog", "hlog/ycsb-V1-subject.hlog", again),
    ("iolatency", "iolatency/default.txt", again),
    ("jmh", "jmh/sample.json", again, {"head": 1, "tail": 3, "between": ","}),
    ("lock-stat", "lock-stat/four-threads.txt", again),
    ("locust", "locust/run.json", again),
    ("lustre", "lustre/snapshots.txt", again),
    ("memtier", "memtier/all-runs.json", again, {"head": 56, "tail": 2972}),
    ("memaslap", "memaslap/S-1s.txt", again),
    ("mongodb", "mongodb/manual.txt", again),
    ("mountstats", "mountstats/prints.txt", again),
    ("mysql", "mysql/box.txt", again),
    ("osprof.intervals", "osprof/intervals.osprof", (later, r"(?<=[l\d] )(\d+\.\d{3})"),
     {"head": 21, "cut": 24}),
    ("otlp", "otlp/delta.ndjson", again),
    ("perf-kvm", "perf-kvm/four-reports.txt", again),
    ("perf-lock", "perf-lock/stacks.txt", again),
    ("perf-sched.latency", "perf-sched/latency.txt", again),
    ("perf-trace.summary", "perf-trace/summary-threads.txt", again),
    ("pg-test-timing", "pg-test-timing/sources.txt", again),
    ("prometheus", "prometheus/python.prom", again),
    ("prometheus-json", "prometheus-json/three-queries.json", (later, r'"value":\[([\d.]+)')),
    ("prometheus-json.native", "prometheus-json/native.json", (later, r'"histogram":\[([\d.]+)')),
    ("promtool", "promtool/instant.txt", (later, r"@\[([\d.]+)")),
    ("redis-benchmark", "redis-benchmark/not-a-terminal.txt", again),
    ("redis-info", "redis-info/prints.txt", again),
    ("redis-latency", "redis-latency/raw.txt", again),
    ("redis-latency.json", "redis-latency/json.json", again),
    ("rocksdb", "rocksdb/leveldb.txt", again),
    ("rocksdb.dumps", "rocksdb/dumps.LOG", again),
    ("schbench", "schbench/default.txt", (later, r"runtime (\d+) "), {"cut": 2}),
    ("sipp.statistics", "sipp/stat.csv", (later, r"(?<=\t)(\d{10}\.\d{6});\d\d:"), {"head": 1}),
    ("smbstatus", "smbstatus/prints.txt", again),
    ("stress-ng", "stress-ng/fifo.txt", again),
    ("sysbench", "sysbench/checkpoints.txt", again),
    ("systemtap", "systemtap/biolatency-nd-03.txt", again),
    ("trace-cmd-profile", "trace-cmd-profile/two-tasks.txt", again),
    ("vegeta", "vegeta/hist.txt", again),
    ("vegeta.json", "vegeta/several.json", again),
    ("vitest", "vitest/two-files.json", again, {"head": 2, "tail": 2, "between": ","}),
    ("wrk", "wrk/two-runs.txt", again),
    ("ab-report", "reports/ab.txt", again),
    ("fio-report", "reports/fio.txt", again),
    ("ycsb", "ycsb/histogram.txt", again),
    ("zpool", "zpool/intervals.txt", again),
]
# ... and those of as many operations.
OPERATIONS = [
    ("bcachefs.named", "bcachefs/time_stats.txt", (named, r"^==> (\w+)")),
    ("bcc.named", "bcc/biolatency-D-F.txt", (named, r"^disk = (\w+)")),
    ("btt.named", "btt/two-devices.txt", (named, r"^([A-Z]2[A-Z])"), {"head": 6, "cut": 141}),
    ("bpftool-json.named", "bpftool-json/runqlat-types.json", (named, r'^ +"key": (\d+)'),
     {"head": 1, "tail": 1, "between": ",{\n"}),
    ("bpftrace.named", "bpftrace/maps-with-totals.txt", (named, r"^@\w+\[([^\]]*)\]")),
    ("bpftrace-json.named", "bpftrace/maps-with-totals.json", (named, r'"(@\w+)"')),
    ("ceph.named", "ceph/dump.json", (named, r'(?:^\{|\},)"(\w+)(?=":\{"\w+":\d)')),
    ("csv.buckets", "csv/buckets.csv", (named, r"^(\w+)"), {"head": 3}),
    ("dbench.named", "dbench/two-clients.txt", (named, r"^ ([A-Z]\w+)(?= +\d)"),
     {"head": 13, "tail": 2}),
    ("dmstats.named", "dmstats/report.txt", (named, r"^(fast|slow)"), {"head": 1}),
    ("dtrace.named", "dtrace/toolkit-lockbydist-02.txt", (named, r"^ +([a-z][\w.]*) *$")),
    ("hist-trigger.named", "hist-trigger/log2-multi-key.hist", (named, r"pid: +(\d+)")),
    ("filebench.named", "filebench/psrun-cleared.txt", (named, r"^([a-z]\w*) +\d+ops")),
    ("fio.named", "fio/three-kinds.json", (named, r'"jobname" : "(\w+)')),
    ("foundationdb.named", "foundationdb/trace.json", (named, r'"Op": "(\w+)')),
    ("function-profile.named", "function-profile/one-thread.txt", (named, r"^  (\w+)(?= +\d)")),
    ("gluster.named", "gluster/cumulative.txt", (named, r"^Brick: client:/(bricks)")),
    ("jitterdebugger.named", "jitterdebugger/idle.json", (named, r'^    "(\d+)(?=": \{)'),
     {"head": 12, "tail": 2, "between": ","}),
    ("lock-stat.named", "lock-stat/four-threads.txt", (named, r"^ +([^\s-][^:\n]*)(?=: +\d)"),
     {"head": 5}),
    ("lustre.named", "lustre/snapshots.txt", (named, r"^obdfilter\.([\w-]+)")),
    ("mountstats.named", "mountstats/v3-and-v4.txt", (named, r"mounted on (/mnt/v\d)")),
    ("osprof.intervals.named", "osprof/intervals.osprof", (named, r"^op (\w+)"), {"head": 3}),
    ("osprof.named", "osprof/small.osprof", (named, r'^(?:op|layer) "?(\w+)'), {"head": 3}),
    ("pg-stat-statements.named", "pg-stat-statements/index.csv", (named, r"^10,5,t,-?\d+,\"?(\w+)"),
     {"head": 1}),
    ("perf-ftrace.named", "perf-ftrace/profile.txt", (named, r" +([a-z_]\w+)$"), {"head": 1}),
    ("plain.named", "plain/proc.txt", (named, r'^(?!total|count|ops|checksum)"?([A-Za-z]\w+)'), {"head": 3}),
    ("prometheus.named", "prometheus/python.prom", (named, r"^(?:# [A-Z]+ )?([a-z]+)(?=_)")),
    ("prometheus-json.named", "prometheus-json/vector.json", (named, r'"handler":"([^"]+)')),
    ("promtool.named", "promtool/instant.txt", (named, r'handler="([^"]+)')),
    ("redis-benchmark.named", "redis-benchmark/not-a-terminal.txt",
     (named, r"====== ([A-Z]+)(?!.*elements)")),
    ("rt-tests-json.named", "rt-tests/cyclictest.json", (named, r'^    "(\d+)(?=": \{)'),
     {"head": 18, "tail": 2, "between": ","}),
    ("strace-c.named", "strace-c/c-f.txt", (named, r"^ *\d.* (\w+)$"), {"head": 2, "tail": 2}),
    ("systemtap.named", "systemtap/biolatency-nd-03.txt", (named, r"^(\w+) latency")),
    ("tshark-srt.named", "tshark-srt/plain.txt", (named, r"^ +\d+  (\w+)"),
     {"head": 5, "tail": 1}),
    ("uftrace-report.named", "uftrace-report/report.txt", (named, r" ([a-z_]\S+)$"), {"head": 2}),
]
# One table of ever more rows.
TABLES = [
    ("fortio.rows", "fortio/nighthawk.json", (later, r'"(?:Start|End)": (\d+\.\d{9})'),
     {"head": 9, "tail": 288, "between": ","}),
    ("oslat.rows", "rt-tests/oslat-b1000.txt", (later, r"^ +(\d+) \(us\):"),
     {"head": 15, "cut": 7, "make": processors}),
    ("rtla.rows", "rtla/timerlat.txt", (later, r"^(\d+) "), {"head": 4, "tail": 5}),
]


NOTHING = "no operation is called so"
CASES = EVENTS + PRINTS + OPERATIONS + TABLES


def option(case, name, otherwise):
    return case[3].get(name, otherwise) if len(case) > 3 else otherwise


def scale(case, size, path):
    """Writes the file; how often the capture is repeated in it."""
    how, pattern = case[2] if isinstance(case[2], tuple) else (case[2], None)
    with open(os.path.join(ROOT, "testdata", case[1]), newline="") as capture:
        text = option(case, "make", str)(capture.read())
    line = text.splitlines(keepends=True)
    line = line[:len(line) - option(case, "cut", 0)]
    head, tail = option(case, "head", 0), len(line) - option(case, "tail", 0)
    body = "".join(line[head:tail])
    body = how(body, pattern) if pattern else how(body)
    n = 0
    with open(path + ".part", "w", newline="") as f:
        f.write("".join(line[:head]))
        while n == 0 or f.tell() < size:
            f.write(option(case, "between", "") if n > 0 else "")
            f.write(body.copy(n))
            n += 1
        f.write("".join(line[tail:]))
    os.rename(path + ".part", path)
    with open(path + ".times", "w") as f:
        f.write(str(n))
    return n


def run(command, stdin, stdout):
    """Status, seconds, peak memory in bytes: of this process alone."""
    start = time.perf_counter()
    child = subprocess.Popen(command, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE)
    why = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.stderr.write(why.decode(errors="replace"))
    return child.returncode, time.perf_counter() - start, usage.ru_maxrss * 1024


def show(osprof, path, stdout, pipe=False, op="*"):
    command = [osprof, "show", "-q", "-f", "json", "--max-input", str(1 << 40), "--op", op]
    if not pipe:
        return run([*command, path], subprocess.DEVNULL, stdout)
    with subprocess.Popen(["cat", path], stdout=subprocess.PIPE) as cat:
        return run([*command, "-"], cat.stdout, stdout)


def counted(osprof, path):
    """The sum of all counts of all operations; None when it could not be read."""
    with tempfile.TemporaryFile() as out:
        if show(osprof, path, out)[0] != 0:
            return None
        out.seek(0)
        # Line by line: 100,000 operations as one value would be more memory than osprof's.
        return sum(int(m.group(1)) for m in
                   (re.match(rb'     "count": (\d+)', row) for row in out) if m)


def measure(osprof, path, rounds, pipe):
    peers = {"osprof": None, "wc": ["wc", "-l", path],
             "mawk": ["mawk", "{n++} END {print n}", path]}
    seconds, peak = {name: [] for name in peers}, 0
    for i in range(rounds + 1):
        for name, command in peers.items():
            if command is None:
                memory.provide(peak)
                # Of no operation: what is read is measured, not what is written of it.
                status, took, held = show(osprof, path, subprocess.DEVNULL, pipe, NOTHING)
                peak = max(peak, held)
            else:
                status, took, _ = run(command, subprocess.DEVNULL, subprocess.DEVNULL)
            if status != 0:
                return None
            if i > 0:
                seconds[name].append(took)
    return {name: statistics.median(took) for name, took in seconds.items()}, peak


def bench(osprof, case, size, rounds, folder, pipe, keep):
    path = os.path.join(folder, "%s.%d" % (case[0], size))
    if os.path.exists(path + ".times"):
        with open(path + ".times") as f:
            n = int(f.read())
    else:
        n = scale(case, size, path)
    figures = measure(osprof, path, rounds, pipe)
    if figures is None:
        print("%-24s was not read" % case[0], flush=True)
        return False
    seconds, peak = figures
    ours, share = seconds["osprof"], ""
    if case in EVENTS:
        once = counted(osprof, os.path.join(ROOT, "testdata", case[1]))
        share = "%.1f%%" % (100 * counted(osprof, path) / (once * n))
    print("%-24s %8.1f %7.3f %7.3f %7.1f %8s" % (
        case[0], os.path.getsize(path) / ours / 1e6, seconds["wc"] / ours, seconds["mawk"] / ours,
        peak / (1 << 20), share), flush=True)
    if not keep:
        os.unlink(path)
        os.unlink(path + ".times")
    return True


def growth(osprof, case, size, rounds, folder):
    path, cost = os.path.join(folder, case[0]), []
    for part in (100, 10, 1):
        scale(case, size // part, path)
        took = [processor(osprof, path) for _ in range(rounds)]
        if None in took:
            print("%-24s was not read" % case[0], flush=True)
            return False
        cost.append(min(took) / os.path.getsize(path) * 1e9)
    print("%-24s %8.1f %8.1f %8.1f %8.2f" % (case[0], *cost, cost[2] / cost[1]), flush=True)
    return True


def processor(osprof, path):
    """Seconds of processor time; None when it could not be read."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    if show(osprof, path, subprocess.DEVNULL, op=NOTHING)[0] != 0:
        return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def usage():
    sys.exit(__doc__)


def main():
    try:
        given, rest = getopt.getopt(sys.argv[1:], "n:r:d:pgl")
    except getopt.GetoptError:
        usage()
    given = dict(given)
    if "-l" in given:
        for case in CASES:
            print("%-24s testdata/%s" % case[:2])
        return
    if not rest:
        usage()
    osprof, wanted = os.path.realpath(rest[0]), rest[1:] or ["*"]
    cases = [c for c in CASES if any(fnmatch.fnmatch(c[0], w) or
                                     fnmatch.fnmatch(c[0].partition(".")[0], w) for w in wanted)]
    size, rounds = int(float(given.get("-n", 100)) * 1e6), int(given.get("-r", 3))
    if not cases or size <= 0 or rounds <= 0:
        usage()
    if "-g" in given:
        print("%-24s %8s %8s %8s %8s" % ("ns a byte of", size // 100, size // 10, size, "growth"))
        with tempfile.TemporaryDirectory() as folder:
            read = [growth(osprof, c, size, rounds, folder) for c in cases if c not in EVENTS]
        sys.exit(not all(read))
    floor = run(["true"], subprocess.DEVNULL, subprocess.DEVNULL)[2]
    print("%d MB each, %s; memory below %.1f MiB is not seen" % (
        size // 1000000, "from a pipe" if "-p" in given else "from a file", floor / (1 << 20)))
    print("%-24s %8s %7s %7s %7s %8s" % ("case", "MB/s", "/wc", "/mawk", "MiB", "counts"))
    with tempfile.TemporaryDirectory() as own:
        folder = given.get("-d", own)
        os.makedirs(folder, exist_ok=True)
        read = [bench(osprof, c, size, rounds, folder, "-p" in given, "-d" in given)
                for c in cases]
    sys.exit(not all(read))


main()
