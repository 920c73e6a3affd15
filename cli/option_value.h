/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arguments of options: each function takes one, or reports what was expected and
 * returns false.
 */
#ifndef CLI_OPTION_VALUE_H
#define CLI_OPTION_VALUE_H

#include "cli/settings.h"

/* Always false. */
bool bad_argument(enum option_id id, const char *arg, const char *expected, struct diag *diag);
bool bad_choice(enum option_id id, const char *arg, struct diag *diag);

/* One of option_choices(), by its number. */
MUST_CHECK bool take_choice(enum option_id id, const char *arg, int *ret, struct diag *diag);
/* At least `least`. */
MUST_CHECK bool take_number(enum option_id id, const char *arg, double least, double *ret,
			    struct diag *diag);
/* Seconds, or a time with its unit. */
MUST_CHECK bool take_seconds(enum option_id id, const char *arg, double *ret, struct diag *diag);
/* As a share: 5 is 0.05. */
MUST_CHECK bool take_percent(enum option_id id, const char *arg, double *ret, struct diag *diag);
/* A factor as its log2, or as the percentage by which it is above 1. */
MUST_CHECK bool take_octaves(enum option_id id, const char *arg, double *ret, struct diag *diag);

#endif
