/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/general/csv_plain.h"

#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/xalloc.h"
#include "formats/general/plain_number.h"
#include "formats/general/short_pair.h"
#include "formats/general/short_pairs.h"

enum {
	REACH = PLAIN_REACH, /* bytes that must be readable where a field begins */
	MAX_FIELDS = 64,
	MAX_NAME = 1024,
	MAX_BLANKS = 8,	 /* before a number; fits into REACH together with it */
	ROWS = 16,	 /* read before the first of them is counted */
	AFTER_LONG = 64, /* rows after one that is no short pair, assumed to be none either */
	WORTHWHILE = 8,	 /* consecutive short pairs that are worth reading at once */
};

enum field { FIELD_OTHER, FIELD_NAME, FIELD_LATENCY, FIELD_START };

struct row {
	const char *from; /* its first byte */
	struct bulk_item item;
	struct str start;
};

/* Rows that were read; the first n_counted are counted. */
struct batch {
	struct row row[ROWS];
	size_t n, n_counted;
	uint64_t block;	  /* its number */
	const char *next; /* the next row to read */
};

struct plain_rows {
	struct bulk *bulk;
	struct accumulator *accumulator;
	char separator;
	bool with_start;
	bool pairs; /* rows are a name, a separator, a latency: so are nearly all large files */
	size_t n_fields, name_at;
	enum field field[MAX_FIELDS];
	struct plain_number number;
	struct batch batch;
	struct short_pairs *at_once; /* NULL: pairs are read one by one */
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
	if (f->pairs)
		f->at_once = short_pairs_new(separator, f->number.scale[0], bulk);
	return f;
}

void plain_free(struct plain_rows *f)
{
	if (f == NULL)
		return;
	bulk_free(f->bulk);
	short_pairs_free(f->at_once);
	free(f);
}

/* --- names --------------------------------------------------------------------------- */

/* Returns a name of BULK_INLINE bytes or more; NULL when its end is too far away, or too close to
 * the end of the readable bytes. */
static NOINLINE struct str long_name(const char *p, const char *end, char delimiter)
{
	ptrdiff_t room = end - p - REACH < MAX_NAME ? end - p - REACH : MAX_NAME;
	const char *after = room > 0 ? memchr(p, delimiter, (size_t)room) : NULL;

	return after != NULL ? (struct str){ p, (size_t)(after - p) } : (struct str){ NULL, 0 };
}

/* Returns the end of the name that begins at p; NULL when it is too long. */
static inline const char *read_to(const char *p, const char *end, char delimiter,
				  struct bulk_item *item)
{
	struct str name;

	if (bulk_set_short_name(item, p, delimiter))
		return p + item->name.n;
	name = long_name(p, end, delimiter);
	if (name.p == NULL)
		return NULL;
	bulk_set_name(item, name);
	return p + name.n;
}

/* Returns the end of a quoted name, after the closing quote.  NULL when it has blanks at its ends,
 * which only belong to a name in quotes. */
static inline const char *read_quoted_name(const char *p, const char *end, struct bulk_item *item)
{
	const char *from = p + 1, *close = read_to(from, end, '"', item);

	if (close == NULL || (close > from && (is_margin(*from) || is_margin(close[-1]))))
		return NULL;
	return close + 1;
}

static inline const char *read_name(const char *p, const char *end, char delimiter,
				    struct bulk_item *item)
{
	return *p == '"' ? read_quoted_name(p, end, item) : read_to(p, end, delimiter, item);
}

/* Takes the next field off a record, without the quotes around it.  False when there are other
 * quotes. */
static bool take_field(struct str *rest, char separator, struct str *ret, bool *ret_quoted)
{
	*ret = *rest;
	*ret_quoted = rest->n > 0 && rest->p[0] == '"';
	if (!*ret_quoted) {
		(void)str_cut(*rest, separator, ret, rest);
		return memchr(ret->p, '"', ret->n) == NULL;
	}
	if (!str_cut(str_skip(*rest, 1), '"', ret, rest) ||
	    (rest->n > 0 && rest->p[0] != separator))
		return false;
	*rest = str_skip(*rest, 1);
	return true;
}

