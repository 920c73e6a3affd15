/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Patterns of names, as a shell has them: * ? [...] and \ before what is meant itself. */
#ifndef BASE_GLOB_H
#define BASE_GLOB_H

#include "base/attr.h"
#include "base/str.h"

/* Fast for a pattern without any of these. */
MUST_CHECK bool glob_matches(const char *pattern, struct str name);

#endif
