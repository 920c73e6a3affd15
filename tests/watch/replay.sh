#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What osprof watch does without libuv, and with it, too: it replays a folder. Without it, it
# says that it cannot watch.
#
#	replay.sh OSPROF LIBUV
#
# LIBUV is "yes" or "no". Prints TAP.
set -u
osprof=$(realpath "$1") libuv=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
n=0 failed=0

# result NAME: one line of TAP by the status of the command before; what it printed is in why.
result() {
	local status=$?
	n=$((n + 1))
	if [ "$status" -eq 0 ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		sed 's/^/# /' why
		failed=1
	fi
}

# 200 intervals of 10 s, the last 40 of which are four times slower.
mkdir kept
for i in $(seq 0 199); do
	name=$(date -u -d "@$((1790000000 + 10 * i))" +%Y%m%dT%H%M%SZ)-10s.osprof
	bucket=10
	[ "$i" -lt 160 ] || bucket=12
	printf 'osprof 1\nunit ns\nop read\n%d %d\n%d %d\n' $bucket $((500 + i * 7919 % 31)) \
		$((bucket + 1)) $((300 + i * 104729 % 23)) >"kept/$name"
done
"$osprof" watch --replay kept --false-alarms 1/d >why 2>&1 &&
	grep -q "alarm 1: read: latency .* higher" why && grep -q "^200 intervals, .* 1 alarm," why
result "a folder is replayed"
"$osprof" watch --replay kept --false-alarms 1/d --exit-code >why 2>&1
[ $? -eq 1 ]
result "status 1 after an alarm"
"$osprof" watch --replay kept --calibrate >why 2>&1
[ $? -eq 2 ] && grep -q "something changed" why
result "a folder in which something changed calibrates nothing"
printf 'op,latency_ns\nread,5\n' | "$osprof" watch - >why 2>&1
status=$?
if [ "$libuv" = yes ]; then
	[ $status -eq 0 ] && grep -q "21 read .* 2 lines" why
else
	[ $status -eq 2 ] && grep -q "built without libuv" why
fi
result "sources: libuv is there: $libuv"
echo "1..$n"
exit $failed
