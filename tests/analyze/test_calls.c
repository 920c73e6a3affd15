/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of calls: DeBox's tables, SciPy's figures, cases worked by hand, and trends that
 * are found where they were put, and not where there are none. */
#include "tests/analyze/made.h"

#include <math.h>
#include <stdio.h>

#include "analyze/calls/calls.h"
#include "analyze/stats/kendall.h"
#include "analyze/stats/random.h"
#include "base/arena.h"
#include "base/attr.h"

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-12 * fmax(1, fabs(b));
}

/* --- Kendall, Theil and Sen ------------------------------------------------------------------ */

struct kendall_case {
	size_t n;
	double x[10], y[10];
	double tau, p, slope; /* kendalltau(x, y, method='asymptotic') and theilslopes(y, x) of
			       * SciPy 1.10.1 */
};

static const struct kendall_case cases[] = {
	{ 10,
	  { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 },
	  { 3, 1, 4, 1, 5, 9, 2, 6, 5, 3 },
	  0.2760262237369417,
	  0.2772892580884726,
	  0.3333333333333333 },
	{ 8,
	  { 1, 2, 3, 4, 5, 6, 7, 8 },
	  { 2.5, 2.5, 3, 1, 8, 9.5, 9.5, 20 },
	  0.7412493166611012,
	  0.011966745157436275,
	  1.6875 },
	{ 9,
	  { 1, 1, 2, 3, 3, 4, 5, 6, 7 },
	  { 5, 4, 4, 4, 3, 3, 2, 1, 1 },
	  -0.8932596002688613,
	  0.001617613180714342,
	  -0.6666666666666666 },
	{ 5, { 10, 20, 30, 45, 60 }, { 300, 310, 290, 400, 520 }, 0.6, 0.1416446902951368, 4 },
};

static void as_scipy(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct kendall_case *c = &cases[i];
		struct kendall k = { .s = 0 };

		kendall_add(&k, c->x, c->y, c->n, 1);
		assert_true(near(kendall_tau(&k), c->tau));
		assert_true(near(kendall_p(&k), c->p));
		assert_true(near(kendall_slope(&k), c->slope));
		kendall_release(&k);
	}
}

/* Two series of 3 values, one rising, one falling by one pair: s = 3 + 1, each variance
 * 3 x 2 x 11 / 18 = 11/3. */
static void several_series_add_up(void **state)
{
	struct kendall k = { .s = 0 };

	(void)state;
	kendall_add(&k, (double[]){ 1, 2, 3 }, (double[]){ 10, 20, 30 }, 3, 1);
	kendall_add(&k, (double[]){ 1, 2, 3 }, (double[]){ 500, 400, 600 }, 3, 1);
	assert_true(k.s == 4 && k.pairs == 6);
	assert_true(near(k.variance, 22.0 / 3));
	/* Slopes 10 10 10 and -100 200 50. */
	assert_true(kendall_slope(&k) == 10);
	kendall_release(&k);
}

static void nothing_comes_of_nothing(void **state)
{
	struct kendall k = { .s = 0 };

	(void)state;
	kendall_add(&k, (double[]){ 1 }, (double[]){ 1 }, 1, 1);
	assert_true(isnan(kendall_tau(&k)) && isnan(kendall_p(&k)) && isnan(kendall_slope(&k)));
	kendall_add(&k, (double[]){ 1, 2, 3 }, (double[]){ 7, 7, 7 }, 3, 1);
	assert_true(isnan(kendall_tau(&k)) && isnan(kendall_p(&k)));
	kendall_release(&k);
}

/* A trend of any shape is no resemblance, waves are: the ranks of 1 1 1 3 3 3 2 2 2 on a line
 * that only rises leave 0 0 0 and 3 x 1.5, 3 x -1.5; r = (4 x 2.25 - 2.25) / (6 x 2.25) = 1/2,
 * and (1 + r) / (1 - r) is 3. */
static void waves_resemble_themselves(void **state)
{
	(void)state;
	assert_true(autocorrelation_inflation((double[]){ 1, 2, 4, 8, 8, 90 }, 6) == 1);
	assert_true(autocorrelation_inflation((double[]){ 9, 3, 2, 1, 0, -7 }, 6) == 1);
	assert_true(autocorrelation_inflation((double[]){ 1, 3, 2, 4, 3, 5, 4, 6 }, 8) == 1);
	assert_true(near(autocorrelation_inflation((double[]){ 1, 1, 1, 3, 3, 3, 2, 2, 2 }, 9), 3));
}

