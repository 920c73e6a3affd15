/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/plotted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/xalloc.h"
#include "cli/cautions.h"
#include "cli/settings.h"

static const double least_share = 0.01; /* of a run's latency, without a comparison */

/* --- runs ------------------------------------------------------------------------------ */

/* The last part of a path that is not empty. */
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
	struct compared *c = &p->compared;
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
	const struct ranking *all = &p->compared.ranking;

	p->op = arena_make(p->arena, struct plotted_op, all->n);
	for (size_t i = 0; i < all->n; i++) {
		const struct ranked *r = &all->v[i];
		struct plotted_op *op = &p->op[p->n_ops++];

		*op = op_of(p, r->before != NULL ? r->before : r->after);
		op->of[0] = r->before;
		op->of[1] = r->after;
		op->ranked = r;
	}
}

static const struct operation *namesake(const struct profile *p, const struct operation *op)
{
	for (size_t i = 0; i < p->n_ops; i++) {
		if (operation_cmp_key(&p->op[i], op) == 0)
			return &p->op[i];
	}
	return NULL;
}

/* By latency in the first run that has them. */
static void set_ops(struct plotted *p)
{
	size_t most = 0;

	for (size_t r = 0; r < p->n_loaded; r++)
		most += p->run[r].profile->n_ops;
	p->op = arena_make(p->arena, struct plotted_op, most);
	for (size_t r = 0; r < p->n_loaded; r++) {
		const struct profile *profile = p->run[r].profile;
		const struct operation **order = order_by_latency(p->arena, profile);

		for (size_t i = 0; i < profile->n_ops; i++) {
			struct plotted_op op = op_of(p, order[i]);
			bool known = false;

			for (size_t k = 0; k < p->n_loaded; k++) {
				op.of[k] =
					k == r ? order[i] : namesake(p->run[k].profile, order[i]);
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
		/* Values that are no latencies have no share. */
		if (!(share_of_latency(&run->totals, run->profile, op->of[r]) < least_share))
			return true;
	}
	return false;
}

void plotted_choose(struct plotted *p, const struct settings *s, const struct figure_kind *kind,
		    size_t *ret_all)
{
	struct plotted_op *chosen = arena_make(p->arena, struct plotted_op, p->n_ops + 1);
	bool named = s->op != NULL || s->layer != NULL;
	size_t n = 0;

	for (size_t i = 0; i < p->n_ops; i++) {
		if (named ? is_wanted(plotted_any(&p->op[i], p->subject.n_runs), s)
			  : kind->all_ops || is_worth_showing(p, &p->op[i]))
			chosen[n++] = p->op[i];
	}
	/* Nothing differs: the operation that comes first says so best. */
	if (n == 0 && !named && p->n_ops > 0)
		chosen[n++] = p->op[0];
	*ret_all = n;
	p->subject.op = chosen;
	p->subject.n_ops = n < kind->most_ops ? n : kind->most_ops;
}

/* --- loading ------------------------------------------------------------------------------- */

static bool load_each(struct plotted *p, const struct settings *s, struct diag *diag)
{
	p->run = xcalloc(s->n_operands, sizeof(*p->run));
	while (p->n_loaded < s->n_operands) {
		if (!load_run(&p->run[p->n_loaded], &s->operand[p->n_loaded], 1, s, diag))
			return false;
		p->n_loaded++;
	}
	return set_runs(p, diag);
}

bool plotted_load(struct plotted *ret, const struct settings *s, struct diag *diag)
{
	struct settings unfiltered = *s;
	bool fine;

	/* Shares and ranks are those among all operations. */
	unfiltered.op = unfiltered.layer = NULL;
	*ret = (struct plotted){ .arena = arena_new(),
				 .is_compared = s->separated || s->n_operands == 2 };
	if (ret->is_compared) {
		fine = compare_sides(&ret->compared, &unfiltered, &s->rules, diag);
		ret->is_compared = fine;
		if (fine) {
			tell_cautions(&ret->compared, diag);
			set_pair(ret);
			set_compared_ops(ret);
		}
	} else {
		fine = load_each(ret, &unfiltered, diag);
		if (fine)
			set_ops(ret);
	}
	if (!fine)
		plotted_release(ret);
	return fine;
}

void plotted_release(struct plotted *p)
{
	if (p->is_compared)
		compared_release(&p->compared);
	for (size_t i = 0; i < p->n_loaded; i++)
		loaded_release(&p->run[i]);
	free(p->run);
	arena_free(p->arena);
}
