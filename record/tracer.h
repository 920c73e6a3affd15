/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a command under bpftrace. */
#ifndef RECORD_TRACER_H
#define RECORD_TRACER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "record/waiting.h"

struct out;

/* A command to be run under bpftrace, and callbacks while it runs. */
struct trace {
	char *const *argv;
	const char *script; /* name of the bpftrace script in collect/ */
	const char *more;   /* clauses to add to the script; NULL: none */
	bool prints_lines;  /* the script prints lines as events occur: wait for all of them */
	void (*prepare)(void *ctx); /* called in the child before exec; or NULL */
	void (*begin)(void *ctx);   /* called just before the command begins; or NULL */
	void *ctx;
	double seconds; /* period of tick(); 0: never called */
	void (*tick)(void *ctx);
	void *tick_ctx;
	const struct held_signals *held;
};

/* The results of a traced command; the caller frees the text. */
struct traced {
	int status; /* of the command, as returned by waitpid() */
	char *text; /* on the heap: the output of bpftrace since the command began */
	size_t n;
};

/* Runs the command; false when it could not be run or traced, which was reported. */
MUST_CHECK bool trace_command(struct traced *ret, const struct trace *t, struct diag *diag);

#endif
