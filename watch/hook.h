/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A command that is run with each alarm: without a shell, the alarm as a line of JSON on its
 * standard input.  Nothing out of the data is ever an argument.
 */
#ifndef WATCH_HOOK_H
#define WATCH_HOOK_H

#include "watch/loop.h"

struct hook;

enum { HOOK_EACH_HOUR = 6, HOOK_SECONDS = 10 };

/* Words of the command are separated by blanks.  NULL: there is no word. */
struct hook *hook_new(struct loop *l, const char *command,
		      void (*report)(void *ctx, const char *message), void *ctx);
void hook_free(struct hook *h); /* NULL is fine */
void hook_run(struct hook *h, struct str json);
/* At the end: waits for a command that still runs, until its HOOK_SECONDS are over.  Then it is
 * ended, which is reported. */
void hook_finish(struct hook *h);

#endif
