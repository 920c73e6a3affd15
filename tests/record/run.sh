#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Records tests/record/subject.c in all its modes, and holds what it does to what it does
# unrecorded, and the profile to the calls it made.
#
#	run.sh OSPROF SUBJECT STATIC FUNCTIONS
#
# SUBJECT is the program, STATIC a statically linked one or "-", FUNCTIONS one compiled
# with -finstrument-functions. Prints TAP.
set -u
osprof=$(realpath "$1") subject=$(realpath "$2") static=$3 functions=$(realpath "$4")
[ "$static" = - ] || static=$(realpath "$static")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
cd "$scratch" || exit 1
unset LD_PRELOAD OSPROF_RECORD
ulimit -c 0
n=0 failed=0

# result NAME STATUS: one line of TAP; what was printed is in $scratch/why.
result() {
	n=$((n + 1))
	if [ "$2" -eq 0 ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		sed 's/^/# /' why
		failed=1
	fi
}

# counted FILE OP: how many calls, by the stated count and by the buckets; they must agree.
counted() {
	awk -v wanted="$2" '
		$1 == "op" { in_op = $2 == wanted }
		$1 == "interval" { in_op = 0 }
		in_op && $1 == "count" { count += $2 }
		in_op && ($1 == "zero" || $1 ~ /^[0-9]+$/) { sum += $2 }
		END { print count == sum ? count + 0 : count " but buckets " sum }' "$1"
}

# summed FILE OP: how many calls by the buckets, where no count is stated.
summed() {
	awk -v wanted="$2" '
		$1 == "op" { in_op = $2 == wanted }
		in_op && ($1 == "zero" || $1 ~ /^[0-9]+$/) { sum += $2 }
		END { print sum + 0 }' "$1"
}

# same MODE: the program does the same recorded, call by call, too, status included.
same() {
	local status bare
	"$subject" "$1" >bare 2>&1
	bare=$?
	rm -f out.osprof
	"$osprof" record -q --force --calls=10000 -o calls.osprof -- "$subject" "$1" >recorded 2>&1
	status=$?
	{
		diff bare recorded
		[ "$status" -eq "$bare" ] || echo "--calls: status $status, not $bare"
	} >why 2>&1
	[ ! -s why ] || return
	"$osprof" record -o out.osprof -- "$subject" "$1" >recorded 2>messages
	status=$?
	{
		diff bare recorded
		[ "$status" -eq "$bare" ] || echo "status $status, not $bare"
		cat messages
	} >why 2>&1
	[ "$status" -eq "$bare" ] && cmp -s bare recorded
}

# reads MODE NUMBER [WHAT]: same, this many reads, and no message or one with WHAT.
reads() {
	local got
	same "$1" || { result "$1" 1; return; }
	got=$(counted out.osprof read)
	echo "$got reads, not $2; messages: $(cat messages)" >why
	if [ "$got" = "$2" ] && if [ $# -gt 2 ]; then grep -q "$3" messages; else [ ! -s messages ]; fi &&
		"$osprof" check -q out.osprof >>why 2>&1; then
		result "$1" 0
	else
		result "$1" 1
	fi
}

# Results, errno, variadic calls, programs that are started.
same calls
result 'calls: the same results and errno' $?
{
	[ "$(counted out.osprof pread)" = 1 ] && [ "$(counted out.osprof fcntl)" = 4 ] &&
		[ "$(counted out.osprof mremap)" = 1 ] && [ "$(counted out.osprof fork)" = 3 ] &&
		[ "$(counted out.osprof posix_spawn)" = 2 ] && [ "$(counted out.osprof ioctl)" -ge 1 ] &&
		[ "$(counted out.osprof system)" = 1 ] && [ "$(counted out.osprof popen)" = 1 ]
}
status=$?
grep -A3 '^op' out.osprof >why
result 'calls: counted' $status
# Two programs were given an environment without the recorder; it is told.
cat messages >why
grep -q '2 of 8 programs' messages
result 'calls: programs that are not recorded are told' $?

same interrupted
result 'interrupted calls' $?
same cancelled
result 'cancelled thread' $?

reads threads 80000
reads fork-threads 45000
reads storm 10000
reads close-all 500
reads quick 500
reads exit 500
reads no-files 500
reads killed 500 'Killed; what it did until then is recorded'
reads crashed 500 'Segmentation fault; what it did until then is recorded'
reads no-descriptors 500
reads no-memory 10 '1 of 2 programs'
if [ "$(id -u)" -eq 0 ]; then
	reads chroot 500
fi

# A kill in the middle of anything: what was counted is whole, or said to be cut off.
"$osprof" record -o killed.osprof -- "$subject" killed-threads >why 2>&1
status=$?
calls=$(awk '$1 == "op" { r = $2 == "read" } r && $1 == "count" { print $2 }' killed.osprof)
lost=$(awk '$1 == "lost" { s += $2 } END { print s + 0 }' killed.osprof)
echo "status $status, calls $calls, lost $lost" >>why
[ "$status" -eq 137 ] && [ "${calls:-0}" -ge 1000 ] && [ "$lost" -le 2 ]
result 'threads killed at once' $?

# --- what cannot be recorded -------------------------------------------------------------

# refused WORDS COMMAND...: status 2, these words, no file.
refused() {
	local words=$1 status
	shift
	rm -f out.osprof
	"$osprof" record -o out.osprof -- "$@" >why 2>&1
	status=$?
	[ "$status" -eq 2 ] && grep -q "$words" why && [ ! -e out.osprof ]
	result "refused: $words" $?
}
refused 'is no program in PATH' nowhere-at-all
refused 'Permission denied' "$scratch/why"
if [ "$static" != - ]; then
	refused 'statically linked' "$static"
	printf '#!%s\n' "$static" >script
	chmod +x script
	refused 'statically linked' ./script
fi
if [ "$(id -u)" -eq 0 ]; then
	cp "$subject" other
	chown 65534 other
	chmod 4755 other
	refused 'other rights' ./other exit
fi

# Nothing is run when its profile could not be kept.
"$osprof" record -o nowhere/out.osprof -- touch made >why 2>&1
[ $? -eq 2 ] && [ ! -e made ]
result 'an output that cannot be: nothing is run' $?
"$osprof" record -q --force -o /dev/full -- "$subject" exit >why 2>&1
[ $? -eq 2 ]
result 'a full disk is told' $?

# --- options --------------------------------------------------------------------------------

# What the caller preloads comes after the recorder; nothing stands after it otherwise.
alone=$("$osprof" record -q -o p.osprof -- sh -c 'printf %s "$LD_PRELOAD"' 2>why)
both=$(ASAN_OPTIONS=${ASAN_OPTIONS-}:verify_asan_link_order=0 LD_PRELOAD=libm.so.6 \
	"$osprof" record -q --force -o p.osprof -- sh -c 'printf %s "$LD_PRELOAD"' 2>>why)
echo "LD_PRELOAD=$alone, with another library $both" >>why
[[ $alone == /*.so ]] && [ "$both" = "$alone:libm.so.6" ]
result 'a library that the caller preloads stays' $?

"$osprof" record -o by.osprof --by process -- sh -c "$subject exit; $subject quick" >why 2>&1
[ "$(grep -c '^layer subject ' by.osprof)" -eq 2 ]
result '--by process: a layer each' $?
"$osprof" record -o by.osprof --force --by program -- sh -c "$subject exit; $subject quick" >why 2>&1
cat by.osprof >>why
[ "$(awk '$1 == "layer" { l = $2 } $1 == "op" && $2 == "read" { r = l == "subject" }
	$1 == "op" && $2 != "read" { r = 0 } r && $1 == "count" { print $2 }' by.osprof)" = 1000 ]
result '--by program: the runs of one program together' $?

"$osprof" record -o r.osprof -r 4 --interval 0.02 -- sh -c 'sleep 0.1; sleep 0.1' >why 2>&1
cat r.osprof >>why
grep -q '^buckets log2 4$' r.osprof && [ "$(grep -c '^interval' r.osprof)" -ge 2 ] &&
	"$osprof" check -q r.osprof >>why 2>&1
result '--resolution, --interval' $?
earliest=$(date +%s)
"$osprof" record -o r.osprof --force -- sleep 0.01 >why 2>&1
cat r.osprof >>why
grep -q '^buckets log2 4$' r.osprof &&
	awk -v earliest="$earliest" -v now="$(date +%s)" '$1 == "started" && earliest <= $2 && $2 <= now + 1 { found = 1 }
		END { exit !found }' r.osprof
result 'four buckets an octave, and when it began' $?

"$osprof" record --repeat 3 --interleave b -o a -- "$subject" exit -- "$subject" quick >why 2>&1
[ $? -eq 7 ] && [ "$(ls a b)" = "$(printf 'a:\n1.osprof\n2.osprof\n3.osprof\n\nb:\n1.osprof\n2.osprof\n3.osprof')" ] &&
	[ "$(counted b/2.osprof read)" = 500 ] && [ a/2.osprof -nt b/1.osprof ]
result '--repeat, --interleave: two folders, in turns' $?
"$osprof" record --repeat 2 --duet -o d -- "$subject" exit -- "$subject" quick >why 2>&1
[ $? -eq 7 ] && [ "$(counted d/after/2.osprof read)" = 500 ] && [ "$(ls d/before)" = "$(ls d/after)" ] &&
	[ -n "$(grep '^duet ' d/before/1.osprof)" ] &&
	[ "$(grep '^duet ' d/before/1.osprof)" = "$(grep '^duet ' d/after/1.osprof)" ] &&
	[ "$(grep '^duet ' d/before/1.osprof)" != "$(grep '^duet ' d/after/2.osprof)" ]
result '--duet: two folders of partners' $?
"$osprof" rank -f json d/before d/after >why 2>&1 && grep -q '"duets": true' why && grep -q '"order": "duets"' why
result '--duet: rank compares partners' $?
"$osprof" record --duet -o one -- "$subject" exit >why 2>&1
[ $? -eq 2 ] && [ ! -e one ] && grep -q 'two commands' why
result '--duet: two commands are needed' $?
"$osprof" record --duet -o d -- "$subject" exit -- touch made >why 2>&1
[ $? -eq 2 ] && [ ! -e made ] && grep -q 'not empty' why
result '--duet: a folder with runs is kept' $?
"$osprof" record --duet --repeat 3 -o e -- "$subject" quick -- sh -c 'kill -INT $$' >why 2>&1
[ $? -eq 130 ] && [ "$(ls e/before e/after | grep -c osprof)" = 2 ]
result '--duet: no more pairs after one was interrupted' $?
"$osprof" record --repeat 2 -o a -- touch made >why 2>&1
[ $? -eq 2 ] && [ ! -e made ] && grep -q 'not empty' why
result '--repeat: a folder with runs is kept' $?
"$osprof" record --repeat 3 -o c -- sh -c 'kill -INT $$' >why 2>&1
[ $? -eq 130 ] && [ "$(ls c)" = 1.osprof ]
result '--repeat: no more runs of what was interrupted' $?
for wrong in '--interleave x' '--duet' '--duet --kernel' '--kernel --by thread' '--repeat 0' '--by night'; do
	# shellcheck disable=SC2086 # words
	"$osprof" record -o w.osprof $wrong -- "$subject" exit >why 2>&1
	[ $? -eq 2 ] && [ ! -e w.osprof ]
	result "usage: $wrong" $?
done

# --- functions ---------------------------------------------------------------------------------

"$osprof" record -o f.osprof --functions 'f*,!f_quiet' -- "$functions" >bare 2>why
cat f.osprof >>why
[ "$(counted f.osprof f_static)" = 40 ] && [ "$(counted f.osprof f_outer)" = 20 ] &&
	[ "$(counted f.osprof f_quiet)" = 0 ] && [ "$(counted f.osprof g_other)" = 0 ] &&
	[ "$(counted f.osprof f_left)" = 0 ] && [ "$(counted f.osprof f_deep)" = 150 ] &&
	[ "$(cat bare)" = "$("$functions")" ]
result '--functions: the chosen ones, static ones, too' $?

# What is not its own lies in what it calls; f_deep calls itself only, f_static nothing.
[ "$(awk '$1 == "nest" { upper = $2 }
	$1 == "nested" { below[upper] += $4 }
	$1 == "op" { op = $2 }
	$1 == "total" { total[op] = $2 }
	$1 == "self" { self[op] = $2 }
	$1 == "inclusive" { inclusive[op] = $2 }
	END {
		print total["f_outer"] - self["f_outer"] - below["\"function\"/\"f_outer\""],
			total["f_deep"] - self["f_deep"] - below["\"function\"/\"f_deep\""],
			inclusive["f_deep"] - self["f_deep"], total["f_static"] - self["f_static"]
	}' f.osprof)" = '0 0 0 0' ] &&
	grep -A1 '^nest .*f_outer" > .*f_static"' f.osprof | grep -q '^nested 20 40 ' &&
	grep -A1 '^nest .*f_deep" > .*f_deep"' f.osprof | grep -q '^nested 149 149 '
result '--functions: self times, and what calls what' $?

# --- in the kernel ------------------------------------------------------------------------------

if [ "$(id -u)" -eq 0 ] && bpftrace -e 'tracepoint:raw_syscalls:sys_enter { exit(); }' >/dev/null 2>&1; then
	"$osprof" record -q --kernel -o k.osprof -- "$subject" quick >why 2>&1
	status=$?
	cat k.osprof >>why
	# Those of the program, and a few of its loader.
	reads=$(summed k.osprof read)
	[ "$status" -eq 7 ] && [ "$reads" -ge 500 ] && [ "$reads" -le 520 ] &&
		[ "$(summed k.osprof clock_nanosleep)" = 0 ] && "$osprof" check -q k.osprof >>why
	result '--kernel: the system calls of the command' $?
	"$osprof" record -q --kernel -o k2.osprof -- nowhere-at-all >why 2>&1
	[ $? -eq 2 ] && [ ! -e k2.osprof ] && grep -q 'No such file' why
	result '--kernel: nothing to run' $?
else
	for what in 'the system calls of the command' 'nothing to run'; do
		n=$((n + 1))
		echo "ok $n - --kernel: $what # SKIP no root or no bpftrace"
	done
fi

# One that loses the first interrupt, as bpftrace does when it is busy.
mkdir deaf
cat >deaf/bpftrace <<'END'
#!/bin/bash
interrupts=0
trap 'interrupts=$((interrupts + 1))' INT
echo ready
until [ $interrupts -eq 2 ] || [ $SECONDS -gt 40 ]; do read -rt 0.05 <> <(:); done
printf '@syscall[0]: \n[256, 512)             3 |@@@@|\n\n@syscall_total[0]: 1000\n'
END
chmod +x deaf/bpftrace
PATH=$PWD/deaf:$PATH timeout -k 1 50 "$osprof" record -q --kernel -o k3.osprof -- "$subject" quick >why 2>&1
[ $? -eq 7 ] && [ "$(summed k3.osprof read)" = 3 ]
result '--kernel: an interrupt that was lost is sent again' $?

# Without bpftrace, it is said how to install it.
mkdir no-tools
for tool in env sh; do ln -s "$(command -v $tool)" no-tools/; done
PATH=$PWD/no-tools "$osprof" record -q --kernel -o k4.osprof -- "$subject" quick >why 2>&1
[ $? -eq 2 ] && [ ! -e k4.osprof ] && grep -q 'bpftrace: no such program; .apt-get install bpftrace. installs it' why
result '--kernel: without bpftrace' $?

# --- demonstrations ------------------------------------------------------------------------------

"$osprof" demo zeroread -o demo >why 2>&1 &&
	[ "$(counted demo/one/3.osprof read)" = 1000000 ] &&
	[ "$(counted demo/two/3.osprof read)" = 2000000 ] &&
	[ "$(grep -c '^\$ osprof' why)" -eq 3 ]
result 'demo zeroread: the reads that were made' $?
"$osprof" demo preempt -o lost >why 2>&1 ||
	grep -q 'does not say how long' why # a kernel that keeps its slice to itself
[ $? -eq 0 ] && [ "$(counted lost/two.osprof read)" = 12000000 ] &&
	grep -q 'calls take .* expected\|does not say how long' why
result 'demo preempt: the reads that were made, and a verdict' $?
"$osprof" demo zeroread -o demo >why 2>&1
[ $? -eq 2 ] && grep -q 'demo exists' why
result 'demo: a folder that exists is kept' $?

echo "1..$n"
exit $failed
