/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Within tui/: one operation in a pane: its numbers, its histograms, what changed. */
#ifndef TUI_PANE_H
#define TUI_PANE_H

#include "tui/state.h"

/* The data for drawing an operation's histograms. */
struct pane {
	struct arena *arena;
	struct chart chart;
	struct peaks peaks[N_SIDES];
	struct plot plot;
};

/* Prepares the data; `slice` and `zoom` are passed to chart_of(). */
struct pane pane_of(struct arena *a, const struct tui *t, const struct item *i,
		    const struct histogram *const slice[N_SIDES], struct zoom zoom,
		    const struct canvas *c);

/* Draws layer and name on one line.  A layer that does not fit is left out, or its front is cut
 * off if `shorten`. */
void pane_operation(struct canvas *c, const struct operation *op, enum face face, bool shorten);
void pane_plot(struct canvas *c, struct pane *p);
/* Draws name, verdict, calls, mean and total; returns the row after them. */
unsigned pane_heading(struct canvas *c, const struct tui *t, const struct item *i);
/* Explains the change of an operation in sentences; for one run, describes it. */
void pane_story(struct out *o, const struct tui *t, const struct item *i);
/* Prints the numbers of a column: "bucket 9: 512-1024 ns  before 12  after 3". */
void pane_bucket(struct out *o, const struct tui *t, const struct chart *c, size_t column);

/* The face in which a verdict is drawn. */
enum face pane_verdict_face(enum verdict v);

#endif
