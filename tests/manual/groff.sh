#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Formats each page with groff, as man(1) does on most systems: it has no warning, and the
# text is what the author meant, as far as a program can tell:
#
#  - every heading is there, word by word. What is a word in a name, as Li, or at the beginning
#    of a heading, as In, is a macro to it, and a page can end in the middle without an error.
#  - no apostrophe is in a line of columns: groff 1.23 takes it for the end of a width.
#  - no quote is within a quote, as that of a list in `.Pq Ql a , Ql b`.
#
# usage: groff.sh PAGE...
export LC_ALL=C.UTF-8
status=0
text=$(mktemp) && told=$(mktemp) || exit 1
trap 'rm -f "$text" "$told"' EXIT
for page; do
	groff -mandoc -ww -Tutf8 -P-cbou "$page" 2>"$told" >"$text"
	sed "s|^|$page: |" "$told"
	[ -s "$told" ] && status=1
	sed -n 's/^\.S[hs] //p' "$page" | sed 's/"//g; s/\\&//g' >"$told"
	if sed 's/^ *//' "$text" | grep -vixF -f - "$told" | sed "s|^|$page: no heading |" | grep .; then
		status=1
	fi
	if grep -n "^\.Bl -column.*'" "$page" | sed "s|^|$page: apostrophe: |" | grep .; then
		status=1
	fi
	# shellcheck disable=SC1112 # these quotes are meant
	if tr '\n' ' ' <"$text" | grep -oE '.{0,20}‘[^’]{0,200}‘.{0,20}' | sed "s|^|$page: nested quotes: |" |
		grep .; then
		status=1
	fi
done
exit $status
