/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forced preemption against worked cases, and against tests/oracle/preempt.py. */
#include "tests/analyze/made.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze/calls/preempt.h"
#include "analyze/stats/random.h"
#include "base/arena.h"
#include "base/attr.h"
#include "base/diag.h"
#include "base/input/input_file.h"
#include "base/out.h"
#include "formats/format.h"
#include "tests/mean_alone.h"

static const char *testdata;

static void assert_near(double a, double b)
{
	assert_true(fabs(a - b) <= 1e-6 * fabs(b));
}

static struct preempt_terms terms_of(double quantum)
{
	return (struct preempt_terms){ .quantum = quantum, .tperiod = NAN, .elapsed = NAN };
}

/* --- equation 3 ---------------------------------------------------------------------------- */

static void the_papers_example(void **state)
{
	(void)state;
	assert_near(preempt_log10_probability(1024, 2048, 0.01, 0x1p26), -143.32697342314836);
}

static void other_arguments(void **state)
{
	(void)state;
	assert_true(preempt_log10_probability(1, 1, 0, 1000) == 0);
	assert_near(preempt_log10_probability(3, 8, 0.5, 10), -0.80225622685226);
	/* Far below what a double can hold, and a probability that 1 - Y would lose. */
	assert_near(preempt_log10_probability(1e-3, 7, 1e-9, 1e15), -62045.91397238273930);
	assert_true(preempt_log10_probability(1, 2, 1, 10) == -HUGE_VAL);
}

/* --- expected and observed --------------------------------------------------------------- */

static struct preempt_op only_one(struct arena *a, const struct profile *p,
				  const struct preempt_terms *t)
{
	struct preemption all = preemption_of(a, p, t, &preempt_rules_default);

	assert_int_equal(all.n_ops, 1);
	return all.op[0];
}

/* Two processes, 250 Hz, 2.596 GHz: from (29988030 x 256 + 8697 x 512) / 10384000 to twice that.
 * Q / 2 lies in bucket 22. */
static void two_processes_on_a_processor(void **state)
{
	struct profile *p = made_profile("unit cycles\nhz 2596000000\nop read\n"
					 "8 29988030\n9 8697\n22 500\n23 500\n24 55\n");
	struct preempt_terms t = terms_of(10384000);
	struct arena *a = arena_new();
	struct preempt_op op = only_one(a, p, &t);

	(void)state;
	assert_true(op.expected > 1.4 * op.expected_low && op.expected < 1.5 * op.expected_low);
	assert_near(op.expected_low, 1109.599654853621 * 2 / 3);
	assert_near(op.expected_high, 1109.599654853621 * 4 / 3);
	assert_int_equal(op.observed, 1055);
	assert_true(op.observed_low_edge == 4194304);
	assert_true(op.within_band && op.p == 1 && op.verdict == PREEMPT_AGREES);
	/* Nothing else is known: calls follow each other at once. */
	assert_true(op.tperiod == op.tcpu && op.log10_probability == 0);
	arena_free(a);
	profile_free(p);
}

/* A yield in one of four calls.  A quantum is left after four calls, with probability
 * s = (3/4)^4 = 81/256, or at the first yield: s Y / (1 - s) = 81/700 of a preemption a call. */
static void calls_that_yield(void **state)
{
	struct profile *p = made_profile("unit ns\nop read\n3 4000\n6 1\n");
	struct arena *a = arena_new();
	const double tcpu = 8 * mean_alone;
	struct preempt_terms t = terms_of(4 * tcpu);
	struct preempt_op op;

	(void)state;
	t.yield = 0.25;
	op = only_one(a, p, &t);
	assert_near(op.tcpu, tcpu);
	assert_near(op.expected, 4000 * 81.0 / 700);
	assert_near(op.expected_low, 4000 * 81.0 / 700 / mean_alone);
	assert_near(op.log10_probability, log10(81.0 / 256));
	assert_int_equal(op.verdict, PREEMPT_FEWER);
	/* From call to call it takes twice as long: s = 9/16, and half of the time is in calls. */
	t.tperiod = 2 * tcpu;
	op = only_one(a, p, &t);
	assert_near(op.expected, 2000 * 9.0 / 28);
	assert_near(op.log10_probability, log10(9.0 / 32));
	/* The same from elapsed time. */
	t.tperiod = NAN;
	t.elapsed = 4001 * 2 * tcpu;
	assert_near(only_one(a, p, &t).expected, 2000 * 9.0 / 28);
	/* Rare yields change nothing. */
	t.yield = 1e-12;
	assert_near(only_one(a, p, &t).expected, 1000);
	/* A call is a part of the period. */
	t.tperiod = 1;
	assert_near(only_one(a, p, &t).tperiod, tcpu);
	t.yield = 1;
	op = only_one(a, p, &t);
	assert_true(op.expected == 0 && op.log10_probability == -HUGE_VAL && op.p == 0);
	assert_int_equal(op.verdict, PREEMPT_MORE);
	arena_free(a);
	profile_free(p);
}

