/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * osprof-tui --watch: compares the newest intervals of a folder with those before them.  For
 * sources other than folders it runs an osprof watch that writes such a folder.
 */
#ifndef BROWSE_WATCH_H
#define BROWSE_WATCH_H

#include "base/attr.h"
#include "base/diag.h"
#include "base/str.h"
#include "program/settings.h"

/* Maximum number of intervals on each side; browse_watch_widen() changes the former. */
enum { WATCH_AFTER = 6, WATCH_BEFORE = 60 };

struct browse_watch;
struct out;

/* Starts watching; NULL when an error was reported.  browse_watch_free() also ends osprof watch. */
MUST_CHECK struct browse_watch *browse_watch_new(const struct settings *s, struct diag *diag);
void browse_watch_free(struct browse_watch *w); /* NULL is fine */

/* Returns settings whose operands are the current intervals; NULL: unchanged since the last call.
 * They are valid until the next ones are returned; those in use, until others are in use. */
const struct settings *browse_watch_next(struct browse_watch *w);
/* Marks these settings, or the last ones returned (NULL), as in use. */
void browse_watch_use(struct browse_watch *w, const struct settings *s);
/* Toggles between staying at the current intervals and following the newest. */
void browse_watch_pause(struct browse_watch *w);
/* Pauses at so many intervals later (below 0: earlier). */
void browse_watch_step(struct browse_watch *w, int by);
/* Compares so many more (below 0: fewer) of the last intervals with those before them. */
void browse_watch_widen(struct browse_watch *w, int by);
/* Returns "6 intervals against the 60 before, to 18:00:10 UTC", for the last settings returned. */
const char *browse_watch_title(const struct browse_watch *w);
/* Writes the current status of the watch for tui_set_status(): from the status file in the folder,
 * else from the times of the intervals alone. */
void browse_watch_status(struct browse_watch *w, struct out *o);
/* What the osprof watch that was started printed: an event in words, or a message. */
struct watch_line {
	struct str text; /* empty: nothing */
	enum severity severity;
};
/* Returns the next one; it is valid until the next call. */
struct watch_line browse_watch_line(struct browse_watch *w);
/* Whether the osprof watch that was started has ended: no more intervals will come. */
bool browse_watch_ended(const struct browse_watch *w);

#endif
