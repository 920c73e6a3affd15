/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames that this osprof cannot read, put aside for one that can. */
#ifndef WATCH_REFUSED_H
#define WATCH_REFUSED_H

#include <stdbool.h>

#include "base/str.h"

struct frame;

enum { MAX_REFUSED = 64, MAX_REFUSED_BYTES = 64 << 20 }; /* files, and bytes of all of them */

/* Writes the frame's bytes, its line included, to a file in the folder `refused` below `keep`.
 * False: there are as many as may be, or it cannot be written. */
bool refused_keep(const char *keep, const struct frame *frame, const char *sender,
		  struct str bytes);

#endif
