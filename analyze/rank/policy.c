/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/rank/policy.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"

const char *rank_rule_name(enum rank_rule rule)
{
	static const char *const names[] = {
		"threshold", "min-share", "min-ops",  "min-difference",	      "min-effect",
		"min-calls", "min-shape", "min-slow", "small-sample-penalty", "bucket-margin",
	};

	return names[rule];
}

void policy_free(struct policy *p)
{
	if (p == NULL)
		return;
	arena_free(p->arena);
	free(p);
}

/* The names that patterns are matched against: "name", and "layer/name". */
struct spellings {
	struct arena *arena;
	const char *name, *full; /* full NULL: no layer */
};

static struct spellings spell_names(const struct operation *op)
{
	struct spellings s = { .arena = arena_new() };

	s.name = arena_str(s.arena, op->name).p;
	if (op->layer.n > 0)
		s.full =
			arena_printf(s.arena, "%.*s/%.*s", STR_ARG(op->layer), STR_ARG(op->name)).p;
	return s;
}

static bool section_matches(const struct policy_part *section, const struct spellings *s)
{
	return fnmatch(section->pattern, s->name, 0) == 0 ||
	       (s->full != NULL && fnmatch(section->pattern, s->full, 0) == 0);
}

bool policy_matches(const struct policy_part *section, const struct operation *op)
{
	struct spellings s = spell_names(op);
	bool yes = section_matches(section, &s);

	arena_free(s.arena);
	return yes;
}

const struct policy_part *policy_section(const struct policy *p, const struct operation *op)
{
	struct spellings s = spell_names(op);
	size_t i = 0;

	while (i < p->n && !section_matches(&p->section[i], &s))
		i++;
	arena_free(s.arena);
	return i < p->n ? &p->section[i] : NULL;
}

static double *rule_in(struct rank_rules *r, enum rank_rule rule)
{
	double *const fields[N_RANK_RULES] = {
		[RULE_THRESHOLD] = &r->threshold,	[RULE_MIN_SHARE] = &r->min_share,
		[RULE_MIN_OPS] = &r->min_ops,		[RULE_MIN_DIFFERENCE] = &r->min_difference,
		[RULE_MIN_EFFECT] = &r->min_effect,	[RULE_MIN_CALLS] = &r->min_calls,
		[RULE_MIN_SHAPE] = &r->min_shape,	[RULE_MIN_SLOW] = &r->min_slow,
		[RULE_SMALL_SAMPLE] = &r->small_sample, [RULE_MARGIN] = &r->margin,
	};

	return fields[rule];
}

double rank_rule_value(const struct rank_rules *rules, enum rank_rule rule)
{
	struct rank_rules copy = *rules;

	return *rule_in(&copy, rule);
}

static void apply_part(const struct policy_part *part, struct rank_rules *to)
{
	for (int rule = 0; part != NULL && rule < N_RANK_RULES; rule++) {
		if (part->value_line[rule] > 0)
			*rule_in(to, (enum rank_rule)rule) = part->value[rule];
	}
}

struct rank_rules policy_rules(const struct policy *p, const struct rank_rules *usual,
			       const struct operation *op)
{
	struct rank_rules rules = *usual;

	apply_part(&p->general, &rules);
	apply_part(policy_section(p, op), &rules);
	return rules;
}

size_t policy_rule_line(const struct policy *p, const struct operation *op, enum rank_rule rule)
{
	const struct policy_part *section = policy_section(p, op);

	if (section != NULL && section->value_line[rule] > 0)
		return section->value_line[rule];
	return p->general.value_line[rule];
}

/* Only reported operations fail, except inconclusive ones, which are never reported. */
static bool fails_by(unsigned fails, const struct ranked *r)
{
	return (fails & 1U << r->verdict) != 0 &&
	       (r->reported || r->verdict == VERDICT_INCONCLUSIVE);
}

/* If no policy says what fails, a new operation that costs the run something is a regression, and
 * so is a better body with slower slow calls. */
