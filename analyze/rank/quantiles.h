/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quantiles of an operation before and after, bounded by the edges of the buckets that hold them.
 */
#ifndef ANALYZE_RANK_QUANTILES_H
#define ANALYZE_RANK_QUANTILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/str.h"

struct ranked;

enum { MAX_QUANTILES = 8 };

/* Quantiles in percent, ascending. */
struct quantile_list {
	double percent[MAX_QUANTILES];
	size_t n;
};
extern const struct quantile_list quantiles_default; /* 50, 90, 99 */

/* Parses "99.9"; false when s is not a number from 0 to 100. */
MUST_CHECK bool quantile_parse(struct str s, double *ret_percent);
/* Parses "50,99.9", in any order; false when an entry is bad, or there are too many. */
MUST_CHECK bool quantiles_parse(struct str s, struct quantile_list *ret);

/* One quantile on both sides, in the unit of the run before; NAN where a side has no buckets. */
struct quantile_change {
	double percent;
	double before_low, before_high, after_low, after_high;
};

/* Fills ret[which->n] with each quantile of the list. */
void quantiles_of(const struct ranked *r, const struct quantile_list *which,
		  struct quantile_change *ret);

/* Returns a lower bound of the growth, given the bucket edges: 0.1 is 10 % higher; below 0, the
 * quantile may be lower.  NAN when nothing is known. */
double quantile_min_growth(const struct quantile_change *c);

/* A limit in a policy: p99 of an operation at most 10 % higher, say. */
struct quantile_limit {
	double percent;
	double growth;
	size_t line;
};
/* Whether the limit is exceeded even by the most favourable reading of the buckets. */
bool quantile_exceeds(const struct quantile_change *c, const struct quantile_limit *limit);

#endif
