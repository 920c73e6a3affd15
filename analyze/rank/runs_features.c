/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/rank/runs_features.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/body.h"
#include "base/arena.h"
#include "base/attr.h"

static const double tail_from = 3; /* octaves above the median: 8 times */

/* The histograms of all runs on one scheme. */
struct sheet {
	struct histogram *hist; /* of each run; n == 0 when it has none */
	size_t n_runs;
	struct bucket_scheme scheme;
	bool approximated; /* some histogram had to be split */
	int *index;	   /* ascending numbers of the buckets that are filled in any run */
	size_t n_cells;
	double *count;	  /* [run * n_cells + cell] */
	double *position; /* [cell] */
};

static void common_scheme(struct arena *a, struct sheet *s)
{
	bool first = true;

	for (size_t k = 0; k < s->n_runs; k++) {
		const struct bucket_scheme *own = s->hist[k].scheme;

		if (s->hist[k].n == 0)
			continue;
		if (first) {
			s->scheme = *own;
		} else if (!bucket_scheme_eq(&s->scheme, own)) {
			struct bucket_scheme both;
			double *edges = arena_make(a, double, s->scheme.n_edges + own->n_edges + 1);

			(void)bucket_scheme_common(&s->scheme, own, edges, &both);
			s->scheme = both;
		}
		first = false;
	}
	for (size_t k = 0; k < s->n_runs; k++) {
		struct histogram *h = &s->hist[k];

		if (h->n > 0 && !bucket_scheme_eq(h->scheme, &s->scheme) &&
		    !histogram_rebin(a, h, &s->scheme, h)) {
			*h = histogram_rebin_split(a, h, &s->scheme);
			s->approximated = true;
		}
	}
}

static int by_int(const void *pa, const void *pb)
{
	int a = *(const int *)pa, b = *(const int *)pb;

	return (a > b) - (a < b);
}

static void fill_cells(struct arena *a, struct sheet *s)
{
	size_t n = 0, m = 0;

	for (size_t k = 0; k < s->n_runs; k++)
		n += s->hist[k].n;
	s->index = arena_make(a, int, n + 1);
	for (size_t k = 0; k < s->n_runs; k++) {
		for (size_t i = 0; i < s->hist[k].n; i++)
			s->index[m++] = s->hist[k].bucket[i].edges->index;
	}
	qsort(s->index, n, sizeof(*s->index), by_int);
	for (size_t i = 0; i < n; i++) {
		if (s->n_cells == 0 || s->index[s->n_cells - 1] != s->index[i])
			s->index[s->n_cells++] = s->index[i];
	}
	s->position = arena_make(a, double, s->n_cells + 1);
	for (size_t i = 0; i < s->n_cells; i++)
		s->position[i] = bucket_position(&s->scheme, s->index[i]);
	s->count = arena_make(a, double, s->n_runs * s->n_cells + 1);
	for (size_t k = 0; k < s->n_runs; k++) {
		size_t at = 0;

		for (size_t i = 0; i < s->hist[k].n; i++) {
			while (s->index[at] != s->hist[k].bucket[i].edges->index)
				at++;
			s->count[k * s->n_cells + at] = (double)s->hist[k].bucket[i].count;
		}
	}
}

static struct sheet sheet_of(struct arena *a, const struct operation *const *op, size_t n_before,
			     size_t n_runs, double scale_after)
{
	struct sheet s = { .n_runs = n_runs };

	s.hist = arena_make(a, struct histogram, n_runs);
	for (size_t k = 0; k < n_runs; k++) {
		s.hist[k].scheme = &bucket_octaves;
		if (op[k] == NULL)
			continue;
		s.hist[k] = op[k]->hist;
		if (k >= n_before && scale_after != 1 && s.hist[k].n > 0)
			s.hist[k] = histogram_scaled(a, &s.hist[k], scale_after);
	}
	common_scheme(a, &s);
	fill_cells(a, &s);
	return s;
}

/* --- features ------------------------------------------------------------------------ */

