/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Axes with their ticks: latency, counts, time. */
#ifndef PLOTTING_AXIS_H
#define PLOTTING_AXIS_H

#include "plotting/figure.h"
#include "profile/octaves.h"
#include "profile/quantity.h"

struct arena;

/* What values are, and the unit that their labels are in. */
struct measure {
	struct scale scale;
	enum unit shown; /* UNIT_UNKNOWN: the one in which it is read best */
};

/* The stretch of latencies that a figure shows, in the unit of its first run; buckets
 * without a finite edge have a place in it. */
struct frame {
	struct octaves at;
	double from, to;		    /* of the axis: latencies, both above 0 */
	const struct bucket_scheme *scheme; /* whose numbers stand below; NULL: none */
	struct measure measure;
	size_t n_across; /* such axes side by side, which have room for fewer labels; 0: one */
};

double frame_left(const struct frame *f, const struct bucket *b);
double frame_right(const struct frame *f, const struct bucket *b);

/* Bucket numbers, where the scheme has those that readers know, else latencies. */
struct axis axis_of_buckets(struct arena *a, const struct frame *f);
/* The mean latency of the same buckets; without a tick where latencies stand below. */
struct axis axis_of_means(struct arena *a, const struct frame *f);
struct axis axis_of_latency(struct arena *a, const struct frame *f); /* logarithmic */

/* Decades around least > 0 to most; `head` is the part of the height to keep free. */
struct axis axis_of_counts(struct arena *a, struct str label, double least, double most,
			   double head);
/* From least to most, both of which may be negative; labels as the measure has them. */
struct axis axis_of_quantity(struct arena *a, struct str label, double least, double most,
			     double head, const struct measure *measure);
/* The same as numbers with `suffix` after them. */
struct axis axis_of_numbers(struct arena *a, struct str label, double least, double most,
			    double head, const char *suffix);
/* Of things that are counted: no tick stands between two whole numbers. */
struct axis axis_of_whole_numbers(struct arena *a, struct str label, double least, double most);
/* Each tick has a name: places 0 to n - 1, the first at the top. */
struct axis axis_of_names(struct arena *a, const struct str *name, size_t n);

#endif
