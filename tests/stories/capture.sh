#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Captures the stories of testdata/stories: pairs of runs of which is known what differs.
#
#     capture.sh OSPROF FOLDER [STORY...]
#
# OSPROF is the program, by an absolute path. Makes FOLDER/STORY anew, or FOLDER/STORY.tar.xz
# where there is such an archive; all or those named. Needs root, two processors, bpftrace, strace,
# fio, hey, wrk, ab, hyperfine, sysbench, h2load, redis, perf, sqlite3, git, tar, tracefs mounted at
# /sys/kernel/tracing, and 300 MB of disk under TMPDIR (/var/tmp: no tmpfs, since sqlite3 and fio
# want a disk).
set -eu

here=$(cd "$(dirname "$0")" && pwd)
PORT=7391
loops=

# shellcheck source=collect/bpftrace.sh
. "$here/../../collect/bpftrace.sh"

# --- what stories are made of -----------------------------------------------

# server MICROSECONDS SPREAD COMMAND...: runs the command beside a server that pauses so long.
with_server() {
    "$scratch/server" $PORT "$1" "$2" &
    local pid=$! status=0
    shift 2
    sleep 0.2
    "$@" || status=$?
    kill $pid
    wait $pid 2>/dev/null || true
    return $status
}

busy() {
    local i
    for ((i = 0; i < $1; i++)); do
        sh -c 'while :; do :; done' &
        loops+=" $!"
    done
    sleep 0.2
}

quiet() {
    # shellcheck disable=SC2086 # one word a process
    [ -z "$loops" ] || kill $loops
    # shellcheck disable=SC2086
    [ -z "$loops" ] || wait $loops 2>/dev/null || true
    loops=
}

recorded() {
    local out=$1
    shift
    "$osprof" record -q -o "$story/$out" -- "$@" >/dev/null
}

# turns N BEFORE AFTER: both commands in turn, N times each.
turns() {
    "$osprof" record -q --repeat "$1" --interleave "$story/after" -o "$story/before" -- \
        $2 -- $3 >/dev/null
}

# --- benchmarks that last for a time ----------------------------------------

fio_reads() {
    fio --filename="$scratch/fio.data" --size=64M --direct=1 --rw=randread --bs=4k \
        --ioengine=psync "$@" >/dev/null
}

# The disk is shared with somebody else, who reads 3,000 times a second.
beside_reads() {
    local pid
    fio --name=other --filename="$scratch/fio.other" --size=64M --direct=1 --rw=randread \
        --bs=64k --rate_iops=3000 --ioengine=psync --time_based --runtime=60 >/dev/null &
    pid=$!
    sleep 1
    "$@"
    kill $pid
    wait $pid 2>/dev/null || true
}

