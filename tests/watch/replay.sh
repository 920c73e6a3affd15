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
# The numbers of text and JSON are the same, and a line of JSON is all that is printed.
json_of() {
	local rest='.*"time": null, "sequence": [0-9]+, "intervals": '
	"$osprof" watch --format json "$@" >json 2>why &&
		! grep -qv '^{"schema": "osprof.watch/1", .*}$' json &&
		tail -n 1 json | sed -nE "s|.*\"event\": \"rate\", $rest([0-9]+), .*\"alarms\": ([0-9]+), .*\"threshold_factor\": ([0-9]+), \"enough\": (.*)\\}|\1 \2 \3 \4|p" |
		tee -a why
}
mkdir calm
for i in $(seq -w 0 159); do
	cp "kept/$(date -u -d "@$((1790000000 + 10 * 10#$i))" +%Y%m%dT%H%M%SZ)-10s.osprof" calm
done
[ "$(json_of --replay kept --false-alarms 1/d)" = "200 1 1 false" ]
result "JSON: a replay ends with its rate"
[ "$(json_of --replay calm --false-alarms 1/d --calibrate)" = "160 0 1 true" ]
result "JSON: a threshold that is enough"
"$osprof" watch --format json --replay kept --calibrate >json 2>why
[ $? -eq 2 ] && [ "$(grep -c '"event": "rate", .*"enough": false' json)" -eq 20 ] &&
	grep -q "something changed" why
result "JSON: no threshold is enough"
"$osprof" watch --replay kept --reference calm --false-alarms 1/d >why 2>&1 &&
	grep -q "alarm 1: read: latency .* higher" why
result "a replay against a reference"
# Others take the processors at the end of it: what is slower then is their doing, and without the
# statement it is an alarm.
mkdir crowded untold
for i in $(seq 0 199); do
	name=$(date -u -d "@$((1790000000 + 10 * i))" +%Y%m%dT%H%M%SZ)-10s.osprof
	others=200 waited=100
	[ "$i" -lt 160 ] || others=1950 waited=8000
	sed "s/^unit ns/contention ${others}0000000 20000000000 ${waited}00000 100\nunit ns/" "kept/$name" \
		>"crowded/$name"
	grep -v contention "crowded/$name" >"untold/$name"
done
"$osprof" watch --replay crowded --false-alarms 1/d >why 2>&1 &&
	grep -q "^200 intervals, .* 0 alarms,.*; 40 intervals under a load that was new were not judged" why
result "others that take the processors are no alarm"
"$osprof" watch --replay crowded --false-alarms 1/d --format json >why 2>&1 &&
	grep -q '"event": "rate", .*"new_load": 40, .*"alarms": 0,' why
result "JSON: intervals under a new load are counted"
"$osprof" watch --replay untold --false-alarms 1/d >why 2>&1 &&
	grep -q "^200 intervals, .* 1 alarm,.* a day$" why
result "the same without a word of others is one"
"$osprof" watch --replay kept --reference nowhere >why 2>&1
[ $? -eq 2 ] && grep -q "nowhere: " why
result "a replay against no reference"

# refused WHAT OPTION...: status 2, nothing is written, and a message that has WHAT.
refused() {
	local what=$1
	shift
	rm -rf never
	"$osprof" watch "$@" >out 2>why </dev/null
	[ $? -eq 2 ] && [ ! -s out ] && [ ! -e never ] && grep -q -- "$what" why
}
status=0
for option in --keep=never --keep-size=1M --tiers=10s:1h --prometheus=never --on-alarm=true \
	--zoom=1s --forward=unix:never --sender=a --spool=never --trust-network --for=1s --handler=a \
	--lateness=1s --from=csv --unit=ns --hz=1e9 --snapshots=delta --numbering=fsprof \
	--column=operation=a '--separator=;' --resolution=2 --names=x86_64 --max-input=1M; do
	name=${option%%=*}
	refused "$name " --replay kept "$option" || { status=1 && break; }
done
[ $status -eq 0 ]
result "a replay has no option without an effect"
refused "exit-code has no effect" --replay kept --calibrate --exit-code &&
	refused "calibrate .*use --replay" --calibrate - &&
	refused "keep-size .*use --keep" --keep-size 1M - &&
	refused "tiers .*use --keep" --tiers 10s:1h - &&
	refused "zoom .*use --keep" --zoom 1s - &&
	refused "sender .*use --forward" --sender a - &&
	refused "spool .*use --forward" --spool never - &&
	refused "trust-network has no effect" --trust-network --keep never frames:unix:socket &&
	refused "has no option --interval" --interval 1 --keep never - &&
	refused "has no option --utc" --utc --keep never - &&
	refused "expected sources" --replay kept - &&
	refused "expected sources" --keep never
result "no option is without an effect in silence"
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
