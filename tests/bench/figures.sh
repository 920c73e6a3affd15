#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `osprof plot --all` of 100 operations against gnuplot alone on the same scripts, as many
# at a time as there are processors. At most 1.2 times as long.
#
#	figures.sh OSPROF [TURNS]
set -eu
osprof=$(realpath "$1")
turns=${2-3}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# Two runs of 100 operations; each of the second is four times slower.
awk 'BEGIN {
	for (run = 0; run < 2; run++) {
		file = run ? "after.osprof" : "before.osprof"
		print "osprof 1\nunit ns" > file
		for (op = 1; op <= 100; op++) {
			printf "op \"operation_%d\"\n", op > file
			for (bucket = 8; bucket < 28; bucket++)
				printf "%d %d\n", bucket + 2 * run, 1 + (bucket * op * 7919) % 10007 > file
		}
	}
}'
now() { date +%s%N; }
best() { sort -n | head -n 1; }

for ((i = 0; i < turns; i++)); do
	rm -rf figures
	start=$(now)
	"$osprof" plot -q --all --min-share 0 --min-difference 0 before.osprof after.osprof -o figures
	echo $((($(now) - start) / 1000000)) >>ours
	start=$(now)
	(cd figures && printf '%s\0' *.gp | xargs -0 -n 1 -P "$(nproc)" gnuplot --default-settings)
	echo $((($(now) - start) / 1000000)) >>theirs
done
n=$(find figures -name '*.png' | wc -l)
awk -v n="$n" -v ours="$(best <ours)" -v theirs="$(best <theirs)" 'BEGIN {
	printf "%d figures: osprof %d ms, gnuplot alone %d ms: %.2f times (at most 1.2)\n",
		n, ours, theirs, ours / theirs
	exit n < 101 || ours > 1.2 * theirs
}'