/* Finds the bytes of the record that are its name.  False when they would mean something else with
 * or without quotes: then no row with this name is plain. */
static bool find_name(const struct plain_rows *f, struct str record, struct str *ret)
{
	bool quoted = false;

	for (size_t i = 0; i <= f->name_at; i++) {
		if (!take_field(&record, f->separator, ret, &quoted))
			return false;
	}
	return !quoted || (str_trim(*ret).n == ret->n && memchr(ret->p, '\n', ret->n) == NULL &&
			   memchr(ret->p, f->separator, ret->n) == NULL);
}

bool plain_learn(struct plain_rows *f, struct str record, const struct sample *sample)
{
	struct bulk_item item;
	struct str name;

	if (!find_name(f, record, &name))
		return false;
	bulk_set_any_name(&item, name);
	bulk_set_hash(&item);
	return bulk_learn(f->bulk, &item, sample);
}

/* --- rows ---------------------------------------------------------------------------- */

/* Returns the end of a field that is ignored or read later; NULL when a quote is anywhere but
 * around the whole field, or the end of the readable bytes is too close. */
static const char *skip_field(const struct plain_rows *f, const char *p, const char *end)
{
	const uint64_t separators = word_each((unsigned char)f->separator);

	if (*p == '"') {
		p = memchr(p + 1, '"', (size_t)(end - p) - 1);
		return p != NULL ? p + 1 : NULL;
	}
	for (; end - p >= WORD_BYTES; p += WORD_BYTES) {
		uint64_t word = word_load(p);
		uint64_t found = word_zeros(word ^ separators) |
				 word_zeros(word ^ word_each('\n')) |
				 word_zeros(word ^ word_each('"'));

		if (found == 0)
			continue;
		p += word_first(found);
		return *p != '"' ? p : NULL;
	}
	return NULL;
}

/* Reads a latency after blanks, or in quotes.  Returns its end; NULL when there is none. */
static NOINLINE const char *read_wrapped_latency(const struct plain_rows *f, const char *p,
						 uint64_t *ret_latency)
{
	bool quoted = *p == '"';
	unsigned n;

	for (int i = 0; i < MAX_BLANKS && *p == ' ' && f->separator != ' '; i++)
		p++;
	n = plain_number_read(&f->number, p + quoted, ret_latency);
	p += quoted + n;
	if (n == 0 || (quoted && *p != '"'))
		return NULL;
	return p + quoted;
}

/* Reads a latency.  Returns its end; NULL when it is not plain. */
static inline const char *read_latency(const struct plain_rows *f, const char *p,
				       uint64_t *ret_latency)
{
	unsigned n = plain_number_read(&f->number, p, ret_latency);
	uint64_t latency; /* keeps *ret_latency out of memory */

	if (n > 0)
		return p + n;
	p = read_wrapped_latency(f, p, &latency);
	if (p != NULL)
		*ret_latency = latency;
	return p;
}

/* Skips the separator or newline at p; NULL when there is none. */
static inline const char *pass_separator(const struct plain_rows *f, const char *p, bool last)
{
	if (!last)
		return *p == f->separator ? p + 1 : NULL;
	return plain_line_end(p);
}

/* Removes quotes around a field that is read later. */
static struct str without_quotes(struct str field)
{
	if (field.n < 2 || field.p[0] != '"')
		return field;
	return (struct str){ field.p + 1, field.n - 2 };
}

/* Reads one row with any columns; NULL when it is not plain. */
static const char *read_any(const struct plain_rows *f, const char *p, const char *end,
			    struct row *row)
{
	row->from = p;
	for (size_t i = 0; i < f->n_fields; i++) {
		bool last = i + 1 == f->n_fields;
		const char *from = p;

		if (end - p < REACH)
			return NULL;
		switch (f->field[i]) {
		case FIELD_NAME:
			p = read_name(p, end, last ? '\n' : f->separator, &row->item);
			break;
		case FIELD_LATENCY:
			p = read_latency(f, p, &row->item.latency);
			break;
		case FIELD_START:
		case FIELD_OTHER:
			p = skip_field(f, p, end);
			break;
		}
		if (p == NULL || end - p < 2)
			return NULL;
		if (f->field[i] == FIELD_START)
			row->start = without_quotes((struct str){ from, (size_t)(p - from) });
		p = pass_separator(f, p, last);
		if (p == NULL)
			return NULL;
	}
	return p;
}

