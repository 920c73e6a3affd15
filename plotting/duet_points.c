/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Duets: how many times as long calls took in one partner as in the other, duet by duet.  Means are
 * not drawn: partners take turns on one processor, and few calls that wait for a turn make a mean.
 */
#include <math.h>

#include "analyze/body.h"
#include "analyze/duet.h"
#include "analyze/quantile_runs.h"
#include "base/arena.h"
#include "plotting/kind.h"

static const double usual = 0.5, slow = 0.99;

/* After over before in each duet, in log2; NAN where a partner did not call the operation. */
struct duet_ratios {
	double *p50, *p99;
	size_t n;
};

static struct runs_side side_of(struct arena *a, const struct plotted_run *r)
{
	const struct profile **one;

	if (r->n_single > 1)
		return (struct runs_side){ r->single, r->n_single, true };
	one = arena_make(a, const struct profile *, 1);
	one[0] = r->profile;
	return (struct runs_side){ one, 1, true };
}

static const struct operation *partner_part(struct arena *a, const struct profile *p,
					    const struct plotted_op *op, double until)
{
	for (size_t i = 0; i < p->n_ops; i++) {
		if (str_eq(p->op[i].name, op->name) && str_eq(p->op[i].layer, op->layer))
			return duet_part(a, &p->op[i], until);
	}
	return NULL;
}

static struct duet_ratios ratios_of(struct arena *a, const struct subject *s,
				    const struct plotted_op *op, const struct duets *d)
{
	struct duet_ratios r = { arena_make(a, double, d->n), arena_make(a, double, d->n), d->n };
	struct runs_side before = side_of(a, &s->run[0]), after = side_of(a, &s->run[1]);
	double scale = log2(s->run[1].scale);

	for (size_t k = 0; k < d->n; k++) {
		const struct operation *b = partner_part(a, before.run[k], op, d->until[k]),
				       *c = partner_part(a, after.run[d->partner[k]], op,
							 d->until[k]);

		r.p50[k] = r.p99[k] = NAN;
		if (b == NULL || c == NULL || b->hist.n == 0 || c->hist.n == 0)
			continue;
		r.p50[k] = body_quantile(&c->hist, usual) - body_quantile(&b->hist, usual) + scale;
		r.p99[k] = body_quantile(&c->hist, slow) - body_quantile(&b->hist, slow) + scale;
	}
	return r;
}

static struct series points_of(struct arena *a, const char *name, enum colour colour,
			       enum point point, const double *v, size_t n)
{
	struct series s = series_of(a, name, SHAPE_POINTS, colour, n);

	s.title = str_from(name);
	s.point = point;
	s.columns = "duet log2(ratio)";
	for (size_t i = 0; i < n; i++) {
		if (isfinite(v[i]))
			series_add(&s, (double[]){ (double)i + 1, v[i] });
	}
	return s;
}

static struct series band_of(struct arena *a, const struct log2_change *c, size_t n)
{
	struct series s = series_of(a, "interval", SHAPE_AREA, COLOUR_FIRST_PALE, 2);

	if (!(c->high > c->low))
		return s;
	s.title = STR("90 % interval of p50");
	series_add(&s, (double[]){ 0.5, c->low, c->high });
	series_add(&s, (double[]){ (double)n + 0.5, c->low, c->high });
	return s;
}

static struct series line_of_no_change(struct arena *a, size_t n)
{
	struct series s = series_of(a, "same", SHAPE_LINE, COLOUR_DIM, 2);

	series_add(&s, (double[]){ 0.5, 0 });
	series_add(&s, (double[]){ (double)n + 0.5, 0 });
	return s;
}

static struct panel panel_of_duets(struct arena *a, const struct subject *s,
				   const struct plotted_op *op, const struct duets *d)
{
	struct duet_ratios r = ratios_of(a, s, op, d);
	struct log2_change c = log2_change_of_pairs(r.p50, r.n);
	struct panel p = panel_of(a, op);
	double min = fmin(0, c.low), max = fmax(0, c.high);

	p.has_key = true;
	p.series = arena_make(a, struct series, 4);
	p.series[0] = band_of(a, &c, d->n);
	p.series[1] = line_of_no_change(a, d->n);
	p.series[2] = points_of(a, "p99", COLOUR_SECOND, POINT_RING, r.p99, r.n);
	p.series[3] = points_of(a, "p50", COLOUR_FIRST, POINT_DOT, r.p50, r.n);
	p.n_series = 4;
	for (size_t k = 0; k < d->n; k++) {
		min = fmin(min, fmin(r.p50[k], r.p99[k]));
		max = fmax(max, fmax(r.p50[k], r.p99[k]));
	}
	if (isnan(c.change)) {
		p.empty = STR("no duet has calls of both partners");
		p.n_series = 0;
	}
	p.x = axis_of_whole_numbers(a, STR("duet"), 1, (double)(d->n > 1 ? d->n : 2));
	p.x.from = 0.5;
	p.x.to = (double)d->n + 0.5;
	p.y = axis_of_ratios(a, STR("change"), fmin(min, -0.05), fmax(max, 0.05));
	return p;
}

bool figure_duet(struct arena *a, const struct subject *s, struct figure *ret)
{
	struct runs_side before = side_of(a, &s->run[0]), after = side_of(a, &s->run[1]);
	struct duets d = duets_of(a, &before, &after);

	if (d.n == 0)
		return false;
	*ret = (struct figure){ .n_panels = s->n_ops,
				.n_across = columns_for_panels(s->n_ops),
				.shared_x = true,
				.panel_height = 0.8 };
	ret->panel = arena_make(a, struct panel, s->n_ops);
	for (size_t i = 0; i < s->n_ops; i++)
		ret->panel[i] = panel_of_duets(a, s, &s->op[i], &d);
	ret->note = STR("Partners of a duet ran at the same time: what slowed both is not in their "
			"ratio.");
	ret->caption =
		STR("By how much p50 and p99 changed in each duet, with the 90 % interval of p50.");
	return true;
}
