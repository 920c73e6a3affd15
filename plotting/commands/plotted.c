/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plotting/commands/plotted.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/history/history.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/xalloc.h"
#include "compare/cautions.h"
#include "load/load_options.h"

static const double min_tested_share = 0.01; /* minimum share of a run's latency */

/* --- runs ------------------------------------------------------------------------------ */

/* Returns the last non-empty component of a path. */
static struct str last_part(const char *path)
{
	struct str s = str_from(path), head, tail;

	while (s.n > 1 && s.p[s.n - 1] == '/')
		s.n--;
	for (struct str rest = s; str_cut(rest, '/', &head, &tail); rest = tail)
		s = tail.n > 0 ? tail : s;
	return s;
}

static struct plotted_run run_of(const struct loaded *l, struct str title, double scale)
{
	return (struct plotted_run){
		.title = title,
		.profile = l->profile,
		.single = (const struct profile *const *)l->single,
		.n_single = l->n_runs,
		.scale = scale,
	};
}

static void set_pair(struct plotted *p)
{
	const struct compared *c = p->compared;
	struct plotted_run *run = arena_make(p->arena, struct plotted_run, 2);

	run[0] = run_of(
		&c->before,
		arena_printf(p->arena, "before: %.*s", STR_ARG(last_part(c->before.run.path))), 1);
	run[1] =
		run_of(&c->after,
		       arena_printf(p->arena, "after: %.*s", STR_ARG(last_part(c->after.run.path))),
		       c->ranking.scale_after);
	p->subject.run = run;
	p->subject.n_runs = 2;
	p->subject.ranking = &c->ranking;
}

static bool set_runs(struct plotted *p, struct diag *diag)
{
	struct plotted_run *run = arena_make(p->arena, struct plotted_run, p->n_loaded);
	const struct profile *first = p->run[0].profile;

	for (size_t i = 0; i < p->n_loaded; i++) {
		const struct profile *one = p->run[i].profile;
		double scale;

		if (!unit_scale(one->unit, one->hz, first->unit, first->hz, &scale)) {
			diag_plain(diag, DIAG_UNIT_CLASH, "%s is in %s, %s in %s",
				   p->run[0].run.path, unit_name(first->unit), p->run[i].run.path,
				   unit_name(one->unit));
			return false;
		}
		run[i] = run_of(&p->run[i], last_part(p->run[i].run.path), scale);
	}
	p->subject.run = run;
	p->subject.n_runs = p->n_loaded;
	return true;
}

/* --- operations -------------------------------------------------------------------------- */

static struct plotted_op op_of(struct plotted *p, const struct operation *op)
{
	return (struct plotted_op){
		.layer = op->layer,
		.name = op->name,
		.of = arena_make(p->arena, const struct operation *, p->subject.n_runs),
	};
}

static void set_compared_ops(struct plotted *p)
{
	const struct ranking *all = &p->compared->ranking;

	p->op = arena_make(p->arena, struct plotted_op, all->n);
	for (size_t i = 0; i < all->n; i++) {
		const struct ranked *r = &all->v[i];
		struct plotted_op *op = &p->op[p->n_ops++];

		*op = op_of(p, ranked_operation(r));
		op->of[0] = r->before;
		op->of[1] = r->after;
		op->ranked = r;
	}
}

static const struct operation *operation_like(const struct profile *p, const struct operation *op)
{
	for (size_t i = 0; i < p->n_ops; i++) {
		if (operation_cmp_key(&p->op[i], op) == 0)
			return &p->op[i];
	}
	return NULL;
}

/* Sets the operations, ordered by latency in the first run that has them. */
static void set_ops(struct plotted *p)
{
	size_t max = 0;

	for (size_t r = 0; r < p->n_loaded; r++)
		max += p->run[r].profile->n_ops;
	p->op = arena_make(p->arena, struct plotted_op, max);
	for (size_t r = 0; r < p->n_loaded; r++) {
		const struct profile *profile = p->run[r].profile;
		const struct operation **order = order_by_inclusive(p->arena, profile);

		for (size_t i = 0; i < profile->n_ops; i++) {
			struct plotted_op op = op_of(p, order[i]);
			bool known = false;

			for (size_t k = 0; k < p->n_loaded; k++) {
				op.of[k] = k == r ? order[i]
						  : operation_like(p->run[k].profile, order[i]);
				known |= k < r && op.of[k] != NULL;
			}
			if (!known)
				p->op[p->n_ops++] = op;
		}
	}
}

static bool is_worth_showing(const struct plotted *p, const struct plotted_op *op)
{
	if (op->ranked != NULL)
		return op->ranked->reported;
	for (size_t r = 0; r < p->n_loaded; r++) {
		const struct run *run = &p->run[r].run;

		if (op->of[r] == NULL)
			continue;
		/* Values that are not latencies have no share. */
		if (!(share_of_latency(&run->totals, run->profile, op->of[r]) < min_tested_share))
			return true;
	}
	return false;
}

