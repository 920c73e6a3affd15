/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/rank/gate.h"

#include "analyze/rank/annotations.h"
#include "analyze/rank/rank.h"

struct ruling gate_ruling(struct gate g, const struct ranked *r)
{
	const struct operation *op = ranked_operation(r);
	struct ruling ruling = policy_ruling(g.rules->policy, g.fails, r);

	if (g.annotations != NULL &&
	    annotation_expects(annotations_find(g.annotations, op), r->verdict)) {
		ruling.expected = true;
		ruling.failed = false;
	}
	return ruling;
}

size_t gate_failures(struct gate g)
{
	size_t n = 0;

	for (size_t i = 0; i < g.ranking->n; i++)
		n += gate_ruling(g, &g.ranking->v[i]).failed;
	return n;
}

size_t gate_expected(struct gate g)
{
	size_t n = 0;

	for (size_t i = 0; i < g.ranking->n; i++) {
		const struct ranked *r = &g.ranking->v[i];

		n += gate_ruling(g, r).expected &&
		     policy_ruling(g.rules->policy, g.fails, r).failed;
	}
	return n;
}

bool gate_run_fails(struct gate g, size_t *ret_line)
{
	const struct policy *p = g.rules->policy;

	*ret_line = policy_run_ruling(p, g.ranking);
	if (policy_limits_run(p))
		return *ret_line > 0;
	return (policy_fails(p, g.fails) & 1U << g.ranking->run.verdict) != 0 &&
	       g.ranking->run.verdict != VERDICT_INCONCLUSIVE;
}

size_t gate_small_regressions(struct gate g)
{
	size_t n = 0;

	for (size_t i = 0; i < g.ranking->n; i++) {
		const struct ranked *r = &g.ranking->v[i];

		n += r->verdict == VERDICT_REGRESSED && !r->reported;
	}
	return n;
}

static bool is_undecided(struct gate g, const struct ranked *r)
{
	struct ruling ruling = gate_ruling(g, r);
	struct rank_rules rules = rank_rules_for(r, g.rules);

	return !ruling.ignored && !ruling.expected && r->verdict == VERDICT_INCONCLUSIVE &&
	       rank_large_enough(r, g.ranking, &rules);
}

enum gate_result gate_result(struct gate g, bool strict)
{
	size_t line;

	if (gate_run_fails(g, &line) || gate_failures(g) > 0)
		return GATE_FAILED;
	/* No operation at all usually means that --op or --layer is mistyped. */
	if (strict && g.ranking->n == 0)
		return GATE_INCONCLUSIVE;
	for (size_t i = 0; i < g.ranking->n && strict; i++) {
		if (is_undecided(g, &g.ranking->v[i]))
			return GATE_INCONCLUSIVE;
	}
	return GATE_PASSED;
}
