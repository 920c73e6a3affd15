/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts individual samples in histograms, for formats that hold one event after the other.
 *
 * Memory grows with the operations, intervals and buckets in use, never with the number of
 * samples.  Totals are exact.  The order of events only decides the order of operations, which
 * is that of their first events.
 */
#ifndef PROFILE_ACCUMULATOR_ACCUMULATOR_H
#define PROFILE_ACCUMULATOR_ACCUMULATOR_H

#include "base/attr.h"
#include "base/decimal.h"
#include "base/str.h"
#include "profile/builder/builder.h"

struct input;
struct accumulator;

struct accumulator_options;
struct sample;

/* An observer of each sample that is counted; the first member of what implements it. */
struct sample_tap {
	void (*sampled)(struct sample_tap *t, const struct sample *sample,
			const struct accumulator_options *how);
};

/* How samples are counted: bucket resolution, units, intervals. */
struct accumulator_options {
	unsigned resolution; /* buckets in each octave; 0 means 1 */
	enum unit unit;	     /* of latencies */
	enum unit_source unit_source;
	double threshold;	/* shorter latencies were never recorded; 0: all were */
	double granularity;	/* latencies are whole multiples of it; 0: not known */
	bool fixed_duration;	/* see build_fixed_duration() */
	double interval;	/* seconds of each interval; 0: no intervals */
	double start_rate;	/* units of sample.start in a second; 0: not known */
	bool utc;		/* starts are times since 1970; intervals begin at multiples of
				 * their length */
	struct sample_tap *tap; /* sees each sample, so one thread counts them one by one;
				 * NULL: none */
	const char *start_hint; /* appended to the error about too many intervals; may be NULL */
};

/* One latency of one operation, as a reader passes it to accumulator_add(). */
struct sample {
	struct str layer, name; /* without NUL bytes; copied */
	struct decimal latency; /* negative latencies have a bucket of their own */
	struct decimal start;	/* used with intervals, and where it is `timed` */
	bool timed;	  /* `start` is known: the run took from the first start to the last end,
			   * and began at the first of the starts since 1970 */
	struct str where; /* bytes of the input; messages about an operation point at its first */
	struct input *of; /* the input that holds `where`, if that does not stay; else NULL */
	uint64_t offset;  /* ascending; orders operations by their first samples.  Samples of one
			   * line have different offsets, as another thread may already know some
			   * of their operations */
};

/* Returns an empty accumulator for one thread; accumulator_free() frees it. */
struct accumulator *accumulator_new(const struct accumulator_options *options);
void accumulator_free(struct accumulator *s); /* NULL is fine */
const struct accumulator_options *accumulator_options_of(const struct accumulator *s);

enum { ACCUMULATOR_MAX_INTERVALS = 1 << 20 };

/* Whether a sample was counted, or why not. */
enum sampled {
	SAMPLED,
	SAMPLED_IMPOSSIBLE,	    /* a lost event: see unit_impossible_from() */
	SAMPLED_TOTAL_OVERFLOW,	    /* the operation's total no longer fits */
	SAMPLED_TOO_MANY_INTERVALS, /* more than ACCUMULATOR_MAX_INTERVALS from first to last start
				     */
};

/* Counts a sample.  Interval k takes the starts from first + k x interval on, where `first` is
 * the start of the first sample; earlier starts have a negative k.  A sample that does not fit
 * is not counted anywhere. */
MUST_CHECK enum sampled accumulator_add(struct accumulator *s, const struct sample *sample);
/* Adds the self time of the sample that was just counted, and whether it lies in no call of the
 * same operation.  An operation's self time is known only if that of all its samples is. */
void accumulator_nested(struct accumulator *s, const struct sample *sample, struct decimal self,
			bool outermost);
/* The same for a sample that was counted earlier; samples may come in any order. */
void accumulator_nested_late(struct accumulator *s, const struct sample *sample,
			     struct decimal self, bool outermost);
/* Drops all self times so far; the caller adds them again. */
void accumulator_restart_nested(struct accumulator *s);
/* Self times are unreliable: accumulator_push() leaves them out. */
void accumulator_forget_nested(struct accumulator *s);
/* Notes a sample that did not fit: accumulator_push() fails and points at its `where`.  The error
 * is the same whichever of several threads met the sample. */
void accumulator_miss(struct accumulator *s, enum sampled why, const struct sample *sample);

/* States that the run includes this stretch of time, in units of sample.start; `fine`: times are
 * printed with fractions of a second.  If none is, short elapsed times are not known. */
void accumulator_see(struct accumulator *s, struct decimal start, struct decimal end, bool fine);
/* The same, by a latency from its start on. */
void accumulator_see_latency(struct accumulator *s, struct decimal start, struct decimal latency);
/* Sets the start from which intervals are counted: that of the file's first sample, though
 * another sample may be the first one added here. */
void accumulator_begin(struct accumulator *s, struct decimal start);
/* Finds the interval that a start lies in; false when it is too far from the others. */
MUST_CHECK bool accumulator_interval(struct accumulator *s, struct decimal start, long *ret);
/* Pushes everything so far to b, with exact totals, counts and extremes; false when an error was
 * reported.  The earliest interval begins at 0, unless options.utc. */
MUST_CHECK bool accumulator_push(struct accumulator *s, struct builder *b);

/* Returns the bucket scheme for latencies of this unit.  Collectors that count in us, ms or s
 * print fractions: their buckets reach down to one nanosecond, so that 0.000012 s and 0.000090 s
 * stay apart.  In other units the lowest bucket is [1, 2), as nothing is known of shorter
 * latencies. */
struct bucket_scheme accumulator_scheme(enum unit unit, unsigned resolution);

#endif