/* --- what calls block on --------------------------------------------------------------------- */

static struct call call_of(struct calls *c, const char *operation, const char *site,
			   uint64_t latency)
{
	return (struct call){ .start = 1000 * c->n,
			      .latency = latency,
			      .cpu = latency,
			      .kernel = CALL_NO_TIME,
			      .number = c->n + 1,
			      .operation = calls_name(c, &c->operations, str_from(operation)),
			      .site = calls_name(c, &c->sites, str_from(site)) };
}

static void add(struct calls *c, const struct call *call)
{
	calls_add(c, call, 1, 1);
}

static void add_blocked(struct calls *c, const char *operation, const char *resource, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct call call = call_of(c, operation, "", 3000);

		call.blocked = 1000;
		call.voluntary = 1;
		call.resource = calls_name(c, &c->resources, str_from(resource));
		add(c, &call);
		call.blocked = call.voluntary = call.resource = 0;
		add(c, &call); /* one that did not */
	}
}

static struct calls *new_run(void)
{
	struct calls *c = calls_new();

	calls_next_run(c);
	return c;
}

/* The first and the last are kept, and others are left out. */
static void only_wanted_operations_are_kept(void **state)
{
	static const char *const made[] = { "read", "write", "read", "fsync", "write", "read" };
	struct calls *c = new_run();
	bool wanted[4] = { false };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(made); i++) {
		struct call call = call_of(c, made[i], "", 100 + i);

		add(c, &call);
	}
	wanted[calls_name(c, &c->operations, STR("read"))] = true;
	calls_keep(c, wanted);
	assert_int_equal(c->n, 3);
	assert_int_equal(c->v[0].latency, 100);
	assert_int_equal(c->v[1].latency, 102);
	assert_int_equal(c->v[2].latency, 105);
	calls_free(c);
}

static void check_column(const struct calls *c, const struct blocking_column *b,
			 const char *resource, size_t calls)
{
	assert_true(str_eq(c->resources.v[b->resource], str_from(resource)));
	assert_int_equal(b->calls, calls);
	assert_true(b->time == 1000 * (double)calls);
}

static void check_cell(const struct calls *c, const struct blocking_column *b, size_t i,
		       const char *operation, size_t calls)
{
	assert_true(str_eq(c->operations.v[b->cell[i].operation], str_from(operation)));
	assert_int_equal(b->cell[i].calls, calls);
}

/* Table 4 of DeBox, its calls in another order. */
static void table_4(void **state)
{
	struct calls *c = new_run();
	struct arena *a = arena_new();
	struct blocking b;

	(void)state;
	add_blocked(c, "close", "getblk", 1);
	add_blocked(c, "read", "inode", 9);
	add_blocked(c, "open", "inode", 28);
	add_blocked(c, "unlink", "biord", 1);
	add_blocked(c, "stat", "inode", 6);
	add_blocked(c, "open", "biord", 162);
	add_blocked(c, "readlink", "inode", 84);
	add_blocked(c, "read", "biord", 3);
	add_blocked(c, "sendfile", "sfpbsy", 1);
	b = blocking_of(a, c);
	assert_int_equal(b.n, 4);
	check_column(c, &b.column[0], "biord", 166);
	check_cell(c, &b.column[0], 0, "open", 162);
	check_cell(c, &b.column[0], 1, "read", 3);
	check_cell(c, &b.column[0], 2, "unlink", 1);
	assert_int_equal(b.column[0].n, 3);
	check_column(c, &b.column[1], "inode", 127);
	check_cell(c, &b.column[1], 0, "readlink", 84);
	check_cell(c, &b.column[1], 1, "open", 28);
	check_cell(c, &b.column[1], 2, "read", 9);
	check_cell(c, &b.column[1], 3, "stat", 6);
	check_column(c, &b.column[2], "getblk", 1);
	check_column(c, &b.column[3], "sfpbsy", 1);
	assert_int_equal(calls_summary(c).n_blocked, 295);
	arena_free(a);
	calls_free(c);
}

