#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts of captures, found a second way: by regular expressions over the text.

	tests/oracle/counts.py testdata

Compares the calls of each operation that captures.expect holds with those counted
here, as sorted lists; of files with several prints only the sum of all, or of
the last print where they are cumulative.  Not a test: run it when expectations
of these formats change.  Shares nothing with the readers.
"""
import csv
import io
import json
import pathlib
import re
import sys
from collections import Counter, OrderedDict

import expectations


def expected(profile):
    """Calls of each operation in what is expected, and whether there are intervals."""
    calls, stated, intervals, skip = OrderedDict(), {}, False, False
    for line in profile.splitlines():
        word, _, rest = line.partition(" ")
        if word == "layer":
            layer = rest
        elif word == "op":
            op, skip = (locals().get("layer", ""), rest), False
            calls[op] = 0
        elif word == "interval":
            intervals = skip = True
        elif not skip and re.fullmatch(r"-?\d+|under|over|zero|below", word):
            calls[op] += int(rest)
        elif not skip and word == "count":
            stated[op] = int(rest)
    return {o: n or stated.get(o, 0) for o, n in calls.items()}, intervals


def aggregations(text, row, head):
    """One sum a table; None where a count is below zero."""
    tables, inside = [], False
    for line in text.splitlines():
        line = re.sub(r"^\s*(\^C)*\s*", "", line)
        if re.match(head, line):
            tables.append(0)
            inside = True
            continue
        found = re.match(row, line) if inside else None
        if found:
            n = int(found.group(1))
            tables[-1] = None if n < 0 or tables[-1] is None else tables[-1] + n
    return [t for t in tables if t is not None]


def dtrace(text):
    return aggregations(text, r"(?:(?:<=|>=|<|abs\(\) <)?\s*-?\d+)\s[ @]*\|[ @]*\s(-?\d+)\s*$",
                        r"value  -+ Distribution -+ count")


def systemtap(text):
    return aggregations(text, r"[<>]?-?\d+ \|@*\s*(\d+)\s*$", r"value \|-+ count")


def traced(text):
    """strace -T, ltrace -T: lines that end in a duration, by the name before the bracket."""
    calls = Counter()
    text = re.sub(r"strace: Process \d+ (attached|detached)\n", "", text)  # within a line
    for line in text.splitlines():
        if not re.search(r"\)\s*= .*<[\d.]+>\s*$", line):
            continue
        resumed = re.search(r"<\.\.\. (\S+) resumed>", line)
        plain = re.match(r"(?:\[pid +\d+\] |\d+(?:<[^>]*>)? +)?(?:\d[\d:.]+ |\s*\(\+ +[\d.]+\) | +\d+\.\d+ )*"
                         r"([^\s(]+)\(", line)
        if plain or resumed:
            calls[plain.group(1) if plain else resumed.group(1)] += 1
    return list(calls.values())


def summary(text):
    """strace -c, ltrace -c: the column of calls, found by the head's words."""
    calls, at, width = [], None, 0
    for line in text.splitlines():
        words = line.replace("% time", "%time").split()
        if "calls" in words:
            at, width, errors = words.index("calls"), len(words), "errors" in words
            shift = errors and words.index("errors") < at
        elif at is not None and words and not line.startswith("-") and "total" not in words:
            k = at - 1 if shift and len(words) < width else at
            if words[k].isdigit():
                calls.append(int(words[k]))
    return calls


def uftrace(text):
    """Exits of dumped threads that close an entry; durations of a replay."""
    calls, stack, thread = Counter(), {}, True
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("reading "):
            thread = bool(re.match(r"reading \d+\.dat", line))
        record = re.match(r"\d+\.\d{9} +(\d+): \[(entry|exit |lost )\](?: (.*)\([^()]*\) depth)?", line)
        if record and thread:
            tid, what, name = record.groups()
            opened = stack.setdefault(tid, [])
            if what == "entry":
                opened.append(name)
            elif what == "lost ":
                opened.clear()
            elif name in opened:
                while opened.pop() != name:
                    pass
                calls[name] += 1
        replay = re.match(r"(?:\+ )?[\d.]+ +(?:us|ms|s|m|h) \[ *\d+\].*?\| *(?:\}.*?)?(.*)", line)
        if replay and "FUNCTION" not in line:
            body = replay.group(1)
            comment = re.search(r"/\* (.*) \*/$", line)
            name = comment.group(1) if comment else body.split("(")[0]
            calls[name.replace("sched-in", "schedule")] += 1
    return list(calls.values())


