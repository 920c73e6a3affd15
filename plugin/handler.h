/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a plug-in's handler in a process of its own and sends it events.
 *
 * Nothing here blocks but handler_finish(). A handler that crashes or takes longer than
 * HANDLER_SECONDS (10) for an event is reported, and restarted after 1, 2, 4 ... 300 s; the
 * event that it was handling is not sent again. Events queue up while the handler is busy, up to
 * HANDLER_QUEUE bytes; then new ones are dropped, and their number is reported.
 *
 * Call handler_step() periodically, more often while handler_has_output().
 */
#ifndef PLUGIN_HANDLER_H
#define PLUGIN_HANDLER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/str.h"

enum { HANDLER_SECONDS = 10, HANDLER_QUEUE = 64 << 20 };

/* Callbacks, made from handler_step() and handler_finish(). */
struct handler_calls {
	/* The handler sends a message, of any bytes, to a source or to "log". */
	void (*send)(void *ctx, const char *to, const void *bytes, size_t n);
	/* The handler failed; a message for the user: "crashed (signal 11)". */
	void (*report)(void *ctx, const char *message);
	void *ctx;
	double seconds; /* time limit for an event; 0: HANDLER_SECONDS */
};

struct handler;
struct out;

/* `program`: the path of osprof-plugin-host; `path`: the plug-in's, checked by plugin_find(). Both
 * are copied. The first handler_step() starts the process. */
struct handler *handler_new(const char *program, const char *path,
			    const struct handler_calls *calls);
void handler_free(struct handler *h); /* kills the process */

/* Queues an event, OSPROF_PROFILE ... of plugin/plugin.h. `object`: a flat JSON object on one
 * line; `profile`: text of osprof(5), or empty. */
void handler_post(struct handler *h, int kind, struct str object, struct str profile);

/* Add a member to an event's object, which begins with {. A number that is not finite is left
 * out. */
void handler_put_text(struct out *object, const char *key, struct str text);
void handler_put_number(struct out *object, const char *key, double v);

/* Reads, writes, starts and ends the process, as far as possible without blocking. */
void handler_step(struct handler *h);
/* Whether the process is idle while events are queued. */
bool handler_has_output(const struct handler *h);

/* Waits for at most so many seconds until the handler has handled all events and ended. Returns
 * false, after a report, if it took longer, refused to work, or failed twice in a row. */
bool handler_finish(struct handler *h, double seconds);

#endif