/* --- sites ------------------------------------------------------------------------------- */

/* Section 5.5: of 891 s, 176 are where the main process reads from the CGIs, 24.3 where it
 * writes to them. */
static void section_5_5(void **state)
{
	struct calls *c = new_run();
	struct arena *a = arena_new();
	struct site_costs s;
	struct call call;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		call = call_of(c, "read", "cgi.c:1 from_cgi", 176000000);
		add(c, &call);
		call = call_of(c, "write", "cgi.c:2 to_cgi", 24300000);
		add(c, &call);
		for (int k = 0; k < 7; k++) {
			call = call_of(c, "read", k < 4 ? "a" : k == 4 ? "" : "b", 98671428);
			add(c, &call);
		}
	}
	s = site_costs_of(a, c);
	assert_int_equal(s.n, 5);
	assert_true(str_eq(c->sites.v[s.v[0].site], STR("a")));
	assert_int_equal(s.v[0].calls, 4000);
	assert_true(str_eq(c->sites.v[s.v[2].site], STR("cgi.c:1 from_cgi")));
	assert_true(fabs(s.v[2].total / s.total - 0.1975) < 1e-4);
	assert_true(s.v[2].latency.min == 176e6 && s.v[2].latency.max == 176e6);
	assert_int_equal(s.v[3].site, 0);
	assert_true(fabs(s.v[4].total / s.total - 0.02727) < 1e-4);
	arena_free(a);
	calls_free(c);
}

static struct calls_side side_of(struct arena *a, const struct calls *c)
{
	return (struct calls_side){ c, calls_summary(c), blocking_of(a, c), site_costs_of(a, c) };
}

/* Two runs of 100 + 300 before, one of 250 after: a run took 200, then 250.  A site that is
 * called `a` from an operation `bc` is none called `ca` from `b`. */
static void sites_change(void **state)
{
	struct calls *before = new_run(), *after = new_run();
	struct arena *a = arena_new();
	struct calls_side b, f;
	struct call_changes all;
	struct call call;

	(void)state;
	call = call_of(before, "read", "s", 100);
	add(before, &call);
	calls_next_run(before);
	call = call_of(before, "read", "s", 300);
	add(before, &call);
	call = call_of(before, "bc", "a", 20);
	add(before, &call);
	call = call_of(after, "b", "ca", 20);
	add(after, &call);
	call = call_of(after, "read", "s", 250);
	add(after, &call);
	b = side_of(a, before);
	f = side_of(a, after);
	all = site_changes_of(a, &b, &f);
	assert_int_equal(all.n, 3);
	assert_true(str_eq(all.v[0].operation, STR("read")));
	assert_true(all.v[0].time_before == 200 && all.v[0].time_after == 250);
	assert_true(all.v[0].calls_before == 1 && all.v[0].calls_after == 1);
	assert_true(str_eq(all.v[1].operation, STR("b")) && all.v[1].time_before == 0);
	assert_true(str_eq(all.v[2].operation, STR("bc")) && all.v[2].time_before == 10);
	assert_true(all.time_before == 210 && all.time_after == 270);
	arena_free(a);
	calls_free(before);
	calls_free(after);
}

/* --- times ------------------------------------------------------------------------------- */

/* Five calls, by hand.  Seen: 10 20 30 5000 900; in the kernel 8 15 27 12 880: beyond it
 * 2 5 3 4988 20, of which 4988 are in the call that was preempted, 20 in the one that
 * blocked.  A sixth has no time in the kernel and does not count. */
