/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quantiles of compared operations in reports. */
#ifndef REPORT_QUANTILES_H
#define REPORT_QUANTILES_H

#include "analyze/rank/quantiles.h"
#include "profile/quantity.h"

struct arena;
struct column;
struct comparison;
struct fact;
struct fact_side;
struct jout;
struct out;
struct ranked;
struct style;
struct table;

enum { COLUMNS_OF_QUANTILE = 4 };

/* "181 ns -> ~89 us": estimates that a bucket of more than 1 % bounds have two digits. */
void say_quantile_sides(struct out *o, const struct fact *f, struct scale scale);
/* Prints a quantile of one side in the same way: "~66 us"; "-" if it is not known. */
void say_own_quantile(struct out *o, const struct fact_side *side, struct scale scale);
/* Prints the largest latency: "12.3 ms", or "8.19-16.4 ms", the bucket that holds it. */
void say_own_max(struct out *o, const struct fact *f, struct scale scale);
/* Prints both numbers of a table's cell. */
void quantile_cell(struct table *t, const struct style *s, const struct fact *f,
		   struct scale scale);
/* "p50 256-512 ns -> 65.5-131 us, p99 unchanged at ..."; nothing when neither side has buckets. */
void say_quantiles(struct out *o, const struct comparison *c, const struct ranked *r);
/* "p99 104 % higher at least (1.02-2.05 ms -> 4.19-8.39 ms), allowed is 10 % (policy line 7)". */
void say_limit(struct out *o, const struct quantile_change *q, const struct quantile_limit *limit,
	       struct scale scale);

/* The quantiles of an operation as an array. */
void jout_quantiles(struct jout *j, const struct comparison *c, const struct ranked *r);

/* Fill in the columns and cells of CSV; column names are allocated in the arena. */
void quantile_columns(struct arena *a, const struct comparison *c, struct column *ret);
void quantile_cells(struct table *t, const struct comparison *c, const struct ranked *r);

#endif