static bool fails_by_default(unsigned fails, const struct ranked *r)
{
	bool worse_tail = r->runs != NULL && r->runs->mixed && replicate_slower(r->runs);

	return fails_by(fails, r) ||
	       ((fails & VERDICTS_REGRESSED) != 0 && r->reported && (r->adds_to_run || worse_tail));
}

const struct quantile_limit *policy_limit(const struct policy_part *part, double percent)
{
	for (size_t i = 0; part != NULL && i < part->n_limits; i++) {
		if (part->limit[i].percent == percent)
			return &part->limit[i];
	}
	return NULL;
}

/* Repeated runs test the limit: even the lower end of the 90 % interval must exceed it.  Without
 * them, even the most favourable reading of the buckets must. */
static bool exceeds_over_runs(const struct ranked *r, const struct quantile_limit *l,
			      const struct quantile_change *change)
{
	enum feature f = feature_of_quantile(l->percent / 100);

	if (r->runs == NULL || f == N_FEATURES || isnan(r->runs->effect[f].p))
		return quantile_exceeds(change, l);
	return r->runs->effect[f].low > log2(1 + l->growth);
}

/* Returns the first limit of a part that an operation exceeds, ignoring those that `other` sets. */
static const struct quantile_limit *exceeded_limit(const struct policy_part *part,
						   const struct policy_part *other,
						   const struct ranked *r)
{
	for (size_t i = 0; part != NULL && i < part->n_limits; i++) {
		const struct quantile_limit *l = &part->limit[i];
		struct quantile_list one = { .percent = { l->percent }, .n = 1 };
		struct quantile_change change;

		if (policy_limit(other, l->percent) != NULL)
			continue;
		quantiles_of(r, &one, &change);
		if (exceeds_over_runs(r, l, &change))
			return l;
	}
	return NULL;
}

static struct ruling by_limit(const struct policy *p, const struct policy_part *section,
			      const struct ranked *r)
{
	const struct quantile_limit *limit = exceeded_limit(section, NULL, r);

	if (limit == NULL)
		limit = exceeded_limit(&p->general, section, r);
	return (struct ruling){ .failed = limit != NULL,
				.line = limit != NULL ? limit->line : 0,
				.limit = limit };
}

bool policy_limits_run(const struct policy *p)
{
	return p != NULL && (p->run.factor_line > 0 || p->run.per_call_line > 0);
}

unsigned policy_fails(const struct policy *p, unsigned fails)
{
	return p != NULL && p->general.fails_line > 0 ? p->general.fails : fails;
}

/* With repeated runs, even the lower end of the interval must exceed the limit. */
static bool exceeds_factor(const struct ranking *all, double factor)
{
	const struct effect *shared = &all->run.shared;

	if (!isnan(shared->p))
		return shared->low > log2(1 + factor);
	return all->effects.factor > 1 + factor;
}

size_t policy_run_ruling(const struct policy *p, const struct ranking *all)
{
	if (p == NULL)
		return 0;
	if (p->run.factor_line > 0 && exceeds_factor(all, p->run.factor))
		return p->run.factor_line;
	if (p->run.per_call_line > 0 && all->effects.per_call * all->seconds > p->run.per_call)
		return p->run.per_call_line;
	return 0;
}

struct ruling policy_ruling(const struct policy *p, unsigned fails, const struct ranked *r)
{
	const struct policy_part *section = NULL, *said = NULL;

	if (p != NULL) {
		section = policy_section(p, ranked_operation(r));
		said = section != NULL && section->fails_line > 0 ? section : &p->general;
	}
	if (section != NULL && section->ignore_line > 0)
		return (struct ruling){ .ignored = true, .line = section->ignore_line };
	if (p != NULL && by_limit(p, section, r).failed)
		return by_limit(p, section, r);
	if (said != NULL && said->fails_line > 0)
		return (struct ruling){ .failed = fails_by(said->fails, r),
					.line = said->fails_line };
	return (struct ruling){ .failed = fails_by_default(fails, r) };
}
