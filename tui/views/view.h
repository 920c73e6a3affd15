/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Views: how they handle actions, and how they are drawn.
 *
 * `act` never draws and `draw` never changes anything, so that tests can play keys and read a
 * canvas without a terminal.  Most views are documents: they write their whole text, and the
 * browser shows the part that is scrolled to.
 */
#ifndef TUI_VIEWS_VIEW_H
#define TUI_VIEWS_VIEW_H

#include "canvas/canvas.h"
#include "tui/chart.h"
#include "tui/keymap.h"
#include "tui/viewport.h"

struct tui;
struct view;

/* A kind of view: its name and functions; constant. */
struct view_class {
	const char *name;	  /* in keymaps and the configuration */
	const char *title;	  /* on the first line */
	enum action opens;	  /* the action that opens it */
	bool of_operation;	  /* shows the current operation, which the title names */
	bool of_run;		  /* has a list of its own; the title shows the position in it */
	const enum action *hints; /* actions shown on the last line; ends with ACT_NONE */
	/* A view has either write or draw.  `write` writes a document from row 0 on, as wide as
	 * the canvas; it returns the document's number of rows, which may exceed the canvas. */
	unsigned (*write)(const struct view *v, const struct tui *t, struct canvas *c);
	void (*draw)(const struct view *v, const struct tui *t, struct canvas *c);
	/* Prepares for drawing at this size; may be NULL. */
	void (*fit)(struct view *v, struct tui *t, unsigned rows, unsigned cols);
	/* Handles an action; false if it is not one of this view; may be NULL. */
	bool (*act)(struct view *v, struct tui *t, enum action a);
	/* Handles a mouse click; row and col are relative to the view; may be NULL. */
	void (*click)(struct tui *t, unsigned row, unsigned col);
};

/* One opened view, with the position of its cursor. */
struct view {
	const struct view_class *cls;
	struct viewport viewport; /* lines of a document or of the view's list */
	size_t column, left;	  /* cursor column, first visible column */
	int mode;		  /* display mode; each view has its own */
	bool opened;		  /* timeline: also draw the interval under the cursor */
};

/* The views, one for each file view_X.c. */
extern const struct view_class view_ranking, view_histogram, view_peaks, view_distances,
	view_timeline, view_layers, view_similar, view_runs, view_explain, view_causes, view_values,
	view_functions, view_by_run, view_messages, view_help;

const struct view_class *view_class_at(size_t i); /* NULL past the last */

#endif
