/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/xalloc.h"

static bool add_stated(const struct stated *a, const struct stated *b, struct stated *ret)
{
	struct stated s = {
		.has_count = a->has_count && b->has_count,
		.has_total = a->has_total && b->has_total,
		.has_min = a->has_min && b->has_min,
		.has_max = a->has_max && b->has_max,
		.count_agrees = a->count_agrees && b->count_agrees,
		.total_agrees = a->total_agrees && b->total_agrees,
	};

	if (s.has_count && __builtin_add_overflow(a->count, b->count, &s.count))
		return false;
	if (s.has_total && !decimal_add(a->total, b->total, &s.total))
		return false;
	if (s.has_min)
		s.min = a->min < b->min ? a->min : b->min;
	if (s.has_max)
		s.max = a->max > b->max ? a->max : b->max;
	*ret = s;
	return true;
}

static bool tell(enum merge what, const struct operation *op, struct diag *diag)
{
	if (what == MERGE_OVERFLOW)
		diag_plain(diag, DIAG_COUNT_OVERFLOW, "%.*s: the sum passes 2^64-1",
			   STR_ARG(op->name));
	if (what == MERGE_INEXACT)
		diag_plain(diag, DIAG_MERGE_INEXACT,
			   "%.*s: its buckets have other edges in each file; --resolution puts "
			   "both on one scheme",
			   STR_ARG(op->name));
	return what == MERGE_DONE;
}

/* Calls that are only stated are in no bucket: beside buckets they would be lost. */
static bool mixes_moments(const struct operation *a, const struct operation *b)
{
	return (operation_moments_only(a) && b->hist.n > 0) ||
	       (operation_moments_only(b) && a->hist.n > 0);
}

/* --- intervals ------------------------------------------------------------------- */

/* An interval, and its place among those of all runs. */
struct met {
	const struct interval *v;
	size_t number;
};

static bool same_time(const struct met *a, const struct met *b)
{
	return a->v->start == b->v->start && a->v->end == b->v->end;
}

static int by_time(const void *pa, const void *pb)
{
	const struct met *a = pa, *b = pb;

	if (a->v->start != b->v->start)
		return a->v->start < b->v->start ? -1 : 1;
	if (a->v->end != b->v->end)
		return a->v->end < b->v->end ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

/* Those of one operation in each of n runs, ascending. */
static struct met *sort_intervals(struct arena *a, const struct operation *const *op, size_t n,
				  size_t *ret_n)
{
	struct met *met;
	size_t n_met = 0, at = 0;

	for (size_t i = 0; i < n; i++)
		n_met += op[i]->n_intervals;
	met = arena_make(a, struct met, n_met);
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < op[i]->n_intervals; k++, at++)
			met[at] = (struct met){ &op[i]->interval[k], at };
	}
	if (n_met > 0)
		qsort(met, n_met, sizeof(*met), by_time);
	*ret_n = n_met;
	return met;
}

/* n >= 1 intervals of the same time. */
static bool add_intervals(struct arena *a, const struct met *met, size_t n, struct interval *ret,
			  const struct operation *op, struct diag *diag)
{
	struct histogram *h = arena_make(a, struct histogram, n);

	*ret = *met[0].v;
	for (size_t i = 0; i < n; i++) {
		h[i] = met[i].v->hist;
		if (i > 0 && !add_stated(&ret->stated, &met[i].v->stated, &ret->stated))
			return tell(MERGE_OVERFLOW, op, diag);
	}
	return tell(histogram_sum(a, h, n, &ret->hist), op, diag);
}

static bool merge_intervals(struct arena *a, const struct operation *const *op, size_t n,
			    struct operation *to, struct diag *diag)
{
	size_t n_met, n_same;
	const struct met *met = sort_intervals(a, op, n, &n_met);

	to->interval = arena_make(a, struct interval, n_met);
	to->n_intervals = 0;
	for (size_t i = 0; i < n_met; i += n_same) {
		n_same = 1;
		while (i + n_same < n_met && same_time(&met[i], &met[i + n_same]))
			n_same++;
		if (!add_intervals(a, met + i, n_same, &to->interval[to->n_intervals++], to, diag))
			return false;
	}
	return true;
}

/* --- operations ------------------------------------------------------------------ */

/* All but buckets and intervals; that there were buckets before is seen in `to`. */
static bool add_operation(struct operation *to, const struct operation *op, struct diag *diag)
{
	if (to->unit != op->unit) {
		diag_plain(diag, DIAG_UNIT_CLASH, "%.*s: in %s and in %s", STR_ARG(op->name),
			   unit_name(to->unit), unit_name(op->unit));
		return false;
	}
	if (mixes_moments(to, op)) {
		diag_plain(diag, DIAG_MERGE_INEXACT,
			   "%.*s: one file has its buckets, another only counts its calls",
			   STR_ARG(op->name));
		return false;
	}
	to->rounded_totals |= op->rounded_totals;
	to->fixed_duration |= op->fixed_duration;
	if (op->threshold > to->threshold)
		to->threshold = op->threshold;
	if (to->hist.n == 0)
		to->hist = op->hist;
	return (add_stated(&to->stated, &op->stated, &to->stated) &&
		!__builtin_add_overflow(to->lost, op->lost, &to->lost)) ||
	       tell(MERGE_OVERFLOW, op, diag);
}

