/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quantiles of an operation before and after, as far as buckets tell: each lies between the edges
 * of the bucket that holds it.
 */
#ifndef ANALYZE_QUANTILES_H
#define ANALYZE_QUANTILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/str.h"

struct ranked;

enum { MAX_QUANTILES = 8 };

/* In percent, ascending. */
struct quantile_list {
	double percent[MAX_QUANTILES];
	size_t n;
};
extern const struct quantile_list quantiles_default; /* 50, 90, 99 */

/* "99.9": false when it is no number from 0 to 100. */
MUST_CHECK bool quantile_parse(struct str s, double *ret_percent);
/* "50,99.9", in any order. */
MUST_CHECK bool quantiles_parse(struct str s, struct quantile_list *ret);

/* In the unit of the run before; NAN where a side has no buckets. */
struct quantile_change {
	double percent;
	double before_low, before_high, after_low, after_high;
};

void quantiles_of(const struct ranked *r, const struct quantile_list *which,
		  struct quantile_change *ret);

/* How much higher it is at least, where buckets leave it open: 0.1 is 10 %, below 0 may be
 * lower; NAN where nothing is known. */
double quantile_min_growth(const struct quantile_change *c);

/* What a policy allows: p99 of an operation, at most 10 % higher. */
struct quantile_limit {
	double percent;
	double growth;
	size_t line;
};
/* Whether it is exceeded even by the most favourable reading of the buckets. */
bool quantile_exceeds(const struct quantile_change *c, const struct quantile_limit *limit);

#endif
