#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Captures real latency profiles of small workloads with bpftrace.
#
#     capture.sh FOLDER [GROUP...]
#
# Rebuilds FOLDER/runs and FOLDER/names: all groups, or those named, out of
# zeroread preempt clone randread grep flusher timeline layers values numbers nightly. Takes
# about nine minutes. Needs root, bpftrace 0.17 or later, a C compiler, tracefs mounted at
# /sys/kernel/tracing, 300 MB of disk under TMPDIR (/var/tmp: no tmpfs, since
# randread and the cold runs want a disk), and an otherwise idle machine. The
# cold runs drop the page cache.
#
# One profile is two maps: @ns, a log2 histogram of latencies in nanoseconds,
# and @total, their exact sum, both keyed by the name of the system call.
# Repetitions alternate between the configurations of a workload, so that a
# drift of the machine falls on all alike; odd ones are JSON, even ones text.
set -eu

REPETITIONS=5
TREE=/usr/include # what grep and listdir go through
ABSENT=oh-no-this-is-nowhere-3f9c1d

grep=$(command -v grep) # by its path: bpftrace wants one match only
tar=$(command -v tar)
here=$(cd "$(dirname "$0")" && pwd)
scratch=

# shellcheck source=collect/bpftrace.sh
. "$here/bpftrace.sh"

# --- bpftrace programs ------------------------------------------------------

# Reads as their caller sees them: from one entry to the next, since between
# two reads zeroread does nothing. A kernel that does not preempt itself
# switches processes on its way back to user space, after sys_exit; a profile
# that ends there cannot show forced preemption.
user_view_of_reads() {
    cat <<BT
tracepoint:syscalls:sys_enter_read
/comm == "wl-zeroread"/
{
    \$now = nsecs;
    if (@previous[tid]) {
        \$ns = \$now - @previous[tid];
        @ns["read"] = hist(\$ns);
        @total["read"] = sum(\$ns);
    }
    @previous[tid] = \$now;
}
tracepoint:syscalls:sys_enter_close
/@previous[tid]/
{
    \$ns = nsecs - @previous[tid];
    @ns["read"] = hist(\$ns);
    @total["read"] = sum(\$ns);
    delete(@previous[tid]);
}
BT
    calls ns total wl-zeroread openat close clone mmap mprotect munmap brk \
        newfstatat fstat set_robust_list
    echo 'END { clear(@start); clear(@previous); }'
}

# every_interval MILLISECONDS STATEMENT...: prints the profile that often.
every_interval() {
    printf 'interval:ms:%d\n{\n    time("%%H:%%M:%%S\\n");\n' "$1"
    printf '    %s\n' "${@:2}"
    echo '}'
}

# Adds the block layer below: from the issue of a request to its completion.
# A request is known by device and sector, its operation by the rwbs letters
# (R read, W write, A ahead, S synchronous, M metadata).
block_requests() {
    cat <<BT
tracepoint:block:block_rq_issue
/comm == "$1"/
{
    @issued[args->dev, args->sector] = nsecs;
}
tracepoint:block:block_rq_complete
/@issued[args->dev, args->sector]/
{
    \$ns = nsecs - @issued[args->dev, args->sector];
    @block[args->rwbs] = hist(\$ns);
    @block_total[args->rwbs] = sum(\$ns);
    delete(@issued[args->dev, args->sector]);
}
END { clear(@start); clear(@issued); }
BT
}

# The value profile of OSprof section 6.2: is a getdents64 past the end of its
# directory (1024) or not (0), apart for the calls of the leftmost latency peak
# (fast) and all others (slow)? The profile of the same run made first,
# getdents-latency.txt, has its leftmost peak below 512 ns, around 250 ns, and
# the next one from 1 us on: hence the limit.
PEAK_END_NS=512
past_the_end() {
    cat <<BT
tracepoint:syscalls:sys_enter_getdents64
/comm == "wl-listdir"/
{
    @start[tid] = nsecs;
}
tracepoint:syscalls:sys_exit_getdents64
/@start[tid]/
{
    \$ns = nsecs - @start[tid];
    \$past = args->ret == 0 ? 1024 : 0;
    if (\$ns < $PEAK_END_NS) {
        @past_eof_fast = hist(\$past);
    } else {
        @past_eof_slow = hist(\$past);
    }
    delete(@start[tid]);
}
END { clear(@start); }
BT
}

# Every system call, keyed by its bare number.
by_number() {
    cat <<BT
tracepoint:raw_syscalls:sys_enter
/comm == "$1"/
{
    @start[tid] = nsecs;
}
tracepoint:raw_syscalls:sys_exit
/@start[tid]/
$(record ns total 'args->id')
END { clear(@start); }
BT
}

