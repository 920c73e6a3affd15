/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Building blocks that several reports share. */
#ifndef REPORT_PARTS_H
#define REPORT_PARTS_H

#include "analyze/distance.h"
#include "analyze/peaks.h"
#include "analyze/rank/rank.h"
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

/* The scale of all numbers of a compared operation: that of the run before. */
struct scale scale_of_ranked(const struct comparison *c, const struct ranked *r);

/* Writes the cell that names an operation.  Text includes the layer; CSV has a column for it. */
void operation_cell(struct table *t, const struct style *s, const struct operation *op);
/* Writes the cell of a number of calls: as a mean per run, in CSV as the sum over all runs. */
void own_calls_cell(struct table *t, const struct style *s, const struct run *run, uint64_t calls);
/* Prints the name in a sentence of text or Markdown as that cell shows it: "block/read". */
void say_operation(struct out *o, const struct style *s, const struct operation *op);

/* The same, with a long name shortened in the middle. */
void say_short_operation(struct out *o, const struct style *s, const struct operation *op);

/* Appends ", NAME" to a list of names for which so much room is left, in bytes; a list of none is
 * begun with `first`.  Returns whether the name fits. */
bool list_operation(struct out *names, const char *first, const struct style *s,
		    const struct operation *op, size_t *room);

/* Whether any of n runs has nested calls, so that self times differ from totals. */
bool runs_are_nested(const struct run *run, size_t n);
/* runs_are_nested() of both sides. */
bool comparison_is_nested(const struct comparison *c);
/* Returns the self time of an operation, in the unit of its latency, as a mean per run; 0 when
 * op is NULL. */
double own_in_run(const struct operation *op, const struct in_run *one);
/* Writes "self", "self_exact" and "inclusive" for an operation with nested calls; else nothing. */
void jout_self(struct jout *j, const struct operation *op);

/* The tone in which a verdict is printed. */
enum tone verdict_tone(enum verdict v);

/* "261 ns -> 72.5 us"; without a scale the values are numbers of calls.  NAN counts as 0. */
void change_cell(struct table *t, const struct style *s, double before, double after,
		 const struct scale *scale);

/* " a run" where a side has several runs, " a host" where these are hosts; else "". */
const char *each_run(const struct comparison *c);

/* Ends a line of text or Markdown and begins one that belongs to it. */
const char *next_detail(const struct style *s);

/* "3.3x higher", "12 % lower"; just "higher" when `before` is 0. */
void say_higher(struct out *o, double before, double after);

/* " and 2 more", printed after the first path of a run; nothing when n_more is 0. */
void say_more_paths(struct out *o, size_t n_more);

/* "NAME: 24 operations, 1.2 M calls, total 3.4 s (bpftrace, ns)". */
void part_heading(struct out *o, const char *label, const struct run *run);
/* The same with calls and latency as a mean per run, as comparisons print them. */
void part_heading_per_run(struct out *o, const char *label, const struct run *run);

/* Whether operations share an effect, of which repeated runs leave no doubt that it is one. */
bool has_run_effects(const struct comparison *c);
/* "13 of 20 operations take 1.9x as long"; prints nothing unless the whole run is slower or
 * faster. */
void say_run_effects(struct out *o, const struct comparison *c);

/* Print each reason to doubt the comparison: as a line, and as an item of "warnings". */
void say_cautions(struct out *o, const struct style *s, const struct comparison *c);
void jout_cautions(struct jout *j, const struct comparison *c);

/* JSON members; osprof(1) documents their names. */
void jout_unit(struct jout *j, const char *key, enum unit unit);
void jout_files(struct jout *j, const char *key, const struct run *run);
/* Writes "buckets", those with calls, at the scale; none without a histogram. */
void jout_buckets(struct jout *j, const struct histogram *h, double scale);
/* Writes low and high of a bucket, or null. */
void jout_bounds(struct jout *j, const char *key, const struct bucket *b);
void jout_peak_fields(struct jout *j, const struct peak *p);
/* Writes the same fields as an object; null when p is NULL. */
void jout_peak(struct jout *j, const char *key, const struct peak *p);
/* Writes "peaks" of one side of a comparison, in order, each with its change. */
void jout_matched_peaks(struct jout *j, const struct ranked_peaks *p, bool before);
void jout_metrics(struct jout *j, const double value[N_METRICS]); /* "metrics" */

#endif