def uftrace_report(text):
    """The number that stands alone before the name."""
    found = (re.search(r"(?:[mu]s|\bs) +(\d+)  (?:.*%  )?\S", line) for line in text.splitlines())
    return [int(f.group(1)) for f in found if f]


def chrome(text):
    """Complete events, and ends that close a begin."""
    calls, stack = Counter(), {}
    for event in json.loads(text)["traceEvents"]:
        opened = stack.setdefault((event["pid"], event.get("tid")), [])
        if event["ph"] == "X":
            calls[event["name"]] += 1
        elif event["ph"] == "B":
            opened.append(event["name"])
        elif event["ph"] == "E" and opened:
            calls[opened.pop()] += 1
    return list(calls.values())


def sysbench(text):
    """The rows of the histogram; without one the stated events."""
    rows = re.findall(r"^ *[\d.]+ \|\** +(\d+)$", text, re.M)
    events = re.findall(r"total number of events: +(\d+)", text)
    return [sum(map(int, rows or events))]


def filebench(text):
    """The sum of each list; the stated operations where there is none."""
    calls = []
    for line in text.splitlines():
        row = re.match(r"\S+ +(\d+)ops .*?(?:\t\[ (.*) \])?$", line)
        if row and "ops/s" in line:
            calls.append(sum(map(int, row.group(2).split())) if row.group(2) else int(row.group(1)))
    return calls


def lustre(text):
    """Both columns of each table of latencies; the last of each where they come again."""
    tables, target, at = OrderedDict(), "", None
    for line in text.splitlines():
        if line.endswith("_stats="):
            target = line
        title = re.match(r"(I/O time|block maps msec).*\|", line)
        row = re.match(r"\d+[KMG]?:\s+(\d+)\s+\d+\s+\d+\s+\|\s+(\d+)", line)
        if title:
            at = (target, title.group(1))
            tables[at] = [0, 0]
        elif row and at:
            tables[at][0] += int(row.group(1))
            tables[at][1] += int(row.group(2))
        elif not row:
            at = None
    return [n for pair in tables.values() for n in pair] + counters(text)


def counters(text):
    """Samples of microseconds in Lustre's stats and job_stats, of the last print."""
    found, where, job = OrderedDict(), "", ""
    for line in text.splitlines():
        if re.match(r"\S+stats=$", line):
            where, job = line, ""
        job = line if line.startswith("- job_id:") else job
        m = re.match(r"(\S+) +(\d+) samples \[usecs?\] \d", line) or \
            re.match(r" +(\S+): +\{ samples: +(\d+), unit: usecs,", line)
        if m and int(m.group(2)):
            found[where, job, m.group(1)] = int(m.group(2))
    return list(found.values())


def mountstats(text):
    """Calls of each operation, once for each stage that has no sum below zero; of the last
    print."""
    found = OrderedDict()
    for mount in re.split(r"(?m)^device ", text):
        place, _, rows = mount.partition("per-op statistics")
        for name, *n in re.findall(r"(\S+): (\d+) \d+ \d+ \d+ \d+ (\d+) (\d+) (\d+)", rows):
            for i, ms in enumerate(n[1:]):
                if int(n[0]) and int(ms) < 2 ** 63:
                    found[place.split("\n")[0], name, i] = int(n[0])
    return list(found.values())


def dmstats(text):
    """Sums of what stands after the colons, over all tables; rows of the first row's kind."""
    calls, kind = Counter(), None
    for table in text.strip().split("\n\n"):
        at = Counter()
        for line in table.splitlines()[1:]:
            words = line.split()
            kind = kind or next(w for w in words if w in ("area", "region", "group"))
            bins = re.findall(r"[^\s,:]+: *(\d+)(?=,|\s*$)", line)
            if kind not in words or not bins:
                continue
            key = words[0], line.split(kind)[0]
            calls[key, at[key]] += sum(map(int, bins))
            at[key] += 1
    return list(calls.values())


