#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Every key of the JSON documents that commands print is in one of the pages.
#
# Usage: json_described.sh OSPROF TESTDATA PAGE...

set -eu
export LC_ALL=C
osprof=$(realpath "$1") runs=$2/runs
shift 2
keys=$(mktemp)
trap 'rm -f "$keys"' EXIT
while read -r command; do
	# shellcheck disable=SC2086 # words of a command line
	(cd "$runs" && "$osprof" $command -q --format json) | grep -oE '"[a-z_0-9]+":' >>"$keys"
done <<'END'
show grep-cold/1.json zeroread-2
rank randread-1 randread-2
peaks zeroread-2
explain randread-1 randread-2
distance grep-cold grep-warm
distance --pairwise grep-cold
history nightly
aa clone-1
check grep-cold
formats bpftrace
timeline flusher-1s-5.json
preempt preempt/two.osprof
preempt --equation --tcpu 1 --tperiod 2 --yield 0 --quantum 3
calls ../calls/pipes.csv
calls ../calls/forks.csv ../calls/forks.csv
causes ../causes/shop.data --function handle
END
bad=0
for key in $(tr -d '":' <"$keys" | sort -u); do
	grep -qwF -- "$key" "$@" || {
		echo "no page has the key $key"
		bad=1
	}
done
exit $bad
