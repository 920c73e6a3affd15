/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What stands between blanks and commas in a row of a plain dump, taken apart in one go:
 * for formats/plain.c alone, whose header specifies it.
 */
#ifndef FORMATS_PLAIN_ITEM_H
#define FORMATS_PLAIN_ITEM_H

#include "base/scan.h"

enum plain_field { FIELD_NONE, FIELD_TOTAL, FIELD_COUNT };

enum plain_field plain_field(struct str word);

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

static inline bool plain_item_ends(const char *p, const char *end)
{
	return p == end || is_gap(*p) || *p == ',';
}

static inline const char *plain_skip_gap(const char *p, const char *end)
{
	while (p < end && is_gap(*p))
		p++;
	return p;
}

/* Passes over digits, at most as many as 64 bits hold whichever they are. */
static inline const char *plain_skip_number(const char *p, const char *end, uint64_t *ret)
{
	const char *most = end - p > SHORT_DIGITS ? p + SHORT_DIGITS : end;
	uint64_t v = 0;

	for (; p < most; p++) {
		unsigned digit = (unsigned)*p - '0';

		if (digit > 9)
			break;
		v = v * 10 + digit;
	}
	*ret = v;
	return p;
}

static inline struct str plain_between(const char *from, const char *to)
{
	return (struct str){ from, (size_t)(to - from) };
}

/* An item of digits alone, "1817" or "7:1817", as nearly all are: behind it; NULL when it
 * is none. */
static inline const char *plain_skip_numbers(const char *from, const char *end,
					     struct plain_item *ret)
{
	const char *sign = plain_skip_number(from, end, &ret->count), *to = sign;

	if (sign == from)
		return NULL;
	ret->is_pair = sign < end && (*sign == ':' || *sign == '=');
	if (ret->is_pair) {
		ret->bucket = ret->count;
		to = plain_skip_number(sign + 1, end, &ret->count);
		if (to == sign + 1)
			return NULL;
		ret->left = plain_between(from, sign);
		ret->right = plain_between(sign + 1, to);
	}
	ret->is_read = true;
	ret->text = plain_between(from, to);
	return plain_item_ends(to, end) ? to : NULL;
}

/* Any item.  A pair is told by its first colon, or where it has none by its first equals
 * sign. */
const char *plain_words(const char *from, const char *end, struct plain_item *ret);

/* Takes the next one; empty between two commas and behind the last.  False at the end. */
static inline bool plain_next(struct cursor *c, struct plain_item *ret)
{
	const char *bytes = c->in->bytes.p, *end = bytes + c->end;
	const char *from = plain_skip_gap(bytes + c->at, end), *to;

	if (from < end && *from == ',')
		from = plain_skip_gap(from + 1, end);
	else if (from == end)
		return false;
	to = plain_skip_numbers(from, end, ret);
	if (to == NULL)
		to = plain_words(from, end, ret);
	c->at = (size_t)(to - bytes);
	return true;
}

#endif
