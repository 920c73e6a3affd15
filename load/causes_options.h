/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The question of osprof causes: which calls of a trace to examine, and how. */
#ifndef LOAD_CAUSES_OPTIONS_H
#define LOAD_CAUSES_OPTIONS_H

#include "analyze/causes/causes.h"
#include "calls/call_grow.h"

/* The question, and how trees are built for it. */
struct causes_options {
	const char *function, *task, *within, *interrupt;
	struct cause_question question;
	struct cause_rules rules;
	struct call_link link;
	bool unfold;
	bool exact;	/* the function is a name, not a pattern */
	unsigned depth; /* of the tree shown; 0: all of it */
	int64_t overhead;
	bool overhead_auto;
	uint64_t decision;
	bool no_maxcounts; /* do not count the largest contributors: no report shows them */
	unsigned sections; /* bits of enum causes_section; 0: all */
};

/* The defaults. */
extern const struct causes_options causing_none;

#endif
