/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the browser knows: the list, the views on the way here, what is being asked. */
#ifndef TUI_STATE_H
#define TUI_STATE_H

#include "base/diag.h"
#include "tui/canvas.h"
#include "tui/chart.h"
#include "tui/keymap.h"
#include "tui/list.h"
#include "tui/messages.h"
#include "tui/plot.h"
#include "tui/prompt.h"
#include "tui/view.h"

struct call_tree;
struct cause_study;
struct value_study;

/* Of a run that goes on: which of its intervals are shown. */
enum tui_follow {
	TUI_FOLLOW_PAUSE, /* these, until it is asked for again */
	TUI_FOLLOW_EARLIER,
	TUI_FOLLOW_LATER,
	TUI_FOLLOW_FEWER, /* of the last ones that are compared */
	TUI_FOLLOW_MORE,
};

/* Each may be NULL: then the browser says that it cannot be done here. */
struct tui_host {
	void *ctx;
	/* Writes text to a new file; false, with the reason in `why`, when it cannot. */
	bool (*save)(void *ctx, const char *path, struct str text, struct out *why);
	/* Draws a figure of an operation, its script beside it. */
	bool (*figure)(void *ctx, const struct item *i, const char *path, struct out *why);
	/* Reads the trees of an operation's calls; *ret_before NULL: there is one run. */
	bool (*trees)(void *ctx, const struct item *i, struct call_tree **ret,
		      struct call_tree **ret_before, struct out *why);
	/* The run, of two the one after, with histograms as its trees have them; the caller frees
	 * it.  NULL: it has no trees, or cannot be read again. */
	struct profile *(*functions)(void *ctx);
	/* Reads what was recorded of each call of the run, of two the one after. */
	bool (*values)(void *ctx, struct value_study **ret, struct out *why);
	/* Keeps the annotations beside the run; *ret_path is where. */
	bool (*keep_annotations)(void *ctx, const struct annotations *r, struct out *why);
	/* Whether a file has changed since it was read. */
	bool (*has_changed)(void *ctx);
	/* Reads all of it again.  What was loaded before stays until `settled` is called. */
	bool (*reload)(void *ctx, struct browsed *ret, struct messages *log);
	void (*settled)(void *ctx);
	bool (*copy)(void *ctx, struct str text, struct out *why); /* to the clipboard */
	/* Which intervals are shown of a run that goes on; what is shown now goes to `say`. */
	void (*follow)(void *ctx, enum tui_follow what, struct out *say);
	void (*suspend)(void *ctx);
	void (*redraw)(void *ctx);
	void (*mouse)(void *ctx, bool on);
};

enum { MAX_VISITED = 64 };

/* The whole state of the browser; tui_free() frees it, but not the host. */
struct tui {
	struct study *study;
	struct list list;
	struct keymap keys;
	const struct tui_host *host;
	const struct glyphs *glyphs;

	struct view visited[MAX_VISITED]; /* the way here, and beyond */
	size_t n_visited, at;

	/* How charts are drawn, in every view. */
	struct plot plot;
	enum weight weight;
	struct zoom zoom;

	struct prompt prompt;
	enum { ASK_NOTHING, ASK_SEARCH, ASK_FILTER, ASK_NOTE, ASK_PATH } asked;
	const struct item *search_from;
	char *searched;	   /* what n and N look for; on the heap, NULL: nothing yet */
	struct menu *menu; /* NULL: none is open */
	unsigned exported; /* what the path asked for is of */
	struct messages messages;

	/* Of what is watched: parts, each with a newline after it, and before that perhaps a tab
	 * and what it is in short; empty: none. */
	char status[400];
	unsigned rows, cols; /* of the last canvas */
	bool mouse, stale, done;

	/* Of the operation whose causes were looked at last; NULL, with the reason, where they
	 * could not be read. */
	struct {
		const struct item *of;
		struct cause_study *study;
		char why[512];
	} causes;
	/* The run as its functions were counted, once they were asked for; NULL where it has no
	 * trees or could not be read. */
	struct {
		bool tried;
		struct profile *profile;
	} functions;
	/* Of the run, once it was asked for; NULL, with the reason, where it could not be read. */
	struct {
		bool tried;
		struct value_study *study;
		char why[512];
	} values;
};

/* --- for views and actions ------------------------------------------------------------------ */

const struct item *tui_item(const struct tui *t); /* NULL when nothing is listed */
struct view *tui_view(struct tui *t);
void tui_open(struct tui *t, const struct view_class *cls);
void tui_forget_causes(struct tui *t);
void tui_forget_functions(struct tui *t);
void tui_forget_values(struct tui *t);
void tui_say(struct tui *t, enum severity severity, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Has the host read all again, and shows that; the selection stays where it is.  False when it
 * could not, which was said. */
bool tui_reload(struct tui *t);

#endif
