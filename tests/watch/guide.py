#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The lines of doc/guide.md from bpftrace to an alarm, taken from there and typed into a shell.

	guide.py OSPROF CLOCK TESTDATA GUIDE [CASE...]

With their own options an alarm takes 106 intervals of 10 seconds and some.  So there are two cases.
In one the lines run as they stand, on a clock (tests/watch/clock.c) that goes when it is set;
`bpftrace` prints what it has printed in testdata/watch/reads.json.xz.  In the other, which needs root
and bpftrace, time is that of the machine: a program reads from a pipe, bpftrace counts, and intervals
are shorter, by OPTIONS."""
import json
import lzma
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from watching import ALL, LIMIT, OSPROF, ROOT, StillClock, case, main, write

CLOCK = os.path.realpath(sys.argv[2])
READS = os.path.join(os.path.realpath(sys.argv[3]), 'watch/reads.json.xz')
OPTIONS = '--every 100ms --false-alarms 1/1h'  # with these the guide says how long it takes
PRINTED = '--snapshots delta'
HEADING = 'From bpftrace to an alarm:'

# What comes through the pipe `documents`; who writes to it waits until it was read.
REPLAYED = '''#!%s
import fcntl, os, struct, sys, termios, time
assert sys.argv[1:4] == ['-q', '-f', 'json'] and 'interval:s:10' in open(sys.argv[4]).read(), sys.argv
for n, line in enumerate(open('documents'), 1):
	print(line, end='', file=open('printed', 'a'))
	print(line, end='', flush=True)
	while struct.unpack('i', fcntl.ioctl(1, termios.FIONREAD, bytes(4)))[0] > 0:
		time.sleep(0.002)
	os.mkdir('read-%%d' %% n)
'''

COUNTED = '''#!/bin/sh
mkfifo to
tee printed <to &
exec %s "$@" >to
'''

# Reads from a pipe, from `go` to `done`: a read takes a millisecond, and eight when it has got slow.
PROGRAM = '''
import os, select
r, w = os.pipe()
while not os.path.exists('go'):
	select.select([], [], [], 0.01)
if os.fork() == 0:
	os.close(r)
	while not os.path.exists('done'):
		select.select([], [], [], 0.008 if os.path.exists('slow') else 0.001)
		os.write(w, b'x')
	os._exit(0)
os.close(w)
n = 1
while os.read(r, 1):
	n += 1
print(n)
'''


def guide():
	"""What is typed: make the program, watch, replay."""
	with open(sys.argv[4]) as f:
		block = re.search(re.escape(HEADING) + r'.*?```console\n(.*?)```', f.read(), re.S).group(1)
	typed = [l.removeprefix('$ ') for l in block.splitlines()]
	assert len(typed) == 3 and all(l.startswith('$ ') for l in block.splitlines()), block
	assert typed[1].startswith('osprof watch ') and typed[2].startswith('osprof watch --replay '), typed
	return typed


class Shell:
	"""A folder with `bpftrace` and `osprof` in it, where lines are typed."""

	def __init__(self, bpftrace, environment=os.environ):
		self.folder = tempfile.mkdtemp(dir=ROOT)
		os.symlink(OSPROF, self.path('osprof'))
		write(self.path('bpftrace'), bpftrace)
		os.chmod(self.path('bpftrace'), 0o755)
		self.environment = {**environment, 'PATH': f'{self.folder}:{os.environ["PATH"]}'}

	def path(self, name):
		return os.path.join(self.folder, name)

	def wait_for(self, name):
		end = time.monotonic() + LIMIT
		while not os.path.exists(self.path(name)):
			assert time.monotonic() < end, name
			time.sleep(0.002)

	def start(self, line):
		p = subprocess.Popen(['sh', '-c', line], cwd=self.folder, env=self.environment,
			stdout=subprocess.PIPE, stderr=open(self.path('stderr'), 'a'))
		ALL.append(p)
		return p

	def run(self, line):
		p = self.start(line)
		out = p.communicate(timeout=LIMIT)[0].decode()
		assert p.returncode == 0, (line, out)
		return out

	def printed(self, said):
		"""Calls in what bpftrace had printed when watching ended, which says how much that is."""
		with open(self.path('printed')) as f:
			text = f.read(int(re.search(r'(\d+) bytes = \1 read \+ 0 dropped', said).group(1)))
		documents = [json.loads(l) for l in text.splitlines() if l]
		return sum(b['count'] for d in documents for b in d['data'].get('@read', []))


def alarms(text):
	return [l for l in text.splitlines() if '  alarm ' in l]


def first_alarm(text):
	"""Operation, feature and direction; its time and size may differ where an interval came late:
	that one is not judged, and not replayed."""
	return re.search(r'  alarm 1: (\S+): (\S+) [\d.]+x (\w+) for ', text).groups()


def said_until_alarm(p, seconds):
	late = threading.Timer(seconds, p.kill)
	late.start()
	said = ''
	while not alarms(said):
		line = p.stdout.readline().decode()
		assert line, f'no alarm within {seconds} s: {said}'
		said += line
	late.cancel()
	return said


def end(p):
	p.send_signal(signal.SIGTERM)
	out = p.communicate(timeout=LIMIT)[0].decode()
	assert p.returncode == 0, out
	return out


def kept(shell):
	merged = shell.run('osprof merge -q kept | osprof show -q --format json -')
	return sum(o['count'] for o in json.loads(merged)['runs'][0]['operations'])


def replay(shell, p, clock):
	"""A document in the middle of each interval, until ten intervals after the alarm; what is said."""
	said, left = '', None
	with lzma.open(READS, 'rt') as f:
		lines = list(f)
	os.set_blocking(p.stdout.fileno(), False)
	with open(shell.path('documents'), 'w') as documents:
		for n, line in enumerate(lines + 5 * lines[-30:], 1):
			clock.go_on(5)
			documents.write(line)
			documents.flush()
			shell.wait_for(f'read-{n}')
			clock.wait_idle()
			clock.go_on(5)
			said += (p.stdout.read() or b'').decode()
			if left is None and alarms(said):
				left = 10
			if left is not None:
				left -= 1
			if left == 0:
				break
	os.set_blocking(p.stdout.fileno(), True)
	return said


@case
def as_it_stands():
	typed = guide()
	clock = StillClock(CLOCK)
	shell = Shell(REPLAYED % sys.executable, clock.environment)
	os.mkfifo(shell.path('documents'))
	shell.run(typed[0])
	p = shell.start('exec ' + typed[1])
	said = replay(shell, p, clock)
	said += end(p)
	assert alarms(said), said
	assert first_alarm(said)[0] == 'read', said
	assert kept(shell) == shell.printed(said) > 0, (kept(shell), shell.printed(said))
	replayed = shell.run(typed[2])
	assert first_alarm(replayed) == first_alarm(said), (said, replayed)


@case
def with_bpftrace():
	if os.geteuid() != 0 or shutil.which('bpftrace') is None:
		print('# with_bpftrace: SKIP no root or no bpftrace', flush=True)
		return
	typed = guide()
	shell = Shell(COUNTED % shutil.which('bpftrace'))
	program = shell.start(f'exec {sys.executable} -c "{PROGRAM}"')
	shell.run(typed[0].replace('interval:s:10', 'interval:ms:100')
		.replace('sys_enter_read {', f'sys_enter_read /pid == {program.pid}/ {{'))
	p = shell.start('exec ' + typed[1].replace('osprof watch', f'osprof watch {OPTIONS} {PRINTED}'))
	time.sleep(2)
	write(shell.path('go'), '')
	time.sleep(11.5)
	write(shell.path('slow'), '')
	said = said_until_alarm(p, 30)
	time.sleep(1)
	write(shell.path('done'), '')
	made = int(program.communicate(timeout=LIMIT)[0])
	time.sleep(0.5)
	said += end(p)
	assert first_alarm(said)[0] == 'read', said
	# bpftrace loses what happens between print() and clear().
	assert 0.98 * made < shell.printed(said) <= made, (shell.printed(said), made)
	assert kept(shell) == shell.printed(said), (kept(shell), shell.printed(said))
	replayed = shell.run(typed[2].replace('osprof watch', f'osprof watch {OPTIONS}'))
	assert first_alarm(replayed) == first_alarm(said), (said, replayed)


sys.exit(main(sys.argv[5:]))
