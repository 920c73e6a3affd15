/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a call of an operation can do, by its name: which characteristic times may explain it. */
#ifndef ANALYZE_CALL_REACH_H
#define ANALYZE_CALL_REACH_H

#include "base/attr.h"
#include "base/str.h"

struct operation;

enum call_reach {
	REACH_MEMORY = 1 << 0,	/* touches or maps pages of the program */
	REACH_WAIT = 1 << 1,	/* may sleep until something happens */
	REACH_PROCESS = 1 << 2, /* makes a process, or waits for one */
	REACH_TIMER = 1 << 3,	/* may sleep for a time that it is given */
	REACH_DISK = 1 << 4,	/* may reach a file system */
	REACH_NETWORK = 1 << 5, /* may reach a network */
	REACH_ANYTHING = (1 << 6) - 1,
};

/* Returns bits of enum call_reach: of a system call or block request, what it can do; of anything
 * else, REACH_ANYTHING. */
unsigned call_reach_of(const struct operation *op);
/* Parses "disk"; false when there is no kind of that name. */
MUST_CHECK bool call_reach_parse(struct str name, unsigned *ret);

#endif
