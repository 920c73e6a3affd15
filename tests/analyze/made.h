/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles for tests, made by the builder alone. */
#ifndef TESTS_ANALYZE_MADE_H
#define TESTS_ANALYZE_MADE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "profile/profile.h"

/*
 * Of statements as osprof(5) has them, without quotes and only these: unit, hz, elapsed,
 * concurrency, layer, op, buckets log2 and linear, interval, total, count, min, max, granularity,
 * fixed-duration, zero and rows.
 */
struct profile *made_profile(const char *text);

#endif
