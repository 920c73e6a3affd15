/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histories of profiles: changes, drifts, outlier runs, what comes and goes. */
#include "tests/analyze/made.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/history/history.h"
#include "analyze/rank/policy.h"
#include "analyze/stats/random.h"
#include "base/diag.h"
#include "base/out.h"

enum { RUNS = 30, OPERATIONS = 12 };

/* What is done to the first operation, and to all. */
struct plan {
	double noise;	/* octaves */
	double step;	/* octaves at run `at` */
	double calls;	/* times as many from run `at` on */
	double all;	/* octaves that all others move at run `at`, too */
	double drift;	/* octaves a run */
	double outlier; /* octaves of run 11 alone */
	size_t at;
	size_t from, to; /* runs that have operation 1; to 0: all */
	size_t files;	 /* each run is a sum of so many */
};

/* All calls of one operation lie in two buckets; the share of the upper one moves the
 * shift, and the stated total the mean, by the same number of octaves. */
static void write_operation(struct out *o, size_t number, double octaves, double calls)
{
	double share = 0.5 + octaves;
	unsigned long long n = (unsigned long long)calls;
	unsigned long long upper = (unsigned long long)(calls * fmin(fmax(share, 0.02), 0.98));

	out_printf(o, "op op%zu\ntotal %.0f\n10 %llu\n11 %llu\n", number,
		   calls * 2048 * exp2(octaves), n - upper, upper);
}

static struct profile *run_of(const struct plan *plan, size_t k, uint64_t *state)
{
	struct out *o = out_to_memory();
	double files = plan->files > 0 ? (double)plan->files : 1;
	struct profile *p;

	out_text(o, "unit ns\n");
	for (size_t i = 0; i < OPERATIONS; i++) {
		double octaves = plan->noise * (random_share(state) + random_share(state) - 1);
		double calls = 10000 * files;

		if (i == 1 && plan->to > 0 && (k < plan->from || k >= plan->to))
			continue;
		if (k >= plan->at)
			octaves += i == 0 ? plan->step : plan->all;
		if (i == 0) {
			octaves += plan->drift * (double)k + (k == 10 ? plan->outlier : 0);
			calls *= plan->calls > 0 && k >= plan->at ? plan->calls : 1;
		}
		write_operation(o, i, octaves, calls);
	}
	out_char(o, '\0');
	p = made_profile(out_memory(o).p);
	out_free(o);
	return p;
}

struct fixture {
	struct history *history;
	struct history_findings f;
};

static struct fixture judge(const struct plan *plan, uint64_t seed)
{
	struct fixture x = { .history = history_new() };
	struct diag diag = { .emit = NULL };

	for (size_t k = 0; k < RUNS; k++) {
		struct profile *p = run_of(plan, k, &seed);

		assert_true(
			history_add(x.history, "run", p, plan->files > 0 ? plan->files : 1, &diag));
		profile_free(p);
	}
	x.f = history_judge(x.history, &history_rules_default);
	return x;
}

static const struct past *operation(const struct history_findings *f, const char *name)
{
	for (size_t i = 0; i < f->n; i++) {
		if (str_eq(f->v[i].name, str_from(name)))
			return &f->v[i];
	}
	fail_msg("no operation %s", name);
	return NULL;
}

static void nothing_changes(void **state)
{
	size_t said = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct fixture x = judge(&(struct plan){ .noise = 0.1 }, seed);

		said += x.f.n_reported;
		assert_true(x.f.run_effect_removed);
		assert_int_equal(x.f.n_tested, OPERATIONS);
		history_free(x.history);
	}
	assert_true(said <= 2);
}

