/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running a command under bpftrace. */
#ifndef RECORD_TRACER_H
#define RECORD_TRACER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "record/waiting.h"

struct out;

/* A command to be run under bpftrace, and what is called while it runs. */
struct trace {
	char *const *argv;
	const char *script;	    /* the file in collect/ that says what is traced */
	const char *more;	    /* clauses to add; NULL: none */
	bool prints_lines;	    /* as it goes, not only maps at the end: all are waited for */
	void (*prepare)(void *ctx); /* called in the child; NULL: there is nothing to do */
	void (*begin)(void *ctx);   /* called when the command is about to begin; NULL */
	void *ctx;
	double seconds; /* tick() is called every so often, unless 0 */
	void (*tick)(void *ctx);
	void *tick_ctx;
	const struct held_signals *held;
};

/* What a traced command left; the caller frees the text. */
struct traced {
	int status; /* of the command, as waitpid() gives it */
	char *text; /* on the heap: what bpftrace printed since the command began */
	size_t n;
};

/* False when it could not be run or traced. */
MUST_CHECK bool trace_command(struct traced *ret, const struct trace *t, struct diag *diag);

#endif
