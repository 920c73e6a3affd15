/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the command line says of causes. */
#ifndef CLI_CAUSING_H
#define CLI_CAUSING_H

#include "analyze/causes.h"
#include "cli/amount.h"
#include "profile/call_grow.h"

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
	unsigned sections; /* bits of enum causes_section; 0: all */
};

/* No option given. */
extern const struct causing causing_none;
/* Values of --method, in the order of enum cause_method, then NULL. */
extern const char *const cause_methods[];
/* Values of --section, in the order of enum causes_section, then NULL. */
extern const char *const causes_sections[];

/* What is no choice among words; NULL when the argument was taken, else what was expected.
 * `id`: an enum option_id. */
const char *take_causing(struct causing *c, int id, const char *arg);

#endif
