/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/body.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "base/attr.h"

/* The edges of a bucket in log2.  A bucket with an open edge, or the edge 0, counts as one octave
 * wide: nothing is known to be faster than half the resolution of the clock. */
static void log_edges(const struct histogram *h, size_t i, double *ret_low, double *ret_high)
{
	const struct edges *e = h->bucket[i].edges;
	double low = e->low, high = e->high;

	if (!(low > 0) && !isinf(high))
		low = fmax(high, h->granularity) / 2;
	if (!(high > low))
		high = 2 * low;
	if (isinf(high))
		high = low > 0 ? 2 * low : 1;
	if (!(low > 0))
		low = high / 2;
	*ret_low = log2(low);
	*ret_high = log2(high);
}

/* The probit of a share of n calls, kept at least half a call away from 0 and 1. */
static double probit_of(double share, double n)
{
	return gsl_cdf_ugaussian_Pinv(fmin(fmax(share, 0.5 / n), 1 - 0.5 / n));
}

/* The probits of a bucket's edges; NAN: not known yet. */
struct probits {
	double low, high;
};

static struct probits probits_of(const struct probits *below, double from, double upto, double n)
{
	return (struct probits){ isnan(below->high) ? probit_of(from / n, n) : below->high,
				 probit_of(upto / n, n) };
}

static double quantile_between(double low, double high, const struct probits *z, double at)
{
	if (!(z->high > z->low))
		return (low + high) / 2;
	return low + (high - low) * fmin(fmax((at - z->low) / (z->high - z->low), 0), 1);
}

/* Probits of shares that differ by a smaller part may be equal. */
static const double surely_less = 1 - 1e-9;

/* Finds several quantiles in one pass; z holds them as ascending probits. */
static void quantiles_at(const struct histogram *h, const double *z, size_t n_z, double *ret)
{
	double n = (double)h->count, below = 0,
	       skipped = gsl_cdf_ugaussian_P(z[0]) * surely_less * n;
	struct probits edge = { NAN, NAN };
	size_t k = 0;

	for (size_t i = 0; i < h->n && k < n_z; i++) {
		double upto = below + (double)h->bucket[i].count, low, high;
		bool last = i + 1 == h->n;

		if (!last && upto < skipped) {
			below = upto;
			continue;
		}
		log_edges(h, i, &low, &high);
		edge = probits_of(&edge, below, upto, n);
		for (; k < n_z && (last || z[k] <= edge.high); k++)
			ret[k] = quantile_between(low, high, &edge, z[k]);
		below = upto;
	}
}

double body_quantile(const struct histogram *h, double q)
{
	double z = gsl_cdf_ugaussian_Pinv(q), r = NAN;

	if (h->count > 0)
		quantiles_at(h, &z, 1, &r);
	return r;
}

/* A quantile varies as the calls below it do: the interval of one standard deviation of their number
 * holds it in two of three samples.  The density of one bucket would tell more of the width of the
 * bucket than of the calls. */
double body_quantile_noise(const struct histogram *h, double q)
{
	double n = (double)h->count, sd = sqrt(q * (1 - q) / n), z[2], at[2];

	if (h->n == 0)
		return 0;
	z[0] = gsl_cdf_ugaussian_Pinv(fmax(q - sd, 0.5 / n));
	z[1] = gsl_cdf_ugaussian_Pinv(fmin(q + sd, 1 - 0.5 / n));
	quantiles_at(h, z, COUNT_OF(z), at);
	return (at[1] - at[0]) * (at[1] - at[0]) / 4;
}

double tail_location(const struct histogram *h, double share)
{
	double left = share * (double)h->count, sum = 0, low, high;

	if (h->count == 0)
		return NAN;
	for (size_t i = h->n; i-- > 0 && left > 0;) {
		double count = (double)h->bucket[i].count, taken = fmin(count, left);

		log_edges(h, i, &low, &high);
		sum += taken * (high - (high - low) * taken / count / 2);
		left -= taken;
	}
	return sum / (share * (double)h->count);
}

/* Probits of 5 %, 10 %, ... 95 %. */
static const double z_body[] = { -1.6448536, -1.2815516, -1.0364334, -0.8416212, -0.6744898,
				 -0.5244005, -0.3853205, -0.2533471, -0.1256613, 0,
				 0.1256613,  0.2533471,	 0.3853205,  0.5244005,	 0.6744898,
				 0.8416212,  1.0364334,	 1.2815516,  1.6448536 };

double body_location(const struct histogram *h)
{
	double at[COUNT_OF(z_body)], sum = 0;

	if (h->count == 0)
		return NAN;
	quantiles_at(h, z_body, COUNT_OF(z_body), at);
	for (size_t i = 0; i < COUNT_OF(z_body); i++)
		sum += at[i];
	return sum / COUNT_OF(z_body);
}

/* The share of bucket i, in log latency, that lies above the limit. */
static double share_beyond(const struct histogram *h, size_t i, double limit)
{
	double low, high;

	log_edges(h, i, &low, &high);
	return fmin(fmax((high - limit) / (high - low), 0), 1);
}

struct beyond calls_beyond(const struct histogram *h, double limit)
{
	struct beyond sum = { 0, 0 };

	for (size_t i = h->n; i-- > 0;) {
		double calls = share_beyond(h, i, limit) * (double)h->bucket[i].count;

		if (calls == 0)
			break;
		sum.calls += calls;
		sum.latency += calls * histogram_bucket_mean(h, i);
	}
	return sum;
}

double body_median_width(const struct histogram *h)
{
	/* Of 100 calls, one; percentiles are edges to within their last digit. */
	static const double near_edge = 0.01;
	double half = (double)h->count / 2, below = 0;
	size_t i = 0;

	if (h->n == 0)
		return 0;
	while (i + 1 < h->n && below + (double)h->bucket[i].count < half)
		below += (double)h->bucket[i++].count;
	if (fmin(half - below, below + (double)h->bucket[i].count - half) <=
	    near_edge * (double)h->count)
		return 0;
	if (!(h->bucket[i].edges->low > 0) || isinf(h->bucket[i].edges->high))
		return HUGE_VAL;
	return log2(h->bucket[i].edges->high / h->bucket[i].edges->low);
}

static const double slow_from = 3; /* octaves above the median */
static const double max_slow_part = 0.2;

double typical_latency(const struct operation *op, bool *ret_exact)
{
	const struct histogram *h = &op->hist;
	struct beyond slow;

	*ret_exact = operation_total_stated(op);
	if (h->n == 0)
		return fmax(operation_mean(op), h->granularity);
	slow = calls_beyond(h, body_quantile(h, 0.5) + slow_from);
	if (*ret_exact && slow.latency <= max_slow_part * operation_total(op))
		return fmax((operation_total(op) - slow.latency) / ((double)h->count - slow.calls),
			    h->granularity);
	*ret_exact = false;
	return exp2(body_location(h));
}
