/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated runs of both sides of a comparison, judged. */
#ifndef TESTS_ANALYZE_RUNS_MADE_H
#define TESTS_ANALYZE_RUNS_MADE_H

#include "tests/analyze/made.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze/rank/runs.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/out.h"
#include "profile/merge.h"

enum { MAX_RUNS = 60 };

/* Simulated runs: latencies around a centre, a run's own movement, a change after. */
struct plan {
	size_t n_before, n_after, n_ops;
	uint64_t seed;
	double noise;	/* octaves, from run to run */
	double machine; /* the same of all operations of a run */
	double moved;	/* octaves that the first n_changed operations are slower after */
	double calls;	/* how many times as often they are called after */
	size_t n_changed;
	double run_effect; /* octaves that all operations are slower after */
	double drift;	   /* octaves a run, before */
	double slope;	   /* octaves from each run to the one that was made after it */
	bool turns;	   /* in turns; else all of before came first */
	bool started;	   /* each run says when it began */
	bool listed;	   /* the runs are given in the order in which they were made */
};

struct fixture {
	struct profile *run[2][MAX_RUNS], *pooled[2];
	size_t n[2];
	bool listed;
	struct arena *arena;
	struct ranking all;
	struct runs_judgement judgement;
	struct diag diag;
};

static inline double uniform(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return ((double)(*state >> 11) + 0.5) * 0x1p-53;
}

static inline double normal(uint64_t *state)
{
	double r = sqrt(-2 * log(uniform(state)));

	return r * cos(6.283185307179586 * uniform(state));
}

/* One operation: 7 buckets of a bell whose middle lies at `position`. */
static inline void write_operation(struct out *o, size_t number, double position, double calls)
{
	double share[9], sum = 0, total = 0;
	int first = (int)floor(position) - 4;

	for (int i = 0; i < 9; i++) {
		double away = first + i + 0.5 - position;

		share[i] = exp(-away * away / 2);
		sum += share[i];
	}
	for (int i = 0; i < 9; i++)
		total += floor(calls * share[i] / sum) * exp2(first + i + 0.5);
	out_printf(o, "op o%zu\ntotal %.0f\n", number, total);
	for (int i = 0; i < 9; i++) {
		if (calls * share[i] / sum >= 1)
			out_printf(o, "%d %.0f\n", first + i, floor(calls * share[i] / sum));
	}
}

/* How many runs were made before this one. */
static inline double made_before(const struct plan *plan, bool after, size_t number)
{
	return (double)(plan->turns ? 2 * number + after : number + (after ? plan->n_before : 0));
}

static inline struct profile *made_run(const struct plan *plan, bool after, size_t number,
				       uint64_t *state)
{
	struct out *o = out_to_memory();
	double machine = plan->machine * normal(state) + (after ? plan->run_effect : 0) +
			 (after ? 0 : plan->drift * (double)number) +
			 plan->slope * made_before(plan, after, number);
	struct profile *p;

	out_text(o, "unit ns\n");
	for (size_t i = 0; i < plan->n_ops; i++) {
		bool changed = after && i < plan->n_changed;
		double position = 10 + (double)(i % 7) / 4 + machine + plan->noise * normal(state);

		write_operation(o, i, position + (changed ? plan->moved : 0),
				(20000 + 1000 * (double)(i % 11)) *
					(changed && plan->calls > 0 ? plan->calls : 1));
	}
	out_char(o, '\0');
	p = made_profile(out_memory(o).p);
	p->started = plan->started ? 1000 + made_before(plan, after, number) : 0;
	out_free(o);
	return p;
}

static inline void judge(struct fixture *f)
{
	struct rank_side side[2];
	struct runs_side runs[2];

	f->arena = arena_new();
	for (int s = 0; s < 2; s++) {
		f->pooled[s] =
			profile_merge((const struct profile *const *)f->run[s], f->n[s], &f->diag);
		assert_non_null(f->pooled[s]);
		side[s] = (struct rank_side){ f->pooled[s], totals_of(f->pooled[s]), f->n[s] };
		runs[s] = (struct runs_side){ (const struct profile *const *)f->run[s], f->n[s],
					      f->listed };
	}
	assert_true(rank(f->arena, &side[0], &side[1], &rank_rules_default, &f->all, &f->diag));
	f->judgement = runs_judge(f->arena, &runs[0], &runs[1], &rank_rules_default,
				  &runs_rules_default, NULL, &f->all);
}

static inline void setup(struct fixture *f, const struct plan *plan)
{
	uint64_t state = plan->seed;

	*f = (struct fixture){ .n = { plan->n_before, plan->n_after }, .listed = plan->listed };
	for (int s = 0; s < 2; s++) {
		for (size_t k = 0; k < f->n[s]; k++)
			f->run[s][k] = made_run(plan, s == 1, k, &state);
	}
	judge(f);
}

static inline void forget(struct fixture *f)
{
	profile_free(f->pooled[0]);
	profile_free(f->pooled[1]);
	arena_free(f->arena);
}

static inline void teardown(struct fixture *f)
{
	forget(f);
	for (int s = 0; s < 2; s++) {
		for (size_t k = 0; k < f->n[s]; k++)
			profile_free(f->run[s][k]);
	}
}

static inline const struct ranked *find(const struct fixture *f, const char *name)
{
	for (size_t i = 0; i < f->all.n; i++) {
		const struct ranked *r = &f->all.v[i];

		if (str_eq(ranked_operation(r)->name, str_from(name)))
			return r;
	}
	fail_msg("%s is not in the ranking", name);
	return NULL;
}

#endif