def dmstats_print(text):
    """Reads, writes and sums of bins (where there is a list); the last of each area where no
    number shrinks, else their sum."""
    listed, prints = "histogram:" in text, OrderedDict()
    for area, n in re.findall(r"(?m)^(\d+\+\d+)((?: [\d:]+){13,14})$", text):
        n = n.split()
        row = [int(n[0]), int(n[4])]
        if listed and len(n) == 14:
            row.append(sum(map(int, n[13].split(":"))))
        prints.setdefault((area, len(n[-1].split(":"))), []).append(row)
    found = []
    for rows in prints.values():
        grows = all(a <= b for x, y in zip(rows, rows[1:]) for a, b in zip(x, y))
        found += [n for i, n in enumerate(rows[-1] if grows else map(sum, zip(*rows)))
                  if n or i == 2]
    return found


def gluster(text):
    """Calls of what took time, of the first section's kind; the last of each cumulative one,
    the sums of intervals."""
    found, brick, kind, first = OrderedDict(), "", "", ""
    for line in text.splitlines():
        brick = line if line.startswith("Brick:") else brick
        if line.endswith(" Stats:"):
            kind = line.split()[0]
            first = first or kind
        m = re.match(r" +[\d.]+(?: +[\d.]+ [nu]s){2} +([\d.]+) [nu]s +(\d+) +(\w+)$", line)
        if m and kind == first and float(m.group(1)):
            before = found.get((brick, m.group(3)), 0) if kind == "Interval" else 0
            found[brick, m.group(3)] = before + int(m.group(2))
    return list(found.values())


def perf_kvm(text):
    """Samples of rows, which end in their deviation; those named alike are added up."""
    found, scope, table = OrderedDict(), "", ""
    for line in text.splitlines():
        scope = line if line.startswith("Analyze events") else scope
        table = (scope, line.split(" Samples ")[0]) if "Avg time" in line else table
        m = re.match(r" *(\S.*?) +(\d+) +[\d.]+% +[\d.]+% +\S+us .*\( \+- *[\d.]+% \)$", line)
        if m:
            found[table, m.group(1)] = found.get((table, m.group(1)), 0) + int(m.group(2))
    return list(found.values())


def ceph(text):
    """Sums of all values of histograms with an axis of latencies, and averages of times, of the
    last dump."""
    found, decoder, text = OrderedDict(), json.JSONDecoder(), text.strip()
    while text:
        dump, end = decoder.raw_decode(text)
        text = text[end:].strip()
        for group, counters in dump.items():
            for name, c in counters.items():
                if not isinstance(c, dict):
                    continue
                if any(a["name"].startswith("Latency ") for a in c.get("axes", [])):
                    found[group, name] = sum(sum(v) if isinstance(v, list) else v
                                             for v in c["values"])
                elif c.get("avgcount") and "avgtime" in c:
                    found[group, name] = c["avgcount"]
    return list(found.values())


def bcachefs(text):
    """What was counted in each file, and at all; the last of each."""
    found, name = OrderedDict(), ""
    for line in text.splitlines():
        name = line if line.startswith("==> ") else name
        m = re.match(r"count: +([1-9]\d*)$", line)
        if m:
            found[name] = int(m.group(1))
    return list(found.values())


def zpool(text):
    """Sums of columns; the first table of a name counts only if there is no other.  With -H
    a name is followed by rows with tabs, the first of them labelled 1."""
    tables, name, before = [], None, ""
    for line in text.splitlines():
        words = line.split()
        if words[:1] == ["latency"]:
            name = before.split()[0]
            tables.append((name, [0] * (len(words) - 1)))
            row = r"\d+[num]?s$"
        elif line.startswith("1\t"):
            name, row = before, r"\d+$"
            tables.append((name, [0] * (len(words) - 1)))
        if name and re.match(row, words[0] if words else ""):
            for i, word in enumerate(words[1:]):
                power = "KMGTPE".find(word[-1]) + 1
                tables[-1][1][i] += round(float(word[:-1]) * 1024**power) if power else int(word)
        before = line
    kept, seen = OrderedDict(), set()
    many = len(tables) > len(set(t[0] for t in tables))
    for name, sums in tables:
        if not many or name in seen:
            kept[name] = [a + b for a, b in zip(kept.get(name, [0] * len(sums)), sums)]
        seen.add(name)
    return [n for sums in kept.values() for n in sums]


