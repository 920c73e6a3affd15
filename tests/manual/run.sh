#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs the examples of a man page or a Markdown file.
#
# Usage: run.sh OSPROF ROOT PAGE
#
# OSPROF is the program, ROOT the source tree, PAGE what to read. Examples are
# the lines that begin with "$ " in a literal block of mdoc (.Bd -literal) or in
# a fenced block of Markdown (```console). They run one after the other in one
# scratch folder with OSPROF in PATH and ROOT/testdata as testdata/. Each must
# exit with status 0; the lines below it that do not begin with "$ " must all be
# among what it prints, in this order. A line of "..." only says that something
# was left out; lines are printed as long as they are. A long line may be folded: a command after a backslash, what is
# printed at blanks.
#
# Comments that readers do not see say more, .\" in mdoc, <!-- --> in Markdown,
# each on a line of its own just above the block, `status` also above a line of
# it:
#
#	status: 1	the next command exits with status 1
#	needs: csv	skip the block until `osprof formats` lists this format
#	with: jq -n 1	skip the block where this command fails
#	not run		never run the block
#	file: NAME	the block is no example but a file of this name
#
# A block that uses testdata/runs/ needs bpftrace and bpftrace-json.
#
# Prints TAP, one test for each example. Exit status: 0 when all went well or
# there is no such page, 1 when an example did not, 2 for wrong usage.

set -u
if [[ $# -ne 3 ]]; then
    echo 'usage: run.sh OSPROF ROOT PAGE' >&2
    exit 2
fi
if [[ ! -x $1 ]]; then
    echo "run.sh: no program $1" >&2
    exit 2
fi
osprof=$(realpath "$1") root=$(realpath "$2") page=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

if [[ ! -f $page ]]; then
    echo "1..0 # SKIP no $page"
    exit 0
fi
page=$(realpath "$page")

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/desk"
ln -s "$osprof" "$scratch/bin/osprof"
ln -s "$root/testdata" "$scratch/desk/testdata"
PATH=$scratch/bin:$PATH

# Man pages show what is printed without characters beyond ASCII.
case $page in
    *.md) mdoc=0 locale=C.UTF-8 ;;
    *) mdoc=1 locale=C ;;
esac
export LC_ALL=$locale COLUMNS=1000

formats=$(osprof formats --format csv | cut -d, -f1)
known() {
    grep -qxF -- "$1" <<<"$formats"
}

tests=0 failed=0
block_off=0 # why the rest of the block is not run; 0: it is
command='' line=0 wanted=0
shown=()

# tell RESULT COMMENT: one line of TAP.
tell() {
    tests=$((tests + 1))
    printf '%s %s - line %s%s\n' "$1" "$tests" "$line" "$2"
}

fail_with() {
    tell 'not ok' ''
    printf '# %s:%s: %s\n#     $ %s\n' "$page" "$line" "$1" "$command"
    sed 's/^/#     /' "$scratch/printed"
    failed=$((failed + 1))
}

# All lines shown are among those printed, in their order. A line that is not may be the
# beginning of one that the page folds at blanks; what is shown below it is the rest then.
is_printed() {
    printf '%s\n' "${shown[@]+"${shown[@]}"}" >"$scratch/shown"
    awk 'function squeezed(text) {
            gsub(/[ \t]+/, " ", text)
            sub(/^ /, "", text)
            return text
        }
        function missing() {
            print "not printed: " $0
            failed = 1
            exit 1
        }
        NR == FNR { printed[++n] = $0; sub(/[ \t]+$/, "", printed[n]); next }
        { sub(/[ \t]+$/, "") }
        $0 == "" || $0 == "..." { next }
        rest != "" {
            text = squeezed($0)
            if (rest != text && index(rest, text " ") != 1)
                missing()
            rest = substr(rest, length(text) + 2)
            next
        }
        {
            for (i = at + 1; i <= n && printed[i] != $0; i++)
                ;
            for (j = at + 1; i > n && j <= n && rest == ""; j++) {
                if (index(squeezed(printed[j]), squeezed($0) " ") == 1) {
                    rest = substr(squeezed(printed[j]), length(squeezed($0)) + 2)
                    i = j
                }
            }
            if (i > n)
                missing()
            at = i
        }
        END {
            if (rest != "" && !failed) {
                print "not shown: " rest
                exit 1
            }
        }' "$scratch/printed" "$scratch/shown" >"$scratch/missing"
}

run_command() {
    local status=0
    [[ -n $command ]] || return 0
    if [[ $block_off != 0 ]]; then
        tell ok " # SKIP $block_off"
    else
        (cd "$scratch/desk" && bash -c "$command") </dev/null >"$scratch/printed" 2>&1 || status=$?
        if [[ $status != "$wanted" ]]; then
            fail_with "status $status, not $wanted"
        elif ! is_printed; then
            fail_with "$(cat "$scratch/missing")"
        else
            tell ok ''
        fi
    fi
    command='' shown=()
}

file=
while IFS= read -r record; do
    rest=${record#* }
    case $record in
        begin\ *) block_off=0 shown=() ;;
        off) block_off='not run' ;;
        needs\ *) known "$rest" || block_off="no $rest" ;;
        with\ *) bash -c "$rest" &>/dev/null || block_off="no ${rest%% *}" ;;
        file\ *)
            file=$scratch/desk/$rest
            : >"$file"
            ;;
        text\ *) printf '%s\n' "$rest" >>"$file" ;;
        cmd\ *)
            run_command
            read -r line wanted command <<<"$rest"
            if [[ $command == *testdata/runs* ]]; then
                known bpftrace && known bpftrace-json || block_off='no bpftrace'
            fi
            ;;
        out\ *) shown+=("$rest") ;;
        end) run_command ;;
    esac
done < <(awk -v mdoc="$mdoc" -f "$here/extract.awk" "$page")

echo "1..$tests"
[[ $failed -eq 0 ]]
