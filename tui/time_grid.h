/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Within tui/: time as steps of equal length, so that intervals keep their place, and intervals in
 * which an operation was not called stay empty. */
#ifndef TUI_TIME_GRID_H
#define TUI_TIME_GRID_H

#include "profile/time_words.h"
#include "tui/state.h"

/* The steps of both sides, each from its own beginning on. */
struct time_grid {
	double start[N_SIDES]; /* of the first interval of any operation */
	double step[N_SIDES];  /* usual length of an interval, the same for both sides unless one
				* has numbers of intervals */
	bool spread[N_SIDES];  /* its intervals are not as long as steps: spread them over steps */
	size_t n;	       /* steps of the longer side; 0: nothing was sampled in time */
	struct time_words words[N_SIDES];
};

/* Returns the grid for an operation. */
struct time_grid time_grid_of(const struct tui *t, const struct item *i);
/* Returns the step in which an interval begins. */
size_t time_grid_step(const struct time_grid *g, enum side side, const struct interval *v);
/* Returns the first interval of an operation that begins in a step; NULL: none. */
const struct interval *time_grid_interval(const struct time_grid *g, enum side side,
					  const struct operation *op, size_t step);
#endif
