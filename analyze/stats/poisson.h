/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Confidence intervals for the rate of rare events. */
#ifndef ANALYZE_STATS_POISSON_H
#define ANALYZE_STATS_POISSON_H

#include <stddef.h>

/* The exact 95 % confidence interval (Garwood) of the expected number, given those observed. */
void poisson_interval(size_t events, double *ret_low, double *ret_high);

#endif
