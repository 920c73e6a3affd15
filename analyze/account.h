/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What happened to one operation of a comparison, for report/ to put into words: the headline,
 * the peaks to name, and the cost.  Numbers are per run.
 */
#ifndef ANALYZE_ACCOUNT_H
#define ANALYZE_ACCOUNT_H

#include "analyze/rank.h"

/* What the headline is about. */
enum account_kind {
	ACCOUNT_NEW,	 /* no calls before */
	ACCOUNT_GONE,	 /* no calls after */
	ACCOUNT_PEAK,	 /* calls moved from one peak to another */
	ACCOUNT_MEAN,	 /* the mean moved, the peaks did not */
	ACCOUNT_BODY,	 /* the body moved (analyze/body.h), the mean did not */
	ACCOUNT_CALLS,	 /* more or fewer calls, as long as before */
	ACCOUNT_NOTHING, /* unchanged */
};

/* A peak that changed, with the peak that most of its calls came from or went to. */
struct peak_news {
	const struct peak *before, *after; /* NULL: no single peak */
	bool stayed;			   /* only its share of the calls changed */
	double share; /* of the operation's calls that this is about, after if present there */
	double calls; /* number of these calls, per run */
	double added; /* latency, per run */
};

enum { MAX_NEWS = 4 };

/* The core range: latencies from the 5th to the 95th percentile. */
struct body_range {
	double low, high;
};

/* The short account of one operation in a comparison; its news borrow from the peaks. */
struct account {
	enum account_kind kind;
	struct peak_news news[MAX_NEWS];  /* heaviest first; ACCOUNT_PEAK is about news[0] */
	size_t n_news, n_smaller;	  /* n_smaller: changed peaks not in news */
	double calls_before, calls_after; /* 0 where absent */
	double mean_before, mean_after;	  /* on equal terms (struct ranked); NAN where absent */
	struct body_range body_before, body_after; /* only for ACCOUNT_BODY; in the unit before */
	double change;				   /* of the operation's latency */
	double change_of_run;			   /* of all operations together */
};

/* Thresholds for what an account mentions; comments give the defaults. */
struct account_rules {
	double min_part;     /* share of the calls or latency that a named peak has: 0.01 */
	double min_headline; /* share of the calls or of the change, for a headline: 0.1 */
	double min_octaves;  /* change of mean, body or calls: 0.0705, which is 5 % */
};
extern const struct account_rules account_rules_default;

/* Returns the account of r, whose peaks rank_peaks() gave; `a` is used for scratch memory only. */
struct account account_of(struct arena *a, const struct ranking *all, const struct ranked *r,
			  const struct ranked_peaks *peaks, size_t runs_before, size_t runs_after);

#endif
