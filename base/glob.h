/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shell patterns for names: * ? [...], and \ to quote the next character. */
#ifndef BASE_GLOB_H
#define BASE_GLOB_H

#include "base/attr.h"
#include "base/str.h"

/* Whether all of the name matches; fast for a pattern without special characters. */
MUST_CHECK bool glob_matches(const char *pattern, struct str name);

#endif
