/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts of an operation of one run. */
#include "analyze/rank/facts.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/rank/facts_parts.h"
#include "base/arena.h"

/* --- sums, quantiles, the largest --------------------------------------------------------- */

static struct fact fact_of_number(enum fact_kind kind, double value)
{
	struct fact f = fact_unknown(kind);

	f.after.value = value;
	return f;
}

struct fact fact_of_own_quantile(const struct operation *op, double q)
{
	struct fact f = fact_unknown(FACT_QUANTILE);
	const struct bucket *at = histogram_quantile(&op->hist, q);

	f.quantile = q;
	if (at != NULL)
		f.after = fact_quantile_side(op, q, at->edges->low, at->edges->high, 1);
	return f;
}

struct fact fact_of_own_max(const struct operation *op)
{
	const struct histogram *h = &op->hist;
	struct fact f = fact_unknown(FACT_MAX);

	if (op->stated.has_max)
		f.after.value = op->stated.max;
	f.after.low = h->n > 0 ? h->bucket[h->n - 1].edges->low : f.after.value;
	f.after.high = h->n > 0 ? h->bucket[h->n - 1].edges->high : f.after.value;
	return f;
}

/* --- where the time is --------------------------------------------------------------------- */

/* Sums over some buckets of one operation. */
struct latency_sum {
	double calls, low, middle, high; /* latency: least, estimated, most */
};

/* Adds a bucket, none of whose calls takes longer than the largest latency. */
static void add_bucket(struct latency_sum *s, const struct histogram *h, size_t i, double max)
{
	const struct edges *e = h->bucket[i].edges;
	double n = (double)h->bucket[i].count, high = fmin(e->high, max);

	s->calls += n;
	s->low += n * fmax(e->low, 0);
	s->middle += n * fmin(fmax(histogram_bucket_mean(h, i), 0), high);
	s->high += n * high;
}

/* Returns the share of the latency above a bucket's edge: estimated, and as bounded by the edges
 * and, where it is exact, the total. */
static struct fact_side slowest_side(const struct latency_sum *above,
				     const struct latency_sum *below, double total)
{
	struct fact_side s = { .share = above->calls / (above->calls + below->calls),
			       .latency = above->middle / (above->middle + below->middle),
			       .low = above->low / (above->low + below->high),
			       .high = isfinite(above->high)
					       ? above->high / (above->high + below->low)
					       : 1 };

	if (total > 0) {
		s.low = fmax(s.low, 1 - below->high / total);
		s.high = fmin(s.high, 1 - below->low / total);
	}
	s.latency = fmin(fmax(s.latency, s.low), s.high);
	return s;
}

/* Only the last bucket may be open above, and it is never below. */
static struct latency_sum sum_above(const struct latency_sum *all, const struct latency_sum *below)
{
	return (struct latency_sum){
		.calls = all->calls - below->calls,
		.low = fmax(all->low - below->low, 0),
		.middle = fmax(all->middle - below->middle, 0),
		.high = isfinite(all->high) ? fmax(all->high - below->high, 0) : HUGE_VAL,
	};
}

/* Finds the edge above which the share of the latency exceeds that of the calls most: where the
 * Lorenz curve has the slope of an equal distribution. */
static struct fact fact_of_slowest(const struct operation *op, size_t n_runs)
{
	const struct histogram *h = &op->hist;
	struct fact f = fact_unknown(FACT_SLOWEST);
	double total = operation_total_exact(op) ? operation_total(op) : 0;
	double max = op->stated.has_max ? op->stated.max : HUGE_VAL;
	struct latency_sum below = { 0 }, all = { 0 };

	if (h->n > 0 && h->bucket[0].edges->low < 0)
		return f;
	for (size_t i = 0; i < h->n; i++)
		add_bucket(&all, h, i, max);
	for (size_t i = 0; i + 1 < h->n; i++) {
		struct latency_sum above;
		struct fact_side s;

		add_bucket(&below, h, i, max);
		above = sum_above(&all, &below);
		s = slowest_side(&above, &below, total);
		if (isnan(f.after.value) || s.latency - s.share > f.after.latency - f.after.share) {
			f.after = s;
			f.after.value = above.calls / (double)n_runs;
			f.low = h->bucket[i + 1].edges->low;
		}
	}
	return f;
}

/* --- peaks ----------------------------------------------------------------------------------- */

/* Adds the range of each peak, and marks the one with most latency. */
static void add_peaks(struct arena *a, struct facts *facts, const struct operation *op,
		      size_t n_runs)
{
	struct peaks p = peaks_find(a, &op->hist, &peak_rules_default);
	struct fact *max = NULL;
	double total = 0;

	for (size_t i = 0; i < p.n && facts->n < MAX_FACTS; i++) {
		struct fact *f = &facts->v[facts->n];

		*f = fact_unknown(FACT_RANGE);
		if (!fact_trim_peak(op, &p.v[i], &f->low, &f->high))
			continue;
		f->high = fmin(f->high, fact_highest(op));
		f->after = fact_range_side(op, n_runs, f->low, f->high);
		if (p.v[i].total > total) {
			total = p.v[i].total;
			max = f;
		}
		facts->n++;
	}
	if (max != NULL)
		max->adds = true;
}

struct facts facts_of_operation(struct arena *a, const struct operation *op, size_t n_runs,
				const struct quantile_list *quantiles)
{
	struct facts facts = { .v = arena_make(a, struct fact, MAX_FACTS) };
	double n = (double)n_runs;
	struct fact slowest;

	facts.v[facts.n++] = fact_of_number(FACT_MEAN, operation_mean(op));
	facts.v[facts.n++] = fact_of_number(FACT_CALLS, (double)operation_count(op) / n);
	facts.v[facts.n++] = fact_of_number(FACT_TOTAL, operation_total(op) / n);
	facts.v[facts.n++] = fact_of_own_max(op);
	for (size_t i = 0; i < quantiles->n && op->hist.n > 0; i++)
		facts.v[facts.n++] = fact_of_own_quantile(op, quantiles->percent[i] / 100);
	slowest = fact_of_slowest(op, n_runs);
	if (!isnan(slowest.after.value))
		facts.v[facts.n++] = slowest;
	add_peaks(a, &facts, op, n_runs);
	return facts;
}
