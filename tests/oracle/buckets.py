#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads captures of testdata without osprof and compares what osprof makes of them.

usage: buckets.py OSPROF [FILE...]

For each file that it knows (all below testdata/ without FILE) it finds operations,
calls, totals and the lower edges of buckets by itself, from the format's description
alone, and tells where `osprof show -f json` differs.  Not a test: run it when captures
or readers change.  Of mismatch.* it differs, as what they state does; of MongoDB it knows
neither serverStatus without a collection (moments.txt) nor shards (shards.txt).
"""
import base64, csv, glob, gzip, io, json, math, os, re, struct, subprocess, sys, zlib
from collections import Counter

import expectations


def fio_low(key):
    """The lower edge of the bucket of fio with this midpoint."""
    key = int(key)
    if key < 128:
        return key
    return key - (1 << (key.bit_length() - 1 - 6)) // 2


def fio_documents(text):
    decoder, at = json.JSONDecoder(), 0
    for m in re.finditer(r'^\{\r?$', text, re.M):
        if m.start() >= at:
            doc, at = decoder.raw_decode(text, m.start())
            yield doc


def fio(path, text):
    """The last document, jobs of one name added up."""
    doc, ops = list(fio_documents(text))[-1], {}
    for job in doc.get('jobs') or doc['client_stats']:
        seen = False
        for ddir in 'read', 'write', 'trim', 'sync', 'mixed':
            if ddir not in job or (ddir == 'mixed' and seen) or job['jobname'] == 'All clients':
                continue
            seen = True
            for kind, layer in ('clat', ''), ('lat', '' if ddir == 'sync' else 'lat'), ('slat', 'slat'):
                st = job[ddir].get(kind + '_ns', job[ddir].get(kind))
                if not st or st['N'] == 0 or (layer and 'bins' not in st):
                    continue
                op = ops.setdefault((layer, job['jobname'] + '/' + ddir), [0, 0, {}])
                op[0] += sum(st['bins'].values()) if 'bins' in st else st['N']
                op[1] += round(st['mean'] * st['N'])
                for k, n in st.get('bins', {}).items():
                    op[2][fio_low(k)] = op[2].get(fio_low(k), 0) + n
    return ops


def octave(v):
    return 0 if v < 1 else 1 << (int(v).bit_length() - 1)


def samples(pairs):
    ops = {}
    for name, latency in pairs:
        op = ops.setdefault(('', name), [0, 0, {}])
        op[0] += 1
        op[1] += latency
        op[2][octave(latency)] = op[2].get(octave(latency), 0) + 1
    return ops


DIRECTION = {'0': 'read', '1': 'write', '2': 'trim'}


def fio_log(path, text):
    rows = [re.split(r',\s*', line) for line in text.splitlines() if line]
    return samples((DIRECTION[r[2]], int(r[1])) for r in rows)


def fio_hist_log(path, text):
    ops = {}
    for line in text.splitlines():
        if not line.strip():
            continue
        row = [int(x) for x in line.rstrip(', ').split(',')]
        op = ops.setdefault(('', DIRECTION[str(row[1])]), [0, None, {}])
        counts = row[3:]
        fine = 1856 // len(counts)
        for i, n in enumerate(counts):
            first = i * fine  # of the buckets put together
            group, rest = divmod(first, 64)
            low = first if group < 2 else (64 + rest) << (group - 1)
            if n:
                op[0] += n
                op[2][low] = op[2].get(low, 0) + n
    return ops


def hdr_low(i, digits, lowest):
    """The lower edge of bucket i, and of what holds it with 4096 buckets an octave."""
    half = math.ceil(math.log2(2 * 10 ** digits)) - 1
    unit = int(math.floor(math.log2(lowest)))
    group = (i >> half) - 1
    rest = (i & ((1 << half) - 1)) + (1 << half)
    low = i if group < 0 else rest << group
    if half > 12 and low >= 2 * 4096:
        width = 1 << (low.bit_length() - 1 - 12)
        low -= low % width
    return low << unit


def hdr(payload):
    """{lower edge: calls} of an encoded histogram."""
    b = base64.b64decode(payload + '=' * (-len(payload) % 4))
    if b[:3] == bytes.fromhex('0c7212'):
        b = b[16:]
    if int.from_bytes(b[:4], 'big') & ~0xf0 in (0x1c849309, 0x1c849302, 0x1c849304):
        b = zlib.decompress(b[8:8 + int.from_bytes(b[4:8], 'big')])
    cookie = int.from_bytes(b[:4], 'big')
    word, version = cookie >> 4 & 0xe, {8: 0, 1: 1, 3: 2}[cookie & 0xf]
    if version == 0:
        digits, lowest = struct.unpack('>iq', b[4:16])
        ratio, b = 1, b[32:]
    else:
        length, _, digits, lowest, _, ratio = struct.unpack('>iiiqqd', b[4:40])
        b = b[40:40 + length]
    counts, i = {}, 0
    while b:
        if version < 2:
            n, b = int.from_bytes(b[:word], 'big'), b[word:]
        else:
            n = shift = 0
            while True:
                byte, b = b[0], b[1:]
                n |= (byte if shift == 56 else byte & 127) << shift
                shift += 7
                if byte < 128 or shift > 56:
                    break
            n = n >> 1 if n % 2 == 0 else -(n + 1 >> 1)
        if n < 0:
            i -= n
            continue
        if n:
            low = hdr_low(i, digits, lowest) * ratio
            counts[low] = counts.get(low, 0) + n
        i += 1
    return counts


def hlog(path, text):
    ops, subject = {}, 'latency'
    for line in text.splitlines():
        found = re.match(r'#\[Logging for: (.*)\]', line)
        subject = found[1] if found else subject
        found = re.match(r'(?:Tag=([^, ]*)[, ])?[\d.]+[, ][\d.]+[, ][\d.]+[, ](D?HIST\S*)$', line)
        if not found:
            continue
        op = ops.setdefault(('', found[1] or subject), [0, None, {}])
        for low, n in hdr(found[2]).items():
            op[0] += n
            op[2][low] = op[2].get(low, 0) + n
    return ops


def percentile_tables(text):
    """For each table its rows (value, calls up to it), and mean and calls of the footer."""
    tables = []
    for line in text.splitlines():
        words = re.split(r'[\s,"]+', line.strip(' "'))
        if words[:3] == ['Value', 'Percentile', 'TotalCount']:
            tables.append(([], {}))
        elif tables and re.fullmatch(r'[\d.]+', words[0]) and len(words) > 2 and re.fullmatch(r'\d+', words[2]):
            tables[-1][0].append((float(words[0]), int(words[2])))
        for key in ('Mean', 'Total count') if tables else ():
            found = re.search(key + r'\s*=\s*([\d.]+)', line)
            if found:
                tables[-1][1][key] = float(found[1])
    return tables


def table_buckets(tables):
    count, total, buckets = 0, 0, {}
    for rows, foot in tables:
        at = low = before = 0
        for value, upto in rows:
            if value > at:
                low, at = at, value
            if upto > before:
                buckets[low] = buckets.get(low, 0) + upto - before
                before = upto
        count += before
        total = None if total is None or 'Mean' not in foot else total + foot['Mean'] * foot['Total count']
    return [count, total, buckets]


def hgrm(path, text):
    return {('', 'latency'): table_buckets(percentile_tables(text))}


def wrk(path, text):
    tables = percentile_tables(text)
    if tables:
        return {('', name): table_buckets([t]) for name, t in zip(('recorded', 'uncorrected'), tables)}
    factor = {'us': 1, 'ms': 1e3, 's': 1e6}
    mean = [float(n) * factor[u] for n, u in re.findall(r'Latency +([\d.]+)(us|ms|s) ', text)]
    calls = [int(n) for n in re.findall(r'(\d+) requests in', text)]
    return {('', 'latency'): [sum(calls), sum(a * b for a, b in zip(mean, calls)), {}]}


def ycsb(path, text):
    raw = re.findall(r'^([A-Z]+),(\d+),(\d+)$', text, re.M)
    if raw:
        return samples((name, int(latency)) for name, _, latency in raw)
    if text.lstrip()[0] in '[{' and '"metric"' in text:
        objects = json.loads(text) if text.lstrip()[0] == '[' else [json.loads(o) for o in re.findall(r'{.*?}', text)]
        rows = [(o['metric'], o['measurement'], str(o['value'])) for o in objects]
    else:
        rows = re.findall(r'^\[([^\]]+)\], (.+), (\S+)$', text, re.M)
    ops = {}
    for metric in dict.fromkeys(r[0] for r in rows):
        mine = dict((r[1], r[2]) for r in rows if r[0] == metric)
        if 'Operations' not in mine:
            continue
        buckets = {}
        hist = 'LatencyVariance(us)' in mine
        for k, n in mine.items():
            if not re.fullmatch(r'>?\d+', k) or not (hist or '50thPercentileLatency(us)' in mine) or not float(n):
                continue
            v = int(k.lstrip('>'))
            if hist:
                v *= 1000
            elif v >= 2048:
                v -= v % (1 << (v.bit_length() - 11))
            buckets[v] = buckets.get(v, 0) + int(float(n))
        mean = float(mine['AverageLatency(us)'])
        count = int(mine['Operations'])
        ops['', metric] = [count, mean * count if mean == mean else None, buckets]
    return ops


def google_benchmark(path, text):
    doc = json.loads(text)['benchmarks']
    only = all(b.get('run_type') == 'aggregate' or b.get('error_occurred') or b.get('skipped') for b in doc)
    ops = {}
    for b in doc:
        if b.get('error_occurred') or b.get('skipped'):
            continue
        if b['run_type'] == 'aggregate' and not (only and b['aggregate_name'] == 'mean'):
            continue
        op = ops.setdefault(('', b['run_name']), [0, 0, {}])
        op[0] += b['iterations']
        op[1] += b['iterations'] * b['real_time']
    return ops


def prometheus(path, text):
    """Classic histograms; of several scrapes the last."""
    ops = {}
    for line in text.splitlines():
        found = re.match(r'(?:([\w:]+)(\{(?:[^"}]|"(?:[^"\\]|\\.)*")*\})?|\{"([^"]+)"((?:[^"}]|"(?:[^"\\]|\\.)*")*)\}) +(\S+)', line) if line[:1] != '#' else None
        if not found:
            continue
        name, value = found[1] or found[3], found[5]
        labels = re.findall(r'"?([\w.]+)"? ?= ?"((?:[^"\\]|\\.)*)"', (found[2] or found[4] or ''))
        le = dict(labels).get('le')
        base = re.sub('_(bucket|sum|count)$', '', name)
        rest = ','.join(f'{k}="{v}"' for k, v in labels if k != 'le')
        key = '', base + ('{' + rest + '}' if rest else '')
        if name.endswith('_bucket') and le is not None:
            op = ops.setdefault(key, {'rows': [], 'sum': None, 'count': None})
            if op['rows'] and float(le) <= op['rows'][0][0]:
                op['rows'] = []
            op['rows'].append((float(le), int(float(value))))
        elif key in ops and name.endswith('_sum') and value != 'NaN':
            ops[key]['sum'] = float(value)
        elif key in ops and name.endswith('_count'):
            ops[key]['count'] = int(float(value))
    for key, op in ops.items():
        low, before, buckets = (0 if op['rows'][0][0] >= 0 else '-inf'), 0, {}
        for le, upto in op['rows'] + ([] if op['rows'][-1][0] == math.inf else [(math.inf, op['count'] or op['rows'][-1][1])]):
            if le == 0 and low == 0:
                continue
            if upto > before and len(op['rows']) > 1 or le < math.inf and upto > before:
                buckets[low] = upto - before
            low, before = le, upto
        ops[key] = [sum(buckets.values()) or op['count'], op['sum'], buckets]
    return ops


def otlp(path, text):
    """Deltas added up; of cumulative points those of the last document."""
    def get(d, name, default=None):
        return d.get(name, d.get(re.sub('([A-Z])', lambda m: '_' + m[1].lower(), name), default))
    docs, ops = [], {}
    decoder, at = json.JSONDecoder(), 0
    while text[at:].strip():
        doc, at = decoder.raw_decode(text, at + len(text[at:]) - len(text[at:].lstrip()))
        docs.append(doc)
    several = len({v for d in docs for rm in get(d, 'resourceMetrics') for a in rm.get('resource', {}).get('attributes', [])
                   if a['key'] == 'service.name' for v in [a['value']['stringValue']]}) > 1
    for n, d in enumerate(docs):
        for rm in get(d, 'resourceMetrics'):
            layer = next((a['value']['stringValue'] for a in rm.get('resource', {}).get('attributes', [])
                          if a['key'] == 'service.name'), '') if several else ''
            for scope in get(rm, 'scopeMetrics') or get(rm, 'instrumentationLibraryMetrics'):
                for m in scope['metrics']:
                    h = m.get('histogram') or m.get('exponentialHistogram')
                    for q in get(h, 'dataPoints') if h else []:
                        attr = ','.join('%s="%s"' % (a['key'], re.sub(r'(["\\])', r'\\\1', v if isinstance(v, str) else json.dumps(v, separators=(',', ':')))) for v, a in ((next(iter(a['value'].values())), a) for a in q.get('attributes', [])))
                        key = layer, m['name'] + ('{' + attr + '}' if attr else '')
                        op = ops.setdefault(key, [])
                        op.append((n, get(h, 'aggregationTemporality') in (1, 'AGGREGATION_TEMPORALITY_DELTA'), q))
    for key, points in ops.items():
        points = [q for n, delta, q in points if delta or n == points[-1][0]]
        total = sum(float(q['sum']) for q in points) if all('sum' in q for q in points) else None
        buckets, calls = {}, sum(int(q['count']) for q in points)
        scale = min([q.get('scale', 0) for q in points] + [12])
        zeros = sum(int(q.get('zeroCount', 0)) for q in points)
        below = sum(int(c) for q in points for c in q.get('negative', {}).get('bucketCounts', []))
        for q in points:
            for k, c in enumerate(q.get('positive', {}).get('bucketCounts', [])):
                i = (q['positive'].get('offset', 0) + k) >> (q['scale'] - scale)
                if int(c):
                    buckets[2 ** (i * 2 ** -scale)] = buckets.get(2 ** (i * 2 ** -scale), 0) + int(c)
            bounds, low = get(q, 'explicitBounds', []), 0
            for k, c in enumerate(get(q, 'bucketCounts', [])):
                buckets[low] = buckets.get(low, 0) + int(c)
                low = bounds[k] if k < len(bounds) else None
        buckets = {k: c for k, c in buckets.items() if c}
        if zeros:
            buckets[0] = buckets.get(0, 0) + zeros
        if below:
            buckets['-inf'] = below
        ops[key] = [sum(buckets.values()) or calls, None if total != total else total, buckets]
    return ops


def prometheus_answers(text):
    """Of each operation {time: {le, 'sum', 'count' or 'native': value}}."""
    decoder, at, series, moment = json.JSONDecoder(), 0, {}, None
    while text[at:].strip():
        doc, at = decoder.raw_decode(text, at + len(text[at:]) - len(text[at:].lstrip()))
        values = []
        for res in doc if isinstance(doc, list) else doc.get('data', doc)['result']:
            name, labels = res['metric'].get('__name__', ''), dict(res['metric'])
            labels.pop('__name__', 0)
            le, native = labels.pop('le', None), res.get('histograms') or res.get('histogram')
            part = 'native' if native else float(le) if le else name.rsplit('_', 1)[1]
            name = name if native else re.sub('_(bucket|sum|count)$', '', name)
            inner = ','.join('%s="%s"' % (k, re.sub(r'(["\\])', r'\\\1', v)) for k, v in labels.items())
            op = ((labels['layer'], labels['operation']) if name.startswith('osprof_') else
                  ('', name + ('{' + inner + '}' if inner else '') or '{}'))
            several = 'values' in res or 'histograms' in res
            pairs = res.get('values') or res.get('value') or native
            values += [(op, part, t, v) for t, v in (pairs if several else [pairs])]
        if not several:
            if moment is None or any(part in series[op].get(moment, {}) for op, part, _, _ in values if op in series):
                moment = values[0][2]
            values = [(op, part, moment, v) for op, part, _, v in values]
        for op, part, t, v in values:
            series.setdefault(op, {}).setdefault(t, {})[part] = v
    return series


def prometheus_counts(point, coarsest):
    """Calls, total and counts by lower edge of what was given at one time."""
    buckets = Counter()
    if 'native' in point:
        h = point['native']
        for rule, low, high, n in h.get('buckets', []):
            scale = -round(math.log2(math.log2(float(high) / float(low)))) if float(low) > 0 else 0
            index = round(math.log2(float(low)) * 2 ** scale) >> (scale - coarsest) if float(low) > 0 else 0
            low = 2 ** (index * 2 ** -coarsest) if float(low) > 0 else 0 if rule == 3 else '-inf'
            buckets[low] += int(n)
        return int(h['count']), float(h['sum']), buckets
    before, low, les = 0, 0, sorted(k for k in point if not isinstance(k, str))
    for le in les + [math.inf]:
        upto = int(float(point[le])) if le in point else max(before, int(point.get('count', 0)))
        if les != [math.inf]:
            buckets[low] += upto - before
        before, low = upto, le
    return int(point.get('count', before)), float(point.get('sum', 'nan')), buckets


def prometheus_calls(series):
    """Of one moment what there is; of several what came since the first."""
    ops = {}
    times = sorted({t for points in series.values() for t in points})
    for op, points in series.items():
        widths = [float(b[2]) / float(b[1]) for p in points.values() if 'native' in p
                  for b in p['native'].get('buckets', []) if float(b[1]) > 0]
        coarsest = min([-round(math.log2(math.log2(w))) for w in widths] + [8])
        calls, total, buckets, before = 0, 0, Counter(), None
        for t in sorted(points):
            now = prometheus_counts(points[t], coarsest)
            went_on = before and now[0] >= before[0] and all(now[2][k] >= n for k, n in before[2].items())
            since = before if went_on else (0, 0, Counter())
            if before or t > times[0] or len(times) == 1:
                calls, total = calls + now[0] - since[0], total + now[1] - since[1]
                buckets += now[2] - since[2]
            before = now
        ops[op] = [calls, None if total != total else total, {k: n for k, n in buckets.items() if n}]
    return ops


def prometheus_json(path, text):
    return prometheus_calls(prometheus_answers(text))


def promtool(path, text):
    """Summaries are distinguished by their times."""
    series, op = {}, None
    for line in text.splitlines():
        name, _, value = line.rpartition('=>')
        if name:
            name = re.sub(', ', ',', name.strip())
            le = re.search(r'\ble="([^"]+)"', name)
            part = float(le[1]) if le else re.search(r'_(sum|count)\b', name)[1]
            name = re.sub(r',?le="[^"]*"', '', re.sub(r'_(bucket|sum|count)\{', '{', name))
            op = '', name
        found = re.fullmatch(r'\s*(\S+) @\[(.*)\]', value)
        if found:
            series.setdefault(op, {}).setdefault(float(found[2]), {})[part] = found[1]
    return prometheus_calls(series)


def cyclictest(path, text):
    """The last column of -H is the sum; overflows go above the last row."""
    ops = {}
    for part in text.split('# Histogram\n')[1:]:
        rows = [[int(x) for x in line.split()] for line in part.splitlines() if re.match(r'\d{6} ', line)]
        foot = {k: [int(x) for x in v.split()] for k, v in re.findall(r'# (Min Latencies|Histogram Overflows): ([\d ]+)', part)}
        for t in range(len(foot.get('Min Latencies', rows[0][1:]))):
            op = ops.setdefault(('', str(t)), [0, None, {}])
            cells = [(r[0], r[1 + t]) for r in rows]
            if 'Histogram Overflows' in foot:
                cells.append((rows[-1][0] + 1, foot['Histogram Overflows'][t]))
            for low, n in cells:
                if n:
                    op[0] += n
                    op[2][low] = op[2].get(low, 0) + n
    return ops


def cyclictest_v(path, text):
    return samples((t, int(v)) for t, v in re.findall(r'^ *(\d+): +\d+: +(\d+)$', text, re.M))


def rt_tests_json(path, text):
    doc, ops = json.loads(text), {}
    oslat = doc['cmdline:'].startswith('oslat')
    rows = re.search(r' -[hH] ?(\d+)', doc['cmdline:'])
    for name, t in doc['thread'].items():
        if 'sender' in t:
            t = {'cycles': t['sender']['samples'], 'avg': t['receiver']['avg']}
        hist = {int(k) - oslat: n for k, n in t.get('histogram', {}).items()}
        if hist and not oslat and t['cycles'] > sum(hist.values()):
            hist[max(int(rows[1]) if rows else 0, max(hist) + 1)] = t['cycles'] - sum(hist.values())
        ops['', name] = [sum(hist.values()) or t['cycles'], None if oslat else t['avg'] * t['cycles'], hist]
    return ops


def oslat(path, text):
    cores = re.search(r'Core:\t(.*)', text)[1].split()
    rows = [(float(k), [int(x) for x in re.findall(r'\d+', v.split('(')[0])]) for k, v in re.findall(r'^ +([\d.]+) \(us\):\t(.*)', text, re.M)]
    width = rows[1][0] - rows[0][0]
    return {('', c): [sum(r[1][i] for r in rows), None, {k - width: v[i] for k, v in rows if v[i]}] for i, c in enumerate(cores)}


def hwlatdetect(path, text):
    gaps = re.findall(r'^ts: .*inner:(\d+), outer:(\d+)', text, re.M)
    return samples(('hwlat', max(int(a), int(b))) for a, b in gaps) or {('', 'hwlat'): [0, None, {}]}


def redis_blocks(text):
    for part in re.split(r'====== (?=\S)', text)[1:]:
        yield part.split(' ======')[0], part


def redis_known(part):
    """Calls below each edge of a report that says how many: whole us by the buckets of an
    HdrHistogram of three digits and a unit of 8, tried one by one."""
    def end(us):
        low, width = 0, 8
        while low + 2048 * width <= us:
            low, width = 0, width * 2
        return us - us % width + width
    first, second = part.split('Cumulative distribution')
    row = r'<= (\d+)\.(\d{3}) milliseconds \(cumulative count (\d+)\)'
    known = {int(a + b) + 1: int(n) for a, b, n in re.findall(row, first)}
    least = re.search(r'max\s+\S+\s+(\S+)', part).group(1)
    known[round(float(least) * 1000)] = 0
    longest = max(known)
    printed = {int(a + b) + 1: int(n) for a, b, n in re.findall(row, second)}
    upto = 0
    for us in [*range(100, 2001, 100), *range(2100, 3000000, 1000)]:
        upto = printed.get(end(us), upto)
        known[end(us)] = upto
    known[1 << 60] = max(printed.values())
    known = {e: n for e, n in known.items() if e < 3000000 or e == 1 << 60}
    return lambda e: known.get(e, 0 if e < min(known) else upto if e > longest else None), known


def redis_shares(part, step, alone):
    """The same of a report in percent, each row the first call of its latency."""
    n = int(re.search(r'(\d+) requests completed', part).group(1))
    below, last = {}, None
    for share, label in re.findall(r'^\s*([\d.]+)% <= ([\d.]+) milliseconds', part, re.M):
        us = round(float(label) * 1000)
        if us != last:
            below[us] = max(round(float(share) * n / 100) - 1, 0)
        last = us
    labels = sorted(below)
    counts = {0: below[labels[0]] if labels[0] else 0}
    for us, after in zip(labels, labels[1:] + [None]):
        calls = (below[after] if after is not None else n) - (below[us] if us else 0)
        wide = step if us < 2000 else 1000 << (0 if alone else (us // 16000).bit_length())
        low = us // wide * wide
        counts[low] = counts.get(low, 0) + calls
    return counts


def redis_benchmark(path, text):
    blocks = list(redis_blocks(text))
    ops = {}
    for title, part in blocks:
        same = [p for t, p in blocks if t == title]
        alone = len(same) == 1
        op = ops.setdefault(('', title), [0, None, {}])
        if 'cumulative count' in part:
            below, known = zip(*(redis_known(p) for p in same))
            edges = sorted(e for e in set().union(*known) if all(f(e) is not None for f in below))
            f = below[same.index(part)]
            counts = {a: f(b) - f(a) for a, b in zip(edges, edges[1:])}
        else:
            digits = [len(d) for t, p in blocks if t == title
                      for d in re.findall(r'<= [01]\.?(\d*) milli', p)]
            step = 1 if alone else 10 ** (3 - min(digits or [0]))
            counts = redis_shares(part, step, alone)
        for low, n in counts.items():
            if n:
                op[0] += n
                op[2][low] = op[2].get(low, 0) + n
    return ops


def redis_latency(path, text):
    """The last print of each command; ends of buckets of an HdrHistogram of ns, two digits."""
    def end(ns):
        width = 1
        while ns >= 256 * width:
            width *= 2
        return ns - ns % width + width
    low = {(min(end(1024 << k), 1 << 30) - 1) // 1000: end(512 << k) / 1000 if k else 0
           for k in range(21)}
    ops = {}
    if path.endswith('.json'):
        replies = [(c, v['calls'], [(int(a), b) for a, b in v['histogram_usec'].items()])
                   for d in text.splitlines() for c, v in json.loads(d).items()]
    else:
        text = re.sub(r'^\S+> .*', '', text, flags=re.M)
        words = [w for w in re.findall(r'"(?:\\.|[^"\\])*"|[^\s,]+', text)
                 if not re.fullmatch(r'\d+[)#]|=>|\(integer\)', w)]
        words = [w[1:-1] if w[0] == '"' else w for w in words]
        at = [i - 1 for i, w in enumerate(words) if w == 'calls' and words[i + 2] == 'histogram_usec']
        replies = []
        for i in at:
            pairs = []
            for k in range(i + 4, len(words) - 1, 2):
                if not words[k].isdigit():
                    break
                pairs.append((int(words[k]), int(words[k + 1])))
            replies.append((words[i], int(words[i + 2]), pairs))
    for name, calls, pairs in replies:
        counts, before = {}, 0
        for label, upto in pairs:
            counts[low[label]], before = upto - before, upto
        ops['', name] = [before or calls, None, counts]
    return ops


def hey(path, text):
    """Ten buckets from fastest to slowest, the first row put to the second."""
    if path.endswith('.csv'):
        rows = [line.split(',') for line in text.splitlines()[1:]]
        ops = {}
        for row in rows:
            op = ops.setdefault(('response', row[6]), [0, 0, {}])
            low = 2.0 ** math.floor(math.log2(float(row[0])))
            op[0], op[1], op[2][low] = op[0] + 1, op[1] + float(row[0]), op[2].get(low, 0) + 1
        return ops
    slow, fast = (float(re.search(w + r':\s+([\d.]+)', text).group(1)) for w in ('Slowest', 'Fastest'))
    rows = [int(n) for n in re.findall(r'^ +[\d.]+(?: ms)? \[(\d+)\]\s*\|', text, re.M)]
    rows = [rows[0] + rows[1]] + rows[2:] if rows else []
    if slow == fast:
        rows = [sum(rows)]
    counts = {fast + i * (slow - fast) / 10: n for i, n in enumerate(rows) if n}
    stated = sum(int(n) for n in re.findall(r'\](?:\t| )(\d+) responses', text))
    return {('', 'response'): [sum(rows) or stated, None, counts]}


def vegeta(path, text):
    if path.endswith('.json'):
        doc = [json.loads('{' + d) for d in re.split(r'(?m)^\{', text)[1:]][-1]
        counts = {int(k): n for k, n in doc.get('buckets', {}).items() if n}
        return {('', 'request'): [sum(counts.values()) or doc['requests'], doc['latencies']['total'],
                                  counts]}
    ns = {'h': 3600e9, 'm': 60e9, 's': 1e9, 'ms': 1e6, '\u00b5s': 1e3, 'ns': 1}
    rows = re.findall(r'^\[(\S+), .*\] +(\d+)', text, re.M)
    counts = {round(sum(float(n) * ns[u] for n, u in re.findall(r'([\d.]+)([a-z\u00b5]+)', low))): int(k)
              for low, k in rows if int(k)}
    stated = re.search(r'^Requests .*\] (\d+)', text, re.M)
    return {('', 'request'): [sum(counts.values()) or int(stated.group(1)), None, counts]}


def rows_of(text, name, latency, layer=None, separator=',', wanted=lambda row: True):
    """A table with one latency a row; name: of the column, or a function of the row."""
    ops = {}
    for row in csv.DictReader(io.StringIO(text), delimiter=separator):
        if wanted(row):
            v = float(row[latency])
            low = 2.0 ** math.floor(math.log2(v)) if v > 0 else 0
            op = ops.setdefault((row[layer] if layer else '', name(row)), [0, 0, {}])
            op[0], op[1], op[2][low] = op[0] + 1, op[1] + v, op[2].get(low, 0) + 1
    return ops


def jmeter(path, text):
    return rows_of(text, lambda row: row['label'], 'elapsed',
                   separator='\t' if '\t' in text else ',',
                   wanted=lambda row: row.get('SampleCount', '1') == '1')


def k6(path, text):
    times = re.compile('(http_req|iteration|group)_(?!failed)')
    return rows_of(text, lambda row: row.get('name') or 'script', 'metric_value', 'metric_name',
                   wanted=lambda row: times.match(row['metric_name']))


def ab(path, text):
    return rows_of(text, lambda row: 'request', 'ttime', separator='\t')


def locust(path, text):
    """Keys are middles: what is rounded to one begins half a step below."""
    ops, decoder, rest = {}, json.JSONDecoder(), text.strip()
    if path.endswith('.csv'):
        for row in csv.DictReader(io.StringIO(text)):
            if row['Type'] or row['Name'] != 'Aggregated':
                n = int(row['Request Count'])
                ops['', (row['Type'] + ' ' + row['Name']).strip()] = [
                    n, n * float(row['Average Response Time']), {}]
        return ops
    while rest:
        entries, at = decoder.raw_decode(rest)
        rest = rest[at:].strip()
        for e in entries:
            op = ops.setdefault(('', (e['method'] + ' ' + e['name']).strip()), [0, 0, {}])
            op[1] += e['total_response_time']
            for key, n in e['response_times'].items():
                k = float(key)
                step = 1 if k <= 100 else 10 if k <= 1000 else 100 if k <= 10000 else 1000
                low = max(0, k - step / 2) if k <= 100000 else 100500
                op[0], op[2][low] = op[0] + n, op[2].get(low, 0) + n
    return ops


def memtier(path, text):
    doc, ops = json.loads(text), {}
    runs = [s for s in doc if s.startswith('RUN #')] or [
        s for s in doc if s == 'ALL STATS' or s.startswith('AGGREGATED')]
    for name, c in (item for run in runs for item in doc[run].items()):
        if isinstance(c, dict) and c.get('Count') and name != 'Totals':
            op = ops.setdefault(('', name), [0, None, {}])
            op[0] += c['Count']
            payload = c['Percentile Latencies'].get('Histogram log format')
            for low, n in hdr(payload['Compressed Histogram']).items() if payload else ():
                op[2][low] = op[2].get(low, 0) + n
    return ops


def mysql(path, text):
    """Rows of boxes, of tabs and a line a field; a table that comes again is of everything, or
    anew."""
    prints, titles, n = [], None, 0
    parts = re.split(r'\*+ (\d+)\. row \*+\n', text)
    if len(parts) > 1:
        lines = []
        for number, body in zip(parts[1::2], parts[2::2]):
            fields = re.findall(r'^ *(\w+): *(.*?) *$', body, re.M)
            lines += ['\t'.join(k for k, _ in fields)] if number == '1' else []
            lines.append('\t'.join(v for _, v in fields))
        text = '\n'.join(lines)
    for line in text.splitlines():
        cells = [c.strip() for c in (line.strip('| ').split('|') if line.startswith('|') else line.split('\t'))]
        if [c.upper() for c in cells] == ['TIME', 'COUNT', 'TOTAL'] or 'BUCKET_TIMER_LOW' in cells:
            titles, below = [c.upper() for c in cells], 0
            prints.append({})
        elif titles and len(cells) == len(titles):
            row = dict(zip(titles, cells))
            if 'COUNT_BUCKET' in row:
                layer = row.get('SCHEMA_NAME', '')
                key = ('' if layer == 'NULL' else layer,
                       row.get('DIGEST_TEXT') or row.get('DIGEST', 'statement'))
                op = prints[-1].setdefault(key, [0, None, {}])
                n, below = int(row['COUNT_BUCKET']), int(row['BUCKET_TIMER_LOW']) / 1000
                total = 0
            else:
                op = prints[-1].setdefault(('', 'query'), [0, 0, {}])
                n = int(row['COUNT'])
                total = 0 if row['TOTAL'] == 'TOO LONG' else float(row['TOTAL']) * 1e6
                op[1] += total
            op[0] += n
            if n:
                op[2][below] = op[2].get(below, 0) + n
            below = round(float(row.get('TIME', 'nan')) * 1e6) if row.get('TIME', 'TOO LONG') != 'TOO LONG' else 0
    ops = {}
    for p in prints:
        for key, op in p.items():
            have = ops.setdefault(key, [0, op[1] and 0, {}])
            have[0] += op[0]
            have[1] = have[1] + op[1] if op[1] is not None and have[1] is not None else None
            for low, k in op[2].items():
                have[2][low] = have[2].get(low, 0) + k
    return ops


def sockperf(path, text):
    name = re.search(r'rxTime\(sec\), (\w+)\(', text).group(1)
    rows = [line.split(', ')[3] for line in text.splitlines() if re.match(r'\d+, ', line)]
    return rows_of('us\n' + '\n'.join(rows), lambda row: name, 'us')


def oha(path, text):
    if path.endswith('.csv'):
        ops = rows_of(text, lambda row: row['status'], 'request-duration')
        return {('response', name): op for (_, name), op in ops.items()}
    doc = json.loads(text)
    rows = sorted((float(k), n) for k, n in doc['responseTimeHistogram'].items() if k != 'NaN')
    calls = sum(doc['statusCodeDistribution'].values())
    counts = {rows[i - 1][0]: n + (rows[0][1] if i == 1 else 0) for i, (_, n) in enumerate(rows) if i}
    return {('', 'response'): [calls, calls * (doc['summary']['average'] or 0),
                               {low: n for low, n in counts.items() if n}]}


def fortio(path, text):
    """Buckets without width go with the next, or the one before."""
    doc, ops = json.loads(text), {}
    for member, name in ('DurationHistogram', 'call'), ('ErrorsDurationHistogram', 'error'), ('ConnectionStats', 'connection'):
        h = doc.get(member)
        if not h or not h['Count'] and name != 'call':
            continue
        starts = [b['Start'] for b in h['Data'] or [] if b['Start'] < b['End']]
        buckets = Counter()
        for b in h['Data'] or []:
            at = b['Start'] if b['Start'] < b['End'] or b['Start'] in starts else max((s for s in starts if s < b['Start']), default=None)
            if at is not None and int(b['Count']):
                buckets[at] += int(b['Count'])
        ops['', name] = [int(h['Count']), h.get('Sum'), dict(buckets)]
    return ops


def ghz(path, text):
    """Per-call records by octaves of ns, or of ms; else eleven marks, the first with the second."""
    if path.endswith('.csv'):
        calls = [(row['status'], float(row['duration (ms)'])) for row in csv.DictReader(text.strip().splitlines())]
    elif path.endswith('.json') and (json.loads(text).get('details')):
        calls = [(d['status'], d['latency']) for d in json.loads(text)['details']]
    else:
        marks = ([(m['mark'], m['count']) for m in json.loads(text)['histogram'] or []] if path.endswith('.json') else
                 [(float(a), int(n)) for a, n in re.findall(r'^  ([\d.]+) \[(\d+)\]', text.split('histogram:')[1].split('\n\n')[0], re.M)])
        buckets, low = Counter(), min([m for m, _ in marks], default=0)
        for end in sorted({m for m, _ in marks} - {low}) or []:
            below = [m for m, _ in marks if m < end]
            buckets[max(below)] += sum(n for m, n in marks if m == end or m == low == max(below))
        return {('', 'OK'): [sum(n for _, n in marks), None, {k: n for k, n in buckets.items() if n}]}
    ops = {}
    for status, latency in calls:
        op = ops.setdefault(('', status), [0, 0, Counter()])
        op[0], op[1] = op[0] + 1, op[1] + latency
        op[2][2.0 ** math.floor(math.log2(latency))] += 1
    return ops


def mongodb(path, text):
    """What the shells print; of several prints of a collection the last one."""
    number, ops = r'\W*(?:NumberLong|Long)?\W*(\d+)', {}
    for doc in re.split(r'\bns\b', text)[1:]:
        ns = re.search(r'[\'"]([^\'"]+)[\'"],', doc).group(1)
        for m in re.finditer(r'\b(reads|writes|commands)\b(.*?)\bops' + number, doc, re.S):
            total = int(re.search(r'\blatency' + number, m[2]).group(1))
            buckets = re.findall('micros' + number + '.*?count' + number, m[2], re.S)
            if int(m[3]):
                ops[ns, m[1]] = [int(m[3]), total, {int(low): int(n) for low, n in buckets}]
    return ops


def stress_ng(path, text):
    ops = {}
    for run in re.split('cyclic: sched ', text)[1:]:
        calls = int(re.search(r'(\d+) samples', run).group(1))
        mean = float(re.search(r'mean: ([\d.]+)', run).group(1))
        rows = [(int(a), int(b)) for a, b in re.findall(r'cyclic: +(\d+) +(\d+)$', run, re.M)]
        op = ops.setdefault(('', 'cyclic'), [0, 0, {}])
        op[0], op[1] = op[0] + calls, op[1] + mean * calls
        shown = sum(n for _, n in rows)
        if rows and shown < calls:
            rows.append((rows[-1][0] + rows[1][0] - rows[0][0], calls - shown))
        for low, n in rows:
            if n:
                op[2][low] = op[2].get(low, 0) + n
    return ops


def jitterdebugger(path, text):
    doc, ops = json.loads(text), {}
    most = 10**6 // doc.get('sysinfo', {'resolution_in_ns': 1000})['resolution_in_ns']
    for name, t in doc['cpu'].items():
        hist = {int(k): n for k, n in t['histogram'].items()}
        total, missing = sum(k * n for k, n in hist.items()), t['count'] - sum(hist.values())
        if hist and missing > 0:
            hist[most] = missing
        ops['', name] = [sum(hist.values()) or t['count'], None if missing else total, hist]
    return ops


# Of all of schbench's buckets: what it prints for one, and where the next one begins.
SCHBENCH = {v: v + 1 for v in range(512)}
for bits in range(1, 18):
    SCHBENCH.update({((256 + k << bits) + (1 << bits - 1)): 257 + k << bits for k in range(256)})


def schbench(path, text):
    """The last tables; calls that no row has are in the first one, but for those after the last."""
    ops = {}
    for label, total, rows, longest in re.findall(
            r'(Wakeup|Request|Latency)\b.*\((\d+) total samples\)\n((?:.*th:.*\n)+).*max=(\d+)', text):
        total, low, hist = int(total), 0, {}
        rows = [(float(p), SCHBENCH[int(v)], int(n)) for p, v, n in
                re.findall(r'([\d.]+)th: (\d+) +\((\d+) samples', rows)]
        missing, room = total - sum(r[2] for r in rows), total - math.ceil(rows[-1][0] / 100 * total)
        after = missing if missing <= room else room if int(longest) >= rows[-1][1] else 0
        for i, (_, high, n) in enumerate(rows + [(100, None, after)]):
            n += missing - after if i == 0 else 0
            if n:
                hist[low], low = n, high
        ops['', 'request' if label == 'Request' else 'wakeup'] = [total, None, hist]
    return ops


KNOWN = [
    ('schbench/*.txt', schbench), ('jitterdebugger/*.json', jitterdebugger),
    ('stress-ng/*.txt', stress_ng),
    ('mongodb/*.txt', mongodb),
    ('oha/*', oha),
    ('fortio/*', fortio), ('ghz/*', ghz),
    ('sockperf/*.csv', sockperf),
    ('mysql/*.t*', mysql),
    ('locust/*', locust), ('memtier/*.json', memtier),
    ('jmeter/*', jmeter), ('k6/*', k6), ('ab/*.tsv', ab),
    ('prometheus/*', prometheus), ('otlp/*', otlp),
    ('prometheus-json/*', prometheus_json), ('promtool/*', promtool), ('rt-tests/*.json', rt_tests_json),
    ('rt-tests/cyclictest-v.txt', cyclictest_v), ('rt-tests/cyclictest-[!vl]*.txt', cyclictest),
    ('rt-tests/cyclictest-v2*.txt', cyclictest), ('rt-tests/oslat*.txt', oslat),
    ('rt-tests/hwlat*.txt', hwlatdetect),
    ('hlog/*.hlog', hlog), ('hgrm/*.hgrm', hgrm), ('hgrm/*.csv', hgrm), ('wrk/*.txt', wrk),
    ('hey/*', hey), ('vegeta/*', vegeta), ('redis-benchmark/*', redis_benchmark), ('redis-latency/*', redis_latency),
    ('ycsb/*', ycsb), ('google-benchmark/*.json', google_benchmark),
    ('fio/*.json', fio), ('fio/all-formats.txt', fio), ('fio/text-around.txt', fio),
    ('fio/*_clat.1.log', fio_log), ('fio/*_lat.1.log', fio_log), ('fio/log-*.log', fio_log),
    ('fio/*_clat_hist.1.log', fio_hist_log), ('fio/hist-*.log', fio_hist_log),
]


def shown(osprof, path):
    args = [osprof, 'show', '-q', '-f', 'json']
    for option in (expectations.of_file(path) or ([], None))[0]:
        key, _, value = option.partition(' ')
        args += ['--' + key, value]
    run = subprocess.run(args + [path], capture_output=True, text=True)
    if run.returncode != 0:
        return None
    ops = {}
    for op in json.loads(run.stdout)['runs'][0]['operations']:
        ops[op['layer'], op['name']] = [op['count'], op['total'] if op['total_exact'] else None,
                                        {b['low']: b['count'] for b in op['buckets']}]
    return ops


def close(a, b):
    return a == b or (not isinstance(a, str) and not isinstance(b, str) and
                      math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9))


def same_buckets(a, b):
    a, b = (sorted(x.items(), key=lambda kv: float(kv[0])) for x in (a, b))
    return len(a) == len(b) and all(close(x[0], y[0]) and x[1] == y[1] for x, y in zip(a, b))


def same(mine, theirs):
    if mine.keys() != theirs.keys():
        return f'operations {sorted(mine)} against {sorted(theirs)}'
    for key, (count, total, buckets) in mine.items():
        got = theirs[key]
        if count != got[0]:
            return f'{key}: {count} calls against {got[0]}'
        if not same_buckets(buckets, got[2]):
            return f'{key}: buckets {buckets} against {got[2]}'
        if total is not None and got[1] is not None and not close(total, got[1]):
            return f'{key}: total {total} against {got[1]}'
    return None


def text_of(path):
    data = open(path, 'rb').read()
    return (gzip.decompress(data) if data[:2] == b'\x1f\x8b' else data).decode('utf-8', 'replace')


def main():
    osprof, only = sys.argv[1], [os.path.abspath(p) for p in sys.argv[2:]]
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../testdata/')
    agree = differ = refused = 0
    for pattern, reader in KNOWN:
        for path in sorted(glob.glob(os.path.join(here, pattern))):
            if path.endswith(('.expect', '.md')):
                continue
            if only and os.path.abspath(path) not in only:
                continue
            theirs = shown(osprof, path)
            if theirs is None:
                refused += 1
                continue
            why = same(reader(path, text_of(path)), theirs)
            agree += why is None
            differ += why is not None
            if why is not None:
                print(f'{os.path.relpath(path, here)}: {why}'[:2000])
    print(f'{agree} agree, {differ} differ, {refused} refused')
    return differ > 0


if __name__ == '__main__':
    sys.exit(main())
