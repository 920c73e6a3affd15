#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# mandoc has no warning about any page. Without mandoc the test is skipped; scripts/setup.sh
# installs it where tests run.
#
# usage: mandoc.sh PAGE...
if ! command -v mandoc >/dev/null; then
	echo 'mandoc is not installed (Debian: mandoc): pages were not checked'
	exit 77
fi
exec mandoc -T lint -W warning "$@"
