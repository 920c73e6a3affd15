/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The event loop: descriptors, timers, children, signals.  watch/loop.c alone knows libuv.
 *
 * Everything happens in one thread.  What a handle belongs to is detected by `ctx`.
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

/* NULL: the system has no room for one. */
struct loop *loop_new(void);
/* Closes what is open, ends children: within two seconds, or they are killed. */
void loop_free(struct loop *l);
/* Until loop_stop(). */
void loop_run(struct loop *l);
void loop_stop(struct loop *l);

/* Calls on SIGTERM and SIGINT. */
void loop_on_signal(struct loop *l, void (*call)(void *ctx), void *ctx);

/* Calls when the descriptor can be read (or, `connecting`, written to once).  A file that is
 * no pipe, socket or terminal always can.  loop_unread() does not close it.  NULL: no room. */
struct loop_read *loop_read(struct loop *l, int fd, bool connecting, void (*call)(void *ctx),
			    void *ctx);
void loop_unread(struct loop_read *r);

/* Once, after so many seconds; a timer is free to be set again from its call. */
struct loop_timer *loop_timer(struct loop *l, void (*call)(void *ctx), void *ctx);
void loop_timer_set(struct loop_timer *t, double seconds);
void loop_timer_free(struct loop_timer *t);

/* What a child prints, piece by piece, and how it ended, once all was read: its status, or
 * minus the number of a signal. */
struct child_calls {
	void (*bytes)(void *ctx, const char *bytes, size_t n); /* NULL: its output is ours */
	void (*ended)(void *ctx, int64_t status);
};
/* Runs argv, which is NULL-terminated, in a session of its own, with these bytes on its
 * standard input.  NULL, and errno, where it cannot be run. */
MUST_CHECK struct loop_child *loop_child(struct loop *l, const char *const *argv, struct str input,
					 const struct child_calls *calls, void *ctx);
void loop_child_kill(struct loop_child *c, int signal); /* it, and what it started */
/* Waits for it without running the loop, so that nothing else is read meanwhile.  False: it still
 * runs after so many seconds.  True: its status, or minus the number of a signal. */
MUST_CHECK bool loop_child_wait(struct loop_child *c, double seconds, int64_t *ret_status);
/* Its calls come no longer; where it still runs it gets SIGTERM, and SIGKILL with loop_free(). */
void loop_child_free(struct loop_child *c);

double loop_now(void);	 /* seconds since 1970 */
double loop_since(void); /* seconds of a clock that nobody sets */

#endif
