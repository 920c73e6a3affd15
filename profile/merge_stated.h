/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up what is stated of calls; for profile/merge.c only. */
#ifndef PROFILE_MERGE_STATED_H
#define PROFILE_MERGE_STATED_H

#include "base/attr.h"
#include "profile/profile.h"

/* What is stated of calls, and whether there were any: if there were none, all of it is known. */
struct statement {
	struct stated stated;
	bool called;
};

/* Whether any call is counted or stated. */
bool is_called(const struct histogram *h, const struct stated *s);
/* Returns a statement to add up: without calls, count and total are a stated 0; a total that the
 * buckets contradict is not stated. */
struct statement statement_of(const struct histogram *h, const struct stated *stated);
/* Returns a statement as it is written: without calls, a total of 0 is not stated. */
struct stated stated_of(const struct statement *s);
/* Adds `from` to `to`; false when a sum does not fit. */
MUST_CHECK bool add_statement(struct statement *to, const struct statement *from);

#endif
