/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output formats of osprof rank that are implemented in separate files. */
#ifndef REPORT_RANK_RANK_OUTPUT_H
#define REPORT_RANK_RANK_OUTPUT_H

struct arena;
struct comparison;
struct fact;
struct jout;
struct out;
struct ranked;
struct style;

/* Prints the table that osprof-json(5) describes. */
void rank_csv(struct out *o, const struct style *s, const struct comparison *c);
/* Print what is known of the comparison as a whole: one sentence without its full stop, "SLOWER: 2
 * of 6 operations regressed: lseek, read"; the other lines; and all of them. */
void rank_headline(struct out *o, const struct style *s, const struct comparison *c);
void rank_run_lines(struct out *o, const struct comparison *c);
void rank_summary(struct out *o, const struct style *s, const struct comparison *c);
/* Prints the schema osprof.rank/1. */
void rank_json(struct out *o, const struct comparison *c);
/* Prints one test case for each operation. */
void rank_junit(struct out *o, const struct comparison *c);
/* Prints annotations of a GitHub workflow. */
void rank_github(struct out *o, const struct comparison *c);
/* Print the latencies after in Bencher's metric format, and as customSmallerIsBetter of
 * github-action-benchmark. */
void rank_bmf(struct out *o, const struct comparison *c);
void rank_benchmark_action(struct out *o, const struct comparison *c);
/* Prints a self-contained page: no scripts, no other files. */
void rank_html(struct out *o, const struct comparison *c);

/* Write parts of that schema: one fact, the facts of an operation, the verdict on the run, the gate. */
void jout_fact(struct jout *j, const struct comparison *c, const struct ranked *r,
	       const struct fact *f);
void jout_facts(struct jout *j, struct arena *a, const struct comparison *c,
		const struct ranked *r);
void jout_run(struct jout *j, const struct comparison *c);
void jout_gate(struct jout *j, const struct comparison *c);

#endif
