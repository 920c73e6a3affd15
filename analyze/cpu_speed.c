/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/cpu_speed.h"

#include <math.h>

#include "analyze/stats/significance.h"
#include "base/arena.h"
#include "profile/profile.h"

/* Octaves between the slowest and the fastest run: 2 %. */
static const double steady = 0.0286;

/* Largest p at which speeds are taken to differ between the sides. */
static const double by_chance = 0.01;

static double p_of_sides(const struct cpu_speed *s, const struct run_order *order, size_t n_before,
			 struct in_order *ret)
{
	if (!difference_in_order(order, s->slowness, NULL, n_before, ret))
		return 0;
	return t_tail(ret->difference / ret->error, (double)order->n - 2);
}

static enum cpu_speed_use use_of(struct cpu_speed *s, const struct run_order *order,
				 size_t n_before)
{
	struct in_order sides;

	if (s->range < steady)
		return CPU_SPEED_STEADY;
	if (p_of_sides(s, order, n_before, &sides) > by_chance)
		return CPU_SPEED_ADJUSTED;
	return order->turns ? CPU_SPEED_PROGRAM : CPU_SPEED_BOUNDED;
}

struct cpu_speed cpu_speed_of_runs(struct arena *a, const struct run_order *order,
				   const struct runs_side *before, const struct runs_side *after)
{
	struct cpu_speed s = { .use = CPU_SPEED_UNKNOWN, .range = NAN, .difference = NAN };
	double side[2] = { 0, 0 }, low = HUGE_VAL, high = -HUGE_VAL, mean;
	double *slowness = arena_make(a, double, before->n + after->n);

	if (order->n == 0)
		return s;
	for (size_t k = 0; k < before->n + after->n; k++) {
		size_t is_after = k >= before->n;
		const struct runs_side *from = is_after ? after : before;
		double speed = from->run[is_after ? k - before->n : k]->cpu_speed;

		if (!(speed > 0))
			return s;
		slowness[k] = -log2(speed);
		side[is_after] += slowness[k] / (double)from->n;
		low = fmin(low, slowness[k]);
		high = fmax(high, slowness[k]);
	}
	mean = (side[0] + side[1]) / 2;
	for (size_t k = 0; k < before->n + after->n; k++)
		slowness[k] -= mean;
	s.slowness = slowness;
	s.range = high - low;
	s.difference = side[1] - side[0];
	s.use = use_of(&s, order, before->n);
	return s;
}

double cpu_speed_bound(const struct cpu_speed *s, double difference)
{
	if (difference * s->difference <= 0)
		return difference;
	if (fabs(difference) <= fabs(s->difference))
		return 0;
	return difference - s->difference;
}
