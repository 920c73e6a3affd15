/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * osprof-tui --watch: the newest intervals of a folder against those before them.  Of sources
 * an osprof watch of our own keeps the folder, as long as the browser runs.
 */
#ifndef BROWSE_WATCH_H
#define BROWSE_WATCH_H

#include "base/attr.h"
#include "cli/settings.h"

/* Intervals that are compared, at most; the former unless browse_watch_widen() says otherwise. */
enum { WATCH_AFTER = 6, WATCH_BEFORE = 60 };

struct browse_watch;
struct out;

/* NULL when an error was reported; browse_watch_free() frees it, and ends what it started. */
MUST_CHECK struct browse_watch *browse_watch_new(const struct settings *s, struct diag *diag);
void browse_watch_free(struct browse_watch *w); /* NULL is fine */

/* Settings that name the intervals that are there now, or NULL where these are the same as the
 * last time.  They are valid until the next are given; those in use are until others are. */
const struct settings *browse_watch_next(struct browse_watch *w);
/* These, or the last (NULL), are in use now. */
void browse_watch_use(struct browse_watch *w, const struct settings *s);
/* Stays at the intervals that are shown, or goes on with the newest. */
void browse_watch_pause(struct browse_watch *w);
/* Stays at those that end so many intervals later (below 0: earlier). */
void browse_watch_step(struct browse_watch *w, int by);
/* So many more (below 0: fewer) of the last intervals are compared with those before them. */
void browse_watch_widen(struct browse_watch *w, int by);

/* "6 intervals against 60, to 18:00:10 UTC", of those that were given last. */
const char *browse_watch_title(const struct browse_watch *w);
/* How the watch gets on, now, as tui_set_status() takes it: from what it writes beside the
 * intervals, else by their times alone. */
void browse_watch_status(struct browse_watch *w, struct out *o);
/* The next line that our osprof watch has printed, without its newline; NULL: there is none. */
const char *browse_watch_line(struct browse_watch *w);
/* Whether our osprof watch has ended: no more intervals will come. */
bool browse_watch_ended(const struct browse_watch *w);

#endif
