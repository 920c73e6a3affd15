#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads captures of testdata without osprof and compares what osprof makes of them.

usage: buckets.py OSPROF [FILE...]

For each file that it knows (all below testdata/ without FILE) it finds operations,
calls, totals and the lower edges of buckets by itself, from the format's description
alone, and tells where `osprof show -f json` differs.  Not a test: run it when captures
or readers change.
"""
import glob, gzip, json, math, os, re, subprocess, sys


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


KNOWN = [
    ('fio/*.json', fio), ('fio/all-formats.txt', fio), ('fio/text-around.txt', fio),
    ('fio/*_clat.1.log', fio_log), ('fio/*_lat.1.log', fio_log), ('fio/log-*.log', fio_log),
    ('fio/*_clat_hist.1.log', fio_hist_log), ('fio/hist-*.log', fio_hist_log),
]


def shown(osprof, path):
    args = [osprof, 'show', '-q', '-f', 'json']
    if os.path.exists(path + '.args'):
        for line in open(path + '.args'):
            key, _, value = line.strip().partition(' ')
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
