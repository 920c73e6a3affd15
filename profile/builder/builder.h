/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds a profile from what a reader pushes.
 *
 * Readers push what they find, in file order.  The builder checks what must hold in every format
 * (ascending buckets, no count past 64 bits, totals that fit the buckets), infers the bucket
 * scheme from printed edges, and tells delta from cumulative snapshots.
 *
 *	operation -> { histogram -> { bucket | range }*, total, count ... }*
 *
 * An operation may have several histograms: one for each interval.  Every `where` is a range of
 * the input's bytes, or of its current part: messages point at it.  After the first error all
 * functions return false, and builder_finish() returns NULL.
 */
#ifndef PROFILE_BUILDER_BUILDER_H
#define PROFILE_BUILDER_BUILDER_H

#include <stdint.h>

#include "base/attr.h"
#include "base/decimal.h"
#include "base/diag.h"
#include "base/str.h"
#include "profile/bucket.h"
#include "profile/contention.h"
#include "profile/elapsed.h"
#include "profile/unit.h"

struct builder;
struct input;
struct names;
struct nest;
struct noise_floor;
struct profile;
struct host_spread;

/* Whether counts start from zero in each snapshot (delta) or go on (cumulative). */
enum snapshots { SNAPSHOTS_AUTO, SNAPSHOTS_DELTA, SNAPSHOTS_CUMULATIVE };

/* What the user states where a file does not. */
struct build_options {
	enum unit unit; /* UNIT_UNKNOWN: not given */
	double hz;	/* 0: not given */
	enum snapshots snapshots;
	double interval;	   /* seconds between snapshots; 0: not given */
	const struct names *names; /* names of keys; NULL: keys are names */
	struct str architecture;   /* stated by the file; decides the numbers of system calls */
};

/* Returns a builder of a profile that is read from `in`; builder_finish() frees it. */
struct builder *builder_new(struct input *in, const char *format,
			    const struct build_options *options, struct diag *diag);
void builder_free(struct builder *b); /* discards the profile; NULL is fine */
/* For an input that is read in parts: from here on each `where` lies in this part, or with NULL
 * in the whole input. */
void builder_part(struct builder *b, struct input *part);
/* The same for a line that was copied from the input. */
void builder_line(struct builder *b, const struct line_copy *line);
bool builder_failed(const struct builder *b);
/* Reports an error at a part of the input and makes the builder fail; returns false. */
bool build_fail(struct builder *b, enum diag_code code, struct str where, const char *fmt, ...)
	PRINTF_LIKE(4, 5);

/* How a unit is known: a stated one stands, a guessed one yields to the user's. */
enum unit_source { UNIT_STATED, UNIT_GUESSED };

/* States the clock rate of latencies in cycles. */
void build_hz(struct builder *b, double hz);
/* States how long the capture took. */
void build_elapsed(struct builder *b, double seconds);
/* The same as known from this source; what a more certain one says stands. */
void build_elapsed_from(struct builder *b, double seconds, enum elapsed_source source);
/* States how many clients, threads or connections made calls at the same time; 0: not known. */
void build_concurrency(struct builder *b, uint64_t n);
void build_started(struct builder *b, double seconds); /* since 1970, UTC */
/* Adds to the contention stated so far. */
void build_contention(struct builder *b, const struct contention *c);
/* States the processor's speed meanwhile: steps a second of a fixed loop. */
void build_cpu_speed(struct builder *b, double steps);
void build_duet(struct builder *b, struct str id); /* of two runs recorded at once */
void build_cpu_time(struct builder *b); /* latencies are processor time, so that none is a wait */
void build_elapsed_unknown(struct builder *b); /* not even from the ends of intervals */
/* States the unit of the profile; without it, it is that of the first operation. */
void build_profile_unit(struct builder *b, enum unit unit);
void build_epoch(struct builder *b); /* times of intervals are seconds since 1970-01-01, UTC */
/* Adds a host whose calls the profile holds or, if `missing`, should hold. */
void build_host(struct builder *b, struct str name, bool missing);
void build_by_host(struct builder *b); /* operations have spreads over these hosts */
struct str build_host_at(const struct builder *b, size_t i); /* the i-th host added */
/* States a spread of the current operation; its host names must be those of build_host_at(), all
 * else is copied. */
void build_spread(struct builder *b, int feature, const struct host_spread *spread);
/* Only a part of the file was read, which may have no operation. */
void build_part(struct builder *b);
bool builder_is_part(const struct builder *b);
/* A profile without operations is not an error. */
void build_may_be_empty(struct builder *b);
/* Leaves the bucket of zero as the file states it (profile/zeros.c). */
void build_keep_zeros(struct builder *b);
/* Adds a statement of nesting: what calls what. */
void build_nest(struct builder *b, const struct nest *nest);
MUST_CHECK bool build_lost(struct builder *b, uint64_t events, struct str where);
void build_machine(struct builder *b, struct str machine);
void build_kernel(struct builder *b, struct str kernel); /* its last word: the architecture */

