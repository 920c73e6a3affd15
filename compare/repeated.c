/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/repeated.h"

#include "base/arena.h"
#include "base/diag.h"
#include "compare/compare_options.h"
#include "load/load_options.h"

static bool enough_runs(size_t n, struct diag *diag)
{
	if (n < FEWEST_FOR_NOISE)
		diag_plain(diag, DIAG_RUNS_TOO_FEW,
			   "%zu given; how runs vary is known from %d on, and well from 5", n,
			   FEWEST_FOR_NOISE);
	if (n > MAX_FOR_NOISE)
		diag_plain(diag, DIAG_RUNS_MANY, "%zu given; at most %d", n, MAX_FOR_NOISE);
	return n >= FEWEST_FOR_NOISE && n <= MAX_FOR_NOISE;
}

static bool measure_noise(struct repeated *r, const struct compare_options *how, struct diag *diag)
{
	struct runs_side side = loaded_runs(&r->loaded);

	return enough_runs(side.n, diag) &&
	       noise_measure(r->arena, &side, r->loaded.profile, &r->rules, &how->runs, how->splits,
			     &r->noise, diag);
}

bool repeated_measure(struct repeated *ret, const struct load_options *q,
		      const struct compare_options *how, struct diag *diag)
{
	struct repeated r = { .rules = how->rules };

	if (!policy_load(&r.policy, how->policy_path, q->max_input, diag))
		return false;
	if (!load_repetitions(&r.loaded, q->operand, q->n_operands, q, diag)) {
		policy_release(&r.policy);
		return false;
	}
	r.rules.policy = r.policy.policy;
	r.arena = arena_new();
	if (!measure_noise(&r, how, diag)) {
		repeated_release(&r);
		return false;
	}
	*ret = r;
	return true;
}

void repeated_release(struct repeated *r)
{
	loaded_release(&r->loaded);
	policy_release(&r->policy);
	arena_free(r->arena);
}
