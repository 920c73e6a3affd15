/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the rows of a table of buckets tell, in whatever order they come: operations, their
 * parts (intervals, or the whole run), and the buckets of these.  Collected for
 * formats/general/csv_buckets.c, then put in order.
 */
#ifndef FORMATS_GENERAL_CSV_COLLECTION_H
#define FORMATS_GENERAL_CSV_COLLECTION_H

#include "base/hash_index.h"
#include "base/str_table.h"
#include "formats/csv_rows.h"

struct arena;

/* A row that is a bucket. */
struct line {
	struct line *next; /* of the part */
	double low, high;
	uint64_t count;
	struct str where;
};

/* An operation in one interval, or in the whole run. */
struct part {
	struct part *next; /* of the operation */
	double start, end; /* of numbered ones: the number, 0; of the whole run: -1, 0 */
	struct line *first, *last;
	size_t n_lines;
	uint64_t count;
	struct decimal total;
	bool has_total, has_count;
	bool mixed; /* a row begins before the one before it ends */
};

/* One operation of the table, with its parts in the order of the file until they are sorted. */
struct op {
	struct str layer, name;
	struct str where;
	struct part *first, *last;
	struct part *current; /* of an interval; NULL: none yet */
	struct part whole;    /* the run, if has_whole */
	size_t n_parts;
	enum unit unit;
	bool has_whole;
	bool mixed; /* parts do not come in the order of their times */
};

/* What all rows of a table of buckets say; lives in its arena. */
struct collection {
	const struct rows *rows;
	enum unit unit; /* of operations that come */
	struct op **op; /* in the order of the file */
	size_t n_ops;
	struct part **part; /* all but those of the whole run */
	size_t n_parts;

	/* Its own. */
	struct arena *arena;
	struct hash_index hash_index; /* of operations, by layer and name */
	struct op *current;
	struct str_table spans; /* of parts, by struct span_key */
	size_t cap_ops, cap_parts;
	struct line *room; /* for lines to come */
	size_t n_room;
};

/* An empty collection for the columns of these rows. */
void collection_start(struct collection *c, const struct rows *rows);
/* Frees the collection. */
void collection_release(struct collection *c);

/* The operation of the current row. */
struct op *collection_op(struct collection *c, struct str layer, struct str name);
/* That of the next row is on its way while this one is read. */
void collection_expect(const struct collection *c);
/* start < 0: the whole run. */
struct part *collection_part(struct collection *c, struct op *op, double start, double end);
void collection_add(struct collection *c, struct part *p, const struct line *l);

/* Whether rows are of the whole run, and of no interval. */
static inline bool part_is_whole_run(const struct part *p)
{
	return p->start < 0;
}

/* Parts by their times, lines by their edges.  False when lines overlap, which is reported. */
MUST_CHECK bool collection_order(struct collection *c);

#endif
