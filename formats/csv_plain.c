/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/csv_plain.h"

#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/decimal.h"
#include "base/xalloc.h"

enum {
	WORD = sizeof(uint64_t),
	SPAN = 16,	  /* bytes that are looked at at a time */
	REACH = 4 * SPAN, /* readable bytes that are wanted where a field begins */
	MOST_DIGITS = 19, /* that fit into 64 bits whichever they are */
	MOST_FIELDS = 64,
	MOST_NAME = 1024,
	MOST_AHEAD = 15,
	ROWS = 32, /* that are at hand at once: twice as many, and two */
};

enum field { FIELD_OTHER, FIELD_NAME, FIELD_LATENCY, FIELD_START };

struct plain_rows {
	struct bulk *bulk;
	struct sampler *sampler;
	char separator;
	bool with_start;
	bool pairs; /* a name, a separator, a latency: what nearly all large files hold */
	size_t n_fields, name_at;
	enum field field[MOST_FIELDS];
	uint64_t scale[MOST_DIGITS + 1]; /* to bulk units, by digits behind the point */
	unsigned most_whole;		 /* digits before the point */
	size_t ahead;			 /* rows between one step and the next */
};

struct row {
	const char *from; /* its first byte */
	struct bulk_item item;
	struct str start;
};

struct plain_rows *plain_new(const struct columns *c, char separator, bool with_start,
			     struct sampler *s)
{
	struct plain_rows *f;
	struct bulk *bulk;
	uint64_t scale = 1;

	if (c->has[ROLE_LAYER] || c->n > MOST_FIELDS || c->at[ROLE_OPERATION] >= c->n)
		return NULL;
	bulk = bulk_new(s);
	if (bulk == NULL)
		return NULL;
	f = xcalloc(1, sizeof(*f));
	f->bulk = bulk;
	f->sampler = s;
	f->separator = separator;
	f->with_start = with_start;
	f->n_fields = c->n;
	f->name_at = c->at[ROLE_OPERATION];
	if (with_start)
		f->field[c->at[ROLE_START]] = FIELD_START;
	f->field[c->at[ROLE_LATENCY]] = FIELD_LATENCY;
	f->field[f->name_at] = FIELD_NAME;
	f->pairs = f->n_fields == 2 && f->name_at == 0 && !with_start;
	for (unsigned digits = bulk->digits + 1; digits-- > 0; scale *= 10)
		f->scale[digits] = scale;
	f->most_whole = MOST_DIGITS - bulk->digits;
	return f;
}

void plain_free(struct plain_rows *f)
{
	if (f == NULL)
		return;
	bulk_free(f->bulk);
	free(f);
}

/* --- bytes at once ------------------------------------------------------------------ */

static inline uint64_t load(const char *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}

static inline uint64_t each(unsigned char c)
{
	return UINT64_C(0x0101010101010101) * c;
}

/* How many of the SPAN bytes at p come before the first c. */
static inline unsigned span(const char *p, char c)
{
#ifdef __SSE2__
	__m128i at = _mm_loadu_si128((const __m128i *)(const void *)p);
	int found = _mm_movemask_epi8(_mm_cmpeq_epi8(at, _mm_set1_epi8(c)));

	return (unsigned)__builtin_ctz((unsigned)found | 1U << SPAN);
#else
	for (unsigned n = 0; n < SPAN; n += WORD) {
		uint64_t x = load(p + n) ^ each((unsigned char)c);
		/* The lowest bit that is set is right; those above it need not be. */
		uint64_t found = (x - each(1)) & ~x & each(0x80);

		if (found != 0)
			return n + (unsigned)__builtin_ctzll(found) / 8;
	}
	return SPAN;
#endif
}

