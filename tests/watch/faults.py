#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""osprof watch end to end: faults that are of no single kind of source.

	faults.py OSPROF CLOCK TESTDATA [CASE...]

CLOCK is tests/watch/clock.c as a library to preload.  Where each fault has its case:

	half lines                        sources.py half_lines_wait, unix_socket_that_closes
	1 GB without a newline            here, a_gigabyte_without_a_newline
	hostile names: terminal, hooks    here, hostile_names; textfile: sources.py hostile_names;
	                                  files: zooming.py lines_after_an_alarm
	counters that reset               sources.py poll_differences_counters, region_over_programs
	a lost clear()                    snapshots.py a_clear_that_was_lost,
	                                  a_print_that_came_late
	rotation, copytruncate            sources.py rotation, copytruncate,
	                                  rotation_before_it_is_opened, truncated_and_grown_again
	prints cut, late, in parts        test_intake.c
	clock steps, suspend              here, clock_that_is_set, machine_that_slept
	full disk                         sources.py full_disk, folder_that_goes_away; zooming.py
	                                  a_disk_that_is_full; frames.py a_spool_that_is_full
	SIGKILL at any point              test_store.c, keeping.py; frames.py
	                                  what_waits_outlives_its_process
	a reader that is stopped          here, watch_that_is_stopped
	region damaged, sealed            sources.py region_that_is_damaged, region_that_is_sealed
	frames truncated, too large       frames.py half_a_frame, what_is_no_frame_is_cut_off
	frames as bombs                   frames.py compressed_frames, damaged_frames_are_refused
	frames replayed, of version 2     frames.py replayed_frames_count_once, compressed_frames
	killed at random, three in a row  chains.py receiver_that_is_killed, three_that_are_killed
	a full disk, senders go on        chains.py what_cannot_be_written_stays_with_its_senders
	a spool, clock set back           chains.py a_spool_over_a_clock_that_was_set_back
	10,000 connections                frames.py ten_thousand_connections, few_descriptors
	slow senders                      frames.py slow_senders, who_does_not_read_is_cut_off
	the wrong uid                     frames.py only_this_user; sources.py counters_of_other_users
	plug-ins that crash, hang ...     tests/plugin/run.sh, test_handler.c
	folders, full outputs, listening  here, one_good_among_all_that_are_bad, hostile_names_of_sources,
	                                  output_that_cannot_be_written, nothing_listens_unless_told_to
	what was lost, and the judge      here, what_was_lost_is_not_judged, lost_by_single_operations,
	                                  lost_anywhere_in_a_segment, calls_that_come_too_late
