/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results as text, JSON, CSV, Markdown, JUnit and HTML.
 *
 * Each function prints one result in the output format of the style.  Commands decide which
 * formats they offer.  JSON follows the schemas that osprof(1) documents.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stddef.h>

#include "analyze/check.h"
#include "analyze/rank/gate.h"
#include "analyze/rank/quantiles.h"
#include "analyze/rank/rank.h"
#include "analyze/rank/run_account.h"
#include "analyze/rank/runs.h"
#include "analyze/run_order.h"
#include "base/diag.h"
#include "base/str.h"
#include "profile/profile.h"
#include "report/show_options.h"
#include "report/style.h"

struct arena;
struct jout;
struct out;

/* A profile, and the files that the user named for it. */
struct run {
	const char *path; /* the first path named */
	size_t n_more;	  /* further paths named */
	const struct profile *profile;
	struct totals totals; /* totals of the whole run, including filtered operations */
	size_t n_runs;	      /* runs merged into the profile */
	char *const *file;    /* the n_files files that hold the runs */
	size_t n_files;
	const char *representative; /* file of the most typical run */
	struct run_account account; /* mean over the runs, including filtered operations */
};

/* Prints the operations of n runs, with the quantiles that the user asked for (NULL: those by
 * default). */
void report_show(struct out *o, const struct style *s, const struct run *run, size_t n,
		 const struct quantile_list *quantiles);
/* Prints the peaks of each operation of a run. */
void report_peaks(struct out *o, const struct style *s, const struct run *run);
/* Prints the inconsistencies of n runs. */
void report_check(struct out *o, const struct style *s, const struct run *run,
		  const struct consistency *result, size_t n);

/* A reason to doubt a comparison: a diagnostic and its details. */
struct caution {
	enum diag_code code;
	struct str detail;
};

/* A comparison, and how much of it to print. */
struct comparison {
	struct run before, after;
	const struct ranking *ranking;
	const struct runs_judgement *runs;	  /* NULL: not judged by repeated runs */
	struct runs_side each_before, each_after; /* the runs of a side, if several */
	const struct hosts_findings *hosts;	  /* NULL: hosts are not the replicates */
	const struct profile *baseline;		  /* the side before; NULL: it is not a baseline */
	const struct caution *caution;
	size_t n_cautions;
	enum metric metric;
	struct show_options show;	       /* set by the caller: compare/ does not know it */
	const struct rank_rules *rules;	       /* include the policy, if there is one */
	const struct annotations *annotations; /* verdicts they expect do not fail; NULL: none */
	const char *policy_path;	       /* NULL: none */
	unsigned fails;			       /* verdicts that fail unless a policy decides */
	bool gated;			       /* a gate was requested: say whether it passed */
	/* HTML: causes of the first n_causes operations of the ranking; items may be NULL. */
	const struct causes_report *const *causes;
	size_t n_causes;
};

/* Returns the input of the comparison's gate. */
static inline struct gate comparison_gate(const struct comparison *c)
{
	return (struct gate){ c->ranking, c->rules, c->annotations, c->fails };
}

/* Prints a comparison, worst first. */
void report_rank(struct out *o, const struct style *s, const struct comparison *c);
/* Prints every metric of every operation. */
void report_distance(struct out *o, const struct style *s, const struct comparison *c);

/* osprof preempt: forced preemption. */
struct preemption;
struct preempt_terms;

/* The source of a number in the preemption report. */
enum known_from { KNOWN_NOT, KNOWN_OPTION, KNOWN_RUN, KNOWN_KERNEL, KNOWN_ASSUMED };

/* The input of report_preempt(); all pointers are borrowed. */
struct preemption_report {
	struct run run;
	const struct preemption *found;
	const struct preempt_terms *terms;
	enum known_from quantum, yield, tperiod, elapsed;
	struct str kernel; /* kernel settings in words, if they were read */
	const struct known_times *times;
};
/* Prints which slow calls of a run forced preemption explains. */
void report_preempt(struct out *o, const struct style *s, const struct preemption_report *r);
/* Prints the result of equation 3 only. */
void report_preempt_equation(struct out *o, const struct style *s, double log10_probability);

/* osprof explain. */
struct known_times;

/* The input of report_story(); all pointers are borrowed. */
struct story {
	const struct comparison *comparison;
	const struct known_times *times;
	const struct ranked **chosen; /* the n operations to explain */
	size_t n;
	bool named;   /* the user named them: unchanged peaks are reported, too */
	bool sources; /* print those of characteristic times */
	/* Duration of each run in seconds, for profiles that do not state it; 0: not known. */
	double elapsed_before, elapsed_after;
	bool single; /* one run: it is both sides of the comparison */
};
/* Prints an explanation of each chosen operation. */
void report_story(struct out *o, const struct style *s, const struct story *story);
/* The same with a context that is kept: first without the peaks, which peak_book_add() finds. */
struct story_context;
struct aligned;
struct story_context story_context_begin(struct arena *a, const struct story *story,
					 struct aligned *grid);
void report_story_of(struct out *o, const struct style *s, const struct story *story,
		     const struct story_context *t);

/* osprof aa: how runs of one configuration differ. */
struct noise;
void report_noise(struct out *o, const struct style *s, const struct run *run,
		  const struct noise *n, bool all);

/* Distances between the operations of one run: an n x n matrix, cell [i * n + k]. */
struct within {
	struct run run;
	const struct operation **op;
	size_t n, n_left_out; /* operations compared, and left out because there are too many */
	enum metric metric;
	const double *distance;
	double similar;	       /* maximum cluster distance; NAN: no clusters */
	const size_t *cluster; /* cluster of each operation; CLUSTER_NONE: none */
	size_t n_clusters;
};
/* Prints how similar the operations of one run are to each other. */
void report_pairwise(struct out *o, const struct style *s, const struct within *w);

/* osprof history: changes in a series of runs. */
struct history_findings;

/* The input of report_history(); all pointers are borrowed. */
struct history_report {
	const struct history_findings *findings;
	size_t recent; /* number of last runs in which a change fails the gate */
	bool gated;    /* a gate was requested: say whether it passed */
	bool failed;
	bool all; /* text and Markdown show operations that are not reported, too */
};
/* Prints in which runs of a series operations changed. */
void report_history(struct out *o, const struct style *s, const struct history_report *c);

/* Says how an operation changed, in the sentences of report/rank/statements.h, without the last full
 * stop. */
void explain(struct out *o, const struct comparison *c, const struct ranked *r);

#endif
