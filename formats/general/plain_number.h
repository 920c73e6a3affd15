/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Latencies as nearly all lines have them, read eight bytes at a time: digits, perhaps with
 * a point among them.  All else is left to number_decimal().
 */
#ifndef FORMATS_GENERAL_PLAIN_NUMBER_H
#define FORMATS_GENERAL_PLAIN_NUMBER_H

#include "base/word.h"
#include "formats/general/bulk.h"

enum {
	PLAIN_DIGITS = 19, /* that fit into 64 bits whichever they are */
	PLAIN_REACH = 64,  /* bytes that have to be readable where one begins */
};

/* What a point does to bulk units. */
struct plain_number {
	unsigned digits;		  /* after the point, at most */
	unsigned max_whole;		  /* before it */
	uint64_t scale[PLAIN_DIGITS + 1]; /* to bulk units, by digits after the point */
};

/* Prepares a number reader for the buckets of a bulk. */
static inline void plain_number_init(struct plain_number *f, const struct bulk *b)
{
	uint64_t scale = 1;

	f->digits = b->digits;
	f->max_whole = PLAIN_DIGITS - b->digits;
	for (unsigned digits = b->digits + 1; digits-- > 0; scale *= 10)
		f->scale[digits] = scale;
}

/* The digits among the WORD_BYTES bytes at p, appended to *v; how many. */
static inline unsigned plain_some_digits(const char *p, uint64_t *v)
{
	static const uint64_t power[] = { 1,	  10,	   100,	     1000,     10000,
					  100000, 1000000, 10000000, 100000000 };
	uint64_t digits = 0;
	unsigned n = word_digits(word_load(p), &digits);

	*v = *v * power[n] + digits;
	return n;
}

/* How many digits there are at p, sixteen at most; *v becomes 10 times as much for each, and it
 * is added. */
static inline unsigned plain_leading_digits(const char *p, uint64_t *v)
{
	unsigned n = plain_some_digits(p, v);

	return n < WORD_BYTES ? n : WORD_BYTES + plain_some_digits(p + WORD_BYTES, v);
}

/* The number at p in bulk units: how many bytes; 0 when it is none, or none of these. */
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

/* The byte after the end of a line at p; NULL when it does not end there. */
static inline const char *plain_line_end(const char *p)
{
	if (*p == '\n') /* as in nearly all files: what follows need not wait for a sum */
		return p + 1;
	return p[0] == '\r' && p[1] == '\n' ? p + 2 : NULL;
}

#endif
