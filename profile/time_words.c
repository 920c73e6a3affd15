/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/time_words.h"

#include <math.h>
#include <time.h>

#include "base/attr.h"
#include "base/out.h"
#include "profile/profile.h"
#include "profile/quantity.h"

static const double minute = 60, hour = 3600, day = 86400;

struct time_words time_words_of(const struct profile *p, double from, double to)
{
	struct time_words m = { .kind = p->untimed ? TIME_NUMBER
					: p->epoch ? TIME_CLOCK
						   : TIME_ELAPSED };

	m.dated = m.kind == TIME_CLOCK && floor(from / day) != floor(to / day);
	return m;
}

static void put_time(struct out *o, const char *format, double at)
{
	time_t seconds = (time_t)floor(at);
	char text[32];
	struct tm tm;

	if (gmtime_r(&seconds, &tm) == NULL || strftime(text, sizeof(text), format, &tm) == 0)
		out_f64(o, at);
	else
		out_text(o, text);
}

/* Prints the part of a second to the millisecond, without zeros at the end. */
static void put_fraction(struct out *o, double at)
{
	int thousandths = (int)round((at - floor(at)) * 1000), digits = 3;

	if (thousandths == 0)
		return;
	for (; thousandths % 10 == 0; thousandths /= 10)
		digits--;
	out_printf(o, ".%0*d", digits, thousandths);
}

static void put_clock(struct out *o, bool dated, double at)
{
	at = round(at * 1000) / 1000;
	put_time(o, dated ? "%Y-%m-%d %H:%M:%S" : "%H:%M:%S", at);
	put_fraction(o, at);
}

void time_print_date(struct out *o, double at)
{
	put_time(o, "%Y-%m-%d", at);
}

void time_print(struct out *o, struct time_words m, double at)
{
	if (m.kind == TIME_NUMBER)
		out_digits(o, at, 6);
	else if (m.kind == TIME_CLOCK)
		put_clock(o, m.dated, at);
	else if (at == 0)
		out_text(o, "0 s");
	else
		quantity_latency(o, at, (struct scale){ .unit = UNIT_S });
}

void time_print_span(struct out *o, struct time_words m, double from, double to)
{
	struct time_words first = m;

	first.dated = m.kind == TIME_CLOCK;
	out_text(o, "from ");
	time_print(o, first, from);
	out_text(o, " to ");
	time_print(o, m, to);
	out_text(o, m.kind == TIME_CLOCK ? " UTC" : "");
}

/* --- ticks --------------------------------------------------------------------------------- */

/* Returns the smallest step of 1, 2 or 5 times a power of ten that gives few enough ticks. */
static double decimal_step(double span, double max)
{
	double step = pow(10, floor(log10(span / max)));

	if (span / step > max)
		step *= span / (step * 2) <= max ? 2 : span / (step * 5) <= max ? 5 : 10;
	return step;
}

/* Seconds, minutes and hours are divided as clocks divide them; days and fractions of a second
 * in tens. */
double time_step(enum time_kind kind, double span, size_t max)
{
	static const double round[] = { 1,   2,	  5,	10,   15,   30,	   60,	  120,	 300,
					600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400 };
	double n = (double)(max > 0 ? max : 1);

	if (!(span > 0))
		return 1;
	if (kind == TIME_NUMBER)
		return fmax(1, decimal_step(span, n));
	if (span / n > day)
		return ceil(decimal_step(span / day, n)) * day;
	for (size_t i = 0; i < COUNT_OF(round) && span > n; i++) {
		if (span / round[i] <= n)
			return round[i];
	}
	return decimal_step(span, n);
}

/* Labels in seconds, minutes, hours or days, by the step. */
static void elapsed_tick(struct out *o, double at, double step)
{
	const struct {
		double from, unit;
		const char *name;
	} units[] = { { day, day, "d" }, { hour, hour, "h" }, { 5 * minute, minute, "min" } };

	for (size_t i = 0; i < COUNT_OF(units); i++) {
		if (step >= units[i].from) {
			out_digits(o, at / units[i].unit, 6);
			out_printf(o, " %s", units[i].name);
			return;
		}
	}
	if (fabs(at) < step / 2)
		out_text(o, "0 s");
	else if (step >= 1)
		out_printf(o, "%.0f s", at);
	else
		quantity_latency(o, at, (struct scale){ .unit = UNIT_S });
}

void time_print_tick(struct out *o, enum time_kind kind, double at, double step)
{
	if (kind == TIME_NUMBER) {
		out_digits(o, at, 6);
	} else if (kind == TIME_ELAPSED) {
		elapsed_tick(o, at, step);
	} else if (fmod(at, day) == 0 && step >= minute) {
		put_time(o, "%m-%d", at);
	} else if (step >= minute) {
		put_time(o, "%H:%M", at);
	} else {
		put_clock(o, false, at);
	}
}
