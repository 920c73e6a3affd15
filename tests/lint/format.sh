#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Whether clang-format would leave every C file as it is.
#
#	tests/lint/format.sh [ROOT]
#
# Other versions break lines elsewhere: skipped (77) without clang-format 14.
set -eu
cd "${1:-$(dirname "$0")/../..}"

for tool in clang-format-14 clang-format; do
	case $("$tool" --version 2>/dev/null || true) in
	*version\ 14.*)
		find . \( -path './.git' -o -type d -exec test -e '{}/meson-private' \; \) \
			-prune -o -type f -name '*.[ch]' -print | LC_ALL=C sort | xargs "$tool" --dry-run -Werror
		exit 0
		;;
	esac
done
echo "clang-format 14 is not there" >&2
exit 77
