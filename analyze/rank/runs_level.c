/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Repeated runs: how the error of a comparison is spent. */
#include <math.h>

#include "analyze/rank/runs.h"
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

/*
 * One more run on each side at a time, from 3 to 20: the smallest p of the 18 looks is below a / K
 * with probability a.  K is 7.5 for a = 0.01, 9.2 for 0.001 and 10.6 for 0.0001 (4 million made
 * series of normal noise, Student's t).  With 20 to 100 operations a is between the last two, so all
 * looks have the same K, which is that of the last.
 */
static const double price_of_looks = 10.6;

static double price_of_look(size_t fewer)
{
	return fewer >= FIRST_LOOK && fewer <= LAST_LOOK ? price_of_looks : HUGE_VAL;
}

double runs_level_of_look(const struct runs_rules *rules, size_t n_before, size_t n_after)
{
	return rules->q / price_of_look(n_before < n_after ? n_before : n_after);
}

double runs_price(const struct runs_rules *rules, enum test_family family, size_t n_before,
		  size_t n_after, bool unordered)
{
	size_t fewer = n_before < n_after ? n_before : n_after;
	double looks = rules->sequential ? price_of_look(fewer) : 1;

	/* One new run against a baseline has a prediction interval, which knows that it is one; an
	 * unknown order has been paid for by the correlation that it may hide. */
	return looks * (fewer > 1 && !unordered ? price_of_few(fewer) : 1) / part_of_error[family];
}
