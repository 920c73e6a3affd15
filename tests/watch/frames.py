#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Profiles from one osprof watch to another: what arrives, and what must not do harm.

	frames.py OSPROF CLOCK [CASE...]

CLOCK is tests/watch/clock.c as a library to preload.
"""
import os
import resource
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import zlib

from watching import HEAD, LIMIT, OSPROF, ROOT, ShiftedClock, Watch, case, lines, main

CLOCK = os.path.realpath(sys.argv[2])

PROFILE = b'osprof 1\nunit ns\nop read\n10 3\n'


def hello(sender='web1', boot='a1'):
	return f'osprof-frame 1 hello sender={sender} boot={boot}\n'.encode()


def packed(body, size=None, blocks=None, tail=b''):
	"""A frame of zstd that states this size, by RFC 8878: raw blocks, or those given."""
	size = len(body) if size is None else size
	if blocks is None:
		blocks = block(0, len(body), True) + body
	return b'\x28\xb5\x2f\xfd\xa0' + struct.pack('<I', size) + blocks + tail


def block(kind, size, last):
	return struct.pack('<I', size << 3 | kind << 1 | last)[:3]


def repeated(megabytes):
	"""Blocks that repeat one byte, four bytes for 128 KiB."""
	n = 8 * megabytes
	return b''.join(block(1, 128 << 10, i == n - 1) + b'x' for i in range(n))


def frame(seq, body=PROFILE, sender='web1', boot='a1', version=1, crc=None, size=None, coding=''):
	crc = zlib.crc32(body) if crc is None else crc
	size = len(body) if size is None else size
	return (f'osprof-frame {version} profile sender={sender} boot={boot} seq={seq} start=1790000000 '
		f'end=1790000010 bytes={size} {coding}crc32={crc:08x}\n').encode() + body


class Receiver(Watch):
	def __init__(self, *args, **more):
		self.at = tempfile.mkdtemp(dir=ROOT)
		self.socket = self.at + '/socket'
		super().__init__(f'frames:unix:{self.socket}', *args, **{'every': '0.4s', **more})
		end = time.monotonic() + LIMIT
		while not os.path.exists(self.socket):
			assert self.p.poll() is None and time.monotonic() < end
			time.sleep(0.01)

	def connect(self):
		s = socket.socket(socket.AF_UNIX)
		s.settimeout(LIMIT)
		while True:
			try:
				s.connect(self.socket)
				return s
			except (BlockingIOError, ConnectionRefusedError):
				time.sleep(0.01)

	def wait_message(self, text):
		self.wait_for(lambda e: e['event'] == 'source' and text in e['message'], text)


def answer(s):
	text = b''
	while not text.endswith(b'\n'):
		piece = s.recv(1)
		if piece == b'':
			return 'closed'
		text += piece
	return text.decode().strip()


def refusal(s):
	"""The next answer that is no acknowledgement: these come when intervals end."""
	text = answer(s)
	while ' ack ' in text:
		text = answer(s)
	return text


def wait_acknowledged(s, seq):
	"""Profiles that are refused are counted as seen, so intervals that end before acknowledge these."""
	text = answer(s)
	while text != f'osprof-frame 1 ack seq={seq} boot=a1':
		assert ' ack ' in text, text
		text = answer(s)


@case
def one_watch_to_another():
	r = Receiver()
	senders = []
	for name in ('web1', 'web2'):
		w = Watch('-', '--forward', f'unix:{r.socket}', '--sender', name, stdin=subprocess.PIPE,
			every='0.3s')
		w.p.stdin.write((HEAD + lines(40) + lines(2, 'write')).encode())
		w.p.stdin.flush()
		senders.append(w)
	r.wait_calls(84)
	for w in senders:
		w.p.stdin.write(lines(5).encode())
		w.p.stdin.close()
		# The last interval is acknowledged before it ends.
		w.p.wait(LIMIT)
		w.stop()
		assert 'not acknowledged' not in w.messages(), w.messages()
	r.wait_calls(94)
	r.stop()
	assert r.merged() == {'read': 90, 'write': 4}
	assert senders[0].merged() == {'read': 45, 'write': 2}


@case
def over_tcp():
	with socket.create_server(('127.0.0.1', 0)) as free:
		port = free.getsockname()[1]
	r = Watch(f'frames:tcp:127.0.0.1:{port}', every='0.4s')
	w = Watch('-', '--forward', f'tcp:127.0.0.1:{port}', '--sender', 'web1', stdin=subprocess.PIPE,
		every='0.3s')
	w.p.stdin.write((HEAD + lines(40)).encode())
	w.p.stdin.flush()
	r.wait_calls(40)
	w.stop()
	r.stop()


@case
def receiver_that_comes_later_and_goes():
	r = Receiver()
	w = Watch('-', '--forward', f'unix:{r.socket}', '--sender', 'web1', stdin=subprocess.PIPE,
		every='0.3s')
	w.p.stdin.write((HEAD + lines(40)).encode())
	w.p.stdin.flush()
	r.wait_calls(40)
	r.wait_for(lambda e: e['event'] == 'interval' and e['calls'] == 40, 'first')
	r.stop()
	w.wait_for(lambda e: e['event'] == 'source' and 'tried again' in e['message'], 'retry')
	w.p.stdin.write(lines(7).encode())
	w.p.stdin.flush()
	w.wait_calls(47)
	# What was not acknowledged is sent again, to whoever listens there next.
	second = Watch(f'frames:unix:{r.socket}', every='0.4s')
	second.wait_calls(7)
	w.stop()
	second.stop()
	assert second.merged() == {'read': 7}, second.merged()


@case
def nobody_listens():
	w = Watch('-', '--forward', 'unix:DIR/nobody', stdin=subprocess.PIPE, every='0.3s')
	w.p.stdin.write((HEAD + lines(40)).encode())
	w.p.stdin.flush()
	w.wait_calls(40)
	w.stop()
	assert '1 intervals were not acknowledged' in w.messages(), w.messages()
	assert w.merged() == {'read': 40}


@case
def replayed_frames_count_once():
	r = Receiver()
	s = r.connect()
	s.sendall(hello() + frame(1) + frame(2) + frame(2) + frame(1))
	r.wait_calls(6)
	assert answer(s) == 'osprof-frame 1 ack seq=2 boot=a1'
	# After a connection broke, too; and another start of the sender counts anew.
	s.close()
	s = r.connect()
	s.sendall(hello() + frame(2) + frame(3) + hello(boot='a2') + frame(1, boot='a2'))
	r.wait_calls(12)
	ledger = r.stop()
	assert r.calls() == 12 and ledger['dropped'] == 0, ledger
	assert r.merged() == {'read': 12}


@case
def an_acknowledgement_is_for_what_is_on_the_disk():
	r = Receiver()
	s = r.connect()
	r.remove_kept()
	s.sendall(hello() + frame(1))
	r.wait_for(lambda e: e['event'] == 'interval' and e['calls'] == 3 and not e['kept'], 'lost')
	s.settimeout(0.5)
	try:
		assert answer(s) == 'never'
	except TimeoutError:
		pass
	r.stop(status=2)


@case
def missing_frames_are_reported():
	r = Receiver()
	r.connect().sendall(hello() + frame(1) + frame(5))
	r.wait_message('web1: 3 profiles before this one are missing')
	r.wait_calls(6)
	r.stop()


@case
def damaged_frames_are_refused():
	bomb = packed(b'', size=1 << 28, blocks=repeated(256))
	r = Receiver()
	s = r.connect()
	s.sendall(hello() + frame(1, crc=1) + frame(2, b'osprof 1\nunit ns\nop read\n10 x\n') +
		frame(3, version=2) + frame(4, bomb) + frame(5, b'') + frame(6, os.urandom(5000)) + frame(7))
	for seq in range(1, 7):
		assert refusal(s) == f'osprof-frame 1 refused seq={seq} boot=a1'
	wait_acknowledged(s, 7)
	r.wait_calls(3)
	peak = [l for l in open(f'/proc/{r.p.pid}/status') if l.startswith('VmHWM')][0]
	ledger = r.stop()
	assert ledger['refused'] == 6, ledger
	assert 'later version' in r.messages() and 'checksum' in r.messages(), r.messages()
	if 'san' not in OSPROF:
		assert int(peak.split()[1]) < 128 << 10, peak


@case
def compressed_frames():
	zstd = 'coding=zstd '
	r = Receiver()
	s = r.connect()
	later = b'osprof 1\nunit ns\nof-a-later-version 1\nop read\n10 3\n'
	bad = [packed(PROFILE, size=(1 << 32) - 1, blocks=repeated(200)),
		packed(PROFILE, size=64 << 20, blocks=repeated(200)),
		packed(PROFILE, size=100, blocks=repeated(200)),
		packed(PROFILE, tail=packed(PROFILE)), packed(PROFILE)[:-1], PROFILE, b'',
		packed(PROFILE, size=(64 << 20) + 1), packed(later)]
	s.sendall(hello() + frame(1, packed(PROFILE), coding=zstd))
	for i, body in enumerate(bad):
		s.sendall(frame(i + 2, body, coding=zstd))
		assert refusal(s) == f'osprof-frame 1 refused seq={i + 2} boot=a1', (i, body[:20])
	s.sendall(frame(20, PROFILE, coding='coding=xz ') + frame(21, PROFILE, version=2))
	assert refusal(s) == 'osprof-frame 1 refused seq=20 boot=a1'
	assert refusal(s) == 'osprof-frame 1 refused seq=21 boot=a1'
	s.sendall(frame(22, packed(PROFILE), coding=zstd))
	wait_acknowledged(s, 22)
	r.wait_calls(6)
	peak = [l for l in open(f'/proc/{r.p.pid}/status') if l.startswith('VmHWM')][0]
	r.stop()
	assert 'too large when it is decompressed' in r.messages(), r.messages()
	# What a later osprof may read is put aside, and no interval.
	put_aside = os.listdir(os.path.join(r.keep, 'refused'))
	assert {f'from-web1-a1-{n}.frame' for n in (10, 20, 21)} <= set(put_aside), put_aside
	with open(os.path.join(r.keep, 'refused', 'from-web1-a1-21.frame'), 'rb') as f:
		assert f.read() == frame(21, PROFILE, version=2)
	assert r.merged() == {'read': 6}
	if 'san' not in OSPROF:
		assert int(peak.split()[1]) < 128 << 10, peak


@case
def too_many_that_are_refused():
	r = Receiver()
	s = r.connect()
	s.sendall(hello())
	for i in range(80):
		s.sendall(frame(i + 1, version=3))
		assert refusal(s) == f'osprof-frame 1 refused seq={i + 1} boot=a1'
	r.wait_for(lambda e: e['event'] == 'source' and 'more' in e['message'], 'messages')
	r.stop()
	assert len(os.listdir(os.path.join(r.keep, 'refused'))) == 64


@case
def what_waits_outlives_its_process():
	at = tempfile.mkdtemp(dir=ROOT)
	send = ['-', '--forward', f'unix:{at}/socket', '--sender', 'web1', '--spool', f'{at}/spool']
	w = Watch(*send, stdin=subprocess.PIPE, every='0.3s')
	w.p.stdin.write((HEAD + lines(40)).encode())
	w.p.stdin.flush()
	w.wait_calls(40)
	w.p.stdin.write(lines(7).encode())
	w.p.stdin.flush()
	w.wait_calls(47)
	# One process has a spool.
	other = subprocess.run([OSPROF, 'watch', *send], stdin=subprocess.DEVNULL, capture_output=True,
		timeout=LIMIT)
	assert other.returncode == 2 and b'another osprof watch' in other.stderr, other
	w.p.kill()
	w.p.wait()
	spooled = sorted(f for f in os.listdir(f'{at}/spool') if f.endswith('.frame'))
	assert len(spooled) == 2 and os.stat(f'{at}/spool').st_mode & 0o777 == 0o700, spooled
	# What is damaged is removed, and counted; so is a copy of what is there.
	with open(f'{at}/spool/{spooled[0]}', 'rb') as f:
		good = f.read()
	for name, damaged in (('0-a.frame', good[:-1]), ('1-b.frame', good), ('2-c.frame', b'')):
		with open(f'{at}/spool/{name}', 'wb') as f:
			f.write(damaged)
	second = Watch(*send, stdin=subprocess.PIPE, every='0.3s')
	second.p.stdin.write((HEAD + lines(5, 'write')).encode())
	second.p.stdin.flush()
	second.wait_calls(5)
	r = Watch(f'frames:unix:{at}/socket', every='0.4s')
	r.wait_calls(52)
	end = time.monotonic() + LIMIT
	while [f for f in os.listdir(f'{at}/spool') if f.endswith('.frame')]:
		assert time.monotonic() < end, os.listdir(f'{at}/spool')
		time.sleep(0.02)
	second.stop()
	r.stop()
	assert '3 files of the spool are damaged' in second.messages(), second.messages()
	assert second.forwarded['spooled'] == 5 and second.forwarded['dropped'] == 3, second.forwarded
	assert second.forwarded['waiting'] == 0, second.forwarded
	assert r.calls() == 52 and r.merged() == {'read': 47, 'write': 5}, r.merged()


@case
def a_spool_that_is_full():
	at = tempfile.mkdtemp(dir=ROOT)
	w = Watch('-', '--forward', f'unix:{at}/socket', '--spool', f'{at}/spool', stdin=subprocess.PIPE,
		every='0.3s', preexec_fn=limit_files)
	w.p.stdin.write((HEAD + ''.join(f'op{i * i * 7919 % 65536:x},{i}\n' for i in range(3000))).encode())
	w.p.stdin.flush()
	w.wait_calls(3000)
	w.stop(status=2)
	assert 'the spool cannot be written' in w.messages(), w.messages()
	assert w.forwarded['waiting'] == 1, w.forwarded
	assert [f for f in os.listdir(f'{at}/spool') if not f.startswith('.osprof-lock')] == []


def limit_files():
	signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
	resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))


@case
def what_is_no_frame_is_cut_off():
	r = Receiver()
	for bad in (b'GET / HTTP/1.1\r\n\r\n', b'\n', b'osprof-frame x hello sender=a boot=1\n',
			b'osprof-frame 1 hello sender=a/b boot=1\n', b'osprof-frame 1 hello sender=a\n',
			b'osprof-frame 1 hello sender=a sender=a boot=1\n', b'osprof-frame 1 ack seq=1\n',
			b'osprof-frame 1 what sender=a boot=1\n', b'x' * 600, b'osprof-frame ' + b'9' * 600,
			frame(1), hello() + frame(1, sender='web2'), hello() + frame(1, boot='ff'),
			hello() + frame(1, size=(8 << 20) + 1), hello() + b'\0' * 10,
			hello() + frame(1).replace(b'start=1790000000', b'start=1790000010')):
		s = r.connect()
		s.sendall(bad)
		assert answer(s) == 'closed', bad
		s.close()
	# Others go on.
	s = r.connect()
	s.sendall(hello() + frame(1))
	r.wait_calls(3)
	r.stop()


@case
def half_a_frame():
	r = Receiver()
	s = r.connect()
	s.sendall(hello() + frame(1) + frame(2)[:-4])
	r.wait_calls(3)
	s.close()
	r.wait_message('ended within a frame')
	assert r.stop()['dropped'] == len(frame(2)) - 4


@case
def bytes_one_by_one():
	r = Receiver()
	s = r.connect()
	for b in hello() + frame(1):
		s.sendall(bytes([b]))
	r.wait_calls(3)
	assert answer(s) == 'osprof-frame 1 ack seq=1 boot=a1'
	r.stop()


@case
def slow_senders():
	clock = ShiftedClock(CLOCK, 'TEST_STEADY_CLOCK')
	# The runtime of sanitizers has to be the first that is loaded.
	r = Receiver(every='1s', **({} if 'san' in OSPROF else {'env': clock.environment}))
	silent, slow, idle = r.connect(), r.connect(), r.connect()
	slow.sendall(hello() + frame(1)[:40])
	idle.sendall(hello('idle') + frame(1, sender='idle'))
	r.wait_calls(3)
	# After 15 seconds they are still there, whoever looks each second; then 30 have gone.
	clock.set(15)
	time.sleep(1.5)
	for s in (silent, slow) if 'san' not in OSPROF else ():
		s.settimeout(0.01)
		try:
			raise AssertionError(answer(s))
		except TimeoutError:
			pass
	clock.set(30)
	silent.settimeout(LIMIT)
	slow.settimeout(LIMIT)
	assert answer(silent) == 'closed' and answer(slow) == 'closed'
	r.wait_message('a frame took more than 30 seconds')
	# Who has sent all that it has may wait.
	idle.sendall(frame(2, sender='idle'))
	r.wait_calls(6)
	r.stop()


@case
def too_much_that_is_not_complete():
	# Each below its own limit; all together are beyond that of memory.
	r = Receiver()
	good, slow = r.connect(), []
	good.sendall(hello('good') + frame(1, sender='good'))
	for i in range(10):
		s = r.connect()
		try:
			s.sendall(hello(f'slow{i}') + frame(1, bytes(8 << 20), sender=f'slow{i}')[:-1])
		except (BrokenPipeError, ConnectionResetError):
			pass
		slow.append(s)
	r.wait_message('too many incomplete frames')
	good.sendall(frame(2, sender='good'))
	r.wait_calls(6)
	peak = [l for l in open(f'/proc/{r.p.pid}/status') if l.startswith('VmHWM')][0]
	r.stop()
	if 'san' not in OSPROF:
		assert int(peak.split()[1]) < 160 << 10, peak


@case
def who_does_not_read_is_cut_off():
	r = Receiver(every='60s')
	s = r.connect()
	s.settimeout(LIMIT)
	bad = frame(1, crc=1) * 100
	try:
		s.sendall(hello())
		for _ in range(1000):
			s.sendall(bad)
		raise AssertionError('it goes on for ever')
	except (BrokenPipeError, ConnectionResetError):
		pass
	r.stop()


def answer_when_there_is_room(r, frames):
	"""Those that went are still reported to it."""
	end = time.monotonic() + LIMIT
	while time.monotonic() < end:
		last = r.connect()
		try:
			last.sendall(frames)
			text = answer(last)
		except (BrokenPipeError, ConnectionResetError):
			continue
		if text != 'closed':
			return text
	raise AssertionError('no room')


@case
def ten_thousand_connections():
	soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
	wanted = min(hard - 200, 10000)
	resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
	r = Receiver()
	first = r.connect()
	first.sendall(hello() + frame(1))
	r.wait_calls(3)
	held = [r.connect() for _ in range(wanted)]
	r.wait_message('connections were turned away: 1024 are open')
	# Those that are open go on, and when others have gone there is room again.
	first.sendall(frame(2))
	r.wait_calls(6)
	for s in held:
		s.close()
	text = answer_when_there_is_room(r, hello('web2') + frame(1, sender='web2'))
	assert text == 'osprof-frame 1 ack seq=1 boot=a1', text
	r.wait_calls(9)
	r.stop()
	resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@case
def few_descriptors():
	# Half of them are for what else is opened, so that intervals are written meanwhile.
	r = Receiver(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40)))
	held = [r.connect() for _ in range(60)]
	r.wait_message('connections were turned away: 20 are open')
	r.wait_for(lambda e: e['event'] == 'interval' and e['sequence'] > 3 and e['kept'], 'an interval')
	for s in held:
		s.close()
	assert answer_when_there_is_room(r, hello() + frame(1)) == 'osprof-frame 1 ack seq=1 boot=a1'
	r.wait_calls(3)
	r.stop()


@case
def only_this_user():
	r = Receiver()
	assert os.stat(r.socket).st_mode & 0o777 == 0o600
	if os.getuid() == 0:
		os.chmod(r.at, 0o755)
		os.chmod(r.socket, 0o666)
		pid = os.fork()
		if pid == 0:
			os.setgid(65534)
			os.setuid(65534)
			s = r.connect()
			try:
				s.sendall(hello() + frame(1))
				os._exit(answer(s) != 'closed')
			except (BrokenPipeError, ConnectionResetError):
				os._exit(0)
		assert os.waitpid(pid, 0)[1] == 0
		r.wait_message('a process of another user was turned away')
	r.stop()
	assert r.calls() == 0 and not os.path.exists(r.socket)


@case
def socket_of_a_killed_watch():
	r = Receiver()
	r.p.send_signal(signal.SIGKILL)
	r.p.wait()
	assert os.path.exists(r.socket)
	second = Watch(f'frames:unix:{r.socket}', every='0.4s')
	second.wait_for(lambda e: e['event'] == 'source' and e['message'] == 'listening', 'listening')
	# One that still listens stays.
	p = subprocess.run([OSPROF, 'watch', f'frames:unix:{r.socket}'], capture_output=True, timeout=LIMIT)
	assert p.returncode == 2 and b'Address already in use' in p.stderr, p
	s = r.connect()
	s.sendall(hello() + frame(1))
	second.wait_calls(3)
	second.stop()


@case
def beyond_this_host():
	for args in (['frames:tcp:0.0.0.0:0'], ['frames:tcp:[::]:0']):
		p = subprocess.run([OSPROF, 'watch', *args], capture_output=True, timeout=LIMIT)
		assert p.returncode == 2 and b'--trust-network' in p.stderr, p
	w = Watch('frames:tcp:0.0.0.0:0', '--trust-network')
	w.wait_for(lambda e: e['event'] == 'source' and e['message'] == 'listening', 'listening')
	w.stop()


@case
def wrong_usage():
	for args in (['frames:'], ['frames:x'], ['frames:unix:'], ['frames:tcp:1'],
			['frames:unix:/nowhere/socket'], ['-', '--forward', 'x'], ['-', '--forward', 'unix:'],
			['-', '--forward', 'unix:x', '--sender', 'a b'], ['-', '--forward', 'unix:x', '--sender', ''], ['-', '--spool', 'x'],
			['-', '--forward', 'unix:x', '--spool', '/nowhere/x'],
			['frames:unix:x', '--lateness', '1s']):
		p = subprocess.run([OSPROF, 'watch', *args], stdin=subprocess.DEVNULL,
			capture_output=True, timeout=LIMIT)
		assert p.returncode == 2 and p.stderr, (args, p)


sys.exit(main(sys.argv[3:]))
