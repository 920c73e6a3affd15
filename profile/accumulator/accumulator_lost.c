/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples whose latency cannot be: lost events. */
#include <math.h>

#include "profile/accumulator/accumulator_parts.h"

decimal_int accumulator_impossible_from(enum unit unit)
{
	double from = unit_impossible_from(unit);
	struct decimal ret = { 0 };

	if (from < HUGE_VAL && decimal_from_f64(from, &ret))
		return ret.billionths;
	return (decimal_int)INT64_MAX << 64; /* no sum of latencies is near it */
}

enum sampled accumulator_lose(struct entry *e, const struct sample *sample)
{
	e->n_impossible++;
	if (sample->latency.billionths > e->impossible.billionths)
		e->impossible = sample->latency;
	return SAMPLED_IMPOSSIBLE;
}
