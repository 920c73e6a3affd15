/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results as text, JSON, CSV, Markdown, JUnit and HTML.
 *
 * Each function writes one result in the output format that the style names; which formats
 * a command has is the command's business.  JSON follows the schemas that osprof(1)
 * documents.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stddef.h>

#include "analyze/check.h"
#include "analyze/gate.h"
#include "analyze/quantiles.h"
#include "analyze/rank.h"
#include "analyze/runs.h"
#include "base/diag.h"
#include "base/str.h"
#include "profile/profile.h"
#include "report/style.h"

struct arena;
struct jout;
struct out;

/* A profile as the user named it. */
struct run {
	const char *path; /* the first that was named */
	size_t n_more;	  /* named beside it */
	const struct profile *profile;
	struct totals totals; /* of the whole run, filtered operations included */
	size_t n_runs;	      /* merged into it */
	char *const *file;    /* n_files of them, which hold the runs */
	size_t n_files;
	const char *representative; /* the one that stands for all of them */
};

/* Prints the operations of n runs. */
void report_show(struct out *o, const struct style *s, const struct run *run, size_t n);
/* Prints the peaks of each operation of a run. */
void report_peaks(struct out *o, const struct style *s, const struct run *run);
/* Prints what contradicts itself in n runs. */
void report_check(struct out *o, const struct style *s, const struct run *run,
		  const struct consistency *result, size_t n);

/* A reason to doubt a comparison: what its diagnostic says, and about what. */
struct caution {
	enum diag_code code;
	struct str detail;
};

/* What a comparison is about, and how much of it to print. */
struct comparison {
	struct run before, after;
	const struct ranking *ranking;
	const struct runs_judgement *runs;  /* NULL: not judged by how runs vary */
	const struct hosts_findings *hosts; /* NULL: hosts are not the replicates */
	const struct profile *baseline;	    /* that before is; NULL: it is none */
	const struct caution *caution;
	size_t n_cautions;
	enum metric metric;
	struct quantile_list quantiles;	       /* to print */
	const struct rank_rules *rules;	       /* with the policy, if there is one */
	const struct annotations *annotations; /* whose expected verdicts do not fail; NULL: none */
	const char *policy_path;	       /* NULL: none */
	unsigned fails;			       /* verdicts that fail where no policy speaks */
	bool gated;			       /* a gate was asked for: say whether it passed */
	bool all; /* text and Markdown: operations that are not reported, too */
	/* HTML: causes of the first ones of the ranking; NULL where there are none. */
	const struct causes_report *const *causes;
	size_t n_causes;
};

/* What its gate looks at. */
static inline struct gate comparison_gate(const struct comparison *c)
{
	return (struct gate){ c->ranking, c->rules, c->annotations, c->fails };
}

/* Prints a comparison, worst first. */
void report_rank(struct out *o, const struct style *s, const struct comparison *c);
/* Prints every metric of every operation. */
void report_distance(struct out *o, const struct style *s, const struct comparison *c);

/* Forced preemption: what was found, and from what. */
struct preemption;
struct preempt_terms;

/* Where a number of the preemption report comes from. */
enum known_from { KNOWN_NOT, KNOWN_OPTION, KNOWN_RUN, KNOWN_KERNEL, KNOWN_ASSUMED };

/* What is printed of preemption; all is borrowed. */
struct preemption_report {
	struct run run;
	const struct preemption *found;
	const struct preempt_terms *terms;
	enum known_from quantum, yield, tperiod, elapsed;
	struct str kernel; /* its settings in words, where they were read */
	const struct known_times *times;
};
/* Prints what forced preemption explains of a run. */
void report_preempt(struct out *o, const struct style *s, const struct preemption_report *r);
/* Equation 3 alone. */
void report_preempt_equation(struct out *o, const struct style *s, double log10_probability);

/* What osprof explain has to go by, besides the comparison. */
struct known_times;

/* What `osprof explain` prints; all is borrowed. */
struct story {
	const struct comparison *comparison;
	const struct known_times *times;
	const struct ranked **chosen; /* operations to tell of */
	size_t n;
	bool named; /* the user chose them: kept peaks are reported, too */
	/* Seconds that a run took, where its profile does not say; 0: not known. */
	double elapsed_before, elapsed_after;
	bool single; /* one run: both sides of the comparison are this one */
};
/* Prints what can be said of one operation. */
void report_story(struct out *o, const struct style *s, const struct story *story);

/* How runs of one configuration differ. */
struct noise;
void report_noise(struct out *o, const struct style *s, const struct run *run,
		  const struct noise *n, bool all);

/* Distances between the operations of one run: cell [i * n + k] of n x n. */
struct within {
	struct run run;
	const struct operation **op;
	size_t n, n_left_out; /* of the run's operations: of very many the pairs are too many */
	enum metric metric;
	const double *distance;
	double similar;	       /* distance up to which operations are alike; NAN: none are joined */
	const size_t *cluster; /* of each operation; CLUSTER_NONE: it is alone */
	size_t n_clusters;
};
/* Prints how the operations of one run resemble each other. */
void report_pairwise(struct out *o, const struct style *s, const struct within *w);

/* What osprof history found in runs one after the other. */
struct history_findings;

/* What `osprof history` prints; all is borrowed. */
struct chronicle {
	const struct history_findings *findings;
	size_t recent; /* runs in which a change fails a gate */
	bool gated;    /* a gate was asked for: say whether it passed */
	bool failed;
	bool all; /* text and Markdown: operations that are not reported, too */
};
/* Prints where in a series of runs operations changed. */
void report_history(struct out *o, const struct style *s, const struct chronicle *c);

/* What happened to one operation, in a sentence with numbers; no full stop. */
void explain(struct out *o, const struct comparison *c, const struct ranked *r);
/* The same of an operation whose peaks are known. */
void explain_by(struct out *o, const struct comparison *c, const struct ranked *r,
		const struct ranked_peaks *peaks);
/* The same without its peaks: calls, mean, contribution. */
void explain_totals(struct out *o, const struct comparison *c, const struct ranked *r);

#endif