static void fill_shift(struct features *f, const struct sheet *s)
{
	double n = 0;

	for (size_t k = 0; k < s->n_runs; k++) {
		const double *count = s->count + k * s->n_cells;
		double calls = (double)s->hist[k].count, mean = 0, spread = 0;

		f->value[FEATURE_SHIFT][k] = NAN;
		if (s->hist[k].n == 0)
			continue;
		for (size_t i = 0; i < s->n_cells; i++)
			mean += count[i] / calls * s->position[i];
		for (size_t i = 0; i < s->n_cells; i++)
			spread += count[i] / calls * (s->position[i] - mean) *
				  (s->position[i] - mean);
		f->value[FEATURE_SHIFT][k] = mean;
		f->noise[FEATURE_SHIFT] += spread / calls;
		n++;
	}
	f->noise[FEATURE_SHIFT] /= fmax(n, 1);
}

static bool totals_are_exact(const struct operation *const *op, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		if (op[k] != NULL && !operation_total_stated(op[k]))
			return false;
	}
	return true;
}

/* The variance of the mean divided by the squared mean, estimated from buckets. */
static double relative_noise(const struct histogram *h)
{
	double n = (double)h->count, mean = histogram_total(h) / n, spread = 0;

	for (size_t i = 0; i < h->n; i++) {
		double away = histogram_bucket_mean(h, i) - mean;

		spread += (double)h->bucket[i].count / n * away * away;
	}
	return mean > 0 ? spread / (mean * mean) / n : 0;
}

static void fill_mean(struct features *f, const struct sheet *s, const struct operation *const *op,
		      size_t n_before, double scale_after)
{
	bool exact = totals_are_exact(op, s->n_runs);
	double n = 0;

	for (size_t k = 0; k < s->n_runs; k++) {
		double calls = op[k] != NULL ? (double)operation_count(op[k]) : 0, total;

		f->value[FEATURE_MEAN][k] = NAN;
		if (!(calls > 0))
			continue;
		if (exact || s->hist[k].n == 0)
			total = operation_total(op[k]) * (k >= n_before ? scale_after : 1);
		else
			total = histogram_total(&s->hist[k]);
		if (total > 0)
			f->value[FEATURE_MEAN][k] = log2(total / calls);
		if (s->hist[k].n > 0)
			f->noise[FEATURE_MEAN] += relative_noise(&s->hist[k]) / (M_LN2 * M_LN2);
		n++;
	}
	f->noise[FEATURE_MEAN] /= fmax(n, 1);
}

/* The median of the runs' average shape, in which each run has the same weight. */
static double median_position(const struct sheet *s)
{
	double below = 0, all = 0;
	size_t i;

	for (size_t k = 0; k < s->n_runs; k++)
		all += s->hist[k].n > 0;
	for (i = 0; i + 1 < s->n_cells; i++) {
		for (size_t k = 0; k < s->n_runs; k++) {
			if (s->hist[k].n > 0)
				below += s->count[k * s->n_cells + i] / (double)s->hist[k].count;
		}
		if (below >= all / 2)
			break;
	}
	return s->position[i];
}

static const double slow_share = 0.02, slowest_share = 0.005;

static const struct {
	enum feature feature;
	double quantile;
} quantiles[] = { { FEATURE_P50, 0.5 },	 { FEATURE_P75, 0.75 }, { FEATURE_P90, 0.9 },
		  { FEATURE_P95, 0.95 }, { FEATURE_P99, 0.99 }, { FEATURE_P999, 0.999 } };

enum feature feature_of_quantile(double q)
{
	if (q == 1)
		return FEATURE_MAX;
	for (size_t i = 0; i < COUNT_OF(quantiles); i++) {
		if (fabs(quantiles[i].quantile - q) < 1e-9)
			return quantiles[i].feature;
	}
	return N_FEATURES;
}

/* Quantiles and means of slow calls, each only where some call lies beyond: further out it would be
 * the largest value again.  Where histograms had to be split, they show the splitting. */
static void fill_quantiles(struct features *f, const struct sheet *s)
{
	double n = 0;

	for (size_t k = 0; k < s->n_runs; k++) {
		const struct histogram *h = &s->hist[k];

		bool usable = h->n > 0 && !s->approximated;

		n += usable;
		for (size_t i = 0; i < COUNT_OF(quantiles); i++) {
			double q = quantiles[i].quantile;
			bool seen = usable && (1 - q) * f->fewest >= 1;

			f->value[quantiles[i].feature][k] = seen ? body_quantile(h, q) : NAN;
			if (seen)
				f->noise[quantiles[i].feature] += body_quantile_noise(h, q);
		}
		f->value[FEATURE_SLOW][k] =
			usable && slow_share * f->fewest >= 1 ? tail_location(h, slow_share) : NAN;
		f->value[FEATURE_SLOWEST][k] = usable && slowest_share * f->fewest >= 1
						       ? tail_location(h, slowest_share)
						       : NAN;
	}
	for (size_t i = 0; i < COUNT_OF(quantiles); i++)
		f->noise[quantiles[i].feature] /= fmax(n, 1);
}