/* --- a simulated scheduler ------------------------------------------------------------------ */

/* Two processes share a processor.  A call takes 1000 ns, give or take a fifth, and as much passes
 * until the next one; a yield, or the end of a quantum, begins a new quantum.  A call in which a
 * quantum ends lasts a quantum longer.  Returns a profile at resolution 8. */
static struct profile *simulate(double yield, double quantum, int n_calls, uint64_t *ret_preempted)
{
	enum { BUCKETS = 300, RESOLUTION = 8 };
	static uint64_t count[BUCKETS];
	uint64_t state = 15;
	double left = quantum;
	struct out *o = out_to_memory();
	struct profile *p;

	memset(count, 0, sizeof(count));
	*ret_preempted = 0;
	for (int i = 0; i < n_calls; i++) {
		double between = 800 + 400 * random_share(&state);
		double call = 800 + 400 * random_share(&state);

		left -= between;
		left += left <= 0 ? quantum : 0;
		left -= call;
		if (left <= 0) {
			left += quantum;
			call += quantum;
			++*ret_preempted;
		}
		count[(int)(RESOLUTION * log2(call))]++;
		if (random_share(&state) < yield)
			left = quantum;
	}
	out_printf(o, "unit ns\nop read\nbuckets log2 %d\n", RESOLUTION);
	for (int i = 0; i < BUCKETS; i++) {
		if (count[i] > 0)
			out_printf(o, "%d %llu\n", i, (unsigned long long)count[i]);
	}
	p = made_profile(out_memory(o).p);
	out_free(o);
	return p;
}

/* The number of yields in a quantum, Q Y / t_period, is 0, 0.1, 1, 2 and 4. */
static void as_a_scheduler_does(void **state)
{
	static const double yields[] = { 0, 5e-4, 5e-3, 1e-2, 2e-2 };
	const double quantum = 400e3;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(yields); i++) {
		struct preempt_terms t = {
			.quantum = quantum, .yield = yields[i], .tperiod = 2000, .elapsed = NAN
		};
		struct arena *a = arena_new();
		uint64_t preempted;
		struct profile *p = simulate(yields[i], quantum, 1000000, &preempted);
		struct preempt_op op = only_one(a, p, &t);

		print_message("yields in a quantum %.1f: %llu preempted, %.0f expected\n",
			      quantum * yields[i] / 2000, (unsigned long long)preempted,
			      op.expected);
		assert_int_equal(op.observed, preempted);
		/* Within three standard deviations of a count. */
		assert_true(fabs(op.expected - (double)preempted) < 3 * sqrt(op.expected));
		assert_int_equal(op.verdict, PREEMPT_AGREES);
		arena_free(a);
		profile_free(p);
	}
}

/* P by adding up Poisson's law: 30 or more of 16; 5 or fewer of 8. */
static void verdicts(void **state)
{
	static const struct {
		const char *buckets;
		enum preempt_verdict verdict;
		double p;
	} cases[] = {
		/* 64 to 128 units a call, Q 1024: 8 to 16 expected of 128 calls. */
		{ "6 128\n10 8\n", PREEMPT_AGREES, 1 },
		{ "6 128\n10 16\n", PREEMPT_AGREES, 1 },
		{ "6 128\n10 5\n", PREEMPT_AGREES, 0.1912360620796253 },
		{ "6 128\n10 30\n", PREEMPT_MORE, 0.0011311953571552 },
		{ "6 12800\n10 5\n", PREEMPT_FEWER, 0 },
		{ "6 4\n", PREEMPT_NEGLIGIBLE, 0 },
		{ "10 5\n", PREEMPT_TOO_LONG, 0 },
		{ "6 4\n10 5\n", PREEMPT_TOO_LONG, 0 },
	};
	struct preempt_terms t = terms_of(1024);

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct arena *a = arena_new();
		struct profile *p;
		struct preempt_op op;
		char text[100];

		(void)snprintf(text, sizeof(text), "unit ns\nop read\n%s", cases[i].buckets);
		p = made_profile(text);
		op = only_one(a, p, &t);
		assert_int_equal(op.verdict, cases[i].verdict);
		if (op.verdict == PREEMPT_AGREES || op.verdict == PREEMPT_MORE)
			assert_near(op.p, cases[i].p);
		assert_true(op.within_band ==
			    (op.observed >= op.expected_low && op.observed <= op.expected_high));
		arena_free(a);
		profile_free(p);
	}
}

