/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups per-call records by a key; each group keeps the order of the file. */
#ifndef ANALYZE_CALLS_CALL_GROUPS_H
#define ANALYZE_CALLS_CALL_GROUPS_H

#include "analyze/calls/calls.h"

/* Call numbers in n groups; call_groups_release() frees the arrays. */
struct call_groups {
	uint32_t *call; /* group i is call[first[i]] to call[first[i + 1] - 1] */
	size_t *first;
	uint64_t *key;
	size_t n;
};

/* Keys for call_groups_of(): by operation, or by operation and call site. */
uint64_t key_operation(const struct call *c);
uint64_t key_site(const struct call *c);

/* Groups all calls by key, in the order of each group's first call.  The caller releases it. */
struct call_groups call_groups_of(const struct calls *c, uint64_t (*key)(const struct call *c));
/* Frees the arrays of the groups, not the calls. */
void call_groups_release(struct call_groups *g);

/* Returns minimum, median, mean and maximum of v[n], NAN when n is 0.  Sorts v. */
struct spread spread_of(double *v, size_t n);

#endif
