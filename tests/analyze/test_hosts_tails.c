/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tails of made fleets: normal ones, heavy ones, and a few hosts that are slow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/hosts/hosts_tails.h"
#include "analyze/stats/random.h"
#include "profile/spread.h"

enum { HOSTS = 60, SERIES = 20, TRIALS = 200 };

static char name[HOSTS][8];

static double normal(uint64_t *state)
{
	double radius = sqrt(-2 * log(1 - random_share(state)));

	return radius * cos(2 * M_PI * random_share(state));
}

static double student3(uint64_t *state)
{
	double squares = 0;

	for (int i = 0; i < 3; i++) {
		double z = normal(state);

		squares += z * z;
	}
	return normal(state) / sqrt(squares / 3);
}

static int by_value(const void *pa, const void *pb)
{
	const struct extreme *a = pa, *b = pb;

	return (a->value > b->value) - (a->value < b->value);
}

/* A fleet, and those of its hosts that are 100 times as far as usual, in so many of the series. */
struct fleet {
	double (*draw)(uint64_t *state);
	size_t n_slow, in_series;
};

/* Draws a fleet, and returns the degrees of freedom of its high side. */
static double df_of(const struct fleet *f, uint64_t *state)
{
	static struct extreme all[SERIES][HOSTS], kept[SERIES][SPREAD_KEPT];
	struct host_spread spread[SERIES] = { { .n = HOSTS } };
	struct tail_series v[SERIES];

	for (size_t i = 0; i < SERIES; i++) {
		for (size_t k = 0; k < HOSTS; k++) {
			bool slow = k < f->n_slow && i < f->in_series;
			double x = slow ? 10 : 0.1 * f->draw(state);

			all[i][k] = (struct extreme){ (int64_t)(x * (1 << SPREAD_BITS)),
						      str_from(name[k]) };
		}
		qsort(all[i], HOSTS, sizeof(*all[i]), by_value);
		for (size_t k = 0; k < SPREAD_SIDE; k++) {
			kept[i][k] = all[i][k];
			kept[i][SPREAD_SIDE + k] = all[i][HOSTS - SPREAD_SIDE + k];
		}
		spread[i].n = HOSTS;
		spread[i].extreme = kept[i];
		spread[i].n_extremes = SPREAD_KEPT;
		v[i] = (struct tail_series){ &spread[i], 0, 0.1, 43, SPREAD_SIDE };
	}
	return hosts_tail_df(v, SERIES, true);
}

/* Counts fleets whose degrees of freedom are at most `most`. */
static int n_heavier(struct fleet f, double max)
{
	uint64_t state = 11;
	int n = 0;

	for (int i = 0; i < TRIALS; i++)
		n += df_of(&f, &state) <= max;
	print_message("%d of %d have %g degrees of freedom or fewer\n", n, TRIALS, max);
	return n;
}

static void normal_tails(void **state)
{
	(void)state;
	assert_true(n_heavier((struct fleet){ normal, 0, 0 }, 5) <= TRIALS / 20);
}

static void heavy_tails(void **state)
{
	(void)state;
	assert_true(n_heavier((struct fleet){ student3, 0, 0 }, 5) >= TRIALS * 19 / 20);
}

/* Slow hosts are what is looked for: neither those of one operation nor those of all count. */
static void slow_hosts(void **state)
{
	(void)state;
	assert_true(n_heavier((struct fleet){ normal, 3, 2 }, 4) <= TRIALS / 20);
	assert_true(n_heavier((struct fleet){ normal, 3, SERIES }, 5) <= TRIALS / 20);
}

/* Nothing is known of hosts that do not differ, nor without operations. */
static void too_few_hosts(void **state)
{
	struct extreme e[8] = { { 0, STR_INIT("a") }, { 0, STR_INIT("b") }, { 0, STR_INIT("c") },
				{ 0, STR_INIT("d") }, { 0, STR_INIT("e") }, { 0, STR_INIT("f") },
				{ 0, STR_INIT("g") }, { 0, STR_INIT("h") } };
	struct host_spread spread = { .n = 8, .extreme = e, .n_extremes = 8 };
	struct tail_series v = { &spread, 0, 0.01, 3, 2 };

	(void)state;
	assert_true(isinf(hosts_tail_df(&v, 1, true)));
	assert_true(isinf(hosts_tail_df(&v, 0, true)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(normal_tails),
		cmocka_unit_test(heavy_tails),
		cmocka_unit_test(slow_hosts),
		cmocka_unit_test(too_few_hosts),
	};

	for (int k = 0; k < HOSTS; k++)
		(void)snprintf(name[k], sizeof(name[k]), "h%d", k);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
