#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Puts the capture library into one C file, osprof.c, which needs osprof.h beside it:
# for programs that take it along instead of linking it.
#
#	one-file.sh LICENSE HEADER.H... FILE.C... >osprof.c
set -eu
license=$1
shift

cat <<'HEAD'
/* SPDX-License-Identifier: MIT */
/*
 * osprof.c: the capture library of osprof.h in one file.
 *
 *	cc -pthread -c osprof.c
 *
HEAD
sed 's|^| * |; s| *$||' "$license"
cat <<'HEAD'
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "osprof.h"
HEAD
for part; do
	printf '\n/* === %s === */\n' "${part##*/}"
	sed '/^#include "collect\//d; /SPDX-License-Identifier/d' "$part"
done
