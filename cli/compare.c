/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/compare.h"

#include "base/arena.h"
#include "base/diag.h"
#include "cli/settings.h"

static struct rank_side side_of(const struct run *run)
{
	return (struct rank_side){ run->profile, run->totals, run->n_runs };
}

static struct comparison comparison_of(const struct compared *c, const struct settings *s)
{
	return (struct comparison){
		.before = c->before.run,
		.after = c->after.run,
		.ranking = &c->ranking,
		.metric = c->rules.metric,
		.all = s->all,
		.rules = &c->rules,
		.policy_path = s->policy_path,
		.fails = s->gate == GATE_ANY ? VERDICTS_ANY : VERDICTS_REGRESSED,
		.gated = s->gate != GATE_OFF || s->policy_path != NULL,
	};
}

static bool rank_sides(struct compared *c, struct diag *diag)
{
	struct rank_side before = side_of(&c->before.run), after = side_of(&c->after.run);

	return rank(c->arena, &before, &after, &c->rules, &c->ranking, diag);
}

bool compare_sides(struct compared *ret, const struct settings *s, const struct rank_rules *rules,
		   struct diag *diag)
{
	if (!policy_load(&ret->policy, s, diag))
		return false;
	if (!load_sides(&ret->before, &ret->after, s, diag)) {
		policy_release(&ret->policy);
		return false;
	}
	ret->rules = *rules;
	ret->rules.policy = ret->policy.policy;
	ret->arena = arena_new();
	if (!rank_sides(ret, diag)) {
		compared_release(ret);
		return false;
	}
	if (ret->ranking.approximated)
		diag_plain(diag, DIAG_APPROXIMATED,
			   "the two runs have different buckets; calls were spread evenly in each");
	/* Who chose operations left out others that the policy may name. */
	if (s->op == NULL && s->layer == NULL)
		policy_warn(&ret->policy, &ret->ranking, diag);
	ret->comparison = comparison_of(ret, s);
	return true;
}

void compared_release(struct compared *c)
{
	loaded_release(&c->before);
	loaded_release(&c->after);
	policy_release(&c->policy);
	arena_free(c->arena);
}