/* Reads a name, the separator and a latency at p, where REACH bytes are readable; NULL when they
 * are not plain. */
static inline const char *read_pair(const struct plain_rows *f, char separator, const char *p,
				    const char *end, struct bulk_item *item)
{
	p = read_name(p, end, separator, item);
	if (p == NULL || *p != separator)
		return NULL;
	p = read_latency(f, p + 1, &item->latency);
	return p != NULL ? plain_line_end(p) : NULL;
}

static inline const char *read_row(const struct plain_rows *f, char separator, const char *p,
				   const char *end, struct row *row)
{
	if (!f->pairs)
		return read_any(f, p, end, row);
	row->from = p;
	return end - p >= REACH ? read_pair(f, separator, p, end, &row->item) : NULL;
}

/* Makes the row's interval the current one of its name, and notes its time.  False when the slow
 * path has to report an error. */
static bool turn_interval(const struct plain_rows *f, struct bulk_slot *slot, struct str row_start,
			  uint64_t latency)
{
	struct decimal start;
	long interval;

	if (number_decimal(str_trim(row_start), &start) != NUMBER_OK ||
	    !accumulator_interval(f->accumulator, start, &interval) ||
	    !bulk_turn(f->bulk, slot, interval))
		return false;
	bulk_see(f->bulk, start, latency);
	return true;
}

static inline bool count_row(const struct plain_rows *f, const struct row *row)
{
	return bulk_knows(f->bulk, &row->item) &&
	       (!f->with_start ||
		turn_interval(f, row->item.slot, row->start, row->item.latency)) &&
	       bulk_count(f->bulk, &row->item);
}

/* Counts the first row here of a name that another thread met earlier in the file. */
static bool count_first(const struct plain_rows *f, const struct block *block,
			const struct row *row)
{
	return bulk_knows(f->bulk, &row->item) &&
	       bulk_meet(f->bulk, &row->item,
			 block->at + (uint64_t)(row->from - block->part.bytes.p)) &&
	       count_row(f, row);
}

/* Reads the next plain rows into the batch, in steps: the memory that a row needs is prefetched
 * while other rows are read.  False when there is none. */
static bool read_batch(struct plain_rows *f, const struct block *block, const char *stop)
{
	struct batch *b = &f->batch;
	const char separator = f->separator; /* a copy that never changes, for the compiler */
	const char *p = b->next, *next;
	size_t n = 0;

	for (; n < ROWS && p < stop; p = next) {
		struct row *r = &b->row[n];

		next = read_row(f, separator, p, block->limit, r);
		if (next == NULL)
			break;
		bulk_prefetch_group(f->bulk, &r->item);
		n++;
	}
	b->next = p;
	b->n = n;
	b->n_counted = 0;
	for (size_t i = 0; i < n; i++)
		bulk_prefetch_slot(f->bulk, &b->row[i].item);
	return n > 0;
}

/* Resumes at `from`.  Rows read after one with a new name are still in the batch, but learning the
 * name moved the slots, and they may have the same name: finds their slots again. */
static void resume_at(struct plain_rows *f, const struct block *block, const char *from)
{
	struct batch *b = &f->batch;

	if (b->n_counted < b->n && b->block == block->number && b->row[b->n_counted].from == from) {
		for (size_t i = b->n_counted; i < b->n; i++)
			bulk_prefetch_slot(f->bulk, &b->row[i].item);
		return;
	}
	b->n = b->n_counted = 0;
	b->block = block->number;
	b->next = from;
}

/* Counts a row whose slot is known. */
static inline bool count_known(struct bulk *bulk, struct bulk_item *item)
{
	item->step = (uint32_t)bulk_step(&bulk->steps, item->latency);
	return bulk_count(bulk, item);
}

