/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Views: what an action does to them, and how they are drawn.
 *
 * `act` never draws and `draw` never changes anything, so that a test can play keys and
 * read a canvas with no terminal in sight.  Most views are documents: they write all
 * they have to say, and the browser shows the part that is scrolled to.
 */
#ifndef TUI_VIEW_H
#define TUI_VIEW_H

#include "tui/canvas.h"
#include "tui/chart.h"
#include "tui/keymap.h"
#include "tui/viewport.h"

struct tui;
struct view;

/* A kind of view: its name and functions. A constant. */
struct view_class {
	const char *name;	  /* in keymaps and the configuration */
	const char *title;	  /* on the first line */
	enum action opens;	  /* the action that opens it */
	bool of_operation;	  /* about the current operation, which the title then names */
	bool of_run;		  /* a list of its own, in which the title tells the place */
	const enum action *hints; /* what the last line reminds of; ends with ACT_NONE */
	/* One of the two.  A document is written from row 0 on as wide as the canvas is;
	 * the number of rows it has comes back, however many the canvas has. */
	unsigned (*write)(const struct view *v, const struct tui *t, struct canvas *c);
	void (*draw)(const struct view *v, const struct tui *t, struct canvas *c);
	/* Before it is drawn at this size; may be NULL. */
	void (*fit)(struct view *v, struct tui *t, unsigned rows, unsigned cols);
	/* False for actions that are not its own; may be NULL. */
	bool (*act)(struct view *v, struct tui *t, enum action a);
	/* A mouse button went down there, counted within the view; may be NULL. */
	void (*click)(struct tui *t, unsigned row, unsigned col);
};

/* One view that was opened, with where its cursor is. */
struct view {
	const struct view_class *cls;
	struct viewport viewport; /* lines of a document or of the view's list */
	size_t column, left;	  /* what the cursor is on sideways, the first that is seen */
	int mode;		  /* which of its own ways to show things */
	bool opened;		  /* timeline: the interval under the cursor is drawn, too */
};

/* The views, one for each file view_X.c. */
extern const struct view_class view_ranking, view_histogram, view_peaks, view_distances,
	view_timeline, view_layers, view_similar, view_runs, view_explain, view_causes, view_values,
	view_functions, view_messages, view_help;

const struct view_class *view_class_at(size_t i); /* NULL past the last */

#endif
