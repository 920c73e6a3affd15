/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/time_grid.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"

enum { MAX_STEPS = 100000 };

static const double different_length = 0.1; /* less is due to rounding */

/* The beginning and the end of all intervals of a profile. */
struct extent {
	double from, to;
};

static struct extent extent_of(const struct profile *p)
{
	struct extent e = { HUGE_VAL, -HUGE_VAL };

	for (size_t i = 0; p != NULL && i < p->n_ops; i++) {
		const struct operation *op = &p->op[i];

		if (op->n_intervals == 0)
			continue;
		e.from = fmin(e.from, op->interval[0].start);
		e.to = fmax(e.to, op->interval[op->n_intervals - 1].end);
	}
	return e;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Returns the median length.  Collectors that print whole seconds make intervals of 2.5 s alternate
 * between 2 and 3 s; these are as long as their mean. */
static double usual_length(const struct operation *op)
{
	double *length = xcalloc(op->n_intervals, sizeof(*length)), sum = 0, usual;
	bool whole = true;

	for (size_t i = 0; i < op->n_intervals; i++) {
		length[i] = op->interval[i].end - op->interval[i].start;
		sum += length[i];
		whole = whole && length[i] == floor(length[i]);
	}
	qsort(length, op->n_intervals, sizeof(*length), by_value);
	usual = length[op->n_intervals / 2];
	if (whole && length[op->n_intervals - 1] - length[0] == 1)
		usual = sum / (double)op->n_intervals;
	free(length);
	return usual;
}

/* Sides with times share their steps; numbers of intervals are steps of their own. */
static void set_steps(struct time_grid *g, const struct operation *const op[N_SIDES],
		      const double length[N_SIDES])
{
	bool same = (g->words[SIDE_BEFORE].kind == TIME_NUMBER) ==
		    (g->words[SIDE_AFTER].kind == TIME_NUMBER);

	for (int s = 0; s < N_SIDES; s++) {
		if (op[s] == NULL || op[s]->n_intervals == 0)
			continue;
		g->step[s] = usual_length(op[s]);
		if (!same || s == SIDE_BEFORE || !(g->step[SIDE_BEFORE] > 0))
			continue;
		g->spread[s] = fabs(g->step[s] / g->step[SIDE_BEFORE] - 1) > different_length;
		g->step[s] = g->step[SIDE_BEFORE];
	}
	for (int s = 0; s < N_SIDES; s++) {
		if (g->step[s] == 0)
			g->step[s] = g->step[1 - s];
		g->step[s] = fmax(g->step[s], length[s] / MAX_STEPS);
		if (g->step[s] > 0 && length[s] > 0)
			g->n = (size_t)fmax((double)g->n,
					    fmax(1, ceil(length[s] / g->step[s] - 0.5)));
	}
}

struct time_grid time_grid_of(const struct tui *t, const struct item *i)
{
	const struct browsed *b = &t->study->browsed;
	const struct profile *profile[N_SIDES] = { b->before.profile, b->after.profile };
	const struct operation *op[N_SIDES] = { i->before, i->after };
	struct time_grid g = { .n = 0 };
	double length[N_SIDES] = { 0 };

	for (int s = 0; s < N_SIDES; s++) {
		struct extent e = extent_of(profile[s]);

		if (!(e.to > e.from))
			continue;
		g.start[s] = e.from;
		g.words[s] = time_words_of(profile[s], e.from, e.to);
		length[s] = e.to - e.from;
	}
	if (profile[SIDE_AFTER] == NULL)
		g.words[SIDE_AFTER] = g.words[SIDE_BEFORE];
	set_steps(&g, op, length);
	return g;
}

size_t time_grid_step(const struct time_grid *g, enum side side, const struct interval *v)
{
	double at = round((v->start - g->start[side]) / g->step[side]);

	return at < 0 ? 0 : at < (double)g->n ? (size_t)at : g->n - 1;
}

const struct interval *time_grid_interval(const struct time_grid *g, enum side side,
					  const struct operation *op, size_t step)
{
	size_t low = 0, high = op != NULL ? op->n_intervals : 0, end = high;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (time_grid_step(g, side, &op->interval[mid]) < step)
			low = mid + 1;
		else
			high = mid;
	}
	return low < end && time_grid_step(g, side, &op->interval[low]) == step ? &op->interval[low]
										: NULL;
}
