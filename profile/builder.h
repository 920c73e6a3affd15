/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a reader makes a profile.
 *
 * Readers push what they meet, in file order; the builder checks everything
 * that holds for every format (ascending buckets, no count past 64 bits, totals
 * against buckets), finds the bucket scheme after printed edges,
 * distinguishes intervals from cumulative snapshots, and blames the bytes it is given.
 *
 *	operation -> { histogram -> { bucket | range }*, total, count ... }*
 *
 * An operation may have several histograms: one for each interval.  Every
 * `where` is a part of the input's bytes, or of the current part of it.
 * After the first error everything answers false and builder_finish() gives NULL.
 */
#ifndef PROFILE_BUILDER_H
#define PROFILE_BUILDER_H

#include <stdint.h>

#include "base/attr.h"
#include "base/decimal.h"
#include "base/diag.h"
#include "base/str.h"
#include "profile/bucket.h"
#include "profile/contention.h"
#include "profile/unit.h"

struct builder;
struct input;
struct names;
struct nest;
struct noise_floor;
struct profile;
struct host_spread;

/* Several prints of the same histogram: do they go on counting, or are reset? */
enum snapshots { SNAPSHOTS_AUTO, SNAPSHOTS_DELTA, SNAPSHOTS_CUMULATIVE };

/* What the user says where a file does not. */
struct build_options {
	enum unit unit; /* UNIT_UNKNOWN: not given */
	double hz;	/* 0: not given */
	enum snapshots snapshots;
	double interval;	   /* seconds between prints; 0: not given */
	const struct names *names; /* NULL: keys are names */
	struct str architecture;   /* that the file names, by which system calls are numbered */
};

/* A builder of a profile that is read from `in`; builder_finish() frees it. */
struct builder *builder_new(struct input *in, const char *format,
			    const struct build_options *options, struct diag *diag);
void builder_free(struct builder *b); /* gives up; NULL is fine */
/* Of an input that is read in parts: each `where` from here on is one of this part, or of
 * the input itself again (NULL). */
void builder_part(struct builder *b, struct input *part);
/* The same of a line that was kept of it. */
void builder_line(struct builder *b, const struct line_copy *line);
bool builder_failed(const struct builder *b);
/* Reports an error at a part of its input, with which it has failed; false. */
bool build_fail(struct builder *b, enum diag_code code, struct str where, const char *fmt, ...)
	PRINTF_LIKE(4, 5);

/* How sure a file's unit is: a stated one stands, a guessed one yields to the user. */
enum unit_source { UNIT_STATED, UNIT_GUESSED };

/* States the clock rate of latencies in cycles. */
void build_hz(struct builder *b, double hz);
/* States how long the capture took. */
void build_elapsed(struct builder *b, double seconds);
void build_started(struct builder *b, double seconds); /* since 1970, UTC */
/* Adds to what is there. */
void build_contention(struct builder *b, const struct contention *c);
/* Steps a second of a fixed loop: how fast the processor was meanwhile. */
void build_cpu_speed(struct builder *b, double steps);
void build_elapsed_unknown(struct builder *b); /* wherever its intervals end */
/* Of the profile; else it is that of its first operation. */
void build_profile_unit(struct builder *b, enum unit unit);
void build_epoch(struct builder *b); /* times of intervals are seconds since 1970-01-01, UTC */
/* Of the hosts whose calls it holds or, `missing`, should hold: one more. */
void build_host(struct builder *b, struct str name, bool missing);
void build_by_host(struct builder *b); /* operations have spreads over these hosts */
struct str build_host_at(const struct builder *b, size_t i); /* the i-th of build_host() */
/* Of the current operation; hosts are those of build_host_at(), all else is copied. */
void build_spread(struct builder *b, int feature, const struct host_spread *spread);
/* Only a part of the file was read, which may have no operation. */
void build_part(struct builder *b);
bool builder_is_part(const struct builder *b);
/* It is no error when there is no operation. */
void build_may_be_empty(struct builder *b);
/* Buckets are as the file states them, the one of zero, too (profile/zeros.c). */
void build_keep_zeros(struct builder *b);
/* What calls what: one more statement. */
void build_nest(struct builder *b, const struct nest *nest);
MUST_CHECK bool build_lost(struct builder *b, uint64_t events, struct str where);
void build_machine(struct builder *b, struct str machine);
void build_kernel(struct builder *b, struct str kernel); /* its last word: the architecture */

