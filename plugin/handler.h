/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A handler of a plug-in, in its process, seen from the program that has results.
 *
 * Nothing here waits but handler_finish(). A handler that crashes or takes longer than
 * HANDLER_SECONDS (10) for an event is reported, and started again after 1, 2, 4 ... 300 s; the
 * event that it had is not given to it again. Events that it is too slow for wait, up to
 * HANDLER_QUEUE bytes; then new ones are dropped, and their number is reported.
 *
 * handler_step() is called now and then, more often while handler_has_output().
 */
#ifndef PLUGIN_HANDLER_H
#define PLUGIN_HANDLER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/str.h"

enum { HANDLER_SECONDS = 10, HANDLER_QUEUE = 64 << 20 };

/* All that comes of it; called from handler_step() and handler_finish(). */
struct handler_calls {
	/* A message to a source, or to "log". Any bytes. */
	void (*send)(void *ctx, const char *to, const void *bytes, size_t n);
	/* What went wrong, for people: "crashed (signal 11)". */
	void (*report)(void *ctx, const char *message);
	void *ctx;
	double seconds; /* that an event may take; 0: HANDLER_SECONDS */
};

struct handler;
struct out;

/* `program`: osprof-plugin-host; `path`: of the plug-in, checked (plugin_find()). Both are
 * copied. It is started with the first step. */
struct handler *handler_new(const char *program, const char *path,
			    const struct handler_calls *calls);
void handler_free(struct handler *h); /* ends its process at once */

/* An event, OSPROF_PROFILE ... of plugin/plugin.h: a flat JSON object on one line, and a
 * profile as text of osprof(5), or nothing. */
void handler_post(struct handler *h, int kind, struct str object, struct str profile);

/* Adds a member to that object, of which the { is there. */
void handler_put_text(struct out *object, const char *key, struct str text);
void handler_put_number(struct out *object, const char *key, double v); /* not finite: nothing */

/* Reads, writes, starts and ends its process, as far as can be done at once. */
void handler_step(struct handler *h);
/* Whether its process runs, and has no event while some wait for it. */
bool handler_has_output(const struct handler *h);

/* Waits until it has taken all events and has left, for so many seconds at most. False where
 * it did not: it took longer, or failed twice without being done with an event; which was reported.
 */
bool handler_finish(struct handler *h, double seconds);

#endif
