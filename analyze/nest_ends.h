/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which operations of a profile statements of nesting are about: for analyze/nested.c only. */
#ifndef ANALYZE_NEST_ENDS_H
#define ANALYZE_NEST_ENDS_H

#include "profile/profile.h"

struct arena;
struct diag;

/* Operations, by number. */
struct op_set {
	const uint32_t *op;
	size_t n;
	bool is_layer;
};

/* The operations of a profile, sorted to be found by layer or by name. */
struct nest_book {
	const struct profile *profile;
	uint32_t *by_layer, *by_name; /* all operations, sorted */
};
/* The nest statements of a profile, looked up by operation; it lies in the arena. */
struct nest_book nest_book_of(struct arena *a, const struct profile *p);
/* Empty where no operation fits. */
struct op_set nest_book_find(const struct nest_book *b, const struct nest_end *e);

/* A statement that fits operations. */
struct nesting_rule {
	const struct nest *nest;
	struct op_set upper, lower;
};

/* Leaves those that go in no circle, and of which no chain of others says the same; how many
 * are left.  Circles are reported, and counted in *n_told. */
size_t nesting_rules_reduce(struct nesting_rule *rule, size_t n, struct str source,
			    struct diag *diag, size_t *n_reported);

#endif
