/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The profile: operations of one run, each with its latency histogram.
 *
 * Immutable once built (see profile/builder/builder.h).  All of it, names included, lies in one arena,
 * which profile_free() frees.
 */
#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

#include <stdint.h>

#include "base/decimal.h"
#include "base/str.h"
#include "profile/contention.h"
#include "profile/elapsed.h"
#include "profile/histogram.h"
#include "profile/nest.h"
#include "profile/unit.h"

struct arena;
struct host_spreads;

/* What the collector states besides the buckets, in the unit of the profile.  `count` is the
 * checksum of OSprof section 4: the number of measurements, counted apart from the buckets. */
struct stated {
	bool has_count, has_total, has_min, has_max, has_deviation;
	bool has_self, has_inclusive;
	bool count_agrees, total_agrees; /* with the buckets; true where there are none */
	bool self_agrees;		 /* with the total */
	uint64_t count;
	struct decimal total;	  /* exact sum of latencies */
	struct decimal self;	  /* total without the time of calls made within its calls */
	struct decimal inclusive; /* total without calls within calls of the same operation */
	double min, max;
	double deviation; /* standard deviation of the latencies */
};

/* What was measured of one operation in one interval of the run. */
struct interval {
	double start, end; /* seconds since the profile began; see `untimed` of the profile */
	struct histogram hist;
	struct stated stated;
};

/* How the self time of an operation is known: time spent in none of the operations it calls. */
enum own_time {
	OWN_TOTAL,   /* no nested calls are known: its whole latency */
	OWN_STATED,  /* from per-call records: exact */
	OWN_DERIVED, /* its latency minus that of nested operations, by statements of nesting */
	OWN_SHARED,  /* the same, but several operations may call the nested ones: in proportion */
};

/* The smallest significant effects of one run against the other runs of the same configuration, as
 * log2 ratios: of the log2 position of calls, of the mean, of the odds of a slow call, of the
 * number of calls.  NAN where not known. */
struct noise_floor {
	double shift, mean, tail, calls;
};

/* One operation: its name, its latency histogram, and what the collector states of it. */
struct operation {
	struct str name;
	struct str layer; /* "syscall", "block"; empty when there is only one */
	struct histogram
		hist; /* over the whole run; empty when only summary statistics are known */
	struct stated stated;
	enum unit unit;			 /* UNIT_PLAIN for the values of a value profile */
	bool rounded_totals;		 /* totals were computed from rounded means */
	bool fixed_duration;		 /* fixed-duration benchmark: calls are not a result */
	bool idle;			 /* waits by design: its time is not work */
	enum own_time own_known;	 /* how `own` is known */
	double own;			 /* self time; see operation_own() */
	uint64_t lost;			 /* events the collector says it lost of this operation */
	double threshold;		 /* shorter latencies were not recorded; 0: all were */
	struct interval *interval;	 /* in order of time, not cumulative */
	size_t n_intervals;		 /* 0 if only the whole run is known */
	struct host_spreads *spreads;	 /* over hosts; NULL: not known (profile/spread.h) */
	const struct noise_floor *floor; /* in a baseline only, in its arena; NULL: none */
};

/* What a baseline states of itself.  Its interval from k to k + 1 is run k. */
struct baseline {
	size_t n_runs;		/* 0: the profile is not a baseline */
	size_t replays, alarms; /* runs judged against the others, and how many of them raised an
				 * alarm; 0 replays: not known */
};

/* How a collector printed what was read, for callers that read its output in parts; never
 * written to a file. */
struct printing {
	bool cleared, cumulative; /* snapshots are delta or cumulative by format; neither: unknown
				   */
	bool several;		  /* intervals are snapshots */
	struct str lone_layer;	  /* the only layer, if operations have no layer for that reason */
};

/* All operations of one run, or of the sum of several, with the run's metadata. */
struct profile {
	struct arena *arena;
	struct str source;  /* file name, for titles */
	const char *format; /* name of the format that was read */
	enum unit unit;	    /* of latencies */
	double hz;	    /* cycles a second; 0 when not known */
	double elapsed;	    /* seconds the capture took; 0 when not known */
	enum elapsed_source elapsed_source;
	double concurrency;  /* clients, threads or connections whose calls overlap; a whole number,
			      * 0 when not known */
	bool fixed_duration; /* the whole run: its time was given, its number of calls was not */
	double started;	     /* seconds since 1970-01-01, UTC, when it began; 0 when not known */
	double cpu_speed; /* steps a second of a fixed loop while it was captured; 0 when not known
			   */
	bool cpu_time;	  /* latencies are processor time: none is spent waiting */
	bool untimed;	  /* intervals are numbered: number k goes from k to k + 1 */
	bool epoch;	  /* times of intervals are seconds since 1970-01-01, UTC */
	uint64_t lost;	  /* events lost that belong to no one operation */
	struct contention contention; /* capacity 0: not known */
	struct str duet;    /* the same for runs that were recorded at once; empty: none */
	struct str machine; /* where it was captured; empty when not known */
	struct str kernel;  /* of that machine; empty when not known */
	struct baseline baseline;
	bool by_host;	  /* has spreads over hosts; cannot be merged with one of the same hosts */
	struct str *host; /* hosts whose calls it holds; sorted, no duplicates */
	size_t n_hosts;
	struct str *missing; /* hosts whose calls it should hold but does not; the same */
	size_t n_missing;
	struct printing printing;
	/* The repetitions that the file holds, each a run of its own, whose sum this profile is;
	 * merging and converting lose them.  Owned: profile_free() frees them. */
	struct profile **replicate;
	size_t n_replicates;
	struct nest *nest; /* what calls what; sorted, no duplicates */
	size_t n_nests;
	struct operation *op;
	size_t n_ops;
};

struct profile *profile_new(const char *source); /* without an operation */
void profile_free(struct profile *p);		 /* NULL is fine */

/* Sorts hosts and missing hosts, and removes duplicates; removes missing hosts that are there. */
void profile_sort_hosts(struct profile *p);

/* Returns the number of calls: from the buckets, or as stated if there are only summary
 * statistics. */
uint64_t operation_count(const struct operation *op);
/* Returns the total latency: the collector's if it agrees with the buckets, else an estimate. */
double operation_total(const struct operation *op);
bool operation_total_stated(const struct operation *op); /* the total is the collector's */
bool operation_total_exact(const struct operation *op);	 /* ... and was not rounded */
double operation_mean(const struct operation *op);	 /* NAN without a call */
/* Finds the lowest and the highest mean that its buckets, and the stated extremes, allow: equal to
 * operation_mean() if the total is stated, HUGE_VAL above where nothing limits an open bucket;
 * false without a call. */
bool operation_mean_bounds(const struct operation *op, double *ret_low, double *ret_high);
/* Returns what it adds to the time of the run: its total, or its self time where nested calls are
 * known, so that nothing is counted twice. */
double operation_own(const struct operation *op);
bool operation_own_exact(const struct operation *op);
/* Returns the share of self time in its total; 1 if its total is 0. */
double operation_own_part(const struct operation *op);
/* Returns its total without calls within calls of the same operation, if that is known. */
double operation_inclusive(const struct operation *op);
bool operation_summary_only(const struct operation *op);
/* Whether to show its layer with its name: not if the two are equal, as for a map without keys. */
bool operation_has_layer(const struct operation *op);

/* Returns how many events the collector says it lost, for all operations and for none in
 * particular; at most 2^64 - 1. */
uint64_t profile_lost(const struct profile *p);

/* Compares by layer, then name. */
int operation_cmp_key(const struct operation *a, const struct operation *b);

#endif
