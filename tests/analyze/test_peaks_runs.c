/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Peaks over repeated runs, on simulated runs with known changes. */
#include "tests/analyze/made.h"

#include <math.h>
#include <string.h>

#include "analyze/rank/peaks_runs.h"
#include "analyze/stats/random.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/out.h"
#include "profile/merge.h"

enum { RUNS = 5, CALLS = 3000, BUCKETS = 400, TRIALS = 200 };

/* Two modes: hits around 2 us, misses around 60 us. */
struct plan {
	unsigned resolution;
	double noise;	 /* octaves from run to run, of each mode */
	double odds;	 /* standard deviation of the log odds of a miss from run to run */
	double moved;	 /* octaves by which misses are slower after */
	double more;	 /* log2 of the odds ratio of a miss after */
	bool one_run;	 /* on either side */
	uint64_t random; /* state of the generator */
};

static double normal(uint64_t *state)
{
	double radius = sqrt(-2 * log(1 - random_share(state)));

	return radius * cos(2 * M_PI * random_share(state));
}

static struct profile *simulate(struct plan *plan, bool after)
{
	static uint64_t count[BUCKETS];
	double hit = log2(2000) + plan->noise * normal(&plan->random);
	double miss = log2(60000) + plan->noise * normal(&plan->random) + (after ? plan->moved : 0);
	double odds = 0.1 / 0.9 * exp(plan->odds * normal(&plan->random)) *
		      (after ? exp2(plan->more) : 1);
	struct out *o = out_to_memory();
	struct profile *p;

	memset(count, 0, sizeof(count));
	for (int i = 0; i < CALLS; i++) {
		bool is_miss = random_share(&plan->random) < odds / (1 + odds);
		double octave = (is_miss ? miss : hit) + 0.4 * normal(&plan->random);

		count[(int)(octave * plan->resolution)]++;
	}
	out_printf(o, "unit ns\nop read\nbuckets log2 %u\n", plan->resolution);
	for (int i = 0; i < BUCKETS; i++) {
		if (count[i] > 0)
			out_printf(o, "%d %llu\n", i, (unsigned long long)count[i]);
	}
	out_char(o, '\0');
	p = made_profile(out_memory(o).p);
	out_free(o);
	return p;
}

/* The peaks of one comparison, and what they borrow from. */
struct fixture {
	struct profile *run[2][RUNS], *sum[2];
	size_t n;
	struct arena *arena;
	struct ranking ranking;
	struct operation_peaks peaks;
};

static void compare(struct fixture *f, struct plan *plan)
{
	struct diag diag = { 0 };
	struct rank_side side[2];
	struct runs_side runs[2];

	f->arena = arena_new();
	f->n = plan->one_run ? 1 : RUNS;
	for (int s = 0; s < 2; s++) {
		const struct profile *const *run = (const struct profile *const *)f->run[s];

		for (size_t k = 0; k < f->n; k++)
			f->run[s][k] = simulate(plan, s == 1);
		f->sum[s] = profile_merge(run, f->n, &diag);
		assert_non_null(f->sum[s]);
		side[s] = (struct rank_side){ f->sum[s], totals_of(f->sum[s]), f->n };
		runs[s] = (struct runs_side){ run, f->n, false };
	}
	assert_true(rank(f->arena, &side[0], &side[1], &rank_rules_default, &f->ranking, &diag));
	f->peaks = peaks_compare(f->arena, &f->ranking, &runs[0], &runs[1]).op[0];
}

static void release(struct fixture *f)
{
	for (int s = 0; s < 2; s++) {
		for (size_t k = 0; k < f->n; k++)
			profile_free(f->run[s][k]);
		profile_free(f->sum[s]);
	}
	arena_free(f->arena);
}

/* How often intervals hold the true change, and how often a test finds one. */
struct rates {
	int trials, covered[2], found[2]; /* position and weight of the misses */
	int false_hits;			  /* changes of the position of hits */
};

static void count_effect(const struct peak_effect *e, double truth, int *covered, int *found)
{
	*covered += e->low <= truth && truth <= e->high;
	*found += e->q <= 0.05;
}

static struct rates measure(struct plan plan)
{
	struct rates r = { 0 };

	plan.random = 9;
	for (int i = 0; i < TRIALS; i++) {
		struct fixture f;

		compare(&f, &plan);
		assert_int_equal(f.peaks.n, 2);
		r.trials++;
		count_effect(&f.peaks.v[1].position, plan.moved, &r.covered[0], &r.found[0]);
		count_effect(&f.peaks.v[1].weight, plan.more, &r.covered[1], &r.found[1]);
		r.false_hits += f.peaks.v[0].position.q <= 0.05;
		release(&f);
	}
	print_message("resolution %u, moved %+.3f, odds %+.3f: intervals hold %d and %d, "
		      "found %d and %d, hits %d of %d\n",
		      plan.resolution, plan.moved, plan.more, r.covered[0], r.covered[1],
		      r.found[0], r.found[1], r.false_hits, r.trials);
	return r;
}

/* Of 200 intervals that hold the truth with a probability of 0.95, 180 to 199 do in all but 0.4 %
 * of the cases. */
static void assert_covered(const int covered[2])
{
	for (int i = 0; i < 2; i++)
		assert_true(covered[i] >= 180 && covered[i] <= 199);
}

static void nothing_changed(void **state)
{
	struct rates r = measure((struct plan){ .resolution = 5, .noise = 0.03, .odds = 0.15 });

	(void)state;
	assert_covered(r.covered);
	/* Four tests, a false-discovery rate of 0.05. */
	assert_true(r.found[0] + r.found[1] + r.false_hits <= 20);
}

/* Misses take 10 % longer, with noisy weights. */
static void one_of_two_modes_moved(void **state)
{
	struct rates r = measure(
		(struct plan){ .resolution = 5, .noise = 0.03, .odds = 0.15, .moved = log2(1.1) });

	(void)state;
	assert_covered(r.covered);
	assert_true(r.found[0] >= 0.9 * r.trials);
	assert_true(r.false_hits <= 0.1 * r.trials);
}

static void twice_as_many_misses(void **state)
{
	struct rates r =
		measure((struct plan){ .resolution = 5, .noise = 0.03, .odds = 0.15, .more = 1 });

	(void)state;
	assert_covered(r.covered);
	assert_true(r.found[1] >= 0.95 * r.trials);
}

/* Buckets of an octave hide a part of a movement; modes as wide as they are still show it. */
static void octaves(void **state)
{
	struct rates r = measure(
		(struct plan){ .resolution = 1, .noise = 0.03, .odds = 0.15, .moved = log2(1.1) });

	(void)state;
	assert_true(r.found[0] >= 0.9 * r.trials);
}

static void one_run_has_no_interval(void **state)
{
	struct plan plan = { .resolution = 5, .moved = 1, .one_run = true, .random = 4 };
	struct fixture f;

	(void)state;
	compare(&f, &plan);
	assert_int_equal(f.peaks.n, 2);
	assert_true(fabs(f.peaks.v[1].position.change - 1) < 0.1);
	assert_true(isnan(f.peaks.v[1].position.p) && isnan(f.peaks.v[1].position.low));
	assert_true(fabs(peak_share(f.peaks.v[1].weight.before) - 0.1) < 0.02);
	release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_changed),	   cmocka_unit_test(one_of_two_modes_moved),
		cmocka_unit_test(twice_as_many_misses),	   cmocka_unit_test(octaves),
		cmocka_unit_test(one_run_has_no_interval),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
