/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The internals of a builder.  builder.c, builder_heads.c, builder_intervals.c and
 * builder_buckets.c take what a reader pushes; operations.c and builder_series.c keep it; schemes.c, zeros.c, assemble.c and doubts.c
 * make the profile and its warnings.
 */
#ifndef PROFILE_BUILDER_BUILDER_PARTS_H
#define PROFILE_BUILDER_BUILDER_PARTS_H

#include "base/diag.h"
#include "base/tables/str_table.h"
#include "profile/builder/builder.h"
#include "profile/infer.h"
#include "profile/profile.h"

enum { WHOLE_RUN = -1 }; /* interval number of the whole run */

/* What is known of a histogram while its rows are pushed. */
struct marks {
	bool has_hist;
	bool by_index;	/* buckets have numbers in the scheme; otherwise edges only */
	bool has_empty; /* some buckets are empty: they are kept for their edges */
	bool reported;	/* its rows are the first of snapshot `rows` of the series */
};

/* One of several snapshots of an operation.  Its histogram and stated values are in the
 * series' interval of the same number. */
struct snapshot {
	struct str where;
	int interval;
	struct marks marks;
};

/* The snapshots of an operation that has several.  There may be very many, so intervals and
 * buckets are put where the profile will have them, buckets in blocks.  A snapshot with stated
 * values but no histogram is no interval; it is added to `past` when the next one comes. */
struct series {
	struct stated past;	   /* sum of the snapshots that were not kept */
	struct interval *interval; /* one for each snapshot, in the profile's arena; no times yet */
	struct snapshot *snapshot;
	size_t n, cap_intervals, cap_snapshots;
	size_t whole; /* the snapshot of the whole run; or NO_SNAPSHOT */
	size_t rows;  /* the snapshot with the most rows, the first of which others share; or
		       * NO_SNAPSHOT */
	struct bucket *bucket_room;
	size_t n_bucket_room, n_buckets;
	bool has_hist; /* some snapshot has a histogram */
};
#define NO_SNAPSHOT SIZE_MAX

/* A layer while its profile is built: its operations share a bucket scheme where they can. */
struct layer_builder {
	struct str name;
	size_t number;
	struct inference rows;
	const struct bucket_scheme *scheme; /* of all its operations; NULL: each has its own */
	struct edges **printed; /* edges of its operations, unordered, some perhaps twice */
	size_t n_printed, cap_printed;
	/* To tell delta from cumulative snapshots: the last interval of any operation, the
	 * earliest last interval of an operation that has calls in it, the number of buckets
	 * compared, and whether a count ever decreased. */
	int last, first_end;
	size_t compared;
	bool several, shrinks;
	bool cumulative;
};

/* What is needed of an operation only until the profile is made.  The rest is in the profile's
 * operation of the same number, including the histogram and stated values of a single snapshot,
 * the usual case.  There are very many of these. */
struct op_builder {
	struct layer_builder *layer;
	struct series *series; /* NULL: one snapshot at most */
	struct str where;
	int interval;	    /* of the single snapshot */
	struct marks marks; /* of the single snapshot */
	bool has_snapshot;
	bool unit_guessed;
};

/* The snapshot that is being pushed. */
struct current {
	struct histogram *hist; /* NULL: there is none */
	struct stated *stated;
	struct marks *marks;
	size_t snapshot; /* number in the series; NO_SNAPSHOT: it is in the operation itself */
};

enum { MAX_REPLICATES = 1000 };

/* The repetitions of a file while they are pushed. */
struct replicates {
	struct builder **builder;
	size_t n, cap;
	bool too_many;
	struct diag silent;	  /* the sum reports what there is to report */
	size_t *of_op, cap_of_op; /* by operation: how many repetitions were asked for */
	size_t n_of_op;
};

/* An interval's begin and end, in seconds since the profile began. */
struct span {
	double start, end;
};

/* Latencies that cannot be, of all operations: see unit_impossible_from(). */
struct impossible {
	uint64_t n;
	size_t n_ops, last_op; /* operations that have some, and the last of them */
	size_t first_op;       /* the first of them, ... */
	double latency;	       /* ... and one of its latencies */
};

/* A profile while a reader pushes operations, intervals and buckets into it. */
struct builder {
	struct input *in, *whole; /* in: the current part */
	struct input line;	  /* of builder_line() */
	struct diag *diag;
	struct build_options options;
	bool failed, drop_single_layer, name_used;
	/* Operations with counter resets, the first of them, and how many resets that one had. */
	size_t n_reset, first_reset, times_reset;
	struct impossible impossible;
	struct names *syscalls; /* of the file's architecture; NULL: not needed yet */
	bool snapshots_settled; /* the user said whether they are cumulative */
	bool elapsed_unknown, unit_given, may_be_empty, is_part, keep_zeros;
	size_t cap_hosts, cap_missing, cap_nests;
	struct arena *arena; /* the profile's */
	struct profile *profile;
	struct arena *scratch; /* freed when the profile is made */
	struct str_table layer_names;
	/* Operations by name and layer, except those from n_found on, which must be new ones. */
	struct hash_index hash_index;
	size_t n_found;
	bool all_differ;	      /* see build_all_differ() */
	bool ascend;		      /* operations came in ascending order, so they differ */
	struct layer_builder **layer; /* by number */
	size_t cap_layers;
	struct op_builder *op_builder; /* by operation number, in file order */
	size_t cap_op_builders, cap_ops;
	struct operation *op; /* the current one, NULL: none; adding one moves op and of_op */
	struct op_builder *of_op;
	struct current
		current; /* the current histogram; its buckets are in `bucket` until sealed */
	struct str hist_where;
	struct bucket *bucket; /* scratch, with empty rows; always has room for one more */
	size_t n_buckets, cap_buckets;
	int last_index;			    /* number of the last bucket pushed; INT_MIN: none */
	const struct bucket_scheme *scheme; /* pushed last; NULL: none */
	struct replicates replicates;
	struct edges_pool edges; /* edges of all buckets, in the profile's arena */
	struct span *span;	 /* of intervals */
	size_t n_spans, cap_spans;
	struct hash_index given; /* spans by their bytes, except those from n_indexed on */
	size_t n_indexed;
	size_t next_given;   /* the span after the current one, which is tried first */
	double latest_start; /* latest start given to build_interval() */
	int interval;	     /* the current one */
	bool spans_given, interval_used;
};

