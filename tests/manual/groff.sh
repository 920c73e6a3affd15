#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Formats each page with groff, as man(1) does on most systems: it has nothing to
# warn about, and every section is there.  What is a word in a name, as Li, is a
# macro to it; a page then ends in the middle without an error.
#
# usage: groff.sh PAGE...
status=0
text=$(mktemp) && told=$(mktemp) || exit 1
trap 'rm -f "$text" "$told"' EXIT
for page; do
	groff -mandoc -Tascii "$page" 2>"$told" | sed 's/.\x08//g; s/\x1b\[[0-9]*m//g' >"$text"
	sed "s|^|$page: |" "$told"
	[ -s "$told" ] && status=1
	grep '^\.Sh ' "$page" | sed 's/^\.Sh //; s/"//g' | while read -r heading; do
		grep -qixF -- "$heading" "$text" || { echo "$page: no section $heading"; exit 1; }
	done || status=1
done
exit $status
