#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Plug-ins as users build and load them, and those that fail.
#
#	run.sh SOURCE OSPROF COUNTER PC CC...
#
# SOURCE is the root of the sources, COUNTER tests/region/counter.c as a program, PC the folder
# with osprof-plugin.pc, CC the compiler. What was built against the header of 1.0
# (tests/plugin/abi-1.0/, which never changes) has to run, as has what is built against today's.
# Prints TAP.
set -u
source=$(realpath "$1") osprof=$(realpath "$2") counter=$(realpath "$3") pc=$(realpath "$4")
shift 4
cc=("$@")
# Not below a folder that others may write to: their plug-ins are refused.
scratch=$(mktemp -d)
running=
# shellcheck disable=SC2086 # one word a process
trap '[ -z "$running" ] || kill $running 2>/dev/null; rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
umask 022
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

# refused TEXT COMMAND...: status 2, and this text in the message.
refused() {
	local text=$1
	shift
	"$@" >why 2>&1
	[ $? -eq 2 ] && grep -q -- "$text" why
}

# says TEXT COMMAND...: status 0, and this text in what it prints.
says() {
	local text=$1
	shift
	"$@" >why 2>&1 && grep -q -- "$text" why
}

bad() {
	"${cc[@]}" -w -shared -fPIC -DKIND="$1" -Itests-include -o "$1.so" "$source/tests/plugin/bad.c"
}

# The header of 1.0 with a frozen copy, and today's as pkg-config has it.
mkdir -p include/osprof
cp "$source/plugin/plugin.h" include/osprof/
ln -s "$source/tests/plugin/abi-1.0" tests-include
cflags=$(PKG_CONFIG_PATH=$pc pkg-config --define-variable=includedir="$PWD/include" --cflags osprof-plugin 2>why)
[ "${cflags% }" = "-I$PWD/include" ]
result "pkg-config names the folder of the header"

cat >a.tally <<'END'
# tally 1
read 512
disk/write 20480
read 600
END
printf '# tally 1\nread 5\nread 6x\n' >b.tally

# Two runs of which one operation is eight times slower after, and one is not.
for side in before:10 after:13; do
	{
		printf 'osprof 1\nunit ns\nlayer x\n'
		for op in "write batch:${side#*:}" steady:9; do
			printf 'op %s\nunit ns\n' "${op%:*}"
			printf '%d 20000\n' "${op##*:}"
		done
	} >"${side%:*}.osprof"
done

for header in tests-include include; do
	samples=$source/plugin/samples
	[ $header = include ] || samples=$source/tests/plugin/abi-1.0
	for sample in tally budget feedback; do
		"${cc[@]}" -Wall -Wextra -Werror -shared -fPIC "-I$header" -o "$sample.so" \
			"$samples/$sample.c" >why 2>&1 && [ "$(wc -l <"$samples/$sample.c")" -le 150 ]
		result "$header: $sample is built, of 150 lines at most"
	done
	"$osprof" convert --plugin ./tally.so a.tally -o - >why 2>&1 &&
		[ "$(sed -n 's/^total //p' why | tr '\n' ' ')" = "1112 20480 " ]
	result "$header: the reader's latencies"
	refused "b.tally:3:6: error: .*expected microseconds" "$osprof" show --plugin ./tally.so b.tally
	result "$header: the reader's message has the place"
	says "plugin-says" "$osprof" rank --handler ./budget.so before.osprof after.osprof &&
		[ "$(cat budget.log)" = "1 write_batch 8" ]
	result "$header: the handler is given the alarm"
	rm -f budget.log
done

says "^  tally  *one call a line" "$osprof" formats --plugin ./tally.so
result "osprof formats lists the plug-in"
says "family.*plug-in" "$osprof" formats --plugin ./tally.so --format json plug-in && [ "$(grep -c '^   "name"' why)" -eq 1 ]
result "and by its family"
refused "tally is no format" "$osprof" formats tally
result "unless it is not named"
# All commands read it alike.
for command in show peaks check "convert -o -" "merge -o -" "distance --pairwise" "rank a.tally" \
	"distance a.tally" "explain a.tally --op read" "plot a.tally -o x.svg" "baseline a.tally a.tally -o x.osprof"; do
	# shellcheck disable=SC2086 # a command and its options
	"$osprof" $command --plugin ./tally.so a.tally >why 2>&1
	result "read by osprof $command"
done
tail -n 2 a.tally >headless
refused "format-unknown" "$osprof" show --plugin ./tally.so headless
result "what it does not recognise is unknown"
refused "tally" "$osprof" show --from tally a.tally
result "--from names a plug-in that was loaded only"
says "2 operations, 2 calls" "$osprof" show --plugin ./tally.so --from tally headless
result "--from has the plug-in read it"
refused "format-unknown" "$osprof" show a.tally
result "without the plug-in the format is unknown"
cp before.osprof c.tally
"$osprof" convert --plugin ./tally.so c.tally -o - 2>why | grep -q "write batch"
result "the plug-in leaves other formats alone"
gzip -c a.tally >z.tally.gz
says "disk/write" "$osprof" show --plugin ./tally.so z.tally.gz
result "compressed"