/* For few names, whose slots are all in a cache: counts each row as soon as it is read, as long as
 * its name is known.  Returns where the first other row begins. */
static const char *take_few(struct plain_rows *f, const struct block *block, const char *p,
			    const char *stop)
{
	struct bulk *bulk = f->bulk;
	const char *next;
	struct row row;

	for (; p < stop; p = next) {
		next = read_any(f, p, block->limit, &row);
		if (next == NULL || !bulk_finds(bulk, &row.item))
			break;
		if ((f->with_start &&
		     !turn_interval(f, row.item.slot, row.start, row.item.latency)) ||
		    !count_known(bulk, &row.item))
			break;
	}
	return p;
}

/* Counts pairs whose slots are known; returns how many. */
static inline size_t count_pairs(const struct short_pairs *pairs, struct bulk *bulk)
{
	const size_t n = pairs->n;

	for (size_t i = 0; i < n; i++) {
		struct bulk_item item = short_pairs_item(pairs, i);

		if (!bulk_count(bulk, &item))
			return i;
	}
	return n;
}

/* Reads and counts several short pairs at once; *ret_worthwhile: there were many.  Returns where
 * the first other row begins. */
static const char *take_at_once(struct plain_rows *f, const char *p, const char *stop,
				bool *ret_worthwhile)
{
	struct short_pairs *const pairs = f->at_once;
	size_t read, counted;

	*ret_worthwhile = false;
	if (pairs == NULL)
		return p;
	do {
		short_pairs_read(pairs, p, stop);
		read = pairs->n;
		short_pairs_find(pairs);
		counted = count_pairs(pairs, f->bulk);
		p += counted > 0 ? pairs->end[counted - 1] : 0;
		*ret_worthwhile |= counted >= WORTHWHILE;
	} while (counted >= WORTHWHILE && counted == read);
	return p;
}

/* Does the same for pairs one by one, keeping a row in registers until it is counted. */
static const char *take_few_pairs(struct plain_rows *f, const struct block *block, const char *p,
				  const char *stop)
{
	const struct short_pair pair = short_pair_of(f->separator, &f->number);
	struct bulk *const bulk = f->bulk;
	const char *next;
	unsigned longer = 0; /* so many rows are assumed not to be short pairs */
	unsigned alone = 0;  /* rows to read one by one, before several at once are tried again */

	if (block->limit - stop < REACH)
		stop = block->limit - p > REACH ? block->limit - REACH : p;
	for (; p < stop; p = next) {
		struct bulk_item item;

		if (alone == 0) {
			bool worthwhile;

			p = take_at_once(f, p, stop, &worthwhile);
			alone = worthwhile ? 1 : AFTER_LONG;
			if (p >= stop)
				break;
		}
		alone--;
		next = longer == 0 ? short_pair_read(&pair, p, &item) : NULL;
		if (next == NULL) {
			next = read_pair(f, f->separator, p, block->limit, &item);
			longer = longer > 0 ? longer - 1 : AFTER_LONG;
		}
		if (next == NULL || !bulk_finds(bulk, &item) || !count_known(bulk, &item))
			break;
	}
	return p;
}

size_t plain_take(struct plain_rows *f, const struct block *block, size_t at)
{
	const char *bytes = block->part.bytes.p, *stop = bytes + block->part.bytes.n;
	struct batch *b = &f->batch;

	resume_at(f, block, bytes + at);
	do {
		while (b->n_counted < b->n) {
			const struct row *r = &b->row[b->n_counted++];

			if (!count_row(f, r) && !count_first(f, block, r))
				return (size_t)(r->from - bytes);
		}
		if (f->bulk->n > 0 && f->bulk->n <= BULK_FEW)
			b->next = (f->pairs ? take_few_pairs : take_few)(f, block, b->next, stop);
	} while (read_batch(f, block, stop));
	return (size_t)(b->next - bytes);
}

void plain_finish(struct plain_rows *f)
{
	bulk_flush(f->bulk);
	bulk_free(f->bulk);
	f->bulk = NULL;
}