# --- running ----------------------------------------------------------------

# The file name of repetition N of a configuration.
repetition() {
    if (($2 % 2)); then
        echo "$runs/$1/$2.json"
    else
        echo "$runs/$1/$2.txt"
    fi
}

go_cold() {
    sync
    echo 3 >/proc/sys/vm/drop_caches
}

go_warm() {
    grep -rsq "$ABSENT" "$TREE" || true
    "$scratch/listdir" "$TREE"
}

big_file() {
    local file=$scratch/random-blocks
    [ -e "$file" ] || dd if=/dev/urandom of="$file" bs=1M count=256 conv=fsync status=none
    echo "$file"
}

# --- groups -----------------------------------------------------------------
#
# Each profiles what its workload calls, but for idle waiting (a parent for its
# children, a flusher for its time to come), which would outweigh all else.

group_zeroread() {
    local program n processes
    program=$(user_view_of_reads)
    for ((n = 1; n <= REPETITIONS; n++)); do
        for processes in 1 2; do
            capture "$program" "$(repetition zeroread-$processes "$n")" \
                "$scratch/zeroread" $processes 3000000 /etc/passwd
        done
    done
    # Figure 3's other half: the same two processes, seen from inside.
    program=$(profile wl-zeroread read openat close clone mmap mprotect munmap brk \
        newfstatat set_robust_list)
    for n in json txt; do
        capture "$program" "$runs/zeroread-2-inside.$n" \
            "$scratch/zeroread" 2 3000000 /etc/passwd
    done
}

# Reads of two and of four processes that share one processor, by osprof record (OSPROF:
# where it is): in user space a call lasts until its process runs again, also where the
# kernel does not preempt itself. Ahead of all other programs, who else runs matters
# little.
group_preempt() {
    local processes
    mkdir -p "$runs/preempt"
    for processes in two:2 four:4; do
        record_reads "${processes#*:}" 1 "$runs/preempt/${processes%:*}.osprof"
        record_reads "${processes#*:}" 8 "$runs/preempt/${processes%:*}-fine.osprof"
    done
}

# record_reads PROCESSES RESOLUTION OUT: 24 million reads, whatever their number.
record_reads() {
    setsid -w sh -c 'echo -20 >/proc/self/autogroup; exec nice -n -20 "$@"' sh \
        "${OSPROF:-osprof}" record --force -r "$2" -o "$3" -- \
        "$scratch/zeroread" "$1" $((24000000 / $1)) /etc/passwd
}

# Linux 6.18 forks separate processes without contention; threads, which share
# an address space, wait for its lock.
group_clone() {
    local program n
    program=$(profile wl-cloner clone clone3 wait4 set_robust_list mmap munmap \
        mprotect madvise brk rt_sigprocmask rt_sigaction rseq getrandom)
    for ((n = 1; n <= REPETITIONS; n++)); do
        capture "$program" "$(repetition clone-1 "$n")" "$scratch/cloner" 1 10000
        capture "$program" "$(repetition clone-4 "$n")" "$scratch/cloner" 4 10000
        capture "$program" "$(repetition clone-threads-4 "$n")" "$scratch/cloner" -t 4 10000
    done
}

RANDREAD_CALLS=(read lseek openat close newfstatat fstat clone mmap mprotect munmap brk
    set_robust_list)

group_randread() {
    local program n processes file
    program=$(profile wl-randread "${RANDREAD_CALLS[@]}")
    file=$(big_file)
    for ((n = 1; n <= REPETITIONS; n++)); do
        for processes in 1 2; do
            capture "$program" "$(repetition randread-$processes "$n")" \
                "$scratch/randread" $processes 30000 "$file"
        done
    done
}

GREP_CALLS=(read openat close newfstatat fstat getdents64 fcntl lseek mmap munmap mprotect
    brk ioctl fadvise64 rt_sigaction sigaltstack fstatfs futex access pread64 prlimit64
    getrandom rseq set_robust_list)

group_grep() {
    local program n
    program=$(profile grep "${GREP_CALLS[@]}")
    for ((n = 1; n <= REPETITIONS; n++)); do
        go_cold
        capture "$program" "$(repetition grep-cold "$n")" "$grep" -rs "$ABSENT" "$TREE"
        go_warm
        capture "$program" "$(repetition grep-warm "$n")" "$grep" -rs "$ABSENT" "$TREE"
    done
}

