/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The profile: operations of one run, each with its latency histogram.
 *
 * Immutable once built (see profile/builder.h).  All of it, names included,
 * lives in one arena and goes with profile_free().
 */
#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

#include <stdint.h>

#include "base/decimal.h"
#include "base/str.h"
#include "profile/contention.h"
#include "profile/histogram.h"
#include "profile/nest.h"
#include "profile/unit.h"

struct arena;
struct host_spreads;

/* What the collector states besides the buckets, in the unit of the profile.  `count` is the
 * checksum of OSprof section 4: how many times it measured, counted apart from the buckets. */
struct stated {
	bool has_count, has_total, has_min, has_max;
	bool has_self, has_inclusive;
	bool count_agrees, total_agrees; /* with the buckets; true where there are none */
	bool self_agrees;		 /* with the total */
	uint64_t count;
	struct decimal total;	  /* exact sum of latencies */
	struct decimal self;	  /* ... without the time of what its calls called */
	struct decimal inclusive; /* ... without calls within calls of the same operation */
	double min, max;
};

/* What was measured of one operation in one interval of the run. */
struct interval {
	double start, end; /* seconds since the profile began; see `untimed` of the profile */
	struct histogram hist;
	struct stated stated;
};

/* Where the time of an operation is from that is spent in none of those that it calls. */
enum own_time {
	OWN_TOTAL,   /* nothing is known to lie below: all of its latency */
	OWN_STATED,  /* from per-call records: exact */
	OWN_DERIVED, /* its latency less what lies below, by statements of nesting */
	OWN_SHARED,  /* the same where several may have called what lies below: in proportion */
};

/* How large an effect shows between one run and the other runs of the same
 * configuration, in octaves: of the place of calls, of the mean, of the odds of a slow
 * call, of the number of calls.  NAN where it is not known. */
struct noise_floor {
	double shift, mean, tail, calls;
};

/*
 * One operation of a profile: its name, its latency histogram, and what the collector states of
 * it.
 */
struct operation {
	struct str name;
	struct str layer; /* "syscall", "block"; empty when there is only one */
	struct histogram
		hist; /* over the whole run; empty when only summary statistics are known */
	struct stated stated;
	enum unit unit;		      /* UNIT_PLAIN for the values of a value profile */
	bool rounded_totals;	      /* made of means that the collector rounded */
	bool fixed_duration;	      /* calls were made for a time: how many is no result */
	bool idle;		      /* waits by design, so that its time is no work */
	enum own_time own_known;      /* how `own` is known, where calls lie within calls */
	double own;		      /* latency without what lies below; see operation_own() */
	uint64_t lost;		      /* events the collector says it lost of this operation */
	double threshold;	      /* only latencies from here on were recorded; 0: all were */
	struct interval *interval;    /* what was measured in each, not cumulative */
	size_t n_intervals;	      /* 0 unless the collector sampled in time */
	struct host_spreads *spreads; /* over hosts; NULL: not known (profile/spread.h) */
	const struct noise_floor *floor; /* in a baseline only, in its arena; NULL: none */
};

/* What a baseline says of itself.  Its interval from k to k + 1 is what run k gave. */
struct baseline {
	size_t n_runs;		/* 0: the profile is no baseline */
	size_t replays, alarms; /* each run judged against the others; 0 replays: not known */
};

/* How a collector printed what was read, for who reads its output in parts; never written. */
struct printing {
	bool cleared, cumulative; /* what the format says of several prints; neither: nothing */
	bool several;		  /* intervals are prints */
	struct str lone_layer;	  /* the only one, which operations lack therefore; or empty */
};

/* All operations of one run, or of the sum of several, with the run's metadata. */
struct profile {
	struct arena *arena;
	struct str source;  /* file name, for titles */
	const char *format; /* name of the format that was read */
	enum unit unit;	    /* of its latencies */
	double hz;	    /* cycles a second; 0 when not known */
	double elapsed;	    /* seconds the capture took; 0 when not known */
	double started;	    /* seconds since 1970-01-01, UTC, when it began; 0 when not known */
	double cpu_speed; /* steps a second of a fixed loop while it was captured; 0 when not known
			   */
	bool untimed;	  /* intervals are numbered: number k goes from k to k + 1 */
	bool epoch;	  /* times of intervals are seconds since 1970-01-01, UTC */
	uint64_t lost;	  /* events lost that belong to no one operation */
	struct contention contention; /* capacity 0: not known */
	struct str machine;	      /* that it was captured on; empty when not known */
	struct str kernel;	      /* of that machine; empty when not known */
	struct baseline baseline;
	bool by_host;	  /* how its hosts differ was kept: no other profile may hold one of them */
	struct str *host; /* that it holds the calls of, in order, each once */
	size_t n_hosts;
	struct str *missing; /* hosts that it should hold, too; the same */
	size_t n_missing;
	struct printing printing;
	struct nest *nest; /* what calls what, in order, each once */
	size_t n_nests;
	struct operation *op;
	size_t n_ops;
};

struct profile *profile_new(const char *source); /* without an operation */
void profile_free(struct profile *p);		 /* NULL is fine */

/* Puts hosts in order, each once; those that are there are not missing. */
void profile_sort_hosts(struct profile *p);

/* Calls: from the buckets, or as stated where there are only summary statistics. */
uint64_t operation_count(const struct operation *op);
/* Total latency: the collector's own where it has one that agrees with the buckets. */
double operation_total(const struct operation *op);
bool operation_total_stated(const struct operation *op); /* ... has one */
bool operation_total_exact(const struct operation *op);	 /* ... and it was not rounded */
double operation_mean(const struct operation *op);	 /* NAN without a call */
/* What it adds to the time of the run: its total, or where calls lie within calls its self
 * time, so that nothing is counted twice. */
double operation_own(const struct operation *op);
bool operation_own_exact(const struct operation *op);
/* The part of its total that is its own; 1 where it has none. */
double operation_own_part(const struct operation *op);
/* Its total, but calls within calls of the same operation are not counted twice. */
double operation_inclusive(const struct operation *op);
bool operation_summary_only(const struct operation *op);
/* Whether its layer is to be shown with its name: a map without keys is an operation and its own
 * layer. */
bool operation_has_layer(const struct operation *op);

/* Events that the collector says it lost, of all operations and of none; at most 2^64 - 1. */
uint64_t profile_lost(const struct profile *p);

/* Ordered by layer, then name. */
int operation_cmp_key(const struct operation *a, const struct operation *b);

#endif
