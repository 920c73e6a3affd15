#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""osprof watch --zoom: per-call records of an operation after its alarm, and of whom there are none.

	zooming.py OSPROF COUNTER RECORDER TESTDATA [CASE...]
"""
import csv
import json
import os
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time

from watching import ALL, LIMIT, OSPROF, ROOT, Watch, case, main, write

COUNTER = os.path.realpath(sys.argv[2])
RECORDER = sys.argv[3] == 'yes'
STEP = os.path.join(sys.argv[4], 'watch/step.csv')
NAME = '"\x1b[31m,$(touch owned)"""'


def step():
	"""An archive in which latencies double: what comes until its alarm, and after that."""
	with open(STEP) as f:
		lines = [l.replace(',read,', f',{NAME},') for l in f]
	n = sum(l.startswith('s') or float(l.split(',')[0]) < 1790000145 for l in lines)
	return lines[:n], lines[n:]


def zooms(w):
	return [e for e in w.events if e['event'] == 'zoom']


@case
def lines_after_an_alarm():
	before, after = step()
	w = Watch('--lateness', '0s', '--zoom', '60s', '-', 'poll:true', stdin=subprocess.PIPE, every='1s')
	w.p.stdin.write(''.join(before).encode())
	w.p.stdin.flush()
	w.wait_for(lambda e: e['event'] == 'alarm', 'alarm')
	# A line that cannot be read has the others read again, which count once.
	w.p.stdin.write(''.join([*after[:50], 'x,y,z\n', *after[50:]]).encode())
	w.p.stdin.close()
	w.wait_for(lambda e: e['event'] == 'source' and 'not read' in e['message'], 'read')
	s = w.stop()
	assert s['refused'] == 1, s
	lines, documents = zooms(w)
	if lines['source'] != '-':
		lines, documents = documents, lines
	assert documents['file'] is None and 'documents' in documents['message'], documents
	assert lines['calls'] == len(after) and lines['missing'] == 0, lines
	assert lines['name'] == '\x1b[31m,$(touch owned)"', lines
	path = os.path.join(w.folder, lines['file'])
	assert os.path.basename(path).endswith('Z-alarm1-source1.csv'), path
	with open(path) as f:
		rows = list(csv.DictReader(f))
	assert [(r['start_s'], r['latency_ns']) for r in rows] == \
		[(l.split(',')[0] + '000', l.split(',')[-1].strip()) for l in after], rows[:3]
	# Every command reads it, and nothing else in the folder changed.
	show = json.loads(subprocess.run([OSPROF, 'show', '--quiet', '--format', 'json', path],
		capture_output=True, check=True).stdout)
	assert show['runs'][0]['operations'][0]['count'] == len(after), show
	assert list(w.merged().values()) == [len(before) - 1 + len(after)], w.merged()
	assert not os.path.exists(w.path('owned'))


@case
def a_disk_that_is_full():
	before, after = step()
	w = Watch('--lateness', '0s', '--zoom', '60s', '-', stdin=subprocess.PIPE, every='1s',
		preexec_fn=limit_files)
	w.p.stdin.write(''.join(before).encode())
	w.p.stdin.flush()
	w.wait_for(lambda e: e['event'] == 'alarm', 'alarm')
	w.p.stdin.write(''.join(after).encode())
	w.p.stdin.close()
	w.p.wait(LIMIT)
	w.stop(status=2)
	assert 'cannot be written' in zooms(w)[0]['message'], zooms(w)
	assert os.listdir(os.path.join(w.keep, 'zoom')) == []


def limit_files():
	signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
	resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))


PROGRAM = '''
import os, select
while os.path.exists('go'):
	select.select([], [], [], 0.03 if os.path.exists('slow') else 0.001)
'''


def memory_for_records(recorder):
	for fd in os.listdir(f'/proc/{recorder}/fd'):
		if 'osprof-calls' in os.readlink(f'/proc/{recorder}/fd/{fd}'):
			return f'/proc/{recorder}/fd/{fd}'
	raise AssertionError('no memory for records')


def claimed(recorder):
	"""How many records the recorder's memory was given."""
	with open(memory_for_records(recorder), 'rb') as f:
		return struct.unpack('Q', f.read(48)[40:])[0]


def record_program():
	"""A folder that steers it, and who records it."""
	folder = tempfile.mkdtemp(dir=ROOT)
	write(f'{folder}/go', '')
	recording = subprocess.Popen([OSPROF, 'record', '-q', '-o', 'all.osprof', '--', 'python3', '-c',
		PROGRAM], cwd=folder)
	ALL.append(recording)
	return folder, recording


def count(path):
	counter = subprocess.Popen([COUNTER, path], stdout=subprocess.PIPE)
	ALL.append(counter)
	assert counter.stdout.readline() == b'ready\n'
	return counter


def set_version(path, version):
	"""Of counters and of memory for records: a magic of eight bytes, then the version."""
	with open(path, 'r+b', buffering=0) as f:
		f.seek(8)
		f.write(struct.pack('I', version))


