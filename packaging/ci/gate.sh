#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A latency gate for CI: records two commands in turns, and compares them.
#
#	gate.sh BASE HEAD
#
# BASE and HEAD are command lines, such as 'cd base && exec ./benchmark'; the two do the same work.
# In the environment:
#
#	REPEAT   runs of each side [5]
#	POLICY   a file of osprof-policy(5) [none]
#	STRICT   true: an inconclusive operation is status 3 [false]
#	RESULTS  the folder for what is written [osprof-results]
#
# Writes into RESULTS: base/ and head/, the runs; comment.md, report.html and junit.xml. In a GitHub
# workflow it annotates, and appends the report to the page of the job. The status is that of
# `osprof rank --exit-code`: 0 passed, 1 failed, 2 an error, 3 inconclusive with STRICT.
set -u
results=${RESULTS:-osprof-results}
if [ $# -ne 2 ]; then
	echo 'usage: gate.sh BASE HEAD' >&2
	exit 2
fi
rm -rf "$results"
mkdir -p "$results"
osprof record -q --repeat "${REPEAT:-5}" --interleave "$results/head" -o "$results/base" \
	-- sh -c "$1" -- sh -c "$2" || exit 2

# gate FORMAT [OPTION...]
gate() {
	local format=$1
	shift
	osprof rank -q --exit-code ${POLICY:+--policy "$POLICY"} "$@" --format "$format" "$results/base" "$results/head"
}
for output in html:report.html junit:junit.xml markdown:report.md; do
	gate "${output%%:*}" -o "$results/${output##*:}"
	[ $? -ne 2 ] || exit 2
done
# The first line is how the comment of an earlier push is found; GitHub takes 65,536 characters.
{ echo '<!-- osprof: latency -->' && head -c 60000 "$results/report.md"; } >"$results/comment.md"
rm "$results/report.md"
strict=()
[ "${STRICT:-false}" != true ] || strict=(--strict)
if [ "${GITHUB_ACTIONS:-}" = true ]; then
	gate github "${strict[@]}"
else
	gate text "${strict[@]}"
fi
