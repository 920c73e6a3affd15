/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/rank/run_account.h"

#include <math.h>

#include "analyze/totals.h"

/* Tools print elapsed time and means with three digits: each may be off by half of the third, up
 * to 0.5 % of 1.00. */
static const double rounding = 0.01;

static void take_concurrency(struct run_account *a, double stated)
{
	double calls = (a->busy + a->waiting) / a->elapsed;

	a->concurrency_stated = stated > 0;
	if (a->concurrency_stated)
		a->concurrency = stated;
	else if (!isnan(calls))
		a->concurrency = fmax(calls, 1);
}

static double rest_of(const struct run_account *a)
{
	double available = a->elapsed * a->concurrency;
	double rest = available - a->busy - a->waiting;

	return rest >= 0 ? rest : rest >= -rounding * available ? 0 : NAN;
}

struct run_account run_account_of(const struct profile *p)
{
	struct run_account a = { NAN, NAN, NAN, NAN, NAN, .source = p->elapsed_source };
	struct totals totals = totals_of(p);
	double seconds;

	if (p->elapsed > 0)
		a.elapsed = p->elapsed;
	a.started = p->started > 0 ? p->started : NAN;
	a.fixed_duration = p->fixed_duration;
	if (unit_seconds(p->unit, p->hz, &seconds)) {
		a.busy = totals_busy(&totals) * seconds;
		a.waiting = totals.idle * seconds;
	}
	take_concurrency(&a, p->concurrency);
	a.rest = rest_of(&a);
	return a;
}

struct run_account run_account_mean(const struct profile *const *run, size_t n)
{
	struct run_account mean = { .concurrency_stated = true,
				    .source = ELAPSED_STATED,
				    .fixed_duration = true,
				    .started = HUGE_VAL };

	for (size_t i = 0; i < n; i++) {
		struct run_account a = run_account_of(run[i]);

		mean.elapsed += a.elapsed / (double)n;
		mean.busy += a.busy / (double)n;
		mean.waiting += a.waiting / (double)n;
		mean.rest += a.rest / (double)n;
		mean.concurrency += a.concurrency / (double)n;
		mean.concurrency_stated &= a.concurrency_stated;
		mean.fixed_duration &= a.fixed_duration;
		mean.started =
			isnan(mean.started + a.started) ? NAN : fmin(mean.started, a.started);
		if (a.source > mean.source)
			mean.source = a.source;
	}
	if (isnan(mean.elapsed))
		mean.source = ELAPSED_UNKNOWN;
	return mean;
}

bool run_account_contradicts(const struct run_account *a)
{
	return a->source == ELAPSED_STATED && a->concurrency_stated && !isnan(a->busy) &&
	       isnan(a->rest);
}
