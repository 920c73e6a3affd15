/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sampler is made of: for sampler.c, roster.c and bulk.c, nobody else's. */
#ifndef PROFILE_SAMPLER_PARTS_H
#define PROFILE_SAMPLER_PARTS_H

#include <pthread.h>

#include "base/hash.h"
#include "base/input.h"
#include "base/places.h"
#include "profile/roster.h"

/* One bucket in use. */
struct tally {
	int index;
	uint64_t count;
};

/* Latencies of one operation in one interval, put together elsewhere. */
struct counted {
	uint64_t count;
	struct decimal total, least, most;
	const struct tally *tally; /* ascending */
	size_t n;
};

/* One operation in one interval. */
struct cell {
	long interval;
	struct cell *next;   /* of the same operation */
	struct tally *tally; /* ascending; in the sampler's arena */
	size_t n, cap;
	uint64_t count, n_nested; /* n_nested: those of which `self` and `outermost` are */
	struct decimal total, least, most;
	struct decimal self, outermost;
};

/* Where the cell of an operation's further interval is. */
struct cell_entry {
	struct {
		const struct entry *entry;
		long interval;
	} key;
	struct cell cell;
	UT_hash_handle hh;
};

/* One operation. */
struct entry {
	struct cell first;    /* of the first interval that came: mostly there is no other */
	struct cell *at_hand; /* NULL: there is none yet */
	struct cell *last;    /* of the list that `first` begins */
	size_t n_cells;
	size_t part;   /* of a roster */
	bool overflow; /* a total does not fit */
	struct str layer, name;
	struct str where;
	struct line_copy line; /* of an input that passed, with `where` in it */
	uint64_t place;
};

struct sampler {
	struct sampler_options options;
	struct roster *roster; /* NULL: it is alone */
	struct bucket_scheme scheme;
	struct arena *arena;
	struct places places; /* of entries, by name and layer */
	struct entry **entry; /* by number: in order of their first sample */
	size_t n, cap_entries;
	struct entry *at_hand;
	struct cell_entry *further;
	decimal_int slice; /* an interval in units of a start; 0: no intervals */
	decimal_int first; /* start */
	decimal_int base;  /* with utc, the number of the interval that it begins; else 0 */
	bool started;	   /* least and most are known */
	bool has_first;
	long least, most;  /* intervals */
	struct entry *far; /* the first sample that is too far from the first of all; NULL: none */
	bool not_nested;   /* self times are not pushed */
	bool too_wide;	   /* intervals, though none of them is too far */
};

/* The bucket of a latency: what bucket_find() says, but for the rounding to a double. */
int sampler_bucket(const struct sampler *s, struct decimal latency);
/* What is read of it soon is on its way from memory. */
static inline void sampler_ask(const struct entry *e)
{
	__builtin_prefetch(&e->first);
	__builtin_prefetch(&e->first.least);
	__builtin_prefetch(&e->at_hand);
	__builtin_prefetch(&e->place);
}

/* The operation of a sample, which may be its first. */
struct entry *sampler_entry(struct sampler *s, const struct sample *sample);
/* The same, one that is there as it is. */
struct entry *sampler_entry_of(struct sampler *s, const struct sample *sample, bool *ret_new);
/* No cell is left empty: one that is asked for is added to. */
struct cell *sampler_cell(struct sampler *s, struct entry *e, long interval);
/* False, with nothing done, when the total no longer fits. */
MUST_CHECK bool cell_add(struct cell *c, const struct counted *more, struct arena *a);

/* The operations of n > 0 samplers of the same options, none of which is in two of them. */
MUST_CHECK bool samplers_push(struct sampler *const *s, size_t n, struct builder *b);

/* A name as it stands in the file (see struct bulk_item), which a thread has met. */
struct met {
	uint64_t word[2];
	const char *raw; /* of the one who met it */
	struct entry *entry;
	uint64_t place; /* where it met it first */
	uint32_t hash;
	uint16_t n_name;
};

/* What threads tell each other: to meet a name costs more than to hear of it. */
struct told {
	pthread_mutex_t lock;
	struct met *met;
	size_t n, cap;
};

struct told *roster_told(struct roster *r);

/* What a thread counted of an operation that it met.  Any thread. */
void roster_add(struct roster *r, struct entry *e, long interval, const struct counted *more);

#endif
