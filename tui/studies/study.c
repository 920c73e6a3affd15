/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/studies/study.h"

#include <math.h>

#include "analyze/body.h"
#include "analyze/totals.h"
#include "base/arena.h"
#include "base/escape.h"
#include "report/parts.h"

static void take_ranking(struct study *s, const struct ranking *all)
{
	s->item = arena_make(s->arena, struct item, all->n);
	for (size_t i = 0; i < all->n; i++)
		s->item[s->n++] = (struct item){ .before = all->v[i].before,
						 .after = all->v[i].after,
						 .ranked = &all->v[i],
						 .index = i };
}

static void take_run(struct study *s, const struct run *run)
{
	const struct profile *p = run->profile;
	const struct operation **op = order_by_latency(s->arena, p);
	double n_runs = run->n_runs > 0 ? (double)run->n_runs : 1;

	s->item = arena_make(s->arena, struct item, p->n_ops);
	for (size_t i = 0; i < p->n_ops; i++)
		s->item[s->n++] = (struct item){ .before = op[i], .index = i, .n_runs = n_runs };
}

static size_t widest_name(const struct study *s)
{
	size_t widest = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct operation *op = item_operation(&s->item[i]);
		size_t width = escape_terminal_width(op->name);

		if (operation_has_layer(op))
			width += escape_terminal_width(op->layer) + 1;
		widest = width > widest ? width : widest;
	}
	return widest;
}

struct study *study_new(const struct browsed *browsed)
{
	struct arena *a = arena_new();
	struct study *s = arena_make(a, struct study, 1);

	s->arena = a;
	s->browsed = *browsed;
	if (study_compares(s))
		take_ranking(s, browsed->comparison->ranking);
	else
		take_run(s, &browsed->before);
	s->widest_name = widest_name(s);
	s->nested = runs_are_nested(&s->browsed.before, 1) ||
		    (study_compares(s) && runs_are_nested(&s->browsed.after, 1));
	for (size_t i = 0; i < s->n && browsed->annotations != NULL; i++)
		s->item[i].annotation =
			annotations_find(browsed->annotations, item_operation(&s->item[i]));
	return s;
}

static void forget_kept(struct kept *k)
{
	if (k->release != NULL)
		k->release(k->what);
	arena_free(k->arena);
	*k = (struct kept){ 0 };
}

void study_free(struct study *s)
{
	if (s == NULL)
		return;
	forget_kept(&s->kept);
	story_study_release(&s->stories);
	arena_free(s->arena);
}

bool study_keeps(struct study *s, const void *by, const struct item *of)
{
	if (s->kept.arena != NULL && s->kept.by == by && s->kept.of == of)
		return true;
	forget_kept(&s->kept);
	s->kept = (struct kept){ .arena = arena_new(), .by = by, .of = of };
	return false;
}

const struct operation *item_operation(const struct item *i)
{
	return i->before != NULL ? i->before : i->after;
}

struct scale item_scale(const struct study *s, const struct item *i)
{
	if (i->ranked != NULL)
		return scale_of_ranked(s->browsed.comparison, i->ranked);
	return scale_of_operation(s->browsed.before.profile, i->before);
}

double item_scale_after(const struct item *i)
{
	return i->ranked != NULL ? i->ranked->scale_after : 1;
}

const struct operation *item_side(const struct item *i, enum side side)
{
	return side == SIDE_AFTER ? i->after : i->before;
}

double item_calls(const struct item *i, enum side side)
{
	const struct operation *op = item_side(i, side);

	if (op == NULL)
		return NAN;
	if (i->ranked != NULL)
		return side == SIDE_AFTER ? i->ranked->run_after.calls
					  : i->ranked->run_before.calls;
	return (double)operation_count(op) / i->n_runs;
}

double item_total(const struct item *i, enum side side)
{
	const struct operation *op = item_side(i, side);

	if (op == NULL)
		return NAN;
	if (i->ranked != NULL)
		return side == SIDE_AFTER ? i->ranked->run_after.total
					  : i->ranked->run_before.total;
	return operation_total(op) / i->n_runs;
}

double item_self(const struct item *i, enum side side)
{
	const struct operation *op = item_side(i, side);

	return op != NULL ? item_total(i, side) * operation_own_part(op) : NAN;
}

double item_mean(const struct item *i, enum side side)
{
	double calls = item_calls(i, side);

	return calls > 0 ? item_total(i, side) / calls : NAN;
}

static double quantile_of(const struct item *i, enum side side, double q)
{
	const struct operation *op = item_side(i, side);

	if (op == NULL)
		return NAN;
	return exp2(body_quantile(&op->hist, q)) * (side == SIDE_AFTER ? item_scale_after(i) : 1);
}

bool study_measure(struct study *s, size_t n)
{
	for (; n > 0 && s->n_measured < s->n; n--, s->n_measured++) {
		struct item *i = &s->item[s->n_measured];

		for (int side = 0; side < N_SIDES; side++) {
			i->p50[side] = quantile_of(i, (enum side)side, 0.5);
			i->p99[side] = quantile_of(i, (enum side)side, 0.99);
		}
	}
	return s->n_measured < s->n;
}

double item_p50(const struct study *s, const struct item *i, enum side side)
{
	return i < s->item + s->n_measured ? i->p50[side] : quantile_of(i, side, 0.5);
}

double item_p99(const struct study *s, const struct item *i, enum side side)
{
	return i < s->item + s->n_measured ? i->p99[side] : quantile_of(i, side, 0.99);
}

double item_share(const struct study *s, const struct item *i)
{
	if (i->ranked != NULL)
		return fmax(i->ranked->share_before, i->ranked->share_after);
	return share_of_latency(&s->browsed.before.totals, s->browsed.before.profile, i->before);
}

double item_change(const struct study *s, const struct item *i)
{
	if (i->ranked != NULL)
		return ranked_change(s->browsed.comparison->ranking, i->ranked) /
		       (double)s->browsed.comparison->ranking->n_before;
	return item_total(i, SIDE_BEFORE);
}

const struct operation *operation_in(const struct profile *p, const struct operation *op)
{
	for (size_t i = 0; i < p->n_ops; i++) {
		if (operation_cmp_key(&p->op[i], op) == 0)
			return &p->op[i];
	}
	return NULL;
}
