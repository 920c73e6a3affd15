# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: MIT
#
# What the scripts that capture with bpftrace share. They set `scratch`, a folder
# for what is not kept, and `folder`, where captures go.

die() {
    echo "${0##*/}: $*" >&2
    exit 1
}

# --- bpftrace programs ------------------------------------------------------

# The tracepoints of system calls go by the kernel's names, mostly the same.
tracepoint_name() {
    case $1 in
    fstat | stat | lstat | uname) echo "new$1" ;;
    *) echo "$1" ;;
    esac
}

# record HISTOGRAM TOTAL KEY: the body that ends a call begun at @start[tid].
record() {
    cat <<BT
{
    \$ns = nsecs - @start[tid];
    @$1[$3] = hist(\$ns);
    @$2[$3] = sum(\$ns);
    delete(@start[tid]);
}
BT
}

# calls HISTOGRAM TOTAL COMM SYSCALL...: from entry to exit of each call. Names
# of 16 characters and more (sched_setaffinity) make bpftrace 0.17 generate keys
# of two sizes, which the kernel refuses.
calls() {
    local histogram=$1 total=$2 comm=$3 entries='' name
    shift 3
    for name; do
        entries+=${entries:+,$'\n'}tracepoint:syscalls:sys_enter_$(tracepoint_name "$name")
    done
    printf '%s\n/comm == "%s"/\n{\n    @start[tid] = nsecs;\n}\n' "$entries" "$comm"
    for name; do
        printf 'tracepoint:syscalls:sys_exit_%s\n/@start[tid]/\n' "$(tracepoint_name "$name")"
        record "$histogram" "$total" "\"$name\""
    done
}

# profile COMM SYSCALL...: the program most captures use.
profile() {
    calls ns total "$@"
    echo 'END { clear(@start); }'
}

# --- running ----------------------------------------------------------------

# capture PROGRAM OUT COMMAND...: one run; OUT's suffix chooses the format.
# What bpftrace says on stderr is kept out of OUT, and shown if it fails.
capture() {
    local program=$1 out=$2
    local format=text
    shift 2
    case $out in *.json) format=json ;; esac
    mkdir -p "$(dirname "$out")"
    echo "${out#"$folder"/}" >&2
    if ! bpftrace -f "$format" -c "$*" - <<<"$program" \
        >"$scratch/out" 2>"$scratch/err" || ! grep -q '@' "$scratch/out"; then
        cat "$scratch/err" >&2
        die "no capture of: $*"
    fi
    cp "$scratch/out" "$out"
}
