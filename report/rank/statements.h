/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What osprof says of an operation of a comparison: the facts of analyze/rank/facts.h in words.
 *
 * Every output says these statements, and no others, of an operation.
 */
#ifndef REPORT_RANK_STATEMENTS_H
#define REPORT_RANK_STATEMENTS_H

#include <stddef.h>

#include "base/str.h"

struct arena;
struct comparison;
struct jout;
struct operation;
struct out;
struct quantile_list;
struct ranked;
struct run;

enum { MAX_STATEMENTS = 6 };

/* Sentences without capitals and full stops, the most important one first. */
struct statements {
	struct str v[MAX_STATEMENTS];
	size_t n;
};

/* Returns what is said of an operation; the text lies in the arena. */
struct statements statements_of(struct arena *a, const struct comparison *c,
				const struct ranked *r);
/* Returns what is said of an operation of one run. */
struct statements statements_of_operation(struct arena *a, const struct run *run,
					  const struct operation *op);
/* Prints them as sentences in a row, without the last full stop. */
void say_statements(struct out *o, const struct statements *s);

/* Writes "facts" and "text" of an operation of one run. */
void jout_own_facts(struct jout *j, const struct run *run, const struct operation *op,
		    const struct quantile_list *quantiles);

#endif
