/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resolves nest statements to the operations of a profile that they name. */
#ifndef ANALYZE_LAYERS_NEST_ENDS_H
#define ANALYZE_LAYERS_NEST_ENDS_H

#include "profile/profile.h"

struct arena;
struct diag;

/* A set of operation numbers. */
struct op_set {
	const uint32_t *op;
	size_t n;
	bool is_layer;
};

/* An index of the operations of a profile by layer and by name. */
struct nest_book {
	const struct profile *profile;
	uint32_t *by_layer, *by_name; /* all operations, sorted */
};
/* Makes the index, in the arena. */
struct nest_book nest_book_of(struct arena *a, const struct profile *p);
/* Returns the operations that one end of a statement names; empty when none fits. */
struct op_set nest_book_find(const struct nest_book *b, const struct nest_end *e);

/* A nest statement with the operations at both ends. */
struct nesting_rule {
	const struct nest *nest;
	struct op_set upper, lower;
};

/* Removes rules that are part of a cycle, and rules that a chain of others implies; returns how
 * many are left.  Reports a cycle to diag and counts it in *n_reported. */
size_t nesting_rules_reduce(struct nesting_rule *rule, size_t n, struct str source,
			    struct diag *diag, size_t *n_reported);

#endif
