/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is known of one operation of a comparison, as numbers that a program can check.
 *
 * Every statement about an operation rests on one of these facts.  Latencies are in the unit of the
 * run before; numbers of calls and totals are those of a run.
 */
#ifndef ANALYZE_RANK_FACTS_H
#define ANALYZE_RANK_FACTS_H

#include "analyze/rank/quantiles.h"
#include "analyze/rank/ranked.h"

struct arena;
struct runs_judgement;

enum fact_kind {
	FACT_MEAN,     /* latency of a call */
	FACT_CALLS,    /* of a run */
	FACT_TOTAL,    /* latency of a run */
	FACT_MAX,      /* the largest latency, where both sides state one */
	FACT_QUANTILE, /* interpolated, and the edges of its bucket */
	FACT_RANGE,    /* calls within a range of whole buckets of the side that has more of them */
	FACT_SLOW,     /* calls beyond a latency, and their latency */
	FACT_STATES,   /* runs of one side that are unlike its others */
	FACT_SAME,     /* bounds of what may have changed */
	FACT_WAIT,     /* it waits, and whether that mattered */
	FACT_SLOWEST,  /* of one run: the slowest calls that hold most of the latency */
};
const char *fact_kind_name(enum fact_kind kind); /* "mean" */

/* One side of a fact. */
struct fact_side {
	double value;	  /* NAN: not known */
	double low, high; /* of a quantile or a largest latency: edges of its bucket; of the
			   * slowest calls: what the buckets allow of `latency` */
	double share;	  /* of a range, or of the slowest calls: of the operation's calls */
	double latency;	  /* of slow calls: their sum in a run; of the slowest: their share of the
			   * operation's latency */
};

struct fact {
	enum fact_kind kind;
	struct fact_side before, after;
	double change_low, change_high; /* 90 % interval of after / before; NAN: not known */
	double p;			/* of a change over runs; NAN: not known */
	bool counts;			/* the verdict rests on it */
	double quantile;		/* of FACT_QUANTILE, from 0 to 1 */
	double low, high;		/* of FACT_RANGE; low of FACT_SLOW and FACT_SLOWEST */
	bool adds;			/* of FACT_RANGE: more than half of the mean's growth */
	const struct run_states *states;
	bool after_has_states;
	double bound[3]; /* of FACT_SAME: mean, median, 99th percentile, as shares; NAN: not bounded
			  */
};

struct facts {
	struct fact *v; /* most important first */
	size_t n;
	/* What the verdict names first: a change of latency, and one of the number of calls; NULL:
	 * none. */
	const struct fact *latency, *calls;
};

/* Returns the facts of an operation, in the arena.  `runs` is NULL unless repeated runs judged it;
 * `rules` are those by which a single pair was judged. */
struct facts facts_of(struct arena *a, const struct ranking *all, const struct ranked *r,
		      const struct runs_judgement *runs, const struct rank_rules *rules);
/* Returns the facts of an operation of one run, in the arena; each is in `after`, `before` is not
 * known.  Calls and totals are means of the n_runs runs. */
struct facts facts_of_operation(struct arena *a, const struct operation *op, size_t n_runs,
				const struct quantile_list *quantiles);
/* Returns the fact of one quantile, from 0 to 1, of one operation. */
struct fact fact_of_own_quantile(const struct operation *op, double q);
/* Returns the largest latency: as stated, or NAN and the edges of the bucket that holds it. */
struct fact fact_of_own_max(const struct operation *op);
/* Returns the first fact of a kind, after `after` if that is not NULL; NULL: there is none. */
const struct fact *facts_next(const struct facts *f, enum fact_kind kind, const struct fact *after);
/* Returns the fact of one quantile, from 0 to 1. */
struct fact fact_of_quantile(const struct ranked *r, const struct runs_judgement *runs, double q);
/* Returns log2 of after over before; 0 when one of them is not positive. */
double fact_octaves(const struct fact *f);

#endif
