/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "Did you mean": finds the name closest to a mistyped one. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

/* Returns the closest of n names, or NULL when none is close. */
const char *nearest_name(const char *typed, const char *const *names, size_t n);

#endif