/* What follows is about this operation, new or known. */
MUST_CHECK bool build_operation(struct builder *b, struct str layer, struct str name,
				struct str where);
/* The same of one in a unit that the file states. */
MUST_CHECK bool build_operation_in(struct builder *b, enum unit unit, struct str layer,
				   struct str name, struct str where);
/* As build_operation(), an error when it is known already, of which builder_finish() is the last
 * to tell. */
MUST_CHECK bool build_new_operation(struct builder *b, struct str layer, struct str name,
				    struct str where);
/* Before the first one: all operations that follow by build_new_operation() differ, the
 * caller has seen to that, and they need not be looked for. */
void build_all_differ(struct builder *b);
/* Room for n operations at once, where a reader knows how many there will be; more may come. */
void build_room_for_operations(struct builder *b, size_t n);
void build_unit(struct builder *b, enum unit unit, enum unit_source source);
/* Only latencies from here on were recorded, > 0. */
void build_threshold(struct builder *b, double threshold);
MUST_CHECK bool build_operation_lost(struct builder *b, uint64_t events, struct str where);
/* Its totals are calls times means that were rounded. */
void build_rounded_totals(struct builder *b);
/* A fixed-duration benchmark: calls were made for a time, so that neither how many nor their
 * total is a result of the run. */
void build_fixed_duration(struct builder *b);
/* The same of all operations of the run, whenever it is said. */
void build_run_fixed_duration(struct builder *b);
void build_approximate(struct builder *b); /* the edges that follow were rounded */
/* All its latencies are whole multiples of this, > 0. */
void build_granularity(struct builder *b, double granularity);

/* The next print begins, taken at `stamp` seconds (NAN: not known; only
 * differences matter).  Without it a histogram that comes again begins one. */
void build_next_interval(struct builder *b, double stamp);
/* What follows was measured from start to end, in seconds since the beginning
 * unless build_untimed() says otherwise.  Then nothing is cumulative. */
MUST_CHECK bool build_interval(struct builder *b, double start, double end, struct str where);
void build_untimed(struct builder *b);	 /* intervals are numbers, not seconds */
void build_whole_run(struct builder *b); /* what follows is of the whole run again */
/* What the collector is known to do between prints, so that no doubt is
 * expressed; the user's own word goes before. */
void build_snapshots(struct builder *b, enum snapshots snapshots);

/* Of a baseline: the runs that it holds, and the floor of the current operation.  What
 * a run gave is its interval from k to k + 1. */
void build_baseline(struct builder *b, size_t n_runs);
void build_alarms(struct builder *b, size_t alarms, size_t replays);
void build_floor(struct builder *b, const struct noise_floor *floor);

/* A histogram begins; empty unless buckets follow. */
MUST_CHECK bool build_histogram(struct builder *b, struct str where);
/* ... on this scheme, explicit edges copied: build_bucket() follows. */
MUST_CHECK bool build_scheme(struct builder *b, const struct bucket_scheme *s, struct str where);
MUST_CHECK bool build_bucket(struct builder *b, int index, uint64_t count, struct str where);
/* ... on the edges that are printed: low <= v < high, HUGE_VAL where open. */
MUST_CHECK bool build_range(struct builder *b, double low, double high, uint64_t count,
			    struct str where);

/* What the collector states of the operation, in the current interval. */
MUST_CHECK bool build_total(struct builder *b, struct decimal total, struct str where);
MUST_CHECK bool build_count(struct builder *b, uint64_t count, struct str where);
/* Its total without the time of what its calls called, and its total without calls within
 * calls of the same operation. */
MUST_CHECK bool build_self(struct builder *b, struct decimal self, struct str where);
MUST_CHECK bool build_inclusive(struct builder *b, struct decimal inclusive, struct str where);
void build_min(struct builder *b, double min);
void build_max(struct builder *b, double max);

/* With one layer only, its name says nothing: operations get an empty one. */
void build_drop_single_layer(struct builder *b);

/* Consumes the builder.  NULL when an error was reported. */
MUST_CHECK struct profile *builder_finish(struct builder *b);

#endif
