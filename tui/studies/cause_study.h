/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The causes of one operation as the browser shows them: the chosen peak, and the open nodes of
 * the tree.
 *
 * The trees stay loaded: choosing another peak sums over their cells without reading files.
 */
#ifndef TUI_STUDIES_CAUSE_STUDY_H
#define TUI_STUDIES_CAUSE_STUDY_H

#include "analyze/causes/causes.h"

/* A line of the tree. */
struct cause_row {
	uint32_t node;
	unsigned level;
};

/* The causes of one operation, and what is shown of them; cause_study_free() frees it. */
struct cause_study {
	struct call_tree *tree, *base; /* base NULL: one run */
	struct peaks peaks, base_peaks;
	struct histogram hist, base_hist;
	struct causes causes;
	size_t peak; /* the chosen peak, from 1; 0: all calls */
	bool turned; /* the two sides of the comparison are swapped */

	struct cause_row *row; /* visible nodes, each below its parent */
	size_t n_rows;

	/* Private. */
	size_t cap_rows;
	bool *open;
	struct arena *arena, *now; /* now: holds the results for the chosen peak */
};

/* Takes ownership of the trees; `before` is NULL for one run.  Returns NULL without calls. */
struct cause_study *cause_study_new(struct call_tree *tree, struct call_tree *before);
void cause_study_free(struct cause_study *s); /* NULL is fine */

/* Chooses the next or previous peak; false when there is none. */
bool cause_study_step(struct cause_study *s, bool forward);
/* Swaps the two sides of the comparison; false when the other side has no calls. */
bool cause_study_turn(struct cause_study *s);
/* Opens or closes the node of a line. */
void cause_study_toggle(struct cause_study *s, size_t row);
bool cause_study_is_open(const struct cause_study *s, uint32_t node);

#endif
