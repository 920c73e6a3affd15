/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How well methods tell operations that were changed from those that were not (OSprof 5.3), by
 * operations of which that is known.
 *
 * A method is the selection of `osprof rank`, or a distance with a threshold: what lies at or
 * above it is reported.  Labels are divided in two halves.  In each half the threshold is found
 * that has the smallest sum of both error rates, and is tested on the other half, so that no label
 * tests a threshold that it helped to find.
 */
#ifndef ANALYZE_ACCURACY_H
#define ANALYZE_ACCURACY_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/distance.h"

/* An operation of a pair of runs: what is known of it, and what was found. */
struct labelled {
	bool changed;		  /* what is known */
	unsigned half;		  /* 0 or 1 */
	bool reported;		  /* by the selection */
	double metric[N_METRICS]; /* NAN: none */
};

/* How many of the operations tested were wrong, and the exact 95 % interval of the rate. */
struct error_rate {
	size_t wrong, of;
	double low, high; /* NAN: none was tested */
};

/* One method. */
struct accuracy {
	const struct distance *distance; /* NULL: the selection */
	/* That each half was tested with; NAN: not tested; infinite: nothing is reported. */
	double threshold[2];
	struct error_rate false_positive; /* of the operations that were not changed */
	struct error_rate false_negative; /* of those that were */
};
enum { MAX_ACCURACIES = 1 + N_METRICS };

/* Measures the selection and each distance that may order a ranking; returns how many. */
size_t accuracy_measure(const struct labelled *l, size_t n, struct accuracy ret[MAX_ACCURACIES]);

/* Returns the share of all tested operations that a method was wrong about; NAN: none tested. */
double accuracy_wrong_share(const struct accuracy *a);

#endif
