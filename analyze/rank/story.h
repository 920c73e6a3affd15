/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The story of one operation of a comparison: how each of its peaks changed, what that
 * costs, which peaks of other operations resemble it, and which known times match it.
 */
#ifndef ANALYZE_RANK_STORY_H
#define ANALYZE_RANK_STORY_H

#include "analyze/rank/rank.h"
#include "analyze/resemble.h"
#include "analyze/times.h"

/* The input of stories. */
struct story_context {
	const struct ranking *ranking;
	struct peak_book before, after;
	const struct known_times *times;
	/* Elapsed seconds of all runs of a side together; 0 when not known. */
	double elapsed_before, elapsed_after;
};

/* Which peaks a story mentions, and with which hints; comments give the defaults. */
struct story_rules {
	double min_part;    /* smallest share of calls or latency of a weighty peak: 0.01 */
	double hint_within; /* most octaves between a peak's mean and a characteristic time: 0.5 */
	double max_width;   /* octaves; a wider peak has no characteristic time: 3 */
	double rare; /* a peak with a smaller share of the calls may be a background event: 0.01 */
	uint64_t min_events; /* fewest calls of a peak with a period or a characteristic time: 10 */
};
extern const struct story_rules story_rules_default;

/* How one peak changed, and what is similar to it. */
struct story_peak {
	struct peak_pair pair;
	size_t number; /* among the peaks after, or before if it was lost; from 1 */
	double added;  /* total latency, for as many runs as before, in the unit before */
	double part;   /* share of what all peaks added, or saved; NAN when it added nothing */
	bool weighty;
	bool rare;     /* a small share of the calls: perhaps a background event */
	double period; /* elapsed seconds per call of the peak; NAN unless rare */
	struct time_hint hint[MAX_HINTS], period_hint[MAX_HINTS];
	size_t n_hints, n_period_hints;
	struct like_peak like[MAX_LIKE]; /* similar peaks on its own side */
	size_t n_like;
};

/* The peaks of one operation and their cost; latencies in the unit of the run before. */
struct op_story {
	const struct ranked *ranked;
	struct story_peak *peak;
	size_t n_peaks;
	double added, saved; /* sums over its peaks */
	/* Of the side after, or of the side before if the operation is gone. */
	struct like_sum sum[MAX_LIKE];
	struct resemble_calls relatives[MAX_LIKE];
	size_t n_sums, n_relatives;
};

/* Returns the story of r, in the arena.  `seconds` is one unit of its latencies, NAN when they are
 * not times. */
struct op_story story_of(struct arena *a, const struct story_context *t, const struct ranked *r,
			 double seconds);

#endif