# --- the program that is profiled gets its feedback
"$counter" - >received &
pid=$!
running=$pid
until grep -q ready received; do sleep 0.01; done
# Few calls may have been delayed by a stall of the machine, which is no alarm: count more.
for calls in $(seq 4 12); do
	"$osprof" send "pid:$pid" "batch 8" >why 2>&1
	for _ in $(seq 6000); do [ "$(grep -c received received)" -eq $((calls - 3)) ] && break; sleep 0.01; done
done
printf 'osprof 1\nunit ns\nop batch 8\n4 12\n' >usual.osprof
"$osprof" rank --min-effect 0.1 --small-sample-penalty 0 --handler ./feedback.so usual.osprof "pid:$pid" >why 2>&1
for _ in $(seq 6000); do grep -q alarm received && break; sleep 0.01; done
grep -q "received alarm batch 8 32.00" received || { cat received >>why; false; }
result "feedback reaches the program"
says "not a run that receives messages" "$osprof" rank --handler ./feedback.so before.osprof after.osprof
result "no feedback to a file"

# --- those that fail
# All at once: each is started again once, after a second.
pids=
for kind in CRASH EXIT LEAK FLOOD FORK LEAVE_GROUP CRASH_AT_LOAD REFUSE NO_TABLE NO_NAME; do
	bad $kind || exit 1
	BUDGET_LOG=$kind.log timeout 60 "$osprof" rank --handler "./$kind.so" --handler ./budget.so \
		before.osprof after.osprof >$kind.why 2>&1 &
	pids="$pids $kind:$!"
