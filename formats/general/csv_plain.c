/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/general/csv_plain.h"

#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/decimal.h"
#include "base/xalloc.h"
#include "formats/general/plain_number.h"

enum {
	SPAN = BULK_INLINE,  /* bytes that are looked at at a time */
	REACH = PLAIN_REACH, /* readable bytes that are wanted where a field begins */
	MAX_FIELDS = 64,
	MAX_NAME = 1024,
	AHEAD = 7, /* rows between one step and the next */
	ROWS = 2 * (AHEAD + 1),
};

enum field { FIELD_OTHER, FIELD_NAME, FIELD_LATENCY, FIELD_START };

struct row {
	const char *from; /* its first byte */
	struct bulk_item item;
	struct str start;
};

/* Rows on their way, each read before it is counted. */
struct ahead {
	struct row row[ROWS];
	size_t n_read, n_asked, n_counted; /* asked: for their slots */
	uint64_t block;			   /* its number */
	const char *next;		   /* to be read */
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
	struct ahead ahead;
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

/* How many of the SPAN bytes at p come before the first c. */
static inline unsigned span(const char *p, char c)
{
#ifdef __SSE2__
	__m128i at = _mm_loadu_si128((const __m128i *)(const void *)p);
	int found = _mm_movemask_epi8(_mm_cmpeq_epi8(at, _mm_set1_epi8(c)));

	return (unsigned)__builtin_ctz((unsigned)found | 1U << SPAN);
#else
	for (unsigned n = 0; n < SPAN; n += WORD_BYTES) {
		uint64_t x = word_load(p + n) ^ word_each((unsigned char)c);
		uint64_t found = word_zeros(x);

		if (found != 0)
			return n + word_first(found);
	}
	return SPAN;
#endif
}

/* False for a name that is too long. */
static inline bool read_name(const char *p, const char *end, char delimiter, struct bulk_item *item)
{
	size_t n = span(p, delimiter);

	if (n == SPAN) {
		size_t most = end - p < MAX_NAME ? (size_t)(end - p) : MAX_NAME;
		const char *after = memchr(p, delimiter, most);

		if (after == NULL)
			return false;
		n = (size_t)(after - p);
	}
	bulk_set_name(item, (struct str){ p, n });
	return true;
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
	bulk_prefetch_slot(f->bulk, &item);
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
	for (size_t i = 0; i < f->n_fields; i++) {
		bool last = i + 1 == f->n_fields;
		const char *from = p;
		size_t n = 0;

		if (end - p < REACH)
			return NULL;
		switch (f->field[i]) {
		case FIELD_NAME:
			if (!read_name(p, end, last ? '\n' : f->separator, &row->item))
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

static inline const char *read_pair(const struct plain_rows *f, const char *p, const char *end,
				    struct row *row)
{
	unsigned n;

	if (end - p < REACH || !read_name(p, end, f->separator, &row->item))
		return NULL;
	p += row->item.name.n + 1;
	if (row->item.name.n > SPAN && end - p < REACH)
		return NULL;
	n = plain_number_read(&f->number, p, &row->item.latency);
	return n > 0 ? pass(f, p + n, true) : NULL;
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

/* Rows that were read after one with a new name are still there, but slots have moved when
 * it was learned, and the name may be theirs. */
static void begin(struct plain_rows *f, const struct block *block, const char *from)
{
	struct ahead *a = &f->ahead;

	if (a->n_counted < a->n_read && a->block == block->number &&
	    a->row[a->n_counted % ROWS].from == from) {
		for (size_t i = a->n_counted; i < a->n_asked; i++)
			bulk_ask_slot(f->bulk, &a->row[i % ROWS].item);
		return;
	}
	a->n_read = a->n_asked = a->n_counted = 0;
	a->block = block->number;
	a->next = from;
}

/* While a row is read, what those before it need is on its way from memory. */
size_t plain_take(struct plain_rows *f, const struct block *block, size_t at)
{
	const char *bytes = block->part.bytes.p, *stop = bytes + block->part.bytes.n;
	struct ahead *a = &f->ahead;
	bool more = true;

	begin(f, block, bytes + at);
	while (more || a->n_counted < a->n_read) {
		if (more) {
			struct row *r = &a->row[a->n_read % ROWS];
			const char *next = a->next >= stop ? NULL
					   : f->pairs	   ? read_pair(f, a->next, block->limit, r)
							   : read_any(f, a->next, block->limit, r);

			more = next != NULL;
			if (more) {
				r->from = a->next;
				a->next = next;
				bulk_prefetch_slot(f->bulk, &r->item);
				a->n_read++;
			}
		}
		if (a->n_asked < a->n_read && (!more || a->n_read - a->n_asked > AHEAD))
			bulk_ask_slot(f->bulk, &a->row[a->n_asked++ % ROWS].item);
		if (a->n_counted < a->n_asked && (!more || a->n_asked - a->n_counted > AHEAD)) {
			const struct row *r = &a->row[a->n_counted++ % ROWS];

			if (!count(f, r) && !count_first(f, block, r))
				return (size_t)(r->from - bytes);
		}
	}
	return (size_t)(a->next - bytes);
}

void plain_finish(struct plain_rows *f)
{
	bulk_flush(f->bulk);
	bulk_free(f->bulk);
	f->bulk = NULL;
}
