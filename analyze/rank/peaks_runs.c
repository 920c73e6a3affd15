/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/rank/peaks_runs.h"

#include <math.h>

#include "analyze/rank/runs_judging.h"
#include "analyze/stats/significance.h"
#include "base/arena.h"
#include "profile/means.h"

/* Upper tail of an interval that covers 95 %. */
static const double tail = 0.025;

/* The calls of one run that lie in a peak. */
struct within {
	double calls, octaves, squares; /* sums over calls: 1, log2 latency, its square */
};

/* The runs of one operation, the runs before first. */
struct run_peaks {
	const struct histogram **hist; /* NULL where absent; in the unit before */
	size_t n_before, n_runs;
};

/* A number of each run, and the variance that counting gives it. */
struct run_numbers {
	double *value, *noise; /* NAN where a run has none */
};

double peak_share(double log2_odds)
{
	return 1 / (1 + exp2(-log2_odds));
}

static struct within calls_within(const struct histogram *h, const struct peak *p)
{
	struct within w = { 0 };

	for (size_t i = 0; i < h->n; i++) {
		double mean = histogram_bucket_mean(h, i), n = (double)h->bucket[i].count, octave;

		if (mean < p->low || mean >= p->high)
			continue;
		octave = histogram_bucket_octave(h, i);
		w.calls += n;
		w.octaves += n * octave;
		w.squares += n * octave * octave;
	}
	return w;
}

static void take_position(struct run_numbers *to, size_t k, const struct within *w)
{
	double mean = w->octaves / w->calls;

	if (!(w->calls > 0) || !isfinite(mean))
		return;
	to->value[k] = mean;
	to->noise[k] = fmax(w->squares / w->calls - mean * mean, 0) / w->calls;
}

/* Half a call is added to both sides of the odds, so that none is infinite. */
static void take_weight(struct run_numbers *to, size_t k, const struct within *w, double calls)
{
	double in = w->calls + 0.5, out = calls - w->calls + 0.5;

	to->value[k] = log2(in / out);
	to->noise[k] = (1 / in + 1 / out) / (M_LN2 * M_LN2);
}

static struct run_numbers no_numbers(struct arena *a, size_t n)
{
	struct run_numbers r = { arena_make(a, double, n), arena_make(a, double, n) };

	for (size_t k = 0; k < n; k++)
		r.value[k] = r.noise[k] = NAN;
	return r;
}

/* The numbers of one side. */
struct sample_stats {
	double n, mean, squares; /* squares: sum of squared deviations from the mean */
};

static struct sample_stats stats_of(const double *v, size_t from, size_t to)
{
	struct sample_stats m = { 0 };

	for (size_t k = from; k < to; k++) {
		double off = v[k] - m.mean;

		if (isnan(v[k]))
			continue;
		m.n++;
		m.mean += off / m.n;
		m.squares += off * (v[k] - m.mean);
	}
	return m;
}

static struct peak_effect effect_of(const struct run_numbers *r, size_t n_before, size_t n_runs)
{
	const struct prior none = { 0 };
	struct sample_stats b = stats_of(r->value, 0, n_before);
	struct sample_stats a = stats_of(r->value, n_before, n_runs);
	struct peak_effect e = { .before = b.n > 0 ? b.mean : NAN,
				 .after = a.n > 0 ? a.mean : NAN,
				 .low = NAN,
				 .high = NAN,
				 .p = NAN,
				 .q = NAN };
	double df = a.n + b.n - 2;
	struct moderated m;

	e.change = e.after - e.before;
	if (a.n < 2 || b.n < 2)
		return e;
	m = moderate(&none, e.change, (a.squares + b.squares) / df, df, 1 / a.n + 1 / b.n, 0,
		     stats_of(r->noise, 0, n_runs).mean);
	e.p = m.p;
	e.low = e.change - t_limit(tail, m.df) * m.error;
	e.high = e.change + t_limit(tail, m.df) * m.error;
	return e;
}

