/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The internals of an accumulator: only for accumulator*.c, operation_table.c and
 * formats/general/bulk.c. */
#ifndef PROFILE_ACCUMULATOR_ACCUMULATOR_PARTS_H
#define PROFILE_ACCUMULATOR_ACCUMULATOR_PARTS_H

#include <pthread.h>

#include "base/input/input.h"
#include "base/tables/hash.h"
#include "base/tables/hash_index.h"
#include "profile/accumulator/operation_table.h"

/* One bucket in use. */
struct tally {
	int index;
	uint64_t count;
};

/* Latencies of one operation in one interval, counted elsewhere, to be added to a cell. */
struct counted {
	uint64_t count;
	struct decimal total, min, max;
	const struct tally *tally; /* ascending */
	size_t n;
};

/* One operation in one interval. */
struct cell {
	long interval;
	struct cell *next;   /* next cell of the same operation */
	struct tally *tally; /* ascending; in the accumulator's arena */
	size_t n, cap;
	uint64_t count, n_nested; /* n_nested: samples that `self` and `outermost` include */
	struct decimal total, min, max;
	struct decimal self, outermost; /* outermost: total of calls in no call of the operation */
};

/* A cell of an operation's second or later interval, in a hash table. */
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
	struct cell first;    /* the interval met first; mostly there is no other */
	struct cell *current; /* NULL: none yet */
	struct cell *last;    /* end of the list that `first` begins */
	size_t n_cells;
	size_t part;		   /* of an operation table */
	bool overflow;		   /* a total does not fit */
	uint64_t n_impossible;	   /* latencies that cannot be, which no cell holds ... */
	struct decimal impossible; /* ... and the longest of them */
	struct str layer, name;
	struct str where;
	struct line_copy line; /* the line that holds `where`, if its input did not stay */
	uint64_t offset;
};

/* The counts of all samples so far, by operation, interval and bucket; lives in its arena. */
struct accumulator {
	struct accumulator_options options;
	struct operation_table *operation_table; /* NULL: no other thread counts */
	struct bucket_scheme scheme;
	struct arena *arena;
	struct hash_index hash_index; /* entries by name and layer */
	struct entry **entry;	      /* by number, in the order they were met */
	size_t n, cap_entries;
	struct entry *current;
	struct cell_entry *further;
	decimal_int impossible; /* latencies from here on cannot be */
	decimal_int slice; /* length of an interval in billionths of a start; 0: no intervals */
	decimal_int first; /* start of interval 0 */
	decimal_int base;  /* with utc, the intervals from 1970 to `first`; else 0 */
	bool started;	   /* least and most are known */
	bool has_first;
	long min, max;	   /* lowest and highest interval */
	struct entry *far; /* the first sample that is too far from `first`; NULL: none */
	decimal_int earliest, latest; /* the stretch of time that was seen, in units of starts */
	decimal_int begun;	      /* the earliest start of those since 1970 */
	decimal_int since_1970;	      /* such starts are this or more */
	bool has_seen, has_begun, fine;
	double start_units; /* units of starts in one of latencies; 0: not known */
	bool not_nested;    /* self times are not pushed */
	bool too_wide;	    /* too many intervals, though each is near enough to `first` */
};

/* Returns the bucket of a latency as bucket_find() does, but avoids rounding to a double. */
int accumulator_bucket(const struct accumulator *s, struct decimal latency);
static inline bool accumulator_is_impossible(const struct accumulator *s, struct decimal latency)
{
	return latency.billionths >= s->impossible;
}

/* Returns the least latency, in billionths, that cannot be (unit_impossible_from()). */
decimal_int accumulator_impossible_from(enum unit unit);
/* Counts a sample with such a latency. */
enum sampled accumulator_lose(struct entry *e, const struct sample *sample);

/* Prefetches what will soon be read of an entry. */
static inline void accumulator_ask(const struct entry *e)
{
	__builtin_prefetch(&e->first);
	__builtin_prefetch(&e->first.min);
	__builtin_prefetch(&e->current);
	__builtin_prefetch(&e->offset);
}

/* Returns the operation of a sample, adding it if new; keeps the position of its first sample. */
struct entry *accumulator_entry(struct accumulator *s, const struct sample *sample);
/* The same, but does not change the position of a known operation. */
struct entry *accumulator_entry_of(struct accumulator *s, const struct sample *sample,
				   bool *ret_new);
/* Returns the cell of an interval, adding it if new.  The caller must add to it: no cell may stay
 * empty. */
struct cell *accumulator_cell(struct accumulator *s, struct entry *e, long interval);
/* Returns how many units of a start one unit of latency has; 0 when that is not known. */
double accumulator_start_units(const struct accumulator_options *o);
/* Returns the least start, in billionths, that is taken as a time since 1970. */
decimal_int accumulator_since_1970(const struct accumulator_options *o);
/* States how long the run took, if its samples were timed, which a part of a file does not tell;
 * and when it began, if times are since 1970: the earliest of all parts is that of the whole. */
void accumulators_push_elapsed(struct accumulator *const *s, size_t n, struct builder *b);
/* Adds what another accumulator has seen. */
void accumulator_take_seen(struct accumulator *into, const struct accumulator *from);
/* Adds to a cell; false, with nothing changed, when the total does not fit. */
MUST_CHECK bool cell_add(struct cell *c, const struct counted *more, struct arena *a);

/* Pushes the operations of n > 0 accumulators with the same options; no operation may be in two
 * of them.  False when an error was reported. */
MUST_CHECK bool accumulators_push(struct accumulator *const *s, size_t n, struct builder *b);

/* A name as it stands in the file (see struct bulk_item), found by a thread. */
struct met {
	uint64_t word[2];
	const char *raw; /* in the memory of the thread that found it */
	struct entry *entry;
	uint64_t offset; /* where that thread found it first */
	uint32_t hash;
	uint16_t n_name;
};

/* Names that threads share: looking up a new name costs more than copying another's result. */
struct shared_names {
	pthread_mutex_t lock;
	struct met *met;
	size_t n, cap;
};

/* Returns the names that all threads share. */
struct shared_names *operation_table_shared_names(struct operation_table *r);

/* Adds what a thread counted for an operation that it looked up.  Thread-safe. */
void operation_table_add(struct operation_table *r, struct entry *e, long interval,
			 const struct counted *more);

#endif