/* One operation in each of n runs.  What is made of its buckets lies in the arena. */
static bool merge_operation(struct arena *a, const struct operation *const *op, size_t n,
			    struct operation *to, struct diag *diag)
{
	struct histogram *h = arena_make(a, struct histogram, n);

	*to = *op[0];
	to->floor = NULL; /* that of one is not that of all */
	for (size_t i = 0; i < n; i++) {
		h[i] = op[i]->hist;
		if (i > 0 && !add_operation(to, op[i], diag))
			return false;
	}
	return n == 1 || (tell(histogram_sum(a, h, n, &to->hist), to, diag) &&
			  merge_intervals(a, op, n, to, diag));
}

/* --- copies --------------------------------------------------------------------- */

static void own(struct edges_pool *to, struct operation *op)
{
	struct interval *from = op->interval;

	op->name = arena_str(to->arena, op->name);
	op->layer = arena_str(to->arena, op->layer);
	op->hist = histogram_copy(to, &op->hist);
	op->interval = arena_make(to->arena, struct interval, op->n_intervals);
	for (size_t i = 0; i < op->n_intervals; i++) {
		op->interval[i] = from[i];
		op->interval[i].hist = histogram_copy(to, &from[i].hist);
	}
}

/* --- the run ---------------------------------------------------------------------- */

static bool reconcile(const struct profile *a, const struct profile *b, struct diag *diag)
{
	if (a->unit != b->unit) {
		diag_plain(diag, DIAG_UNIT_CLASH, "%.*s in %s, %.*s in %s", STR_ARG(a->source),
			   unit_name(a->unit), STR_ARG(b->source), unit_name(b->unit));
		return false;
	}
	if (a->hz != b->hz) {
		diag_plain(diag, DIAG_UNIT_CLASH, "%.*s at %.10g Hz, %.*s at %.10g Hz",
			   STR_ARG(a->source), a->hz, STR_ARG(b->source), b->hz);
		return false;
	}
	return true;
}

static int by_key(const void *pa, const void *pb)
{
	const struct operation *const *a = pa, *const *b = pb;

	return operation_cmp_key(*a, *b);
}

static const struct operation **sort_operations(const struct profile *const *p, size_t n,
						size_t *ret_n)
{
	const struct operation **op;
	size_t n_ops = 0, at = 0;

	for (size_t i = 0; i < n; i++)
		n_ops += p[i]->n_ops;
	op = xcalloc(n_ops, sizeof(*op));
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < p[i]->n_ops; k++)
			op[at++] = &p[i]->op[k];
	}
	qsort(op, n_ops, sizeof(*op), by_key);
	*ret_n = n_ops;
	return op;
}

static bool merge_operations(struct profile *to, const struct operation **op, size_t n,
			     struct diag *diag)
{
	struct arena *a = arena_new();
	struct edges_pool edges;
	bool fine = true;
	size_t n_same;

	to->op = arena_make(to->arena, struct operation, n);
	edges_pool_start(&edges, to->arena);
	for (size_t i = 0; i < n && fine; i += n_same) {
		struct operation *next = &to->op[to->n_ops++];

		n_same = 1;
		while (i + n_same < n && operation_cmp_key(op[i], op[i + n_same]) == 0)
			n_same++;
		fine = merge_operation(a, op + i, n_same, next, diag);
		if (fine)
			own(&edges, next);
		arena_clear(a);
	}
	edges_pool_release(&edges);
	arena_free(a);
	return fine;
}

struct profile *profile_merge(const struct profile *const *p, size_t n, struct diag *diag)
{
	struct arena *arena = arena_new();
	struct profile *r = arena_make(arena, struct profile, 1);
	const struct operation **op;
	size_t n_ops;
	bool fine = true;

	r->arena = arena;
	r->source = arena_str(arena, p[0]->source);
	r->format = p[0]->format;
	r->unit = p[0]->unit;
	r->hz = p[0]->hz;
	r->machine = arena_str(arena, p[0]->machine);
	r->kernel = arena_str(arena, p[0]->kernel);
	for (size_t i = 0; i < n && fine; i++) {
		if (!str_eq(r->machine, p[i]->machine))
			r->machine = STR("");
		if (!str_eq(r->kernel, p[i]->kernel))
			r->kernel = STR("");
		fine = reconcile(p[0], p[i], diag);
		if (p[i]->elapsed > r->elapsed)
			r->elapsed = p[i]->elapsed;
		r->untimed |= p[i]->untimed;
		if (__builtin_add_overflow(r->lost, p[i]->lost, &r->lost))
			r->lost = UINT64_MAX; /* it is a warning, not a measurement */
		if (strcmp(p[i]->format, r->format) != 0)
			r->format = "mixed";
	}
	op = sort_operations(p, n, &n_ops);
	fine = fine && merge_operations(r, op, n_ops, diag);
	free(op);
	if (fine)
		return r;
	arena_free(arena);
	return NULL;
}
