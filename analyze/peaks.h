/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Peaks of a histogram, by persistence.
 *
 * Going down from the highest bucket, each summit is born at its count and dies
 * where it meets a higher one: at the saddle between them.  A summit whose height
 * stands out from its saddle by more than counting noise is a peak.  Its extent
 * reaches to the saddles on both sides.  Where buckets are not equally wide,
 * heights are calls for each octave.  Fine buckets are first looked at several
 * together, then within each peak at finer ones, and at last one by one.
 *
 * A few slow calls are a peak, too, where they hold a part of the latency and lie
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
	size_t first, mode, last;   /* into histogram's buckets, inclusive */
	double low, high;	    /* its extent */
	double core_low, core_high; /* edges of the buckets that hold its middle 90 % of calls */
	uint64_t count;
	double share; /* of the operation's calls */
	double total; /* latency, from the buckets */
	double mean;
	double position; /* mean of where its calls lie, in octaves */
	double typical;	 /* geometric mean: the latency at `position` */
};

/* All peaks of a histogram, in an arena. */
struct peaks {
	struct peak *v; /* by latency */
	size_t n;
};

/* What makes a summit a peak; peak_rules_default has the values in use. */
struct peak_rules {
	/* Height P over saddle V after Anscombe's transform, 2 (sqrt(P + 3/8) -
	 * sqrt(V + 3/8)), at least this many standard deviations of a difference.  The
	 * highest of m equal heights lies 2 sqrt(ln m) of them above the lowest by noise
	 * alone: in a histogram of n > usual_buckets filled buckets min_z^2 +
	 * 4 ln(n / usual_buckets) is the square of what is asked for. */
	double min_z;
	double usual_buckets;
	/* (P + 1/2) / (V + 1/2) at least this: takes over where counts are so large
	 * that noise means nothing. */
	double min_ratio;
	/* However few its calls: what holds this share of the operation's latency beyond a gap
	 * of so many octaves, that the tail below leaves with no more than this probability. */
	double min_latency, min_gap, chance;
};

/* z 3 (up to 32 buckets), ratio 1.5; latency 0.05, gap 1, chance 0.001 */
extern const struct peak_rules peak_rules_default;

/* The peaks of a histogram in ascending order of latency, in the arena; none of an empty one.
 * Their bucket numbers index h->bucket, which is not borrowed otherwise. */
struct peaks peaks_find(struct arena *a, const struct histogram *h, const struct peak_rules *rules);

/* --- the peaks of two sides --------------------------------------------------- */

/* What became of a peak between two histograms. */
enum peak_change { PEAK_KEPT, PEAK_MOVED, PEAK_GREW, PEAK_SHRANK, PEAK_GAINED, PEAK_LOST };

/* A peak before and the same one after, or one that has no counterpart. */
struct peak_pair {
	const struct peak *before, *after; /* NULL: gained or lost */
	enum peak_change change;
};

/* Calls of one side that are those of the other: within a peak that is on both, and from one
 * that lost some, or was split, to others. */
struct peak_link {
	const struct peak *before, *after;
	double share; /* of all calls */
};

/* The peaks of two histograms, matched; in an arena. */
struct peak_pairs {
	struct peak_pair *v; /* by latency: after, of lost ones before */
	size_t n;
	size_t *of_before, *of_after; /* in which of them a peak of a side is */
	struct peak_link *link;	      /* those worth telling, by `before`, then `after` */
	size_t n_links;
};

/* When two peaks are the same, and when it counts as moved, grown or shrunk. */
struct match_rules {
	double moved;	     /* octaves from which on a peak has moved: 0.35 */
	double max_octaves;  /* calls that are farther apart are not the same ones: 16 */
	double min_part;     /* of a peak's calls that a link carries, to count: 0.1 */
	double share_ratio;  /* growth of its share of the calls that counts: 1.5 ... */
	double share_points; /* ... or this much of all calls: 0.10 */
};

/* The rules that the commands use. */
extern const struct match_rules match_rules_default;

/*
 * Calls stay where they were as far as can be: peaks that are less than `moved` apart are
 * paired, in order, as many and as near as can be.  What one side then has left is carried to
 * what the other has, by optimal transport: with the least octaves in all.  Of two peaks that
 * so exchange most of their calls one has become the other.
 */
struct peak_pairs peaks_match(struct arena *a, const struct peaks *before,
			      const struct peaks *after, const struct match_rules *rules);
/* "moved", as JSON and CSV have it; static. */
const char *peak_change_name(enum peak_change c);

#endif
