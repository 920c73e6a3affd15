#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The manual page of the formats describes those that the program lists, each
# once, and no others; within a section they stand in alphabetical order.
#
# Usage: formats_described.sh OSPROF PAGE

set -eu
export LC_ALL=C
listed=$("$1" formats --format csv | tail -n +2 | cut -d, -f1 | sort)
described=$(sed -n 's/^\.Ss //p' "$2")
diff <(echo "$listed") <(sort <<<"$described") || {
    echo "< listed by osprof formats, > described in $2"
    exit 1
}
awk '/^\.Sh / { last = "" }
    /^\.Ss / && $2 < last { print FILENAME ":" FNR ": " $2 " stands after " last; bad = 1 }
    /^\.Ss / { last = $2 }
    END { exit bad }' "$2"
