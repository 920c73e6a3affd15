/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/stats/binomial.h"

#include <math.h>

#include <gsl/gsl_cdf.h>

/* Returns the x at which the distribution function of a beta distribution is p.  By bisection:
 * gsl_cdf_beta_Pinv() of GSL 2.7 is NAN at p 0.975, a 11, b 2270. */
static double beta_quantile(double p, double a, double b)
{
	double low = 0, high = 1;

	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if (gsl_cdf_beta_P(middle, a, b) < p)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

void binomial_interval(size_t events, size_t n, double *ret_low, double *ret_high)
{
	double k = (double)events, rest = (double)(n - events);

	*ret_low = n == 0 ? NAN : events == 0 ? 0 : beta_quantile(0.025, k, rest + 1);
	*ret_high = n == 0 ? NAN : events == n ? 1 : beta_quantile(0.975, k + 1, rest);
}