static void times_beyond_the_kernel(void **state)
{
	static const uint64_t seen[] = { 10, 20, 30, 5000, 900, 7 };
	static const uint64_t kernel[] = { 8, 15, 27, 12, 880, CALL_NO_TIME };
	struct calls *c = new_run();
	struct arena *a = arena_new();
	struct all_times all;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(seen); i++) {
		struct call call = call_of(c, "sendfile", "", seen[i]);

		call.kernel = kernel[i];
		call.involuntary = i == 3 || i == 4;
		call.voluntary = i == 4;
		add(c, &call);
	}
	all = all_times_of(a, c);
	assert_true(all.has_kernel && all.n == 1);
	assert_int_equal(all.v[0].calls, 6);
	assert_int_equal(all.v[0].n_kernel, 5);
	assert_int_equal(all.v[0].n_preempted, 1);
	assert_int_equal(all.v[0].n_blocked, 1);
	assert_int_equal(all.v[0].n_undisturbed, 3);
	assert_true(all.v[0].user.min == 10 && all.v[0].user.median == 30 &&
		    all.v[0].user.mean == 1192 && all.v[0].user.max == 5000);
	assert_true(all.v[0].kernel.min == 8 && all.v[0].kernel.median == 15 &&
		    all.v[0].kernel.mean == 188.4 && all.v[0].kernel.max == 880);
	assert_true(all.v[0].undisturbed.max == 30);
	assert_true(all.v[0].beyond == 5018 && all.v[0].beyond_preempted == 4988 &&
		    all.v[0].beyond_blocked == 20);
	arena_free(a);
	calls_free(c);
}

/* --- trends ------------------------------------------------------------------------------ */

static double noise(uint64_t *state, double octaves)
{
	double r = sqrt(-2 * log(1 - random_share(state)));

	return exp2(octaves * r * cos(6.283185307179586 * random_share(state)));
}

/* n calls of one operation in a process, numbered from 1, from low to high. */
static void add_series(struct calls *c, const char *operation, uint32_t process, size_t n,
		       double low, double high, uint64_t *seed)
{
	for (size_t i = 0; i < n; i++) {
		double t = low + (high - low) * (double)i / (double)n;
		struct call call = call_of(c, operation, "", (uint64_t)(t * noise(seed, 0.3)));

		call.number = i + 1;
		calls_add(c, &call, process, process);
	}
}

static const struct trend *trend_named(const struct calls *c, const struct trends *t,
				       const char *name)
{
	for (size_t i = 0; i < t->n; i++) {
		if (str_eq(c->operations.v[t->v[i].operation], str_from(name)))
			return &t->v[i];
	}
	fail();
	return NULL;
}

/* Figure 5: fork grows from 0.3 ms towards 130 ms over some 1,400 calls. */
static void figure_5(void **state)
{
	struct calls *c = new_run();
	struct arena *a = arena_new();
	const struct trend *fork;
	uint64_t seed = 5;
	struct trends t;

	(void)state;
	add_series(c, "read", 1, 5000, 2000, 2000, &seed);
	add_series(c, "fork", 1, 1400, 300000, 128e6, &seed);
	add_series(c, "warm", 1, 60, 90000, 9000, &seed);
	add_series(c, "once", 1, 7, 1, 1000, &seed);
	t = trends_of(a, c, &trend_rules_default);
	assert_int_equal(t.n, 4);
	fork = &t.v[0];
	assert_int_equal(fork->verdict, TREND_GROWS);
	assert_true(str_eq(c->operations.v[fork->operation], STR("fork")));
	assert_true(fork->all_sites && fork->n_looked_at == 1400);
	/* Its middle of the first tenth is at call 70, of the last at 1,330. */
	assert_in_range((uint64_t)fork->first, 5500000, 7900000);
	assert_in_range((uint64_t)fork->last, 112000000, 132000000);
	assert_true(fabs(fork->slope / 91214 - 1) < 0.05);
	/* 1,400 calls at 64.15 ms on average, less the 0.3 ms that it begins with. */
	assert_true(fabs(fork->extra / (1400 * 63.85e6) - 1) < 0.05);
	assert_true(fork->telling);
	/* A trend, but of 3 ms where all calls took 90 s. */
	assert_int_equal(trend_named(c, &t, "warm")->verdict, TREND_SHRINKS);
	assert_false(trend_named(c, &t, "warm")->telling);
	assert_int_equal(trend_named(c, &t, "read")->verdict, TREND_NONE);
	assert_int_equal(trend_named(c, &t, "once")->verdict, TREND_FEW);
	arena_free(a);
	calls_free(c);
}

/* A call that grows costs more, though a process began with two that took 200 ms: those are
 * past, and no measure of what follows. */
