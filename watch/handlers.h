/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plug-in handlers, which receive each interval and each alarm in processes of their own. */
#ifndef WATCH_HANDLERS_H
#define WATCH_HANDLERS_H

#include "analyze/watch/watch.h"
#include "plugin/handler.h"
#include "watch/loop.h"
#include "watch/store/store.h"

struct handlers;

struct handlers_options {
	const char *program;	 /* osprof-plugin-host */
	char *const *path;	 /* of n plug-ins, checked */
	const char *const *name; /* of these, as the user typed them */
	size_t n;
	char *const *source; /* names of n_sources sources, which handlers may send messages to */
	size_t n_sources;
	void (*report)(void *ctx, const char *name, const char *message);
	void *ctx;
};

/* Starts the handlers.  Borrows the options; handlers_free() ends the handlers. */
struct handlers *handlers_new(struct loop *l, const struct handlers_options *options);
void handlers_free(struct handlers *h); /* NULL is fine */

/* Sends an interval to all handlers. */
void handlers_interval(struct handlers *h, const struct profile *p, struct span span);
/* Sends an alarm to all handlers. */
void handlers_alarm(struct handlers *h, const struct watch_event *e, double time);
/* Sends the end, and waits until the handlers have taken all events, at most `seconds` for each. */
void handlers_end(struct handlers *h, double seconds);

#endif