done
# fails KIND TEXT: told so, while the result and the next handler are not harmed.
fails() {
	local pid=${pids#* "$1":}
	wait "${pid%% *}" && cp "$1.why" why && grep -q "plugin-failed" why && grep -q -- "$2" why &&
		grep -q "write batch" why && [ "$(cat "$1.log")" = "1 write_batch 8" ]
}
fails CRASH "crashed (signal 11) while it had an event: alarm"
result "one that crashes is told, the result and the next handler are not harmed"
fails EXIT "ended (status 0) while it had an event: alarm"
result "one that ends its process"
fails LEAK "while it had an event: alarm"
result "one that takes all memory"
fails FLOOD "malformed answer"
result "one that floods"
fails FORK "crashed (signal 11) while it had an event: alarm"
result "one whose child goes on"
fails LEAVE_GROUP "malformed answer"
result "one that leaves its group of processes"
for case in "CRASH_AT_LOAD crashed" "REFUSE its enter() failed" "NO_TABLE does not want" "NO_NAME no name"; do
	fails "${case%% *}" "${case#* }"
	result "a handler that is not loaded: ${case#* }"
done
for kind in PRINT LONG; do bad $kind || exit 1; done
"$osprof" rank --handler ./PRINT.so before.osprof after.osprof >why 2>&1 && ! grep -q "plugin-failed\|done" why
result "what one prints goes nowhere"
says "sends to pid:1, which is not a run that receives messages" "$osprof" rank --handler ./LONG.so before.osprof after.osprof
result "no message to a stranger"
printf 'bad\n' >bad.txt
for case in "NO_TABLE does not want" "NO_NAME no name" "READER_SILENT gave up without saying why" \
	"READER_MIXED mixes" "READER_BUCKETS bucket-order" "READER_NUL NUL byte" "READER_OUTSIDE not here"; do
	bad "${case%% *}" || exit 1
	refused "${case#* }" "$osprof" show --plugin "./${case%% *}.so" bad.txt
	result "a reader: ${case#* }"
done
bad READER_HISTOGRAMS || exit 1
"$osprof" convert --plugin ./READER_HISTOGRAMS.so bad.txt -o - >why 2>&1 &&
	[ "$(grep -E '^(total|count|[0-9]+ )' why | tr '\n' ' ')" = "count 7 total 27 1 5 2 2 " ]
result "a reader of histograms"

# --- in osprof watch: the change in step.csv is an alarm
if "$osprof" watch --for 0.1s "cmd:sleep 10" >/dev/null 2>&1; then
	watch() { "$osprof" watch --every 1s --lateness 0s "$@" - <"$source/testdata/watch/step.csv" >why 2>&1; }
	rm -f budget.log
	watch --handler ./budget.so && grep -qx "1 read 2[.]0[0-9]" budget.log && grep -q "budget.so: 1 read 2[.]0[0-9]" why
	result "watch: a handler is given the alarm and the end"
	watch --handler ./CRASH.so --handler ./budget.so && grep -q "crashed (signal 11)" why &&
		tail -n 1 budget.log | grep -qx "1 read 2[.]0[0-9]" && grep -q "150 intervals, 1 alarm" why
	result "watch: one that crashes harms nobody"
	# Its header stands before what comes later, too, and its lines are events.
	(cat a.tally; sleep 1.2; printf 'read 700\nread 700\n') | "$osprof" watch --every 0.5s --keep kept \
		--plugin ./tally.so - >why 2>&1 && "$osprof" merge kept -o - >>why 2>&1 &&
		grep -q '^count 4' why && grep -q "6 lines, 0 not read" why
	result "watch: lines in the format of a plug-in"
	refused "input-unreadable" "$osprof" watch --handler ./none.so -
	result "watch: no such handler"
	"$counter" - >received &
	pid=$!
	running="$running $pid"
	until grep -q ready received; do sleep 0.01; done
	"$osprof" watch --every 1s --for 1.5s --handler ./LONG.so "pid:$pid" >why 2>&1 && ! grep -q "plugin-failed" why
	result "watch: a handler of a process"
	kill "$pid"
	# Who holds the lock of its own region has each message to it wait for a second.
	"$counter" region >received &
	pid=$!
	running="$running $pid"
	until grep -q ready received; do sleep 0.01; done
	bad MANY || exit 1
	python3 -c 'import fcntl, sys, time
f = open("region", "r+b"); fcntl.lockf(f, fcntl.LOCK_EX); print("locked", flush=True); time.sleep(600)' >locker &
	locker=$!
	running="$running $locker"
	until grep -q locked locker; do sleep 0.01; done
	SECONDS=0
	(echo op,latency_ns; for _ in $(seq 30); do echo read,1500; sleep 0.1; done) |
		MANY_TO=region:region "$osprof" watch --every 0.5s --handler ./MANY.so - region:region \
			--for 3s >why 2>&1
	grep -q "another sender does not give it free" why && grep -q "was not sent" why &&
		[ "$SECONDS" -le 30 ]
	result "watch: messages that are not taken hold up nobody"
	kill "$pid" "$locker"
fi

# --- tables of other 1.x: what a plug-in's table does not have is not looked at, what is
# after ours is left alone
for kind in OLDER NEWER; do
	bad $kind || exit 1
	"$osprof" rank --handler ./$kind.so before.osprof after.osprof >why 2>&1 && ! grep -q "plugin-failed" why
	result "a handler with a table of another size: $kind"
	"$osprof" convert --plugin ./$kind.so bad.txt -o - >why 2>&1 && grep -q "^total 27" why
	result "a reader with a table of another size: $kind"
done

# --- what is not loaded
"${cc[@]}" -shared -fPIC -o major.so "$source/tests/plugin/major.c" || exit 1
refused "another major version" "$osprof" show --plugin ./major.so a.tally
result "another major version"
echo "int nothing;" | "${cc[@]}" -shared -fPIC -o nothing.so -xc - || exit 1
refused "no osprof_plugin_1" "$osprof" show --plugin ./nothing.so a.tally
result "a library that is no plug-in"
refused "plugin-bad" "$osprof" show --plugin ./a.tally a.tally
result "no library at all"
refused "a path needs a slash" "$osprof" show --plugin tally a.tally
result "a name without a slash is looked up in the folder of plug-ins only"
refused "input-unreadable" "$osprof" rank --handler ./none.so before.osprof after.osprof
result "no such handler"
for mode in 666 664; do
	cp tally.so open.so && chmod $mode open.so
	refused "open.so: others may write to it" "$osprof" show --plugin ./open.so a.tally
	result "mode $mode"
	refused "untrusted" "$osprof" rank --handler ./open.so before.osprof after.osprof
	result "mode $mode, a handler"
done
mkdir -p folder/inner && cp tally.so folder/inner/ && chmod 777 folder/inner
refused "untrusted" "$osprof" show --plugin folder/inner/tally.so a.tally
result "a folder that others may write to"
chmod 1777 folder/inner
refused "untrusted" "$osprof" show --plugin folder/inner/tally.so a.tally
result "nor a sticky one"
chmod 755 folder/inner && chmod 777 folder
refused "untrusted" "$osprof" show --plugin folder/inner/tally.so a.tally
result "nor a folder above it"
chmod 755 folder && ln -s folder/inner/tally.so link.so && chmod 777 folder/inner
refused "untrusted" "$osprof" show --plugin ./link.so a.tally
result "nor by a link"
if [ "$(id -u)" -eq 0 ]; then
	cp tally.so theirs.so && chown 1 theirs.so
	refused "belongs to another user" "$osprof" show --plugin ./theirs.so a.tally
	result "another user's"
fi
echo "1..$n"
exit $failed
