/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports on repeated runs. */
#ifndef REPORT_RUNS_H
#define REPORT_RUNS_H

#include "analyze/rank/runs.h"

struct column;
struct jout;
struct out;
struct table;

enum { N_REPLICATE_STATS = 26 }; /* CSV columns for one operation */

void say_q(struct out *o, double q); /* "q 0.003", "q < 0.0001" */
/* Prints a log2 ratio as a change: "-12 %", "+2.3 %"; a large one as "x 4.2". */
void say_change(struct out *o, double octaves);

/* "5 runs against 5". */
void say_sides(struct out *o, const struct runs_judgement *j);
/* A line on the processor's speed in the runs, and one on what operations share; nothing where
 * neither matters. */
void say_judgement(struct out *o, const struct runs_judgement *j, bool effects_said);

/* Writes a drift as an object. */
void jout_drift(struct jout *j, const char *key, const struct drift *d);
/* Writes the statistics that concern all operations of a comparison of repeated runs. */
void jout_judgement(struct jout *j, const struct runs_judgement *runs);
/* Writes the replicate statistics of one operation. */
void jout_replicate_stats(struct jout *j, const struct replicate_stats *r);

void replicate_columns(struct column *ret); /* N_REPLICATE_STATS of them */
void replicate_cells(struct table *t, const struct replicate_stats *r); /* NULL: empty ones */

#endif
