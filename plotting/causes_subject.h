/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What figures of causes are made of. */
#ifndef PLOTTING_CAUSES_SUBJECT_H
#define PLOTTING_CAUSES_SUBJECT_H

#include "analyze/causes.h"
#include "plotting/axis.h"

/* The causes to draw, and which part of them; borrowed. */
struct causes_subject {
	const struct causes *causes;
	bool pair;	     /* two captures, of which both are drawn */
	unsigned levels;     /* that are drawn at most; 0: as many as there is room for */
	double x_from, x_to; /* ns a call; NAN: what there is */
	enum unit shown;     /* of latencies on axes; UNIT_UNKNOWN: as read best */
};

#endif
