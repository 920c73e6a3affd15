/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Handlers of plug-ins that are told each interval and each alarm, in processes of their own. */
#ifndef WATCH_HANDLING_H
#define WATCH_HANDLING_H

#include "analyze/watch.h"
#include "plugin/handler.h"
#include "watch/loop.h"
#include "watch/store.h"

struct handling;

/* Which handlers of plug-ins are given the intervals of a watch. */
struct handling_options {
	const char *program;	 /* osprof-plugin-host */
	char *const *path;	 /* n of them: plug-ins, checked */
	const char *const *name; /* of them, as typed */
	size_t n;
	char *const *source; /* n_sources names: what a handler may send to */
	size_t n_sources;
	void (*report)(void *ctx, const char *name, const char *message);
	void *ctx;
};

/* The options are borrowed.  handling_free() frees it and ends the handlers. */
struct handling *handling_new(struct loop *l, const struct handling_options *options);
void handling_free(struct handling *h); /* NULL is fine */

/* Gives an interval to all handlers. */
void handling_interval(struct handling *h, const struct profile *p, struct span span);
/* Gives an alarm to all handlers. */
void handling_alarm(struct handling *h, const struct watch_event *e, double time);
/* The last event; waits until they have taken all, at most so many seconds each. */
void handling_end(struct handling *h, double seconds);

#endif