fio_runs() {
    local format=$1 n
    shift
    for n in 1 2 3; do
        fio_reads --name=db "$@" --output-format="$format" --output="$story/before/$n.json"
        beside_reads fio_reads --name=db "$@" --output-format="$format" \
            --output="$story/after/$n.json"
    done
    # Where it stood has no part in what it measured.
    sed -i "s|$scratch/||" "$story"/*/*.json
}

story_fio_timed() { fio_runs json --time_based --runtime=2; }
story_fio_timed_plus() { fio_runs json+ --time_based --runtime=1; }
story_fio_fixed() { fio_runs json --io_size=40M; }

# As many requests a second on both sides: calls are no measure of speed, either.
story_fio_rate() { fio_runs json --time_based --runtime=2 --rate_iops=2000; }

story_fio_renamed() {
    fio_reads --name=reads --bs=16k --number_ios=2000 --output-format=json+ \
        --output="$story/before.json"
    fio_reads --name=randread --bs=256k --io_size=500M --number_ios=2000 \
        --output-format=json+ --output="$story/after.json"
    sed -i "s|$scratch/||" "$story"/*.json
}

URL=http://127.0.0.1:$PORT/

# both_servers N SUFFIX PAUSE SPREAD COMMAND...: five runs each; the slow server needs 2.9
# times as long.
both_servers() {
    local n runs=$1 suffix=$2 pause=$3 spread=$4
    shift 4
    for ((n = 1; n <= runs; n++)); do
        with_server "$pause" "$spread" "$@" >"$story/before/$n.$suffix"
        with_server $((pause * 29 / 10)) $((spread * 29 / 10)) "$@" >"$story/after/$n.$suffix"
    done
}

story_hey_timed() { both_servers 5 txt 1500 1500 hey -z 2s -c 4 $URL; }
story_hey_timed_csv() { both_servers 5 csv 10000 3000 hey -z 2s -c 4 -o csv $URL; }
story_hey_fixed() { both_servers 5 txt 1500 1500 hey -n 1000 -c 4 $URL; }
story_wrk() { both_servers 3 txt 1500 1500 wrk -d 2s -c 4 -t 1 --latency $URL; }

story_h2load() {
    local n
    for n in 1 2 3; do
        with_server 10000 3000 h2load --h1 -D 2 -c 4 --log-file="$story/before/$n.txt" \
            $URL >/dev/null
        with_server 29000 8700 h2load --h1 -D 2 -c 4 --log-file="$story/after/$n.txt" \
            $URL >/dev/null
    done
}

# The server is the same.
story_hey_same() {
    local n
    for n in 1 2 3 4 5; do
        with_server 1500 1500 hey -z 2s -c 4 $URL >"$story/before/$n.txt"
        with_server 1500 1500 hey -z 2s -c 4 $URL >"$story/after/$n.txt"
    done
}

ab_runs() {
    local n
    for n in 1 2 3; do
        with_server 10000 3000 ab -k -q -c 4 -g "$story/before/$n.tsv" "$@" $URL >/dev/null
        with_server 29000 8700 ab -k -q -c 4 -g "$story/after/$n.tsv" "$@" $URL >/dev/null
    done
}

story_ab_timed() { ab_runs -t 2; }
story_ab_fixed() { ab_runs -n 400; }

# All requests take less than a millisecond, or about one: what ab -g prints is 0 or 1.
story_ab_ticks() {
    local n
    mkdir "$story/same"
    for n in 1 2 3; do
        with_server 0 0 ab -k -q -n 500 -c 1 -g "$story/before/$n.tsv" $URL >/dev/null
        with_server 900 0 ab -k -q -n 500 -c 1 -g "$story/after/$n.tsv" $URL >/dev/null
        with_server 0 0 ab -k -q -n 500 -c 1 -g "$story/same/$n.tsv" $URL >/dev/null
    done
}

story_sysbench() {
    local n
    for n in 1 2 3; do
        sysbench --histogram=on --threads=1 --time=1 --cpu-max-prime=8000 cpu run \
            >"$story/before/$n.txt"
        sysbench --histogram=on --threads=1 --time=1 --cpu-max-prime=12000 cpu run \
            >"$story/after/$n.txt"
    done
}

# A program of our own that works for a second: its reads get slower, so that it makes
# fewer calls of every kind.
story_time_boxed() { turns 5 'work mixed 300 64' 'work mixed 300 131072'; }

# --- effects on the whole run -----------------------------------------------

MANY='getppid getuid umask uname fcntl lseek read write dup ioctl close readv getrandom
    pread64 pwrite64 newfstatat openat poll sendto recvfrom mmap munmap getdents64
    fdatasync'

# many OUT: the program of many calls. Every call takes longer beside another bpftrace
# that looks at each, too.
many() {
    local program
    # shellcheck disable=SC2086
    program=$(profile work set_robust_list $MANY)
    cat >"$scratch/probe.bt" <<'BT'
tracepoint:raw_syscalls:sys_enter
/comm == "work"/
{
    @calls[args->id] = count();
    @times[args->id] = hist(nsecs);
    @last[args->id] = nsecs;
}
BT
    printf '%s\n' '#!/bin/sh' "${2:-:} &" 'pid=$!' 'sleep 3' "cd $scratch" \
        './work many 1500' 'kill $pid 2>/dev/null; wait' >"$scratch/run"
    capture "$program" "$1" /bin/sh "$scratch/run"
}

story_call_cost_probes() {
    local n suffix
    for n in 1 2 3; do
        suffix=json
        ((n % 2)) || suffix=txt
        many "$story/before/$n.$suffix"
        many "$story/after/$n.$suffix" "bpftrace $scratch/probe.bt >/dev/null"
    done
}

# A filter that the kernel asks about each call.
story_call_cost_filter() { turns 5 'work many 1500' 'work many 1500 900'; }

# The same, and one operation is slower besides.
story_call_cost_and_pread() {
    turns 5 'work mixed-pread 1500 16384' 'work mixed-pread 1500 131072 900'
}

# Somebody else works on the other processor, which shares caches and more.
story_busy_neighbour() {
    local n
    for n in 1 2 3 4 5; do
        recorded before/$n.osprof taskset -c 0 work many 1500
        busy 2
        recorded after/$n.osprof taskset -c 0 work many 1500
        quiet
    done
}

story_slower_phase() {
    local n
    busy 2
    for n in 1 2 3 4 5; do
        recorded before/$n.osprof work many 1500
    done
    quiet
    for n in 1 2 3 4 5; do
        recorded after/$n.osprof work many 1500
    done
}

# --- single operations ------------------------------------------------------

story_new_flush() { turns 5 'work journal 12000' 'work journal 12000 sync'; }
story_idle() { turns 5 'work idle 4096 20000 1000' 'work idle 20480 20000 1000'; }
story_batched_writes() { turns 5 'work write 4096 33554432' 'work write 65536 33554432'; }
story_twice_the_work() { turns 5 'work many 1000' 'work many 2000'; }
story_two_pages() { turns 5 'work pread 4096 20000' 'work pread 8192 20000'; }
pages() { turns 5 'work pread 4096 20000' "work pread $1 20000"; }
beside_loops() {
    busy 2
    "$@"
    quiet
}
story_pages_1() { pages 8192; }
story_pages_2() { pages 8192; }
story_pages_3() { pages 8192; }
story_pages_same() { pages 4096; }
story_pages_busy_1() { beside_loops pages 8192; }
story_pages_busy_2() { beside_loops pages 8192; }
story_pages_busy_3() { beside_loops pages 8192; }
story_pages_busy_same() { beside_loops pages 4096; }
story_new_peak() { turns 3 'work pread 4096 4000' 'work pread 4096 4000 5 131072'; }
story_deeper_paths() { turns 3 'work open 5000 1' 'work open 5000 40'; }
story_rare_locks() { turns 3 'work locks 1000 0 0' 'work locks 1000 7 170'; }

read_hist() {
    echo "${1#"$folder"/}" >&2
    bpftrace -e 'tracepoint:syscalls:sys_enter_read /comm == "work"/ { @start[tid] = nsecs; }
        tracepoint:syscalls:sys_exit_read /@start[tid]/ {
            @read = hist(nsecs - @start[tid]); delete(@start[tid]); }
        END { clear(@start); }' -c "$scratch/work read $2 16900" >"$1" 2>/dev/null
}

story_hist_only() {
    read_hist "$story/before.txt" 65536
    read_hist "$story/after.txt" 131072
    read_hist "$story/again.txt" 65536
}

# As many calls as strace counted, and their totals: nothing else.
sqlite_script() {
    echo "PRAGMA synchronous = $1;"
    awk 'BEGIN { srand(7); for (i = 0; i < 150; i++) {
        print "BEGIN;"
        for (k = 0; k < 3; k++)
            print "UPDATE item SET content = randomblob(400) WHERE id = " int(1 + 8000 * rand()) ";"
        print "COMMIT;" } }'
}

sqlite_setup() {
    rm -f "$scratch/work.db"
    sqlite3 "$scratch/work.db" <<'SQL'
CREATE TABLE item(id INTEGER PRIMARY KEY, content BLOB);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8000)
INSERT INTO item SELECT i, zeroblob(300 + i % 600) FROM n;
SQL
    sqlite_script FULL >"$scratch/full.sql"
    sqlite_script OFF >"$scratch/off.sql"
    printf '#!/bin/sh\nexec sqlite3 -batch %s/work.db <%s/$1.sql\n' "$scratch" "$scratch" \
        >"$scratch/sql"
    chmod +x "$scratch/sql"
}

strace_summary() {
    sqlite_setup
    strace -f -c "$@" -o "$story/full.txt" "$scratch/sql" full
    strace -f -c "$@" -o "$story/off.txt" "$scratch/sql" off
}

story_strace_summary() { strace_summary -w; }

# Processor time instead of the time of day, which is what strace counts by default.
story_strace_summary_cpu() { strace_summary; }

story_sqlite_sync() {
    sqlite_setup
    turns 3 'sql off' 'sql full'
}

# Two collectors name the same call differently.
story_renamed_pread() {
    local program renamed
    # shellcheck disable=SC2086
    program=$(profile work set_robust_list $MANY)
    renamed=${program//\"pread64\"/\"pread\"}
    capture "$program" "$story/before.txt" "$scratch/work" mixed-pread 1500 16384
    capture "$renamed" "$story/after.txt" "$scratch/work" mixed-pread 1500 16384
    capture "$renamed" "$story/slower.txt" "$scratch/work" mixed-pread 1500 131072
}

story_hyperfine() {
    hyperfine -N --export-json "$story/before.json" 'sleep 0.1' >/dev/null 2>&1
    hyperfine -N --export-json "$story/after.json" 'sleep 0.12' >/dev/null 2>&1
    hyperfine -N --export-json "$story/slow.json" 'sleep 0.25' >/dev/null 2>&1
}

# Every command gets half a processor.
story_half_the_processor() {
    local i commands=() pid
    for i in 4 5 6 7 8 9 10 12; do
        commands+=("work spin $i")
    done
    hyperfine -N -r 10 --export-json "$story/before.json" "${commands[@]/#/taskset -c 1 }" \
        >/dev/null 2>&1
    taskset -c 1 sh -c 'while :; do :; done' &
    pid=$!
    hyperfine -N -r 10 --export-json "$story/after.json" "${commands[@]/#/taskset -c 1 }" \
        >/dev/null 2>&1
    kill $pid
    wait $pid 2>/dev/null || true
}

story_grep_cold() {
    local n
    for n in 1 2 3; do
        grep -rs ABSENT /usr/include/linux >/dev/null || true
        recorded before/$n.osprof grep -rs ABSENT /usr/include/linux || true
        # Names and inodes are forgotten, contents too.
        sync
        echo 3 >/proc/sys/vm/drop_caches
        recorded after/$n.osprof grep -rs ABSENT /usr/include/linux || true
    done
}

# --- waiting ----------------------------------------------------------------

# traced N TOOL... -- ARGUMENT1 ARGUMENT2: waits with each, in turn, N times, below the tool.
traced() {
    local n runs=$1 tool=()
    shift
    while [ "$1" != -- ]; do
        tool+=("$1")
        shift
    done
    for ((n = 1; n <= runs; n++)); do
        # shellcheck disable=SC2086 # a word an argument
        "${tool[@]}" -o "$story/before/$n.txt" waits $2 >/dev/null
        # shellcheck disable=SC2086
        "${tool[@]}" -o "$story/after/$n.txt" waits $3 >/dev/null
    done
}

story_shared_semaphore() { turns 5 'waits sem own 150' 'waits sem shared 150'; }
story_shared_mutex() { traced 3 perf trace -- 'mutex own 60' 'mutex shared 60'; }
story_shared_file() { traced 3 strace -f -ttt -T -- 'flock own 60' 'flock shared 60'; }
story_shared_file_untimed() { traced 3 strace -f -c -w -- 'flock own 60' 'flock shared 60'; }
story_added_sleep() { turns 5 'waits sleep 0 100' 'waits sleep 3000 100'; }
story_slower_child() { turns 5 'waits child 0 2000' 'waits child 300 2000'; }
story_slower_input() { turns 5 'waits input 500 200' 'waits input 600000 200'; }

# 600 elements of a list instead of 30, as the server itself measured them.
story_redis_lrange() {
    local n
    redis-server --port $PORT --save '' >/dev/null &
    sleep 0.5
    redis-cli -p $PORT eval 'for i = 1, 600 do redis.call("rpush", "list", i) end' 0 >/dev/null
    for n in 1 2 3; do
        lrange 29 "$story/before/$n.txt"
        lrange 599 "$story/after/$n.txt"
    done
    redis-cli -p $PORT shutdown nosave
    wait
}

lrange() {
    redis-cli -p $PORT config resetstat >/dev/null
    redis-benchmark -p $PORT -n 3000 -c 5 -q lrange list 0 "$1" >/dev/null
    redis-cli -p $PORT latency histogram >"$2"
}

# --- nothing differs --------------------------------------------------------

program_grep() { recorded "$1" grep -rs ABSENT /usr/include/linux || true; }
program_git() { recorded "$1" git -C "$scratch/repository" --no-pager log --stat; }
program_sqlite3() { recorded "$1" sql full; }
program_tar() { recorded "$1" tar -cf "$scratch/archive.tar" -C / usr/include/linux; }

unchanged() {
    local program n
    sqlite_setup
    if [ ! -d "$scratch/repository" ]; then
        git clone -q --no-local "$here/../.." "$scratch/repository"
    fi
    for program in grep git sqlite3 tar; do
        mkdir -p "$story/$program"
        "program_$program" warm.osprof
        rm "$story/warm.osprof"
        for n in 1 2; do
            "program_$program" "$program/before.$n.osprof"
            "program_$program" "$program/after.$n.osprof"
        done
    done
    rmdir "$story/before" "$story/after"
}

story_unchanged_quiet() { unchanged; }

story_unchanged_busy() {
    busy 2
    unchanged
    quiet
}

story_unchanged_crowded() {
    busy 4
    unchanged
    quiet
}

# --- main -------------------------------------------------------------------

[ $# -ge 2 ] || {
    sed -n 's/^#     capture.sh/usage: capture.sh/p' "$0" >&2
    exit 2
}
osprof=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
shift 2
[ $# -gt 0 ] || mapfile -t all < <(declare -F | sed -n 's/^declare -f story_//p' | tr _ -)
[ $# -gt 0 ] || set -- "${all[@]}"

scratch=$(mktemp -d "${TMPDIR:-/var/tmp}/stories.XXXXXX")
trap 'quiet; rm -rf "$scratch"' EXIT
cc -O1 -o "$scratch/work" "$here/work.c" -pthread
cc -O1 -o "$scratch/waits" "$here/waits.c" -pthread
cc -O1 -o "$scratch/server" "$here/server.c" -pthread
PATH=$scratch:$PATH:/usr/sbin
cd "$scratch"
# Files that programs read are there before any run.
for warm in 'many 10' 'mixed-pread 10 4096' 'pread 4096 10' 'journal 10' 'write 65536 8388608' 'open 10 1' 'open 10 40'; do
    # shellcheck disable=SC2086
    work $warm
done

for name; do
    story=$folder/$name
    rm -rf "$story"
    mkdir -p "$story/before" "$story/after"
    echo "$name" >&2
    "story_${name//-/_}"
    rmdir --ignore-fail-on-non-empty "$story"/before "$story"/after 2>/dev/null || true
    if [ -e "$story.tar.xz" ]; then # it is kept as an archive
        (cd "$folder" && find "$name" -type f | LC_ALL=C sort |
            tar --format=ustar --owner=0 --group=0 -T - -cJf "$name.tar.xz")
        rm -r "$story"
    fi
done
