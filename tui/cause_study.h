/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The causes of one operation, and what is looked at of them: the peak that is chosen, the
 * nodes of the tree that are open.
 *
 * The trees stay; another peak is a sum over their cells, and reads nothing.
 */
#ifndef TUI_CAUSE_STUDY_H
#define TUI_CAUSE_STUDY_H

#include "analyze/causes.h"

/* A line of the tree. */
struct cause_row {
	uint32_t node;
	unsigned level;
};

/* What is known of one operation's causes, and what of it is seen; cause_study_free() frees it. */
struct cause_study {
	struct call_tree *tree, *base; /* base NULL: one run */
	struct peaks peaks, base_peaks;
	struct histogram hist, base_hist;
	struct causes causes;
	size_t peak; /* from 1; 0: all calls */
	bool turned; /* the calls that are compared with are looked at, against the chosen ones */

	struct cause_row *row; /* nodes that are seen, each below its parent */
	size_t n_rows;

	/* Its own. */
	size_t cap_rows;
	bool *open;
	struct arena *arena, *now; /* now: of the chosen peak */
};

/* Takes the trees; `before` NULL: one run.  NULL when there are no calls. */
struct cause_study *cause_study_new(struct call_tree *tree, struct call_tree *before);
void cause_study_free(struct cause_study *s); /* NULL is fine */

/* To the next peak, or the one before; false when there is none. */
bool cause_study_step(struct cause_study *s, bool forward);
/* To the other side; false when there are no calls to be compared with. */
bool cause_study_turn(struct cause_study *s);
/* Opens a node of a line, or closes it. */
void cause_study_toggle(struct cause_study *s, size_t row);
bool cause_study_is_open(const struct cause_study *s, uint32_t node);

#endif
