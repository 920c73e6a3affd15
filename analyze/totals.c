/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/totals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/xalloc.h"

struct totals totals_of(const struct profile *p)
{
	struct totals t = { 0 };

	for (size_t i = 0; i < p->n_ops; i++) {
		if (p->op[i].unit != p->unit)
			continue;
		t.latency += operation_total(&p->op[i]);
		t.count += (double)operation_count(&p->op[i]);
	}
	return t;
}

double share_of_latency(const struct totals *run, const struct profile *p,
			const struct operation *op)
{
	if (op->unit != p->unit)
		return NAN;
	return run->latency > 0 ? operation_total(op) / run->latency : 0;
}

struct weighed {
	uint64_t key;
	const struct operation *op;
};

/* Doubles as integers, the largest double first. */
static uint64_t falling_key(double v)
{
	const uint64_t sign = UINT64_C(1) << 63;
	uint64_t bits;

	v += 0; /* -0 is 0 */
	memcpy(&bits, &v, sizeof(bits));
	return (bits & sign) != 0 ? bits : ~(bits | sign);
}

static unsigned char key_byte(const struct weighed *w, unsigned byte)
{
	return (unsigned char)(w->key >> (8 * byte));
}

/* Byte by byte from the lowest one, each time without changing the order of equals: a
 * hundred thousand totals are compared with none.  The array of both that is sorted. */
static const struct weighed *sort_by_key(struct weighed *w, struct weighed *spare, size_t n)
{
	for (unsigned byte = 0; byte < sizeof(w->key); byte++) {
		size_t next[256] = { 0 }, below = 0;
		struct weighed *sorted = spare;

		for (size_t i = 0; i < n; i++)
			next[key_byte(&w[i], byte)]++;
		if (n == 0 || next[key_byte(&w[0], byte)] == n)
			continue; /* all have the same */
		for (size_t k = 0; k < COUNT_OF(next); k++) {
			size_t of_this = next[k];

			next[k] = below;
			below += of_this;
		}
		for (size_t i = 0; i < n; i++)
			sorted[next[key_byte(&w[i], byte)]++] = w[i];
		spare = w;
		w = sorted;
	}
	return w;
}

const struct operation **order_by_latency(struct arena *a, const struct profile *p)
{
	const struct operation **order = arena_make(a, const struct operation *, p->n_ops);
	struct weighed *w = xcalloc(2 * p->n_ops, sizeof(*w));
	const struct weighed *sorted;

	for (size_t i = 0; i < p->n_ops; i++)
		w[i] = (struct weighed){ falling_key(operation_total(&p->op[i])), &p->op[i] };
	sorted = sort_by_key(w, w + p->n_ops, p->n_ops);
	for (size_t i = 0; i < p->n_ops; i++)
		order[i] = sorted[i].op;
	free(w);
	return order;
}

bool unit_scale(enum unit from, double from_hz, enum unit to, double to_hz, double *ret)
{
	double from_seconds, to_seconds;

	if (from == to && (from != UNIT_CYCLES || from_hz == to_hz)) {
		*ret = 1;
		return true;
	}
	if (!unit_seconds(from, from_hz, &from_seconds) || !unit_seconds(to, to_hz, &to_seconds))
		return false;
	/* From the smaller unit to the larger: 1e-3 is rounded, 1000 is not. */
	*ret = from_seconds >= to_seconds ? round(from_seconds / to_seconds * 1e6) / 1e6
					  : 1 / (round(to_seconds / from_seconds * 1e6) / 1e6);
	if (from == UNIT_CYCLES || to == UNIT_CYCLES)
		*ret = from_seconds / to_seconds;
	return true;
}
