/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Duets, simulated: both partners are disturbed alike, far more than they differ. */
#include "tests/analyze/made.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze/duet.h"
#include "analyze/rank/runs.h"
#include "analyze/stats/random.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/out.h"
#include "profile/merge.h"

enum { DUETS = 5, INTERVALS = 10, CALLS = 400, BUCKETS = 120, TRIALS = 200 };

static double normal(uint64_t *state)
{
	double radius = sqrt(-2 * log(1 - random_share(state)));

	return radius * cos(2 * M_PI * random_share(state));
}

/* Writes calls around 8 us that are `shift` octaves slower, of which some are preempted. */
static void write_calls(struct out *o, double shift, uint64_t *state)
{
	unsigned count[BUCKETS] = { 0 };

	for (int i = 0; i < CALLS; i++) {
		double octave = 13 + shift + 0.2 * normal(state);

		if (random_share(state) < 0.01)
			octave = 22;
		count[(int)(4 * octave)]++;
	}
	for (int i = 0; i < BUCKETS; i++) {
		if (count[i] > 0)
			out_printf(o, "%d %u\n", i, count[i]);
	}
}

/* Records a duet into run[0] and run[1].  In each interval the machine slows both by up to half;
 * each is also disturbed by itself, by 1 % over the run.  The second one goes on for a while after
 * the first one has ended, in which nothing slows it. */
static void record(struct profile *run[2], double change, int number, uint64_t *state)
{
	struct out *o[2] = { out_to_memory(), out_to_memory() };
	double own[2] = { 0.014 * normal(state), 0.014 * normal(state) + change };
	char id[16];

	for (int s = 0; s < 2; s++)
		out_text(o[s], "unit ns\nop read\nfixed-duration\nbuckets log2 4\n");
	for (int i = 0; i < INTERVALS + 3; i++) {
		double machine = i < INTERVALS ? 0.6 * random_share(state) : -0.5;

		for (int s = i < INTERVALS ? 0 : 1; s < 2; s++) {
			out_printf(o[s], "interval %d %d\n", i, i + 1);
			write_calls(o[s], machine + own[s], state);
		}
	}
	(void)snprintf(id, sizeof(id), "duet-%d", number);
	for (int s = 0; s < 2; s++) {
		out_char(o[s], '\0');
		run[s] = made_profile(out_memory(o[s]).p);
		run[s]->duet = arena_str(run[s]->arena, str_from(id));
		out_free(o[s]);
	}
}

/* Returns the change of the median, and the verdict on the operation. */
static struct effect measure(double change, enum verdict *ret_verdict, uint64_t *state)
{
	struct profile *run[DUETS][2], *sum[2];
	const struct profile *side[2][DUETS];
	struct diag diag = { 0 };
	struct arena *a = arena_new();
	struct rank_side sides[2];
	struct runs_judgement judged;
	struct ranking all;
	struct effect middle;

	for (int k = 0; k < DUETS; k++) {
		record(run[k], change, k, state);
		side[0][k] = run[k][0];
		side[1][DUETS - 1 - k] = run[k][1]; /* not in the same order */
	}
	for (int s = 0; s < 2; s++) {
		sum[s] = profile_merge(side[s], DUETS, &diag);
		assert_non_null(sum[s]);
		sides[s] = (struct rank_side){ sum[s], totals_of(sum[s]), DUETS };
	}
	assert_true(rank(a, &sides[0], &sides[1], &rank_rules_default, &all, &diag));
	judged = runs_judge(a, &(struct runs_side){ side[0], DUETS, false },
			    &(struct runs_side){ side[1], DUETS, false }, &rank_rules_default,
			    &runs_rules_default, NULL, &all);
	assert_true(judged.duets && judged.order_turns);
	middle = all.v[0].runs->effect[FEATURE_P50];
	*ret_verdict = all.v[0].verdict;
	for (int s = 0; s < 2; s++) {
		for (int k = 0; k < DUETS; k++)
			profile_free(run[k][s]);
		profile_free(sum[s]);
	}
	arena_free(a);
	return middle;
}

