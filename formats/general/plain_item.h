/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What stands between blanks and commas in a row of a plain dump, taken apart in one go:
 * for formats/general/plain.c alone, whose header specifies it.
 */
#ifndef FORMATS_GENERAL_PLAIN_ITEM_H
#define FORMATS_GENERAL_PLAIN_ITEM_H

#include "base/scan.h"

/* Which field a word names; FIELD_NONE for other words. */
enum plain_field { FIELD_NONE, FIELD_TOTAL, FIELD_COUNT };

/* Which field a word names; FIELD_NONE for other words. */
enum plain_field plain_field(struct str word);

/* One item of a row; its strings are borrowed from the row. */
struct plain_item {
	struct str text;	/* all of it */
	struct str left, right; /* of a pair: "7:1817", "7=1817", "total:12" */
	bool is_pair;
	bool is_read;		/* it is of digits alone, which say: */
	uint64_t bucket, count; /* below 2^64; bucket: of a pair */
};

/* The field that it names, by itself or on its left. */
static inline enum plain_field plain_field_of(const struct plain_item *item)
{
	if (item->is_read)
		return FIELD_NONE;
	return plain_field(item->is_pair ? item->left : item->text);
}

/* The place of the next byte that is not a gap, `end` at most. */
static inline size_t plain_skip_gap(const char *p, size_t at, size_t end)
{
	while (at < end && is_gap(p[at]))
		at++;
	return at;
}

/* Whether an item ends at this byte. */
static inline bool plain_item_ends(const char *p, size_t at, size_t end)
{
	return at == end || is_gap(p[at]) || p[at] == ',';
}

/* Where digits that 64 bits hold, whichever they are, end; `at` where there are none, or more. */
static inline size_t plain_number_end(const char *p, size_t at, size_t end, uint64_t *ret)
{
	size_t to;

	*ret = 0;
	to = digits_end(p, at, end, ret);
	return to - at <= SHORT_DIGITS ? to : at;
}

/* Where an item of digits alone, "1817" or "7:1817", as nearly all are, ends; `from` when it
 * is none. */
static inline size_t plain_numbers(const char *p, size_t from, size_t end, struct plain_item *ret)
{
	size_t sign = plain_number_end(p, from, end, &ret->count), to = sign;

	if (sign == from)
		return from;
	ret->is_pair = sign < end && (p[sign] == ':' || p[sign] == '=');
	if (ret->is_pair) {
		ret->bucket = ret->count;
		to = plain_number_end(p, sign + 1, end, &ret->count);
		if (to == sign + 1)
			return from;
		ret->left = (struct str){ p + from, sign - from };
		ret->right = (struct str){ p + sign + 1, to - sign - 1 };
	}
	ret->is_read = true;
	ret->text = (struct str){ p + from, to - from };
	return plain_item_ends(p, to, end) ? to : from;
}

/* The same of any item.  A pair is detected by its first colon, or where it has none by its first
 * equals sign. */
size_t plain_words(const char *p, size_t from, size_t end, struct plain_item *ret);

/* Takes the next one; empty between two commas and after the last.  False at the end. */
static inline bool plain_next(struct cursor *c, struct plain_item *ret)
{
	const char *p = c->in->bytes.p;
	size_t end = c->end, from = plain_skip_gap(p, c->at, end);

	if (from < end && p[from] == ',')
		from = plain_skip_gap(p, from + 1, end);
	else if (from == end)
		return false;
	c->at = plain_numbers(p, from, end, ret);
	if (c->at == from)
		c->at = plain_words(p, from, end, ret);
	return true;
}

#endif
