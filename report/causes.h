/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What osprof causes found, in every output format. */
#ifndef REPORT_CAUSES_H
#define REPORT_CAUSES_H

#include "analyze/causes.h"
#include "profile/call_meanwhile.h"
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
	bool full; /* further paths joined "(others)" */
};

/* The parts of the report that --section chooses. */
enum causes_section {
	CAUSES_SECTION_CAUSES,
	CAUSES_SECTION_TREE,
	CAUSES_SECTION_VALUES,
	CAUSES_SECTION_MEANWHILE
};
enum { N_CAUSES_SECTIONS = CAUSES_SECTION_MEANWHILE + 1 };

/* What is printed of causes; all is borrowed. */
struct causes_report {
	struct str function;
	const struct causes_run *run;
	size_t n_runs;
	bool pair; /* two sides */
	const struct peaks *peaks;
	const struct histogram *hist; /* of the function's chosen side */
	const struct causes *causes;
	const struct cause_rules *rules;
	const struct call_company *meanwhile;
	size_t n_meanwhile;
	unsigned sections;	  /* bits */
	unsigned depth;		  /* levels of the tree; 0: all */
	bool all;		  /* all nodes of the tree in text, too */
	size_t n_before, n_after; /* runs of two sides */
};

/* Prints the chosen sections in the output format of the style. */
void report_causes(struct out *o, const struct style *s, const struct causes_report *r);
/* A page that needs nothing else. */
void causes_html(struct out *o, const struct causes_report *r);
/* The same within another page. */
void causes_html_part(struct page *p, const struct causes_report *r);
void causes_json(struct out *o, const struct causes_report *r);
/* "a;b;c AGAINST CHOSEN": ns a call of the function. */
void causes_folded(struct out *o, const struct causes_report *r);

/* Functions of a run with several peaks, so many of them. */
void report_functions(struct out *o, const struct style *s, const struct run *run, size_t top);

/* A name of the trace, "calls of peak 2". */
void causes_say_name(struct out *o, const struct style *s, struct str name);
void causes_say_choice(struct out *o, const struct cause_choice *c);
/* "20 calls of peak 2 take 2.07 ms longer than 220 calls of peak 1". */
void causes_say_comparison(struct out *o, const struct causes *c);
/* The sentence of one cause, without the full stop. */
void causes_sentence(struct out *o, const struct style *s, const struct causes_report *r,
		     const struct cause *cause);
/* What calls spend on a path, ns: without what is below it, unless the cause is spread. */
double causes_spent(const struct cause *cause, const struct cause_sums *s);
/* "a > b > c" of a path. */
void causes_path(struct out *o, const struct style *s, const struct causes *c, uint32_t node,
		 uint32_t from);

#endif
