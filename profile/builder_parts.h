/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A profile in the making: shared by builder.c and builder_buckets.c, which take in
 * what a reader pushes, operations.c and builder_series.c, which keep it, and schemes.c, zeros.c
 * and assemble.c, which make the profile of it.
 */
#ifndef PROFILE_BUILDER_PARTS_H
#define PROFILE_BUILDER_PARTS_H

#include "base/diag.h"
#include "base/str_table.h"
#include "profile/builder.h"
#include "profile/infer.h"
#include "profile/profile.h"

enum { WHOLE_RUN = -1 }; /* in place of the number of an interval */

/* What is noted of a histogram while its rows are pushed. */
struct marks {
	bool has_hist;
	bool by_index;	/* buckets have numbers in the scheme; otherwise edges only */
	bool has_empty; /* buckets without a call among them, which tell edges */
	bool reported;	/* its edges are among those of the series' `rows` */
};

/* One print of an operation that has several: where it stood in the file, and what becomes
 * of its histogram.  That, and what was stated, is in the interval of the same number. */
struct snapshot {
	struct str where;
	int interval;
	struct marks marks;
};

/* The prints of an operation that has several.  There may be very many: what they hold lies
 * where the profile will have it, and so do the buckets, block by block.  One that stated
 * something and had no histogram is no interval, and only added up as soon as there is another. */
struct series {
	struct stated past;	   /* of those that were added up */
	struct interval *interval; /* of each print, in the profile's arena; no times yet */
	struct snapshot *snapshot;
	size_t n, cap_intervals, cap_snapshots;
	size_t whole; /* the print of the whole run; or NO_SNAPSHOT */
	size_t rows; /* the one with most edges, where others have the first of them; or NO_SNAPSHOT
		      */
	struct bucket *bucket_room;
	size_t n_bucket_room, n_buckets;
	bool has_hist; /* one of the prints */
};
#define NO_SNAPSHOT SIZE_MAX

/* A layer while its profile is built: its operations share a bucket scheme where they can. */
struct layer_builder {
	struct str name;
	size_t number;
	struct inference rows;
	const struct bucket_scheme *scheme; /* of all its operations; NULL: each has its own */
	struct edges **printed; /* that its operations have, in no order; some may be there twice */
	size_t n_printed, cap_printed;
	/* What its prints tell: the last interval of any operation, that of the first one to
	 * end with calls, how many buckets were compared, and whether any of them shrank. */
	int last, first_end;
	size_t compared;
	bool several, shrinks;
	bool cumulative;
};

/* What has to be known of an operation until the profile is made.  All else is in the
 * profile's operation of the same number, and so is its print as long as there is only
 * one, which is the usual: its histogram, and what was stated.  There are very many. */
struct op_builder {
	struct layer_builder *layer;
	struct series *series; /* NULL: one print at most */
	struct str where;
	int interval;	    /* of the one print */
	struct marks marks; /* the same */
	bool has_snapshot;
	bool unit_guessed;
};

/* The print that is pushed. */
struct current {
	struct histogram *hist; /* NULL: there is none */
	struct stated *stated;
	struct marks *marks;
	size_t snapshot; /* its number in the series; NO_SNAPSHOT: it is in the operation itself */
};

/* An interval's begin and end, in seconds since the profile began. */
struct span {
	double start, end;
};

/* A profile while a reader pushes operations, intervals and buckets into it. */
struct builder {
	struct input *in, *whole; /* in: the current part */
	struct input line;	  /* a part that was kept */
	struct diag *diag;
	struct build_options options;
	bool failed, drop_single_layer, name_used;
	/* Operations whose counts were reset: the first of them, and how often its did. */
	size_t n_reset, first_reset, times_reset;
	struct names *syscalls; /* of the file's architecture; NULL: not needed yet */
	bool snapshots_settled; /* by the user */
	bool run_fixed_duration;
	bool elapsed_unknown, unit_given, may_be_empty, is_part, keep_zeros;
	size_t cap_hosts, cap_missing, cap_nests;
	struct arena *arena; /* the profile's */
	struct profile *profile;
	struct arena *scratch; /* gone when the profile is made */
	struct str_table layer_names;
	/* Of operations, by name and layer, but those from n_found on, which have to differ. */
	struct hash_index hash_index;
	size_t n_found;
	bool all_differ;	      /* the caller says so */
	bool ascend;		      /* each came after all before it: they differ */
	struct layer_builder **layer; /* by number */
	size_t cap_layers;
	struct op_builder
		*op_builder; /* by number, as the operations of the profile: in file order */
	size_t cap_op_builders, cap_ops;
	struct operation *op; /* the current one; both move when there is a new one; NULL: none */
	struct op_builder *of_op;
	struct current
		current; /* the current histogram; its buckets are in `bucket` until sealed */
	struct str hist_where;
	struct bucket *bucket; /* scratch, rows without a call included; room for one more */
	size_t n_buckets, cap_buckets;
	int last_index; /* of the numbered bucket pushed last; with none INT_MIN */
	const struct bucket_scheme *scheme; /* that came last; NULL: none */
	struct edges_pool edges;	    /* of all buckets, in the profile's arena */
	struct span *span;		    /* of intervals */
	size_t n_spans, cap_spans;
	struct hash_index given; /* of spans, by their bytes, but those from n_placed on */
	size_t n_indexed;
	size_t next_given;   /* the number after that of the current one */
	double latest_start; /* of a span of build_interval() */
	int interval;	     /* the current one */
	bool spans_given, interval_used;
};