/* Counts trials in which the median's change has a small p, in which its 90 % interval holds the
 * true one, and those with the verdict regressed. */
static void rates(double change, int *found, int *covered, int *regressed)
{
	uint64_t state = 3;
	enum verdict verdict;

	*found = *covered = *regressed = 0;
	for (int i = 0; i < TRIALS; i++) {
		struct effect e = measure(change, &verdict, &state);

		*found += e.p <= 0.05;
		*covered += e.low <= change && change <= e.high;
		*regressed += verdict == VERDICT_REGRESSED;
	}
	print_message("change %+.4f: p is small in %d, intervals hold %d, regressed %d of %d\n",
		      change, *found, *covered, *regressed, TRIALS);
}

/* With a probability of 0.95 and 0.9, these limits are exceeded in less than 1 of 100. */
static void partners_that_do_not_differ(void **state)
{
	int found, covered, regressed;

	(void)state;
	rates(0, &found, &covered, &regressed);
	assert_true(found <= 19 && covered >= 169 && regressed <= 4);
}

/* Runs in turns would have a standard error of 16 %. */
static void a_difference_of_5_percent(void **state)
{
	int found, covered, regressed;

	(void)state;
	rates(log2(1.05), &found, &covered, &regressed);
	assert_true(found >= 160 && covered >= 169);
}

static void a_difference_of_10_percent_is_a_regression(void **state)
{
	int found, covered, regressed;

	(void)state;
	rates(log2(1.1), &found, &covered, &regressed);
	assert_true(found >= 198 && covered >= 169 && regressed >= 190);
}

/* Runs that state no duet, or one that has no other run, or three runs of one, are no duets. */
static void runs_without_a_partner(void **state)
{
	struct profile *p[4];
	const struct profile *const *all = (const struct profile *const *)p;
	struct arena *a = arena_new();

	(void)state;
	for (int i = 0; i < 4; i++)
		p[i] = made_profile("unit ns\nop read\n3 5\n");
	assert_int_equal(duets_of(a, &(struct runs_side){ all, 2, false },
				  &(struct runs_side){ all + 2, 2, false })
				 .n,
			 0);
	p[0]->duet = p[2]->duet = STR("x");
	p[1]->duet = STR("y");
	assert_int_equal(duets_of(a, &(struct runs_side){ all, 2, false },
				  &(struct runs_side){ all + 2, 2, false })
				 .n,
			 0);
	p[1]->duet = STR("x");
	assert_int_equal(duets_of(a, &(struct runs_side){ all, 2, false },
				  &(struct runs_side){ all + 2, 2, false })
				 .n,
			 0);
	p[1]->duet = p[3]->duet = STR("y");
	assert_int_equal(duets_of(a, &(struct runs_side){ all, 2, false },
				  &(struct runs_side){ all + 2, 2, false })
				 .n,
			 2);
	for (int i = 0; i < 4; i++)
		profile_free(p[i]);
	arena_free(a);
}

/* Five calls of 8 ns in the first second, 70 of 64 ns in the next one. */
static void a_part_of_an_operation(void **state)
{
	struct profile *p =
		made_profile("unit ns\nop read\ninterval 0 1\n3 5\ninterval 1 2\n6 70\n");
	struct arena *a = arena_new();

	(void)state;
	assert_int_equal(operation_count(duet_part(a, p->op, 1)), 5);
	assert_ptr_equal(duet_part(a, p->op, 2), p->op);
	assert_ptr_equal(duet_part(a, p->op, 0), p->op);
	assert_ptr_equal(duet_part(a, p->op, 0.5), p->op);
	assert_null(duet_part(a, NULL, 1));
	arena_free(a);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(partners_that_do_not_differ),
		cmocka_unit_test(a_difference_of_5_percent),
		cmocka_unit_test(a_difference_of_10_percent_is_a_regression),
		cmocka_unit_test(runs_without_a_partner),
		cmocka_unit_test(a_part_of_an_operation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
