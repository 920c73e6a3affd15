/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/general/csv_plain.h"

#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/xalloc.h"
#include "formats/general/plain_number.h"

enum {
	REACH = PLAIN_REACH, /* readable bytes that are wanted where a field begins */
	MAX_FIELDS = 64,
	MAX_NAME = 1024,
	ROWS = 16, /* that are read before one of them is counted */
	FEW_NAMES = 1024, /* of which all slots are in a cache */
};

enum field { FIELD_OTHER, FIELD_NAME, FIELD_LATENCY, FIELD_START };

struct row {
	const char *from; /* its first byte */
	struct bulk_item item;
	struct str start;
};

/* Rows that were read: some may be counted already. */
struct batch {
	struct row row[ROWS];
	size_t n, n_counted;
	uint64_t block;	  /* its number */
	const char *next; /* to be read */
};

struct plain_rows {
	struct bulk *bulk;
	struct accumulator *accumulator;
	char separator;
	bool with_start;
	bool pairs; /* a name, a separator, a latency: what nearly all large files hold */
	size_t n_fields, name_at;
	enum field field[MAX_FIELDS];
	struct plain_number number;
	struct batch batch;
};

struct plain_rows *plain_new(const struct columns *c, char separator, bool with_start,
			     struct accumulator *s)
{
	struct plain_rows *f;
	struct bulk *bulk;

	if (c->has[ROLE_LAYER] || !c->has[ROLE_OPERATION] || c->n > MAX_FIELDS ||
	    c->at[ROLE_OPERATION] >= c->n)
		return NULL;
	bulk = bulk_new(s);
	if (bulk == NULL)
		return NULL;
	f = xcalloc(1, sizeof(*f));
	f->bulk = bulk;
	f->accumulator = s;
	f->separator = separator;
	f->with_start = with_start;
	f->n_fields = c->n;
	f->name_at = c->at[ROLE_OPERATION];
	if (with_start)
		f->field[c->at[ROLE_START]] = FIELD_START;
	f->field[c->at[ROLE_LATENCY]] = FIELD_LATENCY;
	f->field[f->name_at] = FIELD_NAME;
	f->pairs = f->n_fields == 2 && f->name_at == 0 && !with_start;
	plain_number_init(&f->number, bulk);
	return f;
}

void plain_free(struct plain_rows *f)
{
	if (f == NULL)
		return;
	bulk_free(f->bulk);
	free(f);
}

/* --- names --------------------------------------------------------------------------- */

/* A name that BULK_INLINE bytes do not end: what follows the delimiter; NULL where that is too far
 * away, or too near the end. */
static const char *read_long_name(const char *p, const char *end, char delimiter,
				  struct bulk_item *item)
{
	size_t room = end - p - REACH < MAX_NAME ? (size_t)(end - p - REACH) : MAX_NAME;
	const char *after = memchr(p, delimiter, room);

	if (after == NULL)
		return NULL;
	bulk_set_name(item, (struct str){ p, (size_t)(after - p) });
	return after + 1;
}

bool plain_learn(struct plain_rows *f, struct str record, const struct sample *sample)
{
	struct str name = record, rest = record;
	struct bulk_item item;

	for (size_t i = 0; i <= f->name_at; i++) {
		name = rest;
		(void)str_cut(rest, f->separator, &name, &rest);
	}
	bulk_name(&item, name);
	bulk_set_hash(&item);
	return bulk_learn(f->bulk, &item, sample);
}

/* --- rows ---------------------------------------------------------------------------- */

/* The end of a field that does not matter, or of one that is read later. */
static const char *skip_field(const struct plain_rows *f, const char *p, const char *end)
{
	while (p < end && *p != f->separator && *p != '\n')
		p++;
	return p;
}

/* After the separator or the newline at p; NULL when neither is there. */
static inline const char *pass(const struct plain_rows *f, const char *p, bool last)
{
	if (!last)
		return *p == f->separator ? p + 1 : NULL;
	return plain_line_end(p);
}

/* One row of any columns; NULL when it is not plain. */
static const char *read_any(const struct plain_rows *f, const char *p, const char *end,
			    struct row *row)
{
	row->from = p;
	for (size_t i = 0; i < f->n_fields; i++) {
		bool last = i + 1 == f->n_fields;
		const char *from = p;
		size_t n = 0;

		if (end - p < REACH)
			return NULL;
		switch (f->field[i]) {
		case FIELD_NAME:
			if (!bulk_set_short_name(&row->item, p, last ? '\n' : f->separator) &&
			    read_long_name(p, end, last ? '\n' : f->separator, &row->item) == NULL)
				return NULL;
			n = row->item.name.n;
			break;
		case FIELD_LATENCY:
			n = plain_number_read(&f->number, p, &row->item.latency);
			if (n == 0)
				return NULL;
			break;
		case FIELD_START:
		case FIELD_OTHER:
			n = (size_t)(skip_field(f, p, end) - p);
			break;
		}
		if (f->field[i] == FIELD_START)
			row->start = (struct str){ from, n };
		p = end - (p + n) >= 2 ? pass(f, p + n, last) : NULL;
		if (p == NULL)
			return NULL;
	}
	return p;
}