static void slow_first_calls_are_no_saving(void **state)
{
	struct calls *c = new_run();
	struct arena *a = arena_new();
	const struct trend *wait;
	uint64_t seed = 11;
	struct trends t;

	(void)state;
	for (uint32_t p = 1; p <= 20; p++)
		add_series(c, "wait", p, 25, 100e3, 200e3, &seed);
	c->v[0].latency = c->v[1].latency = 200000000;
	t = trends_of(a, c, &trend_rules_default);
	wait = &t.v[0];
	assert_int_equal(wait->verdict, TREND_GROWS);
	assert_true(wait->first < wait->last);
	/* 20 x 25 calls, 50 us each on average. */
	assert_true(wait->extra > 0 && fabs(wait->extra / (500 * 50e3) - 1) < 0.3);
	arena_free(a);
	calls_free(c);
}

/* Records in any order are one series: the numbers count. */
static void order_does_not_matter(void **state)
{
	struct calls *c = new_run();
	struct arena *a = arena_new();
	uint64_t seed = 9;
	struct trends before, after;

	(void)state;
	add_series(c, "fork", 1, 300, 1000, 3000, &seed);
	add_series(c, "fork", 2, 200, 5000, 15000, &seed);
	before = trends_of(a, c, &trend_rules_default);
	for (size_t i = c->n - 1; i > 0; i--) {
		size_t k = random_bits(&seed) % (i + 1);
		struct call other = c->v[i];

		c->v[i] = c->v[k];
		c->v[k] = other;
	}
	after = trends_of(a, c, &trend_rules_default);
	assert_int_equal(before.v[0].verdict, TREND_GROWS);
	assert_int_equal(before.v[0].n_processes, 2);
	assert_true(before.v[0].tau == after.v[0].tau && before.v[0].p == after.v[0].p &&
		    before.v[0].slope == after.v[0].slope &&
		    before.v[0].first == after.v[0].first && before.v[0].last == after.v[0].last);
	arena_free(a);
	calls_free(c);
}

/* Processes that differ, each steady, are no trend, though the later ones are slower. */
static void processes_differ(void **state)
{
	struct calls *c = new_run();
	struct arena *a = arena_new();
	uint64_t seed = 3;
	struct trends t;

	(void)state;
	for (uint32_t p = 1; p <= 8; p++)
		add_series(c, "read", p, 100, 1000 * p, 1000 * p, &seed);
	t = trends_of(a, c, &trend_rules_default);
	assert_int_equal(t.v[0].verdict, TREND_NONE);
	assert_int_equal(t.v[0].n_processes, 8);
	arena_free(a);
	calls_free(c);
}

/* Of 400 operations whose latencies know nothing of each other, spread over octaves, at most
 * 5 in 100 may be reported as trends; that the size matters, too, leaves fewer. */
static void noise_is_no_trend(void **state)
{
	struct calls *c = new_run();
	struct arena *a = arena_new();
	uint64_t seed = 11;
	size_t found = 0;
	struct trends t;

	(void)state;
	for (int o = 0; o < 400; o++) {
		char name[16];

		(void)snprintf(name, sizeof(name), "op%d", o);
		for (size_t i = 0; i < 40; i++) {
			struct call call =
				call_of(c, name, "", (uint64_t)(5000 * noise(&seed, 1.5)));

			call.number = i + 1;
			add(c, &call);
		}
	}
	t = trends_of(a, c, &trend_rules_default);
	for (size_t i = 0; i < t.n; i++)
		found += t.v[i].verdict != TREND_NONE;
	assert_in_range(found, 0, 20);
	arena_free(a);
	calls_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_scipy),
		cmocka_unit_test(several_series_add_up),
		cmocka_unit_test(nothing_comes_of_nothing),
		cmocka_unit_test(waves_resemble_themselves),
		cmocka_unit_test(only_wanted_operations_are_kept),
		cmocka_unit_test(table_4),
		cmocka_unit_test(section_5_5),
		cmocka_unit_test(sites_change),
		cmocka_unit_test(times_beyond_the_kernel),
		cmocka_unit_test(figure_5),
		cmocka_unit_test(slow_first_calls_are_no_saving),
		cmocka_unit_test(order_does_not_matter),
		cmocka_unit_test(processes_differ),
		cmocka_unit_test(noise_is_no_trend),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
