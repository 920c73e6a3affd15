/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A native histogram in a result of a query:
 *
 *	{"count":"12","sum":"0.34","buckets":[[0,"0.001953125","0.00225256","7"],...]}
 *
 * with the rule (which edges a bucket includes), both edges and the count of each bucket that
 * is not empty.
 */
#ifndef FORMATS_MONITOR_PROMETHEUS_NATIVE_H
#define FORMATS_MONITOR_PROMETHEUS_NATIVE_H

#include "formats/monitor/data_points.h"

/* All but how it counts and its times. */
MUST_CHECK bool prometheus_native(struct input *in, struct diag *diag, struct arena *a,
				  struct str object, struct data_point *ret);

#endif
