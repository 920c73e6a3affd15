/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "Did you mean": names near to one that was mistyped. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

/* The nearest of n names, or NULL when none is near. */
const char *nearest_name(const char *typed, const char *const *names, size_t n);

#endif