/* 0.2 octaves up at run 16: the place, the effect, and no other operation. */
static void a_step_is_reported(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 10; seed++) {
		struct fixture x =
			judge(&(struct plan){ .noise = 0.1, .step = 0.2, .at = 15 }, seed);
		const struct past *p = operation(&x.f, "op0");

		assert_true(&x.f.v[0] == p && p->reported);
		assert_int_equal(p->n_changes, 1);
		assert_int_equal(p->change[0].kind, CHANGE_STEP);
		assert_true(labs((long)p->change[0].at - 15) <= 1);
		assert_int_equal(p->change[0].verdict, VERDICT_REGRESSED);
		assert_float_equal(p->change[0].effect[HISTORY_MEAN], 0.2, 0.06);
		assert_float_equal(p->change[0].effect[HISTORY_SHIFT], 0.2, 0.06);
		assert_float_equal(p->change[0].before.calls, 10000, 0);
		assert_true(p->change[0].q < 0.01);
		assert_true(history_fails(&x.f, VERDICTS_REGRESSED, 16));
		assert_false(history_fails(&x.f, VERDICTS_REGRESSED, 12));
		assert_false(history_fails(&x.f, 1 << VERDICT_IMPROVED, RUNS));
		history_free(x.history);
	}
}

static void faster_is_improved(void **state)
{
	struct fixture x = judge(&(struct plan){ .noise = 0.1, .step = -0.3, .at = 25 }, 3);
	const struct past *p = operation(&x.f, "op0");

	(void)state;
	assert_int_equal(p->n_changes, 1);
	assert_int_equal(p->change[0].at, 25);
	assert_int_equal(p->change[0].verdict, VERDICT_IMPROVED);
	history_free(x.history);
}

/* Twice the calls; runs that are sums of three say the same of one. */
static void calls_are_counted_a_run(void **state)
{
	(void)state;
	for (size_t files = 1; files <= 3; files += 2) {
		struct fixture x = judge(
			&(struct plan){ .noise = 0.1, .calls = 2, .at = 10, .files = files }, 4);
		const struct past *p = operation(&x.f, "op0");

		assert_int_equal(p->n_changes, 1);
		assert_int_equal(p->change[0].at, 10);
		assert_true(p->change[0].significant[HISTORY_CALLS]);
		assert_false(p->change[0].significant[HISTORY_MEAN]);
		assert_float_equal(p->change[0].before.calls, 10000, 1);
		assert_float_equal(p->change[0].after.calls, 20000, 1);
		assert_int_equal(p->change[0].verdict, VERDICT_REGRESSED);
		history_free(x.history);
	}
}

/* All got slower but one: the machine did, once, and nobody is blamed; the one that
 * stood still is not improved. */
static void the_machine_is_reported_once(void **state)
{
	struct fixture x = judge(&(struct plan){ .noise = 0.1, .all = 0.3, .at = 12 }, 5);

	(void)state;
	assert_int_equal(x.f.n_reported, 0);
	assert_int_equal(x.f.run_effect.n_changes, 1);
	assert_int_equal(x.f.run_effect.change[0].at, 12);
	assert_float_equal(x.f.run_effect.change[0].effect[HISTORY_MEAN], 0.3, 0.05);
	history_free(x.history);
}

/* Noise can look like a staircase, or as if it wandered, so not all of them. */
static void drift_is_no_step(void **state)
{
	size_t drifts = 0, found = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 10; seed++) {
		struct fixture x = judge(&(struct plan){ .noise = 0.1, .drift = 0.012 }, seed);
		const struct past *p = operation(&x.f, "op0");

		found += p->n_changes > 0;
		if (p->n_changes > 0)
			assert_int_equal(p->change[0].verdict, VERDICT_REGRESSED);
		if (p->n_changes > 0 && p->change[0].kind == CHANGE_DRIFT) {
			drifts++;
			assert_int_equal(p->n_changes, 1);
			assert_float_equal(p->change[0].effect[HISTORY_MEAN], 0.012 * 29, 0.08);
			assert_true(history_fails(&x.f, VERDICTS_REGRESSED, 1));
		}
		history_free(x.history);
	}
	assert_true(found >= 9 && drifts >= 8);
}

