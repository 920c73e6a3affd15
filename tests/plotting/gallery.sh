#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Draws the figures of doc/gallery.md again and compares their scripts with those in
# doc/gallery/. Pictures depend on gnuplot's version and on fonts: that they are drawn
# is all that is asked of them.
#
# usage: gallery.sh [--update] OSPROF
# --update replaces scripts and pictures; look at them before you keep them.
set -eu

update=no
if [ "${1-}" = --update ]; then
	update=yes
	shift
fi
osprof=$(realpath "$1")
root=$(realpath "$(dirname "$0")/../..")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
ln -s "$osprof" "$scratch/bin/osprof"
ln -s "$root/testdata" "$scratch/testdata"
export PATH="$scratch/bin:$PATH" LC_ALL=C.UTF-8

cd "$scratch"
sed -n 's/^\$ //p' "$root/doc/gallery.md" >commands
[ -s commands ]
bash -eu commands 2>messages || {
	cat messages >&2
	exit 1
}
if [ "$update" = yes ]; then
	rm -f "$root"/doc/gallery/*
	cp ./*.gp ./*.png "$root/doc/gallery/"
fi
status=0
for script in *.gp; do
	grep -q "(gallery/${script%.gp}.png)" "$root/doc/gallery.md" || {
		echo "$script is not shown in doc/gallery.md"
		status=1
	}
	diff -u "$root/doc/gallery/$script" "$script" || status=1
	[ -s "${script%.gp}.png" ] || status=1
done
[ "$(ls "$root"/doc/gallery/*.gp | wc -l)" = "$(ls ./*.gp | wc -l)" ] || {
	echo 'doc/gallery/ holds a script that no command writes'
	status=1
}
echo "$(ls ./*.gp | wc -l) figures"
exit $status
