/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of kept intervals: when each began, UTC, and how long it took. */
#ifndef WATCH_STORE_NAMES_H
#define WATCH_STORE_NAMES_H

#include "watch/store.h"

enum { STORE_NAME_BYTES = 80 };

/* "20261122T180000Z-10s.osprof"; times that are no whole seconds have three digits more. */
void store_name(char to[STORE_NAME_BYTES], struct span span);
/* False: it is none of ours. */
MUST_CHECK bool store_name_parse(const char *name, struct span *ret);

#endif
