/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Axes with their ticks: latency, counts, time. */
#ifndef PLOTTING_AXIS_H
#define PLOTTING_AXIS_H

#include "plotting/figure.h"
#include "profile/octaves.h"
#include "profile/quantity.h"

struct arena;

/* The scale of values, and the unit of their labels. */
struct measure {
	struct scale scale;
	enum unit shown; /* UNIT_UNKNOWN: chosen for readability */
};

/* The range of latencies that a figure shows, in the unit of its first run.  It includes places
 * for buckets without a finite edge. */
struct frame {
	struct octaves at;
	double from, to;		    /* ends of the axis: latencies, both above 0 */
	const struct bucket_scheme *scheme; /* its bucket numbers label the axis; NULL: none */
	struct measure measure;
	size_t n_across; /* axes side by side, which limits the labels of each; 0: one */
};

/* Returns where the bar of a bucket begins on the x axis: a latency. */
double frame_left(const struct frame *f, const struct bucket *b);
/* Returns where the bar ends. */
double frame_right(const struct frame *f, const struct bucket *b);

/* An axis of bucket numbers if f->scheme is set, else of latencies. */
struct axis axis_of_buckets(struct arena *a, const struct frame *f);
/* The axis on the other side: of latencies if f->scheme is set, else without ticks. */
struct axis axis_above_buckets(struct arena *a, const struct frame *f);
struct axis axis_of_latency(struct arena *a, const struct frame *f); /* logarithmic */

/* A logarithmic axis of whole decades from least > 0 to most.  `head` is the fraction of the height
 * to keep free at the top. */
struct axis axis_of_counts(struct arena *a, struct str label, double min, double max, double head);
/* The same of shares, in percent. */
struct axis axis_of_shares(struct arena *a, struct str label, double min, double max, double head);
/* An axis of log2 ratios with labels such as "-20 %", "same", "4x". */
struct axis axis_of_ratios(struct arena *a, struct str label, double min, double max);
/* An axis on which each further nine of a quantile has the same room: its values are 1 / (1 - q),
 * from 1 to `most`. */
struct axis axis_of_nines(struct arena *a, double max);
/* A linear axis from least to most, which may be negative; `measure` formats the labels. */
struct axis axis_of_quantity(struct arena *a, struct str label, double min, double max, double head,
			     const struct measure *measure);
/* A linear axis whose labels are numbers followed by `suffix`. */
struct axis axis_of_numbers(struct arena *a, struct str label, double min, double max, double head,
			    const char *suffix);
/* An axis of counts: all ticks are integers. */
struct axis axis_of_whole_numbers(struct arena *a, struct str label, double min, double max);
/* A vertical axis with a name at each position 0 to n - 1, the first at the top. */
struct axis axis_of_names(struct arena *a, const struct str *name, size_t n);

#endif
