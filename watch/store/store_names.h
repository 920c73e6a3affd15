/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of kept intervals: start in UTC, and length. */
#ifndef WATCH_STORE_STORE_NAMES_H
#define WATCH_STORE_STORE_NAMES_H

#include "watch/store/store.h"

enum { STORE_NAME_BYTES = 80 };

/* "20261122T180000Z-10s.osprof"; fractions of seconds are printed as three more digits. */
void store_name(char to[STORE_NAME_BYTES], struct span span);
/* False: it is not the name of an interval. */
MUST_CHECK bool store_name_parse(const char *name, struct span *ret);

#endif
