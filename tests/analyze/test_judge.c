/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a verdict on a single pair rests on: the body, slow calls, effects on the whole run, idle
 * time, names, the kind of workload.  Numbers are worked by hand. */
#include "tests/analyze/made.h"

#include <math.h>
#include <stdio.h>

#include "analyze/body.h"
#include "analyze/idle.h"
#include "analyze/rank/policy.h"
#include "analyze/rank/rank.h"
#include "base/arena.h"
#include "base/attr.h"
#include "base/diag.h"
#include "base/out.h"

static bool is_near(double a, double b, double within)
{
	return fabs(a - b) <= within;
}

/* --- body ------------------------------------------------------------------------------- */

/* 10, 80 and 10 % of the calls in three octaves lie symmetrically about the middle of the
 * second; where all move by a bucket, so does every quantile. */
static void the_body_follows_its_calls(void **state)
{
	struct profile *a = made_profile("unit ns\nop x\n8 1000\n9 8000\n10 1000\n");
	struct profile *b = made_profile("unit ns\nop x\n9 1000\n10 8000\n11 1000\n");

	(void)state;
	assert_true(is_near(body_location(&a->op[0].hist), 9.5, 1e-6));
	assert_true(is_near(body_quantile(&a->op[0].hist, 0.5), 9.5, 1e-6));
	assert_true(is_near(body_quantile(&a->op[0].hist, 0.1), 9, 1e-3));
	assert_true(is_near(body_quantile(&a->op[0].hist, 0.9), 10, 1e-3));
	assert_true(
		is_near(body_location(&b->op[0].hist) - body_location(&a->op[0].hist), 1, 1e-6));
	profile_free(a);
	profile_free(b);
}

/* One call of 8 ms among 792 of 1 us: the mean is 11 times higher, the body stays. */
static void one_slow_call_moves_no_body(void **state)
{
	struct profile *a = made_profile("unit ns\nop x\ntotal 792000\n9 792\n");
	struct profile *b = made_profile("unit ns\nop x\ntotal 8791000\n9 791\n22 1\n");
	bool exact;

	(void)state;
	assert_true(is_near(body_location(&b->op[0].hist), body_location(&a->op[0].hist), 0.05));
	assert_true(is_near(typical_latency(&a->op[0], &exact), 1000, 1e-9) && exact);
	(void)typical_latency(&b->op[0], &exact);
	assert_false(exact); /* what is left beside the slow call is not known well enough */
	profile_free(a);
	profile_free(b);
}

/* --- slow calls --------------------------------------------------------------------------- */

/* Of 7 slow calls all on one side of two equal ones, with a shape of 4: the beta-binomial
 * probability is B(11, 4) / B(4, 4) = 5/143, both tails 10/143. */
static void a_few_slow_calls_prove_little(void **state)
{
	struct profile *a = made_profile("unit ns\nop x\n7 1000\n");
	struct profile *b = made_profile("unit ns\nop x\n7 993\n27 7\n");
	struct profile *c = made_profile("unit ns\nop x\n7 3800\n12 200\n");
	struct profile *d = made_profile("unit ns\nop x\n7 4000\n");
	struct slow_calls few =
		slow_calls_compare(&a->op[0].hist, &b->op[0].hist, 1e-9, &slow_call_rules_default);
	struct slow_calls many =
		slow_calls_compare(&d->op[0].hist, &c->op[0].hist, 1e-9, &slow_call_rules_default);

	(void)state;
	assert_true(few.before == 0 && few.after == 7);
	assert_true(is_near(few.p, 10.0 / 143, 1e-6));
	assert_false(few.preempted); /* 134 ms is longer than a wait for the processor */
	assert_true(many.after == 200 && many.p < 1e-5);
	profile_free(a);
	profile_free(b);
	profile_free(c);
	profile_free(d);
}

/* 1 of 101 slow calls is on a side with so small a share of all calls that 1 less it is 1.  For a
 * small share, whose parameter is b = 8 * share, the probability of any at all there is
 * b (1/8 + 1/9 + ... + 1/108). */