static void fill_tail(struct features *f, const struct sheet *s)
{
	double from = s->n_cells > 0 ? median_position(s) + tail_from : 0, n = 0;

	for (size_t k = 0; k < s->n_runs; k++) {
		double calls = (double)s->hist[k].count, tail = 0;

		f->value[FEATURE_TAIL][k] = NAN;
		if (s->hist[k].n == 0)
			continue;
		for (size_t i = 0; i < s->n_cells; i++) {
			if (s->position[i] > from)
				tail += s->count[k * s->n_cells + i];
		}
		f->has_tail |= tail > 0;
		f->value[FEATURE_TAIL][k] = log2((tail + 0.5) / (calls - tail + 0.5));
		f->noise[FEATURE_TAIL] +=
			(1 / (tail + 0.5) + 1 / (calls - tail + 0.5)) / (M_LN2 * M_LN2);
		n++;
	}
	f->noise[FEATURE_TAIL] /= fmax(n, 1);
}

static void fill_max(struct features *f, const struct operation *const *op, size_t n_before,
		     size_t n_runs, double scale_after)
{
	for (size_t k = 0; k < n_runs; k++) {
		bool known = op[k] != NULL && op[k]->stated.has_max && op[k]->stated.max > 0;

		f->value[FEATURE_MAX][k] =
			known ? log2(op[k]->stated.max * (k >= n_before ? scale_after : 1)) : NAN;
	}
}

static void fill_calls(struct features *f, const struct operation *const *op, size_t n_before,
		       size_t n_runs)
{
	f->fewest = HUGE_VAL;
	for (size_t k = 0; k < n_runs; k++) {
		double calls = op[k] != NULL ? (double)operation_count(op[k]) : 0;

		f->value[FEATURE_CALLS][k] =
			op[k] != NULL && op[k]->fixed_duration ? NAN : log2(calls + 0.5);
		f->log_calls += log(calls + 0.5) / (double)n_runs;
		f->fewest = fmin(f->fewest, calls);
		if (calls > 0)
			(*(k < n_before ? &f->n_before : &f->n_after))++;
	}
}

static void fill_grid(struct arena *a, struct features *f, const struct sheet *s)
{
	struct grid g = { .n = s->n_cells, .position = s->position };

	for (size_t k = 0; k < s->n_runs; k++) {
		if (s->hist[k].n == 0)
			return;
	}
	g.cdf = arena_make(a, double, s->n_runs * s->n_cells);
	for (size_t k = 0; k < s->n_runs; k++) {
		double below = 0;

		for (size_t i = 0; i < g.n; i++) {
			below += s->count[k * g.n + i];
			g.cdf[k * g.n + i] = below / (double)s->hist[k].count;
		}
	}
	f->grid = g;
}

void features_sum(struct features *f, size_t n_runs)
{
	for (size_t k = 0; k < n_runs; k++)
		f->value[FEATURE_TOTAL][k] =
			f->value[FEATURE_MEAN][k] +
			(isnan(f->value[FEATURE_CALLS][k]) ? 0 : f->value[FEATURE_CALLS][k]);
	f->noise[FEATURE_TOTAL] = f->noise[FEATURE_MEAN];
}

struct features features_of(struct arena *a, const struct operation *const *op, size_t n_before,
			    size_t n_runs, double scale_after)
{
	struct sheet s = sheet_of(a, op, n_before, n_runs, scale_after);
	struct features f = { .approximated = s.approximated };

	for (int i = 0; i < N_FEATURES; i++)
		f.value[i] = arena_make(a, double, n_runs);
	fill_calls(&f, op, n_before, n_runs);
	fill_shift(&f, &s);
	fill_mean(&f, &s, op, n_before, scale_after);
	fill_tail(&f, &s);
	fill_quantiles(&f, &s);
	fill_max(&f, op, n_before, n_runs, scale_after);
	features_sum(&f, n_runs);
	fill_grid(a, &f, &s);
	return f;
}
