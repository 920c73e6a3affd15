#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Whether clang-format would leave every C file as it is, and no comment is torn: a line of one
# begins with a blank or a tab after its asterisk.
#
#	tests/lint/format.sh [ROOT]
#
# Other versions break lines elsewhere: skipped (77) without clang-format 14.
set -eu
cd "${1:-$(dirname "$0")/../..}"

list_files() {
	find . \( -path './.git' -o -path './build*' -o -type d -exec test -e '{}/meson-private' \; \) \
		-prune -o -type f -name '*.[ch]' -print | LC_ALL=C sort
}

torn=$(list_files | xargs awk '
	FNR == 1 { comment = 0 }
	/^\/\*/ { comment = 1 }
	comment && /^ \*[^ \t\/]/ { print FILENAME ":" FNR ": " $0 }
	/\*\// { comment = 0 }')
if [ -n "$torn" ]; then
	printf 'torn comments:\n%s\n' "$torn" >&2
	exit 1
fi

for tool in clang-format-14 clang-format; do
	case $("$tool" --version 2>/dev/null || true) in
	*version\ 14.*)
		list_files | xargs "$tool" --dry-run -Werror
		exit 0
		;;
	esac
done
echo "clang-format 14 is not there" >&2
exit 77
