/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of the browser: the list, the history of views, the open prompt or menu. */
#ifndef TUI_STATE_H
#define TUI_STATE_H

#include "base/diag.h"
#include "canvas/canvas.h"
#include "tui/chart.h"
#include "tui/keymap.h"
#include "tui/list.h"
#include "tui/messages.h"
#include "tui/plot.h"
#include "tui/prompt.h"
#include "tui/viewport.h"
#include "tui/views/view.h"

struct call_tree;
struct cause_study;
struct value_study;

/* Requests to change which intervals of a watched run are shown. */
enum tui_follow {
	TUI_FOLLOW_PAUSE, /* keep the current ones until the next such request */
	TUI_FOLLOW_EARLIER,
	TUI_FOLLOW_LATER,
	TUI_FOLLOW_FEWER, /* compare fewer of the last intervals */
	TUI_FOLLOW_MORE,
};

/* The services of the host.  Each function may be NULL: the browser then says that it is not
 * available.  Functions that can fail return false and write the reason to `why`. */
struct tui_host {
	void *ctx;
	/* Writes text to a new file. */
	bool (*save)(void *ctx, const char *path, struct str text, struct out *why);
	/* Draws a figure of an operation, and writes its script to the same folder. */
	bool (*figure)(void *ctx, const struct item *i, const char *path, struct out *why);
	/* Reads the call trees of an operation; *ret_before is NULL for one run. */
	bool (*trees)(void *ctx, const struct item *i, struct call_tree **ret,
		      struct call_tree **ret_before, struct out *why);
	/* Returns the run (the one after, of two) with the histograms of its call trees, which the
	 * caller frees; NULL when it has no trees or cannot be read again. */
	struct profile *(*functions)(void *ctx);
	/* Reads the recorded variables of each call of the run (the one after, of two). */
	bool (*values)(void *ctx, struct value_study **ret, struct out *why);
	/* Saves the annotations next to the run. */
	bool (*keep_annotations)(void *ctx, const struct annotations *r, struct out *why);
	/* Whether a file has changed since it was read. */
	bool (*has_changed)(void *ctx);
	/* Reads all files again.  The old data stay valid until `settled` is called. */
	bool (*reload)(void *ctx, struct browsed *ret, struct messages *log);
	void (*settled)(void *ctx);
	bool (*copy)(void *ctx, struct str text, struct out *why); /* to the clipboard */
	/* Changes which intervals of a watched run are shown; describes them in `say`. */
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

	struct view visited[MAX_VISITED]; /* history of views; `at` is the current one */
	size_t n_visited, at;

	/* What is said about the current operation below the ranking. */
	struct {
		const struct item *of;
		struct viewport viewport;
		bool focused; /* keys scroll it instead of moving in the list */
	} words;

	/* Settings of the charts in all views. */
	struct plot plot;
	enum weight weight;
	struct zoom zoom;

	struct prompt prompt;
	enum { ASK_NOTHING, ASK_SEARCH, ASK_FILTER, ASK_NOTE, ASK_PATH, ASK_COMMAND } asked;
	const struct item *search_from;
	char *filtered;	   /* the filter before it was edited; on the heap */
	char *searched;	   /* text that n and N search for; on the heap, NULL: none yet */
	struct menu *menu; /* NULL: none is open */
	unsigned exported; /* enum export: what is written to the path being asked for */
	struct messages messages;

	/* Status of the watched run, as passed to tui_set_status(); empty: none. */
	char status[400];
	unsigned rows, cols; /* size of the last canvas */
	bool mouse, stale, done;

	/* Causes of the operation they were last shown for; study is NULL, with the reason, when
	 * they could not be read. */
	struct {
		const struct item *of;
		struct cause_study *study;
		char why[512];
	} causes;
	/* The result of the host's functions(), once it was needed; NULL when the run has no trees
	 * or could not be read. */
	struct {
		bool tried;
		struct profile *profile;
	} functions;
	/* The result of the host's values(), once it was needed; NULL, with the reason, when the
	 * run could not be read. */
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
/* Does what a key would; false when the browser is to end. */
bool tui_act(struct tui *t, enum action a);
void tui_forget_causes(struct tui *t);
void tui_forget_functions(struct tui *t);
void tui_forget_values(struct tui *t);
void tui_say(struct tui *t, enum severity severity, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Has the host read all files again and shows the result; the selection stays.  False, after a
 * message, when it failed. */
bool tui_reload(struct tui *t);

#endif
