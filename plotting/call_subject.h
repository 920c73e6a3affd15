/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What figures of per-call records are made of. */
#ifndef PLOTTING_CALL_SUBJECT_H
#define PLOTTING_CALL_SUBJECT_H

#include "analyze/calls.h"
#include "plotting/axis.h"

struct arena;

/* The records to draw, and which part of them; borrowed. */
struct call_subject {
	const struct calls *calls;
	size_t max_ops; /* panels are about that many operations at most */
	/* What to show; NAN: what there is.  On the x axis numbers of calls, on the y axis
	 * nanoseconds. */
	double x_from, x_to, y_from, y_to;
	enum unit shown; /* of latencies on axes; UNIT_UNKNOWN: as read best */
};

/* "fork", "(no name)"; a site with its call: "read copy.c:40 fill". */
struct str call_operation_name(struct arena *a, const struct calls *c, uint32_t operation);
struct str call_site_name(struct arena *a, const struct calls *c, uint32_t operation,
			  uint32_t site);

#endif