/* A name, the separator, a latency; NULL when they are not plain. */
static inline const char *read_pair(const struct plain_rows *f, char separator, const char *p,
				    const char *end, struct row *row)
{
	unsigned n;

	if (end - p < REACH)
		return NULL;
	row->from = p;
	if (bulk_set_short_name(&row->item, p, separator))
		p += row->item.name.n + 1;
	else
		p = read_long_name(p, end, separator, &row->item);
	if (p == NULL)
		return NULL;
	n = plain_number_read(&f->number, p, &row->item.latency);
	return n > 0 ? plain_line_end(p + n) : NULL;
}

/* From here on the name's latencies are of the row's interval.  False where the usual way
 * tells better. */
static bool turn(const struct plain_rows *f, struct bulk_slot *slot, struct str row_start)
{
	struct decimal start;
	long interval;

	return number_decimal(str_trim(row_start), &start) == NUMBER_OK &&
	       accumulator_interval(f->accumulator, start, &interval) &&
	       bulk_turn(f->bulk, slot, interval);
}

static inline bool count(const struct plain_rows *f, const struct row *row)
{
	return bulk_knows(f->bulk, &row->item) &&
	       (!f->with_start || turn(f, row->item.slot, row->start)) &&
	       bulk_count(f->bulk, &row->item);
}

/* The first row here of a name that another thread has met before it in the file. */
static bool count_first(const struct plain_rows *f, const struct block *block,
			const struct row *row)
{
	return bulk_knows(f->bulk, &row->item) &&
	       bulk_meet(f->bulk, &row->item,
			 block->at + (uint64_t)(row->from - block->part.bytes.p)) &&
	       count(f, row);
}

/* The next rows of a batch, as long as they are plain: step by step, so that the memory which one
 * needs is on its way while the others are read.  False when there is none. */
static bool read_batch(struct plain_rows *f, const struct block *block, const char *stop)
{
	struct batch *b = &f->batch;
	const char separator = f->separator; /* known not to change while rows are written */
	const char *p = b->next, *next;
	size_t n = 0;

	for (; n < ROWS && p < stop; p = next) {
		struct row *r = &b->row[n];

		next = f->pairs ? read_pair(f, separator, p, block->limit, r)
				: read_any(f, p, block->limit, r);
		if (next == NULL)
			break;
		bulk_ask_place(f->bulk, &r->item);
		n++;
	}
	b->next = p;
	b->n = n;
	b->n_counted = 0;
	for (size_t i = 0; i < n; i++)
		bulk_ask_slot(f->bulk, &b->row[i].item);
	return n > 0;
}

/* Rows that were read after one with a new name are still there, but slots have moved when
 * it was learned, and the name may be theirs. */
static void resume(struct plain_rows *f, const struct block *block, const char *from)
{
	struct batch *b = &f->batch;

	if (b->n_counted < b->n && b->block == block->number && b->row[b->n_counted].from == from) {
		for (size_t i = b->n_counted; i < b->n; i++)
			bulk_ask_slot(f->bulk, &b->row[i].item);
		return;
	}
	b->n = b->n_counted = 0;
	b->block = block->number;
	b->next = from;
}

/* Pairs whose names are known, each counted as soon as it is read: where names are few, nothing
 * is waited for.  What begins with the first of the others. */
static const char *take_known(struct plain_rows *f, const struct block *block, const char *p,
			      const char *stop)
{
	struct bulk *bulk = f->bulk;
	const char separator = f->separator;
	const char *next;
	struct row row;

	for (; p < stop; p = next) {
		next = read_pair(f, separator, p, block->limit, &row);
		if (next == NULL)
			break;
		bulk_set_hash(&row.item);
		bulk_find_slot(bulk, &row.item);
		if (!bulk_knows(bulk, &row.item))
			break;
		row.item.step = (uint32_t)bulk_step(&bulk->steps, row.item.latency);
		if (!bulk_count(bulk, &row.item))
			break;
	}
	return p;
}

size_t plain_take(struct plain_rows *f, const struct block *block, size_t at)
{
	const char *bytes = block->part.bytes.p, *stop = bytes + block->part.bytes.n;
	struct batch *b = &f->batch;

	resume(f, block, bytes + at);
	do {
		while (b->n_counted < b->n) {
			const struct row *r = &b->row[b->n_counted++];

			if (!count(f, r) && !count_first(f, block, r))
				return (size_t)(r->from - bytes);
		}
		if (f->pairs && f->bulk->n <= FEW_NAMES)
			b->next = take_known(f, block, b->next, stop);
	} while (read_batch(f, block, stop));
	return (size_t)(b->next - bytes);
}

void plain_finish(struct plain_rows *f)
{
	bulk_flush(f->bulk);
	bulk_free(f->bulk);
	f->bulk = NULL;
}
