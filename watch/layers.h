/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Layers of what a source prints in parts.
 *
 * Of a capture with a single map its name is no layer, of one with several it is.  What is read of
 * a source at a time may hold one map or several, as it comes, and an operation has to be the same
 * in all of them.
 */
#ifndef WATCH_LAYERS_H
#define WATCH_LAYERS_H

#include "profile/profile.h"

/* Of one source; all zero at first.  layers_release() frees it. */
struct layers {
	char *lone; /* that was alone at first, and is not named; NULL: none */
	bool known;
};

void layers_release(struct layers *l);
/* Names the layers of a profile, of which `lone` was left out as the only one: one that was the
 * only one at first stays without its name when there are others. */
void layers_settle(struct layers *l, struct profile *p, struct str lone);

#endif