def rocksdb(text):
    """Rows of histograms in us or ns, the last print of those that dumps repeat; counts of
    statistics in them."""
    tables, title, at = OrderedDict(), "", None
    where = ""
    for line in text.splitlines():
        row = re.match(r"[\[(] *\d+, *\d+ [\])] *(\d+) ", line)
        statistic = re.match(r"(rocksdb\.\S+(?:micros|nanos)) .*COUNT : (\d+) SUM : \d+", line)
        if re.search(r" : .*micros/op", line):
            where = line.split(":")[0].split("\r")[-1]
        if re.match(r"Count: ", line):
            timed = re.match(r"Microseconds per |.*\((?:micros|us|ns|nanos)\):$", title)
            at = (where, title) if timed else None
            tables[at] = 0
        elif row:
            tables[at] += int(row.group(1))
        elif statistic:
            tables[statistic.group(1)] = int(statistic.group(2))
        title = line
    tables.pop(None, None)
    return [n for n in tables.values() if n]


def foundationdb(text):
    """LessThan members of histograms of milliseconds, by group and operation."""
    calls = Counter()
    for line in text.splitlines():
        pairs = dict(re.findall(r'"?(\w[\w.]*)"?(?:=|: )"([^"]*)"', line))
        if pairs.get("Type") == "Histogram" and pairs.get("Unit") == "milliseconds":
            calls[pairs["Group"], pairs["Op"]] += sum(
                int(v) for k, v in pairs.items() if k.startswith("LessThan"))
    return list(calls.values())


def blkparse(text):
    """Completions of what was issued, by device and kind at the issue."""
    calls, issued = Counter(), {}
    for line in text.splitlines():
        event = re.match(r"\s*(\d+,\d+)\s+\d+\s+\d+\s+[\d.]+\s+\d+\s+([DCR])\s+(\w+) ?(?:(\d+) \+)?", line)
        if not event:
            continue
        device, action, kind, sector = event.groups()
        if action == "D":
            issued[device, sector] = kind
        elif (device, sector) in issued:
            kind = issued.pop((device, sector))
            calls[device, kind] += action == "C"
    return [n for n in calls.values() if n]


def btt(text):
    """The last number of each row of All Devices but those between requests."""
    text = text[text.index("= All Devices ="):].split("\n====")[0]
    rows = re.findall(r"^(\w+) +[\d.]+ +[\d.]+ +[\d.]+ +(\d+)\s*$", text, re.M)
    return [int(n) for name, n in rows if not re.match("Q2Q|Q2A|D2D", name)]


def btt_dat(text):
    return [len([line for line in text.splitlines() if line.strip()])]


def tshark_srt(text):
    """Rows by their end: calls and four times."""
    return [int(n) for n in re.findall(r"^ *\d+  .* (\d+)(?: +\d+\.\d{6}){4}$", text, re.M)]


def haproxy(text):
    """Timers of lines with a date in brackets, by their place, how many there are, and backend."""
    calls = Counter()
    for backend, timers in re.findall(r"\d\.\d{3}\] [^ /]+ ([^ /]+)/\S+ ([-+\d/]+) ", text):
        timer = timers.split("/")
        for k, ms in enumerate(timer):
            if ms.isdigit():
                calls[("request" if len(timer) == 5 else "connection", k, backend)] += 1
    names = Counter()
    for (kind, k, backend), n in calls.items():
        names[(["TR", "Tw", "Tc", "Tr", "Ta"] if kind == "request" else ["Tw", "Tc", "Tt"])[k],
              backend] += n
    return list(names.values())


def postgresql(text):
    """Whole messages, by what was done and the first word after comments and brackets."""
    if text.startswith("{"):
        messages = [json.loads(line)["message"] for line in text.splitlines()]
    elif re.match(r"[-\d: .]+[A-Z]+,", text):
        messages = [row[13] for row in csv.reader(io.StringIO(text)) if row[11] == "LOG"]
    else:
        messages = [m[1] for m in re.finditer(r"(?m)^[^\t\n]*?LOG:  ((?:.*\n)(?:\t.*\n)*)", text)
                    if not re.search(r"[A-Z]:  .*LOG:  ", m[0])]
    calls = Counter()
    for message in messages:
        m = re.match(r"duration: [\d.]+ ms(?:  (\w+)[^:]*:((?s:.*)))?", message)
        if m and m[1]:
            query = re.sub(r"(?s)^\s*Query Text:|/\*.*?\*/|--[^\n]*|[\s(;]", " ", m[2]).split()
            word = query[0].upper() if query and query[0][0].isalpha() else "other"
            calls[m[1], word] += 1
        elif m:
            calls["duration"] += 1
    return list(calls.values())


