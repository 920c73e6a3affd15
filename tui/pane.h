/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Within tui/: one operation in a pane: its numbers, its histograms, what changed. */
#ifndef TUI_PANE_H
#define TUI_PANE_H

#include "tui/state.h"

/* What an operation's histograms are drawn from. */
struct pane {
	struct arena *arena;
	struct chart chart;
	struct peaks peaks[N_SIDES];
	struct plot plot;
};

/* `slice` and `zoom` as of chart_of(). */
struct pane pane_of(struct arena *a, const struct tui *t, const struct item *i,
		    const struct histogram *const slice[N_SIDES], struct zoom zoom,
		    const struct canvas *c);

/* Layer and name in one line.  A layer that does not fit next to its operation is left out, or
 * shortened to its end. */
void pane_operation(struct canvas *c, const struct operation *op, enum face face, bool shorten);
void pane_plot(struct canvas *c, struct pane *p);
/* Name, verdict, calls, mean, total; returns the row after. */
unsigned pane_heading(struct canvas *c, const struct tui *t, const struct item *i);
/* What happened to it, in sentences; one run: what there is to know of it. */
void pane_story(struct out *o, const struct tui *t, const struct item *i);
/* All three, as room allows. */
void pane_draw(struct canvas *c, const struct tui *t, const struct item *i);

/* "bucket 9: 512-1024 ns  before 12  after 3". */
void pane_bucket(struct out *o, const struct chart *c, size_t column);

/* The face in which a verdict is drawn. */
enum face pane_verdict_face(enum verdict v);

#endif