/* Doubling the quantum halves what is expected; the bounds of two parts add up. */
static void properties(void **state)
{
	struct profile *whole = made_profile("unit ns\nop r\n4 1000\n5 500\n12 3\n");
	struct profile *part = made_profile("unit ns\nop r\n4 1000\n");
	struct profile *rest = made_profile("unit ns\nop r\n5 500\n12 3\n");
	struct preempt_terms t = terms_of(4096), twice = terms_of(8192);
	struct arena *a = arena_new();
	struct preempt_op op = only_one(a, whole, &t);

	(void)state;
	assert_near(op.expected, 2 * only_one(a, whole, &twice).expected);
	assert_near(op.expected_low,
		    only_one(a, part, &t).expected_low + only_one(a, rest, &t).expected_low);
	assert_int_equal(op.observed, 3);
	arena_free(a);
	profile_free(whole);
	profile_free(part);
	profile_free(rest);
}

static void what_has_no_latencies_is_left_out(void **state)
{
	struct profile *p = made_profile("unit ns\nop a\ncount 3\ntotal 9\nop b\n3 1\n"
					 "op c\nunit plain\n3 1\n");
	struct preempt_terms t = terms_of(1000);
	struct arena *a = arena_new();
	struct preemption all = preemption_of(a, p, &t, &preempt_rules_default);

	(void)state;
	assert_int_equal(all.n_ops, 1);
	assert_int_equal(all.n_left_out, 2);
	arena_free(a);
	profile_free(p);
}

/* OSprof 3.3: elapsed time over the elements of bucket 13 is 4 ms, the timer. Here 8 s
 * at 1.7 GHz; 1000 x 96 x 1.7e6 cycles are spent in calls. */
static void the_timer(void **state)
{
	struct profile *p = made_profile("unit cycles\nhz 1700000000\nelapsed 8\nop read\n"
					 "6 100000000\n13 2000\n26 278\n");
	struct preempt_terms t = terms_of(0x1p26);
	struct arena *a = arena_new();
	struct preempt_op op;

	(void)state;
	t.elapsed = p->elapsed * p->hz;
	op = only_one(a, p, &t);
	assert_int_equal(op.n_events, 1);
	assert_int_equal(op.event[0].peak.count, 2000);
	assert_near(op.event[0].period / p->hz, 4e-3);
	assert_near(op.event[0].inside, (1e8 * 64 + 2000 * 8192.0) * mean_alone / 2000);
	assert_int_equal(op.observed, 278);
	arena_free(a);
	profile_free(p);
}

/* --- the quantum ------------------------------------------------------------------------------ */

static void the_quantum_in_a_profile(void **state)
{
	const struct {
		const char *text;
		double quantum;
	} cases[] = {
		{ "unit ns\nop read\n8 1000000\n21 100\nop open\n8 10\n24 5\n",
		  0x1p21 * mean_alone },
		{ "unit cycles\nhz 1e9\nop read\n8 1000000\n21 100\n", 0x1p21 * mean_alone },
		{ "unit cycles\nop read\n8 1000000\n21 100\n", NAN }, /* no clock rate */
		{ "unit ns\nop read\n8 1000000\n14 100\n", NAN },     /* 25 us: no quantum */
		{ "unit ns\nop read\n21 1000000\n", NAN },	      /* one peak */
		{ "unit ns\nop read\ncount 3\ntotal 4000\n", NAN },   /* no histogram */
		{ "unit ns\nop read\n8 1000000\n31 100\n", NAN },     /* 3 s */
	};
	struct arena *a = arena_new();

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct profile *p = made_profile(cases[i].text);
		double q = preempt_quantum_seen(a, p, &preempt_rules_default);

		if (isnan(cases[i].quantum))
			assert_true(isnan(q));
		else
			assert_near(q, cases[i].quantum);
		profile_free(p);
	}
	arena_free(a);
}

