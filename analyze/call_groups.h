/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of calls put together by a key, each group in the order of the file. */
#ifndef ANALYZE_CALL_GROUPS_H
#define ANALYZE_CALL_GROUPS_H

#include "analyze/calls.h"

/* The numbers of calls, in n groups; call_groups_release() frees the arrays. */
struct call_groups {
	uint32_t *call; /* group i: from first[i] to before first[i + 1] */
	size_t *first;
	uint64_t *key;
	size_t n;
};

/* The key that groups calls by operation alone. */
uint64_t key_operation(const struct call *c);
uint64_t key_site(const struct call *c); /* operation and site */

/* The calls grouped by key, each group in the order of the calls; release it afterwards. */
struct call_groups call_groups_of(const struct calls *c, uint64_t (*key)(const struct call *c));
/* Frees the groups; the calls belong to the caller. */
void call_groups_release(struct call_groups *g);

/* Sorts v. */
struct spread spread_of(double *v, size_t n);

#endif
