/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A profile in the making: shared by builder.c, which takes in what a reader
 * pushes, and assemble.c, which makes the profile of it.  Nobody else's.
 */
#ifndef PROFILE_DRAFT_H
#define PROFILE_DRAFT_H

#include "base/diag.h"
#include "base/hash.h"
#include "profile/builder.h"
#include "profile/infer.h"
#include "profile/profile.h"

enum { WHOLE_RUN = -1 }; /* in place of the number of an interval */

/* One histogram of one operation, as it stood in the file. */
struct print {
	struct print *next;
	long interval;
	bool has_hist;
	bool by_index;	/* buckets have numbers in hist.scheme; otherwise edges only */
	bool has_empty; /* buckets without a call among them, which tell edges */
	struct histogram hist;
	struct stated stated;
	struct str where;
};

struct layer_draft {
	struct str name;
	struct inference rows;
	bool cumulative;
	bool edges_shared; /* `scheme` holds for all its operations */
	struct bucket_scheme scheme;
	struct draft *first, *last; /* its operations, in file order */
	UT_hash_handle hh;
};

struct draft {
	struct layer_draft *layer;
	struct draft *next_in_layer;
	struct str key; /* layer, NUL, name */
	struct str name;
	enum unit unit;
	enum unit_source unit_source;
	bool approximate;
	double granularity;
	uint64_t lost;
	double threshold;
	bool rounded_totals;
	bool has_floor;
	struct noise_floor floor;
	struct print *first, *last;
	struct str where;
	UT_hash_handle hh;
};

struct span {
	double start, end;
};

/* Where in builder.span a given one is. */
struct span_entry {
	struct span key;
	long interval;
	UT_hash_handle hh;
};

struct builder {
	struct input *in;
	struct diag *diag;
	struct build_options options;
	bool failed, drop_single_layer, name_used;
	struct arena *arena; /* the profile's */
	struct profile *profile;
	struct layer_draft *layers;
	struct draft *ops;     /* in file order */
	struct draft *op;      /* at hand */
	struct print *print;   /* at hand; its buckets are in `bucket` until sealed */
	struct bucket *bucket; /* scratch, rows without a call included */
	size_t n_buckets, cap_buckets;
	int last_index;	   /* of the numbered bucket pushed last; with none INT_MIN */
	struct span *span; /* of intervals */
	size_t n_spans, cap_spans;
	struct span_entry *given; /* spans of build_interval() */
	long interval;		  /* at hand */
	bool spans_given, interval_used;
};

bool build_fail(struct builder *b, enum diag_code code, struct str where, const char *fmt, ...)
	PRINTF_LIKE(4, 5);
void build_warn(struct builder *b, enum diag_code code, struct str where, const char *fmt, ...)
	PRINTF_LIKE(4, 5);

/* Sets the buckets of `sum` to those of all prints of intervals added up; sum->n is how
 * many they have together.  That the sum of all counts fits was looked at. */
void draft_add_buckets(struct builder *b, const struct draft *d, struct histogram *sum);

/* Makes b->profile of everything pushed; false when an error was reported. */
MUST_CHECK bool assemble(struct builder *b);

#endif
