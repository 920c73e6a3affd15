/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What happened to one operation of a comparison, before it is put into words: what is said
 * first, which peaks are named, and what it costs.  Numbers are those of a run.
 */
#ifndef ANALYZE_ACCOUNT_H
#define ANALYZE_ACCOUNT_H

#include "analyze/rank.h"

/* What is said first. */
enum account_kind {
	ACCOUNT_NEW,	 /* no such operation before, or no call of it */
	ACCOUNT_GONE,	 /* or after */
	ACCOUNT_PEAK,	 /* its calls went elsewhere */
	ACCOUNT_MEAN,	 /* its calls take longer or shorter, in the same peaks */
	ACCOUNT_BODY,	 /* most of its calls do, but not their mean */
	ACCOUNT_CALLS,	 /* there are more or fewer, as long as they were */
	ACCOUNT_NOTHING, /* as before */
};

/* A peak that changed: where its calls are, and where most of them were. */
struct peak_news {
	const struct peak *before, *after; /* NULL: nowhere in particular */
	bool stayed;			   /* the same peak, with another share of the calls */
	double share;			   /* of the calls that this is about; after, if there */
	double calls;			   /* how many these are, in a run */
	double added;			   /* latency, in a run */
};

enum { MAX_NEWS = 4 };

/* Where calls lie but for the fastest and the slowest 5 %. */
struct body_range {
	double low, high;
};

/* The short account of one operation in a comparison; borrows nothing. */
struct account {
	enum account_kind kind;
	struct peak_news news[MAX_NEWS];  /* the first is what ACCOUNT_PEAK is about */
	size_t n_news, n_smaller;	  /* peaks that changed, too, and are not among them */
	double calls_before, calls_after; /* 0 where absent */
	double mean_before, mean_after;	  /* on equal terms; NAN where absent */
	struct body_range body_before, body_after; /* of ACCOUNT_BODY, on equal terms */
	double change;				   /* of its latency */
	double change_of_run;			   /* of all operations together */
};

/* What has to be how large to be mentioned in an account; the defaults stand beside. */
struct account_rules {
	double min_part;     /* of calls or latency that a peak has, to be named: 0.01 */
	double min_headline; /* of calls, or of the change, to be said first: 0.1 */
	double min_octaves;  /* of mean and calls: 0.0705, 5 % */
};
extern const struct account_rules account_rules_default;

/* `peaks` are those of r: rank_peaks(). */
struct account account_of(struct arena *a, const struct ranking *all, const struct ranked *r,
			  const struct ranked_peaks *peaks, size_t runs_before, size_t runs_after);

#endif
