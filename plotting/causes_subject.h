/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The input of figures of causes. */
#ifndef PLOTTING_CAUSES_SUBJECT_H
#define PLOTTING_CAUSES_SUBJECT_H

#include "analyze/causes/causes.h"
#include "plotting/axis.h"

/* The causes to draw, and which part of them; borrowed. */
struct causes_subject {
	const struct causes *causes;
	bool pair;	     /* draw two captures */
	unsigned levels;     /* maximum levels to draw; 0: as many as fit */
	double x_from, x_to; /* range to show, in ns per call; NAN: all data */
	enum unit shown;     /* unit of latencies on axes; UNIT_UNKNOWN: chosen for readability */
};

#endif
