/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A native histogram in a result of a query:
 *
 *	{"count":"12","sum":"0.34","buckets":[[0,"0.001953125","0.00225256","7"],...]}
 *
 * For each bucket that is not empty it has the boundary rule (which edges are included), both
 * edges, and the count.
 */
#ifndef FORMATS_MONITOR_PROMETHEUS_NATIVE_H
#define FORMATS_MONITOR_PROMETHEUS_NATIVE_H

#include "formats/monitor/data_points.h"

/* Reads all of *ret except `counting`, `start` and `end`. */
MUST_CHECK bool prometheus_native(struct input *in, struct diag *diag, struct arena *a,
				  struct str object, struct data_point *ret);

#endif
