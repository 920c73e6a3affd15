#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Captures real programs under several settings each, one of which is `base`.
#
#     settings.sh FOLDER [PROGRAM...]
#
# Makes FOLDER/PROGRAM anew, all or those named, out of sqlite3 nginx tar. There,
# SETTING.N.json and SETTING.N.txt are profiles of system calls as in capture.sh,
# and calls.csv says how often strace saw each call, in two runs of base and one of
# each other setting. Takes one to three minutes a program. Needs root, bpftrace 0.17 or
# later, strace, the programs, ab (apache2-utils), tracefs mounted at
# /sys/kernel/tracing and 300 MB of disk under TMPDIR (/var/tmp: no tmpfs, since
# sqlite3 wants a disk).
#
# Ten runs of base and three of each other setting take turns.
set -eu

BASE_RUNS=10
TURNS='2 5 8' # runs of base after which all other settings are captured once
IDLE='epoll_wait|wait4|pause' # these wait for somebody outside
TREE=/usr/include             # what tar packs

here=$(cd "$(dirname "$0")" && pwd)
scratch=

# shellcheck source=collect/bpftrace.sh
. "$here/bpftrace.sh"

# --- programs ---------------------------------------------------------------
#
# For each: settings_PROGRAM says which; setup_PROGRAM, once; run_PROGRAM SETTING, which leaves a
# script `run` that does the work once, with the program under the name m-PROGRAM.
# A script that must prepare each run anew does so in `prepare`.

script() {
    printf '#!/bin/sh\nset -eu\ncd %s\n%s\n' "$scratch" "$2" >"$scratch/$1"
    chmod +x "$scratch/$1"
}

settings_sqlite3() { echo cache mmap truncate exclusive nosync; }

# 40,000 rows of some hundred bytes; 60 transactions of three updates each between
# 12,000 look-ups, 20 a transaction, all at random but the same in every run.
setup_sqlite3() {
    sqlite3 "$scratch/new.db" <<'SQL'
CREATE TABLE item(id INTEGER PRIMARY KEY, content BLOB);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000)
INSERT INTO item SELECT i, zeroblob(300 + i % 600) FROM n;
SQL
    awk 'BEGIN {
        srand(6)
        for (i = 0; i < 60; i++) {
            print "BEGIN;"
            for (k = 0; k < 3; k++)
                print "UPDATE item SET content = randomblob(400) WHERE id = " \
                    int(1 + 40000 * rand()) ";"
            print "COMMIT;"
            for (k = 0; k < 200; k++) {
                if (k % 20 == 0)
                    print "BEGIN;"
                print "SELECT length(content) FROM item WHERE id = " int(1 + 40000 * rand()) ";"
                if (k % 20 == 19)
                    print "COMMIT;"
            }
        }
    }' >"$scratch/work.sql"
    script prepare 'cp new.db work.db && sync work.db'
}

run_sqlite3() {
    local pragma=
    case $1 in
    cache) pragma='PRAGMA cache_size = -64000;' ;;
    mmap) pragma='PRAGMA mmap_size = 268435456;' ;;
    truncate) pragma='PRAGMA journal_mode = TRUNCATE;' ;;
    exclusive) pragma='PRAGMA locking_mode = EXCLUSIVE;' ;;
    nosync) pragma='PRAGMA synchronous = OFF;' ;;
    esac
    echo "$pragma" | cat - "$scratch/work.sql" >"$scratch/run.sql"
    script run './m-sqlite3 -batch work.db <run.sql >answers'
}

settings_nginx() { echo sendfile filecache nolog buffers directio; }

# Three files are asked for, 3,000 times each, over four connections that stay.
setup_nginx() {
    local kib
    mkdir "$scratch/files"
    for kib in 1 24 300; do
        head -c ${kib}K /dev/urandom >"$scratch/files/$kib"
    done
    script prepare 'rm -f access.log'
}

run_nginx() {
    local options='sendfile off;'
    case $1 in
    sendfile) options='sendfile on;' ;;
    filecache) options+=' open_file_cache max=100; open_file_cache_valid 600s;' ;;
    nolog) options+=' access_log off;' ;;
    buffers) options+=' output_buffers 1 512k;' ;;
    directio) options+=' directio 16k;' ;;
    esac
    [ "$1" = nolog ] || options+=" access_log $scratch/access.log;"
    cat >"$scratch/nginx.conf" <<NGINX
