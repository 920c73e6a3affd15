#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Words that do not come back: each line of words.txt is a pattern, and what to say
# instead. What testdata holds is what other programs printed, and is not looked at.
#
# usage: words.sh
set -eu

cd "$(dirname "$0")/../.."
list=tests/lint/words.txt
found=0

files() {
	git ls-files -- . ':!testdata' ":!$list" ':!*.png' ':!*.xz' ':!doc/gallery/*'
}

while IFS=$'\t' read -r pattern instead; do
	case $pattern in
	'' | \#*) continue ;;
	esac
	if files | xargs -d '\n' grep -IiHnE -- "$pattern" | grep -vE -f tests/lint/words.allowed; then
		echo "	^ say instead: $instead"
		found=1
	fi
done <"$list"
exit $found