@case
def a_program_that_is_recorded():
	if not RECORDER:
		return
	folder, recording = record_program()
	counter = count(f'{folder}/region')
	w = Watch(f'pid:{recording.pid}', f'region:{folder}/region', 'frames:unix:DIR/socket',
		'cmd:printf "@x:\\n[1] 2 |@|\\n"; sleep 100', '--unit', 'ns', '--zoom', '2s',
		'--false-alarms', '1000/1d', '--any-load', every='0.1s')
	w.wait_for(lambda e: e['event'] == 'source' and 'read in place' in e['message'], 'open')
	w.wait_for(lambda e: e['event'] == 'interval' and e['watched'] > 0, 'judged', 100)
	time.sleep(2)
	if not zooms(w): # an alarm before, of a machine that is busy
		assert claimed(recording.pid) == 0
	write(f'{folder}/slow', '')
	w.wait_for(lambda e: e['event'] == 'zoom' and e['file'] is not None, 'zoom', 100)
	zoomed = [z for z in zooms(w) if z['file'] is not None][0]
	others = {z['source'].partition(':')[0]: z for z in zooms(w) if z['id'] == zoomed['id']}
	assert 'only programs that osprof record runs' in others['region']['message'], others
	assert 'other watches' in others['frames']['message'], others
	with open(os.path.join(w.folder, zoomed['file'])) as f:
		head, rows = f.read().split('\nstart_ns,')
	assert 'lost: 0' in head and head.startswith('# osprof calls 1'), head
	assert zoomed['missing'] == 0 and len(rows.splitlines()) - 1 == zoomed['calls'] > 0, zoomed
	calls = json.loads(subprocess.run([OSPROF, 'calls', '--quiet', '--format', 'json',
		os.path.join(w.folder, zoomed['file'])], capture_output=True, check=True).stdout)
	assert calls['schema'].startswith('osprof.calls'), calls
	# Who asked is killed: the program stops to leave records by itself.
	if [e for e in w.events if e['event'] == 'alarm'][-1]['id'] == zoomed['id']:
		before = claimed(recording.pid)
		time.sleep(0.5)
		assert claimed(recording.pid) == before
	w.p.kill()
	w.p.wait()
	time.sleep(2.5)
	before = claimed(recording.pid)
	time.sleep(0.5)
	assert claimed(recording.pid) == before
	counter.kill()
	os.unlink(f'{folder}/go')
	assert recording.wait(LIMIT) == 0
	# No file of per-call records was asked for, and the profile has all calls.
	assert sorted(os.listdir(folder)) == ['all.osprof', 'region', 'slow']


@case
def a_program_that_ends_and_other_versions():
	if not RECORDER:
		return
	folder, recording = record_program()
	other_folder, other = record_program()
	region = f'{folder}/region'
	counter = count(region)
	set_version(region, 99)
	w = Watch(f'pid:{recording.pid}', f'pid:{other.pid}', f'region:{region}', '--zoom', '8s',
		'--false-alarms', '1000/1d', '--any-load', every='0.1s')
	w.wait_for(lambda e: e['event'] == 'source' and 'counters of another version of osprof; tried again' in
		e['message'] and e['name'].startswith('region:'), 'another version of counters')
	w.wait_for(lambda e: e['event'] == 'interval' and e['watched'] > 0, 'judged', 100)
	set_version(memory_for_records(other.pid), 99)
	time.sleep(2)
	n_before = len(w.events)
	write(f'{folder}/slow', '')
	write(f'{other_folder}/slow', '')
	w.wait_for(lambda e: e['event'] == 'zoom' and e['sequence'] >= n_before and
		'per-call records of another version of osprof' in (e['message'] or ''), 'another version', 100)
	time.sleep(1)
	os.unlink(f'{folder}/go')
	assert recording.wait(LIMIT) == 0
	ended = time.time()
	w.wait_for(lambda e: e['event'] == 'zoom' and e['source'] == f'pid:{recording.pid}' and
		e['file'] is not None and e['start'] < ended < e['end'], 'the file of who ended')
	zoomed = [z for z in zooms(w) if z['file'] is not None][-1]
	assert zoomed['missing'] == 0 and zoomed['calls'] > 20, zoomed
	calls = json.loads(subprocess.run([OSPROF, 'calls', '--quiet', '--format', 'json',
		os.path.join(w.folder, zoomed['file'])], capture_output=True, check=True).stdout)
	assert calls['schema'].startswith('osprof.calls'), calls
	# The others go on.
	n = w.calls()
	w.wait_calls(n + 20)
	os.unlink(f'{other_folder}/go')
	assert other.wait(LIMIT) == 0
	counter.kill()
	states = {s['name'].partition(':')[0] + s['state'] for s in (w.stop(), *w.sources)[1:]}
	assert states == {'pidended', 'regionwaiting'}, states


@case
def wrong_usage():
	for args in (['-', '--zoom', '30s'], ['-', '--keep', f'{ROOT}/x', '--zoom', 'x'],
			['-', '--keep', f'{ROOT}/x', '--zoom', '0s']):
		p = subprocess.run([OSPROF, 'watch', *args], stdin=subprocess.DEVNULL, capture_output=True,
			timeout=LIMIT)
		assert p.returncode == 2 and b'--zoom' in p.stderr, (args, p)


sys.exit(main(sys.argv[5:]))
