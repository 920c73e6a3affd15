/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running a command and recording its calls, in the program or in the kernel. */
#ifndef CLI_RECORDER_H
#define CLI_RECORDER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/attr.h"

struct call_log;
struct call_tree;
struct diag;
struct profile;
struct settings;

/* The caller's. */
struct recorded {
	struct profile *profile;
	struct call_log *calls; /* NULL without --calls */
	struct call_tree *tree; /* NULL without --causes */
	uint64_t waited;	/* times that its threads waited for us */
	int status;		/* of the command, as a shell has it: 128 + signal */
};

/* Runs the command (argv ends with NULL) as the settings say: --interval, --resolution,
 * --by, --functions, --causes, --subtract-overhead, --calls, --kernel. False when nothing was
 * recorded. */
MUST_CHECK bool record_command(struct recorded *ret, char *const *argv, const struct settings *s,
			       struct diag *diag);
/* The same with bpftrace. */
MUST_CHECK bool record_in_kernel(struct recorded *ret, char *const *argv, const struct settings *s,
				 struct diag *diag);

/* --- of both ------------------------------------------------------------------------- */

/* Signals are held back from before a child is started until its end is waited for. */
struct held_signals {
	sigset_t before;
	struct sigaction child_before;
};
void signals_hold(struct held_signals *h);
void signals_release(const struct held_signals *h); /* in the child, too */

/* Waits for the child, handing on to it what asks us to end. Every `seconds`, unless 0,
 * calls tick(). Gives its status as waitpid() does. */
int wait_for_command(pid_t child, double seconds, void (*tick)(void *ctx), void *ctx);

/* As a shell has it; notes when a signal ended the command. */
int status_of(int status, const char *name, struct diag *diag);

#endif
