/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls of one operation by latency and time (FSprof 3.3).
 *
 * Rows are intervals; adjacent intervals are merged when there are more than can be drawn.
 */
#ifndef PLOTTING_SHEET_H
#define PLOTTING_SHEET_H

#include "profile/profile.h"

struct arena;

/* A period of time, in seconds since the profile began. */
struct row {
	double start, end;
};

/* The periods of a sheet; in an arena. */
struct rows {
	struct row *v; /* ascending, not overlapping */
	size_t n;
};

/* Numbers of calls by time and latency; in an arena. */
struct sheet {
	struct rows rows;
	struct bucket *bucket; /* columns with calls, ascending; their counts are unused */
	size_t n_buckets;
	double *calls; /* [row * n_buckets + column] */
	double *after; /* the same of the run after, if the sheet is of a pair */
};

/* Returns the intervals of a run as at most `most` rows; n is 0 when there are none. */
struct rows rows_of(struct arena *a, const struct profile *p, size_t max);

/* Returns a log2 scheme for all these histograms, of the lowest resolution among them. */
struct bucket_scheme sheet_scheme(const struct operation *const *op, size_t n);

/* Counts the calls of an operation; an interval that overlaps several rows is spread over them in
 * proportion to time.  `scale` multiplies latencies.  Rows are relative to `origin`.  `op` may be
 * NULL. */
struct sheet sheet_of(struct arena *a, const struct operation *op, const struct rows *rows,
		      const struct bucket_scheme *scheme, double scale, double origin);

/* Returns both sheets over all of their buckets; they must have the same rows and scheme. */
struct sheet sheet_pair(struct arena *a, const struct sheet *before, const struct sheet *after);

#endif
