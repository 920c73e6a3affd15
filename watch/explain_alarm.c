/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/explain_alarm.h"

#include <math.h>

#include "analyze/rank/rank.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/out.h"
#include "report/rank/statements.h"
#include "report/report.h"

static const struct ranked *find_alarmed(const struct ranking *all, const struct watch_event *e)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct ranked *r = &all->v[i];

		if (r->before != NULL && r->after != NULL && str_eq(r->after->name, e->name) &&
		    str_eq(r->after->layer, e->layer))
			return r;
	}
	return NULL;
}

/* What the alarm has established is not doubted. */
static void explain_known(struct out *o, const struct comparison *c, const struct ranked *r)
{
	struct arena *a = arena_new();
	struct ranked known = *r;
	struct statements said;

	if (r->verdict == VERDICT_INCONCLUSIVE)
		known.verdict = r->mean_octaves < 0 ? VERDICT_IMPROVED : VERDICT_REGRESSED;
	known.doubt = DOUBT_NONE;
	said = statements_of(a, c, &known);
	say_statements(o, &said);
	arena_free(a);
}

static void fill_alarm(struct arena *a, struct reported_alarm *reported, const struct comparison *c,
		       const struct ranked *r)
{
	struct out *o = out_to_memory();

	explain_known(o, c, r);
	reported->sentence = arena_str(a, out_memory(o));
	reported->verdict = str_from(verdict_name(r->verdict));
	reported->before_count = r->run_before.calls;
	reported->before_mean = r->run_before.mean;
	reported->after_count = r->run_after.calls;
	reported->after_mean = r->run_after.mean;
	reported->unit = unit_name(c->before.profile->unit);
	out_free(o);
}

static struct run run_of(const char *what, const struct profile *p, size_t n)
{
	return (struct run){ .path = what, .profile = p, .totals = totals_of(p), .n_runs = n };
}

static void compare_usual(struct arena *a, struct reported_alarm *reported,
			  const struct comparison *usual, const struct rank_rules *rules)
{
	struct diag diag = { .emit = NULL };
	struct comparison c = *usual;
	struct ranking all;
	struct rank_side before = { c.before.profile, c.before.totals, c.before.n_runs };
	struct rank_side after = { c.after.profile, c.after.totals, c.after.n_runs };
	const struct ranked *r;

	if (!rank(a, &before, &after, rules, &all, &diag))
		return;
	c.ranking = &all;
	r = find_alarmed(&all, reported->event);
	if (r != NULL)
		fill_alarm(a, reported, &c, r);
}

void explain_alarm(struct arena *a, struct reported_alarm *reported, const struct recent *recent,
		   size_t since, const struct watch_rules *watch_rules)
{
	struct rank_rules rules = rank_rules_default;
	size_t n_before, n_after;
	struct profile *before = recent_sum(recent, since, true, &n_before);
	struct profile *after = recent_sum(recent, since, false, &n_after);

	reported->before_count = reported->after_count = reported->before_mean =
		reported->after_mean = NAN;
	rules.min_share = 0;
	rules.min_effect = watch_rules->min_effect;
	if (before != NULL && after != NULL && !reported->event->common) {
		const struct comparison c = { .before = run_of("reference", before, n_before),
					      .after = run_of("since", after, n_after),
					      .metric = rules.metric,
					      .rules = &rules };

		compare_usual(a, reported, &c, &rules);
	}
	profile_free(before);
	profile_free(after);
}
