/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The command of --on-alarm.  It runs without a shell and reads the alarm as a line of JSON from
 * its standard input.  Names from profiles are never arguments.
 */
#ifndef WATCH_HOOK_H
#define WATCH_HOOK_H

#include "watch/loop.h"

struct hook;

enum { HOOK_EACH_HOUR = 6, HOOK_SECONDS = 10 };

/* Splits the command at blanks.  NULL: it has no word. */
struct hook *hook_new(struct loop *l, const char *command,
		      void (*report)(void *ctx, const char *message), void *ctx);
void hook_free(struct hook *h); /* NULL is fine */
void hook_run(struct hook *h, struct str json);
/* Waits until a running command ends.  After its HOOK_SECONDS it is killed, and this is reported.
 */
void hook_finish(struct hook *h);

#endif