"""
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

from watching import ALL, HEAD, LIMIT, OSPROF, ROOT, ShiftedClock, Watch, case, lines, main, write

CLOCK = os.path.realpath(sys.argv[2])
STEP = os.path.join(sys.argv[3], 'watch/step.csv')


@case
def a_gigabyte_without_a_newline():
	w = Watch('-', stdin=subprocess.PIPE)
	w.p.stdin.write((HEAD + lines(5)).encode())
	w.p.stdin.flush()
	w.wait_calls(5)
	for _ in range(1024):
		w.p.stdin.write(b'x' * (1 << 20))
	w.p.stdin.write(('\n' + lines(3)).encode())
	w.p.stdin.flush()
	w.wait_calls(8)
	peak = [l for l in open(f'/proc/{w.p.pid}/status') if l.startswith('VmHWM')][0]
	s = w.stop()
	assert s['dropped'] >= 1 << 30 and w.merged() == {'read': 8}, s
	assert 'more than 1 MiB' in w.messages(), w.messages()
	if 'san' not in OSPROF:
		assert int(peak.split()[1]) < 64 << 10, peak


@case
def hostile_names():
	name = '\x1b[31m$(touch owned)`id`;%s|"\'\\\x9b\r'
	with open(STEP) as f:
		text = f.read().replace(',read,', ',"' + name.replace('"', '""') + '",')
	folder = tempfile.mkdtemp(dir=ROOT)
	script = f'{folder}/hook'
	write(script, '#!/bin/sh\necho "$#" >arguments\ncat >alarm\n', 'w')
	os.chmod(script, 0o755)
	p = subprocess.Popen([OSPROF, 'watch', '--every', '1s', '--lateness', '0s', '--on-alarm', script,
		'--prometheus', 'prom', '-'], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
		stderr=subprocess.PIPE, cwd=folder)
	ALL.append(p)
	p.stdin.write(text.encode('latin-1', 'surrogateescape'))
	p.stdin.flush()
	end = time.monotonic() + LIMIT
	while not os.path.exists(f'{folder}/alarm') or os.path.getsize(f'{folder}/alarm') == 0:
		assert time.monotonic() < end, 'no hook'
		time.sleep(0.02)
	out, err = p.communicate(timeout=LIMIT)
	assert p.returncode == 0 and b'1 alarm\n' in out, out
	for byte in b'\x1b\x9b\r':
		assert byte not in out + err, out
	with open(f'{folder}/arguments') as f:
		assert f.read() == '0\n'
	with open(f'{folder}/alarm') as f:
		alarm = json.loads(f.read())
	assert alarm['name'].startswith('\x1b[31m$(touch owned)`id`;%s|"\'\\'), alarm
	assert not os.path.exists(f'{folder}/owned')


def watch_with_hook(text):
	"""What a watch prints whose input ends right after its alarm, how long it took, its folder."""
	folder = tempfile.mkdtemp(dir=ROOT)
	script = f'{folder}/hook'
	write(script, '#!/bin/sh\n' + text, 'w')
	os.chmod(script, 0o755)
	with open(STEP, 'rb') as f:
		p = subprocess.Popen([OSPROF, 'watch', '--every', '1s', '--lateness', '0s', '--on-alarm', script,
			'-'], stdin=f, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder)
	ALL.append(p)
	begin = time.monotonic()
	out, err = p.communicate(timeout=LIMIT)
	assert p.returncode == 0 and b'1 alarm\n' in out, (out, err)
	return out.decode(), time.monotonic() - begin, folder


@case
def hook_of_the_last_interval():
	out, _, folder = watch_with_hook('sleep 1\ncat >alarm\n')
	with open(f'{folder}/alarm') as f:
		assert json.loads(f.read())['event'] == 'alarm'
	assert '--on-alarm' not in out, out
	for end in ('exit 3', 'kill -SEGV $$'):
		out = watch_with_hook(f'cat >alarm\n{end}\n')[0]
		assert '--on-alarm: the command of --on-alarm failed' in out, out


@case
def hook_that_outlives_the_watch():
	out, took, folder = watch_with_hook('sleep 30\necho >alarm\n')
	assert 'took longer than 10 s, and was ended' in out, out
	assert took > 9 and not os.path.exists(f'{folder}/alarm'), took


class ShiftedWatch(Watch):
	"""One whose clock of the day can be set."""

	def __init__(self, *args, stdin, every, **environment):
		self.clock = ShiftedClock(CLOCK, 'TEST_CLOCK')
		super().__init__(*args, stdin=stdin, every=every, env={**self.clock.environment, **environment})

	def intervals(self):
		return [e for e in list(self.events) if e['event'] == 'interval']

	def wait_whole(self, n):
		"""Until n more intervals were judged."""
		there = sum(e['judged'] for e in self.intervals())
		end = time.monotonic() + LIMIT
		while sum(e['judged'] for e in self.intervals()) < there + n:
			assert time.monotonic() < end, self.intervals()[-3:]
			time.sleep(0.02)


@case
def clock_that_is_set():
	if 'san' in OSPROF:
		return  # their runtime has to be the first that is loaded
	w = ShiftedWatch('-', stdin=subprocess.PIPE, every='0.5s')
	w.p.stdin.write((HEAD + lines(5)).encode())
	w.p.stdin.flush()
	w.wait_whole(2)
	for n, shift in enumerate((3600, -3600, 100000, 0)):
		before = len(w.intervals())
		w.clock.set(shift)
		w.p.stdin.write(lines(10).encode())
		w.p.stdin.flush()
		w.wait_whole(2)
		# The interval in which it was set is kept, and not judged; no call is lost or counted twice.
		new = w.intervals()[before:]
		assert any(not e['judged'] and e['why'] and e['kept'] for e in new), (shift, new)
		assert w.calls() == 5 + 10 * (n + 1), (shift, w.calls())
	w.stop()
	assert w.merged() == {'read': 45}, (w.merged(), sorted(os.listdir(w.keep)))
	for e in w.intervals():
		assert e['end'] > e['start'], e


@case
def clock_set_at_any_moment():
	if 'san' in OSPROF:
		return
	# While an interval is written, too: it never has a length that nobody measured.
	began = time.monotonic()
	w = ShiftedWatch('-', stdin=subprocess.PIPE, every='0.2s', TEST_FSYNC_MS='30')
	w.p.stdin.write((HEAD + lines(5)).encode())
	w.p.stdin.flush()
	w.wait_whole(1)
	draw = random.Random(5)
	for i in range(80):
		w.clock.set(draw.randrange(-100000, 100000) if i < 40 else -(i % 2))
		w.p.stdin.write(lines(10).encode())
		w.p.stdin.flush()
		time.sleep(draw.random() * 0.1)
	w.wait_calls(805)
	w.stop()
	for e in w.intervals():
		assert 0 < e['end'] - e['start'] < time.monotonic() - began, e
	assert w.merged() == {'read': 805}, sorted(os.listdir(w.keep))


@case
def clock_set_back_into_what_is_kept():
	if 'san' in OSPROF:
		return
	# Into intervals as they are, which have the same names, and into merged ones.
	w = ShiftedWatch('-', '--tiers', '0.1s:1s,1s:1d', stdin=subprocess.PIPE, every='0.1s')
	calls = 0
	for shift in (0, -1, -2, -8):
		end = time.monotonic() + LIMIT
		while shift < -1 and not any('-1s.' in f for f in os.listdir(w.keep)):
			assert time.monotonic() < end, os.listdir(w.keep)
			time.sleep(0.02)
		w.clock.set(shift)
		# Some in each interval until the folder was tidied, which is each 30 of them.
		before = len(w.intervals())
		while len(w.intervals()) < before + 35:
			assert time.monotonic() < end, shift
			w.p.stdin.write(((HEAD if calls == 0 else '') + lines(10)).encode())
			w.p.stdin.flush()
			calls += 10
			time.sleep(0.05)
	w.wait_calls(calls)
	w.stop()
	assert w.merged() == {'read': calls}, (calls, w.merged(), sorted(os.listdir(w.keep)))


@case
def machine_that_slept():
	if 'san' in OSPROF:
		return
	# While it sleeps the clock of the day goes on, and that of intervals does not.
	w = ShiftedWatch('-', stdin=subprocess.PIPE, every='0.5s')
	w.p.stdin.write((HEAD + lines(5)).encode())
	w.p.stdin.flush()
	w.wait_whole(2)
	w.p.send_signal(signal.SIGSTOP)
	w.clock.set(8 * 3600)
	w.p.stdin.write(lines(7).encode())
	w.p.stdin.flush()
	w.p.send_signal(signal.SIGCONT)
	w.wait_whole(2)
	slept = [e for e in w.intervals()[1:] if not e['judged']]
	assert slept and slept[0]['why'] == 'not a whole interval', w.intervals()
	w.stop()
	assert w.merged() == {'read': 12}


@case
def watch_that_is_stopped():
	w = Watch('-', stdin=subprocess.PIPE, every='0.3s')
	w.p.stdin.write((HEAD + lines(5)).encode())
	w.p.stdin.flush()
	w.wait_calls(5)
	w.p.send_signal(signal.SIGSTOP)
	os.waitid(os.P_PID, w.p.pid, os.WSTOPPED | os.WNOWAIT)
	# What fits into the pipe is there afterwards; who writes more waits.
	w.p.stdin.write(lines(2000).encode())
	w.p.stdin.flush()
	time.sleep(1)
	calls = w.calls()
	w.p.send_signal(signal.SIGCONT)
	assert calls == 5, calls
	w.wait_calls(2005)
	s = w.stop()
	assert s['dropped'] == 0 and w.merged() == {'read': 2005}, s
	# The time in which it was stopped is kept, and not judged, nor is what is left of the interval
	# after it: --replay does not judge that either.
	intervals = [e for e in w.events if e['event'] == 'interval']
	assert any(not e['judged'] for e in intervals[1:])
	for e in intervals[1:-1]:
		assert e['judged'] == (abs(e['end'] - e['start'] - 0.3) < 0.001), e


def complete(w):
	"""Of each interval in which anything was called: calls, whether nothing of it was lost."""
	return [(e['calls'], e['complete']) for e in w.events if e['event'] == 'interval' and e['calls']]


def replayed_complete(w, every):
	"""How many of the intervals that were kept say that something of them was lost."""
	p = subprocess.run([OSPROF, 'watch', '--quiet', '--replay', w.keep, '--every', every],
		capture_output=True, timeout=LIMIT)
	assert p.returncode == 0, p
	lost = 0
	for f in os.listdir(w.keep):
		if f.endswith('.osprof'):
			with open(os.path.join(w.keep, f)) as kept:
				lost += '\nlost ' in kept.read()
	return lost


@case
def what_was_lost_is_not_judged():
	w = Watch('-', stdin=subprocess.PIPE, every='0.5s')
	for text in (HEAD + lines(5), lines(6) + 'read,x\n', lines(7), 'y' * (2 << 20) + '\n' + lines(8), lines(9)):
		before = w.calls()
		w.p.stdin.write(text.encode())
		w.p.stdin.flush()
		w.wait_calls(before + text.count('read,1'))
	s = w.stop()
	assert complete(w) == [(5, True), (6, False), (7, True), (8, False), (9, True)], complete(w)
	assert s['refused'] == 2 and replayed_complete(w, '0.5s') == 2, s
	with open(os.path.join(w.keep, '.osprof-status')) as f:
		assert json.load(f)['incomplete'] == 2


@case
def lost_by_single_operations():
	# Of the profile, of an operation, and where a file was truncated or counters were reset.
	document = 'osprof 1\nunit ns\n%sop read\n10 %d\n%sop write\n10 3\n'
	w = Watch('poll:cat document', '--snapshots', 'delta', every='0.5s')
	for n, (of_all, of_one) in enumerate((('', ''), ('', 'lost 4\n'), ('lost 5\n', ''), ('', ''))):
		before = len(complete(w))
		write(w.path('new'), document % (of_all, 10 + n, of_one), 'w')
		os.rename(w.path('new'), w.path('document'))
		w.wait_for(lambda e: e['event'] == 'interval' and e['calls'] == 13 + n, f'document {n}')
	s = w.stop()
	assert {(c, ok) for c, ok in complete(w)} == {(13, True), (14, False), (15, False), (16, True)}, \
		complete(w)
	each = [c for c, _ in complete(w)]
	assert s['lost'] == 4 * each.count(14) + 5 * each.count(15), (s, each)

	w = Watch('DIR/log', every='0.5s')
	write(w.path('log'), HEAD + lines(20))
	w.wait_calls(20)
	write(w.path('log'), HEAD + lines(3), 'w')
	w.wait_calls(23)
	assert w.stop()['gaps'] == 1 and complete(w) == [(20, True), (3, False)], complete(w)


@case
def lost_anywhere_in_a_segment():
	# Nobody knows in which of its intervals a line would have been: none is complete.
	rows = [f'{1790000000 + i // 4}.5,read,{1000 + i}\n' for i in range(40)]
	head = 'start_s,op,latency_ns\n'
	for bad in (0, 1):
		w = Watch('--lateness', '0s', '-', stdin=subprocess.PIPE, every='1s')
		w.p.stdin.write((head + ''.join(rows[:20]) + 'x,read,1\n' * bad + ''.join(rows[20:])).encode())
		w.p.stdin.close()
		w.p.wait(LIMIT)
		assert w.stop()['refused'] == bad
		assert complete(w) == [(4, not bad)] * 10, complete(w)


@case
def calls_that_come_too_late():
	# They count in the first interval that has not ended: it has calls that are not its own.
	def row(second):
		return f'{1790000000 + second}.5,read,1500\n'
	w = Watch('--lateness', '0s', '-', stdin=subprocess.PIPE, every='1s')
	w.p.stdin.write(('start_s,op,latency_ns\n' + 4 * row(0) + 5 * row(1) + 6 * row(2)).encode())
	w.p.stdin.flush()
	w.wait_calls(9)
	w.p.stdin.write((row(0) + row(1) + 7 * row(3) + 8 * row(4)).encode())
	w.p.stdin.close()
	w.p.wait(LIMIT)
	w.stop()
	assert complete(w) == [(4, True), (5, True), (8, False), (7, True), (8, True)], complete(w)
	assert replayed_complete(w, '1s') == 1


@case
def one_good_among_all_that_are_bad():
	bad = ['DIR/missing', 'DIR/folder', '/proc/self/mem', 'unix:DIR/nobody', 'tcp:127.0.0.1:1', 'frames:unix:DIR/frames',
		'cmd:exit 3', 'cmd:kill -9 $$', 'cmd:nosuchprogram', 'cmd:head -c 3000000 /dev/urandom; sleep 100',
		'cmd:yes | head -c 2000000 | tr -d "\\n"; sleep 100', 'poll:sleep 100', 'poll:exit 1',
		'poll:head -c 300000 /dev/zero', 'region:DIR/missing', 'region:/etc/passwd', 'pid:999999999']
	w = Watch('-', *bad, '--max-input', '65536', stdin=subprocess.PIPE, every='0.4s')
	w.p.stdin.write(HEAD.encode())
	for n in range(1, 7):
		w.p.stdin.write(lines(100).encode())
		w.p.stdin.flush()
		w.wait_calls(100 * n)
	good = w.stop()
	assert good['read'] == good['bytes'] and good['lines'] == 601, good
	assert w.merged() == {'read': 600}, w.merged()
	# Each that is bad is reported, but for a socket that somebody may still connect to.
	what = ('not read', 'too large', 'no place to cut', 'No such', 'Is a directory')
	told = {e['name'] for e in w.events if e['event'] == 'source'
		and (e['state'] != 'open' or any(x in e['message'] for x in what))}
	expected = {b.replace('DIR', w.folder) for b in bad if not b.startswith('frames:')}
	assert told >= expected, expected - told


@case
def good_ones_beside_each_that_is_bad():
	"""Two that are good lose nothing, whatever another does, which ends with the watch."""
	bad = {'cmd:cat /dev/urandom': 'failed',
		'cmd:while head -c 100000 /dev/urandom; do sleep 0.1; done': 'failed',
		'cmd:cat /dev/zero': 'failed',
		'cmd:while :; do :; done': None,  # says nothing
		'cmd:while sleep 0.3; do printf "read,"; done': None,  # ends no line
		'cmd:echo op,latency_ns; echo read,5; cat /dev/urandom': None}  # some lines can be read
	for name, state in bad.items():
		w = Watch('DIR/a', '-', name, stdin=subprocess.PIPE, every='0.3s')
		for n in range(1, 5):
			write(w.path('a'), (HEAD if n == 1 else '') + lines(100))
			w.p.stdin.write(((HEAD if n == 1 else '') + lines(100)).encode())
			w.p.stdin.flush()
			w.wait_for(lambda e: e['event'] == 'interval' and e['calls'] >= 1, name)
		w.wait_calls(800)
		w.stop()
		for good in w.sources[:2]:
			assert good['read'] == good['bytes'] and good['lines'] == 401, (name, good)
		assert w.merged()['read'] >= 800, (name, w.merged())
		assert state is None or w.sources[2]['state'] == state, w.sources[2]


@case
def hostile_names_of_sources():
	name = 'a\x1b[31m"\\n\n$(touch owned)'
	w = Watch(f'DIR/{name}', '--prometheus', 'DIR/prom', every='0.3s')
	write(w.path(name), HEAD + lines(3))
	w.wait_calls(3)
	w.stop()
	with open(w.path('prom')) as f:
		text = f.read()
	assert '\x1b' not in text and 'source_bytes_total{source="' in text, text
	for line in text.splitlines():
		assert line.startswith(('#', 'osprof_watch_')) and line.count('"') - line.count('\\"') in (0, 2), line
	p = subprocess.run([OSPROF, 'watch', '--every', '0.2s', '--for', '0.5s', w.path(name)],
		capture_output=True, timeout=LIMIT)
	assert b'\x1b' not in p.stdout + p.stderr, p
	assert not os.path.exists(w.path('owned'))


@case
def output_that_cannot_be_written():
	w = Watch('-', '--prometheus', 'DIR/nowhere/prom', stdin=subprocess.PIPE, every='0.3s')
	w.p.stdin.write((HEAD + lines(3)).encode())
	w.p.stdin.flush()
	w.wait_calls(3)
	w.stop(status=2)
	assert w.merged() == {'read': 3} and 'nowhere/prom' in w.stderr, w.stderr
	with open('/dev/full', 'w') as full, tempfile.TemporaryFile() as f:
		f.write((HEAD + lines(3)).encode())
		f.seek(0)
		p = subprocess.run([OSPROF, 'watch', '--every', '0.2s', '--format', 'json', '-'], stdin=f,
			stdout=full, stderr=subprocess.PIPE, timeout=LIMIT)
	assert p.returncode == 2 and p.stderr, p


@case
def nothing_listens_unless_told_to():
	def listening(w):
		sockets = set()
		for fd in os.listdir(f'/proc/{w.p.pid}/fd'):
			try:
				to = os.readlink(f'/proc/{w.p.pid}/fd/{fd}')
			except FileNotFoundError: # closed since it was listed, as a refused connection is
				continue
			if to.startswith('socket:['):
				sockets.add(to[8:-1])
		found = 0
		for table, inode, state, value in (('tcp', 9, 3, '0A'), ('tcp6', 9, 3, '0A'), ('unix', 6, 3, '00010000')):
			if not os.path.exists(f'/proc/{w.p.pid}/net/{table}'):
				continue
			with open(f'/proc/{w.p.pid}/net/{table}') as f:
				rows = [l.split() for l in f][1:]
			found += sum(r[inode] in sockets and r[state] == value for r in rows)
		return found

	quiet = Watch('-', 'cmd:sleep 100', 'unix:DIR/nobody', 'tcp:127.0.0.1:1', '--forward', 'unix:DIR/nobody',
		'--prometheus', 'DIR/prom', '--on-alarm', 'true', stdin=subprocess.PIPE)
	quiet.wait_for(lambda e: e['event'] == 'start', 'start')
	assert listening(quiet) == 0
	quiet.stop()
	for told in ('frames:unix:DIR/frames', 'frames:tcp:127.0.0.1:0'):
		w = Watch(told)
		w.wait_for(lambda e: e['event'] == 'source' and e['message'] == 'listening', 'listening')
		assert listening(w) == 1, told
		w.stop()


@case
def status_beside_the_intervals():
	def status(w):
		with open(os.path.join(w.keep, '.osprof-status')) as f:
			return json.load(f)

	began = time.time()
	w = Watch('-', 'unix:DIR/nobody', stdin=subprocess.PIPE, every='0.3s')
	w.p.stdin.write((HEAD + lines(5) + 'read,x\n').encode())
	w.p.stdin.flush()
	w.wait_calls(5)
	end = time.monotonic() + LIMIT
	while status(w)['refused'] == 0:
		assert time.monotonic() < end, status(w)
		time.sleep(0.02)
	s = status(w)
	assert s['schema'] == 'osprof.watch-status/1' and s['watching'] and s['every'] == 0.3, s
	assert (s['sources'], s['waiting'], s['failed'], s['dropped']) == (2, 1, 0, 7), s
	assert began < s['end'] <= s['time'] + 0.01 and s['time'] <= time.time(), (began, s)
	first = w.keep
	w.p.kill()
	w.p.wait()
	assert status(w)['watching']
	# Whatever is in its place, the next goes on, and commands do not take it for an interval.
	write(os.path.join(first, '.osprof-status'), '\x1b[31m{"', 'w')
	p = subprocess.run([OSPROF, 'watch', '--quiet', '--every', '0.3s', '--keep', first, '-'],
		input=(HEAD + lines(3)).encode(), capture_output=True, timeout=LIMIT)
	assert p.returncode == 0, p
	s = status(w)
	assert not s['watching'] and s['alarms'] == 0 and s['intervals'] > 0, s
	show = subprocess.run([OSPROF, 'convert', '--quiet', first, '-o', w.path('sum.osprof')],
		capture_output=True, timeout=LIMIT)
	merged = w.merged()
	assert merged == {'read': 8}, merged
	assert b'osprof-status' not in show.stderr, show


sys.exit(main(sys.argv[4:]))
