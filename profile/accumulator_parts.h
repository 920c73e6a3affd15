/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an accumulator is made of: for accumulator.c, operation_table.c and
 * formats/general/bulk.c, nobody else's. */
#ifndef PROFILE_ACCUMULATOR_PARTS_H
#define PROFILE_ACCUMULATOR_PARTS_H

#include <pthread.h>

#include "base/hash.h"
#include "base/hash_index.h"
#include "base/input.h"
#include "profile/operation_table.h"

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
	struct tally *tally; /* ascending; in the accumulator's arena */
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
	struct cell *current; /* NULL: there is none yet */
	struct cell *last;    /* of the list that `first` begins */
	size_t n_cells;
	size_t part;   /* of an operation table */
	bool overflow; /* a total does not fit */
	struct str layer, name;
	struct str where;
	struct line_copy line; /* of an input that passed, with `where` in it */
	uint64_t offset;
};

/* The counts of all samples so far, by operation, interval and bucket; lives in its arena. */
struct accumulator {
	struct accumulator_options options;
	struct operation_table *operation_table; /* NULL: it is alone */
	struct bucket_scheme scheme;
	struct arena *arena;
	struct hash_index hash_index; /* of entries, by name and layer */
	struct entry **entry;	      /* by number: in order of their first sample */
	size_t n, cap_entries;
	struct entry *current;
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
int accumulator_bucket(const struct accumulator *s, struct decimal latency);
/* What is read of it soon is on its way from memory. */
static inline void accumulator_ask(const struct entry *e)
{
	__builtin_prefetch(&e->first);
	__builtin_prefetch(&e->first.least);
	__builtin_prefetch(&e->current);
	__builtin_prefetch(&e->offset);
}

/* The operation of a sample, which may be its first. */
struct entry *accumulator_entry(struct accumulator *s, const struct sample *sample);
/* The same, one that is there as it is. */
struct entry *accumulator_entry_of(struct accumulator *s, const struct sample *sample,
				   bool *ret_new);
/* No cell is left empty: one that is asked for is added to. */
struct cell *accumulator_cell(struct accumulator *s, struct entry *e, long interval);
/* False, with nothing done, when the total no longer fits. */
MUST_CHECK bool cell_add(struct cell *c, const struct counted *more, struct arena *a);

/* The operations of n > 0 accumulators of the same options, none of which is in two of them. */
MUST_CHECK bool accumulators_push(struct accumulator *const *s, size_t n, struct builder *b);

/* A name as it stands in the file (see struct bulk_item), which a thread has met. */
struct met {
	uint64_t word[2];
	const char *raw; /* of the one who met it */
	struct entry *entry;
	uint64_t offset; /* where it met it first */
	uint32_t hash;
	uint16_t n_name;
};

/* What threads tell each other: to meet a name costs more than to hear of it. */
struct reported {
	pthread_mutex_t lock;
	struct met *met;
	size_t n, cap;
};

/* The messages about samples that all threads share. */
struct reported *operation_table_reported(struct operation_table *r);

/* What a thread counted of an operation that it met.  Any thread. */
void operation_table_add(struct operation_table *r, struct entry *e, long interval,
			 const struct counted *more);

#endif
