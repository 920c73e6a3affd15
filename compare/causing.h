/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which calls of a trace are asked about, and how. */
#ifndef COMPARE_CAUSING_H
#define COMPARE_CAUSING_H

#include "analyze/causes.h"
#include "profile/call_grow.h"

/* The question that `osprof causes` asks, and how trees are made for it. */
struct causing {
	const char *function, *task, *within, *interrupt;
	struct cause_question question;
	struct cause_rules rules;
	struct call_link link;
	bool unfold;
	bool exact;	/* the function is a name, not a pattern */
	unsigned depth; /* of the tree that is shown; 0: all of it */
	int64_t overhead;
	bool overhead_auto;
	uint64_t decision;
	bool no_maxcounts; /* nothing shows them: they need not be counted */
	unsigned sections; /* bits of enum causes_section; 0: all */
};

/* Nothing is said. */
extern const struct causing causing_none;

#endif