def mysql_slow(text):
    """Pieces after lines of times, without comments; each time counts once."""
    calls = Counter()
    for piece in re.split(r"(?m)^# Query_time: [\d.]+  Lock_time: [\d.]+ .*\n", text)[1:]:
        command = re.search(r"(?m)^# administrator command", piece)
        piece = re.sub(r"(?m)^(#.*|use .*;|SET [\w=,]*timestamp=\d+;)$", "", piece)
        query = re.sub(r"(?s)/\*.*?\*/|--[^\n]*|[\s(;]", " ", piece).split()
        word = query[0].upper() if query and query[0][0].isalpha() else "other"
        calls["command" if command else word] += 1
    return list(calls.values()) * 2


def nginx(text):
    """Times by their names outside of other quotes, by method and top folder."""
    layer = {"rt": "request_time", "uct": "upstream_connect_time", "ut": "upstream_response_time",
             "uht": "upstream_header_time", "urt": "upstream_response_time"}
    layer.update({name: name for name in list(layer.values())})
    calls = Counter()
    for line in text.splitlines():
        token = re.findall(r'(\w+)=(?:"([^"]*)"|([^\s"]+))|"([^"]*)"|[^\s"]+', line)
        asked = [re.match(r"[A-Z]+ (?:/(?:[^/ ?]*/)?)?", t[3]) for t in token if t[3]]
        name = next((m[0] for m in asked if m), "other")
        times = {layer[t[0]]: t[1] or t[2] for t in token if t[0] in layer}
        for key in times if "request_time" in times else ():
            calls[key, name] += len(re.findall(r"\d+\.\d{3}", times[key]))
    return [n for n in calls.values() if n]


def redis_info(text):
    """Calls of the last print."""
    last = text[text.rindex("# Commandstats"):]
    return [int(n) for n in re.findall(r"(?m)^cmdstat_.*?:calls=([1-9]\d*)", last)]


def pg_stat_statements(text):
    """Columns calls and plans of each query."""
    calls = Counter()
    for row in csv.DictReader(io.StringIO(text)):
        calls[row["query"], "calls"] += int(row["calls"])
        calls[row["query"], "plans"] += int(row.get("plans", 0))
    return [n for n in calls.values() if n]


def smbstatus(text):
    """Counts right before times of the same name, of the last print."""
    last = text[text.rindex("**** SMBD loop"):]
    return [int(n) for _, n in re.findall(r"(?m)^(\w+)_count: +(\d+)\n\1_time:", last) if int(n)]


def pytest_benchmark(text):
    """Data of tests of one iteration, else rounds times iterations."""
    stats = [b["stats"] for b in json.loads(text)["benchmarks"]]
    return [len(s["data"]) if "data" in s and s["iterations"] == 1 else s["rounds"] * s["iterations"]
            for s in stats]


def criterion(text):
    """Iterations, by benchmark."""
    if text.startswith("{"):
        return [int(sum(json.loads(text)["iters"]))]
    sums = Counter()
    for row in csv.reader(io.StringIO(text)):
        if row[0] != "group":
            sums[tuple(row[:3])] += int(row[7])
    return list(sums.values())


def go_test(text):
    """Iterations of lines with ns/op, by package and name."""
    sums, package = Counter(), ""
    for line in text.splitlines():
        found = re.match(r"pkg: (.*)|(Benchmark\S*)\s+(\d+)\s.* ns/op", line)
        if found and found.group(1):
            package = found.group(1)
        elif found:
            sums[package, found.group(2)] += int(found.group(3))
    return list(sums.values())


def jmh(text):
    """Counts of histograms, iterations of single threads, threads; what fits into the time."""
    counts = []
    for b in json.loads(text):
        metric = b["primaryMetric"]
        raw = [v for fork in metric.get("rawData", []) for v in fork]
        if "rawDataHistogram" in metric:
            counts.append(sum(n for fork in metric["rawDataHistogram"] for k in fork for _, n in k))
        elif b["mode"] == "ss":
            counts.append(len(raw) * b["threads"])
        elif b["mode"] == "avgt":
            unit = {"s/op": 1, "ms/op": 1e-3, "us/op": 1e-6, "ns/op": 1e-9}[metric["scoreUnit"]]
            time = float(re.fullmatch(r"(\d+) s", b["measurementTime"]).group(1)) * b["threads"]
            counts.append(sum(round(time / (v * unit)) for v in raw))
    return counts


