#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""osprof watch end to end: collectors that print histograms again and again.

	snapshots.py OSPROF CLOCK [CASE...]

Where times between snapshots matter, the clock (tests/watch/clock.c) goes only when it is set.
"""
import json
import os
import subprocess
import sys

from watching import StillClock, Watch, case, main

CLOCK = os.path.realpath(sys.argv[2])


def hist(name, counts):
	return json.dumps({'type': 'hist', 'data': {name: [
		{'min': 2 ** (i + 4), 'max': 2 ** (i + 5) - 1, 'count': c}
		for i, c in enumerate(counts)]}}) + '\n'


def timed_snapshots(counts, *args):
	"""Of each: its counts, and the seconds until the next one.  The watch, and how it ended."""
	clock = StillClock(CLOCK)
	w = Watch('-', '--unit', 'ns', *args, stdin=subprocess.PIPE, every='1s', env=clock.environment)
	for values, pause in counts:
		w.p.stdin.write(hist('@read', values).encode())
		w.p.stdin.flush()
		clock.wait_read(w.p.stdin)
		for _ in range(pause):
			clock.go_on(1)
	return w, w.stop()


@case
def histograms_with_lateness():
	# They do not say when their calls began: they count when they arrive, each in its interval.
	w, _ = timed_snapshots([([40, 10 + i], 2) for i in range(4)], '--snapshots', 'delta', '--lateness', '0s')
	intervals = [e for e in w.events if e['event'] == 'interval']
	assert [e['calls'] for e in intervals if e['calls']] == [50, 51, 52, 53], intervals
	assert all(e['end'] - e['start'] == 1 for e in intervals), intervals
	assert w.merged() == {'read': 206}, w.merged()


def snapshots(values):
	w = Watch('-', '--unit', 'ns', stdin=subprocess.PIPE, every='0.3s')
	for i, v in enumerate(values):
		w.p.stdin.write(hist('@read', v).encode())
		w.p.stdin.flush()
		w.wait_for(lambda e: e['event'] == 'interval' and e['sources'][0]['lines'] == i + 1,
			f'snapshot {i}')
	s = w.stop()
	return w, s


@case
def snapshots_that_go_on():
	w, s = snapshots([[100, 50], [230, 110], [300, 180]])
	assert w.merged() == {'@read'[1:]: 480} or w.merged() == {'read': 480}, w.merged()
	assert s['differenced'] == 2, s


@case
def snapshots_that_are_cleared():
	# Five calls each time are as likely by chance as not.
	w, s = snapshots([[5, 1], [5, 1], [5, 2]])
	assert list(w.merged().values()) == [19], w.merged()
	assert s['differenced'] == 0, s


@case
def a_clear_that_was_lost():
	w, s = timed_snapshots([([100, 50], 1), ([90, 60], 1), ([185, 120], 1), ([100, 51], 1)])
	assert list(w.merged().values()) == [150 + 150 + 155 + 151], w.merged()
	assert s['differenced'] == 1, s


@case
def a_print_that_came_late():
	# Of 2 s, from a collector that had no processor for a second: all of it is new.
	w, s = timed_snapshots([([100, 50], 1), ([90, 60], 1), ([95, 55], 1), ([97, 54], 2), ([195, 110], 1),
		([100, 51], 1)])
	assert list(w.merged().values()) == [150 + 150 + 150 + 151 + 305 + 151], w.merged()
	assert s['differenced'] == 0, s


@case
def a_load_that_grew():
	# Eight standard deviations more calls, and no bucket decreased: it is more load.
	w, s = snapshots([[1000, 500], [1300, 700], [1000, 550]])
	assert list(w.merged().values()) == [1500 + 2000 + 1550], w.merged()
	assert s['differenced'] == 0, s


@case
def many_buckets_that_did_not_shrink():
	# Counted for long before: a little more in each of 20 buckets is no chance.
	w, s = snapshots([[50 + i for i in range(20)], [51 + i for i in range(20)]])
	assert s['differenced'] == 1, s
	assert list(w.merged().values()) == [50 * 20 + 190 + 20], w.merged()


sys.exit(main(sys.argv[3:]))
