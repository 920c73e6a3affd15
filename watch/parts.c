/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/parts.h"

#include <math.h>

#include "base/arena.h"

/* Lost events are counted in the operation's last interval. */
static void fill_part(struct operation *op, const struct operation *from, size_t k)
{
	*op = *from;
	op->hist = from->interval[k].hist;
	op->stated = from->interval[k].stated;
	op->n_intervals = 0;
	op->lost = k + 1 == from->n_intervals ? from->lost : 0;
}

struct profile *part_of(const struct profile *p, double start, bool last)
{
	struct profile *part = profile_new("watch");

	part->format = p->format;
	part->unit = p->unit;
	part->hz = p->hz;
	part->lost = last ? p->lost : 0;
	part->started = start == part_next(p, -HUGE_VAL) ? p->started : 0;
	part->op = arena_make(part->arena, struct operation, p->n_ops);
	for (size_t i = 0; i < p->n_ops; i++) {
		const struct operation *op = &p->op[i];

		if (op->n_intervals == 0 && last)
			part->op[part->n_ops++] = *op;
		for (size_t k = 0; k < op->n_intervals; k++) {
			if (op->interval[k].start != start)
				continue;
			fill_part(&part->op[part->n_ops++], op, k);
			break;
		}
	}
	return part;
}

double part_next(const struct profile *p, double after)
{
	double start = HUGE_VAL;

	for (size_t i = 0; i < p->n_ops; i++) {
		for (size_t k = 0; k < p->op[i].n_intervals; k++) {
			double at = p->op[i].interval[k].start;

			if (at > after && at < start)
				start = at;
		}
	}
	return start;
}

bool parts_hold_all(const struct profile *p)
{
	for (size_t i = 0; i < p->n_ops; i++) {
		uint64_t calls = 0;

		for (size_t k = 0; k < p->op[i].n_intervals; k++)
			calls += p->op[i].interval[k].hist.count;
		if (calls != p->op[i].hist.count || p->op[i].n_intervals == 0)
			return false;
	}
	return p->n_ops > 0;
}

uint64_t parts_count(const struct profile *p)
{
	uint64_t calls = 0;

	for (size_t i = 0; p != NULL && i < p->n_ops; i++)
		calls += operation_count(&p->op[i]);
	return calls;
}
