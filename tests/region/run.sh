#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Reads the counters of programs that run, and sends them messages.
#
#	run.sh OSPROF COUNTER RECORDER
#
# COUNTER is tests/region/counter.c, RECORDER "yes" where `osprof record` can be. Prints TAP.
set -u
osprof=$(realpath "$1") counter=$(realpath "$2") recorder=$3
scratch=$(mktemp -d)
running=
# shellcheck disable=SC2086 # one word a process
trap '[ -z "$running" ] || kill $running 2>/dev/null; rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
cd "$scratch" || exit 1
unset LD_PRELOAD OSPROF_RECORD
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

# begin FILE: starts the counter with this argument, and waits until it is ready.
begin() {
	: >replies
	"$counter" "$1" >replies &
	pid=$!
	running="$running $pid"
	until grep -q ready replies; do sleep 0.01; done
}

# until_reply TEXT: waits until the counter printed it, 10 s at most.
until_reply() {
	for _ in $(seq 1000); do
		grep -q "$1" replies && return 0
		sleep 0.01
	done
	cp replies why
	return 1
}

# refused STATUS-TEXT COMMAND...: status 2, and this text in the message.
refused() {
	local text=$1
	shift
	"$@" >why 2>&1
	[ $? -eq 2 ] && grep -q -- "$text" why
}

# holds FILE OP CALLS: the profile has so many calls of 1000 ns: bucket 9, and the total.
holds() {
	awk -v op="$2" -v calls="$3" '
		$1 == "op" { here = substr($0, 4) == op }
		here && $1 == "total" { total = $2 }
		here && $1 == 9 { count = $2 }
		END { exit !(count == calls && total == 1000 * calls) }' "$1"
}

for kind in memory file; do
	begin "$([ $kind = memory ] && echo - || echo "$scratch/region")"
	source=pid:$pid
	[ $kind = memory ] || source=region:$scratch/region
	"$osprof" convert "$source" -o "$kind.osprof" >why 2>&1 && holds "$kind.osprof" "batch 8" 3
	result "$kind: what was counted so far"
	"$osprof" send "$source" "batch 4" >why 2>&1 && until_reply "received batch 4, missed 0"
	result "$kind: a message arrives"
	"$osprof" convert "pid:$pid" -o - >again 2>why && holds again "batch 8" 3 && holds again "batch 4" 1
	result "$kind: what the message made it do is counted"
	"$osprof" show "$source" >why 2>&1 && grep -q "batch 4" why
	result "$kind: shown"
	"$osprof" rank "$kind.osprof" "$source" >why 2>&1 && grep -q "batch 4" why
	result "$kind: ranked against what it was before"
	refused "at most 240 bytes" "$osprof" send "$source" "$(printf '%0241d' 0)"
	result "$kind: a message that is too long"
	"$osprof" send "$source" "$([ $kind = memory ] && echo die || echo end)" >why 2>&1 && wait "$pid"
	result "$kind: it ends"
done

"$osprof" convert region:region -o ended.osprof >why 2>&1 && [ ! -s why ] && holds ended.osprof "batch 8" 3
result "what it left when it had ended its profile"
refused "has ended its profile" "$osprof" send region:region again
result "no message to an ended profile"
refused "no such process" "$osprof" show "pid:$pid"
result "no such process"

begin "$scratch/dead"
kill -9 "$pid" && { wait "$pid" 2>/dev/null; true; }
"$osprof" convert region:dead -o dead.osprof >why 2>&1 && grep -q region-abandoned why && holds dead.osprof "batch 8" 3
result "what a killed program left, and that it is gone"

begin -
ln -s "/proc/$pid/fd" there
fd=$(for f in there/*; do readlink "$f" | grep -q memfd && echo "$f"; done)
"$osprof" convert "region:$fd" -o link.osprof >why 2>&1 && holds link.osprof "batch 8" 3
result "by the descriptor"
kill "$pid"

refused "not recorded" "$osprof" show pid:$$
result "a process that is not profiled"
refused "expected pid:NUMBER" "$osprof" show pid:1x
result "no number"
refused "region-bad" "$osprof" show region:nothing
result "no file"
echo "osprof 1" >text
chmod 644 text
refused "no counters of osprof" "$osprof" show region:text
result "another file"
mkfifo fifo
chmod 600 fifo
refused "" timeout 60 "$osprof" show region:fifo
result "a pipe does not hold it up"

for damage in "EBADMSG 16 damaged" "EPROTONOSUPPORT 8 version"; do
	# shellcheck disable=SC2086 # three words
	set -- $damage
	cp dead damaged
	printf '\377' | dd of=damaged bs=1 seek="$2" conv=notrunc 2>/dev/null
	refused "$3" "$osprof" show region:damaged
	result "damaged: $3"
done
head -c 20000 dead >short
chmod 600 short
refused "cut off" "$osprof" show region:short
result "cut off"

chmod 666 dead
refused "others may write to it" "$osprof" show region:dead
result "a file that others may write to"
chmod 600 dead
mkdir open && chmod 777 open && cp dead open/dead
refused "untrusted" "$osprof" show region:open/dead
result "a folder that others may write to"
chmod +t open && "$osprof" show region:open/dead >why 2>&1
result "a sticky folder is allowed"

if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
	other() { LD_LIBRARY_PATH=$PWD setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
	chmod 644 dead
	# Copies, since others may not be able to look into the build folder.
	cp "$osprof" ./program && cp "$(dirname "$osprof")"/libosprof-*.so . && chmod 755 program ./*.so
	if [ "$(stat -c %u dead)" -eq 0 ]; then
		other ./program show region:dead >why 2>&1
		result "what belongs to root is read by others, where it lets them"
		chown 1 dead
		refused "belongs to another user" other ./program show region:dead
		result "another user's file"
		./program show region:dead >why 2>&1
		result "root reads it"
	fi
	begin -
	refused "only its user and root" other ./program show "pid:$pid"
	result "another user's process"
	refused "only its user and root" other ./program send "pid:$pid" hello
	result "no message from another user"
	kill "$pid"
fi

if [ "$recorder" = yes ]; then
	"$osprof" record -q -o recorded.osprof --force -- sh -c 'cat /dev/null; read x <fifo; cat /dev/null' >why 2>&1 &
	recording=$!
	running="$running $recording"
	child=
	until [ -n "$child" ]; do child=$(cat /proc/$recording/task/$recording/children 2>/dev/null); done
	until "$osprof" convert "pid:$recording" -o - 2>/dev/null | tee live | grep -q "^op read"; do sleep 0.02; done
	# shellcheck disable=SC2086 # blanks around it
	until "$osprof" convert pid:$(echo $child) -o - >live-child 2>why; do sleep 0.02; done
	grep -q '^op ' live && [ "$(grep '^op ' live)" = "$(grep '^op ' live-child)" ]
	result "a recording, by the recorder and by the program, while it runs"
	echo >fifo
	wait $recording && grep -q '^op ' recorded.osprof
	result "the recording ends as if nobody had looked"
fi
echo "1..$n"
exit $failed