void plotted_choose(struct plotted *p, const struct load_options *q, const struct figure_kind *kind,
		    size_t *ret_all)
{
	struct plotted_op *chosen = arena_make(p->arena, struct plotted_op, p->n_ops + 1);
	bool named = q->op != NULL || q->layer != NULL;
	size_t n = 0;

	for (size_t i = 0; i < p->n_ops; i++) {
		if (named ? is_wanted(plotted_any(&p->op[i], p->subject.n_runs), q)
			  : kind->all_ops || is_worth_showing(p, &p->op[i]))
			chosen[n++] = p->op[i];
	}
	/* Nothing differs: show the first operation as an example. */
	if (n == 0 && !named && p->n_ops > 0)
		chosen[n++] = p->op[0];
	*ret_all = n;
	p->subject.op = chosen;
	p->subject.n_ops = n < kind->max_ops ? n : kind->max_ops;
}

bool plotted_choose_one(struct plotted *p, const struct operation *op)
{
	for (size_t i = 0; i < p->n_ops; i++) {
		for (size_t r = 0; r < p->subject.n_runs; r++) {
			if (p->op[i].of[r] != op)
				continue;
			p->subject.op = &p->op[i];
			p->subject.n_ops = 1;
			return true;
		}
	}
	return false;
}

/* --- what is loaded -------------------------------------------------------------------- */

static struct plotted nothing_yet(void)
{
	return (struct plotted){ .arena = arena_new(),
				 .subject = {
					 .x_from = NAN, .x_to = NAN, .y_from = NAN, .y_to = NAN } };
}

void plotted_borrow_pair(struct plotted *ret, const struct compared *c)
{
	*ret = nothing_yet();
	ret->compared = c;
	set_pair(ret);
	set_compared_ops(ret);
}

bool plotted_borrow_runs(struct plotted *ret, const struct loaded *run, size_t n, struct diag *diag)
{
	*ret = nothing_yet();
	ret->run = run;
	ret->n_loaded = n;
	if (set_runs(ret, diag)) {
		set_ops(ret);
		return true;
	}
	plotted_release(ret);
	return false;
}

static void release_runs(struct loaded *run, size_t n)
{
	for (size_t i = 0; i < n; i++)
		loaded_release(&run[i]);
	free(run);
}

static bool load_pair(struct plotted *ret, const struct load_options *q,
		      const struct compare_options *how, struct diag *diag)
{
	struct compared *c = xcalloc(1, sizeof(*c));

	if (!compare_runs(c, q, how, diag)) {
		free(c);
		return false;
	}
	report_cautions(c, diag);
	plotted_borrow_pair(ret, c);
	ret->own_compared = c;
	return true;
}

static bool load_each(struct plotted *ret, const struct load_options *q, struct diag *diag)
{
	struct loaded *run = xcalloc(q->n_operands, sizeof(*run));
	size_t n = 0;

	while (n < q->n_operands && load_run(&run[n], &q->operand[n], 1, q, diag))
		n++;
	if (n < q->n_operands || !plotted_borrow_runs(ret, run, n, diag)) {
		release_runs(run, n);
		return false;
	}
	ret->own_run = run;
	return true;
}

bool plotted_load(struct plotted *ret, const struct load_options *q,
		  const struct compare_options *how, bool all, struct diag *diag)
{
	struct load_options unfiltered = *q;

	/* Shares and ranks refer to all operations, so the filter is not applied here; a folder of
	 * figures has only the ranked ones. */
	if (!all)
		unfiltered.op = unfiltered.layer = NULL;
	if (q->separated || q->n_operands == 2)
		return load_pair(ret, &unfiltered, how, diag);
	return load_each(ret, &unfiltered, diag);
}

/* A pair has two configurations, and its change is known. */
void plotted_judge_history(struct plotted *p, struct diag *diag)
{
	const struct subject *s = &p->subject;
	size_t n = 0;

	for (size_t r = 0; r < s->n_runs; r++)
		n += s->run[r].n_single;
	if (p->compared != NULL || n < HISTORY_FEWEST)
		return;
	p->own_history = history_new();
	for (size_t r = 0; r < s->n_runs; r++) {
		const struct plotted_run *run = &s->run[r];

		for (size_t i = 0; i < run->n_single; i++) {
			const struct profile *one =
				run->n_single > 1 ? run->single[i] : run->profile;

			if (!history_add(p->own_history, "", one, 1, diag))
				return;
		}
	}
	p->findings = history_judge(p->own_history, &history_rules_default);
	p->subject.history = &p->findings;
}

void plotted_release(struct plotted *p)
{
	history_free(p->own_history);
	if (p->own_compared != NULL)
		compared_release(p->own_compared);
	free(p->own_compared);
	if (p->own_run != NULL)
		release_runs(p->own_run, p->n_loaded);
	arena_free(p->arena);
}
