/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Repeated runs: how the error of a comparison is spent. */
#include "analyze/runs.h"
#include "base/attr.h"

/* Shares of the error of a comparison: together they spend it once. */
static const double part_of_error[] = {
	[FAMILY_LATENCY] = 0.5,
	[FAMILY_CALLS] = 0.2,
	[FAMILY_RUN] = 0.2,
	[FAMILY_STATES] = 0.1,
};

/*
 * The moderated t is exact for normal noise with equal variances.  Runs that are few show neither
 * the tails of their noise nor that it has two states, so that their p-values are paid for once
 * more.  200 made comparisons of 20 operations at 3 against 3 raised any alarm in 5.5 % for normal
 * noise and for two states, 160 for t(3) in 2.5 %; without the price it was 6.0, 6.5 and 3.8 %. The
 * price at 4 against 4 lies between, and was not measured.
 */
static double price_of_few(size_t n)
{
	return n <= 3 ? 1.5 : n == 4 ? 1.25 : 1;
}

double runs_price(enum test_family family, size_t n_before, size_t n_after, bool unordered)
{
	size_t fewer = n_before < n_after ? n_before : n_after;

	/* One new run against a baseline has a prediction interval, which knows that it is one; an
	 * unknown order has been paid for by the correlation that it may hide. */
	return (fewer > 1 && !unordered ? price_of_few(fewer) : 1) / part_of_error[family];
}