static void sides_may_differ_by_any_factor(void **state)
{
	struct profile *a = made_profile("unit ns\nop x\n7 20\n27 1\n");
	struct profile *b = made_profile("unit ns\nop x\n7 1000000000000000000\n27 100\n");
	struct slow_calls s =
		slow_calls_compare(&a->op[0].hist, &b->op[0].hist, 1e-9, &slow_call_rules_default);
	struct slow_calls turned =
		slow_calls_compare(&b->op[0].hist, &a->op[0].hist, 1e-9, &slow_call_rules_default);
	double sum = 0;

	(void)state;
	for (int i = 8; i <= 108; i++)
		sum += 1.0 / i;
	assert_true(s.before == 1 && s.after == 100);
	assert_true(s.p > 0 && fabs(s.p / (2 * 8 * 21e-18 * sum) - 1) < 1e-6);
	assert_true(fabs(turned.p / s.p - 1) < 1e-6);
	profile_free(a);
	profile_free(b);
}

/* 1 ms of calls in which one were preempted for 8 ms: that is as often as slices end. */
static void lost_time_slices_are_recognised(void **state)
{
	struct profile *a = made_profile("unit ns\nop x\n10 792\n");
	struct profile *b = made_profile("unit ns\nop x\n10 791\n22 1\n");
	struct profile *c = made_profile("unit ns\nop x\n10 700\n22 92\n");
	struct slow_calls one =
		slow_calls_compare(&a->op[0].hist, &b->op[0].hist, 1e-9, &slow_call_rules_default);
	struct slow_calls many =
		slow_calls_compare(&a->op[0].hist, &c->op[0].hist, 1e-9, &slow_call_rules_default);

	(void)state;
	assert_true(one.preempted);
	assert_false(many.preempted);
	profile_free(a);
	profile_free(b);
	profile_free(c);
}

/* --- effects on the whole run ----------------------------------------------------------------- */

static const double takes[] = { 100, 150, 230, 400, 800, 1500, 3000, 5000, 9000, 20000 };
enum { N_TAKES = sizeof(takes) / sizeof(takes[0]) };

static struct run_effects find(double factor, double per_call, size_t changed)
{
	struct effect_point point[N_TAKES];

	for (size_t i = 0; i < N_TAKES; i++) {
		point[i] = (struct effect_point){ takes[i], factor * takes[i] + per_call };
		if (i < changed)
			point[i].after *= 8;
	}
	return run_effects_find(point, N_TAKES, &run_effect_rules_default);
}

static void whole_runs_have_effects(void **state)
{
	struct run_effects e;

	(void)state;
	assert_false(run_effects_any(&(struct run_effects){ .factor = 1 }));
	e = find(1, 0, 0);
	assert_false(run_effects_any(&e));
	e = find(1, 830, 0);
	assert_true(e.factor == 1 && is_near(e.per_call, 830, 1e-9));
	/* 20000 + 830 is 0.06 octaves more: it fits, and is not moved noticeably. */
	assert_int_equal(e.operations, N_TAKES - 1);
	assert_true(is_near(run_effects_octaves(&e, 830), 1, 1e-12));
	e = find(1.5, 0, 2); /* two that changed by themselves have no say */
	assert_true(is_near(e.factor, 1.5, 1e-9) && e.per_call == 0);
	assert_int_equal(e.operations, N_TAKES - 2);
	e = find(1, 0, 4); /* less than most of them is no effect of the run */
	assert_false(run_effects_any(&e));
	e = run_effects_find(&(struct effect_point){ 1, 2 }, 1, &run_effect_rules_default);
	assert_false(run_effects_any(&e));
}

/* --- rankings
 * ------------------------------------------------------------------------------------- */

struct fixture {
	struct profile *before, *after;
	struct arena *arena;
	struct ranking all;
};

static void setup(struct fixture *f, const char *before, const char *after,
		  const struct rank_rules *rules)
{
	struct diag diag = { .emit = NULL };
	struct rank_side b, c;

	*f = (struct fixture){ made_profile(before), made_profile(after), arena_new(), { 0 } };
	idle_mark(f->before, NULL);
	idle_mark(f->after, NULL);
	b = (struct rank_side){ f->before, totals_of(f->before), 1 };
	c = (struct rank_side){ f->after, totals_of(f->after), 1 };
	assert_true(rank(f->arena, &b, &c, rules, &f->all, &diag));
}

static void teardown(struct fixture *f)
{
	arena_free(f->arena);
	profile_free(f->before);
	profile_free(f->after);
}

