#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Every code of a message is described in DIAGNOSTICS of one of the pages, once, and no
# other is.
#
# Usage: codes_described.sh CODES PAGE...
#
# CODES is base/diag_codes.def.

set -eu
export LC_ALL=C
codes=$1
shift
diff <(sed -n 's/^DIAG([^"]*"\([a-z0-9-]*\)".*/\1/p' "$codes" | sort) \
	<(sed -n '/^\.Sh DIAGNOSTICS/,/^\.Sh SEE ALSO/ s/^\.It Cm //p' "$@" | sed 's/ , /\n/g' | sort) || {
	echo "< in $codes, > in DIAGNOSTICS of $*"
	exit 1
}
