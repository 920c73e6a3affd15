/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waiting for a command as a good parent: what it waits with, and how the command ended. */
#ifndef RECORD_WAITING_H
#define RECORD_WAITING_H

#include <signal.h>
#include <sys/types.h>

struct diag;

/* Signals are held back from before a child is started until its end is waited for. */
struct held_signals {
	sigset_t before;
	struct sigaction child_before;
};
/* Holds back the signals that end a command, until signals_release(). */
void signals_hold(struct held_signals *h);
void signals_release(const struct held_signals *h); /* in the child, too */

/* Waits for the child, handing on to it what asks us to end. Every `seconds`, unless 0,
 * calls tick(). Gives its status as waitpid() does. */
int wait_for_command(pid_t child, double seconds, void (*tick)(void *ctx), void *ctx);

/* As a shell has it; notes when a signal ended the command. */
int status_of(int status, const char *name, struct diag *diag);

#endif
