/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/rank/quantiles.h"

#include <math.h>

#include "analyze/rank/ranked.h"
#include "base/scan.h"

const struct quantile_list quantiles_default = { .percent = { 50, 90, 99 }, .n = 3 };

bool quantile_parse(struct str s, double *ret_percent)
{
	return number_f64(s, ret_percent) == NUMBER_OK && *ret_percent >= 0 && *ret_percent <= 100;
}

/* Inserts in ascending order, without duplicates; false when the list is full. */
static bool add(struct quantile_list *to, double percent)
{
	size_t i = to->n;

	while (i > 0 && to->percent[i - 1] > percent)
		i--;
	if (i > 0 && to->percent[i - 1] == percent)
		return true;
	if (to->n == MAX_QUANTILES)
		return false;
	for (size_t k = to->n++; k > i; k--)
		to->percent[k] = to->percent[k - 1];
	to->percent[i] = percent;
	return true;
}

bool quantiles_parse(struct str s, struct quantile_list *ret)
{
	struct quantile_list list = { .n = 0 };
	bool more = true;

	while (more) {
		struct str one = s, rest = STR("");
		double percent;

		more = str_cut(s, ',', &one, &rest);
		if (!quantile_parse(one, &percent) || !add(&list, percent))
			return false;
		s = rest;
	}
	*ret = list;
	return true;
}

static void find(const struct operation *op, const struct quantile_list *which,
		 const struct bucket **ret)
{
	double q[MAX_QUANTILES];

	for (size_t i = 0; i < which->n; i++) {
		q[i] = which->percent[i] / 100;
		ret[i] = NULL;
	}
	if (op != NULL && op->hist.n > 0)
		histogram_quantiles(&op->hist, q, which->n, ret);
}

void quantiles_of(const struct ranked *r, const struct quantile_list *which,
		  struct quantile_change *ret)
{
	const struct bucket *before[MAX_QUANTILES], *after[MAX_QUANTILES];

	find(r->before, which, before);
	find(r->after, which, after);
	for (size_t i = 0; i < which->n; i++) {
		ret[i] = (struct quantile_change){ which->percent[i], NAN, NAN, NAN, NAN };
		if (before[i] != NULL) {
			ret[i].before_low = before[i]->edges->low;
			ret[i].before_high = before[i]->edges->high;
		}
		if (after[i] != NULL) {
			ret[i].after_low = after[i]->edges->low * r->scale_after;
			ret[i].after_high = after[i]->edges->high * r->scale_after;
		}
	}
}

double quantile_min_growth(const struct quantile_change *c)
{
	return c->before_high > 0 && isfinite(c->before_high) ? c->after_low / c->before_high - 1
							      : NAN;
}

bool quantile_exceeds(const struct quantile_change *c, const struct quantile_limit *limit)
{
	return quantile_min_growth(c) > limit->growth;
}
