/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values on one side of a split of calls, in words. */
#include "base/out.h"
#include "report/values_parts.h"

enum { MAX_NAMED = 3 };
enum { MAX_TEXT = 40 /* bytes of a name in sentences and tables */ };

static size_t count_chosen(const struct separation *s, bool chosen)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->class[i].chosen == chosen;
	return n;
}

static void put_edge(struct out *o, const struct separation *s, bool first)
{
	bool single = first && s->class[0].low == s->split.max;

	out_text(o, first && !single ? "up to " : "");
	out_digits(o, first ? s->split.max : s->split.min, VALUE_DIGITS);
	out_text(o, first ? "" : " and more");
}

static bool is_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Prints the beginning and end of a long name without splitting a character. */
static void put_short(struct out *o, struct str text)
{
	size_t head = MAX_TEXT / 2, tail = text.n - MAX_TEXT / 2;

	if (text.n <= MAX_TEXT) {
		out_bytes(o, text);
		return;
	}
	while (head > 0 && is_continuation(text.p[head]))
		head--;
	while (tail < text.n && is_continuation(text.p[tail]))
		tail++;
	out_bytes(o, (struct str){ text.p, head });
	out_text(o, "...");
	out_bytes(o, (struct str){ text.p + tail, text.n - tail });
}

void put_side(struct out *o, const struct separation *s, bool first, bool whole)
{
	size_t n = count_chosen(s, first), reported = 0;

	if (s->split.ordered) {
		put_edge(o, s, first);
		return;
	}
	if (!first && n > MAX_NAMED) {
		out_text(o, "all others");
		return;
	}
	for (size_t i = 0; i < s->n && reported < MAX_NAMED; i++) {
		if (s->class[i].chosen != first)
			continue;
		out_text(o, reported > 0 ? ", " : "");
		if (!whole && s->class[i].kind == CLASS_TEXT)
			put_short(o, s->class[i].text);
		else
			value_class_put(o, &s->class[i], VALUE_DIGITS);
		reported++;
	}
	if (n > reported)
		out_printf(o, " and %zu more", n - reported);
}
