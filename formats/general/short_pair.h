/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Short rows, as nearly all rows of a large file are: a name of fewer than BULK_INLINE bytes, a
 * separator, a whole number of at most WORD_BYTES digits, a newline.
 *
 * The end of such a row is found before its fields are read, so the next row need not wait for
 * them.
 */
#ifndef FORMATS_GENERAL_SHORT_PAIR_H
#define FORMATS_GENERAL_SHORT_PAIR_H

#include "formats/general/plain_number.h"

#ifdef __SSE2__

struct short_pair {
	__m128i separator, newline; /* the byte, repeated */
	uint64_t scale;		    /* bulk units in a whole number */
};

static inline struct short_pair short_pair_of(char separator, const struct plain_number *f)
{
	return (struct short_pair){ _mm_set1_epi8(separator), _mm_set1_epi8('\n'), f->scale[0] };
}

static inline unsigned short_pair_found(__m128i bytes, __m128i wanted)
{
	return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, wanted));
}

/* Reads the row at p, where PLAIN_REACH bytes must be readable.  Returns where the next row begins;
 * NULL when it is not such a row. */
static inline const char *short_pair_read(const struct short_pair *f, const char *p,
					  struct bulk_item *item)
{
	__m128i bytes = _mm_loadu_si128((const void *)p);
	__m128i after = _mm_loadu_si128((const void *)(p + BULK_INLINE));
	unsigned separators = short_pair_found(bytes, f->separator);
	unsigned newlines = short_pair_found(bytes, f->newline) |
			    short_pair_found(after, f->newline) << BULK_INLINE;
	unsigned name, end, digits;

	if (separators == 0 || newlines == 0 || *p == '"')
		return NULL;
	name = (unsigned)__builtin_ctz(separators);
	end = (unsigned)__builtin_ctz(newlines);
	digits = end - name - 1; /* huge if the newline is before the separator */
	if (digits - 1 >= WORD_BYTES ||
	    !word_first_number(word_load(p + name + 1), digits, &item->latency))
		return NULL;
	item->latency *= f->scale;
	bulk_set_first(item, p, bytes, name);
	return p + end + 1;
}

#else

struct short_pair {
	char none;
};

static inline struct short_pair short_pair_of(char separator, const struct plain_number *f)
{
	(void)f;
	return (struct short_pair){ separator };
}

/* Without SSE2 no row is read here. */
static inline const char *short_pair_read(const struct short_pair *f, const char *p,
					  struct bulk_item *item)
{
	(void)f, (void)p, (void)item;
	return NULL;
}

#endif

#endif