group_flusher() {
    local program names=(pwrite64 pread64 fsync sync_file_range openat clone close
        unlink kill set_robust_list)
    program=$(
        profile wl-flusher "${names[@]}"
        every_interval 2500 'print(@ns); clear(@ns);' 'print(@total); clear(@total);'
    )
    capture "$program" "$runs/flusher-sampled.txt" "$scratch/flusher" 30 5 "$scratch/flushed"
    capture "$program" "$runs/flusher-sampled.json" "$scratch/flusher" 30 5 "$scratch/flushed"
    program=$(
        profile wl-flusher "${names[@]}"
        every_interval 2500 'print(@ns);' 'print(@total);'
    )
    capture "$program" "$runs/flusher-cumulative.txt" "$scratch/flusher" 10 5 "$scratch/flushed"
}

# Twice the same work, without and with a flush every 5 s, in intervals of 1 s.
group_timeline() {
    local program period
    program=$(
        profile wl-flusher pwrite64 pread64 fsync sync_file_range
        every_interval 1000 'print(@ns); clear(@ns);' 'print(@total); clear(@total);'
    )
    for period in 1000 5; do
        capture "$program" "$runs/flusher-1s-$period.json" "$scratch/flusher" 45 "$period" \
            "$scratch/flushed"
    done
}

group_layers() {
    local program suffix file
    file=$(big_file)
    for suffix in json txt; do
        program=$(
            calls syscall syscall_total wl-randread "${RANDREAD_CALLS[@]}"
            block_requests wl-randread
        )
        capture "$program" "$runs/layers.$suffix" "$scratch/randread" 2 20000 "$file"
        program=$(
            calls syscall syscall_total grep "${GREP_CALLS[@]}"
            block_requests grep
        )
        go_cold
        capture "$program" "$runs/layers-grep.$suffix" "$grep" -rs "$ABSENT" "$TREE"
    done
}

group_values() {
    go_warm
    capture "$(profile wl-listdir getdents64 openat close)" \
        "$runs/getdents-latency.txt" "$scratch/listdir" "$TREE"
    capture "$(past_the_end)" "$runs/getdents-values.txt" "$scratch/listdir" "$TREE"
}

group_numbers() {
    local header=/usr/include/x86_64-linux-gnu/asm/unistd_64.h
    go_warm
    capture "$(by_number grep)" "$runs/by-number.json" "$grep" -rs "$ABSENT" "$TREE"
    mkdir -p "$folder/names"
    {
        echo "# System calls of x86_64, number and name"
        awk '$1 == "#define" && sub(/^__NR_/, "", $2) { print $3, $2 }' "$header"
    } >"$folder/names/x86_64-syscalls.txt"
}

# Runs as nightly ones would follow each other. From run CHANGED on tar is told
# another blocking factor (writes of 12 KiB instead of 10), and run ODD shares its
# processors with other programs. The archive is in memory, so no disk has a say.
NIGHTS=24
CHANGED=15
ODD=8
TAR_CALLS=(read write openat close newfstatat fstat getdents64 fcntl lseek mmap munmap mprotect
    brk)

group_nightly() {
    local program n factor archive processor
    program=$(profile tar "${TAR_CALLS[@]}")
    archive=$(mktemp /dev/shm/nightly.XXXXXX)
    tar -cf "$archive" "$TREE/linux" 2>/dev/null # once, so that all is cached
    for ((n = 1; n <= NIGHTS; n++)); do
        factor=$((n < CHANGED ? 20 : 24))
        if ((n == ODD)); then
            for ((processor = 0; processor < $(nproc); processor++)); do
                timeout 20 sh -c 'while :; do :; done' &
            done
        fi
        capture "$program" "$(repetition nightly "$n")" \
            "$tar" -b $factor -cPf "$archive" "$TREE/linux"
        kill $(jobs -p) 2>/dev/null || true
        wait
    done
    rm -f "$archive"
}

# --- main -------------------------------------------------------------------

[ $# -ge 1 ] || {
    sed -n 's/^#     capture.sh/usage: capture.sh/p' "$0" >&2
    exit 2
}
folder=$1
runs=$folder/runs
shift
[ $# -gt 0 ] || set -- zeroread preempt clone randread grep flusher timeline layers values numbers \
    nightly
for group; do
    declare -F "group_$group" >/dev/null || die "no group $group"
done
[ "$(id -u)" -eq 0 ] || die "tracing needs root"
[ -d /sys/kernel/tracing/events ] || die "mount tracefs at /sys/kernel/tracing first"

scratch=$(mktemp -d "${TMPDIR:-/var/tmp}/capture.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
for source in "$here"/workloads/*.c; do
    "${CC:-cc}" -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Wconversion -pthread \
        -o "$scratch/$(basename "$source" .c)" "$source"
done
for group; do
    "group_$group"
done