/* Run 7 of 12 has a processor 1.3 times as slow, and from run 8 on calls take as much longer. */
static void a_slow_processor_is_no_change(void **state)
{
	struct history *h = history_new();
	struct diag diag = { .emit = NULL };
	struct history_findings f;
	const struct past *p;

	(void)state;
	for (size_t k = 0; k < 12; k++) {
		uint64_t noise = k + 1;
		double slow = k == 6 ? 0.4 : 0.04 * (double)(k % 3);
		double step = k < 7 ? 0 : 0.4, wobble = 0.03 * (random_share(&noise) - 0.5);
		char text[200];
		struct profile *run;

		(void)snprintf(text, sizeof(text),
			       "unit ns\nop read\ntotal %.0f\n10 4000\n11 4000\n",
			       8000 * 1600 * exp2(step + slow + wobble));
		run = made_profile(text);
		run->cpu_speed = 2e9 / exp2(slow);
		assert_true(history_add(h, "run", run, 1, &diag));
		profile_free(run);
	}
	f = history_judge(h, &history_rules_default);
	p = operation(&f, "read");
	assert_true(f.speed_removed);
	assert_float_equal(f.speed_range, 0.4, 1e-9);
	assert_int_equal(p->n_changes, 1);
	assert_int_equal(p->change[0].kind, CHANGE_STEP);
	assert_int_equal(p->change[0].at, 7);
	assert_float_equal(p->change[0].effect[HISTORY_MEAN], 0.4, 0.05);
	assert_int_equal(p->n_outliers, 0);
	history_free(h);
}

static void an_odd_run_is_reported_apart(void **state)
{
	struct fixture x = judge(&(struct plan){ .noise = 0.1, .outlier = 0.5 }, 6);
	const struct past *p = operation(&x.f, "op0");

	(void)state;
	assert_int_equal(x.f.n_reported, 0);
	assert_int_equal(p->n_outliers, 1);
	assert_int_equal(p->outlier[0].run, 10);
	assert_float_equal(p->outlier[0].mean, 0.5, 0.1);
	assert_true(p->outlier[0].calls == 0);
	history_free(x.history);
}

static void operations_come_and_go(void **state)
{
	struct fixture late = judge(&(struct plan){ .noise = 0.1, .from = 20, .to = RUNS }, 7);
	struct fixture early = judge(&(struct plan){ .noise = 0.1, .from = 0, .to = 8 }, 7);
	/* In the last run only: 1 of 30 says nothing. */
	struct fixture once = judge(&(struct plan){ .noise = 0.1, .from = 29, .to = RUNS }, 7);
	const struct past *p = operation(&late.f, "op1");

	(void)state;
	assert_int_equal(p->n_changes, 1);
	assert_int_equal(p->change[0].kind, CHANGE_NEW);
	assert_int_equal(p->change[0].at, 20);
	assert_true(history_fails(&late.f, VERDICTS_ANY, 10));
	assert_false(history_fails(&late.f, VERDICTS_REGRESSED, 10));
	p = operation(&early.f, "op1");
	assert_int_equal(p->n_changes, 1);
	assert_int_equal(p->change[0].kind, CHANGE_GONE);
	assert_int_equal(p->change[0].at, 8);
	assert_float_equal(p->change[0].before.calls, 10000, 0);
	assert_int_equal(operation(&once.f, "op1")->n_changes, 0);
	history_free(late.history);
	history_free(early.history);
	history_free(once.history);
}

/* Microseconds become nanoseconds; what is no time cannot. */
static void units_are_brought_together(void **state)
{
	const char *const text[] = { "unit us\nop a\ntotal 10\n3 1\n",
				     "unit ns\nop a\ntotal 10000\n13 1\n",
				     "unit cycles\nop a\n13 1\n" };
	struct diag diag = { .emit = NULL };
	struct history *h = history_new();
	struct profile *p[3];

	(void)state;
	for (size_t i = 0; i < 3; i++)
		p[i] = made_profile(text[i]);
	for (size_t k = 0; k < 10; k++)
		assert_true(history_add(h, "run", p[k % 2], 1, &diag));
	assert_false(history_add(h, "cycles", p[2], 1, &diag));
	assert_int_equal(diag.seen[SEV_ERROR], 1);
	{
		struct history_findings f = history_judge(h, &history_rules_default);

		assert_int_equal(f.n_runs, 10);
		for (size_t k = 0; k < 10; k++)
			assert_float_equal(f.v[0].mean[k], 10, 1e-9);
	}
	for (size_t i = 0; i < 3; i++)
		profile_free(p[i]);
	history_free(h);
}