/* Eight digits, the first one in the lowest byte, each less '0'. */
static inline uint64_t eight_digits(uint64_t x)
{
	x = (x * 10 + (x >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
	x = (x * 100 + (x >> 16)) & UINT64_C(0x0000ffff0000ffff);
	return (x * 10000 + (x >> 32)) & UINT64_C(0xffffffff);
}

static const uint64_t power[] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000 };

/* The digits among the WORD bytes at p, appended to *v; how many. */
static inline unsigned some_digits(const char *p, uint64_t *v)
{
	uint64_t x = load(p) ^ each('0');
	uint64_t other = (((x & each(0x7f)) + each(0x76)) | x) & each(0x80);
	unsigned n;

	if (other == 0) {
		*v = *v * power[WORD] + eight_digits(x);
		return WORD;
	}
	n = (unsigned)__builtin_ctzll(other) / 8;
	if (n > 0)
		*v = *v * power[n] + eight_digits(x << (8 * (WORD - n)));
	return n;
}

static inline unsigned leading_digits(const char *p, uint64_t *v)
{
	unsigned n = some_digits(p, v);

	return n < WORD ? n : WORD + some_digits(p + WORD, v);
}

/* A number of digits, perhaps with a point among them, in bulk units: how many bytes; 0
 * when it is none, or none of these. */
static inline unsigned read_latency(const struct plain_rows *f, const char *p, uint64_t *ret)
{
	uint64_t v = 0;
	unsigned n = leading_digits(p, &v), behind = 0;

	if (n == 0 || n > f->most_whole)
		return 0;
	if (p[n] == '.') {
		behind = leading_digits(p + n + 1, &v);
		if (behind == 0 || behind > f->bulk->digits)
			return 0;
		n++;
	}
	*ret = v * f->scale[behind];
	return n + behind;
}

/* --- names --------------------------------------------------------------------------- */

/* The bytes up to SPAN are readable. */
static inline void set_name(struct bulk_item *item, struct str name)
{
	uint64_t first = load(name.p), second = 0;

	if (name.n <= WORD)
		first &= name.n == WORD ? UINT64_MAX : (UINT64_C(1) << (8 * name.n)) - 1;
	else if (name.n <= SPAN)
		second = load(name.p + WORD) & (UINT64_MAX >> (8 * (SPAN - name.n)));
	else
		second = load(name.p + name.n - WORD);
	item->word[0] = first;
	item->word[1] = second;
	item->name = name;
}

/* False for a name that is too long. */
static inline bool read_name(const char *p, const char *end, char delimiter, struct bulk_item *item)
{
	size_t n = span(p, delimiter);

	if (n == SPAN) {
		size_t most = end - p < MOST_NAME ? (size_t)(end - p) : MOST_NAME;
		const char *behind = memchr(p, delimiter, most);

		if (behind == NULL)
			return false;
		n = (size_t)(behind - p);
	}
	set_name(item, (struct str){ p, n });
	return true;
}

void plain_learn(struct plain_rows *f, struct str record)
{
	struct str name = record, rest = record;
	struct bulk_item item;
	char first[SPAN] = { 0 };

	for (size_t i = 0; i <= f->name_at; i++) {
		name = rest;
		(void)str_cut(rest, f->separator, &name, &rest);
	}
	if (name.n <= SPAN) {
		if (name.n > 0)
			memcpy(first, name.p, name.n);
		name.p = first;
	}
	set_name(&item, name);
	bulk_ask_place(f->bulk, &item);
	bulk_learn(f->bulk, &item);
}

/* --- rows ---------------------------------------------------------------------------- */

/* The end of a field that does not matter, or of one that is read later. */
static const char *skip_field(const struct plain_rows *f, const char *p, const char *end)
{
	while (p < end && *p != f->separator && *p != '\n')
		p++;
	return p;
}

/* Behind the separator or the newline at p; NULL when neither is there. */
static inline const char *pass(const struct plain_rows *f, const char *p, bool last)
{
	if (!last)
		return *p == f->separator ? p + 1 : NULL;
	p += *p == '\r';
	return *p == '\n' ? p + 1 : NULL;
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
			n = read_latency(f, p, &row->item.latency);
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
	n = read_latency(f, p, &row->item.latency);
	return n > 0 ? pass(f, p + n, true) : NULL;
}

static inline const char *read_row(const struct plain_rows *f, const char *p, const char *end,
				   struct row *row)
{
	return f->pairs ? read_pair(f, p, end, row) : read_any(f, p, end, row);
}

/* From here on the name's latencies are of the row's interval.  False where the usual way
 * tells better. */
static bool turn(const struct plain_rows *f, struct bulk_slot *slot, struct str row_start)
{
	struct decimal start;
	long interval;

	return number_decimal(str_trim(row_start), &start) == NUMBER_OK &&
	       sampler_interval(f->sampler, start, &interval) && bulk_turn(f->bulk, slot, interval);
}

static inline bool count(const struct plain_rows *f, const struct row *row)
{
	return bulk_knows(f->bulk, &row->item) &&
	       (!f->with_start || turn(f, row->item.slot, row->start)) &&
	       bulk_count(f->bulk, &row->item);
}

/* While a row is read, what those before it need is on its way from memory. */
size_t plain_take(struct plain_rows *f, const struct block *block, size_t at)
{
	const char *bytes = block->part.bytes.p, *stop = bytes + block->part.bytes.n;
	const char *p = bytes + at;
	struct row row[ROWS];
	size_t n_read = 0, n_asked = 0, n_counted = 0;
	bool more = true;

	while (more || n_counted < n_read) {
		if (more) {
			struct row *r = &row[n_read % ROWS];
			const char *next = p < stop ? read_row(f, p, block->limit, r) : NULL;

			more = next != NULL;
			if (more) {
				r->from = p;
				p = next;
				bulk_ask_place(f->bulk, &r->item);
				n_read++;
			}
		}
		if (n_asked < n_read && (!more || n_read - n_asked > f->ahead))
			bulk_ask_slot(f->bulk, &row[n_asked++ % ROWS].item);
		if (n_counted < n_asked && (!more || n_asked - n_counted > f->ahead)) {
			const struct row *r = &row[n_counted++ % ROWS];

			if (!count(f, r)) {
				/* Where names are new again and again, little is read twice. */
				f->ahead = 0;
				return (size_t)(r->from - bytes);
			}
			f->ahead += f->ahead < MOST_AHEAD;
		}
	}
	return (size_t)(p - bytes);
}

bool plain_finish(struct plain_rows *f)
{
	return bulk_flush(f->bulk);
}