static void the_quantum_of_a_kernel(void **state)
{
	static const struct {
		struct scheduler_settings settings;
		unsigned processes;
		double quantum;
	} cases[] = {
		{ { .slice = 1.4e-3, .tick = 4e-3 }, 2, 4e-3 },
		{ { .slice = 2.8e-3, .tick = 1e-3 }, 2, 3e-3 },
		{ { .slice = 3e-3, .tick = 1e-3 }, 2, 3e-3 },	      /* ends at a tick by itself */
		{ { .slice = 23e6 * 1e-9, .tick = 1e-3 }, 2, 23e-3 }, /* 23.000000000000004 ticks */
		{ { .slice = 2.8e-3 }, 2, 2.8e-3 },
		{ { .latency = 12e-3, .granularity = 1.5e-3, .tick = 4e-3 }, 2, 8e-3 },
		{ { .latency = 12e-3, .granularity = 1.5e-3, .tick = 1e-3 }, 16, 2e-3 },
	};
	const struct scheduler_settings nothing = { .tick = 4e-3 };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++)
		assert_near(scheduler_quantum(&cases[i].settings, cases[i].processes),
			    cases[i].quantum);
	assert_true(isnan(scheduler_quantum(&nothing, 2)));
}

/* --- captures ---------------------------------------------------------------------------- */

static struct profile *read_profile(const char *name)
{
	struct read_options options = { .resolution = 0 };
	struct diag diag = { .emit = NULL };
	struct profile *p;
	struct input in;
	char path[1000];

	(void)snprintf(path, sizeof(path), "%s/runs/preempt/%s.osprof", testdata, name);
	assert_true(input_open(&in, path, 1 << 20, &diag));
	p = format_read(NULL, &in, &options, &diag);
	assert_non_null(p);
	input_release(&in);
	return p;
}

/* 24 million reads, a quantum of 4 ms at 2.6 GHz: expected and observed as the oracle
 * has them. Within 33 % theory and scheduler agree, whether two share a processor or
 * four. */
static void captures(void **state)
{
	static const struct {
		const char *name;
		double expected, low, high;
		uint64_t observed;
		bool within;
	} cases[] = {
		{ "two", 866.537285, 605.810412, 1211.620825, 683, true },
		{ "four", 852.689560, 595.894031, 1191.788062, 730, true },
		{ "two-fine", 750.319970, 718.383536, 783.402801, 684, false },
		{ "four-fine", 743.173476, 711.547681, 775.948249, 751, true },
	};
	struct preempt_terms t = terms_of(4e-3 * 2.6e9);

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct profile *p = read_profile(cases[i].name);
		struct arena *a = arena_new();
		struct preemption all = preemption_of(a, p, &t, &preempt_rules_default);
		const struct preempt_op *op = &all.op[0]; /* most of the processor's time */

		assert_true(str_eq(op->op->name, STR("read")));
		assert_near(op->expected, cases[i].expected);
		assert_near(op->expected_low, cases[i].low);
		assert_near(op->expected_high, cases[i].high);
		assert_int_equal(op->observed, cases[i].observed);
		assert_int_equal(op->within_band, cases[i].within);
		assert_int_equal(op->verdict, PREEMPT_AGREES);
		arena_free(a);
		profile_free(p);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_papers_example),
		cmocka_unit_test(other_arguments),
		cmocka_unit_test(two_processes_on_a_processor),
		cmocka_unit_test(calls_that_yield),
		cmocka_unit_test(as_a_scheduler_does),
		cmocka_unit_test(verdicts),
		cmocka_unit_test(properties),
		cmocka_unit_test(what_has_no_latencies_is_left_out),
		cmocka_unit_test(the_timer),
		cmocka_unit_test(the_quantum_in_a_profile),
		cmocka_unit_test(the_quantum_of_a_kernel),
		cmocka_unit_test(captures),
	};

	if (argc != 2)
		return 2;
	testdata = argv[1];
	return cmocka_run_group_tests_name("preempt", tests, NULL, NULL);
}
