/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a builder finds out of how its input was printed, and no profile holds: only who reads a
 * collector's output in parts asks for it, while they are read.
 */
#ifndef PROFILE_PRINTING_H
#define PROFILE_PRINTING_H

#include <stdbool.h>

#include "base/str.h"

struct printing {
	bool cleared, cumulative; /* what the format says of several prints; neither: nothing */
	bool several;		  /* intervals are prints */
	/* The only layer, which is left out where there are no others; borrowed from the profile,
	 * empty without one. */
	struct str lone_layer;
};

/* From now on builders of this thread write what they find to `to`, borrowed; NULL: nobody asks. */
void printing_listen(struct printing *to);
/* For builders: where to write; never NULL. */
struct printing *printing_found(void);

#endif
