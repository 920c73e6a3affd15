/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Within tui/: intervals from left to right, latency upwards, calls as glyphs. */
#ifndef TUI_TIMELINE_MAP_H
#define TUI_TIMELINE_MAP_H

#include "tui/state.h"

enum { TIMELINE_GUTTER = 9 };

/* Which side's calls a map shows. */
enum map_kind { MAP_BOTH, MAP_BEFORE, MAP_AFTER, MAP_DIFFERENCE };

/* A map of calls over time and latency, and the part of it that is seen. */
struct timeline_map {
	enum map_kind kind; /* not MAP_BOTH */
	size_t from;	    /* the first interval seen */
	size_t fold;	    /* intervals in a column, added up */
	size_t cursor;	    /* a column */
};

/* Draws intervals against latency, with the counts as shades. */
void timeline_map_draw(struct canvas *c, const struct tui *t, const struct item *i,
		       const struct timeline_map *m);

#endif
