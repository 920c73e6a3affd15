#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Compare osprof's speed with SciPy's on 10,000 operations, and report.
#
# Usage: tests/bench/run.sh [OSPROF]
#
# OSPROF is the program to time, by default build/osprof in the source tree.
# The analysis alone is timed by tests/bench/bench_analysis in the same build
# folder, and left out of the report where that has not been built.
#
# Environment:
#   PYTHON   a Python with SciPy (by default the first of python3 and
#            /usr/bin/python3 that has it)
#   ROUNDS   rounds after the warm-up, at least 5 (by default 7)
#   N        operations of the large pair (by default 10000)
#
# Exit status: 0 when everything ran, whether or not the targets hold; 1 when
# something did not run; 2 for wrong usage.

set -euo pipefail
export LC_ALL=C

die() {
    printf 'run.sh: %s\n' "$1" >&2
    exit "${2:-1}"
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
here=$root/tests/bench
[[ $# -le 1 ]] || die "usage: run.sh [OSPROF]" 2
osprof=${1:-$root/build/osprof}
rounds=${ROUNDS:-7}
n=${N:-10000}
[[ $rounds =~ ^[0-9]+$ ]] || die "ROUNDS must be a number" 2
((10#$rounds >= 5)) || die "ROUNDS must be at least 5" 2
[[ $n =~ ^[1-9][0-9]*$ ]] || die "N must be a positive number" 2
rounds=$((10#$rounds))

[[ -f $osprof && -x $osprof ]] || die "no osprof program at $osprof: build it first"
osprof=$(cd "$(dirname "$osprof")" && pwd)/$(basename "$osprof")
bench=$(dirname "$osprof")/tests/bench/bench_analysis
[[ -x $bench ]] || bench=$root/build/tests/bench/bench_analysis

python=
for candidate in ${PYTHON:+"$PYTHON"} python3 /usr/bin/python3; do
    if "$candidate" -c 'import scipy.stats' 2>/dev/null; then
        python=$candidate
        break
    fi
done
[[ -n $python ]] || die "no Python with SciPy found: install python3-scipy or set PYTHON"
# The interpreter itself, not a version manager's wrapper script, which would
# add its own start to the SciPy times.
python=$("$python" -c 'import sys; print(sys.executable)')

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$python" "$here/generate.py" "$n" "$work/large" || die "generate.py failed"
"$python" "$here/generate.py" 20 "$work/small" || die "generate.py failed"
for run in before after; do
    "$osprof" convert "$work/large/$run.json" -o "$work/large/$run.osprof" ||
        die "osprof convert failed on $run.json"
    [[ -s $work/large/$run.osprof ]] || die "osprof convert wrote no $run.osprof"
done

# timed NAME COMMAND...: run the command, its output in $work/NAME.out and
# $work/NAME.err, and set $micros to the wall time it took.  A status of 1 may
# mean that differences were found: the output decides.
timed() {
    local name=$1 status
    shift
    # Python starts a command without a copy of itself (vfork), and what is printed
    # goes nowhere: a file would be timed as well.
    read -r status micros < <("$python" - "$work/$name.err" "$@" <<'TIMER'
import subprocess, sys, time
with open(sys.argv[1], "wb") as errors:
    start = time.perf_counter()
    done = subprocess.run(sys.argv[2:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=errors, close_fds=False)
    print(done.returncode, round((time.perf_counter() - start) * 1e6))
TIMER
    )
    if ((status > 1)); then
        cat "$work/$name.err" >&2
        die "exit status $status from: $*"
    fi
}

# median FILE: the median of the numbers in FILE, one a line.
median() {
    sort -g "$1" | awk '{ v[NR] = $1 }
        END {
            if (NR == 0) exit 1
            print (NR % 2) ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2
        }'
}

one_round() {
    local keep=$1 name value
    local -a command
    for name in scipy json own small; do
        case $name in
            scipy) command=("$python" "$here/emd_scipy.py" --time
                "$work/large/before.json" "$work/large/after.json") ;;
            json) command=("$osprof" rank --format csv
                "$work/large/before.json" "$work/large/after.json") ;;
            own) command=("$osprof" rank --format csv
                "$work/large/before.osprof" "$work/large/after.osprof") ;;
            small) command=("$osprof" rank
                "$work/small/before.json" "$work/small/after.json") ;;
        esac
        timed "$name" "${command[@]}"
        [[ $keep == yes ]] || continue
        printf '%s\n' "$micros" >>"$work/$name.times"
        if [[ $name == scipy ]]; then
            for value in import load analysis; do
                awk -v key="${value}_seconds" '$1 == key { print $2 * 1e6 }' \
                    "$work/scipy.err" >>"$work/scipy_$value.times"
            done
        fi
    done
}

one_round no # warm-up
for ((round = 0; round < rounds; round++)); do
    one_round yes
done

have_bench=no
if [[ -x $bench ]]; then
    "$bench" "$work/large/before.json" "$work/large/after.json" \
        >"$work/bench.out" || die "bench_analysis failed"
    awk '$1 == "analysis_seconds" { print $2 * 1e6 }' "$work/bench.out" \
        >"$work/bench.times"
    [[ -s $work/bench.times ]] || die "bench_analysis printed no analysis_seconds"
    have_bench=yes
fi

# row LABEL MICROSECONDS
row() {
    awk -v label="$1" -v us="$2" \
        'BEGIN { printf "  %-44s %10.3f ms\n", label, us / 1000 }'
}

# ratio LABEL PEER OURS TARGET: how many times faster, and is it enough.
ratio() {
    awk -v label="$1" -v peer="$2" -v ours="$3" -v target="$4" 'BEGIN {
        ratio = peer / (ours > 0 ? ours : 0.001)
        printf "  %-30s %9.1fx  target %3dx  %s\n", label, ratio, target,
            (ratio >= target ? "holds" : "MISSED")
    }'
}

scipy=$(median "$work/scipy.times")
scipy_import=$(median "$work/scipy_import.times")
scipy_load=$(median "$work/scipy_load.times")
scipy_analysis=$(median "$work/scipy_analysis.times")
json=$(median "$work/json.times")
own=$(median "$work/own.times")
small=$(median "$work/small.times")

printf '%s operations, %s alternating rounds after one warm-up, medians of wall time\n' \
    "$n" "$rounds"
"$python" -c 'import platform, scipy
print("Python", platform.python_version() + ", SciPy", scipy.__version__)'
echo
row "SciPy script, JSON" "$scipy"
row "  its import" "$scipy_import"
row "  its load" "$scipy_load"
row "  its analysis" "$scipy_analysis"
row "osprof rank --format csv, JSON" "$json"
row "osprof rank --format csv, own format" "$own"
row "osprof rank, 20 operations, JSON" "$small"
if [[ $have_bench == yes ]]; then
    analysis=$(median "$work/bench.times")
    row "osprof, the analysis alone" "$analysis"
fi
echo
ratio "from JSON" "$scipy" "$json" 10
ratio "from own format" "$scipy" "$own" 20
if [[ $have_bench == yes ]]; then
    ratio "the analysis alone" "$scipy_analysis" "$analysis" 60
else
    printf '  %-30s not measured: bench_analysis has not been built\n' \
        "the analysis alone"
fi
awk -v us="$small" 'BEGIN {
    printf "  %-30s %7.2f ms  target 5 ms  %s\n", "20 operations", us / 1000,
        (us < 5000 ? "holds" : "MISSED")
}'
