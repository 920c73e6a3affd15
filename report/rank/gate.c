/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/rank/gate.h"

#include <math.h>

#include "analyze/rank/waits.h"
#include "base/arena.h"
#include "base/out.h"
#include "profile/quantity.h"
#include "report/parts.h"
#include "report/quantiles.h"
#include "report/report.h"
#include "report/runs.h"

/* --- summaries -------------------------------------------------------------------- */

static const char *verdict_words(enum verdict v, size_t n)
{
	switch (v) {
	case VERDICT_CHANGED_SHAPE:
		return "changed shape";
	case VERDICT_NEW:
		return n == 1 ? "is new" : "are new";
	case VERDICT_GONE:
		return n == 1 ? "is gone" : "are gone";
	default:
		return verdict_name(v);
	}
}

void gate_verdicts(struct out *o, const struct comparison *c)
{
	const struct ranking *all = c->ranking;
	size_t n[VERDICT_GONE + 1] = { 0 };
	const char *plural = all->n == 1 ? "" : "s";
	bool first = true;

	for (size_t i = 0; i < all->n; i++)
		n[all->v[i].verdict] += all->v[i].reported;
	for (int v = 0; v <= VERDICT_GONE; v++) {
		if (n[v] == 0)
			continue;
		if (first)
			out_printf(o, "%zu of %zu operation%s ", n[v], all->n, plural);
		else
			out_printf(o, ", %zu ", n[v]);
		out_text(o, verdict_words((enum verdict)v, n[v]));
		first = false;
	}
	if (first)
		out_printf(o, "0 of %zu operation%s reported", all->n, plural);
}

enum { MAX_NAMED = 6 };

/* Names what fails: "futex (regressed), fsync (new)". */
static void say_failed(struct out *o, const struct style *s, const struct comparison *c)
{
	size_t n = gate_failures(comparison_gate(c)), named = 0;

	for (size_t i = 0; i < c->ranking->n && named < MAX_NAMED; i++) {
		const struct ranked *r = &c->ranking->v[i];

		if (!gate_ruling(comparison_gate(c), r).failed)
			continue;
		out_text(o, named++ > 0 ? ", " : "");
		say_operation(o, s, ranked_operation(r));
		out_printf(o, " (%s)", verdict_name(r->verdict));
	}
	if (n > named)
		out_printf(o, " and %zu more", n - named);
}

void gate_outcome(struct out *o, const struct style *s, const struct comparison *c)
{
	size_t n = gate_failures(comparison_gate(c)), expected = gate_expected(comparison_gate(c)),
	       small = gate_small_regressions(comparison_gate(c)), line;
	bool run = gate_run_fails(comparison_gate(c), &line);

	if (c->ranking->n == 0)
		out_text(o, "passed, as there is no operation to judge");
	else
		out_text(o, n == 0 && !run ? "passed" : "FAILED: ");
	if (run)
		out_text(o, "the run as a whole");
	if (line > 0)
		out_printf(o, " (policy line %zu)", line);
	if (run && n > 0)
		out_text(o, ", ");
	say_failed(o, s, c);
	if (expected > 0)
		out_printf(o, "; %zu more %s expected (annotated)", expected,
			   expected == 1 ? "is" : "are");
	if (small > 0)
		out_printf(o, "; %zu more regressed below --min-share", small);
}

void gate_not_judged(struct out *o, const struct style *s, const struct comparison *c)
{
	const struct ranking *all = c->ranking;
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct ranked *r = &all->v[i];

		if (!wait_is_left_out(r->wait))
			continue;
		out_text(o, n++ == 0 ? "Not judged: " : "; ");
		say_operation(o, s, ranked_operation(r));
		out_text(o, " +");
		quantity_latency(o, r->run_after.total - r->run_before.total,
				 scale_of_ranked(c, r));
		out_printf(o, " a run (%s)", wait_role_name(r->wait));
	}
	if (n > 0)
		out_text(o, ".\n");
}

/* --- reasons ----------------------------------------------------------------------- */

static const char *measured_words(enum rank_rule rule)
{
	switch (rule) {
	case RULE_MIN_EFFECT:
		return "latency";
	case RULE_MIN_CALLS:
		return "number of calls";
	case RULE_MIN_SHAPE:
		return "shape";
	case RULE_MIN_SLOW:
		return "odds of a slow call";
	default:
		return "score";
	}
}

/* "latency +90 %, allowed is less than +12 %".  Scores and distances are printed as plain numbers,
 * because they are not ratios. */
static void say_value(struct out *o, const struct rank_cause *cause)
{
	bool plain = cause->rule == RULE_THRESHOLD || cause->rule == RULE_MIN_SHAPE;

	out_printf(o, "%s ", measured_words(cause->rule));
	if (plain)
		out_digits(o, cause->value, 3);
	else
		say_change(o, cause->value);
	out_text(o, ", allowed is less than ");
	if (plain)
		out_digits(o, cause->min, 3);
	else
		say_change(o, copysign(cause->min, cause->value));
}

static void say_cause(struct out *o, const struct comparison *c, const struct ranked *r)
{
	const struct operation *op = ranked_operation(r);
	const struct policy *p = c->rules->policy;
	struct rank_cause cause = rank_cause(c->ranking, r, c->rules);
	struct rank_rules rules;
	size_t line;

	if (!cause.known || c->runs != NULL) /* repeated runs are judged by other rules */
		return;
	rules = p != NULL ? policy_rules(p, c->rules, op) : *c->rules;
	line = p != NULL ? policy_rule_line(p, op, cause.rule) : 0;
	say_value(o, &cause);
	out_printf(o, " (%s ", rank_rule_name(cause.rule));
	out_digits(o, rank_rule_value(&rules, cause.rule), 3);
	if (line > 0)
		out_printf(o, ", policy line %zu", line);
	out_text(o, "); ");
}

static void say_ruling(struct out *o, const struct ruling *ruling, enum verdict v)
{
	if (ruling->line > 0)
		out_printf(o, "policy line %zu fails %s", ruling->line, verdict_name(v));
	else
		out_printf(o, "%s fails by default", verdict_name(v));
}

static void say_exceeded(struct out *o, const struct comparison *c, const struct ranked *r,
			 const struct quantile_limit *limit)
{
	struct quantile_list one = { .percent = { limit->percent }, .n = 1 };
	struct quantile_change change;

	quantiles_of(r, &one, &change);
	say_limit(o, &change, limit, scale_of_ranked(c, r));
}

static struct str kept_text(struct arena *a, struct out *o)
{
	struct str text = arena_str(a, out_memory(o));

	out_free(o);
	return text;
}

struct str gate_reason(struct arena *a, const struct comparison *c, const struct ranked *r)
{
	struct ruling ruling = gate_ruling(comparison_gate(c), r);
	struct out *o = out_to_memory();

	if (ruling.failed && ruling.limit != NULL) {
		say_exceeded(o, c, r, ruling.limit);
	} else if (ruling.failed) {
		say_cause(o, c, r);
		say_ruling(o, &ruling, r->verdict);
	}
	return kept_text(a, o);
}

struct str gate_story(struct arena *a, const struct comparison *c, const struct ranked *r)
{
	struct str reason = gate_reason(a, c, r);
	struct out *o = out_to_memory();

	out_printf(o, "%s. ", verdict_name(r->verdict));
	explain(o, c, r);
	if (reason.n > 0)
		out_printf(o, ". Fails: %.*s", STR_ARG(reason));
	return kept_text(a, o);
}
