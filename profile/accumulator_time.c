/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a run took, from the times of its samples. */
#include "profile/accumulator.h"

#include "profile/accumulator_parts.h"

static const uint64_t billion = 1000000000;

double accumulator_start_units(const struct accumulator_options *o)
{
	double seconds;

	return o->start_rate > 0 && unit_seconds(o->unit, 0, &seconds) ? seconds * o->start_rate
								       : 0;
}

void accumulator_see(struct accumulator *s, struct decimal start, struct decimal end, bool fine)
{
	s->fine |= fine;
	if (!s->has_seen || start.billionths < s->earliest)
		s->earliest = start.billionths;
	if (!s->has_seen || end.billionths > s->latest)
		s->latest = end.billionths;
	s->has_seen = true;
}

void accumulator_take_seen(struct accumulator *into, const struct accumulator *from)
{
	if (from->has_seen)
		accumulator_see(into, (struct decimal){ from->earliest },
				(struct decimal){ from->latest }, from->fine);
}

static bool has_fraction(const struct accumulator *s, struct decimal start)
{
	decimal_int second = (decimal_int)(s->options.start_rate * (double)billion);

	return second <= 1 || start.billionths % second != 0;
}

void accumulator_see_latency(struct accumulator *s, struct decimal start, struct decimal lasted)
{
	struct decimal end;

	if (s->start_units == 0 ||
	    (s->start_units != 1 &&
	     !decimal_from_f64(decimal_f64(lasted) * s->start_units, &lasted)))
		return;
	if (decimal_add(start, lasted, &end))
		accumulator_see(s, start, end, s->fine || has_fraction(s, start));
}

/* Times are since 1970 if they lie after September 2001: clocks that count from the start of the
 * machine or of the trace do not get there in 31 years. */
static void push_started(struct builder *b, double seconds)
{
	const double since_1970 = 1e9;

	if (seconds >= since_1970)
		build_started(b, seconds);
}

void accumulators_push_elapsed(struct accumulator *const *s, size_t n, struct builder *b)
{
	static const double min_coarse = 100; /* seconds: an error of one is then 1 % at most */
	struct accumulator all = { .has_seen = false };
	double second = (double)billion * s[0]->options.start_rate, seconds;

	for (size_t i = 0; i < n; i++)
		accumulator_take_seen(&all, s[i]);
	seconds = (double)(all.latest - all.earliest) / second;
	if (!all.has_seen || builder_is_part(b))
		return;
	if (all.fine || seconds >= min_coarse)
		build_elapsed_from(b, seconds, ELAPSED_TIMESTAMPS);
	push_started(b, (double)all.earliest / second);
}
