/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/quantity.h"

#include <math.h>

#include "base/attr.h"
#include "base/out.h"

struct step {
	double size;
	const char *suffix;
};

static const struct step seconds[] = {
	{ 1e-9, " ns" }, { 1e-6, " us" }, { 1e-3, " ms" }, { 1, " s" }
};
static const struct step cycles[] = {
	{ 1, " cycles" }, { 1e3, " kcycles" }, { 1e6, " Mcycles" }, { 1e9, " Gcycles" }
};
static const struct step numbers[] = { { 1, "" }, { 1e3, " k" }, { 1e6, " M" }, { 1e9, " G" } };

/* Returns the units of a scale; *ret_factor converts a value to their base. */
static const struct step *steps_of(struct scale s, size_t *ret_n, double *ret_factor)
{
	*ret_n = COUNT_OF(seconds);
	if (unit_seconds(s.unit, s.hz, ret_factor))
		return seconds;
	*ret_factor = 1;
	return s.unit == UNIT_CYCLES ? cycles : numbers;
}

static const struct step *step_for(double value, const struct step *step, size_t n)
{
	size_t i = n - 1;

	/* 999.5 and more is shown as 1.00 of the next unit. */
	while (i > 0 && fabs(value) < step[i].size * 0.9995)
		i--;
	return &step[i];
}

/* Prints three digits, without decimals for whole numbers; two digits below 0.0995.  80e-6 / 1e-6
 * is not quite a whole number, hence the tolerance. */
static void three_digits(struct out *o, double v)
{
	double size = fabs(v);
	bool whole = fabs(size - round(size)) < 1e-12 * size || size == 0;
	int decimals = size >= 99.95 || whole ? 0 : size >= 9.995 ? 1 : 2;

	if (size > 0 && size < 0.0995)
		out_printf(o, "%.2g", v);
	else
		out_decimals(o, v, decimals);
}

void quantity_latency(struct out *o, double value, struct scale s)
{
	size_t n;
	double factor;
	const struct step *steps = steps_of(s, &n, &factor), *step;

	if (!isfinite(value)) {
		out_f64(o, value);
		return;
	}
	value *= factor;
	step = step_for(value, steps, n);
	three_digits(o, value / step->size);
	out_text(o, step->suffix);
}

void quantity_estimate(struct out *o, double value, struct scale s)
{
	size_t n;
	double factor, scaled, power;
	const struct step *steps = steps_of(s, &n, &factor), *step;

	if (!isfinite(value) || value == 0) {
		quantity_latency(o, value, s);
		return;
	}
	power = pow(10, floor(log10(fabs(value * factor))) - 1);
	value = round(value * factor / power) * power;
	step = step_for(value, steps, n);
	scaled = value / step->size;
	out_char(o, '~');
	if (fabs(scaled) < 0.0995)
		out_printf(o, "%.2g", scaled);
	else
		out_decimals(o, scaled, fabs(scaled) >= 9.95 ? 0 : fabs(scaled) >= 0.995 ? 1 : 2);
	out_text(o, step->suffix);
}

void quantity_range(struct out *o, double low, double high, struct scale s)
{
	size_t n;
	double factor;
	const struct step *steps = steps_of(s, &n, &factor), *step, *low_step;

	if (low == 0 && high < s.granularity)
		high = s.granularity;
	if (low == high && isfinite(low)) {
		quantity_latency(o, low, s);
		return;
	}
	if (isinf(high) && isinf(low)) {
		out_text(o, "anything");
		return;
	}
	if (isinf(high) || isinf(low)) {
		out_text(o, isinf(high) ? ">= " : "< ");
		quantity_latency(o, isinf(high) ? low : high, s);
		return;
	}
	step = step_for(high * factor, steps, n);
	low_step = step_for(low * factor, steps, n);
	if (low == 0 || low_step == step || low * factor >= step->size / 10) {
		three_digits(o, low * factor / step->size);
	} else {
		three_digits(o, low * factor / low_step->size);
		out_text(o, low_step->suffix);
	}
	out_char(o, '-');
	three_digits(o, high * factor / step->size);
	out_text(o, step->suffix);
}

void quantity_count(struct out *o, double value)
{
	const struct step *step;

	if (value < 1e6) {
		out_f64(o, round(value * 10) / 10);
		return;
	}
	step = step_for(value, numbers, COUNT_OF(numbers));
	three_digits(o, value / step->size);
	out_text(o, step->suffix);
}

void quantity_calls(struct out *o, double mean)
{
	quantity_count(o, mean >= 100 ? round(mean) : mean);
}

void quantity_percent(struct out *o, double share)
{
	double percent = share * 100;

	if (isnan(share)) {
		out_char(o, '-');
	} else if (percent > 0 && percent < 0.1) {
		out_text(o, "<0.1 %");
	} else {
		out_decimals(o, percent, percent < 9.95 && percent != 0 ? 1 : 0);
		out_text(o, " %");
	}
}

void quantity_ratio(struct out *o, double ratio)
{
	out_decimals(o, ratio, ratio < 9.95 ? 1 : 0);
}
