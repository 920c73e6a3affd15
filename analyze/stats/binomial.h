/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ANALYZE_STATS_BINOMIAL_H
#define ANALYZE_STATS_BINOMIAL_H

#include <stddef.h>

/* The exact 95 % confidence interval (Clopper and Pearson) of the probability of an event that
 * came `events` times in n trials; NAN where n is 0. */
void binomial_interval(size_t events, size_t n, double *ret_low, double *ret_high);

#endif
