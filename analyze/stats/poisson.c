/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/stats/poisson.h"

#include <gsl/gsl_cdf.h>

void poisson_interval(size_t events, double *ret_low, double *ret_high)
{
	*ret_low = events > 0 ? gsl_cdf_chisq_Pinv(0.025, 2 * (double)events) / 2 : 0;
	*ret_high = gsl_cdf_chisq_Pinv(0.975, 2 * (double)events + 2) / 2;
}
