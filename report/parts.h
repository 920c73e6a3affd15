/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What several reports have in common. */
#ifndef REPORT_PARTS_H
#define REPORT_PARTS_H

#include "analyze/distance.h"
#include "analyze/peaks.h"
#include "analyze/rank.h"
#include "profile/profile.h"
#include "profile/quantity.h"
#include "report/style.h"

struct comparison;
struct in_run;
struct jout;
struct out;
struct ranked;
struct run;
struct table;

enum { SPARKLINE_WIDTH = 24 };

/* The scale of an operation's latencies. */
struct scale scale_of_operation(const struct profile *p, const struct operation *op);

/* The scale that all numbers of a compared operation are in: that of the run before. */
struct scale scale_of_ranked(const struct comparison *c, const struct ranked *r);

/* The cell that names an operation: in text with its layer, which CSV has a column for. */
void operation_cell(struct table *t, const struct style *s, const struct operation *op);
/* "block/read", as that cell shows it, in a sentence of text or Markdown. */
void say_operation(struct out *o, const struct style *s, const struct operation *op);

/* Whether calls of any of n runs are known to lie within others, so that self times differ. */
bool runs_are_nested(const struct run *run, size_t n);
/* The same of both sides. */
bool comparison_is_nested(const struct comparison *c);
/* Self time of an operation, in units of its latency, as a mean per run; 0 for NULL. */
double own_in_run(const struct operation *op, const struct in_run *one);
/* "self", "self_exact" and "inclusive" of an operation whose calls nest; else nothing. */
void jout_self(struct jout *j, const struct operation *op);

/* The tone in which a verdict is printed. */
enum tone verdict_tone(enum verdict v);

/* "261 ns -> 72.5 us"; a scale of NULL: numbers of calls.  NAN is 0. */
void change_cell(struct table *t, const struct style *s, double before, double after,
		 const struct scale *scale);

/* "3.3x higher", "12 % lower"; only "higher" from 0. */
void say_higher(struct out *o, double before, double after);

/* " and 2 more", after the first path of a run; nothing when it is the only one. */
void say_more_paths(struct out *o, size_t n_more);

/* "NAME: 24 operations, 1.2 M calls, total 3.4 s (bpftrace, ns)". */
void part_heading(struct out *o, const char *label, const struct run *run);
/* The same with the calls and the latency of one of its runs, as comparisons print them. */
void part_heading_per_run(struct out *o, const char *label, const struct run *run);

/* "Every call costs 830 ns more, whatever it does (15 of 21 operations)", where the whole run
 * is slower or faster; nothing otherwise. */
void say_run_effects(struct out *o, const struct comparison *c);
/* Why an operation is inconclusive, of a single pair of runs; nothing where it is not. */
void say_doubt(struct out *o, const struct comparison *c, const struct ranked *r);

/* A line for each reason to doubt the comparison; the same as "warnings". */
void say_cautions(struct out *o, const struct style *s, const struct comparison *c);
void jout_cautions(struct jout *j, const struct comparison *c);

/* JSON: unit, rate, and names of the fields as osprof(1) has them. */
void jout_unit(struct jout *j, const char *key, enum unit unit);
void jout_files(struct jout *j, const char *key, const struct run *run);
/* low and high of a bucket, or null. */
void jout_bounds(struct jout *j, const char *key, const struct bucket *b);
void jout_peak_fields(struct jout *j, const struct peak *p);
/* The same as an object; NULL: null. */
void jout_peak(struct jout *j, const char *key, const struct peak *p);
/* "peaks" of one side of a comparison, in order, each with what became of it. */
void jout_matched_peaks(struct jout *j, const struct ranked_peaks *p, bool before);
void jout_metrics(struct jout *j, const double value[N_METRICS]); /* "metrics" */

#endif
