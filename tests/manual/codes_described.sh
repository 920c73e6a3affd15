#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# osprof-messages(7) describes every code of a message, once, below the heading of its
# severity, and no others; the codes of a severity stand in alphabetical order.
#
# Usage: codes_described.sh CODES PAGE
#
# CODES is base/diag_codes.def.

set -eu
export LC_ALL=C
codes=$1 page=$2
diff <(sed -n 's/^DIAG([A-Z_]*, \([A-Z]*\), "\([a-z0-9-]*\)".*/\1 \2/p' "$codes" | sort) \
	<(awk '/^\.Ss / { severity = toupper(substr($2, 1, length($2) - 1)) }
		/^\.It Cm / { for (i = 3; i <= NF; i += 2) print severity, $i }' "$page" | sort) || {
	echo "< in $codes, > in $page"
	exit 1
}
awk '/^\.Ss / { last = "" }
	/^\.It Cm / && $3 < last { print FILENAME ":" FNR ": " $3 " stands after " last; bad = 1 }
	/^\.It Cm / { last = $3 }
	END { exit bad }' "$page"
