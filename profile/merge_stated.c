/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/merge_stated.h"

bool is_called(const struct histogram *h, const struct stated *s)
{
	return h->n > 0 || (s->has_count && s->count > 0);
}

struct statement statement_of(const struct histogram *h, const struct stated *stated)
{
	struct statement r = { *stated, is_called(h, stated) };

	r.stated.has_count |= !r.called;
	r.stated.has_total |= !r.called;
	r.stated.has_total &= stated->total_agrees;
	r.stated.has_self |= !r.called;
	if (!r.stated.has_self)
		r.stated.self = (struct decimal){ 0 };
	if (!stated->has_count)
		r.stated.count = 0;
	if (!stated->has_total || !stated->total_agrees)
		r.stated.total = (struct decimal){ 0 };
	/* If it is not stated, inclusive time is the total. */
	if (!stated->has_inclusive) {
		r.stated.has_inclusive = r.stated.has_total;
		r.stated.inclusive = r.stated.total;
	}
	r.stated.total_agrees = r.stated.self_agrees = true;
	r.stated.min += 0.0; /* -0 is 0 */
	r.stated.max += 0.0;
	return r;
}

struct stated stated_of(const struct statement *s)
{
	const struct decimal zero = { 0 };
	struct stated r = s->stated;

	r.has_total &= s->called || !decimal_eq(r.total, zero);
	r.has_self &= s->called;
	r.has_inclusive &= s->called && (!r.has_total || !decimal_eq(r.inclusive, r.total));
	return r;
}

/* Whether the sum has an extreme: a side without calls need not have one. */
static bool keeps_extreme(bool a_has, bool a_called, bool b_has, bool b_called)
{
	return (a_has || b_has) && (a_has || !a_called) && (b_has || !b_called);
}

static double lower_min(const struct stated *a, const struct stated *b)
{
	if (!a->has_min || !b->has_min)
		return a->has_min ? a->min : b->min;
	return a->min < b->min ? a->min : b->min;
}

static double higher_max(const struct stated *a, const struct stated *b)
{
	if (!a->has_max || !b->has_max)
		return a->has_max ? a->max : b->max;
	return a->max > b->max ? a->max : b->max;
}

bool add_statement(struct statement *to, const struct statement *from)
{
	const struct stated *a = &to->stated, *b = &from->stated;
	struct stated s = {
		.has_count = a->has_count && b->has_count,
		.has_total = a->has_total && b->has_total,
		.has_self = a->has_self && b->has_self,
		.has_inclusive = a->has_inclusive && b->has_inclusive,
		.has_min = keeps_extreme(a->has_min, to->called, b->has_min, from->called),
		.has_max = keeps_extreme(a->has_max, to->called, b->has_max, from->called),
		.count_agrees = a->count_agrees && b->count_agrees,
		.total_agrees = true,
		.self_agrees = true,
		/* That of a sum would depend on the order of adding in its last digits. */
		.has_deviation = to->called ? a->has_deviation && !from->called : b->has_deviation,
		.deviation = to->called ? a->deviation : b->deviation,
	};

	if (s.has_count && __builtin_add_overflow(a->count, b->count, &s.count))
		return false;
	if (s.has_total && !decimal_add(a->total, b->total, &s.total))
		return false;
	if (s.has_self && !decimal_add(a->self, b->self, &s.self))
		return false;
	if (s.has_inclusive && !decimal_add(a->inclusive, b->inclusive, &s.inclusive))
		return false;
	if (s.has_min)
		s.min = lower_min(a, b);
	if (s.has_max)
		s.max = higher_max(a, b);
	to->stated = s;
	to->called |= from->called;
	return true;
}
