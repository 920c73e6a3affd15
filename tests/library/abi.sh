#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The binary interface of libosprof-compare is what osprof-compare-0.abi says, or has more functions.
# When structures got more members at their end, which programs do not notice, read what differs and
# --update; any other change needs another soname.
#
# usage: abi.sh [--update] LIBRARY SOURCE
set -eu

update=no
if [ "$1" = --update ]; then
	update=yes
	shift
fi
library=$1 header=$2/library/compare.h kept=$2/tests/library/osprof-compare-0.abi
if ! command -v abidiff >/dev/null; then
	echo "skipped: abidiff is not installed (Debian: abigail-tools)"
	exit 77
fi
if ! readelf --sections "$library" | grep -qF .debug_info; then
	echo "skipped: the library has no debugging information"
	exit 77
fi
# A folder of what is public: the members of all other structures are left out.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/public"
cp "$header" "$scratch/public"
abidw --headers-dir "$scratch/public" --drop-private-types --exported-interfaces-only --no-corpus-path \
	--no-comp-dir-path --no-show-locs --no-elf-needed --out-file "$scratch/now" "$library"
if [ "$update" = yes ]; then
	cp "$scratch/now" "$kept"
	exit
fi
grep -qF "name='n_failed'" "$scratch/now" # members are what it is about
abidiff --no-added-syms "$kept" "$scratch/now"
