/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Within tui/: a map with intervals from left to right, latency upwards, and calls as shades. */
#ifndef TUI_TIMELINE_MAP_H
#define TUI_TIMELINE_MAP_H

#include "tui/time_grid.h"

enum { TIMELINE_GUTTER = 9 };

/* Which side's calls a map shows. */
enum map_kind { MAP_BOTH, MAP_BEFORE, MAP_AFTER, MAP_DIFFERENCE };

/* A map of calls over time and latency, and its visible part. */
struct timeline_map {
	enum map_kind kind; /* not MAP_BOTH */
	const struct time_grid *time;
	size_t from;   /* first visible step */
	size_t fold;   /* steps that are added up in a column */
	size_t cursor; /* column, from the first visible one */
};

/* Draws the map. */
void timeline_map_draw(struct canvas *c, const struct tui *t, const struct item *i,
		       const struct timeline_map *m);

#endif
