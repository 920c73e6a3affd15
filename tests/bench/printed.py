# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulated runs (simulate.Run) as the files of several tools. Standard library only.

FORMATS: name -> (suffix, function of a Run, or of a list of them where the file holds repetitions).
"""
import bisect
import collections
import math

START = 1700000000.0


def by_operation(run):
    found = collections.defaultdict(list)
    for c in run.calls:
        found[c.operation].append(round((c.end - c.start) * 1e9))
    return found


def log2_counts(latencies, resolution=1):
    return collections.Counter(math.floor(resolution * math.log2(max(x, 1))) for x in latencies)


def osprof(run, elapsed=True, resolution=4):
    lines = ["osprof 1"]
    if run.started is not None:
        lines.append(f"started {run.started:.3f}")
    lines.append(f"cpu-speed {run.speed * 2.4e9:.0f}")
    if elapsed:
        lines.append(f"elapsed {run.elapsed:.9f}")
    lines.append("unit ns")
    for name, latencies in by_operation(run).items():
        lines += [f"op {name}", f"total {sum(latencies)}", f"buckets log2 {resolution}"]
        lines += [f"{b} {n}" for b, n in sorted(log2_counts(latencies, resolution).items())]
        if run.fixed_duration:
            lines.append("fixed-duration")
    return "\n".join(lines) + "\n"


def interrupted(calls):
    """For each call whether a call of another task begins or ends within it."""
    events = sorted((t, c.task) for c in calls for t in (c.start, c.end))
    times = [t for t, _ in events]
    other = []
    for c in calls:
        i = bisect.bisect_right(times, c.start)
        while i < len(events) and events[i][0] < c.end and events[i][1] == c.task:
            i += 1
        other.append(i < len(events) and events[i][0] < c.end)
    return other


def in_time_order(run, whole, begin, end):
    """A line for a call, or one at its start and one at its end."""
    lines = []
    for c, cut in zip(run.calls, interrupted(run.calls)):
        if cut:
            lines += [(c.start, begin(c)), (c.end, end(c))]
        else:
            lines.append((c.start, whole(c)))
    lines.sort(key=lambda line: line[0])
    return "\n".join(text for _, text in lines) + "\n"


def strace(run):
    """strace -f -ttt -T"""
    began = run.started or START

    def head(c, when):
        return f"{1000 + c.task} {began + when:.6f}"
    return in_time_order(
        run, lambda c: f"{head(c, c.start)} {c.operation}(3) = 0 <{c.end - c.start:.6f}>",
        lambda c: f"{head(c, c.start)} {c.operation}(3 <unfinished ...>",
        lambda c: f"{head(c, c.end)} <... {c.operation} resumed>) = 0 <{c.end - c.start:.6f}>")


def strace_untimed(run):
    """strace -f -T"""
    return in_time_order(
        run, lambda c: f"{1000 + c.task} {c.operation}(3) = 0 <{c.end - c.start:.6f}>",
        lambda c: f"{1000 + c.task} {c.operation}(3 <unfinished ...>",
        lambda c: f"{1000 + c.task} <... {c.operation} resumed>) = 0 <{c.end - c.start:.6f}>")


def perf_trace(run):
    def line(c, what):
        return f"{c.start * 1e3:10.3f} ({(c.end - c.start) * 1e3:6.3f} ms): work/{1000 + c.task} {what}"
    return in_time_order(
        run, lambda c: line(c, f"{c.operation}(fd: 3)".ljust(70) + " = 0"),
        lambda c: f"{c.start * 1e3:10.3f} (         ): work/{1000 + c.task} {c.operation}(fd: 3)".ljust(105) + " ...",
        lambda c: line(c, f" ... [continued]: {c.operation}())".ljust(70) + " = 0"))


def bound(i):
    for suffix, power in (("T", 40), ("G", 30), ("M", 20), ("K", 10)):
        if i >= power:
            return f"{2 ** (i - power)}{suffix}"
    return str(2 ** i)


def bpftrace(run):
    """Histograms by log2, and their sums; no times."""
    lines = ["Attaching 2 probes...", "", ""]
    found = by_operation(run)
    for name, latencies in sorted(found.items()):
        counts = log2_counts(latencies)
        lines.append(f"@ns[{name}]: ")
        for i in range(min(counts), max(counts) + 1):
            bar = "@" * round(52 * counts[i] / max(counts.values()))
            lines.append(f"{f'[{bound(i)}, {bound(i + 1)})':16}{counts[i]:>8} |{bar:52}|")
        lines.append("")
    lines += [""] + [f"@total[{name}]: {sum(latencies)}" for name, latencies in sorted(found.items())]
    return "\n".join(lines) + "\n"


def csv(run):
    """Individual samples with their start."""
    rows = (f"{c.operation},{round(c.start * 1e9)},{round((c.end - c.start) * 1e9)}" for c in run.calls)
    return "operation,start_ns,latency_ns\n" + "\n".join(rows) + "\n"


def pgbench(run):
    """pgbench --log: a transaction a line, when it ended; operations are the numbers of scripts."""
    number = {name: i for i, name in enumerate(sorted({c.operation for c in run.calls}))}
    done = collections.Counter()
    lines = []
    for c in sorted(run.calls, key=lambda c: c.end):
        done[c.task] += 1
        ended = (run.started or START) + c.end
        micros = round((ended - math.floor(ended)) * 1e6) % 1000000
        lines.append(f"{c.task - 1} {done[c.task]} {round((c.end - c.start) * 1e6)} {number[c.operation]} "
                     f"{math.floor(ended)} {micros}")
    return "\n".join(lines) + "\n"


def wrk_time(ns):
    for unit, size in (("s", 1e9), ("ms", 1e6)):
        if ns >= size:
            return f"{ns / size:.2f}{unit}"
    return f"{ns / 1e3:.2f}us"


def wrk(run):
    """wrk --latency: mean, deviation, maximum, percentiles; all calls are requests."""
    x = sorted(round((c.end - c.start) * 1e9) for c in run.calls)
    mean = sum(x) / len(x)
    deviation = math.sqrt(sum((v - mean) ** 2 for v in x) / len(x))
    within = 100 * sum(abs(v - mean) <= deviation for v in x) / len(x)
    rate = len(x) / run.elapsed
    lines = [f"Running {max(1, round(run.elapsed))}s test @ http://127.0.0.1:8080/",
             f"  1 threads and {run.clients} connections",
             "  Thread Stats   Avg      Stdev     Max   +/- Stdev",
             f"    Latency  {wrk_time(mean):>8}  {wrk_time(deviation):>8}  {wrk_time(x[-1]):>8}  {within:6.2f}%",
             f"    Req/Sec  {rate:8.2f}      0.00  {rate:8.2f}   100.00%",
             "  Latency Distribution"]
    lines += [f"     {p}%  {wrk_time(x[min(len(x) - 1, len(x) * p // 100)]):>8}" for p in (50, 75, 90, 99)]
    lines += [f"  {len(x)} requests in {run.elapsed:.2f}s, {len(x) / 1e3:.2f}MB read",
              f"Requests/sec: {rate:9.2f}", "Transfer/sec:      0.10MB"]
    return "\n".join(lines) + "\n"


def prometheus(run, edges=(0.1, 1.0)):
    lines = ["# TYPE request_seconds histogram"]
    for name, latencies in sorted(by_operation(run).items()):
        label = f'route="{name}"'
        for le in edges:
            lines.append(f'request_seconds_bucket{{{label},le="{le}"}} {sum(v <= le * 1e9 for v in latencies)}')
        lines.append(f'request_seconds_bucket{{{label},le="+Inf"}} {len(latencies)}')
        lines.append(f"request_seconds_sum{{{label}}} {sum(latencies) / 1e9:.9f}")
        lines.append(f"request_seconds_count{{{label}}} {len(latencies)}")
    return "\n".join(lines) + "\n"


def go_test(runs):
    """go test -bench . -count=N: of each operation a line a run, with its mean."""
    lines = ["goos: linux", "goarch: amd64", "pkg: example.org/work"]
    for name in sorted({c.operation for c in runs[0].calls}):
        for run in runs:
            latencies = by_operation(run)[name]
            title = "Benchmark" + name.capitalize() + "-2"
            lines.append(f"{title:24} \t{len(latencies):8}\t{sum(latencies) / len(latencies):12.1f} ns/op")
    return "\n".join(lines + ["PASS", "ok  \texample.org/work\t1.234s"]) + "\n"


FORMATS = {
    "osprof": ("osprof", osprof),
    "osprof-untimed": ("osprof", lambda run: osprof(run, elapsed=False)),
    "strace": ("txt", strace),
    "strace-untimed": ("txt", strace_untimed),
    "perf-trace": ("txt", perf_trace),
    "bpftrace": ("txt", bpftrace),
    "csv": ("csv", csv),
    "pgbench": ("log", pgbench),
    "wrk": ("txt", wrk),
    "prometheus": ("prom", prometheus),
    "go-test": ("txt", go_test),
}
REPEATED = {"go-test"}  # one file holds all runs of a side
TIMED = {"osprof", "strace", "perf-trace", "csv", "pgbench", "wrk"}  # elapsed is stated or implied
SYSTEM_CALLS = {"strace", "strace-untimed", "perf-trace", "bpftrace"}