/* --- builder_report.c ----------------------------------------------------------- */

/* Reports a warning at a part of the input. */
void build_warn(struct builder *b, enum diag_code code, struct str where, const char *fmt, ...)
	PRINTF_LIKE(4, 5);

/* Reports a sum of counts that does not fit; returns false. */
RARELY bool sum_overflows(struct builder *b, struct str where);

/* --- impossible.c --------------------------------------------------------------- */

/* Notes n calls of an operation whose latencies cannot be, as this one; one warning reports all. */
void note_impossible(struct builder *b, const struct operation *op, uint64_t n, double latency);
/* Makes the calls in impossible buckets lost events of a finished operation. */
void take_out_impossible(struct builder *b, struct operation *op);
void report_impossible(struct builder *b);

/* --- operations.c --------------------------------------------------------------- */

/* Returns the layer of this name, adding it if new. */
struct layer_builder *find_layer(struct builder *b, struct str name);
/* Finds the number of an operation, adding it if new; false when an error about operations added
 * before was reported. */
MUST_CHECK bool find_operation(struct builder *b, struct layer_builder *layer, struct str name,
			       size_t *ret, bool *ret_new);
/* Adds a new operation.  Whether it really is new is checked later; false when one added before
 * was not, which was reported. */
MUST_CHECK bool add_new_operation(struct builder *b, struct layer_builder *layer, struct str name,
				  size_t *ret);
/* Checks that the operations added are new; false when one is not, which was reported. */
MUST_CHECK bool find_added(struct builder *b);

/* --- builder_series.c -------------------------------------------------------------------- */

/* Whether stated counts and totals could be added, or which of them overflowed. */
enum stated_sum { STATED_ADDED, STATED_COUNT_OVERFLOW, STATED_TOTAL_OVERFLOW };

/* Adds up what snapshots state; the sum has a count or a total only if all have.  Unless it
 * returns STATED_ADDED, nothing has changed. */
enum stated_sum stated_add(struct stated *to, const struct stated *from);

/* Copies the n buckets of a snapshot to the profile's arena `a`, without empty ones if their edges
 * are known already.  Overwrites `bucket`. */
void series_take_buckets(struct series *s, size_t snapshot, struct bucket *bucket, size_t n,
			 struct arena *a);
/* Ends the current histogram, if there is one. */
void seal_histogram(struct builder *b);
/* Removes empty buckets; returns how many are left. */
size_t drop_empty(struct bucket *bucket, size_t n);
/* Sets the buckets of `sum` to the sum of all intervals' snapshots.  The caller has set sum->n to
 * the number of their buckets, and checked that the sum of all counts fits. */
void series_add_buckets(struct builder *b, const struct series *s, struct histogram *sum);

/* How many snapshots have to be searched for histograms: 0 if there are only summary statistics,
 * perhaps in very many intervals. */
static inline size_t series_n_to_read(const struct series *s)
{
	return s->has_hist ? s->n : 0;
}

/* Whether a snapshot has a histogram of an interval, not of the whole run. */
static inline bool series_has_part(const struct series *s, size_t snapshot)
{
	return s->snapshot[snapshot].marks.has_hist && s->snapshot[snapshot].interval != WHOLE_RUN;
}

/* Return the snapshot of the current operation that values stated now belong to, and a new one. */
struct current current_snapshot(struct builder *b);
struct current add_snapshot(struct builder *b);

/* --- schemes.c ------------------------------------------------------------------ */

/* Finds the scheme of each layer. */
void find_schemes(struct builder *b);
/* Numbers the buckets of operation `op` by its scheme; false when an error was reported. */
MUST_CHECK bool settle_operation(struct builder *b, size_t op);

/* --- zeros.c -------------------------------------------------------------------- */

/* Makes the bucket of zero reach up to the clock's first step, in all operations. */
void raise_zeros(struct builder *b);

/* --- assemble.c ----------------------------------------------------------------- */

/* Makes b->profile of everything pushed; false when an error was reported. */
MUST_CHECK bool assemble(struct builder *b);
/* Warn of statements that contradict the buckets, and of what histograms cannot show: one warning
 * of each kind, about the first operation. */
void report_disagreements(struct builder *b);
void report_limits(struct builder *b);

#endif
