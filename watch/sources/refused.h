/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames that this version cannot read, kept for one that can. */
#ifndef WATCH_SOURCES_REFUSED_H
#define WATCH_SOURCES_REFUSED_H

#include <stdbool.h>

#include "base/str.h"

struct frame;

enum { MAX_REFUSED = 64, MAX_REFUSED_BYTES = 64 << 20 }; /* files, and their bytes */

/* Writes a frame, with its head line, to a file in keep/refused.  False: a limit was reached, or it
 * cannot be written. */
bool refused_keep(const char *keep, const struct frame *frame, const char *sender,
		  struct str bytes);

#endif