static const struct ranked *named(const struct fixture *f, const char *name)
{
	for (size_t i = 0; i < f->all.n; i++) {
		const struct ranked *r = &f->all.v[i];
		const struct operation *op = ranked_operation(r);

		if (str_eq(op->name, str_from(name)))
			return r;
	}
	fail_msg("%s is not in the ranking", name);
	return NULL;
}

/* A read that takes twice as long is 1 ms of 5 s if waiting counts, and half of the work. */
static void idle_time_is_no_work(void **state)
{
	static const char *const before = "unit ns\nop read\ntotal 1000000\n9 1000\n"
					  "op epoll_wait\ntotal 5000000000\n28 10\n";
	static const char *const after = "unit ns\nop read\ntotal 2000000\n10 1000\n"
					 "op epoll_wait\ntotal 5000000000\n28 10\n";
	struct fixture f;

	(void)state;
	setup(&f, before, after, &rank_rules_default);
	assert_int_equal(named(&f, "read")->verdict, VERDICT_REGRESSED);
	assert_true(named(&f, "read")->share_before == 1);
	assert_true(f.all.before.idle == 5e9 && totals_busy(&f.all.before) == 1e6);
	assert_false(named(&f, "epoll_wait")->reported);
	teardown(&f);
}

/* One call in 16 of a takes 2^8 times as long: 17 times the mean, and the fastest calls stay.  If
 * half of the calls of three others are delayed as much, that is the machine; but not if all calls
 * of a take 16 times as long, nor if the others are as before. */
static void delays_of_all_are_of_the_machine(void **state)
{
	static const char *const b = "op b\n10 1000\nop c\n10 1000\nop d\n10 1000\n";
	static const char *const late = "op b\n10 500\n18 500\nop c\n10 500\n18 500\n"
					"op d\n10 500\n18 500\n";
	static const struct {
		const char *a;
		bool delayed, regressed;
	} cases[] = { { "10 15000\n18 1000\n", true, false },
		      { "10 15000\n18 1000\n", false, true },
		      { "14 16000\n", true, true } };
	struct fixture f;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		char before[400], after[400];
		const struct ranked *a;

		(void)snprintf(before, sizeof(before), "unit ns\nop a\n10 16000\n%s", b);
		(void)snprintf(after, sizeof(after), "unit ns\nop a\n%s%s", cases[i].a,
			       cases[i].delayed ? late : b);
		setup(&f, before, after, &rank_rules_default);
		a = named(&f, "a");
		assert_true((a->verdict == VERDICT_REGRESSED) == cases[i].regressed);
		assert_true((a->doubt == DOUBT_DELAYED) == !cases[i].regressed);
		teardown(&f);
	}
}

/* A disk may be slow by itself, and fdatasync 30 times as slow in runs of one program; but who gates on
 * one run a side wants to know that the run took so long, whatever the call is named. */
static void a_slow_disk_is_a_regression(void **state)
{
	static const char *const others = "op b\n10 1000\nop c\n10 1000\nop d\n10 1000\n";
	static const char *const names[] = { "fdatasync", "sys_exit_fsync", "pwrite" };
	struct fixture f;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		char before[400], after[400];

		(void)snprintf(before, sizeof(before), "unit ns\nop %s\n16 1000\n%s", names[i],
			       others);
		(void)snprintf(after, sizeof(after), "unit ns\nop %s\n18 1000\n%s", names[i],
			       others);
		setup(&f, before, after, &rank_rules_default);
		assert_int_equal(named(&f, names[i])->verdict, VERDICT_REGRESSED);
		teardown(&f);
	}
}

/* The same change of latency and of calls, where the other operations are called as often as before,
 * twice as often, as it happens, and more often by various factors, but none less often. */
static void calls_vary_as_those_of_the_others(void **state)
{
	static const struct {
		const char *others;
		bool regressed;
	} cases[] = { { "op b\n10 1000\nop c\n10 1000\nop d\n10 1000\nop e\n10 1000\n", true },
		      { "op b\n10 2000\nop c\n10 2000\nop d\n10 2000\nop e\n10 2000\n", true },
		      { "op b\n10 3000\nop c\n10 500\nop d\n10 1500\nop e\n10 700\n", false },
		      { "op b\n10 2000\nop c\n10 3000\nop d\n10 8000\nop e\n10 1000\n", true } };
	struct fixture f;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		char after[400];
		const struct ranked *a;

		(void)snprintf(after, sizeof(after), "unit ns\nop a\n11 4000\n%s", cases[i].others);
		setup(&f,
		      "unit ns\nop a\n10 1000\nop b\n10 1000\nop c\n10 1000\nop d\n10 1000\n"
		      "op e\n10 1000\n",
		      after, &rank_rules_default);
		a = named(&f, "a");
		assert_true((a->verdict == VERDICT_REGRESSED) == cases[i].regressed);
		assert_true((a->doubt == DOUBT_OTHER_CALLS) == !cases[i].regressed);
		teardown(&f);
	}
}

