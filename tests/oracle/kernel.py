#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Recounts captures of the kernel's tools without osprof, and compares.

usage: kernel.py OSPROF [FILE...]

For each file that it knows (all below testdata/ without FILE) it finds operations,
calls and totals by itself, with regular expressions and from the formats'
descriptions alone, and tells where `osprof show -f json` differs.  Not a test: run it
when captures or readers change.  It knows nothing of lost events, of several prints,
of slots within structures and of several hosts: of lost.txt, repeated.hist,
klockstat-libbpf.txt, hosts.txt and some of awkward.* it differs; of babeltrace it knows
the default header only.
"""
import glob, json, os, re, subprocess, sys
from collections import defaultdict
from decimal import Decimal

NS = Decimal(10) ** 9


# perf-lock(1)'s words for flags of lock:contention_begin
KINDS = {'SPIN': 'spinlock', 'SPIN|READ': 'rwlock:R', 'SPIN|WRITE': 'rwlock:W', 'READ': 'rwsem:R',
         'WRITE': 'rwsem:W', 'RT': 'rt-mutex', 'READ|PERCPU': 'pcpu-sem:R',
         'WRITE|PERCPU': 'pcpu-sem:W', 'MUTEX': 'mutex', 'SPIN|MUTEX': 'mutex', '': 'semaphore'}


class Sums(dict):
    def add(self, name, ns=0, calls=1):
        n, t = self.get(name, (0, Decimal(0)))
        self[name] = (n + calls, t + Decimal(ns))


def event_pairs(events):
    """(name, tid, cpu, ns, fields) in order, without syscalls: latencies by name."""
    sums, request, pair, task, held = Sums(), {}, defaultdict(list), {}, {}
    for name, tid, cpu, ns, fields in events:
        m = re.match(r'\s*(\d+,\d+) (\S+) .*?\) (\d+) \+', fields)
        if name == 'block_rq_issue' and m:
            request[m[1], m[3]] = (m[2], ns)
        elif name == 'block_rq_complete' and m:
            if (m[1], m[3]) in request:
                kind, began = request.pop((m[1], m[3]))
                sums.add(kind, ns - began)
        elif name == 'sched_switch':
            m = re.search(r' prev_pid=(\d+) prev_prio=\d+ prev_state=(\S+) ==> .* next_pid=(\d+)', ' ' + fields) \
                or re.search(r':(\d+) \[\d+\] (\S+) ==> .*:(\d+) \[', fields)
            out, state, into = int(m[1]), m[2], int(m[3])
            if out:
                t = task.setdefault(out, {})
                if t.get('on') is not None:
                    sums.add('on-cpu', ns - t['on'])
                task[out] = {'off': ns, 'ready': ns if state[0] == 'R' else None}
            if into:
                t = task.setdefault(into, {})
                if t.get('off') is not None:
                    sums.add('off-cpu', ns - t['off'])
                if t.get('ready') is not None:
                    sums.add('run queue', ns - t['ready'])
                task[into] = {'on': ns}
        elif name in ('sched_wakeup', 'sched_wakeup_new'):
            m = re.search(r' pid=(\d+)', fields) or re.search(r':(\d+) \[', fields)
            t = task.setdefault(int(m[1]), {})
            if t.get('on') is None and t.get('ready') is None:
                t['ready'] = ns
        elif name in ('contention_begin', 'contention_end'):
            lock = tid or ('cpu', cpu), re.match(r'\s*(\S+)', fields)[1]
            kind = re.search(r'flags=([^ )]*)', fields)
            if kind and not ('MUTEX' in kind[1] and lock in held):
                held[lock] = (KINDS.get(kind[1], kind[1]), ns)
            elif not kind and lock in held:
                what, began = held.pop(lock)
                sums.add(what, ns - began)
        elif name in ('kvm_exit', 'kvm_entry'):
            why = re.search(r'reason (\S+)', fields)[1] if name == 'kvm_exit' else 'guest'
            if ('vcpu', tid) in held and (held['vcpu', tid][0] == 'guest') == (name == 'kvm_exit'):
                what, began = held['vcpu', tid]
                sums.add(what, ns - began)
            held['vcpu', tid] = (why, ns)
        else:
            m = re.match(r'(.*)_(entry|enter|start|begin|exit|end|done)$', name)
            if not m or name.startswith('funcgraph'):
                continue
            of_cpu = m[1] in ('irq_handler', 'softirq') or not tid
            key = (m[1], cpu if of_cpu else tid)
            if m[2] in ('entry', 'enter', 'start', 'begin'):
                named = re.search(r'(?:name|action)=([^\] ]+)', fields) if of_cpu else None
                pair[key].append((named[1] if named else m[1], ns))
            elif pair[key]:
                named, began = pair[key].pop()
                sums.add(named, ns - began)
    return sums


def simple_syscalls(events):
    """Begins and ends of syscalls by thread; the rest by event_pairs()."""
    sums, call, others = Sums(), {}, []
    for e in events:
        name, tid, cpu, ns, fields = e
        m = re.match(r'sys_(enter|exit)_?(\w*)$', name)
        if not m:
            others.append(e)
            continue
        which = m[2] or re.match(r'\s*NR (\d+)', fields)[1]
        who = tid or ('cpu', cpu)
        if m[1] == 'enter':
            call[who] = (which, ns)
            continue
        began = call.pop(who, None)
        if began and began[0] == which:
            sums.add(which, ns - began[1])
    sums.update(event_pairs(others))
    return sums


def perf_script(text):
    row = re.compile(r'^\s*(\S.*?)\s+(\d+)(?:/(\d+))?\s+(?:\[(\d+)\]\s+)?(\d+\.(?:\d{6}|\d{9})):\s+(?:\d+\s+)?'
                     r'[\w-]+:([\w-]+):\s?(.*)$')
    events = []
    for line in text.splitlines():
        m = row.match(line)
        if m:
            events.append((m[6], int(m[3] or m[2]), int(m[4] or 0), Decimal(m[5]) * NS, m[7]))
    return simple_syscalls(events)


def ctf_fields(group):
    """Fields of one group of babeltrace, by name: numbers as int, texts without quotes."""
    fields = {}
    for key, value in re.findall(r'(\w+) = ("(?:\\.|[^"\\])*"|\( .*? : container = -?\w+ \)|[^,{}\[]+|[\[{])', group):
        number = re.match(r'(?:\( .* : container = )?(0x[0-9A-F]+|-?\d+)(?: \))?\s*$', value)
        fields.setdefault(key, int(number[1], 16 if "0x" in number[1] else 10) if number else value.strip('" '))
    return fields


def babeltrace(text):
    """Events of CTF in the words of tracefs, for simple_syscalls()."""
    head = re.compile(r'^\[(?:\d{4}-\d\d-\d\d )?(?:(\d\d):(\d\d):)?(\d+\.\d{9})\] (?:\(\S+\) )?(?:\S+ )?(?:([\w.]+):)?(\w+): (\{.*)$')
    vectors = 'HI TIMER NET_TX NET_RX BLOCK IRQ_POLL TASKLET SCHED HRTIMER RCU'.split()
    events, functions, running, call, day, last = [], [], {}, {}, 0, 0
    for line in text.splitlines():
        m = head.match(line)
        if not m:
            continue
        groups = [ctf_fields(g) for g in re.split(r'(?<=\}), (?=\{)', m[6])]
        payload, around = groups[-1], groups[:-1]
        ns = (int(m[1] or 0) * 3600 + int(m[2] or 0) * 60 + Decimal(m[3])) * NS + day
        if ns < last:
            day, ns = day + 86400 * NS, ns + 86400 * NS
        last = ns
        every = {k: v for g in groups for k, v in g.items()}
        cpu = every.get('cpu_id', every.get('perf_cpu', 0))
        tid = next((g[k] for k in ('tid', 'vtid') for g in around if k in g), every.get('perf_tid'))
        tid = running.get(cpu) if tid is None else tid
        name, fields = m[5], ''
        name = re.sub(r'^(compat_)?(syscall_(entry|exit)_|sys_(?!enter|exit))',
                      lambda p: 'sys_exit_' if p[3] == 'exit' else 'sys_enter_', name)
        if name == 'exit_syscall':
            name = 'sys_exit_' + call.get(tid, '?')
        if name.startswith('sys_enter_'):
            call[tid] = name[10:]
        if name == 'sched_switch':
            out, into = (payload.get(w + '_tid', payload.get(w + '_pid')) for w in ('prev', 'next'))
            running[cpu] = into
            fields = ' prev_pid=%d prev_prio=1 prev_state=%s ==>  next_pid=%d' % (
                out, 'R' if payload['prev_state'] % 256 == 0 else 'S', into)
        elif name.startswith('sched_wakeup'):
            fields = ' pid=%d' % payload.get('tid', payload.get('pid'))
        elif name.startswith('block_rq_'):
            kind = payload.get('rwbs')
            if isinstance(kind, int):
                kind = 'D' if kind & 2 else 'W' if kind & 1 else 'N' if not kind & 4 else 'RA' if kind & 8 else 'R'
            fields = '%d,0 %s () %d +' % (payload.get('dev', 0), kind, payload.get('sector', 0))
        elif name == 'irq_handler_entry':
            fields = 'name=' + payload['name']
        elif name in ('irq_softirq_entry', 'softirq_entry'):
            name, fields = 'softirq_entry', 'action=' + vectors[payload['vec']]
        elif name == 'irq_softirq_exit':
            name = 'softirq_exit'
        elif name.startswith('func_'):
            info = re.search(r'func = "([^"]*)\+', m[6])
            functions.append((name == 'func_entry', tid, ns, info[1] if info else '0x%X' % payload.get('addr', 0)))
            continue
        elif name in ('contention_begin', 'contention_end'):
            fields = '%d' % payload['lock_addr']
            if 'flags' in payload:
                flags = [f for i, f in enumerate('SPIN READ WRITE RT PERCPU MUTEX'.split()) if payload['flags'] >> i & 1]
                fields += ' (flags=%s)' % '|'.join(flags)
        elif name.startswith('pthread_mutex_lock_'):
            name = 'contention_begin' if name.endswith('req') else 'contention_end'
            fields = '%d%s' % (payload['mutex'], ' flags=pthread_mutex' * name.endswith('begin'))
        if tid is None and not re.match(r'sched_|block_|irq_handler|softirq', name):
            continue
        if not re.match(r'(timer_)?(hr)?timer_start', name):
            events.append((name, tid, cpu, ns, fields))
    sums, stack = simple_syscalls(events), defaultdict(list)
    for entry, tid, ns, name in functions:
        if entry:
            stack[tid].append((name, ns))
        elif stack[tid]:
            name, began = stack[tid].pop()
            sums.add(name, ns - began)
    return sums


def sysdig(text):
    row = re.compile(r'^\d+ (?:(\d\d):(\d\d):(\d\d)\.(\d{9})|(\d+)\.(\d+)) (\d+) .*?\((?:\d+\.)?(\d+)(?::[^)]*)?\) ([<>]) (\w+)(?: next=(\d+))?')
    events, call, sums, day, last = [], {}, Sums(), 0, 0
    for line in text.splitlines():
        m = row.match(line)
        if not m:
            continue
        if m[5]:
            ns = int(m[5]) * 10 ** 9 + int(m[6])
        else:
            ns = (int(m[1]) * 3600 + int(m[2]) * 60 + int(m[3])) * 10 ** 9 + int(m[4]) + day
            if ns < last - 43200 * 10 ** 9:
                day, ns = day + 86400 * 10 ** 9, ns + 86400 * 10 ** 9
        last, tid = ns, int(m[8])
        if m[10] == 'switch':
            events.append(('sched_switch', tid, int(m[7]), Decimal(ns),
                           ' prev_pid=%d prev_prio=1 prev_state=S ==>  next_pid=%s' % (tid, m[11])))
        elif m[9] == '>' and m[10] not in ('procexit', 'signaldeliver', 'page_fault'):
            call[tid] = m[10], ns
        elif m[9] == '<' and call.get(tid, '')[:1] == (m[10],):
            sums.add(m[10], ns - call.pop(tid)[1])
    sums.update(event_pairs(events))
    return sums


def graph_calls(lines):
    """(task, duration in us or None, text)"""
    sums, stack = Sums(), defaultdict(list)
    for task, us, text in lines:
        name = re.match(r'([^\s(]+)', text)
        if text.startswith('}'):
            comment = re.match(r'\}\s*/\* ([^\s=<(]+)', text)
            if stack[task] and (not comment or comment[1] in stack[task]):
                own = stack[task].pop()
                while comment and own != comment[1]:
                    own = stack[task].pop()
            elif comment:
                own = comment[1]
            else:
                continue
            if us is not None:
                sums.add(own, Decimal(us) * 1000)
        elif us is not None:
            sums.add(name[1], Decimal(us) * 1000)
        elif text.endswith('{') or '{ /*' in text:
            stack[task].append(name[1])
    return sums


def ftrace(text):
    row = re.compile(r'^\s*(.+)-(\d+)\s+(?:\(\s*[\d-]+\)\s+)?\[(\d+)\]\s+(?:([.\w#+]{4,5})\s+)?(\d+\.\d+): (.*)$')
    graph = re.compile(r'^\s*(?:[\d.]+ \|\s+)?(\d+)\)\s+(?:(\S+)\s+\|)?\s*(?:[+!#*@$]\s)?\s*(?:([\d.]+) us)?\s*\|\s*(\S.*)$')
    events, calls, sums, at = [], [], Sums(), {}
    for line in text.splitlines():
        m = row.match(line)
        if m:
            sys_ = re.match(r'sys_(\w+)(\(| -> )', m[6])
            lat = re.match(r'#\d+\s+inner/outer\(us\):\s+(\d+)/(\d+)', m[6])
            any_ = re.match(r'(\w+):\s*(.*)$', m[6])
            ns = Decimal(m[5]) * NS
            if lat:
                sums.add('hwlat', max(int(lat[1]), int(lat[2])) * 1000)
            elif sys_:
                events.append(('sys_%s_%s' % ('enter' if sys_[2] == '(' else 'exit', sys_[1]), int(m[2]), int(m[3]), ns, ''))
            elif any_ and any_[1].startswith('funcgraph_'):
                part = re.match(r'(?:[+!#*@$]\s)?\s*(?:([\d.]+) us)?\s*\|\s*(.*)$', any_[2])
                calls.append((int(m[2]), part[1], part[2].strip()))
            elif any_:
                events.append((any_[1], int(m[2]), int(m[3]), ns, any_[2]))
            continue
        switch = re.match(r'^\s*(\d+)\)\s+\S+-\d+\s+=>\s+\S+-(\d+)', line)
        if switch:
            at[switch[1]] = switch[2]
            continue
        m = graph.match(line)
        if m and not m[4].startswith('/*') and '=====' not in line:
            task = m[2].rsplit('-', 1)[1] if m[2] else at.get(m[1], 'cpu' + m[1])
            calls.append((task, m[3], m[4].strip()))
        if 'LOST' in line:
            calls.append(None)
    parts, part = [], []
    for c in calls + [None]:
        if c is None:
            parts.append(part)
            part = []
        else:
            part.append(c)
    for part in parts:
        for name, (n, t) in graph_calls(part).items():
            sums.add(name, t, n)
    sums.update(simple_syscalls(events))
    return sums


def hist_trigger(text):
    """Hits of each operation: the keys that are no latency."""
    sums = Sums()
    keys = []
    for line in re.sub(r'\{ stacktrace:\n(.*?)\}', lambda m: '{ stacktrace: ' + ';'.join(
            x.strip() for x in m[1].splitlines() if x.strip()) + ' }', text, flags=re.S).splitlines():
        spec = re.search(r'hist:(?:name=\w+:)?keys=([^: ]+)', line)
        if spec:
            keys = spec[1].split(',')
        m = re.match(r'\{ (.*) \} hitcount:\s+(\d+)(.*)$', line)
        if not m:
            continue
        names = [k.split('.')[0] for k in keys]
        values = re.match(', '.join('%s: (.*)' % n for n in names) + '$', m[1]).groups()
        shown, latency = [], None
        for key, value in zip(keys, values):
            if re.match(r'(.*_)?lat(_us)?(\.|$)', key) or '.buckets' in key:
                latency = value.strip()
                continue
            value = value.strip()
            if key.endswith('.syscall'):
                value = re.sub(r'\s*\[.*', '', value)
            if key.endswith('.execname'):
                value = re.sub(r'\s*\[\s*(\d+)\]', r'[\1]', value)
            shown.append(value)
        hits = int(m[2])
        total = re.search(r'delta:\s+(\d+)', m[3])
        if latency is None and not total:
            continue
        v = 0
        if latency and latency[0] != '~':
            v = int(latency) - (1 << 64 if int(latency) >= 1 << 63 else 0)
        sums.add(','.join(shown) or 'lat', int(total[1]) if total else v * hits, hits)
    return sums


def perf_trace(text):
    call = re.compile(r'(?:^|\s)(?:[\d.]+|\?) (?:\[\d+\] )?\(\s*([\d.]+) ms\): (?:.*?/\d+ )?\s*(?:\.\.\. \[continued\]: )?(\w+)\(')
    row = re.compile(r'^\s{3}(\w+)\s+(\d+)\s+(\d+)\s+([\d.]+)\s+[\d.]+\s+[\d.]+\s+[\d.]+\s+[\d.]+%')
    calls, rows = Sums(), Sums()
    for line in text.splitlines():
        m = call.search(line)
        if m and Decimal(m[1]) * 1000000 < 2 ** 63:  # else below 0, printed without a sign
            calls.add(m[2], Decimal(m[1]) * 1000000)
        m = row.match(line)
        if m:
            rows.add(m[1], Decimal(m[4]) * 1000000, int(m[2]))
    return calls or rows


def perf_sched(text):
    sums = Sums()
    for line in text.split('Runtime summary')[0].splitlines():
        priority = r'[\d>-]+\s+' if ' prio ' in text else ''
        m = re.match(r'^\s*\d+\.\d+ \[\d+\]\s+(?!<idle>)(\S.*?)(?:\[[\d/]+\])?\s+' + priority + r'([\d.]+)\s+([\d.]+)\s+([\d.]+)\b', line)
        if m:
            for name, ms in zip(('wait time', 'sch delay', 'run time'), m.groups()[1:]):
                if Decimal(ms):
                    sums.add(name + '/' + m[1], Decimal(ms) * 1000000)
    for m in re.finditer(r'^\s*(\S.*?)\s*\|\s*([\d.]+) ms \|\s*(\d+) \| avg:\s*([\d.]+) ms', text, re.M):
        n = int(m[3])
        name = re.sub(r':(\d+|\(\d+\))$', '', m[1])
        sums.add('runtime/' + name, Decimal(m[2]) * 1000000, n)
        sums.add('delay/' + name, Decimal(m[4]) * 1000000 * n, n)
    return sums


def rtla(text):
    sums, columns = Sums(), []
    for line in text.split('ALL:')[0].splitlines():
        words = line.split()
        if words[:1] == ['Index']:
            columns = words[1:]
        if words and columns and (words[0].isdigit() or words[0] == 'over:'):
            for name, n in zip(columns, words[1:]):
                sums.add(name, 0, int(n))
    return sums


def perf_ftrace(text):
    sums = Sums()
    for m in re.finditer(r'^\s*[\d.]+ -\s+[\d.]+ +\ws \|\s*(\d+) \|', text, re.M):
        sums.add('latency', 0, int(m[1]))
    for m in re.finditer(r'^\s*([\d.]+) +[\d.]+ +[\d.]+ +(\d+)   (\S+)(?: \[\w+\])?$', text, re.M):
        sums.add(m[3], Decimal(m[1]), int(m[2]))
    return sums


def perf_kwork(text):
    sums, delays = Sums(), 'Avg delay' in text
    for m in re.finditer(r'^ *\d+\.\d+ +\d+\.\d+ +\[\d+\]  (.{30}) +([\d.]+) +([\d.]*)', text, re.M):
        for layer, ms in (('runtime/', m[2]), ('delay/', m[3])):
            if ms:
                sums.add(layer + m[1].strip(), Decimal(ms) * 1000000)
    for m in re.finditer(r'^\s*(\S.*?)\s*\|\s*\d+ \|\s*([\d.]+) ms \|\s*(\d+) \|', text, re.M):
        sums.add(m[1], Decimal(m[2]) * 1000000 * (int(m[3]) if delays else 1), int(m[3]))
    return sums


UNITS = {'ns': 1, 'us': 1000, 'ms': 1000000, 's': 1000000000}


def perf_lock(text):
    """The last columns follow from the head; of call stacks nothing."""
    sums = defaultdict(Sums)
    separated = re.search(r'^# output: contended(\S*) .*', text, re.M)
    head = separated or re.search(r'^ *contended +.*', text, re.M)
    titles = re.split(re.escape(separated[1]) + ' ' if separated else r'\s{2,}', head[0].split('output: ')[-1].strip())
    for line in text[head.end():].split('===')[0].splitlines():
        cells = re.split(re.escape(separated[1]) + r'(?: |$)' if separated else r'\s{2,}', line.strip())
        if not cells[0].isdigit():
            continue
        cell = dict(zip(titles, cells))
        if separated:
            ns = Decimal(cell['total wait'])
        else:
            number, unit = cell['total wait'].split()
            ns = Decimal(number) * UNITS[unit]
        name = re.sub(r'\+0x.*', '', next((cell[k] for k in ('caller', 'comm', 'owner', 'cgroup', 'symbol') if k in cell), ''))
        kind = cell.get('type', '')
        if not separated and 'symbol' in titles:
            name, _, kind = name.partition('(')
            name, kind = name.strip(), kind.rstrip(')')
        sums[kind].add(name or cell['address'], ns, int(cells[0]))
    if len(sums) == 1:
        return next(iter(sums.values()))
    both = Sums()
    for kind, rows in sums.items():
        for name, (n, ns) in rows.items():
            both.add(kind + '/' + name if kind else name, ns, n)
    return both


def bcc_json(text):
    import ast
    sums = Sums()
    for line in text.splitlines():
        if line.startswith('{'):
            d = ast.literal_eval(line)
            name = [v for k, v in d.items() if k not in ('ts', 'val_type', 'data') and v is not None]
            name = name[0] if name else 'latency'
            name = name.decode() if isinstance(name, bytes) else str(name)
            sums.add(name, 0, sum(r['count'] for r in d['data']))
    return sums


def bpf_bytes(key, values):
    n = len(key) - 8
    words, at = [], 0
    while at < n:
        text = bytes(key[at:at + 16]).rstrip(b'\0')
        if n - at >= 16 and len(text) >= 2 and all(32 <= c < 127 for c in text):
            words.append(text.decode())
            at += 16
        else:
            words.append(str(int.from_bytes(bytes(key[at:at + 8]), 'little', signed=True)))
            at += 8
    total = sum(int.from_bytes(bytes(values[i:i + 8]), 'little') for i in range(0, len(values), 8))
    return ','.join(words) or 'latency', total


def bpftool(text):
    sums = Sums()
    for part in text.split('key:')[1:]:
        key, values = re.split(r'value', part.split('Found')[0], maxsplit=1)
        values = re.sub(r'value|\(CPU \d+\)|:', ' ', values)
        name, n = bpf_bytes([int(x, 16) for x in key.split()], [int(x, 16) for x in values.split()])
        sums.add(name, 0, n)
    return sums


def bpftool_json(text):
    sums = Sums()
    for e in json.loads(text):
        e = e.get('formatted', e)
        if isinstance(e['key'], list):
            values = [int(x, 16) for v in e.get('values', [e]) for x in v['value']]
            sums.add(*bpf_bytes([int(x, 16) for x in e['key']], values)[:1],
                     0, bpf_bytes([int(x, 16) for x in e['key']], values)[1])
        elif isinstance(e.get('value'), dict) and 'slots' in e['value']:
            sums.add('%s %s' % (e['key'], e['value']['comm']), 0, sum(e['value']['slots']))
    return sums


LETTERS = {'R': 'read', 'W': 'write', 'O': 'open', 'S': 'fsync', 'F': 'fsync'}


def bcc_events(text):
    """Latencies in the unit printed, by the columns of each tool."""
    sums, heads = Sums(), [
        (r'TIME\s+COMM\s+PID\s+T BYTES', r'\s*[\d:]+ .{14} \d+\s+(?P<t>\w) \d+\s+\d+\s+(?P<l>[\d.]+) '),
        (r'TIME\(s\)\s+COMM\s+PID\s+D ', r'[\d.]+\s+\S+\s+\d+\s+(?P<t>\w) \d+\s+(?P<l>[\d.]+) '),
        (r'COMM\s+PID\s+LAT', r'\S+\s+\d+\s+(?P<l>[\d.]+)\s+\w+ (?P<n>\S+)'),
        (r'TIME\s+COMM\s+TID', r'\s*[\d:]{8} .{16} \d+\s+(?P<l>\d+)$'),
        (r'TIME\(s\)\s+COMM\s+PID\s+DISK .*QUE', r'[\d.]+\s+.*?\s+\d+\s+(?P<d>\S+)\s+(?P<t>\w+)\s+-?\d+\s+\d+\s+(?P<q>-?[\d.]+)\s+(?P<l>[\d.]+)$'),
        (r'TIME(?:\(s\)|STAMP)\s+COMM\s+PID\s+DISK ', r'[\d.:]+\s+.*?\s+\d+\s+(?P<d>\S+)\s+(?P<t>\w+)\s+-?\d+\s+\d+\s+(?P<l>[\d.]+)$'),
        (r'TIME\s+STAGE', r'[\d:]+ (?P<n>.{20} \w+)\s+(?P<l>\d+)\s+\d+'),
        (r'TIME\s+PID\s+COMM\s+LATms', r'[\d:]+\s+\d+\s+.*?\s(?P<l>[\d.]+) \S+$'),
        (r'TIME\(s\)\s+PID\s+MS', r'[\d.]+\s+\d+\s+(?P<l>[\d.]+) '),
        (r'ENDTIME_us', r'\d+,[^,]+,\d+,(?P<t>\w),\d+,\d+,(?P<l>\d+),')]
    subject = 'run queue' if 'run queue' in text else 'query' if 'QUERY' in text else 'lookup'
    row = next(r for h, r in heads if re.search(h, text))
    for line in text.splitlines():
        m = re.match(row, line)
        if m:
            g = m.groupdict()
            name = re.sub(r'\s+(\w+)$', r'/\1', g['n']) if 'STAGE' in text else g.get('n')
            name = name or LETTERS.get(g.get('t'), g.get('t')) or subject
            name = g['d'] + ',' + name if 'd' in g else name
            sums.add('latency/' + name if 'q' in g else name, g['l'])
            if 'q' in g and g['q'][0] != '-':
                sums.add('queue/' + name, g['q'])
    return sums


def bcc_summary(text):
    sums, what = Sums(), ''
    unit = {'ns': 1, 'us': 10**3, 'ms': 10**6, 's': 10**9, 'm': 60 * 10**9, 'h': 3600 * 10**9}
    time = r'\s+[\d.]+ (?:ns|us|ms|s|m|h)'
    for line in text.splitlines():
        irq = re.match(r'(\S.*?)\s+(\d+)\s+(\d+)(?:\s+\d+(?:\s+(\d+))?)?$', line) if 'IRQ ' in text else None
        if irq:
            calls, total = (irq[2], irq[3]) if 'HARDIRQ' in text else (irq[3], irq[2])
            sums.add('cpu %s/%s' % (irq[4], irq[1]) if irq[4] else irq[1], total, int(calls))
            continue
        head = re.match(r'\s+(?:Caller|Tid) .* Total (\w+)', line)
        what = head[1] + '/' if head else what
        m = re.match(r'\s+(\S+)\s+\d+\s+(\d+)\s+\d+\s+(\d+)$', line) if what else \
            re.match(r'(\S+|\[unknown: \d+\]|\d+\s+\S+)\s+(\d+)\s+(\d+\.\d+)$', line)
        # klockstat of libbpf-tools
        k = re.match(r'\s+(\S+(?:\s+\S+)?)' + time + r'\s+(\d+)' + time + r'\s+([\d.]+) (\w+) *$', line)
        if k and what:
            m = (k[0], k[1], k[2], Decimal(k[3]) * unit[k[4]])
        if m:
            sums.add(what + re.sub(r'^(\d+)\s+', r'\1 ', m[1]), m[3], int(m[2]))
    return sums


def iolatency(text):
    sums = Sums()
    for m in re.finditer(r'^\s+\d+ -> \d+\s+: (\d+) ', text, re.M):
        sums.add('block I/O', 0, int(m[1]))
    return sums


def trace_cmd_profile(text):
    sums, task = Sums(), ''
    for m in re.finditer(r'^task: (.*)$|^  Event: (.*) \((\d+)\) Total: (\d+)', text, re.M):
        task = m[1] or task
        if m[2]:
            sums.add((task + '/' if text.count('task:') > 1 else '') + m[2], m[4], int(m[3]))
    return sums


def function_profile(text):
    """Rows by their end: hits, and a time and its average after them; the name is what is before."""
    sums = Sums()
    for m in re.finditer(r'^ *(.{0,30}?) +(\d+) +([\d.]+) us +[\d.]+ us.*$', text, re.M):
        sums.add(m[1].strip() or '[unknown]', Decimal(m[3]) * 1000, int(m[2]))
    return sums


def lock_stat(text):
    """Of the last print, rows by their end: a colon and 12 numbers, or 10 without averages."""
    sums, last = Sums(), text.split('class name')[-1]
    for m in re.finditer(r'^ *(.+):((?: +[\d.]+){10,12})$', last, re.M):
        n, half = m[2].split(), len(m[2].split()) // 2
        for layer, cell in (('wait', n[:half]), ('hold', n[half:])):
            if cell[1] != '0':
                sums.add(layer + '/' + re.sub('-W$', '', m[1]), cell[4], int(cell[1]))
    return sums


READERS = {'babeltrace': babeltrace, 'perf-script': perf_script, 'ftrace': ftrace, 'trace-cmd': ftrace, 'hist-trigger': hist_trigger,
           'perf-trace': perf_trace, 'perf-sched': perf_sched, 'rtla': rtla, 'perf-ftrace': perf_ftrace,
           'perf-kwork': perf_kwork, 'perf-lock': perf_lock,
           'function-profile': function_profile, 'lock-stat': lock_stat,
           'bcc-json': bcc_json, 'bcc-events': bcc_events, 'bcc-summary': bcc_summary,
           'iolatency': iolatency, 'sysdig': sysdig, 'trace-cmd-profile': trace_cmd_profile, 'bpftool': bpftool, 'bpftool-json': bpftool_json}
TOTALS = {'babeltrace', 'sysdig', 'perf-kwork', 'perf-lock', 'perf-script', 'ftrace', 'trace-cmd', 'perf-trace', 'perf-sched', 'bcc-events', 'bcc-summary',
          'trace-cmd-profile', 'function-profile', 'lock-stat'}
LAYERED = {'lock-stat', 'perf-kwork', 'perf-lock', 'perf-sched', 'bcc-events', 'bcc-summary', 'trace-cmd-profile'}


def compare(osprof, path):
    kind = os.path.basename(os.path.dirname(path))
    shown = subprocess.run([osprof, 'show', '-q', '-f', 'json', path], capture_output=True, text=True)
    if shown.returncode != 0:
        return None
    found = READERS[kind](open(path, errors='surrogateescape').read())
    wrong = []
    for op in json.loads(shown.stdout)['runs'][0]['operations']:
        name = op['name']
        if kind in LAYERED and op['layer']:
            name = op['layer'] + '/' + name
        n, total = found.pop(name, (0, Decimal(0)))
        if n != op['count']:
            wrong.append('%s: %s calls, recounted %s' % (name, op['count'], n))
        elif kind in TOTALS and abs(float(total) - op['total']) > 1e-6 * max(1, op['total']):
            wrong.append('%s: total %s, recounted %s' % (name, op['total'], total))
    wrong += ['%s: %s calls recounted, not shown' % (k, v[0]) for k, v in found.items() if v[0]]
    return wrong


def main():
    osprof, paths = sys.argv[1], sys.argv[2:]
    if not paths:
        paths = [p for kind in READERS for p in sorted(glob.glob('testdata/%s/*' % kind))
                 if not p.endswith(('.expect', '.md'))]
    bad = 0
    for path in paths:
        wrong = compare(osprof, path)
        print('%s: %s' % (path, 'refused' if wrong is None else 'agrees' if not wrong else '; '.join(wrong)))
        bad += bool(wrong)
    sys.exit(bad > 0)


main()
