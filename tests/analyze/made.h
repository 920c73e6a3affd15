/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles for tests: written out in osprof's own format, read like any other. */
#ifndef TESTS_ANALYZE_MADE_H
#define TESTS_ANALYZE_MADE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "profile/profile.h"

/* `text` without its first line, "osprof 1". */
struct profile *made_profile(const char *text);

#endif