static void waiting_is_known_by_name(void **state)
{
	(void)state;
	assert_true(idle_by_name(STR("epoll_wait")));
	assert_true(idle_by_name(STR("tracepoint:syscalls:sys_exit_clock_nanosleep")));
	assert_true(idle_by_name(STR("__x64_sys_ppoll")));
	assert_false(idle_by_name(STR("read")));
	assert_false(idle_by_name(STR("epoll")));
	assert_false(idle_by_name(STR("epoll_waits")));
	assert_false(idle_by_name(STR("")));
}

/* Ten times as many calls of which each takes longer are no improvement, whatever the total. */
static void what_rose_is_not_improved(void **state)
{
	struct fixture f;

	(void)state;
	setup(&f, "unit ns\nop write\ntotal 21500000\n11 8192\nop b\ntotal 1000000\n9 1000\n",
	      "unit ns\nop write\ntotal 8400000\n14 512\nop b\ntotal 1000000\n9 1000\n",
	      &rank_rules_default);
	assert_int_equal(named(&f, "write")->verdict, VERDICT_CHANGED_SHAPE);
	assert_true(named(&f, "write")->reported);
	teardown(&f);
}

/* 7.9 s of fdatasync where the run worked 52 ms fails a gate; 1 ms of it does not. */
static void what_is_new_counts_by_what_it_adds(void **state)
{
	static const char *const before = "unit ns\nop a\ntotal 52000000\n12 10000\n"
					  "op b\ntotal 5200000\n12 1000\n";
	struct fixture f;

	(void)state;
	setup(&f, before,
	      "unit ns\nop a\ntotal 52000000\n12 10000\nop b\ntotal 5200000\n12 1000\n"
	      "op fdatasync\ntotal 7900000000\n22 1900\n",
	      &rank_rules_default);
	assert_int_equal(named(&f, "fdatasync")->verdict, VERDICT_NEW);
	assert_true(policy_ruling(NULL, VERDICTS_REGRESSED, named(&f, "fdatasync")).failed);
	assert_ptr_equal(&f.all.v[0], named(&f, "fdatasync"));
	teardown(&f);
	setup(&f, before,
	      "unit ns\nop a\ntotal 52000000\n12 10000\nop b\ntotal 5200000\n12 1000\n"
	      "op fdatasync\ntotal 1000000\n19 2\n",
	      &rank_rules_default);
	assert_true(named(&f, "fdatasync")->reported);
	assert_false(policy_ruling(NULL, VERDICTS_REGRESSED, named(&f, "fdatasync")).failed);
	teardown(&f);
}

/* --- names
 * ------------------------------------------------------------------------------------------ */

/* Whether the only operations of both sides are one. */
static bool are_paired(const char *before, const char *after)
{
	char b[64], a[64];
	struct fixture f;
	size_t n;

	snprintf(b, sizeof(b), "unit ns\nop %s\n9 100\n", before);
	snprintf(a, sizeof(a), "unit ns\nop %s\n9 100\n", after);
	setup(&f, b, a, &rank_rules_default);
	n = f.all.n;
	teardown(&f);
	return n == 1;
}

