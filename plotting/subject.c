/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plotting/subject.h"

#include <math.h>

#include "base/arena.h"

static const double min_octaves = 8; /* minimum range, so that bars are not too wide */
enum { MAX_LETTERS = 44 /* of a name in the corner, next to the key */ };

static const double margin = 0.3; /* octaves */

struct str plotted_name(struct arena *a, const struct plotted_op *op)
{
	struct str name = op->name.n > 0 ? op->name : STR("(no name)");

	if (op->layer.n == 0 || str_eq(op->layer, op->name))
		return name;
	return arena_printf(a, "%.*s/%.*s", STR_ARG(op->layer), STR_ARG(name));
}

const struct operation *plotted_any(const struct plotted_op *op, size_t n_runs)
{
	for (size_t i = 0; i < n_runs; i++) {
		if (op->of[i] != NULL)
			return op->of[i];
	}
	return NULL;
}

struct scale plotted_scale(const struct subject *s, const struct plotted_op *op)
{
	const struct profile *first = s->run[0].profile;

	for (size_t i = 0; i < s->n_runs; i++) {
		if (op->of[i] == NULL)
			continue;
		if (op->of[i]->unit != s->run[i].profile->unit)
			return (struct scale){ .unit = op->of[i]->unit };
		return (struct scale){ .unit = first->unit, .hz = first->hz };
	}
	return (struct scale){ .unit = UNIT_UNKNOWN };
}

static struct histogram scaled(struct arena *a, const struct operation *op, double factor)
{
	if (op == NULL)
		return (struct histogram){ .scheme = &bucket_octaves };
	return factor == 1 ? op->hist : histogram_scaled(a, &op->hist, factor);
}

/* Values in another unit than the run's latencies are not scaled. */
static double factor_for(const struct plotted_run *run, const struct operation *op)
{
	return op != NULL && op->unit == run->profile->unit ? run->scale : 1;
}

struct histogram plotted_histogram(struct arena *a, const struct subject *s,
				   const struct plotted_op *op, size_t run)
{
	return scaled(a, op->of[run], factor_for(&s->run[run], op->of[run]));
}

static const struct operation *operation_like(const struct profile *p, const struct operation *like)
{
	for (size_t i = 0; i < p->n_ops; i++) {
		if (operation_cmp_key(&p->op[i], like) == 0)
			return &p->op[i];
	}
	return NULL;
}

struct histogram *plotted_singles(struct arena *a, const struct subject *s,
				  const struct plotted_op *op, size_t run)
{
	const struct plotted_run *r = &s->run[run];
	struct histogram *h = arena_make(a, struct histogram, r->n_single);

	for (size_t i = 0; i < r->n_single; i++) {
		const struct operation *of = op->of[run];

		h[i] = of != NULL ? scaled(a, operation_like(r->single[i], of), factor_for(r, of))
				  : scaled(a, NULL, 1);
	}
	return h;
}

/* --- range of latencies ------------------------------------------------------------------ */

static bool same_scheme(const struct histogram *const *h, size_t n, const struct histogram **ret)
{
	*ret = NULL;
	for (size_t i = 0; i < n; i++) {
		if (h[i]->n == 0)
			continue;
		if (*ret != NULL && (h[i]->scheme->kind != (*ret)->scheme->kind ||
				     h[i]->scheme->resolution != (*ret)->scheme->resolution))
			return false;
		*ret = h[i];
	}
	return *ret != NULL;
}

/* Readers know bucket numbers only of log2 schemes (OSprof 3). */
static const struct bucket_scheme *numbers_of(const struct histogram *const *h, size_t n)
{
	const struct histogram *one;

	if (!same_scheme(h, n, &one) || one->scheme->kind != BUCKET_LOG2)
		return NULL;
	return one->scheme;
}

static void set_range(struct frame *f, const struct subject *s)
{
	double from = f->at.from, to = f->at.to;
	double missing = min_octaves - (to - from);

	if (from > to) {
		from = 0;
		to = min_octaves;
	} else if (missing > 0) {
		from -= ceil(missing / 2);
		to += ceil(missing / 2);
	}
	f->from = isnan(s->x_from) ? exp2(from - margin) : s->x_from;
	f->to = isnan(s->x_to) ? exp2(to + margin) : s->x_to;
}

struct frame plotted_frame(struct arena *a, const struct subject *s)
{
	size_t n = s->n_runs * s->n_ops, k = 0;
	struct histogram *h = arena_make(a, struct histogram, n);
	const struct histogram **each = arena_make(a, const struct histogram *, n);
	struct frame f;

	for (size_t i = 0; i < s->n_ops; i++) {
		for (size_t r = 0; r < s->n_runs; r++, k++) {
			h[k] = plotted_histogram(a, s, &s->op[i], r);
			each[k] = &h[k];
		}
	}
	f = (struct frame){ .at = octaves_around(each, n),
			    .scheme = s->numbered ? numbers_of(each, n) : NULL,
			    .n_across = columns_for_panels(s->n_ops) };
	f.measure.shown = s->shown;
	if (s->n_ops > 0)
		f.measure.scale = plotted_scale(s, &s->op[0]);
	set_range(&f, s);
	return f;
}

/* --- panels -------------------------------------------------------------------------------- */

struct panel panel_of(struct arena *a, const struct plotted_op *op)
{
	return (struct panel){ .name = words_cut(a, plotted_name(a, op), MAX_LETTERS),
			       .has_grid = true };
}

enum colour colour_of_run(size_t run)
{
	return (enum colour)(run % N_RUN_COLOURS);
}

bool any_repeated(const struct subject *s)
{
	for (size_t i = 0; i < s->n_runs; i++) {
		if (s->run[i].n_single > 1)
			return true;
	}
	return false;
}

void limit_axes(struct panel *p, const struct subject *s)
{
	if (!isnan(s->y_from))
		p->y.from = p->y.baseline = s->y_from;
	if (!isnan(s->y_to))
		p->y.to = s->y_to;
}
