/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The story of one operation of a comparison: what became of each of its peaks,
 * what that costs, what the peak looks like elsewhere, and what lasts as long.
 */
#ifndef ANALYZE_STORY_H
#define ANALYZE_STORY_H

#include "analyze/rank.h"
#include "analyze/resemble.h"
#include "analyze/times.h"

/* What a story is made from. */
struct story_context {
	const struct ranking *ranking;
	struct peak_book before, after;
	const struct known_times *times;
	/* Seconds that all runs of a side took together; 0 when not known. */
	double elapsed_before, elapsed_after;
};

/* Which peaks a story mentions, and with which hints. */
struct story_rules {
	double min_part; /* share of an operation's calls or latency that a peak is worth: 0.01 */
	double hint_within; /* octaves between a peak's mean and a characteristic time: 0.5 */
	double max_width;   /* octaves; a wider peak has no characteristic time: 3 */
	double rare; /* share of the calls below which a peak may be a background event: 0.01 */
	uint64_t min_events; /* of a peak that has a period or a characteristic time: 10 */
};
extern const struct story_rules story_rules_default;

/* What became of one peak, and what is similar to it. */
struct story_peak {
	struct peak_pair pair;
	size_t number; /* among the peaks after, of a lost one among those before; from 1 */
	double added;  /* total latency, for as many runs as there were before; in its unit */
	double part;   /* of all that the peaks added, or saved; NAN when nothing was */
	bool weighty;
	bool rare;     /* few calls of many: perhaps a background event */
	double period; /* elapsed seconds for each of its calls; NAN unless rare */
	struct time_hint hint[MAX_HINTS], period_hint[MAX_HINTS];
	size_t n_hints, n_period_hints;
	struct like_peak like[MAX_LIKE]; /* on its own side */
	size_t n_like;
};

/* One operation's peaks, with what they cost; latencies in the unit of the run before. */
struct op_story {
	const struct ranked *ranked;
	struct story_peak *peak;
	size_t n_peaks;
	double added, saved; /* by its peaks */
	/* Of the side after, of a gone operation before. */
	struct like_sum sum[MAX_LIKE];
	struct like_calls relatives[MAX_LIKE];
	size_t n_sums, n_relatives;
};

/* `seconds`: what one unit of its latencies is; NAN when they are no times. */
struct op_story story_of(struct arena *a, const struct story_context *t, const struct ranked *r,
			 double seconds);

#endif
