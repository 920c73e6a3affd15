#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Watches that send to each other while they are killed, and what their surroundings do to them.

	chains.py OSPROF CLOCK [KILLS] [CASE...]

CLOCK is tests/watch/clock.c as a library to preload.  KILLS is how often processes are killed at
random (default 12; 1000 takes five minutes).
"""
import contextlib
import os
import random
import re
import socket
import stat
import subprocess
import sys
import tempfile
import time
import zlib

from watching import ALL, HEAD, LIMIT, OSPROF, ROOT, ShiftedClock, Watch, case, lines, main, write

CLOCK = os.path.realpath(sys.argv[2])
KILLS = int(sys.argv[3]) if sys.argv[3:] and sys.argv[3].isdigit() else 12

HELLO = b'osprof-frame 1 hello sender=w boot=a1\n'


def frame(seq, body):
	return (f'osprof-frame 1 profile sender=w boot=a1 seq={seq} start=1790000000 end=1790000010 '
		f'bytes={len(body)} crc32={zlib.crc32(body):08x}\n').encode() + body


def calls_by_file(folder):
	"""Of each file the calls of each operation, which has one bucket, read without osprof."""
	found = {}
	for name in sorted(f for f in os.listdir(folder) if f.endswith('.osprof')):
		calls, op = {}, None
		with open(os.path.join(folder, name)) as f:
			for line in f:
				if line.startswith('op '):
					op = line[3:].strip()
				elif op not in calls and re.match(r'\d+ \d+$', line):
					calls[op] = int(line.split()[1]) # that of its interval follows
		found[name] = calls
	return found


class Sender:
	"""Profiles of one call each, c1 c2 ..., which are sent again until they are acknowledged."""

	def __init__(self, path):
		self.path, self.s, self.n, self.waiting = path, None, 0, {}

	def drop(self):
		"""After what it was answered last."""
		while self.s is not None:
			try:
				piece = self.s.recv(4096)
			except OSError:
				piece = b''
			if piece == b'':
				self.s.close()
				self.s = None
			else:
				self.take(piece)

	def connect(self):
		s = socket.socket(socket.AF_UNIX)
		s.settimeout(0.01)
		try:
			s.connect(self.path)
			s.sendall(HELLO + b''.join(self.waiting.values()))
		except OSError:
			s.close()
			time.sleep(0.002)
			return
		self.s, self.text = s, b''

	def step(self, more):
		if self.s is None:
			self.connect()
			return
		try:
			for _ in range(more if len(self.waiting) < 40 else 0):
				self.n += 1
				self.waiting[self.n] = frame(self.n, f'osprof 1\nunit ns\nop c{self.n}\n10 1\n'.encode())
				self.s.sendall(self.waiting[self.n])
			piece = self.s.recv(4096)
			if piece == b'':
				raise ConnectionResetError
			self.take(piece)
		except socket.timeout:
			pass
		except OSError:
			self.drop()

	def take(self, piece):
		*whole, self.text = (self.text + piece).split(b'\n')
		for line in whole:
			acked = int(re.fullmatch(rb'osprof-frame 1 ack seq=(\d+) boot=a1', line)[1])
			self.waiting = {k: v for k, v in self.waiting.items() if k > acked}


def killed_at_random(processes, sender, seed):
	"""Starts them, kills one of them KILLS times, until all is acknowledged by the first, what came
	after the last time, too."""
	draw = random.Random(seed)
	running = [start() for start in processes]
	kills, next_kill, last = 0, time.monotonic() + 0.5, None
	end = time.monotonic() + 60 + KILLS
	while kills < KILLS or sender.waiting or sender.n == last:
		assert time.monotonic() < end, (kills, len(sender.waiting))
		if kills < KILLS and time.monotonic() > next_kill:
			i = draw.randrange(len(running))
			running[i].kill()
			running[i].wait()
			if i == 0:
				sender.drop()
			running[i] = processes[i]()
			kills += 1
			last = sender.n
			next_kill = time.monotonic() + draw.uniform(0.02, 0.4)
		sender.step(draw.randrange(3) if kills < KILLS else sender.n == last)
	sender.drop()
	return running


def start(*args):
	p = subprocess.Popen([OSPROF, 'watch', '--every', '0.1s', '--quiet', *args],
		stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
	ALL.append(p)
	return p


def end_all(processes):
	for p in processes:
		p.terminate()
		assert p.wait(LIMIT) == 0


@case
def receiver_that_is_killed():
	at = tempfile.mkdtemp(dir=ROOT)
	sender, lives = Sender(f'{at}/socket'), [set()]

	def receiver():
		there = set(calls_by_file(f'{at}/kept')) if os.path.exists(f'{at}/kept') else set()
		lives.append(there.difference(*lives))
		return start('--keep', f'{at}/kept', f'frames:unix:{at}/socket')
	end_all(killed_at_random([receiver], sender, 1))
	kept = calls_by_file(f'{at}/kept')
	lives.append(set(kept).difference(*lives))
	holds = {}
	for name, calls in kept.items():
		for op in calls:
			assert calls[op] == 1, (name, op)
			holds.setdefault(op, []).append(name)
	assert set(holds) == {f'c{i + 1}' for i in range(sender.n)}, sender.n
	# Only the last interval of a life counts twice: it was written, and not acknowledged.
	twice = {name for names in holds.values() for name in names[:-1]}
	assert all(len(twice & life) <= 1 for life in lives), (twice, lives)


@case
def three_that_are_killed():
	at = tempfile.mkdtemp(dir=ROOT)
	sender = Sender(f'{at}/1')
	running = killed_at_random([
		lambda: start('--spool', f'{at}/spool', '--forward', f'unix:{at}/2', f'frames:unix:{at}/1'),
		lambda: start('--keep', f'{at}/kept', f'frames:unix:{at}/2')], sender, 2)
	end = time.monotonic() + 60
	while any(f.endswith('.frame') for f in os.listdir(f'{at}/spool')):
		assert time.monotonic() < end, os.listdir(f'{at}/spool')
		time.sleep(0.05)
	end_all(running)
	there = {op for calls in calls_by_file(f'{at}/kept').values() for op in calls}
	assert there == {f'c{i + 1}' for i in range(sender.n)}, sender.n


@case
def a_spool_over_a_clock_that_was_set_back():
	if 'san' in OSPROF:
		return  # its runtime has to be the first that is loaded
	at = tempfile.mkdtemp(dir=ROOT)
	clock = ShiftedClock(CLOCK, 'TEST_CLOCK')
	send = ['-', '--forward', f'unix:{at}/socket', '--sender', 'w', '--spool', f'{at}/spool']
	w = Watch(*send, stdin=subprocess.PIPE, every='0.2s', env=clock.environment)
	for n, name in enumerate(('first', 'second', 'third')):
		w.p.stdin.write((HEAD * (n == 0) + lines(10, name)).encode())
		w.p.stdin.flush()
		w.wait_calls(10 * n + 10)
		clock.set(-3600 * (n + 1))
	w.p.kill()
	w.p.wait()
	# Names are in the order of ends; frames are sent in that of their numbers, and none is taken for
	# one that was there before.
	second = Watch(*send, stdin=subprocess.PIPE, every='0.2s')
	r = Watch(f'frames:unix:{at}/socket', every='0.2s')
	r.wait_calls(30)
	second.stop()
	r.stop()
	assert r.merged() == {'first': 10, 'second': 10, 'third': 10}, r.merged()


def spool_of_starts(at, n):
	"""One profile of each of them, which have the numbers from 1 on."""
	os.mkdir(f'{at}/spool')
	for i in range(n):
		name = f'{1790000010 + i:017d}-{i + 1:016x}-{1:020d}.frame'
		whole = frame(1, b'osprof 1\nunit ns\nop a\n10 1\n').replace(b'boot=a1', b'boot=%x' % (i + 1)) \
			.replace(b'end=1790000010', b'end=%d' % (1790000010 + i))
		with open(f'{at}/spool/{name}', 'wb') as f:
			f.write(whole)


def until_empty(spool):
	end = time.monotonic() + LIMIT
	while any(f.endswith('.frame') for f in os.listdir(spool)):
		assert time.monotonic() < end
		time.sleep(0.02)


@case
def many_starts_in_a_spool():
	at = tempfile.mkdtemp(dir=ROOT)
	spool_of_starts(at, 40)
	with socket.socket(socket.AF_UNIX) as listening:
		listening.bind(f'{at}/socket')
		listening.listen()
		w = Watch('-', '--forward', f'unix:{at}/socket', '--sender', 'w', '--spool', f'{at}/spool',
			stdin=subprocess.PIPE)
		s, text, answered = listening.accept()[0], b'', 0
		s.settimeout(LIMIT)
		while answered < 40:
			# Each start is named before its frame, and 32 of them wait for no answer.
			wanted = min(answered + 32, 40)
			while text.count(b'\n10 1\n') < wanted:
				text += s.recv(1 << 16)
			assert re.findall(rb'hello sender=w boot=(\w+)', text) == [b'%x' % (i + 1) for i in range(wanted)]
			answered += 1
			s.sendall(b'osprof-frame 1 ack seq=1 boot=%x\n' % answered)
		until_empty(f'{at}/spool')
		w.stop()
		s.close()
	assert w.forwarded['acknowledged'] == w.forwarded['spooled'] == 40, w.forwarded


@case
def answers_that_name_no_start():
	"""Of several that wait it is not known whose is answered: they come again, one by one."""
	at = tempfile.mkdtemp(dir=ROOT)
	spool_of_starts(at, 3)
	with socket.socket(socket.AF_UNIX) as listening:
		listening.bind(f'{at}/socket')
		listening.listen()
		listening.settimeout(LIMIT)
		w = Watch('-', '--forward', f'unix:{at}/socket', '--sender', 'w', '--spool', f'{at}/spool',
			stdin=subprocess.PIPE)
		s, text = listening.accept()[0], b''
		while text.count(b'\n10 1\n') < 3:
			text += s.recv(1 << 16)
		s.sendall(b'osprof-frame 1 ack seq=1\n')
		while s.recv(1 << 16) != b'':
			pass
		s.close()
		s, text = listening.accept()[0], b''
		s.settimeout(LIMIT)
		for i in range(1, 4):
			while text.count(b'\n10 1\n') < i:
				text += s.recv(1 << 16)
			assert text.count(b'hello') == text.count(b'\n10 1\n') == i, text
			s.sendall(b'osprof-frame 1 ack seq=1\n')
		until_empty(f'{at}/spool')
		w.stop()
		s.close()
	assert w.forwarded['acknowledged'] == w.forwarded['spooled'] == 3, w.forwarded


class Connected(Watch):
	"""A receiver, and a connection to it."""

	def __init__(self, *args, every='0.2s', **more):
		self.at = tempfile.mkdtemp(dir=ROOT)
		super().__init__(f'frames:unix:{self.at}/socket', *args, every=every, **more)
		self.wait_for(lambda e: e['event'] == 'source' and e['message'] == 'listening', 'listening')
		self.s = self.connect()
		self.answers = self.s.makefile('rb')

	def connect(self):
		s = socket.socket(socket.AF_UNIX)
		s.connect(f'{self.at}/socket')
		s.settimeout(LIMIT)
		s.sendall(HELLO)
		return s

	def answer(self):
		return self.answers.readline().decode().strip()


@case
def large_frames_are_not_room_for_ever():
	r = Connected()
	body = b'osprof 1\nunit ns\nop a\n10 1\n# ' + b'x' * (7 << 20) + b'\n'
	held = []
	for i in range(8):
		s = r.connect()
		who = f'sender=w{i} '.encode()
		s.sendall(HELLO.replace(b'sender=w ', who) + frame(1, body).replace(b'sender=w ', who))
		held.append(s)
	r.wait_calls(8)
	now = [l for l in open(f'/proc/{r.p.pid}/status') if l.startswith('VmRSS')][0]
	r.stop()
	if 'san' not in OSPROF:
		assert int(now.split()[1]) < 32 << 10, now


@case
def what_does_not_add_up_is_refused():
	r = Connected()
	r.s.sendall(frame(1, b'osprof 1\nunit ns\nop a\n10 3\n') + frame(2, b'osprof 1\nunit cycles\nhz 1000000\nop a\n10 4\n'))
	answers = {r.answer()}
	while 'osprof-frame 1 ack seq=2 boot=a1' not in answers:
		answers.add(r.answer())
	r.stop()
	assert 'osprof-frame 1 refused seq=2 boot=a1' in answers, answers
	assert 'not added up' in r.messages() and os.listdir(f'{r.keep}/refused') == ['from-w-a1-2.frame']
	assert r.merged() == {'a': 3}, r.merged()


@case
def what_cannot_be_written_stays_with_its_senders():
	r = Connected(every='0.1s')
	# No file can have the name under which each is written first; perhaps there is one just now.
	while not os.path.isdir(f'{r.keep}/.osprof-interval.part'):
		with contextlib.suppress(FileExistsError):
			os.mkdir(f'{r.keep}/.osprof-interval.part')
	r.s.sendall(frame(1, b'osprof 1\nunit ns\nop a\n10 1\n'))
	r.wait_for(lambda e: e['event'] == 'source' and 'senders wait' in e['message'], 'pause')
	for i in range(2, 5):
		r.s.sendall(frame(i, b'osprof 1\nunit ns\nop a\n10 1\n'))
	# Of more than can wait those go in which nothing was called.
	r.wait_for(lambda e: e['event'] == 'source' and 'the oldest is dropped' in e['message'], 'too many')
	os.rmdir(f'{r.keep}/.osprof-interval.part')
	while r.answer() != 'osprof-frame 1 ack seq=4 boot=a1':
		pass
	r.stop(status=2)
	assert 'senders go on' in r.messages() and r.merged() == {'a': 4}, (r.messages(), r.merged())


@case
def a_host_that_is_gone_is_found_out():
	with socket.create_server(('127.0.0.1', 0)) as free:
		port = free.getsockname()[1]
	r = Watch(f'frames:tcp:127.0.0.1:{port}')
	w = Watch('-', '--forward', f'tcp:127.0.0.1:{port}', '--sender', 'w', stdin=subprocess.PIPE)
	w.wait_for(lambda e: e['event'] == 'source' and e['message'] == 'connected', 'connected')
	# Of both ends the kernel looks whether the other is there (proc(5): timer 2).
	rows, end = [], time.monotonic() + LIMIT
	while [row[5][:2] for row in rows if row[3] == '01'] != ['02', '02']:
		assert time.monotonic() < end, rows
		time.sleep(0.02)
		with open('/proc/net/tcp') as f:
			rows = [l.split() for l in f if f':{port:04X} ' in l]
	w.stop()
	r.stop()


@case
def a_socket_that_another_one_has_now():
	r = Connected()
	os.unlink(f'{r.at}/socket')
	other = Watch(f'frames:unix:{r.at}/socket')
	other.wait_for(lambda e: e['event'] == 'source' and e['message'] == 'listening', 'listening')
	r.stop()
	assert stat.S_ISSOCK(os.stat(f'{r.at}/socket').st_mode)
	other.stop()
	assert not os.path.exists(f'{r.at}/socket')


@case
def links_are_not_followed():
	at = tempfile.mkdtemp(dir=ROOT)
	write(f'{at}/mine', 'mine', 'w')
	os.mkdir(f'{at}/kept')
	for link in ('numbers.part', 'kept/.osprof-lock'):
		os.symlink(f'{at}/mine', f'{at}/{link}')
	p = subprocess.run([OSPROF, 'watch', '--keep', f'{at}/kept', '-'], stdin=subprocess.DEVNULL,
		capture_output=True, timeout=LIMIT)
	assert p.returncode == 2 and b'symbolic links' in p.stderr, p
	w = Watch('-', '--prometheus', f'{at}/numbers', stdin=subprocess.PIPE, every='0.2s')
	w.wait_for(lambda e: e['event'] == 'interval' and e['sequence'] > 2, 'two intervals')
	w.stop()
	with open(f'{at}/mine') as mine, open(f'{at}/numbers') as numbers:
		assert mine.read() == 'mine' and 'osprof_watch_intervals_total' in numbers.read()


def processes():
	"""Of each that has not ended: its parent and its command line."""
	found = []
	for pid in filter(str.isdigit, os.listdir('/proc')):
		try:
			with open(f'/proc/{pid}/stat') as stat, open(f'/proc/{pid}/cmdline') as command:
				state, parent = stat.read().rsplit(') ', 1)[1].split()[:2]
				if state != 'Z':
					found.append((int(parent), command.read().replace('\0', ' ')))
		except OSError:
			pass
	return found


@case
def commands_that_do_not_end():
	mark = f'{tempfile.mkdtemp(dir=ROOT)}/deaf'
	deaf = f'trap "" TERM; while :; do sleep 0.07; done; : {mark}'
	w = Watch(f'poll:{deaf}', f'cmd:{deaf} cmd', every='0.2s')
	for n in range(6):
		w.wait_for(lambda e: e['event'] == 'interval' and e['sequence'] > 2 * n, f'interval {n}')
		children = [command for parent, command in processes() if parent == w.p.pid]
		# The two that run, and one that has just been killed.
		assert len(children) <= 3, children
	w.stop()
	deaf_ones = [command for _, command in processes() if mark in command]
	assert 'was ended' in w.messages() and deaf_ones == [], deaf_ones


sys.exit(main([a for a in sys.argv[3:] if not a.isdigit()]))
