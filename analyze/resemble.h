/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds peaks of one run that resemble each other, which suggests that one operation calls
 * the other or waits for it.
 *
 * An operation that calls another shows the other's peaks in its own histogram, with as
 * many calls (FSprof 5.1.1).  Several peaks may add up to another operation's calls
 * (OSprof 6.2), and an operation that waits for a lock has a peak like the holder's
 * (OSprof 6.1).  All of this is evidence, not proof.
 */
#ifndef ANALYZE_RESEMBLE_H
#define ANALYZE_RESEMBLE_H

#include "analyze/align.h"
#include "analyze/peaks.h"
#include "profile/profile.h"

struct arena;

/* How close two numbers of calls are. */
enum counts_similar {
	COUNTS_EQUAL,
	COUNTS_BY_ONE, /* they differ by one */
	COUNTS_NEAR,   /* they differ by at most max(2, 2 sqrt n), n being the smaller one */
	COUNTS_APART,
};
/* Compares two numbers of calls. */
enum counts_similar counts_compare(uint64_t a, uint64_t b);
const char *counts_name(enum counts_similar c); /* "by-one" */

/* When peaks of two operations resemble each other; comments give the defaults. */
struct resemble_rules {
	/* Two peaks lie at most this far apart, plus half a bucket, since the position of a call
	 * within its bucket is not known: 0.5. */
	double max_octaves;
	/* Peaks with different counts must have an EMD of at most max_octaves, counts within this
	 * factor, ... */
	double max_ratio;    /* 4 (OSprof 6.1: a quarter of the calls) */
	double min_share;    /* ... and at least this share of the run's latency each: 0.01 */
	double min_slowness; /* ... and this many times the run's fastest peak: 10 */
	uint64_t min_calls;  /* fewest calls of a peak: 20 */
	uint64_t min_sum; /* fewest calls of a sum, and of operations called equally often: 100 */
	/* Fewest calls of a sum with COUNTS_NEAR: 1000; the other operation must also be in
	 * another layer and take at most twice as long. */
	uint64_t min_near;
};
extern const struct resemble_rules resemble_rules_default;

/* The peaks of all operations of a run. */
struct peak_book {
	const struct profile *profile;
	struct peaks *of; /* one for each operation */
	double latency;	  /* total latency of the run */
	double fastest;	  /* mean latency of the run's fastest peak */
	size_t n;	  /* operations whose peaks were found */
	struct aligned *grid;
	const struct resemble_rules *rules;
};
/* Finds the peaks of all operations; the book is empty when p is NULL.  Borrows p and grid, which
 * is scratch memory for comparing peaks. */
struct peak_book peak_book_of(struct arena *a, const struct profile *p, struct aligned *grid,
			      const struct resemble_rules *rules);
/* The same in steps: an empty book, to which the peaks of the next n operations are added; false
 * when it is complete. */
struct peak_book peak_book_begin(struct arena *a, const struct profile *p, struct aligned *grid,
				 const struct resemble_rules *rules);
bool peak_book_add(struct peak_book *b, struct arena *a, size_t n);

enum { MAX_LIKE = 3 };

/* A peak of another operation that a peak resembles.  On either side it may be several adjacent
 * peaks together, since noise may split in two what is one path. */
struct like_peak {
	const struct operation *op;
	struct peak peak;	    /* the other operation's peaks, united */
	size_t number, last;	    /* numbers of these peaks, from 1 */
	size_t own_first, own_last; /* numbers of this operation's peaks */
	enum counts_similar counts;
	double apart; /* octaves between the two */
	double emd;   /* octaves between their shapes */
};
/* Finds peaks of other operations that peak number `peak` of operation number `op` resembles, the
 * most similar first; returns how many. */
size_t resemble_peaks(const struct peak_book *b, size_t op, size_t peak,
		      struct like_peak ret[MAX_LIKE]);

/* One or more adjacent peaks, but not all, with as many calls as another operation in all. */
struct like_sum {
	size_t first, last; /* numbers of peaks, from 0 */
	uint64_t count;
	double total, mean; /* latency of these peaks */
	const struct operation *op;
	enum counts_similar counts;
};
/* Finds sums of peaks of `op`, the closest first; returns how many, at most MAX_LIKE. */
size_t resemble_sums(const struct peak_book *b, size_t op, struct like_sum ret[MAX_LIKE]);

/* An operation that is called equally often, give or take one call. */
struct resemble_calls {
	const struct operation *op;
	enum counts_similar counts;
	size_t n_matching; /* peaks that resemble one there, with equal or near counts */
	size_t n_peaks;	   /* of this operation */
};
/* Finds operations called as often as `op`, those with most matching peaks first; returns how many,
 * at most MAX_LIKE. */
size_t resemble_calls(const struct peak_book *b, size_t op, struct resemble_calls ret[MAX_LIKE]);

#endif
