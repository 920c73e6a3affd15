/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a run took, from the times of its samples. */
#include "profile/accumulator/accumulator.h"

#include "profile/accumulator/accumulator_parts.h"

static const uint64_t billion = 1000000000;

double accumulator_start_units(const struct accumulator_options *o)
{
	double seconds;

	return o->start_rate > 0 && unit_seconds(o->unit, 0, &seconds) ? seconds * o->start_rate
								       : 0;
}

/* Times are since 1970 if they lie after September 2001: clocks that count from the start of the
 * machine or of the trace do not get there in 31 years. */
decimal_int accumulator_since_1970(const struct accumulator_options *o)
{
	static const double september_2001 = 1e9; /* seconds */
	struct decimal ret;

	return decimal_from_f64(september_2001 * o->start_rate, &ret) ? ret.billionths : 0;
}

void accumulator_see(struct accumulator *s, struct decimal start, struct decimal end, bool fine)
{
	s->fine |= fine;
	if (!s->has_seen || start.billionths < s->earliest)
		s->earliest = start.billionths;
	if (!s->has_seen || end.billionths > s->latest)
		s->latest = end.billionths;
	s->has_seen = true;
	if (start.billionths >= s->since_1970 && (!s->has_begun || start.billionths < s->begun)) {
		s->begun = start.billionths;
		s->has_begun = true;
	}
}

void accumulator_take_seen(struct accumulator *into, const struct accumulator *from)
{
	if (from->has_seen)
		accumulator_see(into, (struct decimal){ from->earliest },
				(struct decimal){ from->latest }, from->fine);
	if (from->has_begun && (!into->has_begun || from->begun < into->begun)) {
		into->begun = from->begun;
		into->has_begun = true;
	}
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

/* Returns seconds since 1970.  They are rounded once: 19 digits are more than a double holds. */
static double started_from(decimal_int begun, double second)
{
	decimal_int whole = (decimal_int)second;

	if ((double)whole != second)
		return (double)begun / second;
	return (double)(begun / whole) + (double)(begun % whole) / second;
}

void accumulators_push_elapsed(struct accumulator *const *s, size_t n, struct builder *b)
{
	static const double min_coarse = 100; /* seconds: an error of one is then 1 % at most */
	struct accumulator all = { .since_1970 = s[0]->since_1970 };
	double second = (double)billion * s[0]->options.start_rate, seconds;

	for (size_t i = 0; i < n; i++)
		accumulator_take_seen(&all, s[i]);
	seconds = (double)(all.latest - all.earliest) / second;
	if (all.has_seen && !builder_is_part(b) && (all.fine || seconds >= min_coarse))
		build_elapsed_from(b, seconds, ELAPSED_TIMESTAMPS);
	if (all.has_begun)
		build_started(b, started_from(all.begun, second));
}