static void another_workload_stands_out(void **state)
{
	struct diag diag = { .emit = NULL };
	struct history *h = history_new();
	struct profile *other = made_profile("unit ns\nop x\n3 100\nop y\n3 100\n");
	uint64_t seed = 9;
	struct history_findings f;

	(void)state;
	for (size_t k = 0; k < 10; k++) {
		struct profile *p = run_of(&(struct plan){ .noise = 0.1 }, k, &seed);

		assert_true(history_add(h, k == 4 ? "other" : "run", k == 4 ? other : p, 1, &diag));
		profile_free(p);
	}
	f = history_judge(h, &history_rules_default);
	assert_non_null(f.dissimilar);
	assert_string_equal(f.dissimilar->name, "other");
	assert_int_equal(f.likeness.shared, 0);
	profile_free(other);
	history_free(h);
}

/* y is in both: 20 % of what the first takes and 30 % of the other, or 90 % and 30 %. */
static void likeness_is_by_latency(void **state)
{
	struct profile *core_x =
		made_profile("unit ns\nop x\ntotal 80\n4 4\nop y\ntotal 20\n4 1\n");
	struct profile *core_y =
		made_profile("unit ns\nop x\ntotal 10\n3 1\nop y\ntotal 90\n4 4\n");
	struct profile *other = made_profile("unit ns\nop y\ntotal 30\n4 1\nop z\ntotal 70\n4 3\n");
	const struct profile *const runs[] = { core_y, other, core_y, core_y };
	struct profile *sum = made_profile(
		"unit ns\nop x\ntotal 30\n3 3\nop y\ntotal 300\n4 13\nop z\ntotal 70\n4 3\n");
	struct likeness l = likeness_of(core_x, other);

	(void)state;
	assert_int_equal(l.shared, 1);
	assert_int_equal(l.of, 2);
	assert_float_equal(l.own, 0.2, 1e-12);
	assert_float_equal(l.theirs, 0.3, 1e-12);
	assert_true(likeness_is_low(&l));
	l = likeness_of(core_y, other);
	assert_float_equal(l.own, 0.9, 1e-12);
	assert_false(likeness_is_low(&l));
	/* y is 30 of 100 in the odd one, 270 of 300 in the others: still of one kind. */
	assert_int_equal(find_dissimilar_run(runs, 4, sum, &l), 4);
	assert_int_equal(find_dissimilar_run(&runs[0], 1, core_y, &l), 1);
	profile_free(core_x);
	profile_free(core_y);
	profile_free(other);
	profile_free(sum);
}

/* Of two workloads with as many runs each neither is the odd one; of three runs one is. */
static void half_of_the_runs_are_no_exception(void **state)
{
	struct profile *x = made_profile("unit ns\nop a\n4 10\nop b\n4 10\n");
	struct profile *y = made_profile("unit ns\nop c\n4 10\nop d\n4 10\n");
	struct profile *sum =
		made_profile("unit ns\nop a\n4 20\nop b\n4 20\nop c\n4 20\nop d\n4 20\n");
	const struct profile *const runs[] = { x, x, y, y };
	struct likeness l;

	(void)state;
	assert_int_equal(find_dissimilar_run(runs, 4, sum, &l), 4);
	assert_int_equal(find_dissimilar_run(runs, 3, sum, &l), 2);
	assert_int_equal(l.shared, 0);
	profile_free(x);
	profile_free(y);
	profile_free(sum);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_changes),
		cmocka_unit_test(a_step_is_reported),
		cmocka_unit_test(faster_is_improved),
		cmocka_unit_test(calls_are_counted_a_run),
		cmocka_unit_test(the_machine_is_reported_once),
		cmocka_unit_test(drift_is_no_step),
		cmocka_unit_test(a_slow_processor_is_no_change),
		cmocka_unit_test(an_odd_run_is_reported_apart),
		cmocka_unit_test(operations_come_and_go),
		cmocka_unit_test(units_are_brought_together),
		cmocka_unit_test(another_workload_stands_out),
		cmocka_unit_test(likeness_is_by_latency),
		cmocka_unit_test(half_of_the_runs_are_no_exception),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