static void names_may_differ(void **state)
{
	const struct rename_rule rename = { STR_INIT("old"), STR_INIT("new") };
	struct rank_rules rules = rank_rules_default;
	struct fixture f;

	(void)state;
	setup(&f, "unit ns\nop pread64\n9 100\nop write\n9 100\n",
	      "unit ns\nop write\n9 100\nop pread\n10 100\n", &rules);
	assert_int_equal(f.all.n, 2);
	assert_true(named(&f, "pread64")->renamed);
	teardown(&f);
	setup(&f, "unit ns\nop sleep 0.1\n9 100\n", "unit ns\nop sleep 0.2\n9 100\n", &rules);
	assert_int_equal(f.all.n, 1);
	teardown(&f);
	assert_true(are_paired("/opt/old/bench -n 5", "bench -n 5"));
	assert_true(are_paired("reads/read", "randread/read"));
	/* To be the only ones is no evidence. */
	assert_false(are_paired("read", "nvme0n1"));
	assert_false(are_paired("job/read", "job/write"));
	assert_false(are_paired("vfs_read", "vfs_write"));
	assert_false(are_paired("http://before/", "http://after/"));
	setup(&f, "unit ns\nop job1/read\n9 100\nop job1/write\n9 100\n",
	      "unit ns\nop job2/write\n9 100\nop job2/read\n9 100\n", &rules);
	assert_int_equal(f.all.n, 2);
	assert_true(str_eq(named(&f, "job1/read")->after->name, STR("job2/read")));
	teardown(&f);
	/* Where something matches, what is left over is new and gone. */
	setup(&f, "unit ns\nop a\n9 100\nop old\n9 100\n", "unit ns\nop a\n9 100\nop new\n9 100\n",
	      &rules);
	assert_int_equal(f.all.n, 3);
	teardown(&f);
	rules.rename = &rename;
	rules.n_renames = 1;
	setup(&f, "unit ns\nop a\n9 100\nop old\n9 100\n", "unit ns\nop a\n9 100\nop new\n9 100\n",
	      &rules);
	assert_int_equal(f.all.n, 2);
	assert_true(str_eq(named(&f, "old")->after->name, STR("new")));
	teardown(&f);
}

/* --- workloads
 * ------------------------------------------------------------------------------------------ */

/* Reads with a fourth of the size: four times as many that take a fourth each, beside other calls
 * as before, are no closed loop. */
static void other_sizes_are_no_closed_loop(void **state)
{
	struct fixture f;

	(void)state;
	setup(&f,
	      "unit ns\nop pread\ntotal 40000000\n11 20000\nop open\ntotal 900000\n9 1000\n"
	      "op close\ntotal 900000\n9 1000\n",
	      "unit ns\nop pread\ntotal 40000000\n9 80000\nop open\ntotal 900000\n9 1000\n"
	      "op close\ntotal 900000\n9 1000\n",
	      &rank_rules_default);
	assert_false(f.all.fixed_duration);
	assert_true(named(&f, "open")->calls_octaves == 0);
	teardown(&f);
}

static void workloads_can_be_given(void **state)
{
	static const char *const before = "unit ns\nop x\ntotal 31000000\n10 20000\n";
	static const char *const after = "unit ns\nop x\ntotal 31000000\n11 10000\n";
	struct rank_rules rules = rank_rules_default;
	struct fixture f;

	(void)state;
	rules.workload = WORKLOAD_FIXED_WORK;
	setup(&f, before, after, &rules);
	assert_false(f.all.fixed_duration);
	assert_true(named(&f, "x")->calls_octaves == -1);
	teardown(&f);
	rules.workload = WORKLOAD_FIXED_DURATION;
	setup(&f, before, after, &rules);
	assert_true(f.all.iterations_octaves == -1 && named(&f, "x")->calls_octaves == 0);
	assert_int_equal(named(&f, "x")->verdict, VERDICT_REGRESSED);
	teardown(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_body_follows_its_calls),
		cmocka_unit_test(one_slow_call_moves_no_body),
		cmocka_unit_test(a_few_slow_calls_prove_little),
		cmocka_unit_test(sides_may_differ_by_any_factor),
		cmocka_unit_test(lost_time_slices_are_recognised),
		cmocka_unit_test(whole_runs_have_effects),
		cmocka_unit_test(idle_time_is_no_work),
		cmocka_unit_test(delays_of_all_are_of_the_machine),
		cmocka_unit_test(a_slow_disk_is_a_regression),
		cmocka_unit_test(calls_vary_as_those_of_the_others),
		cmocka_unit_test(waiting_is_known_by_name),
		cmocka_unit_test(what_rose_is_not_improved),
		cmocka_unit_test(what_is_new_counts_by_what_it_adds),
		cmocka_unit_test(names_may_differ),
		cmocka_unit_test(other_sizes_are_no_closed_loop),
		cmocka_unit_test(workloads_can_be_given),
	};

	return cmocka_run_group_tests_name("judge", tests, NULL, NULL);
}