/* Reports a warning at a part of the input. */
void build_warn(struct builder *b, enum diag_code code, struct str where, const char *fmt, ...)
	PRINTF_LIKE(4, 5);

/* A sum of counts does not fit: reports it; false. */
RARELY bool sum_overflows(struct builder *b, struct str where);

/* --- builder_buckets.c ---------------------------------------------------------- */

/* The current histogram, if there is one, is complete. */
void seal_histogram(struct builder *b);

/* --- operations.c --------------------------------------------------------------- */

/* The layer of this name, new or known. */
struct layer_builder *find_layer(struct builder *b, struct str name);
/* The number of an operation, new or known; false when an error was reported, of one that was
 * added. */
MUST_CHECK bool find_operation(struct builder *b, struct layer_builder *layer, struct str name,
			       size_t *ret, bool *ret_new);
/* The number of a new one.  That it is new is looked at later, unless all differ: false when one
 * that was added before it is not, which was reported. */
MUST_CHECK bool add_new_operation(struct builder *b, struct layer_builder *layer, struct str name,
				  size_t *ret);
/* Looks at those that were added; false when an error was reported. */
MUST_CHECK bool find_added(struct builder *b);

/* --- builder_series.c -------------------------------------------------------------------- */

/* Whether stated counts and totals could be added, or which of them overflowed. */
enum stated_sum { STATED_ADDED, STATED_COUNT_OVERFLOW, STATED_TOTAL_OVERFLOW };

/* What several prints stated is stated of their sum, a count and a total if all did.  Unless it is
 * STATED_ADDED, nothing has changed. */
enum stated_sum stated_add(struct stated *to, const struct stated *from);

/* The n buckets of one of its prints, copied to an arena, which is the profile's; without
 * the empty ones where these tell nothing new.  `bucket` is scratch. */
void series_take_buckets(struct series *s, size_t snapshot, struct bucket *bucket, size_t n,
			 struct arena *a);
/* Without empty buckets; how many are left. */
size_t drop_empty(struct bucket *bucket, size_t n);
/* Sets the buckets of `sum` to those of all prints of intervals added up; sum->n is how
 * many they have together.  That the sum of all counts fits was looked at. */
void series_add_buckets(struct builder *b, const struct series *s, struct histogram *sum);

/* How many prints have to be gone through for their histograms: where there are summary statistics
 * only, in very many intervals, none. */
static inline size_t series_n_to_read(const struct series *s)
{
	return s->has_hist ? s->n : 0;
}

/* Whether a print has a histogram that is a part of the run. */
static inline bool series_has_part(const struct series *s, size_t snapshot)
{
	return s->snapshot[snapshot].marks.has_hist && s->snapshot[snapshot].interval != WHOLE_RUN;
}

/* The print that what is stated now belongs to, and another one, of the current operation. */
struct current current_snapshot(struct builder *b);
struct current add_snapshot(struct builder *b);

/* --- schemes.c ------------------------------------------------------------------ */

/* The scheme of each layer. */
void find_schemes(struct builder *b);
/* Puts the buckets of an operation, by its number, on its scheme; false when an error was
 * reported. */
MUST_CHECK bool settle_operation(struct builder *b, size_t op);

/* --- zeros.c -------------------------------------------------------------------- */

/* Puts the bucket of zero where the clock's first step is, of all operations. */
void raise_zeros(struct builder *b);

/* --- assemble.c ----------------------------------------------------------------- */

/* Makes b->profile of everything pushed; false when an error was reported. */
MUST_CHECK bool assemble(struct builder *b);
/* Of all operations together: what in them disagrees, one warning of each kind about the first;
 * what their histograms cannot show. */
void report_disagreements(struct builder *b);
void report_limits(struct builder *b);

#endif
