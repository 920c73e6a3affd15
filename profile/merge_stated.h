/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is stated of calls, as it is added up: for profile/merge.c only. */
#ifndef PROFILE_MERGE_STATED_H
#define PROFILE_MERGE_STATED_H

#include "base/attr.h"
#include "profile/profile.h"

/* What is stated of calls, and whether there were any: where there were none, all of it is
 * known. */
struct statement {
	struct stated stated;
	bool called;
};

/* Whether any call is counted or stated. */
bool is_called(const struct histogram *h, const struct stated *s);
/* As it is added up: of no calls the count and the total are a stated 0; a total that its
 * buckets refute is not stated. */
struct statement statement_of(const struct histogram *h, const struct stated *stated);
/* As it is written: that the total of no calls is 0 needs no word. */
struct stated stated_of(const struct statement *s);
/* False when a sum does not fit. */
MUST_CHECK bool add_statement(struct statement *to, const struct statement *from);

#endif
