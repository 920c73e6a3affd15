#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Whether the files and functions that README.md, doc/guide.md and doc/HACKING.md name are there.
#
#	tests/lint/names.sh [ROOT]
#
# What stands for any name is left out: call_X.c, cmd_x.c, figure_x(), and tally, the
# format that is made up to be followed through.  Prints PAGE: NAME; status 1 when one
# is not there.
set -eu
cd "${1:-$(dirname "$0")/../..}"

folders='base profile calls formats analyze plotting report tui watch load compare options library record program cli browse mpi region plugin collect testdata tests doc scripts'
bad=0
for page in README.md doc/guide.md doc/HACKING.md; do
	# shellcheck disable=SC2016 # backticks of Markdown
	for name in $(grep -o '`[^` ]*`' "$page" | tr -d '`' | LC_ALL=C sort -u); do
		case $name in
		*X* | *_x* | x_* | */x.* | noun_* | *tally* | *FILE* | *NAME*) continue ;;
		*'()')
			# shellcheck disable=SC2086 # one word a folder
			grep -rqw --include='*.[ch]' -- "${name%()}" $folders && continue
			;;
		*/*)
			case " $folders " in *" ${name%%/*} "*) ;; *) continue ;; esac
			# shellcheck disable=SC2086 # print.[ch] is a pattern
			ls -d $name >/dev/null 2>&1 && continue
			;;
		*) continue ;;
		esac
		echo "$page: $name"
		bad=1
	done
done
exit $bad
