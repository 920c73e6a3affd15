/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One operation over latency and time: how many calls in which bucket and when
 * (FSprof 3.3).
 *
 * Rows are intervals, or several adjacent ones where there are more than can be drawn.
 */
#ifndef PLOTTING_SHEET_H
#define PLOTTING_SHEET_H

#include "profile/profile.h"

struct arena;

/* A stretch of time: seconds since the profile began. */
struct row {
	double start, end;
};

/* The stretches of time of a sheet; in an arena. */
struct rows {
	struct row *v; /* ascending, none overlaps */
	size_t n;
};

/* Numbers of calls by time and latency; in an arena. */
struct sheet {
	struct rows rows;
	struct bucket *bucket; /* columns, ascending, those that hold calls; counts are not used */
	size_t n_buckets;
	double *calls; /* [row * n_buckets + column] */
};

/* The intervals of a run, at most `most` rows of them; n is 0 when there are none. */
struct rows rows_of(struct arena *a, const struct profile *p, size_t most);

/* The buckets that these histograms have together: powers of two with their number, as
 * fine as the histograms are where they are such. */
struct bucket_scheme sheet_scheme(const struct operation *const *op, size_t n);

/* Calls that lie across rows are spread by time. `op` may be NULL. */
struct sheet sheet_of(struct arena *a, const struct operation *op, const struct rows *rows,
		      const struct bucket_scheme *scheme, double scale);

/* after - before, on equal rows and schemes. */
struct sheet sheet_minus(struct arena *a, const struct sheet *after, const struct sheet *before);

#endif
