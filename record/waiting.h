/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits for a command, and forwards signals to it. */
#ifndef RECORD_WAITING_H
#define RECORD_WAITING_H

#include <signal.h>
#include <sys/types.h>

struct diag;

/* The previous signal mask and SIGCHLD action, saved by signals_hold(). */
struct held_signals {
	sigset_t before;
	struct sigaction child_before;
};
/* Blocks SIGCHLD and the signals that end a program, from before the child is started until it has
 * been waited for. */
void signals_hold(struct held_signals *h);
void signals_release(const struct held_signals *h); /* also called in the child */

/* Waits for the child, and forwards signals that ask this program to end. Calls tick() every
 * `seconds`, unless 0. Returns the status as waitpid(). */
int wait_for_command(pid_t child, double seconds, void (*tick)(void *ctx), void *ctx);

/* Returns the status as in a shell; reports when a signal ended the command. */
int status_of(int status, const char *name, struct diag *diag);

#endif