def vitest(text):
    """sampleCount, wherever it stands."""
    return [int(n) for n in re.findall(r'"sampleCount": (\d+)', text)]


def numbers(text):
    """Lines that are not blank and no comment."""
    return [len([line for line in text.splitlines() if re.match(r"\s*[^\s#]", line)])]


def pg_test_timing(text):
    """The last column of the tables below "Histogram", by the source of the clock."""
    sums, source = Counter(), ""
    for part in re.split(r"^(?=.*[Cc]lock source:)", text, flags=re.M):
        source = (re.match(r".*lock source: (.*)", part) or [None, source])[1]
        for table in re.findall(r"Histogram of timing durations:\n.*\n((?: *\d.*\n?)*)", part):
            sums[source] += sum(int(row.split()[-1]) for row in table.splitlines())
    return list(sums.values())


def memaslap(text):
    """Counts after colons below Log2 Dist, of all but Total."""
    sums = Counter()
    for name, rows in re.findall(r"^(\w+) Statistics \(\d+ events\)\n(?:.*\n){5}.*Log2 Dist:\n((?: *\d+:.*\n?)*)", text, re.M):
        sums[name] += sum(int(n) for row in rows.splitlines() for n in row.split(":")[1].split())
    return [n for name, n in sums.items() if name != "Total"]


def h2load(text):
    return list(Counter(line.split("\t")[1] for line in text.splitlines()).values())


def dnsperf(text):
    return list(Counter(tuple(w) for w in re.findall(r"^> (\S+) \S+ (\S+) [\d.]+$", text, re.M)).values())


def sipp(text):
    """Lines of -trace_rtt by the last column; of -trace_stat the partitions of the last line."""
    head, *rows = [line.split(";") for line in text.splitlines()]
    if head[0] == "Date_ms":
        return list(Counter(row[2] for row in rows).values())
    sums = Counter()
    for title, n in zip(head, rows[-1]):
        if "_" in title and "Repartition" in title:
            sums[title.split("_")[0]] += int(n)
    return list(sums.values())


READERS = {"dnsperf": dnsperf, "sipp": sipp,
           "pg-test-timing": pg_test_timing, "memaslap": memaslap, "h2load": h2load,
           "blkparse": blkparse, "btt": btt, "btt-dat": btt_dat,
           "numbers": numbers, "lustre": lustre, "mountstats": mountstats,
           "dmstats": dmstats, "dmstats-print": dmstats_print, "gluster": gluster, "ceph": ceph,
           "perf-kvm": perf_kvm,
           "bcachefs": bcachefs,
           "zpool": zpool, "foundationdb": foundationdb,
           "rocksdb": rocksdb,
           "filebench": filebench, "tshark-srt": tshark_srt,
           "smbstatus": smbstatus, "haproxy": haproxy,
           "pytest-benchmark": pytest_benchmark, "criterion": criterion,
           "nginx": nginx, "redis-info": redis_info, "pg-stat-statements": pg_stat_statements,
           "postgresql": postgresql, "mysql-slow": mysql_slow,
           "go-test": go_test, "jmh": jmh, "vitest": vitest,
           "sysbench": sysbench,
           "uftrace": uftrace, "uftrace-report": uftrace_report, "chrome-trace": chrome,
           "strace": traced, "ltrace": traced, "strace-c": summary,
           "dtrace": dtrace, "systemtap": systemtap}


def compare(path, reader):
    calls, intervals = expected(expectations.of_file(path)[1])
    counted = reader(path.read_text(errors="surrogateescape"))
    got = sorted(calls.values())
    if sorted(counted) == got or (intervals and sorted(counted[-len(got):]) == got):
        return True
    if intervals and sum(counted) == sum(got):
        return True
    print(f"{path}: counted {counted}, expected {got}")
    return False


def main():
    good = bad = 0
    for name, reader in READERS.items():
        for path in sorted(pathlib.Path(sys.argv[1], name).iterdir()):
            known = expectations.of_file(path)
            if known is None or known[1] is None:  # refused
                continue
            if compare(path, reader):
                good += 1
            else:
                bad += 1
    print(f"{good} agree, {bad} do not")
    return bad > 0


sys.exit(main())
