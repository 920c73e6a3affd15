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

static int compare_intervals(const struct interval *a, const struct interval *b)
{
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->end > b->end) - (a->end < b->end);
}

static bool add_interval(struct arena *arena, const struct interval *a, const struct interval *b,
			 const struct operation *op, struct interval *ret, struct diag *diag)
{
	*ret = *a;
	return tell(histogram_merge(arena, &a->hist, &b->hist, &ret->hist), op, diag) &&
	       (add_stated(&a->stated, &b->stated, &ret->stated) || tell(MERGE_OVERFLOW, op, diag));
}

static bool merge_intervals(struct arena *arena, const struct operation *a,
			    const struct operation *b, struct operation *to, struct diag *diag)
{
	size_t i = 0, k = 0;

	to->interval = arena_make(arena, struct interval, a->n_intervals + b->n_intervals);
	to->n_intervals = 0;
	while (i < a->n_intervals || k < b->n_intervals) {
		struct interval *next = &to->interval[to->n_intervals++];
		int order = i == a->n_intervals ? 1
			    : k == b->n_intervals
				    ? -1
				    : compare_intervals(&a->interval[i], &b->interval[k]);

		if (order < 0)
			*next = a->interval[i++];
		else if (order > 0)
			*next = b->interval[k++];
		else if (!add_interval(arena, &a->interval[i++], &b->interval[k++], to, next, diag))
			return false;
	}
	return true;
}

static bool add_operation(struct arena *arena, struct operation *to, const struct operation *op,
			  struct diag *diag)
{
	struct operation was = *to;

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
	if (op->threshold > to->threshold)
		to->threshold = op->threshold;
	return tell(histogram_merge(arena, &was.hist, &op->hist, &to->hist), op, diag) &&
	       ((add_stated(&was.stated, &op->stated, &to->stated) &&
		 !__builtin_add_overflow(was.lost, op->lost, &to->lost)) ||
		tell(MERGE_OVERFLOW, op, diag)) &&
	       merge_intervals(arena, &was, op, to, diag);
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
	struct edges_pool edges;

	to->op = arena_make(to->arena, struct operation, n);
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && operation_cmp_key(op[i - 1], op[i]) == 0) {
			if (!add_operation(to->arena, &to->op[to->n_ops - 1], op[i], diag))
				return false;
		} else {
			to->op[to->n_ops] = *op[i];
			to->op[to->n_ops++].floor = NULL; /* that of one is not that of all */
		}
	}
	edges_pool_start(&edges, to->arena);
	for (size_t i = 0; i < to->n_ops; i++)
		own(&edges, &to->op[i]);
	edges_pool_release(&edges);
	return true;
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
