/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collects YCSB's measurements for each metric ("READ", "UPDATE" ...).  The name of a measurement
 * is a word ("Operations") or a number; the meaning of numbers is known only when all measurements
 * of a metric have been read.
 */
#ifndef FORMATS_BENCH_YCSB_METRICS_H
#define FORMATS_BENCH_YCSB_METRICS_H

#include "formats/format.h"

struct ycsb_metrics;

/* Returns an empty collection; ycsb_metrics_free() frees it. */
struct ycsb_metrics *ycsb_metrics_new(struct input *in, struct diag *diag);
void ycsb_metrics_free(struct ycsb_metrics *m); /* NULL is fine */

/* Adds a measurement; `where` is a part of the input.  False when an error was reported. */
MUST_CHECK bool ycsb_metrics_add(struct ycsb_metrics *m, struct str metric, struct str measurement,
				 struct str value, struct str where);
/* Sets the maximum duration of the run, from YCSB's options. */
void ycsb_metrics_limit(struct ycsb_metrics *m, double seconds);
/* Pushes the operations of a run.  *elapsed is the duration of the previous runs in ms; adds that
 * of this one. */
MUST_CHECK bool ycsb_metrics_push(const struct ycsb_metrics *m, double *elapsed,
				  struct builder *to);

#endif
