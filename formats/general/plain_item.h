/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The items between blanks and commas in a row of a plain dump, parsed in one pass.  For
 * formats/general/plain.c only, whose head specifies the format.
 */
#ifndef FORMATS_GENERAL_PLAIN_ITEM_H
#define FORMATS_GENERAL_PLAIN_ITEM_H

#include "base/scan.h"

/* The field that a word names. */
enum plain_field { FIELD_NONE, FIELD_TOTAL, FIELD_COUNT };

/* Returns the field that a word names; FIELD_NONE for other words. */
enum plain_field plain_field(struct str word);

/* One item of a row; strings are borrowed from the row. */
struct plain_item {
	struct str text;	/* the whole item */
	struct str left, right; /* of a pair: "7:1817", "7=1817", "total:12" */
	bool is_pair;
	bool is_read;		/* it has only digits, parsed into the next two */
	uint64_t bucket, count; /* below 2^64; bucket: for pairs only */
};

/* Returns the field that the item names, by itself or on its left. */
static inline enum plain_field plain_field_of(const struct plain_item *item)
{
	if (item->is_read)
		return FIELD_NONE;
	return plain_field(item->is_pair ? item->left : item->text);
}

/* Returns the position of the next byte that is not a gap, at most `end`. */
static inline size_t plain_skip_gap(const char *p, size_t at, size_t end)
{
	while (at < end && is_gap(p[at]))
		at++;
	return at;
}

/* Returns whether an item ends here. */
static inline bool plain_item_ends(const char *p, size_t at, size_t end)
{
	return at == end || is_gap(p[at]) || p[at] == ',';
}

/* Returns the end of the digits at `at`; `at` itself when there are none or so many that they may
 * not fit 64 bits. */
static inline size_t plain_number_end(const char *p, size_t at, size_t end, uint64_t *ret)
{
	size_t to;

	*ret = 0;
	to = digits_end(p, at, end, ret);
	return to - at <= SHORT_DIGITS ? to : at;
}

/* Parses an item that has only digits, "1817" or "7:1817", as nearly all do.  Returns its end;
 * `from` when it is not such an item. */
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

/* Parses any item.  A pair is split at its first colon, or without one at its first equals sign. */
size_t plain_words(const char *p, size_t from, size_t end, struct plain_item *ret);

/* Takes the next item; empty between two commas and after the last.  False at the end. */
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
