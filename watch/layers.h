/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Consistent layers for a source that is read piece by piece.
 *
 * The name of a map becomes a layer only if the capture has several maps.  A piece may contain one
 * map or several, but an operation must have the same layer in all pieces.
 */
#ifndef WATCH_LAYERS_H
#define WATCH_LAYERS_H

#include "profile/profile.h"

/* The layers of one source; {} at first, layers_release() frees what it holds. */
struct layers {
	char *lone; /* the map that was alone in the first piece: it is no layer; NULL: none */
	bool known;
};

void layers_release(struct layers *l);
/* Sets the layers of the next piece p.  `lone` is the name of its map if it has only one.  The map
 * that was alone in the first piece gets no layer in later ones either. */
void layers_settle(struct layers *l, struct profile *p, struct str lone);

#endif
