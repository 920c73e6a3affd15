/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How well a number of rare events tells their rate. */
#ifndef ANALYZE_POISSON_H
#define ANALYZE_POISSON_H

#include <stddef.h>

/* The exact interval (Garwood) that holds the expected number of events with 95 % where so
 * many were seen. */
void poisson_interval(size_t events, double *ret_low, double *ret_high);

#endif
