/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Histograms of individual samples: for formats that hold one event after the other.
 *
 * Memory grows with operations, intervals and buckets that are in use, never
 * with the number of latencies.  Totals are exact, and what comes out does not
 * depend on the order of events but for the order of operations, which is that
 * of their first event.
 */
#ifndef PROFILE_ACCUMULATOR_H
#define PROFILE_ACCUMULATOR_H

#include "base/attr.h"
#include "base/decimal.h"
#include "base/str.h"
#include "profile/builder.h"

struct input;
struct accumulator;

struct accumulator_options;
struct sample;

/* Who wants to see each sample that is counted; the first member of what implements it. */
struct sample_tap {
	void (*sampled)(struct sample_tap *t, const struct sample *sample,
			const struct accumulator_options *how);
};

/* How samples are counted: bucket resolution, units, intervals. */
struct accumulator_options {
	unsigned resolution; /* buckets in each octave; 0: 1 */
	enum unit unit;	     /* of latencies */
	enum unit_source unit_source;
	double threshold;	/* shorter ones were never recorded; 0: all were */
	double granularity;	/* all are whole multiples of it; 0: not known */
	bool fixed_duration;	/* see build_fixed_duration() */
	double interval;	/* seconds of each interval; 0: no intervals */
	double start_rate;	/* units of a start in a second; matters with intervals only */
	bool utc;		/* starts are times since 1970, and intervals multiples of theirs */
	struct sample_tap *tap; /* NULL: nobody asks; else one thread counts, one by one */
	const char *start_hint; /* what else could be wrong with a start; may be NULL */
};

/* One latency of one operation, as a reader passes it to accumulator_add(). */
struct sample {
	struct str layer, name; /* without NUL bytes; copied */
	struct decimal latency; /* negative ones are counted in a bucket of their own */
	struct decimal start;	/* matters with intervals only */
	struct str where; /* of the input's bytes: blamed for the operation it is the first of */
	struct input *of; /* what `where` is a part of, if that is passing; else NULL */
	uint64_t offset;  /* ascending; operations are in the order of that of their first sample.
			   * Those of one line differ in it: another thread may know some of their
			   * operations already */
};

/* An empty accumulator for one thread; accumulator_free() frees it. */
struct accumulator *accumulator_new(const struct accumulator_options *options);
void accumulator_free(struct accumulator *s); /* NULL is fine */

enum { ACCUMULATOR_MAX_INTERVALS = 1 << 20 };

/* Whether a sample was counted, or why not. */
enum sampled {
	SAMPLED,
	SAMPLED_TOTAL_OVERFLOW,	    /* the operation's total no longer fits */
	SAMPLED_TOO_MANY_INTERVALS, /* more than ACCUMULATOR_MAX_INTERVALS from first to last start
				     */
};

/* Interval k takes the starts from first + k x interval on, `first` being the
 * start of the first sample; earlier starts have negative k.  A sample that was
 * not taken leaves nothing after. */
MUST_CHECK enum sampled accumulator_add(struct accumulator *s, const struct sample *sample);
/* Of a sample that was just taken: what of its latency is its own, and whether it lies in no
 * call of the same operation.  Self time is known of an operation if it is of all samples. */
void accumulator_nested(struct accumulator *s, const struct sample *sample, struct decimal self,
			bool outermost);
/* The same of a sample that was taken before, in any order. */
void accumulator_nested_late(struct accumulator *s, const struct sample *sample,
			     struct decimal self, bool outermost);
/* What was said so far is forgotten; it is said again. */
void accumulator_restart_nested(struct accumulator *s);
/* What accumulator_nested() said is not to be trusted. */
void accumulator_forget_nested(struct accumulator *s);
/* One that was not taken, `where` being what is blamed for it: accumulator_push() fails.  Where
 * several threads sample a file, that tells the same of it whichever of them met it. */
void accumulator_miss(struct accumulator *s, enum sampled why, const struct sample *sample);

/* `start` is that of the first sample, whichever comes first here. */
void accumulator_begin(struct accumulator *s, struct decimal start);
/* Which interval a start lies in.  False when it is too far from the others. */
MUST_CHECK bool accumulator_interval(struct accumulator *s, struct decimal start, long *ret);
/* Everything so far, with exact totals, counts and extremes.  The earliest
 * interval begins at 0. */
MUST_CHECK bool accumulator_push(struct accumulator *s, struct builder *b);

/* The buckets latencies of this unit are put in.  Collectors of us, ms and s
 * print fractions: there the buckets reach down to one nanosecond, so that
 * 0.000012 s and 0.000090 s stay apart.  Of other units the lowest is [1, 2),
 * as nothing is known of what lies below. */
struct bucket_scheme accumulator_scheme(enum unit unit, unsigned resolution);

#endif
