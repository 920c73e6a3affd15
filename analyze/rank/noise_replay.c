/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/rank/noise.h"

#include <stdlib.h>

#include "analyze/rank/policy.h"
#include "analyze/stats/permutation.h"
#include "base/arena.h"
#include "profile/merge.h"

struct replay {
	const struct runs_side *side;
	const struct rank_rules *rank_rules;
	const struct runs_rules *rules;
	struct noisy **by_key;
	struct noise *to;
	struct diag *diag;
	struct permutations permutations; /* for the tests; the same for all replays of a kind */
	bool halves;			  /* otherwise one run against the others */
};

static int by_key(const void *pa, const void *pb)
{
	const struct noisy *const *a = pa, *const *b = pb;

	return operation_cmp_key((*a)->op, (*b)->op);
}

static struct noisy *find_noisy(const struct replay *p, const struct ranked *r)
{
	struct noisy wanted = { .op = ranked_operation(r) };
	const struct noisy *key = &wanted;
	struct noisy *const *found =
		bsearch(&key, (void *)p->by_key, p->to->n, sizeof(*p->by_key), by_key);

	return *found;
}

static struct replays *replays_of(const struct replay *p)
{
	return p->halves ? &p->to->halves : &p->to->one;
}

static void count_alarms(const struct replay *p, const struct ranking *all, enum alarm alarm,
			 unsigned fails, const struct policy *policy)
{
	bool any = false;

	for (size_t i = 0; i < all->n; i++) {
		struct noisy *of;

		if (!policy_ruling(policy, fails, &all->v[i]).failed)
			continue;
		of = find_noisy(p, &all->v[i]);
		(p->halves ? of->alarms : of->alarms_one)[alarm]++;
		any = true;
	}
	replays_of(p)->alarms[alarm] += any;
}

struct part {
	const struct profile **run;
	struct profile *sum;
	struct runs_side side;
};

static bool part_make(struct arena *a, const struct replay *p, uint64_t mask, bool inside,
		      struct part *ret)
{
	ret->run = arena_make(a, const struct profile *, p->side->n);
	for (size_t k = 0; k < p->side->n; k++) {
		if (((mask >> k & 1) != 0) == inside)
			ret->run[ret->side.n++] = p->side->run[k];
	}
	ret->side.run = ret->run;
	ret->sum = profile_merge(ret->run, ret->side.n, p->diag);
	return ret->sum != NULL;
}

static bool judge_parts(const struct replay *p, const struct part *before, const struct part *after,
			const struct rank_rules *rules, struct arena *a, struct ranking *ret)
{
	struct rank_side b = { before->sum, totals_of(before->sum), before->side.n };
	struct rank_side c = { after->sum, totals_of(after->sum), after->side.n };

	if (!rank(a, &b, &c, rules, ret, p->diag))
		return false;
	(void)runs_judge(a, &before->side, &after->side, rules, p->rules, &p->permutations, ret);
	return true;
}

/* Judges one split; the runs in `mask` are those before. */
static bool replay_one(const struct replay *p, uint64_t mask)
{
	struct arena *a = arena_new();
	struct part before = { .sum = NULL }, after = { .sum = NULL };
	struct rank_rules plain = *p->rank_rules;
	struct ranking all;
	bool ok = part_make(a, p, mask, true, &before) && part_make(a, p, mask, false, &after);

	plain.policy = NULL;
	ok = ok && judge_parts(p, &before, &after, &plain, a, &all);
	if (ok) {
		count_alarms(p, &all, ALARM_REGRESSED, VERDICTS_REGRESSED, NULL);
		count_alarms(p, &all, ALARM_ANY, VERDICTS_ANY, NULL);
	}
	if (ok && p->to->has_policy) {
		ok = judge_parts(p, &before, &after, p->rank_rules, a, &all);
		if (ok)
			count_alarms(p, &all, ALARM_POLICY, VERDICTS_REGRESSED,
				     p->rank_rules->policy);
	}
	replays_of(p)->n++;
	profile_free(before.sum);
	profile_free(after.sum);
	arena_free(a);
	return ok;
}

bool noise_replay(const struct runs_side *side, const struct rank_rules *rank_rules,
		  const struct runs_rules *rules, size_t max, struct noise *to, struct diag *diag)
{
	struct replay p = {
		.side = side, .rank_rules = rank_rules, .rules = rules, .to = to, .diag = diag
	};
	uint64_t all = side->n < 64 ? (UINT64_C(1) << side->n) - 1 : UINT64_MAX;
	struct arena *a = arena_new();
	bool ok = true;

	p.by_key = arena_make(a, struct noisy *, to->n);
	for (size_t i = 0; i < to->n; i++)
		p.by_key[i] = &to->v[i];
	qsort((void *)p.by_key, to->n, sizeof(*p.by_key), by_key);
	p.permutations = runs_permutations(a, side->n - 1, 1, rules);
	for (size_t k = 0; k < side->n && ok; k++)
		ok = replay_one(&p, all & ~(UINT64_C(1) << k));
	to->one.all = true;
	if (side->n >= FEWEST_FOR_HALVES) {
		size_t n_before = (side->n + 1) / 2, n_after = side->n / 2;
		struct permutations r = permutations_make(a, n_before, n_after, max, rules->seed);

		p.halves = true;
		p.permutations = runs_permutations(a, n_before, n_after, rules);
		to->halves.all = r.all;
		for (size_t i = 0; i < r.n && ok; i++)
			ok = replay_one(&p, r.mask[i]);
	}
	arena_free(a);
	return ok;
}
