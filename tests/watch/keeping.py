#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What osprof watch keeps: the sums that `convert --interval` gives, a folder that reads whenever
its writer was killed, and the same alarms when it is replayed.

	keeping.py OSPROF TESTDATA [ROUNDS]      ROUNDS of killing, 12 by default
"""
import glob
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), '../oracle'))
import expectations

OSPROF = os.path.realpath(sys.argv[1])
TESTDATA = os.path.realpath(sys.argv[2])
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 12
ROOT = tempfile.mkdtemp(prefix='osprof-watch-', dir='/dev/shm' if os.access('/dev/shm', os.W_OK) else None)


def run(*args, **more):
	return subprocess.run([OSPROF, *args], capture_output=True, **more)


def kept_files(folder):
	return sorted(f for f in glob.glob(folder + '/*.osprof'))


def same_sums(path, seconds, extra=()):
	"""None: there is nothing to compare."""
	folder = os.path.join(ROOT, 'same')
	shutil.rmtree(folder, ignore_errors=True)
	converted = os.path.join(ROOT, 'converted.osprof')
	if os.path.exists(converted):
		os.unlink(converted)
	p = run('convert', '--quiet', '--utc', '--interval', str(seconds), *extra, path, '-o', converted)
	if p.returncode != 0:
		return None
	expected = run('merge', '--quiet', converted, '--to', 'osprof').stdout
	if b'\nepoch\n' not in expected:
		return None
	with open(path, 'rb') as f:
		p = run('watch', '--quiet', '--every', f'{seconds}s', '--lateness', '1d', '--keep', folder,
			'--tiers', f'{seconds}s:4000d', *extra, '-', stdin=f)
	assert p.returncode == 0, (path, p)
	got = run('merge', '--quiet', *kept_files(folder), '--to', 'osprof').stdout
	# Neither the whole run's length and clients nor the machine is of an interval; that its duration
	# was fixed is said of each operation there.
	assert not re.search(rb'^(elapsed|concurrency) ', got, re.M), path
	drop = re.compile(rb'^((elapsed|concurrency|machine|kernel) .*|fixed-duration)\n', re.M)
	assert drop.sub(b'', got) == drop.sub(b'', expected), path
	if re.search(rb'^fixed-duration$', expected.split(b'\nop ')[0], re.M):
		assert got.count(b'\nfixed-duration\n') == got.count(b'\nop '), path
	else:
		assert got.count(b'\nfixed-duration\n') == expected.count(b'\nfixed-duration\n'), path
	return True


def archives():
	"""A table of more than one segment, and the captures of streams that there are."""
	table = os.path.join(ROOT, 'table.csv')
	draw = random.Random(4)
	with open(table, 'w') as f:
		f.write('start_us,op,latency_us\n')
		rows = [f'{draw.choice(["read","write"])},{draw.randrange(0, 90000) / 4}'
			for _ in range(5000)]
		for i in range(310000):
			f.write(f'{1790000000000000 + i * 600 + draw.randrange(3000)},{rows[i % 5000]}\n')
	assert os.path.getsize(table) > 9 << 20
	assert same_sums(table, 10)
	seen = 0
	for path in sorted(glob.glob(TESTDATA + '/*/*'))[::1 if ROUNDS > 50 else 3]:
		known = expectations.of_file(path)
		if known is None or known[0] or os.path.getsize(path) > 200000:
			continue
		head = open(path, 'rb').read(300)
		if b'\0' in head or not re.search(rb'fio_log|fio-log|biosnoop|csv|pgbench|ycsb|ping|strace',
				path.encode()):
			continue
		seen += same_sums(path, 1) is True
	assert seen >= 3, seen
	print(f'archives: {seen + 1} give the sums of convert --interval')


EACH = 100
SECOND = re.compile(r'-(\d+)s\.osprof$')


def feed(base, seconds):
	"""As many calls in every second; rounds begin at windows of their own."""
	return 'start_ns,op,latency_ns\n' + ''.join(
		f'{(base + s) * 10**9 + i * 10**6},op{i % 5},{1000 + i}\n'
		for s in range(seconds) for i in range(EACH))


def uncovered(folder):
	"""Files that none of a longer time covers, by their names alone."""
	spans = []
	for f in kept_files(folder):
		start = time.strptime(os.path.basename(f)[:16], '%Y%m%dT%H%M%SZ')
		start = int(time.mktime(start) - time.timezone)
		spans.append((start, int(SECOND.search(f).group(1)), f))
	return [f for s, n, f in spans
		if not any(a <= s and s + n <= a + m and m > n for a, m, _ in spans)]


def calls(path):
	p = run('show', '--quiet', '--format', 'json', path)
	assert p.returncode == 0, (path, p)
	return sum(o['count'] for o in json.loads(p.stdout)['runs'][0]['operations'])


def killed():
	draw = random.Random(int.from_bytes(os.urandom(4), 'little'))
	folder = os.path.join(ROOT, 'killed')
	told = 0
	slowest = 0.08
	for round_ in range(ROUNDS):
		if round_ % 20 == 0:
			shutil.rmtree(folder, ignore_errors=True)
			told = 0
		p = subprocess.Popen([OSPROF, 'watch', '--quiet', '--every', '1s', '--lateness', '0s', '--keep',
			folder, '--tiers', '1s:5s,5s:20s,20s:4000d', '--format', 'json', '-'],
			stdin=subprocess.PIPE, stdout=subprocess.PIPE)
		pid = os.fork()
		if pid == 0:
			try:
				p.stdout.close()
				p.stdin.write(feed(1790000000 // 20 * 20 + round_ * 1000, 150).encode())
				p.stdin.flush()
				time.sleep(slowest)
			except BrokenPipeError:
				pass
			os._exit(0)
		p.stdin.close()
		time.sleep(draw.random() * slowest)
		p.send_signal(signal.SIGKILL)
		out = p.stdout.read().decode()
		p.wait()
		os.waitpid(pid, 0)
		told += sum('"kept": true' in line and '"judged": true' in line
			for line in out.split('\n') if line.endswith('}'))
		if not os.path.isdir(folder):
			continue
		if round_ % 20 == 19 or round_ == ROUNDS - 1 or ROUNDS < 50:
			check_folder(folder, told, round_)
	print(f'killed: {ROUNDS} times, the folder always read')


def check_folder(folder, told, round_):
	files = uncovered(folder)
	sums = [calls(f) for f in files]
	assert all(n % EACH == 0 and n <= EACH * int(SECOND.search(f).group(1))
		for n, f in zip(sums, files)), list(zip(sums, files))
	total = sum(sums)
	# What was told as kept is there; of each round one more may be.
	assert EACH * told <= total <= EACH * (told + 21), (told, total)
	if files:
		assert run('merge', '--quiet', *files, '--to', 'osprof').returncode == 0
		p = run('watch', '--quiet', '--replay', folder, '--every', '1s')
		assert p.returncode in (0, 2), (round_, p)


def step_archive(path):
	"""Calls of op1 become twice as slow from second 260 on."""
	draw = random.Random(9)
	with open(path, 'w') as f:
		f.write('start_ns,op,latency_ns\n')
		for second in range(330):
			for i in range(150):
				op = i % 3
				latency = 2 ** draw.gauss(14, 0.7) * (2 if op == 1 and second >= 260 else 1)
				f.write(f'{(1790000000 + second) * 10**9 + i * 6 * 10**6},op{op},{latency:.0f}\n')


def alarms(out):
	keys = ('id', 'name', 'feature', 'direction', 'evidence', 'since', 'effect', 'time')
	found = [json.loads(line) for line in out.decode().split('\n') if line]
	return [{k: e[k] for k in keys} for e in found if e['event'] == 'alarm'], \
		[e for e in found if e['event'] == 'alarm']


def replayed():
	path, folder = os.path.join(ROOT, 'step.csv'), os.path.join(ROOT, 'step')
	step_archive(path)
	common = ['--every', '1s', '--false-alarms', '1/d', '--format', 'json', '--quiet']
	with open(path, 'rb') as f:
		p = run('watch', *common, '--lateness', '0s', '--keep', folder, '--tiers', '1s:4000d',
			'--exit-code', '--on-alarm', f'tee {ROOT}/hooked', '-', stdin=f)
	assert p.returncode == 1, p
	live, whole = alarms(p.stdout)
	assert len(live) == 1 and live[0]['name'] == 'op1' and live[0]['feature'] == 'latency', live
	assert live[0]['direction'] == 'higher' and 0.8 < live[0]['effect'] < 1.2, live
	assert 0 < live[0]['time'] - (1790000000 + 260) < 15, live
	assert abs(live[0]['since'] - (1790000000 + 260)) <= 3, live
	assert whole[0]['verdict'] == 'regressed' and 'higher' in whole[0]['explanation'] \
		or 'up' in whole[0]['explanation'] or 'slower' in whole[0]['explanation'].lower(), whole
	again = run('watch', *common, '--replay', folder)
	assert alarms(again.stdout)[0] == live, again
	assert run('watch', '--replay', folder, '--every', '1s', '--exit-code', '--false-alarms',
		'1/d').returncode == 1
	# The text tells it by the operation's name.
	text = run('watch', '--replay', folder, '--every', '1s', '--false-alarms', '1/d').stdout.decode()
	assert re.search(r'alarm 1: op1: latency .* higher', text), text
	assert '1 alarm, ' in text, text
	# Judged against a part that is calm, from the first interval on.
	calm = os.path.join(ROOT, 'calm')
	os.mkdir(calm)
	for f in kept_files(folder)[:200]:
		shutil.copy(f, calm)
	calibrate = ('watch', '--every', '1s', '--false-alarms', '1/d', '--calibrate', '--replay')
	assert re.search(r'use --threshold-factor 1$', run(*calibrate, calm).stdout.decode(), re.M)
	# A change is none of the false alarms that a threshold could keep away.
	p = run(*calibrate, folder)
	assert p.returncode == 2 and b'something changed' in p.stderr, p
	with open(path, 'rb') as f:
		p = run('watch', *common, '--lateness', '0s', '--reference', calm, '-', stdin=f)
	assert len(alarms(p.stdout)[0]) == 1, p.stdout[-500:]
	with open(path, 'rb') as f:
		p = run('watch', '--every', '2s', '--lateness', '0s', '--reference', calm, '-', stdin=f)
	assert p.returncode == 2 and b'a reference needs' in p.stderr, p
	print('replayed: the same alarms')


signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the time is over: clean up, too
try:
	archives()
	replayed()
	killed()
finally:
	shutil.rmtree(ROOT, ignore_errors=True)
