/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which peaks of one run resemble each other: who calls or waits for whom.
 *
 * An operation that calls another shows the other's peaks in its own histogram,
 * with as many calls (FSprof 5.1.1); peaks may also add up to another operation's
 * calls (OSprof 6.2), and one that waits for a lock has a peak like the holder's
 * (OSprof 6.1).  All of it is evidence, none of it proof.
 */
#ifndef ANALYZE_RESEMBLE_H
#define ANALYZE_RESEMBLE_H

#include "analyze/align.h"
#include "analyze/peaks.h"
#include "profile/profile.h"

struct arena;

/* How near two numbers of calls are. */
enum counts_similar {
	COUNTS_EQUAL,
	COUNTS_BY_ONE, /* they differ by one */
	COUNTS_NEAR,   /* by no more than max(2, 2 sqrt n), n the smaller one */
	COUNTS_APART,
};
/* Whether two numbers of calls are equal, nearly equal, or neither. */
enum counts_similar counts_compare(uint64_t a, uint64_t b);
const char *counts_name(enum counts_similar c); /* "by-one" */

/* When peaks of two operations resemble each other. */
struct resemble_rules {
	/* Two peaks lie no farther apart than this and half a bucket, as where in its bucket a call
	 * lies is not known: 0.5. */
	double max_octaves;
	/* Peaks of other counts: shapes no farther apart than max_octaves under EMD,
	 * counts within this factor, ... */
	double max_ratio;    /* 4 (OSprof 6.1: a quarter of the calls) */
	double min_share;    /* ... and at least this share of the run's latency each: 0.01 */
	double min_slowness; /* ... and this many times the run's fastest peak: 10 */
	uint64_t min_calls;  /* of a peak: 20 */
	uint64_t min_sum;    /* of sums, and of operations called equally often: 100 */
	/* Of sums that are near, not equal: 1000; and the other operation is of another
	 * layer and takes no more than twice as long. */
	uint64_t min_near;
};
extern const struct resemble_rules resemble_rules_default;

/* The peaks of all operations of a run. */
struct peak_book {
	const struct profile *profile;
	struct peaks *of; /* one for each operation */
	double latency;	  /* of the run */
	double fastest;	  /* mean of its fastest peak */
	struct aligned *grid;
	const struct resemble_rules *rules;
};
/* A run without a profile (NULL) has an empty book. */
struct peak_book peak_book_of(struct arena *a, const struct profile *p, struct aligned *grid,
			      const struct resemble_rules *rules);

enum { MAX_LIKE = 3 };

/* A peak of another operation that one resembles; or several adjacent ones of either operation,
 * as one: of what is one path here, noise may make two there. */
struct like_peak {
	const struct operation *op;
	struct peak peak;	    /* of all of them */
	size_t number, last;	    /* of these peaks among their operation's, from 1 */
	size_t own_first, own_last; /* those of this operation */
	enum counts_similar counts;
	double apart; /* octaves between the two */
	double emd;   /* octaves between their shapes */
};
/* The most telling ones first; returns how many.  `op` is a number of an operation,
 * `peak` of one of its peaks. */
size_t like_peaks(const struct peak_book *b, size_t op, size_t peak,
		  struct like_peak ret[MAX_LIKE]);

/* Adjacent peaks (or one), not all, with as many calls as another operation has in all. */
struct like_sum {
	size_t first, last; /* numbers of peaks, from 0 */
	uint64_t count;
	double total, mean; /* latency of these peaks */
	const struct operation *op;
	enum counts_similar counts;
};
/* Of the peaks of `op`, the most telling ones first; returns how many, MAX_LIKE at most. */
size_t like_sums(const struct peak_book *b, size_t op, struct like_sum ret[MAX_LIKE]);

/* An operation that is called equally often, or once more or less. */
struct like_calls {
	const struct operation *op;
	enum counts_similar counts;
	size_t n_matching; /* how many peaks have one like it there, with equal or near counts */
	size_t n_peaks;
};
/* The most telling ones first; returns how many, MAX_LIKE at most. */
size_t like_calls(const struct peak_book *b, size_t op, struct like_calls ret[MAX_LIKE]);

#endif