/* Makes this operation the current one, adding it if new. */
MUST_CHECK bool build_operation(struct builder *b, struct str layer, struct str name,
				struct str where);
/* The same, with the unit that the file states for it. */
MUST_CHECK bool build_operation_in(struct builder *b, enum unit unit, struct str layer,
				   struct str name, struct str where);
/* Like build_operation(), but a known operation is an error, which may be reported only later, in
 * builder_finish() at the latest. */
MUST_CHECK bool build_new_operation(struct builder *b, struct str layer, struct str name,
				    struct str where);
/* Called before the first operation: the caller guarantees that all operations that follow by
 * build_new_operation() differ, so that they need not be looked up. */
void build_all_differ(struct builder *b);
/* Reserves room for n operations; more may come. */
void build_room_for_operations(struct builder *b, size_t n);
void build_unit(struct builder *b, enum unit unit, enum unit_source source);
/* Latencies of the current operation below `threshold` > 0 were not recorded. */
void build_threshold(struct builder *b, double threshold);
/* n calls of the current operation have latencies that cannot be, as this one: lost events. */
MUST_CHECK bool build_impossible(struct builder *b, uint64_t n, double latency, struct str where);
MUST_CHECK bool build_operation_lost(struct builder *b, uint64_t events, struct str where);
/* Totals of the current operation are its calls times a rounded mean. */
void build_rounded_totals(struct builder *b);
/* The current operation is of a fixed-duration benchmark: neither the number of its calls nor
 * their total is a result of the run. */
void build_fixed_duration(struct builder *b);
/* The same for the whole run and all of its operations, also those added before. */
void build_run_fixed_duration(struct builder *b);
void build_approximate(struct builder *b); /* the edges that follow were rounded */
/* Latencies of the current operation are whole multiples of `granularity` > 0. */
void build_granularity(struct builder *b, double granularity);

/* Begins the next snapshot, taken at `stamp` seconds (NAN: not known; only differences matter).
 * Without this call, a second histogram of an operation begins a snapshot. */
void build_next_interval(struct builder *b, double stamp);
/* What follows was measured from start to end, in seconds since the profile began unless
 * build_untimed() was called.  Snapshots are then never cumulative. */
MUST_CHECK bool build_interval(struct builder *b, double start, double end, struct str where);
void build_untimed(struct builder *b);	 /* intervals are numbers, not seconds */
void build_whole_run(struct builder *b); /* what follows is of the whole run again */
/* States whether the collector's snapshots are delta or cumulative, so that no warning is needed;
 * the user's option takes precedence. */
void build_snapshots(struct builder *b, enum snapshots snapshots);

/* For a baseline: the number of runs it holds, and the noise floor of the current operation.  Run
 * k is the interval from k to k + 1. */
void build_baseline(struct builder *b, size_t n_runs);
void build_alarms(struct builder *b, size_t alarms, size_t replays);
void build_floor(struct builder *b, const struct noise_floor *floor);

/* Begins a histogram of the current operation; it is empty unless buckets follow. */
MUST_CHECK bool build_histogram(struct builder *b, struct str where);
/* Begins a histogram on this scheme, whose edges are copied; build_bucket() follows. */
MUST_CHECK bool build_scheme(struct builder *b, const struct bucket_scheme *s, struct str where);
MUST_CHECK bool build_bucket(struct builder *b, int index, uint64_t count, struct str where);
/* Adds a bucket by its printed edges, low <= v < high, +-HUGE_VAL where open; after
 * build_histogram(). */
MUST_CHECK bool build_range(struct builder *b, double low, double high, uint64_t count,
			    struct str where);

/* Add what the collector states of the current operation in the current interval. */
MUST_CHECK bool build_total(struct builder *b, struct decimal total, struct str where);
MUST_CHECK bool build_count(struct builder *b, uint64_t count, struct str where);
/* Add its total without the time of the calls made within its calls, and its total without calls
 * made within calls of the same operation. */
MUST_CHECK bool build_self(struct builder *b, struct decimal self, struct str where);
MUST_CHECK bool build_inclusive(struct builder *b, struct decimal inclusive, struct str where);
void build_min(struct builder *b, double min);
void build_max(struct builder *b, double max);
/* States the standard deviation of its latencies.  A sum of several has none. */
void build_deviation(struct builder *b, double deviation);

/* Returns the builder of repetition k, counted from 0, of a file whose repetitions are runs of
 * their own.  What is pushed to it is pushed to `b`, too, which holds their sum.  It belongs to
 * `b`, and stays silent.  Of more than MAX_REPLICATES none is kept, since a distribution shows
 * them. */
struct builder *build_replicate(struct builder *b, size_t k);
/* The same for the next repetition of the current operation. */
struct builder *build_repetition(struct builder *b);

/* If there is only one layer, operations get an empty layer name. */
void build_drop_single_layer(struct builder *b);

/* Frees the builder and returns its profile; NULL when an error was reported. */
MUST_CHECK struct profile *builder_finish(struct builder *b);

#endif
