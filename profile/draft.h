/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A profile in the making: shared by builder.c, which takes in what a reader
 * pushes, and assemble.c, which makes the profile of it.  Nobody else's.
 */
#ifndef PROFILE_DRAFT_H
#define PROFILE_DRAFT_H

#include "base/diag.h"
#include "base/str_table.h"
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
	bool told;	/* its edges are among those of the draft's `rows` */
	struct histogram hist;
	struct stated stated;
	struct str where;
};

struct layer_draft {
	struct str name;
	struct inference rows;
	bool cumulative;
	const struct bucket_scheme *scheme; /* of all its operations; NULL: each has its own */
	struct draft *first, *last;	    /* its operations, in file order */
};

/* One operation.  Its prints lie side by side, block by block, and so do their buckets: a
 * long file has many, which are gone through several times. */
struct draft {
	struct layer_draft *layer;
	struct draft *next_in_layer;
	size_t number; /* in the builder */
	struct str name;
	enum unit unit;
	enum unit_source unit_source;
	bool approximate;
	bool has_hist; /* one of its prints */
	double granularity;
	uint64_t lost;
	double threshold;
	bool rounded_totals;
	const struct noise_floor *floor; /* NULL: none */
	struct print *first, *last;
	struct print *whole; /* that of the whole run; NULL: none */
	struct print *rows;  /* the one with most edges, where others have the first of them */
	struct print *print_room;
	struct bucket *bucket_room;
	size_t n_prints, n_print_room, n_bucket_room, n_buckets;
	struct str where;
};

struct span {
	double start, end;
};

struct builder {
	struct input *in, *whole; /* in: the part at hand */
	struct input line;	  /* a part that was kept */
	struct diag *diag;
	struct build_options options;
	bool failed, drop_single_layer, name_used;
	struct arena *arena; /* the profile's */
	struct profile *profile;
	struct arena *scratch;		    /* gone when the profile is made */
	struct str_table layer_names, keys; /* keys: layer, NUL, name */
	struct layer_draft **layer;	    /* by number */
	struct draft **draft;		    /* by number: in file order */
	size_t cap_layers, cap_drafts;
	struct draft *op;      /* at hand */
	struct print *print;   /* at hand; its buckets are in `bucket` until sealed */
	struct bucket *bucket; /* scratch, rows without a call included */
	size_t n_buckets, cap_buckets;
	int last_index; /* of the numbered bucket pushed last; with none INT_MIN */
	const struct bucket_scheme *scheme; /* that came last; NULL: none */
	struct span *span;		    /* of intervals */
	size_t n_spans, cap_spans;
	struct str_table given; /* the bytes of spans of build_interval() */
	long *given_interval;	/* by number */
	size_t cap_given;
	long interval; /* at hand */
	bool spans_given, interval_used;
};

bool build_fail(struct builder *b, enum diag_code code, struct str where, const char *fmt, ...)
	PRINTF_LIKE(4, 5);
void build_warn(struct builder *b, enum diag_code code, struct str where, const char *fmt, ...)
	PRINTF_LIKE(4, 5);

/* Another print, the last of an operation. */
struct print *draft_add_print(struct draft *d, struct arena *scratch);
/* The n buckets of one of its prints, copied to an arena, which is the profile's; without
 * the empty ones where these tell nothing new.  `bucket` is scratch. */
void draft_take_buckets(struct draft *d, struct print *p, struct bucket *bucket, size_t n,
			struct arena *a);
/* Without empty buckets; how many are left. */
size_t drop_empty(struct bucket *bucket, size_t n);
/* Sets the buckets of `sum` to those of all prints of intervals added up; sum->n is how
 * many they have together.  That the sum of all counts fits was looked at. */
void draft_add_buckets(struct builder *b, const struct draft *d, struct histogram *sum);

/* Makes b->profile of everything pushed; false when an error was reported. */
MUST_CHECK bool assemble(struct builder *b);

#endif
