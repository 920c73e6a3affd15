/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collects the rows of a table of buckets, in whatever order they come: operations, their parts
 * (intervals, or the whole run), and the buckets of these; then sorts them.  For
 * formats/general/csv_buckets.c.
 */
#ifndef FORMATS_GENERAL_CSV_COLLECTION_H
#define FORMATS_GENERAL_CSV_COLLECTION_H

#include "base/tables/hash_index.h"
#include "base/tables/str_table.h"
#include "formats/table/csv_rows.h"

struct arena;

/* A row that is a bucket. */
struct line {
	struct line *next; /* in the part */
	double low, high;
	uint64_t count;
	struct str where;
};

/* An operation in one interval, or in the whole run. */
struct part {
	struct part *next; /* of the operation */
	double start, end; /* of a numbered interval: its number, 0; of the whole run: -1, 0 */
	struct line *first, *last;
	size_t n_lines;
	uint64_t count;
	struct decimal total;
	bool has_total, has_count;
	bool mixed; /* a row begins before the previous one ends */
};

/* One operation of the table; its parts are in file order until they are sorted. */
struct op {
	struct str layer, name;
	struct str where;
	struct part *first, *last;
	struct part *current; /* the latest interval; NULL: none yet */
	struct part whole;    /* the whole run, if has_whole */
	size_t n_parts;
	enum unit unit;
	bool has_whole;
	bool mixed; /* parts are not in the order of their times */
};

/* All rows of a table of buckets, allocated in its arena. */
struct collection {
	const struct rows *rows;
	enum unit unit; /* of operations to come */
	struct op **op; /* in file order */
	size_t n_ops;
	struct part **part; /* all but the whole runs */
	size_t n_parts;

	/* Private. */
	struct arena *arena;
	struct hash_index hash_index; /* operations, by layer and name */
	struct op *current;
	struct str_table spans; /* parts, by struct span_key */
	size_t cap_ops, cap_parts;
	struct line *room; /* for lines to come */
	size_t n_room;
};

/* Starts an empty collection with the columns of these rows. */
void collection_start(struct collection *c, const struct rows *rows);
void collection_release(struct collection *c);

/* Returns the operation of this layer and name, which is new or known. */
struct op *collection_op(struct collection *c, struct str layer, struct str name);
/* Prefetches the operation of the next row. */
void collection_expect(const struct collection *c);
/* Returns the part of an operation; start < 0: the whole run. */
struct part *collection_part(struct collection *c, struct op *op, double start, double end);
void collection_add(struct collection *c, struct part *p, const struct line *l);

/* Returns whether the part is the whole run and not an interval. */
static inline bool part_is_whole_run(const struct part *p)
{
	return p->start < 0;
}

/* Sorts parts by their times and lines by their edges.  False, after reporting it, when lines
 * overlap. */
MUST_CHECK bool collection_order(struct collection *c);

#endif
