/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/quantiles.h"

#include <math.h>

#include "analyze/rank/facts.h"
#include "base/arena.h"
#include "base/out.h"
#include "report/jout.h"
#include "report/parts.h"
#include "report/report.h"
#include "report/table.h"

static void say_range(struct out *o, double low, double high, struct scale scale)
{
	if (isnan(low))
		out_text(o, "none");
	else
		quantity_range(o, low, high, scale);
}

static void say_change_of(struct out *o, const struct quantile_change *q, struct scale scale)
{
	bool equal = q->before_low == q->after_low && q->before_high == q->after_high;

	out_printf(o, "p%.12g %s", q->percent, equal ? "unchanged at " : "");
	say_range(o, q->before_low, q->before_high, scale);
	if (equal)
		return;
	out_text(o, " -> ");
	say_range(o, q->after_low, q->after_high, scale);
}

/* Ratio of a bucket's edges that shows three digits: the last of them is a hundredth of 1.00. */
static const double precise = 1.01;

static double rounded_to(double value, int digits)
{
	double digit = pow(10, floor(log10(value)) + 1 - digits);

	return round(value / digit) * digit;
}

/* Whether two digits would round an estimate beyond what bounds it: "~180 us" of at most 176 us. */
static bool rounds_beyond(const struct fact_side *side)
{
	return side->value > 0 &&
	       rounded_to(side->value, 2) > rounded_to(side->high, 3) * (1 + 1e-9);
}

void say_own_quantile(struct out *o, const struct fact_side *side, struct scale scale)
{
	if (isnan(side->value)) {
		out_char(o, '-');
	} else if (side->high <= side->low * precise) {
		quantity_latency(o, side->value, scale);
	} else if (rounds_beyond(side)) {
		out_char(o, '~');
		quantity_latency(o, side->value, scale);
	} else {
		quantity_estimate(o, side->value, scale);
	}
}

void say_own_max(struct out *o, const struct fact *f, struct scale scale)
{
	const struct fact_side *side = &f->after;

	if (!isnan(side->value))
		quantity_latency(o, side->value, scale);
	else if (!isnan(side->low))
		quantity_range(o, side->low, side->high, scale);
	else
		out_char(o, '-');
}

static void say_both(struct out *o, const struct fact *f, struct scale scale, const char *arrow)
{
	struct out *before = out_to_memory(), *after = out_to_memory();

	say_own_quantile(before, &f->before, scale);
	say_own_quantile(after, &f->after, scale);
	out_bytes(o, out_memory(before));
	if (!str_eq(out_memory(before), out_memory(after))) {
		out_text(o, arrow);
		out_bytes(o, out_memory(after));
	}
	out_free(before);
	out_free(after);
}

void say_quantile_sides(struct out *o, const struct fact *f, struct scale scale)
{
	say_both(o, f, scale, " -> ");
}

void quantile_cell(struct table *t, const struct style *s, const struct fact *f, struct scale scale)
{
	struct out *o = table_open(t);

	if (!isnan(f->before.value) || !isnan(f->after.value))
		say_both(o, f, scale, s->unicode ? " → " : " -> ");
	table_close(t, TONE_PLAIN);
}

void say_quantiles(struct out *o, const struct comparison *c, const struct ranked *r)
{
	struct quantile_change q[MAX_QUANTILES];
	struct scale scale = scale_of_ranked(c, r);

	quantiles_of(r, &c->show.quantiles, q);
	for (size_t i = 0; i < c->show.quantiles.n; i++) {
		if (isnan(q[i].before_low) && isnan(q[i].after_low))
			return;
		out_text(o, i > 0 ? ", " : "");
		say_change_of(o, &q[i], scale);
	}
}

void say_limit(struct out *o, const struct quantile_change *q, const struct quantile_limit *limit,
	       struct scale scale)
{
	out_printf(o, "p%.12g ", q->percent);
	say_higher(o, q->before_high, q->after_low);
	out_text(o, " at least (");
	say_range(o, q->before_low, q->before_high, scale);
	out_text(o, " -> ");
	say_range(o, q->after_low, q->after_high, scale);
	out_text(o, "), allowed is ");
	quantity_percent(o, limit->growth);
	out_printf(o, " (policy line %zu)", limit->line);
}

/* --- JSON, CSV --------------------------------------------------------------------------- */

void jout_quantiles(struct jout *j, const struct comparison *c, const struct ranked *r)
{
	struct quantile_change q[MAX_QUANTILES];
	char key[32];

	quantiles_of(r, &c->show.quantiles, q);
	jout_flat_object(j, "quantiles");
	for (size_t i = 0; i < c->show.quantiles.n; i++) {
		(void)snprintf(key, sizeof(key), "p%.12g", q[i].percent);
		jout_array(j, key);
		jout_f64(j, NULL, q[i].before_low);
		jout_f64(j, NULL, q[i].before_high);
		jout_f64(j, NULL, q[i].after_low);
		jout_f64(j, NULL, q[i].after_high);
		jout_end_array(j);
	}
	jout_end_object(j);
}

void quantile_columns(struct arena *a, const struct comparison *c, struct column *ret)
{
	static const char *const what[COLUMNS_OF_QUANTILE] = { "before_low", "before_high",
							       "after_low", "after_high" };

	for (size_t i = 0; i < c->show.quantiles.n; i++) {
		for (size_t k = 0; k < COLUMNS_OF_QUANTILE; k++)
			*ret++ =
				(struct column){ arena_printf(a, "p%.12g_%s",
							      c->show.quantiles.percent[i], what[k])
							 .p,
						 NULL, ALIGN_RIGHT };
	}
}

void quantile_cells(struct table *t, const struct comparison *c, const struct ranked *r)
{
	struct quantile_change q[MAX_QUANTILES];

	quantiles_of(r, &c->show.quantiles, q);
	for (size_t i = 0; i < c->show.quantiles.n; i++) {
		table_number(t, q[i].before_low);
		table_number(t, q[i].before_high);
		table_number(t, q[i].after_low);
		table_number(t, q[i].after_high);
	}
}
