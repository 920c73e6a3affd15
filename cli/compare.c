/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/compare.h"

#include "base/arena.h"
#include "base/diag.h"
#include "cli/settings.h"

static struct rank_side side_of(const struct run *run)
{
	return (struct rank_side){ run->profile, run->totals, run->n_runs };
}

bool compare_sides(struct compared *ret, const struct settings *s, const struct rank_rules *rules,
		   struct diag *diag)
{
	struct rank_side before, after;

	if (!load_sides(&ret->before, &ret->after, s, diag))
		return false;
	before = side_of(&ret->before.run);
	after = side_of(&ret->after.run);
	ret->arena = arena_new();
	if (!rank(ret->arena, &before, &after, rules, &ret->ranking, diag)) {
		compared_release(ret);
		return false;
	}
	if (ret->ranking.approximated)
		diag_plain(diag, DIAG_APPROXIMATED,
			   "the two runs have different buckets; calls were spread evenly in each");
	ret->comparison = (struct comparison){
		.before = ret->before.run,
		.after = ret->after.run,
		.ranking = &ret->ranking,
		.metric = rules->metric,
		.all = s->all,
	};
	return true;
}

void compared_release(struct compared *c)
{
	loaded_release(&c->before);
	loaded_release(&c->after);
	arena_free(c->arena);
}