/* A peak of one side only is looked for in the same place on the other. */
static const struct peak *peak_of_side(const struct peak_pair *pair, bool after)
{
	const struct peak *own = after ? pair->after : pair->before;

	return own != NULL ? own : after ? pair->before : pair->after;
}

static struct peak_runs compare_peak(struct arena *a, const struct run_peaks *runs,
				     const struct peak_pair *pair)
{
	struct run_numbers position = no_numbers(a, runs->n_runs);
	struct run_numbers weight = no_numbers(a, runs->n_runs);

	for (size_t k = 0; k < runs->n_runs; k++) {
		const struct histogram *h = runs->hist[k];
		struct within w;

		if (h == NULL || h->n == 0)
			continue;
		w = calls_within(h, peak_of_side(pair, k >= runs->n_before));
		take_position(&position, k, &w);
		take_weight(&weight, k, &w, (double)h->count);
	}
	return (struct peak_runs){ *pair, effect_of(&position, runs->n_before, runs->n_runs),
				   effect_of(&weight, runs->n_before, runs->n_runs) };
}

static const struct histogram **histograms_of(struct arena *a, const struct ranked *r,
					      const struct lookup *before,
					      const struct lookup *after)
{
	size_t n = before->n_runs + after->n_runs;
	const struct operation **op = arena_make(a, const struct operation *, n);
	const struct histogram **hist = arena_make(a, const struct histogram *, n);

	if (r->before != NULL)
		look_up(before, r->before, op);
	if (r->after != NULL)
		look_up(after, r->after, op + before->n_runs);
	for (size_t k = 0; k < n; k++) {
		struct histogram *scaled;

		hist[k] = op[k] != NULL ? &op[k]->hist : NULL;
		if (op[k] == NULL || k < before->n_runs || r->scale_after == 1)
			continue;
		scaled = arena_make(a, struct histogram, 1);
		*scaled = histogram_scaled(a, &op[k]->hist, r->scale_after);
		hist[k] = scaled;
	}
	return hist;
}

/* Adjusts the p-values of all positions and weights together. */
static void adjust_all(struct arena *a, struct peaks_over_runs *all)
{
	size_t n = 0, at = 0;
	double *p, *q;

	for (size_t i = 0; i < all->n; i++)
		n += 2 * all->op[i].n;
	p = arena_make(a, double, n + 1);
	q = arena_make(a, double, n + 1);
	for (size_t i = 0; i < all->n; i++) {
		for (size_t k = 0; k < all->op[i].n; k++) {
			p[at++] = all->op[i].v[k].position.p;
			p[at++] = all->op[i].v[k].weight.p;
		}
	}
	fdr_adjust(p, n, q);
	at = 0;
	for (size_t i = 0; i < all->n; i++) {
		for (size_t k = 0; k < all->op[i].n; k++) {
			all->op[i].v[k].position.q = q[at++];
			all->op[i].v[k].weight.q = q[at++];
		}
	}
}

struct peaks_over_runs peaks_compare(struct arena *a, const struct ranking *all,
				     const struct runs_side *before, const struct runs_side *after)
{
	struct peaks_over_runs r = { arena_make(a, struct operation_peaks, all->n + 1), all->n };
	struct lookup in_before = lookup_make(a, before->run, before->n);
	struct lookup in_after = lookup_make(a, after->run, after->n);

	for (size_t i = 0; i < all->n; i++) {
		const struct ranked *one = &all->v[i];
		struct ranked_peaks peaks = rank_peaks(a, one, one->scale_after);
		struct run_peaks runs = { histograms_of(a, one, &in_before, &in_after), before->n,
					  before->n + after->n };
		struct operation_peaks *op = &r.op[i];

		*op = (struct operation_peaks){ one, arena_make(a, struct peak_runs, peaks.pairs.n),
						peaks.pairs.n };
		for (size_t k = 0; k < op->n; k++)
			op->v[k] = compare_peak(a, &runs, &peaks.pairs.v[k]);
	}
	adjust_all(a, &r);
	return r;
}
