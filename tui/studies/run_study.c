/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/studies/run_study.h"

#include <math.h>

#include "analyze/body.h"
#include "base/arena.h"

/* A history removes what all operations of a run share; so many of them tell it. */
enum { OPERATIONS = 64 };

static const struct runs_side *runs_of(const struct study *s, enum side side)
{
	return side == SIDE_AFTER ? &s->browsed.runs_after : &s->browsed.runs_before;
}

static struct run_point point_of(const struct operation *op, double scale)
{
	struct run_point p = { .calls = NAN, .mean = NAN, .p99 = NAN };

	if (op == NULL)
		return p;
	p.calls = (double)operation_count(op);
	p.mean = p.calls > 0 ? operation_total(op) / p.calls * scale : NAN;
	p.p99 = exp2(body_quantile(&op->hist, 0.99)) * scale;
	return p;
}

static double clock_start(const struct profile *p)
{
	double start = HUGE_VAL;

	for (size_t i = 0; p->epoch && !p->untimed && i < p->n_ops; i++) {
		if (p->op[i].n_intervals > 0)
			start = fmin(start, p->op[i].interval[0].start);
	}
	return isfinite(start) ? start : NAN;
}

/* Times of several days have dates. */
static void set_times(struct run_study *r, const struct study *s)
{
	double from = HUGE_VAL, to = -HUGE_VAL;

	for (size_t k = 0; k < r->n; k++) {
		if (isnan(r->v[k].start))
			return;
		from = fmin(from, r->v[k].start);
		to = fmax(to, r->v[k].start);
	}
	r->timed = r->n > 0;
	if (r->timed)
		r->words = time_words_of(runs_of(s, r->v[0].side)->run[0], from, to);
}

static void add_side(struct run_study *r, const struct study *s, const struct item *i,
		     enum side side)
{
	const struct runs_side *runs = runs_of(s, side);
	const struct run *run = side == SIDE_AFTER ? &s->browsed.after : &s->browsed.before;
	const struct operation *op = item_operation(i);
	double scale = side == SIDE_AFTER ? item_scale_after(i) : 1;

	for (size_t k = 0; k < runs->n; k++) {
		struct run_point *p = &r->v[r->n++];

		*p = point_of(operation_in(runs->run[k], op), scale);
		p->side = side;
		p->number = k + 1;
		p->start = clock_start(runs->run[k]);
		if (run->n_files == runs->n)
			p->name = str_from(run->file[k]);
	}
}

/* --- the history --------------------------------------------------------------------------- */

/* Returns a run with the first operations of the study, and the current one. */
static struct profile part_of(struct arena *a, const struct profile *p, const struct study *s,
			      const struct item *i)
{
	struct profile part = *p;
	const struct operation *op;

	part.op = arena_make(a, struct operation, OPERATIONS + 1);
	part.n_ops = 0;
	for (size_t k = 0; k < s->n && k < OPERATIONS; k++) {
		op = operation_in(p, item_operation(&s->item[k]));
		if (op != NULL)
			part.op[part.n_ops++] = *op;
	}
	op = i->index >= OPERATIONS ? operation_in(p, item_operation(i)) : NULL;
	if (op != NULL)
		part.op[part.n_ops++] = *op;
	return part;
}

static const struct past *past_of(const struct history_findings *f, const struct operation *op)
{
	for (size_t k = 0; k < f->n; k++) {
		if (str_eq(f->v[k].name, op->name) && str_eq(f->v[k].layer, op->layer))
			return &f->v[k];
	}
	return NULL;
}

static void judge_side(struct run_study *r, struct arena *a, const struct study *s,
		       const struct item *i, enum side side)
{
	const struct runs_side *runs = runs_of(s, side);
	struct diag silent = { .emit = NULL };
	struct history_findings found;
	struct history *h;

	if (runs->n < HISTORY_FEWEST)
		return;
	h = r->history[side] = history_new();
	for (size_t k = 0; k < runs->n; k++) {
		struct profile part = part_of(a, runs->run[k], s, i);

		if (!history_add(h, "", &part, 1, &silent))
			return;
	}
	found = history_judge(h, &history_rules_default);
	r->past[side] = past_of(&found, item_operation(i));
}

static void mark_outliers(struct run_study *r)
{
	for (size_t k = 0; k < r->n; k++) {
		const struct past *past = r->past[r->v[k].side];

		for (size_t o = 0; past != NULL && o < past->n_outliers; o++)
			r->v[k].outlier |= past->outlier[o].run + 1 == r->v[k].number;
	}
}

struct run_study run_study_of(struct arena *a, const struct study *s, const struct item *i)
{
	size_t n = runs_of(s, SIDE_BEFORE)->n + runs_of(s, SIDE_AFTER)->n;
	struct run_study r = { .v = arena_make(a, struct run_point, n + 1) };

	for (int side = 0; side < N_SIDES; side++) {
		add_side(&r, s, i, (enum side)side);
		judge_side(&r, a, s, i, (enum side)side);
		r.n_before = side == SIDE_BEFORE ? r.n : r.n_before;
	}
	set_times(&r, s);
	mark_outliers(&r);
	return r;
}

void run_study_release(struct run_study *r)
{
	for (int side = 0; side < N_SIDES; side++)
		history_free(r->history[side]);
}
