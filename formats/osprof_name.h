/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names in osprof's own format: as they are, or quoted where they would be misread. */
#ifndef FORMATS_OSPROF_NAME_H
#define FORMATS_OSPROF_NAME_H

#include "base/attr.h"
#include "base/str.h"

struct arena;
struct out;

/* `s`, not empty, is what stands behind `op` or `layer`.  A quoted name is decoded
 * into the arena.  False when the quote is not closed or an escape is none. */
MUST_CHECK bool osprof_name_parse(struct arena *a, struct str s, struct str *ret);
void osprof_name_write(struct out *o, struct str name);

#endif
