/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The event loop: descriptors, timers, children, signals.  Only watch/loop.c knows libuv.
 *
 * All callbacks run in the thread of loop_run(), and receive the `ctx` of their registration.
 */
#ifndef WATCH_LOOP_H
#define WATCH_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/str.h"

struct loop;
struct loop_read;
struct loop_timer;
struct loop_child;

/* NULL: out of resources. */
struct loop *loop_new(void);
/* Closes all handles and ends children; those that still run after two seconds are killed. */
void loop_free(struct loop *l);
/* Runs until loop_stop(). */
void loop_run(struct loop *l);
void loop_stop(struct loop *l);

/* Registers the callback of SIGTERM and SIGINT. */
void loop_on_signal(struct loop *l, void (*call)(void *ctx), void *ctx);

/* Calls back when the descriptor is readable or, if `connecting`, once when it is writable.  A
 * regular file is always readable.  loop_unread() does not close it.  NULL: out of resources. */
struct loop_read *loop_read(struct loop *l, int fd, bool connecting, void (*call)(void *ctx),
			    void *ctx);
void loop_unread(struct loop_read *r);

/* A timer that fires once after loop_timer_set(), and can be set again from its callback. */
struct loop_timer *loop_timer(struct loop *l, void (*call)(void *ctx), void *ctx);
void loop_timer_set(struct loop_timer *t, double seconds);
void loop_timer_free(struct loop_timer *t);

/* Callbacks for the output of a child, and for its end after all output was read.  `status` is its
 * exit status, or minus the number of the signal that ended it. */
struct child_calls {
	void (*bytes)(void *ctx, const char *bytes, size_t n); /* NULL: it inherits our output */
	void (*ended)(void *ctx, int64_t status);
};
/* Runs argv, which is NULL-terminated, in a new session with `input` on its standard input.
 * NULL: it cannot be run, see errno. */
MUST_CHECK struct loop_child *loop_child(struct loop *l, const char *const *argv, struct str input,
					 const struct child_calls *calls, void *ctx);
void loop_child_kill(struct loop_child *c, int signal); /* and its process group */
/* Waits for a child without running the loop.  False: it still runs after `seconds`.  True sets
 * *ret_status as above. */
MUST_CHECK bool loop_child_wait(struct loop_child *c, double seconds, int64_t *ret_status);
/* Ends its callbacks.  If it still runs it gets SIGTERM now, and SIGKILL with loop_free(). */
void loop_child_free(struct loop_child *c);

double loop_now(void);	 /* seconds since 1970 */
double loop_since(void); /* seconds of the monotonic clock */

#endif
