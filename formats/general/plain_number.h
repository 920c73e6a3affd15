/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads plain latencies, as nearly all lines have them, eight bytes at a time: digits, perhaps with
 * a point.  number_decimal() handles everything else.
 */
#ifndef FORMATS_GENERAL_PLAIN_NUMBER_H
#define FORMATS_GENERAL_PLAIN_NUMBER_H

#include "base/word.h"
#include "formats/general/bulk.h"

enum {
	PLAIN_DIGITS = 19, /* any number of so many digits fits 64 bits */
	PLAIN_REACH = 64,  /* bytes that must be readable where a number begins */
};

static const uint64_t plain_too_long = UINT64_C(10000000000000000000); /* PLAIN_DIGITS + 1 digits */

/* How to convert a number with a point to bulk units. */
struct plain_number {
	unsigned digits;		  /* after the point, at most */
	unsigned max_whole;		  /* digits before it, at most */
	uint64_t scale[PLAIN_DIGITS + 1]; /* by the number of digits after the point */
};

/* Prepares a number reader for the units of a bulk. */
static inline void plain_number_init(struct plain_number *f, const struct bulk *b)
{
	uint64_t scale = 1;

	f->digits = b->digits;
	/* Of a number that may reach the limit, the accumulator has to judge. */
	f->max_whole = PLAIN_DIGITS - b->digits - (b->limit < plain_too_long);
	for (unsigned digits = b->digits + 1; digits-- > 0; scale *= 10)
		f->scale[digits] = scale;
}

/* Appends the digits among the WORD_BYTES bytes at p to *v; returns how many. */
static inline unsigned plain_some_digits(const char *p, uint64_t *v)
{
	static const uint64_t power[] = { 1,	  10,	   100,	     1000,     10000,
					  100000, 1000000, 10000000, 100000000 };
	uint64_t digits = 0;
	unsigned n = word_digits(word_load(p), &digits);

	*v = *v * power[n] + digits;
	return n;
}

/* Appends up to sixteen digits at p to *v; returns how many. */
static inline unsigned plain_leading_digits(const char *p, uint64_t *v)
{
	unsigned n = plain_some_digits(p, v);

	return n < WORD_BYTES ? n : WORD_BYTES + plain_some_digits(p + WORD_BYTES, v);
}

/* Reads the number at p in bulk units.  Returns its length in bytes; 0 when it is not a plain
 * number. */
static inline unsigned plain_number_read(const struct plain_number *f, const char *p, uint64_t *ret)
{
	uint64_t v = 0;
	unsigned n = plain_leading_digits(p, &v), after = 0;

	if (n == 0 || n > f->max_whole)
		return 0;
	if (p[n] == '.') {
		after = plain_leading_digits(p + n + 1, &v);
		if (after == 0 || after > f->digits)
			return 0;
		n++;
	}
	*ret = v * f->scale[after];
	return n + after;
}

/* Returns the byte after the end of a line at p; NULL when the line does not end there. */
static inline const char *plain_line_end(const char *p)
{
	if (*p == '\n') /* in nearly all files: the next row need not wait for a sum */
		return p + 1;
	return p[0] == '\r' && p[1] == '\n' ? p + 2 : NULL;
}

#endif
