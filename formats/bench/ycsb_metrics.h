/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What YCSB measured, gathered for each of its metrics ("READ", "UPDATE" ...): a
 * measurement is a name ("Operations") or a number, and what the numbers mean is
 * known only when all of a metric has been seen.
 */
#ifndef FORMATS_BENCH_YCSB_METRICS_H
#define FORMATS_BENCH_YCSB_METRICS_H

#include "formats/format.h"

struct ycsb_metrics;

/* No metrics yet; ycsb_metrics_free() frees them. */
struct ycsb_metrics *ycsb_metrics_new(struct input *in, struct diag *diag);
void ycsb_metrics_free(struct ycsb_metrics *m); /* NULL is fine */

/* One measurement; `where` is a part of the input.  False when an error was reported. */
MUST_CHECK bool ycsb_metrics_add(struct ycsb_metrics *m, struct str metric, struct str measurement,
				 struct str value, struct str where);
/* How long the run may take, by what YCSB says of its options. */
void ycsb_metrics_limit(struct ycsb_metrics *m, double seconds);
/* *elapsed: how long the runs before it took, in ms; this one is added. */
MUST_CHECK bool ycsb_metrics_push(const struct ycsb_metrics *m, double *elapsed,
				  struct builder *to);

#endif
