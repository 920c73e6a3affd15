/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output formats of osprof rank that are implemented in separate files. */
#ifndef REPORT_RANK_OUTPUT_H
#define REPORT_RANK_OUTPUT_H

struct arena;
struct comparison;
struct jout;
struct out;
struct ranked;

/* Prints the schema osprof.rank/1. */
void rank_json(struct out *o, const struct comparison *c);
/* Prints one test case for each operation. */
void rank_junit(struct out *o, const struct comparison *c);
/* Prints a self-contained page: no scripts, no other files. */
void rank_html(struct out *o, const struct comparison *c);

/* Write parts of that schema: the facts of an operation, the verdict on the run, the gate. */
void jout_facts(struct jout *j, struct arena *a, const struct comparison *c,
		const struct ranked *r);
void jout_run(struct jout *j, const struct comparison *c);
void jout_gate(struct jout *j, const struct comparison *c);

#endif
