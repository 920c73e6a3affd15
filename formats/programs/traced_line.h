/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Within the readers of strace and ltrace: one of their lines, and lines that are broken. */
#ifndef FORMATS_PROGRAMS_TRACED_LINE_H
#define FORMATS_PROGRAMS_TRACED_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* What a line of a tracer holds. */
enum traced_kind {
	TRACED_OTHER,	/* no call: a signal, an exit, what a program printed */
	TRACED_CALL,	/* with its duration */
	TRACED_BEGUN,	/* its end stands elsewhere, or nowhere */
	TRACED_NEVER,	/* "= ?": it does not return */
	TRACED_UNTIMED, /* it has returned, but no duration is given */
};

/* A line taken apart; strings are borrowed from it. */
struct traced {
	enum traced_kind kind;
	bool resumed;
	bool is_rest;	   /* of a line that something was printed into: it has no name */
	struct str leader; /* process and times, as they stand before the call */
	struct str name;
	struct str duration; /* of a call: digits and a point, in seconds */
	struct str after_name;
};

/* Takes a line apart; nothing is reported here. */
struct traced traced_parse(struct str line);

/* --- lines that something was printed into ------------------------------------------ */

/* On a terminal, "strace: Process 12 attached" and what programs print stand where the tracer
 * just is, mostly in the arguments of a call: its line ends there, and the rest of it is the
 * next line, or comes after what else was printed. */
struct broken {
	char name[256];
	size_t n; /* 0: no call waits for its rest */
	bool resumed;
	uint64_t block; /* that it stands at the end of; with n 0, nothing but what was printed */
};

/* A line that began a call and did not end it is kept, and goes on with the rest: false where
 * there is nothing that this could be the rest of. */
bool traced_mend(struct broken *b, struct traced *t);

#endif
