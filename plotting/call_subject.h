/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The input of figures of per-call records. */
#ifndef PLOTTING_CALL_SUBJECT_H
#define PLOTTING_CALL_SUBJECT_H

#include "analyze/calls/calls.h"
#include "plotting/axis.h"

struct arena;

/* The records to draw, and which part of them; borrowed. */
struct call_subject {
	const struct calls *calls;
	size_t max_ops; /* maximum number of operations with a panel */
	/* The range to show: numbers of calls on the x axis, ns on the y axis; NAN: all data. */
	double x_from, x_to, y_from, y_to;
	enum unit shown; /* unit of latencies on axes; UNIT_UNKNOWN: chosen for readability */
};

/* Return the name of an operation, "fork" or "(no name)", and of a site with its operation,
 * "read copy.c:40 fill". */
struct str call_operation_name(struct arena *a, const struct calls *c, uint32_t operation);
struct str call_site_name(struct arena *a, const struct calls *c, uint32_t operation,
			  uint32_t site);

#endif
