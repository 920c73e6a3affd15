/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Latencies that cannot be.  Collectors subtract two readings of a clock; where processors disagree
 * or the first reading is missing, the difference is negative, and unsigned arithmetic makes
 * hundreds of years of it.  Such calls are lost events, whatever the format: individual samples
 * are taken out where they are counted, buckets here.
 */
#include <math.h>

#include "profile/builder/builder_parts.h"

void note_impossible(struct builder *b, const struct operation *op, uint64_t n, double latency)
{
	struct impossible *i = &b->impossible;
	size_t number = (size_t)(op - b->profile->op);

	if (i->n_ops == 0)
		*i = (struct impossible){ .first_op = number, .latency = latency };
	if (i->n_ops == 0 || i->last_op != number)
		i->n_ops++;
	i->last_op = number;
	if (__builtin_add_overflow(i->n, n, &i->n))
		i->n = UINT64_MAX; /* it is a warning, not a measurement */
}

/* Removes buckets from `limit` on; returns how many calls they hold. */
static uint64_t take_out(struct histogram *h, double limit)
{
	uint64_t n = 0;

	while (h->n > 0 && h->bucket[h->n - 1].edges->low >= limit)
		n += h->bucket[--h->n].count;
	h->count -= n;
	return n;
}

/* Takes n lost calls out of what is stated: their number is known, their latencies are not. */
static void correct_stated(struct stated *s, uint64_t n)
{
	s->has_count &= s->count >= n;
	s->count = s->has_count ? s->count - n : 0;
	s->has_total = s->has_max = s->has_self = s->has_inclusive = false;
	s->total = s->self = s->inclusive = (struct decimal){ 0 };
}

/* Whether what is stated of calls without buckets includes an impossible latency. */
static bool states_impossible(const struct stated *s, double limit)
{
	return (s->has_max && s->max >= limit) ||
	       (s->has_total && s->has_count && decimal_f64(s->total) >= limit * (double)s->count &&
		s->count > 0);
}

/* Of calls without buckets at least one is lost. */
static uint64_t take_out_of(struct histogram *h, struct stated *stated, double limit)
{
	uint64_t n;

	if (h->n == 0) {
		n = states_impossible(stated, limit);
		if (n > 0)
			correct_stated(stated, 0);
		return n;
	}
	n = take_out(h, limit);
	if (n > 0)
		correct_stated(stated, n);
	return n;
}

void take_out_impossible(struct builder *b, struct operation *op)
{
	double limit = unit_impossible_from(op->unit);
	double top = op->hist.n > 0	  ? op->hist.bucket[op->hist.n - 1].edges->low
		     : op->stated.has_max ? op->stated.max
					  : decimal_f64(op->stated.total);
	uint64_t n = take_out_of(&op->hist, &op->stated, limit);

	for (size_t k = 0; k < op->n_intervals; k++)
		(void)take_out_of(&op->interval[k].hist, &op->interval[k].stated, limit);
	if (n == 0)
		return;
	if (__builtin_add_overflow(op->lost, n, &op->lost))
		op->lost = UINT64_MAX;
	note_impossible(b, op, n, top);
}

void report_impossible(struct builder *b)
{
	const struct str nowhere = { NULL, 0 };
	const struct impossible *i = &b->impossible;
	const struct operation *op;

	if (i->n_ops == 0)
		return;
	op = &b->profile->op[i->first_op];
	if (i->n_ops == 1)
		build_warn(b, DIAG_IMPOSSIBLE_LATENCY, nowhere,
			   "%llu of %.*s, as %.15g %s; counted as lost events",
			   (unsigned long long)i->n, STR_ARG(op->name), i->latency,
			   unit_name(op->unit));
	else
		build_warn(b, DIAG_IMPOSSIBLE_LATENCY, nowhere,
			   "%llu of %zu operations, as %.15g %s of %.*s; counted as lost events",
			   (unsigned long long)i->n, i->n_ops, i->latency, unit_name(op->unit),
			   STR_ARG(op->name));
}