daemon off;
master_process off;
pid $scratch/nginx.pid;
error_log $scratch/error.log crit;
events { worker_connections 64; }
http {
    server { listen 127.0.0.1:8399; root $scratch/files; }
    $options
}
NGINX
    script run "./m-nginx -c $scratch/nginx.conf &
        nginx=\$!
        until curl -s -o answer http://127.0.0.1:8399/1; do sleep 0.1; done
        for kib in 1 24 300; do
            ab -q -k -n 3000 -c 4 http://127.0.0.1:8399/\$kib >report 2>&1
        done
        kill \$nginx
        wait \$nginx || true"
}

settings_tar() { echo blocks atime sparse xattrs; }

setup_tar() {
    script prepare 'find '$TREE' -type f -exec cat {} + >/dev/null'
}

# Into a pipe: GNU tar does not read files when it writes to /dev/null.
run_tar() {
    local options=
    case $1 in
    blocks) options=--blocking-factor=512 ;;
    atime) options=--atime-preserve=replace ;;
    sparse) options=--sparse ;;
    xattrs) options=--xattrs ;;
    esac
    script run "./m-tar $options -cf - -C / ${TREE#/} | cat >archive.tar"
}

# --- running ----------------------------------------------------------------

# count SETTING: lines "setting,operation,calls", in a run that is not captured.
count() {
    "run_$program" "$1"
    "$scratch/prepare"
    strace -f -o "$scratch/strace" "$scratch/run" >&2
    # Only what runs under the name m-PROGRAM, from its execve on.
    awk -v setting="$1" -v name="m-$program" '
        index($0, "execve(\"./" name "\"") { measured[$1] = 1 }
        { call = $2 == "<..." ? "" : $2; sub(/\(.*/, "", call) }
        measured[$1] && call ~ /^[a-z]/ { n[call]++ }
        $2 ~ /^(clone|clone3|vfork|fork)\(/ && measured[$1] { measured[$NF] = 1 }
        END { for (call in n) print setting "," call "," n[call] }' "$scratch/strace" |
        LC_ALL=C sort
}

# Every call that strace saw 20 times or more under some setting and that has a
# tracepoint. Names of 16 characters and more are left out, see calls(), and one of 15
# comes first: bpftrace 0.17 lays keys of most other lengths across words of the stack,
# which the kernel refuses.
traced_calls() {
    local call
    echo set_robust_list
    awk -F, '$3 >= 20 && $2 != "set_robust_list" { print $2 }' "$1" | LC_ALL=C sort -u | grep -Evx "$IDLE|execve|.{16,}" |
        while read -r call; do
            if [ -d "/sys/kernel/tracing/events/syscalls/sys_exit_$(tracepoint_name "$call")" ]; then
                echo "$call"
            fi
        done
}

one_run() {
    local suffix=json
    (($2 % 2)) || suffix=txt
    "run_$program" "$1"
    "$scratch/prepare"
    capture "$bpf" "$folder/$program/$1.$2.$suffix" /bin/sh "$scratch/run"
}

measure() {
    local settings n=0 turn=0 setting bpf calls=$folder/$program/calls.csv
    settings=$("settings_$program")
    mkdir -p "$folder/$program"
    ln -sf "$(command -v "$program")" "$scratch/m-$program"
    "setup_$program"
    {
        echo setting,operation,calls
        count base
        count base | sed 's/^base/base again/'
        for setting in $settings; do
            count "$setting"
        done
    } >"$calls"
    # shellcheck disable=SC2046 # one word a call
    bpf=$(profile "m-$program" $(traced_calls "$calls"))
    while ((++n <= BASE_RUNS)); do
        one_run base $n
        case " $TURNS " in *" $n "*) ;; *) continue ;; esac
        ((++turn))
        for setting in $settings; do
            one_run "$setting" $turn
        done
    done
}

# --- main -------------------------------------------------------------------

[ $# -ge 1 ] || {
    sed -n 's/^#     settings.sh/usage: settings.sh/p' "$0" >&2
    exit 2
}
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- sqlite3 nginx tar
[ "$(id -u)" -eq 0 ] || die "tracing needs root"
[ -d /sys/kernel/tracing/events ] || die "mount tracefs at /sys/kernel/tracing first"
PATH=$PATH:/usr/sbin
for program in "$@" bpftrace strace ab curl; do
    command -v "$program" >/dev/null || die "no program $program"
done

trap 'rm -rf "$scratch"' EXIT
for program; do
    declare -F "run_$program" >/dev/null || die "unknown program $program"
    scratch=$(mktemp -d "${TMPDIR:-/var/tmp}/settings.XXXXXX")
    measure
    rm -rf "$scratch"
done
