#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests of osprof watch share: a process that watches, and running cases.

Each case has a folder and a process of its own; some run at once. A case that raises has
failed. The ledger (in = read + dropped + waiting) is checked at the end of every case."""
import concurrent.futures
import fcntl
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import traceback

OSPROF = os.path.realpath(sys.argv[1])
LIMIT = 120  # seconds for what is waited for; only a test that fails waits as long
ROOT = tempfile.mkdtemp(prefix='osprof-watch-')
os.chmod(ROOT, 0o711)  # other users reach what is open to them in it
CASES = []
ALL = []


def case(function):
	CASES.append(function)
	return function


class ShiftedClock:
	"""A clock of programs that run with this environment, which tests/watch/clock.c (`library`) shifts."""

	def __init__(self, library, *variables, **more):
		self.path = os.path.join(ROOT, f'clock-{id(self)}')
		self.set(0)
		# A sanitizer's build has a library of its own that wants to be the first.
		options = os.environ.get('ASAN_OPTIONS', '') + ':verify_asan_link_order=0'
		self.environment = {**os.environ, 'ASAN_OPTIONS': options, 'LD_PRELOAD': library,
			**{v: self.path for v in variables}, **more}

	def set(self, seconds):
		write(self.path + '.new', str(seconds), 'w')
		os.rename(self.path + '.new', self.path)


class StillClock(ShiftedClock):
	"""One that goes only when it is set, from second START on, of one process that watches."""
	START = 1700000000

	def __init__(self, library):
		super().__init__(library, 'TEST_CLOCK', 'TEST_STEADY_CLOCK', TEST_STILL=str(self.START))
		self.idle = self.environment['TEST_IDLE'] = self.path + '.idle'
		self.seconds = 0

	def wait_idle(self):
		"""Until the process has done all that is to be done at this time."""
		end = time.monotonic() + LIMIT
		if os.path.exists(self.idle):
			os.unlink(self.idle)
		while not os.path.exists(self.idle) or open(self.idle).read() != f'{self.seconds}\n':
			assert time.monotonic() < end, 'not idle'
			time.sleep(0.002)

	def go_on(self, seconds):
		self.seconds += seconds
		self.set(self.seconds)
		self.wait_idle()

	def wait_read(self, pipe):
		"""Until the process has taken what was written to a pipe."""
		end = time.monotonic() + LIMIT
		while unread(pipe) > 0:
			assert time.monotonic() < end, 'not read'
			time.sleep(0.002)
		self.wait_idle()


def unread(pipe):
	"""Bytes that wait in it."""
	return struct.unpack('i', fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)))[0]


class Watch:
	"""A process, what it says, and the folder that it keeps."""

	def __init__(self, *args, stdin=subprocess.DEVNULL, every='0.5s', **more):
		self.folder = tempfile.mkdtemp(dir=ROOT)
		self.keep = os.path.join(self.folder, 'kept')
		args = [a.replace('DIR', self.folder) for a in args]
		self.p = subprocess.Popen([OSPROF, 'watch', '--every', every, '--keep', self.keep,
			'--format', 'json', '--quiet', *args], stdin=stdin, stdout=subprocess.PIPE,
			stderr=subprocess.PIPE, cwd=self.folder, **more)
		ALL.append(self.p)
		self.events = []
		self.thread = threading.Thread(target=self.listen, daemon=True)
		self.thread.start()

	def path(self, name):
		return os.path.join(self.folder, name)

	def listen(self):
		for line in self.p.stdout:
			event = json.loads(line)
			assert event['schema'] == 'osprof.watch/1', event
			assert event['sequence'] == len(self.events), event
			self.events.append(event)

	def wait_for(self, condition, what, seconds=LIMIT):
		end = time.monotonic() + seconds
		while time.monotonic() < end:
			if any(condition(e) for e in list(self.events)):
				return
			assert self.p.poll() is None, f'ended before {what}: {self.p.stderr.read()}'
			time.sleep(0.02)
		raise AssertionError(f'never: {what}; {self.events[-3:]}')

	def wait_calls(self, n):
		"""Until so many calls are in intervals that ended."""
		end = time.monotonic() + LIMIT
		while self.calls() < n:
			assert time.monotonic() < end, f'{self.calls()} calls of {n}: {self.events[-2:]}'
			time.sleep(0.02)

	def calls(self):
		return sum(e['calls'] for e in list(self.events) if e['event'] == 'interval')

	def messages(self):
		return ' | '.join(e['message'] for e in self.events if e['event'] == 'source')

	def remove_kept(self):
		"""The folder goes away, while nobody writes a file into it."""
		self.p.send_signal(signal.SIGSTOP)
		os.waitid(os.P_PID, self.p.pid, os.WSTOPPED | os.WNOWAIT)
		shutil.rmtree(self.keep)
		self.p.send_signal(signal.SIGCONT)

	def stop(self, status=0, number=signal.SIGTERM):
		if self.p.poll() is None:
			self.p.send_signal(number)
		got = self.p.wait(LIMIT)
		self.thread.join()
		self.stderr = self.p.stderr.read().decode()
		assert got == status, (got, self.stderr)
		end = self.events[-1]
		assert end['event'] == 'end', end
		self.sources = end['sources']
		for s in self.sources:
			assert s['bytes'] == s['read'] + s['dropped'] + s['buffered'], s
		k = self.kept = end['keep']
		assert k['intervals'] == k['written'] + k['dropped'] + k['waiting'], k
		assert k['intervals'] == end['intervals'], (k, end)
		f = self.forwarded = end['forwarded']
		if f is not None:
			assert f['profiles'] + f['spooled'] == \
				f['acknowledged'] + f['refused'] + f['dropped'] + f['waiting'], f
		return self.sources[0]

	def merged(self):
		"""Calls by operation, of what was kept."""
		files = sorted(os.path.join(self.keep, f) for f in os.listdir(self.keep)
			if f.endswith('.osprof'))
		out = subprocess.run([OSPROF, 'merge', '--quiet', *files], capture_output=True,
			check=True).stdout
		show = json.loads(subprocess.run([OSPROF, 'show', '--quiet', '--format', 'json', '-'],
			input=out, capture_output=True, check=True).stdout)
		return {o['name']: o['count'] for o in show['runs'][0]['operations']}


def lines(n, name='read', latency=1500):
	return ''.join(f'{name},{latency + i}\n' for i in range(n))


HEAD = 'op,latency_ns\n'


def write(path, text, mode='a'):
	with open(path, mode) as f:
		f.write(text)


def timed(function):
	"""Runs it; the seconds that it took."""
	begin = time.monotonic()
	function()
	return time.monotonic() - begin


def run_cases(names):
	chosen = [c for c in CASES if not names or c.__name__ in names]
	failed = 0
	with concurrent.futures.ThreadPoolExecutor(6) as pool:
		runs = {c: pool.submit(timed, c) for c in chosen}
		for c, run in runs.items():
			try:
				print(f'ok {c.__name__} {run.result():.1f} s', flush=True)
			except BaseException:
				failed += 1
				print(f'not ok {c.__name__}')
				traceback.print_exc()
	print(f'{len(chosen) - failed} passed, {failed} failed')
	return failed > 0


def main(names):
	signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the time is over: clean up, too
	try:
		return run_cases(names)
	finally:
		for p in ALL:
			p.kill()
			p.wait()
		shutil.rmtree(ROOT, ignore_errors=True)
