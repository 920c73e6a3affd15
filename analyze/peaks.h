/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the peaks of a histogram by topological persistence.
 *
 * Buckets are visited by falling height.  Each summit is born at its own height and dies
 * at the saddle where it meets a higher summit.  A summit that stands out from its saddle
 * by more than counting noise is a peak, which extends to the saddles on both sides.
 * Where buckets are not equally wide, heights are calls per octave.  Fine buckets are
 * first combined to coarse cells; each peak is then searched with finer cells, and at
 * last bucket by bucket.
 *
 * A few slow calls also form a peak if they hold a large part of the latency and lie
 * beyond a gap that a long tail would hardly leave (analyze/peaks_slow.c).
 */
#ifndef ANALYZE_PEAKS_H
#define ANALYZE_PEAKS_H

#include <stddef.h>
#include <stdint.h>

#include "profile/histogram.h"

struct arena;

/* One peak; latencies are in the histogram's unit. */
struct peak {
	size_t first, mode, last;   /* indices of the histogram's buckets; `last` is inclusive */
	double low, high;	    /* edges of its extent */
	double core_low, core_high; /* edges of the buckets with the middle 90 % of its calls */
	uint64_t count;
	double share; /* of the operation's calls */
	double total; /* latency, estimated from the buckets */
	double mean;
	double position; /* mean position of its calls, in octaves (bucket_position()) */
	double typical;	 /* geometric mean latency */
};

/* All peaks of a histogram, in an arena. */
struct peaks {
	struct peak *v; /* by latency */
	size_t n;
};

/* What makes a summit a peak; peak_rules_default has the values in use. */
struct peak_rules {
	/* The height P must exceed the saddle V, after Anscombe's transform, 2 (sqrt(P + 3/8) -
	 * sqrt(V + 3/8)), by at least this many standard deviations of a difference.  By noise
	 * alone, the highest of m equal heights lies 2 sqrt(ln m) of them above the lowest, so
	 * with n > usual_buckets filled buckets the limit is sqrt(min_z^2 +
	 * 4 ln(n / usual_buckets)). */
	double min_z;
	double usual_buckets;
	/* (P + 1/2) / (V + 1/2) must be at least this, which decides where counts are so large
	 * that noise does not matter. */
	double min_ratio;
	/* Slow calls, however few, are a peak if they hold min_latency of the operation's latency
	 * and lie beyond a gap of at least min_gap octaves, which the tail below leaves with a
	 * probability of at most `chance`. */
	double min_latency, min_gap, chance;
};

/* min_z 3 (up to 32 buckets), min_ratio 1.5, min_latency 0.05, min_gap 1, chance 0.001 */
extern const struct peak_rules peak_rules_default;

/* Returns the peaks of a histogram by ascending latency, in the arena; none if it is empty.  Their
 * bucket numbers index h->bucket; nothing else is borrowed. */
struct peaks peaks_find(struct arena *a, const struct histogram *h, const struct peak_rules *rules);

/* --- the peaks of two sides --------------------------------------------------- */

/* How a peak changed between two histograms. */
enum peak_change { PEAK_KEPT, PEAK_MOVED, PEAK_GREW, PEAK_SHRANK, PEAK_GAINED, PEAK_LOST };

/* A peak before and the same one after, or a peak without a counterpart. */
struct peak_pair {
	const struct peak *before, *after; /* NULL: gained or lost */
	enum peak_change change;
};

/* A share of the calls that a peak before and a peak after have in common: within a peak that is on
 * both sides, or carried from a peak that lost calls, or was split, to another. */
struct peak_link {
	const struct peak *before, *after;
	double share; /* of all calls */
};

/* The peaks of two histograms, matched; in an arena. */
struct peak_pairs {
	struct peak_pair *v; /* by latency after, or before for lost peaks */
	size_t n;
	size_t *of_before, *of_after; /* index in v of each peak of a side */
	struct peak_link *link;	      /* links that carry enough, by `before`, then `after` */
	size_t n_links;
};

/* When two peaks are the same, and when it moved, grew or shrank; comments give the defaults. */
struct match_rules {
	double moved;	    /* octaves from which on a peak has moved: 0.35 */
	double max_octaves; /* calls farther apart than this are not the same ones: 16 */
	double min_part;    /* share of a peak's calls that a link must carry: 0.1 */
	double share_ratio; /* a peak grew if its share of the calls grew by this factor: 1.5 ... */
	double share_points; /* ... or by this much of all calls: 0.10 */
};

/* The rules that the commands use. */
extern const struct match_rules match_rules_default;

/*
 * Matches the peaks of two sides, in the arena.  As many calls as possible stay where they are:
 * peaks less than `moved` apart are paired in order, with the largest total of shared calls and
 * nearness.  The remaining calls of one side are carried to the remaining calls of the other by
 * optimal transport, with the least total distance in octaves.  If this carries most of the
 * calls of one peak to another, it has moved there.
 */
struct peak_pairs peaks_match(struct arena *a, const struct peaks *before,
			      const struct peaks *after, const struct match_rules *rules);
/* Returns "moved" and so on, as in JSON and CSV; a static string. */
const char *peak_change_name(enum peak_change c);

#endif
