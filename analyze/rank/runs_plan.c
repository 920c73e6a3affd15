/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Repeated runs: how many would decide what these do not. */
#include <math.h>

#include "analyze/rank/runs_judging.h"
#include "analyze/stats/significance.h"
#include "base/attr.h"

static const double power_limit = 0.8416; /* of a normal number: 80 % lie below */

/* What one feature is planned by: all in octaves. */
struct planned {
	double change, min; /* as measured; the smallest that counts */
	double deviation;   /* of a run */
	double level;	    /* of a change, one-sided */
};

/* So many runs a side would show the change, if it is what was measured. */
static bool shows_change(const struct planned *p, size_t n)
{
	double error = p->deviation * sqrt(2 / (double)n);
	double limit = t_limit(p->level, 2 * (double)n - 2);

	return p->change >= (limit + power_limit) * error &&
	       p->change - p->min >= power_limit * error;
}

/* ... or would show that it is smaller than what counts. */
static bool shows_same(const struct planned *p, size_t n)
{
	double error = p->deviation * sqrt(2 / (double)n);

	return p->min - p->change >= (t_limit(0.05, 2 * (double)n - 2) + power_limit) * error;
}

static size_t plan_features(const struct judging *j, const struct judged *one,
			    const struct runs_rules *rules, struct planned *ret)
{
	static const enum feature features[] = { FEATURE_MEAN, FEATURE_P50, FEATURE_P90,
						 FEATURE_P99 };
	double n_after = (double)(j->n_runs - j->n_before), n_before = (double)j->n_before;
	size_t n = 0;

	for (size_t i = 0; i < COUNT_OF(features); i++) {
		const struct effect *e = &one->r->runs->effect[features[i]];
		double reach = (e->high - e->low) / 2;

		if (isnan(reach))
			continue;
		ret[n++] = (struct planned){
			.change = fabs(e->min),
			.min = i < 2 ? rules->min_effect : rules->min_slow,
			.deviation = reach / t_limit(0.05, n_before + n_after - 2) /
				     sqrt(1 / n_before + 1 / n_after),
			.level = rules->q / 2 /
				 runs_price(rules, FAMILY_LATENCY, MAX_RUNS_PLANNED,
					    MAX_RUNS_PLANNED, !runs_order_known(j)),
		};
	}
	return n;
}

static bool plan_decides(const struct planned *p, size_t n_features, size_t n)
{
	bool same = true;

	for (size_t i = 0; i < n_features; i++) {
		if (shows_change(&p[i], n))
			return true;
		same = same && shows_same(&p[i], n);
	}
	return same;
}

size_t runs_that_decide(const struct judging *j, const struct judged *one,
			const struct runs_rules *rules)
{
	struct planned p[N_FEATURES];
	size_t n_features, n = j->n_before, after = j->n_runs - j->n_before;

	if (after < 2 || j->by_host || j->duets.n > 0 || rules->sequential)
		return 0;
	n_features = plan_features(j, one, rules, p);
	for (n = (n < after ? n : after) + 1; n <= MAX_RUNS_PLANNED && n_features > 0; n++) {
		if (plan_decides(p, n_features, n))
			return n;
	}
	return 0;
}
