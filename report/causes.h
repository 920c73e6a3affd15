/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof causes: the report in every output format. */
#ifndef REPORT_CAUSES_H
#define REPORT_CAUSES_H

#include "analyze/causes/causes.h"
#include "calls/call_meanwhile.h"
#include "report/style.h"

struct jout;
struct out;
struct page;
struct run;

/* A trace that was read. */
struct causes_run {
	const char *path, *format;
	struct call_tally tally;
	struct call_link_counts links;
	bool filtered;
	bool full; /* the tree was full: further paths were added to "(others)" */
};

/* The parts of the report that --section chooses. */
enum causes_section {
	CAUSES_SECTION_CAUSES,
	CAUSES_SECTION_TREE,
	CAUSES_SECTION_VALUES,
	CAUSES_SECTION_MEANWHILE
};
enum { N_CAUSES_SECTIONS = CAUSES_SECTION_MEANWHILE + 1 };

/* The input of report_causes(); all pointers are borrowed. */
struct causes_report {
	struct str function;
	const struct causes_run *run;
	size_t n_runs;
	bool pair; /* two sides are compared */
	const struct peaks *peaks;
	const struct histogram *hist; /* histogram of the function on the chosen side */
	const struct causes *causes;
	const struct cause_rules *rules;
	const struct meanwhile_calls *meanwhile;
	size_t n_meanwhile;
	unsigned sections;	  /* bits of enum causes_section */
	unsigned depth;		  /* levels of the tree to show; 0: all */
	bool all;		  /* text shows all nodes of the tree */
	size_t n_before, n_after; /* runs of each side */
};

/* Prints the chosen sections in the output format of the style. */
void report_causes(struct out *o, const struct style *s, const struct causes_report *r);
/* Prints a self-contained HTML page. */
void causes_html(struct out *o, const struct causes_report *r);
/* Prints the same content as part of another page. */
void causes_html_part(struct page *p, const struct causes_report *r);
void causes_json(struct out *o, const struct causes_report *r);
/* Prints folded stacks, "a;b;c AGAINST CHOSEN": ns per call of the function on each side. */
void causes_folded(struct out *o, const struct causes_report *r);

/* Prints the functions of a run that have several peaks; text and Markdown show at most `top`. */
void report_functions(struct out *o, const struct style *s, const struct run *run, size_t top);

/* Prints a name from the trace, escaped. */
void causes_say_name(struct out *o, const struct style *s, struct str name);
/* Prints which calls were chosen: "calls of peak 2". */
void causes_say_choice(struct out *o, const struct cause_choice *c);
/* "20 calls of peak 2 take 2.07 ms longer than 220 calls of peak 1". */
void causes_say_comparison(struct out *o, const struct causes *c);
/* Prints the sentence about one cause, without the full stop. */
void causes_sentence(struct out *o, const struct style *s, const struct causes_report *r,
		     const struct cause *cause);
/* Returns the time that calls spend on a path, in ns: the self time of its last node, or the
 * total time with callees when the cause is spread. */
double causes_spent(const struct cause *cause, const struct cause_sums *s);
/* Prints a path as "a > b > c". */
void causes_path(struct out *o, const struct style *s, const struct causes *c, uint32_t node,
		 uint32_t from);

#endif
