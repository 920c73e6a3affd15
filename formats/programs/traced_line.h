/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Within the readers of strace and ltrace: parsing a line, and joining broken lines. */
#ifndef FORMATS_PROGRAMS_TRACED_LINE_H
#define FORMATS_PROGRAMS_TRACED_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* The kind of a line. */
enum traced_kind {
	TRACED_OTHER,	/* not a call: a signal, an exit, output of a program */
	TRACED_CALL,	/* a call with its duration */
	TRACED_BEGUN,	/* a call whose end is on another line, or missing */
	TRACED_NEVER,	/* "= ?": a call that does not return */
	TRACED_UNTIMED, /* a call that returned, without a duration */
};

/* A parsed line; strings are borrowed from it. */
struct traced {
	enum traced_kind kind;
	bool resumed;
	bool is_rest;	   /* the rest of a broken line, which has no name */
	struct str leader; /* process and times before the call */
	struct str name;
	struct str duration; /* digits and a point, in seconds */
	struct str after_name;
};

/* Parses a line; reports no errors. */
struct traced traced_parse(struct str line);

/* --- broken lines ---------------------------------------------------------------------- */

/* On a terminal, "strace: Process 12 attached" and output of programs may appear in the middle of
 * a line of the tracer, mostly in the arguments of a call.  That line ends there; its rest is on
 * the next line, or after more such output. */
struct broken {
	char name[256];
	size_t n; /* length of name; 0: no call waits for its rest */
	bool resumed;
	uint64_t block; /* block whose end it is; with n 0, the block is just other output */
};

/* Stores a line that begins a call without ending it, and completes a rest by the stored line;
 * false when t is a rest but no line is stored. */
bool traced_mend(struct broken *b, struct traced *t);

#endif
