#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""osprof watch end to end: each kind of source, and what can go wrong with it.

	sources.py OSPROF COUNTER RECORDER CLOCK [CASE...]

COUNTER is tests/region/counter.c, a program that profiles itself; RECORDER "yes" where
`osprof record` can be.
"""
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import tty

from watching import ALL, HEAD, LIMIT, OSPROF, ROOT, StillClock, Watch, case, lines, main, unread, write

COUNTER = os.path.realpath(sys.argv[2])
RECORDER = sys.argv[3] == 'yes'
CLOCK = os.path.realpath(sys.argv[4])


@case
def standard_input():
	w = Watch('-', stdin=subprocess.PIPE)
	w.p.stdin.write((HEAD + lines(100) + lines(50, 'write')).encode())
	w.p.stdin.flush()
	w.wait_calls(150)
	# The header stands before what comes later, too.
	w.p.stdin.write(lines(7).encode())
	w.p.stdin.flush()
	w.wait_calls(157)
	w.p.stdin.write(lines(3).encode())
	w.p.stdin.close()
	w.p.wait(LIMIT)
	s = w.stop()
	assert s['state'] == 'ended' and s['lines'] == 161 and s['dropped'] == 0, s
	assert w.merged() == {'read': 110, 'write': 50}


@case
def a_file_that_ends():
	with tempfile.TemporaryFile() as f:
		f.write((HEAD + lines(1000)).encode() + b'read,17')
		f.seek(0)
		w = Watch('-', stdin=f)
		w.p.wait(LIMIT)
	assert w.stop()['lines'] in (1001, 1002)
	assert w.merged() == {'read': 1001}


@case
def fifo_over_writers():
	w = Watch('DIR/fifo', every='0.4s')
	os.mkfifo(w.path('fifo'))
	write(w.path('fifo'), HEAD + lines(10))
	w.wait_calls(10)
	write(w.path('fifo'), lines(5))
	w.wait_calls(15)
	w.stop()
	assert w.merged() == {'read': 15}


@case
def half_lines_wait():
	w = Watch('-', stdin=subprocess.PIPE)
	w.p.stdin.write((HEAD + lines(4) + 'read,10').encode())
	w.p.stdin.flush()
	w.wait_calls(4)
	w.p.stdin.write(b'24\n')
	w.p.stdin.flush()
	w.wait_calls(5)
	w.p.stdin.write(b'wri')
	w.p.stdin.flush()
	w.wait_for(lambda e: e['event'] == 'interval' and e['sources'][0]['buffered'] == 3, 'half')
	assert w.stop()['buffered'] == 3
	assert w.merged() == {'read': 5}


@case
def rotation():
	w = Watch('DIR/log')
	write(w.path('log'), HEAD + lines(20))
	w.wait_calls(20)
	# The rest of the old one is read first.
	write(w.path('log'), lines(5))
	os.rename(w.path('log'), w.path('log.1'))
	write(w.path('log.1'), lines(2))
	write(w.path('log'), HEAD + lines(30, 'write'))
	w.wait_calls(57)
	s = w.stop()
	assert s['restarts'] == 1 and s['refused'] == 0, s
	assert w.merged() == {'read': 27, 'write': 30}


@case
def copytruncate():
	w = Watch('DIR/log')
	write(w.path('log'), HEAD + lines(20))
	w.wait_calls(20)
	write(w.path('log'), HEAD + lines(3), 'w')
	w.wait_calls(23)
	w.stop()
	assert 'truncated' in w.messages(), w.messages()
	assert w.merged() == {'read': 23}


@case
def rotation_before_it_is_opened():
	# The new file is there, and empty, until its writer opens it.
	w = Watch('DIR/log')
	write(w.path('log'), HEAD + lines(20))
	w.wait_calls(20)
	os.rename(w.path('log'), w.path('log.1'))
	write(w.path('log'), '')
	time.sleep(0.5)
	write(w.path('log.1'), lines(7))
	w.wait_calls(27)
	write(w.path('log'), lines(30, 'write'))
	w.wait_calls(57)
	# Another one still has the old one open.
	write(w.path('log.1'), lines(1))
	w.wait_for(lambda e: e['event'] == 'source' and 'old file' in e['message'], 'late bytes')
	s = w.stop()
	assert s['restarts'] == 1 and s['refused'] == 0 and s['gaps'] == 1, s
	assert w.merged() == {'read': 27, 'write': 30}


@case
def truncated_and_grown_again():
	w = Watch('DIR/log')
	write(w.path('log'), HEAD + lines(20))
	w.wait_calls(20)
	# Longer than before, in one piece, without its header.
	text = lines(500, 'write')
	fd = os.open(w.path('log'), os.O_WRONLY)
	os.pwrite(fd, text.encode(), 0)
	os.close(fd)
	w.wait_calls(520)
	s = w.stop()
	assert s['gaps'] == 1 and s['refused'] == 0, s
	assert w.merged() == {'read': 20, 'write': 500}


@case
def file_that_comes_later():
	w = Watch('DIR/later')
	w.wait_for(lambda e: e['event'] == 'source' and 'No such file' in e['message'], 'missing')
	write(w.path('later'), HEAD + lines(6))
	w.wait_calls(6)
	w.stop()


def serve(server, texts):
	for text in texts:
		connection, _ = server.accept()
		connection.sendall(text.encode())
		connection.close()
	server.close()


@case
def unix_socket_that_closes():
	folder = tempfile.mkdtemp(dir=ROOT)
	server = socket.socket(socket.AF_UNIX)
	server.bind(folder + '/socket')
	server.listen()
	threading.Thread(target=serve, args=(server,
		[HEAD + lines(9) + 'read,1', HEAD + lines(4)])).start()
	w = Watch(f'unix:{folder}/socket')
	w.wait_calls(13)
	s = w.stop()
	# A line that broke off is no call; it is counted as dropped.
	assert s['dropped'] == len('read,1') and s['restarts'] >= 1, s
	assert w.merged() == {'read': 13}


@case
def tcp_socket():
	server = socket.create_server(('127.0.0.1', 0))
	threading.Thread(target=serve, args=(server, [HEAD + lines(11)])).start()
	w = Watch('tcp:127.0.0.1:%d' % server.getsockname()[1])
	w.wait_calls(11)
	w.stop()
	assert w.merged() == {'read': 11}


@case
def nobody_listens():
	w = Watch('unix:DIR/nobody', 'cmd:printf "op,latency_ns\\nread,5\\n"; sleep 30')
	w.wait_for(lambda e: e['event'] == 'source' and 'tried again' in e['message'], 'retry')
	# One bad source does not stop the other.
	w.wait_calls(1)
	w.stop()
	assert w.merged() == {'read': 1}


@case
def command_is_run_again():
	w = Watch('cmd:printf "op,latency_ns\\nread,5\\nread,6\\n"')
	w.wait_calls(4)
	s = w.stop()
	assert s['restarts'] >= 1 and s['refused'] == 0, s
	assert 'exited with status 0' in w.messages()
	# While it does not run its calls are missing.
	assert s['gaps'] > 0 and not all(e['complete'] for e in w.events if e['event'] == 'interval'), s


@case
def command_that_fails():
	w = Watch('cmd:printf "op,latency_ns\\nread,5\\nre"; kill -9 $$')
	w.wait_for(lambda e: e['event'] == 'source' and 'ended by signal 9' in e['message'], 'end')
	s = w.stop()
	assert s['dropped'] >= 2 and s['refused'] >= 1, s
	assert w.merged()['read'] >= 1


@case
def commands_do_not_outlive_us():
	w = Watch('cmd:echo $$ >pid; sleep 1000; echo x')
	end = time.monotonic() + LIMIT
	while not (os.path.exists(w.path('pid')) and open(w.path('pid')).read().strip()):
		assert time.monotonic() < end
		time.sleep(0.02)
	pid = int(open(w.path('pid')).read())
	w.stop()
	end = time.monotonic() + LIMIT
	while os.path.exists(f'/proc/{pid}') and 'Z' not in open(f'/proc/{pid}/stat').read():
		assert time.monotonic() < end, 'still there'
		time.sleep(0.02)


def counting(at_the_end):
	"""A command that prints seven calls, then an empty file `ready`, and does this on SIGTERM."""
	return f"""cmd:trap '{at_the_end}' TERM
		printf 'op,latency_ns\n'; for i in 1 2 3 4 5 6 7; do echo read,$i; done
		: >ready; while :; do sleep 0.1; done"""


def wait_for_file(path):
	end = time.monotonic() + LIMIT
	while not os.path.exists(path):
		assert time.monotonic() < end, path
		time.sleep(0.02)


@case
def what_a_command_prints_when_it_is_ended():
	# By a signal, by --for, and what it prints takes a while.
	for number in (signal.SIGTERM, signal.SIGINT, None):
		clock = StillClock(CLOCK)
		w = Watch(counting('echo write,8; sleep 0.3; echo write,9; exit 0'), *([] if number else ['--for', '1m']),
			every='1h', **({} if number else {'env': clock.environment}))
		wait_for_file(w.path('ready'))
		if number is None:
			clock.set(60)
			w.p.wait(LIMIT)
		s = w.stop(number=number)
		assert w.merged() == {'read': 7, 'write': 2} and s['state'] == 'ended', (w.merged(), s)
		assert s['restarts'] == 0 and s['gaps'] == 0 and s['refused'] == 0, s


@case
def command_that_prints_half_a_line_when_it_is_ended():
	w = Watch(counting('echo write,8; printf write,; kill -9 $$'), every='1h')
	wait_for_file(w.path('ready'))
	s = w.stop()
	assert w.merged() == {'read': 7, 'write': 1} and s['dropped'] == 6, (w.merged(), s)


@case
def command_that_does_not_end():
	w = Watch(counting('echo write,8; : >told'), every='1h')
	wait_for_file(w.path('ready'))
	s = w.stop()
	assert os.path.exists(w.path('told')) and w.merged() == {'read': 7, 'write': 1}, w.merged()
	# A second signal does not wait for it.
	w = Watch(counting(': >told'), every='1h')
	wait_for_file(w.path('ready'))
	w.p.send_signal(signal.SIGTERM)
	wait_for_file(w.path('told'))
	s = w.stop()
	assert w.merged() == {'read': 7}, s


METRICS = '''# TYPE x_seconds histogram
x_seconds_bucket{le="0.1"} %d
x_seconds_bucket{le="+Inf"} %d
x_seconds_sum 1
x_seconds_count %d
'''


@case
def poll_differences_counters():
	w = Watch('poll:cat metrics', every='0.4s')
	write(w.path('metrics'), METRICS % (1000, 1005, 1005), 'w')
	w.wait_for(lambda e: e['event'] == 'interval' and e['sources'][0]['read'] > 0, 'first')
	for n in (1100, 1250):
		write(w.path('new'), METRICS % (n, n + 5, n + 5), 'w')
		os.rename(w.path('new'), w.path('metrics'))
		w.wait_calls(n - 1000)
	# What was counted before anybody watched is of no interval; then the server restarts.
	assert w.calls() == 250, w.calls()
	os.rename(w.path('metrics'), w.path('away'))
	w.wait_for(lambda e: e['event'] == 'interval' and not e['complete'], 'a document that is missing')
	write(w.path('new'), METRICS % (7, 9, 9), 'w')
	os.rename(w.path('new'), w.path('metrics'))
	w.wait_calls(259)
	s = w.stop()
	assert 'differences' in w.messages(), w.messages()
	assert s['differenced'] >= 2, s


@case
def poll_that_hangs():
	w = Watch('poll:sleep 100')
	w.wait_for(lambda e: e['event'] == 'source' and 'did not end' in e['message'], 'hang')
	w.stop()


@case
def lines_that_are_none():
	w = Watch('-', stdin=subprocess.PIPE)
	w.p.stdin.write((HEAD + lines(5) + 'read,nothing\nread\n' + lines(4)).encode())
	w.p.stdin.flush()
	w.wait_calls(9)
	s = w.stop()
	assert s['refused'] == 2 and s['dropped'] == len('read,nothing\nread\n'), s
	assert 'not read' in w.messages()


@case
def bytes_that_are_no_profile():
	with tempfile.TemporaryFile() as f:
		f.write(os.urandom(300000))
		f.seek(0)
		w = Watch('-', stdin=f)
		w.p.wait(90)  # each format is tried again and again, which a sanitizer makes slow
	s = w.stop()
	assert s['dropped'] == 300000 and s['read'] == 0, s


class Counter:
	"""A program that counts 3 calls of 1,000 ns, and one more for each message."""

	def __init__(self, file):
		self.p = subprocess.Popen([COUNTER, file], stdout=subprocess.PIPE)
		ALL.append(self.p)
		assert self.p.stdout.readline() == b'ready\n'
		self.source = f'pid:{self.p.pid}' if file == '-' else f'region:{file}'

	def send(self, text):
		subprocess.run([OSPROF, 'send', self.source, text], check=True)
		assert self.p.stdout.readline().startswith(b'received ')


def is_open(e):
	return e['event'] == 'source' and 'read in place' in e['message']


@case
def process_read_in_place():
	c = Counter('-')
	w = Watch(c.source, every='0.4s')
	w.wait_for(is_open, 'open')
	# What was counted before anybody watched is of no interval.
	for n in range(4):
		c.send('batch 4')
		w.wait_calls(n + 1)
	c.send('batch 9')
	c.send('end')
	# It counts what the program ended with, and nothing is left to watch then.
	assert w.p.wait(LIMIT) == 0
	assert w.stop()['state'] == 'ended'
	assert w.merged() == {'batch 4': 4, 'batch 9': 1}


@case
def recorded_program():
	if not RECORDER:
		return
	folder = tempfile.mkdtemp(dir=ROOT)
	os.mkfifo(f'{folder}/fifo')
	recording = subprocess.Popen([OSPROF, 'record', '-q', '-o', f'{folder}/all.osprof', '--',
		'sh', '-c', f'read go <{folder}/fifo; while [ ! -e {folder}/stop ]; do cat /dev/null; sleep 0.01; done'])
	ALL.append(recording)
	w = Watch(f'pid:{recording.pid}', every='0.4s')
	w.wait_for(is_open, 'open')
	write(f'{folder}/fifo', 'go\n')
	w.wait_calls(50)
	if os.path.exists('/proc/self/schedstat'):
		w.wait_for(lambda e: e['event'] == 'interval' and e['load'] is not None, 'a load')
	write(f'{folder}/stop', '')
	assert recording.wait(LIMIT) == 0
	assert w.p.wait(LIMIT) == 0
	assert w.stop()['state'] == 'ended'
	show = json.loads(subprocess.run([OSPROF, 'show', '--quiet', '--format', 'json',
		f'{folder}/all.osprof'], capture_output=True, check=True).stdout)
	# What it counted before is missing, and no more than that.
	recorded = {o['name']: o['count'] for o in show['runs'][0]['operations']}
	watched = w.merged()
	assert all(recorded.get(name, 0) >= calls for name, calls in watched.items()), watched
	assert watched['read'] > 0.5 * recorded['read'], (watched, recorded)
	# What others took of the processors is kept with each interval of which it is known.
	known = [e for e in w.events if e['event'] == 'interval' and e['load'] is not None]
	kept = sum(open(f'{w.keep}/{f}').read().count('\ncontention ') for f in os.listdir(w.keep)
		if f.endswith('.osprof'))
	assert len(known) == kept, (known, kept)


@case
def process_that_is_killed():
	c = Counter('-')
	w = Watch(c.source, 'cmd:sleep 100', every='0.4s')
	w.wait_for(is_open, 'open')
	c.send('batch 4')
	c.p.kill()
	c.p.wait()
	w.wait_for(lambda e: e['event'] == 'source' and e['state'] == 'ended', 'end')
	w.stop()
	# The memory went with its process, or the watcher still had it: never more than was counted.
	assert w.calls() <= 1


@case
def the_open_interval_has_what_was_counted_in_place():
	c = Counter('-')
	w = Watch(c.source, every='60s')
	w.wait_for(is_open, 'open')
	c.send('batch 4')
	w.stop()
	assert w.merged() == {'batch 4': 1}
	c.p.kill()


@case
def region_over_programs():
	folder = tempfile.mkdtemp(dir=ROOT)
	w = Watch(f'region:{folder}/region', every='0.4s')
	w.wait_for(lambda e: e['event'] == 'source' and 'No such file' in e['message'], 'missing')
	first = Counter(f'{folder}/region')
	w.wait_calls(3)
	first.send('end')
	w.wait_for(lambda e: e['event'] == 'source' and 'has ended' in e['message'], 'end')
	w.wait_calls(3)
	# Another file gets the name.
	os.unlink(f'{folder}/region')
	second = Counter(f'{folder}/region')
	w.wait_calls(6)
	second.send('batch 4')
	w.wait_calls(7)
	second.p.kill()
	second.p.wait()
	# The same file again, of which another program made its own.
	third = Counter(f'{folder}/region')
	w.wait_calls(10)
	third.p.kill()
	w.stop()
	assert w.merged() == {'batch 8': 9, 'batch 4': 1}, w.merged()


@case
def region_that_is_damaged():
	folder = tempfile.mkdtemp(dir=ROOT)
	c = Counter(f'{folder}/region')
	w = Watch(f'region:{folder}/region', '-', stdin=subprocess.PIPE, every='0.4s')
	w.wait_for(is_open, 'open')
	c.send('batch 4')
	w.wait_calls(1)
	with open(f'{folder}/region', 'r+b') as f:
		f.seek(16)
		f.write(b'\xff' * 4)
	w.wait_for(lambda e: e['event'] == 'source' and 'damaged' in e['message'], 'damage')
	with open(f'{folder}/region', 'r+b') as f:
		f.truncate(100)
	w.wait_for(lambda e: e['event'] == 'source' and 'cut off' in e['message'], 'cut')
	# The other source goes on.
	w.p.stdin.write((HEAD + lines(4)).encode())
	w.p.stdin.flush()
	w.wait_calls(5)
	c.p.kill()
	w.stop()


@case
def region_that_is_sealed():
	import fcntl
	F_SEAL_FUTURE_WRITE = 0x10 # which this Python may not name
	fd = os.memfd_create('osprof', os.MFD_ALLOW_SEALING)
	c = Counter(f'/proc/{os.getpid()}/fd/{fd}')
	w = Watch(c.source, every='0.4s')
	w.wait_for(is_open, 'open')
	# Its size is fixed from now on, and nobody else can map it to write: the owner goes on.
	fcntl.fcntl(fd, fcntl.F_ADD_SEALS,
		fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | F_SEAL_FUTURE_WRITE)
	w.wait_for(lambda e: e['event'] == 'interval', 'interval')
	c.p.kill()
	c.p.wait()
	w.wait_for(lambda e: e['event'] == 'source' and 'has ended' in e['message'], 'end')
	w.stop()
	os.close(fd)


@case
def counters_of_other_users():
	if os.getuid() != 0:
		return
	folder = tempfile.mkdtemp(dir=ROOT)
	c = Counter(f'{folder}/region')
	os.chmod(f'{folder}/region', 0o666)
	w = Watch(c.source)
	w.wait_for(lambda e: e['event'] == 'source' and 'others may write' in e['message'], 'refusal')
	c.p.kill()
	w.stop()


@case
def hostile_names():
	name = '\x1b[31m$(touch owned)`id`;%s|"\'\\'
	w = Watch('-', '--prometheus', 'DIR/prom', stdin=subprocess.PIPE)
	text = 'op,latency_ns\n' + '"' + name.replace('"', '""') + '",7\n'
	w.p.stdin.write(text.encode())
	w.p.stdin.flush()
	w.wait_calls(1)
	w.stop()
	assert not os.path.exists(w.path('owned'))
	assert b'\x1b' not in open(w.path('prom'), 'rb').read()
	assert 'osprof_watch_source_bytes_total{source="-"} %d\n' % len(text) in open(w.path('prom')).read()


@case
def partial_intervals_are_kept():
	w = Watch('-', stdin=subprocess.PIPE, every='60s')
	w.wait_for(lambda e: e['event'] == 'start', 'start')
	w.p.stdin.write((HEAD + lines(12)).encode())
	w.p.stdin.flush()
	end = time.monotonic() + LIMIT
	while unread(w.p.stdin) > 0:
		assert time.monotonic() < end
		time.sleep(0.02)
	w.stop(number=signal.SIGINT)
	interval = [e for e in w.events if e['event'] == 'interval'][-1]
	assert interval['judged'] is False and interval['why'], interval
	assert w.merged() == {'read': 12}


@case
def folder_that_goes_away():
	w = Watch('-', stdin=subprocess.PIPE, every='0.3s')
	w.p.stdin.write((HEAD + lines(12)).encode())
	w.p.stdin.flush()
	w.wait_calls(12)
	w.remove_kept()
	w.p.stdin.write(lines(4).encode())
	w.p.stdin.flush()
	w.wait_calls(16)
	w.wait_for(lambda e: e['event'] == 'interval' and not e['kept'], 'not kept')
	# Told, and gone on with; the status says so.
	w.stop(status=2)
	assert 'cannot write' in w.stderr, w.stderr


@case
def disk_that_stays_full():
	# 64 intervals wait; those that had to be dropped for them are reported, and counted.
	w = Watch('-', stdin=subprocess.PIPE, every='0.1s', preexec_fn=limit_files)
	w.p.stdin.write((HEAD + ''.join(f'op{i},5\n' for i in range(3000))).encode())
	w.p.stdin.flush()
	w.wait_for(lambda e: e['event'] == 'interval' and not e['kept'], 'not kept')
	w.wait_for(lambda e: e['event'] == 'interval' and e['kept'] and e['sequence'] > 64, 'kept again')
	w.stop(status=2)
	# Once the first and largest is dropped the others are written.
	k = w.kept
	assert k['dropped'] == 1 and k['waiting'] == 0 and k['written'] > 64, k
	assert w.messages().count('more than 64 intervals') == 1, w.messages()


@case
def full_disk():
	w = Watch('-', stdin=subprocess.PIPE, every='0.3s', preexec_fn=limit_files)
	w.p.stdin.write((HEAD + ''.join(f'op{i},5\n' for i in range(3000))).encode())
	w.p.stdin.flush()
	w.wait_for(lambda e: e['event'] == 'interval' and not e['kept'], 'not kept')
	w.p.stdin.write(lines(4).encode())
	w.p.stdin.flush()
	w.wait_calls(3004)
	w.stop(status=2)
	assert not [f for f in os.listdir(w.keep) if f.endswith('.part')]


def limit_files():
	import resource
	signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
	resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))


@case
def a_folder_has_one_writer():
	w = Watch('cmd:sleep 100', '--every', '0.5s')
	w.wait_for(lambda e: e['event'] == 'start', 'start')
	other = subprocess.run([OSPROF, 'watch', '--keep', w.keep, '-'], stdin=subprocess.DEVNULL,
		capture_output=True)
	assert other.returncode == 2 and b'another osprof watch' in other.stderr, other
	w.stop()


@case
def for_a_time():
	w = Watch('cmd:sleep 100', '--for', '0.2s')
	assert w.p.wait(LIMIT) == 0
	w.stop()


@case
def standard_input_that_fails():
	# A terminal's other end is closed within a line: reading it is an error, not an end.
	try:
		terminal, writer = os.openpty()
	except OSError as e:
		print(f'# standard_input_that_fails: SKIP no terminal: {e}', flush=True)
		return
	tty.setraw(writer)
	w = Watch('-', stdin=terminal)
	os.write(writer, (HEAD + lines(5) + 'read,1').encode())
	w.wait_for(lambda e: e['event'] == 'interval' and e['sources'][0]['lines'] >= 5, 'lines')
	os.close(writer)
	w.p.wait(LIMIT)
	os.close(terminal)
	s = w.stop()
	assert any(e['event'] == 'source' and e['state'] == 'failed' for e in w.events), w.events
	assert s['dropped'] == len('read,1') and s['gaps'] == 1 and s['state'] == 'failed', s
	assert w.merged() == {'read': 5}, w.merged()


@case
def wrong_usage():
	for args in ([], ['unix:'], ['tcp:nowhere'], ['cmd:'], ['-', '--tiers', '10s'],
			['-', '--false-alarms', '0/d'], ['--replay', '/nowhere'], ['-', '--every', 'x'],
			['-', '--calibrate'], ['pid:'], ['pid:x'], ['region:'],
			['pid:1', '--lateness', '1s'], ['-', '--tiers', '10s:1h,15s:1d']):
		p = subprocess.run([OSPROF, 'watch', *args], stdin=subprocess.DEVNULL,
			capture_output=True, timeout=LIMIT)
		assert p.returncode == 2 and p.stderr, (args, p)
	folder = os.open('/', os.O_RDONLY)
	p = subprocess.run([OSPROF, 'watch', '-'], stdin=folder, capture_output=True, timeout=LIMIT)
	os.close(folder)
	assert p.returncode == 2 and b'Is a directory' in p.stderr, p


sys.exit(main(sys.argv[5:]))
