/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/xalloc.h"
#include "profile/merge_heads.h"
#include "profile/merge_stated.h"
#include "profile/spread.h"

enum { MAX_HEADS = 32 }; /* profiles that are merged by comparing their next operations */

static bool report_merge(enum merge what, const struct operation *op, struct diag *diag)
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

/* Calls without buckets must not be added to calls with buckets, which would not show them.
 * `counted`: there are calls that are only stated; `has_buckets`: there are buckets. */
struct kinds {
	bool counted, has_buckets;
};

static bool has_bare_total(const struct stated *s)
{
	return s->has_total && s->total.billionths != 0;
}

static bool add_kind(struct kinds *k, const struct histogram *h, const struct stated *s,
		     const struct operation *op, struct diag *diag)
{
	k->has_buckets |= h->n > 0;
	k->counted |= h->n == 0 && (is_called(h, s) || has_bare_total(s));
	if (!(k->counted && k->has_buckets))
		return true;
	diag_plain(diag, DIAG_MERGE_INEXACT,
		   "%.*s: one file has its buckets, another only its number of calls or its total",
		   STR_ARG(op->name));
	return false;
}

/* --- bucket schemes ---------------------------------------------------------------- */

/* *to is NULL until there was a bucket: the scheme of an empty histogram does not matter. */
static bool join_scheme(struct arena *a, const struct histogram *h, const struct bucket_scheme **to)
{
	struct bucket_scheme joined;
	double *edges = NULL;

	if (h->n == 0)
		return true;
	if (*to == NULL || bucket_scheme_eq(*to, h->scheme)) {
		*to = *to == NULL ? h->scheme : *to;
		return true;
	}
	if (h->scheme->kind == BUCKET_EDGES)
		edges = arena_make(a, double, h->scheme->n_edges);
	if (!bucket_scheme_join(*to, h->scheme, edges, &joined))
		return false;
	*to = bucket_scheme_copy(a, &joined);
	return true;
}

/* Finds one scheme for all histograms of an operation, as the file format requires. */
static bool scheme_of(struct arena *a, const struct operation *const *op, size_t n,
		      const struct bucket_scheme **ret)
{
	const struct bucket_scheme *to = NULL;

	for (size_t i = 0; i < n; i++) {
		if (!join_scheme(a, &op[i]->hist, &to))
			return false;
		for (size_t k = 0; k < op[i]->n_intervals; k++) {
			if (!join_scheme(a, &op[i]->interval[k].hist, &to))
				return false;
		}
	}
	*ret = to != NULL ? to : &bucket_octaves;
	return true;
}

static bool put_on(struct arena *a, const struct bucket_scheme *s, struct histogram *h)
{
	return h->n == 0 || bucket_scheme_eq(h->scheme, s) || histogram_rebin(a, h, s, h);
}

/* Adds up n histograms, which are put on scheme s first. */
static bool sum_histograms(struct arena *a, const struct bucket_scheme *s, struct histogram *h,
			   size_t n, struct histogram *ret, const struct operation *op,
			   struct diag *diag)
{
	for (size_t i = 0; i < n; i++) {
		if (!put_on(a, s, &h[i]))
			return report_merge(MERGE_INEXACT, op, diag);
	}
	if (!report_merge(histogram_sum(a, h, n, ret), op, diag))
		return false;
	ret->scheme = s;
	return true;
}

/* --- intervals ------------------------------------------------------------------- */

/* An interval, and its number among those of all runs. */
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

/* Returns the intervals of one operation in n runs, in order of time. */
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

/* Adds up n >= 1 intervals of the same time. */
static bool add_intervals(struct arena *a, const struct met *met, size_t n,
			  const struct bucket_scheme *s, struct interval *ret,
			  const struct operation *op, struct diag *diag)
{
	struct histogram *h = arena_make(a, struct histogram, n);
	struct statement sum = statement_of(&met[0].v->hist, &met[0].v->stated);
	struct kinds kinds = { .counted = false };

	*ret = *met[0].v;
	for (size_t i = 0; i < n; i++) {
		const struct interval *v = met[i].v;
		struct statement next = statement_of(&v->hist, &v->stated);

		h[i] = v->hist;
		if (!add_kind(&kinds, &v->hist, &v->stated, op, diag))
			return false;
		if (i > 0 && !add_statement(&sum, &next))
			return report_merge(MERGE_OVERFLOW, op, diag);
	}
	ret->stated = stated_of(&sum);
	return sum_histograms(a, s, h, n, &ret->hist, op, diag);
}

static bool merge_intervals(struct arena *a, const struct operation *const *op, size_t n,
			    const struct bucket_scheme *s, struct operation *to, struct diag *diag)
{
	size_t n_met, n_same;
	const struct met *met = sort_intervals(a, op, n, &n_met);

	to->interval = arena_make(a, struct interval, n_met);
	to->n_intervals = 0;
	for (size_t i = 0; i < n_met; i += n_same) {
		n_same = 1;
		while (i + n_same < n_met && same_time(&met[i], &met[i + n_same]))
			n_same++;
		if (!add_intervals(a, met + i, n_same, s, &to->interval[to->n_intervals++], to,
				   diag))
			return false;
	}
	return true;
}

/* --- operations ------------------------------------------------------------------ */

/* Adds everything except buckets, intervals and spreads. */
static bool add_operation(struct operation *to, const struct operation *op, struct statement *sum,
			  struct diag *diag)
{
	struct statement next = statement_of(&op->hist, &op->stated);

	if (to->unit != op->unit) {
		diag_plain(diag, DIAG_UNIT_CLASH, "%.*s: in %s and in %s", STR_ARG(op->name),
			   unit_name(to->unit), unit_name(op->unit));
		return false;
	}
	to->rounded_totals |= op->rounded_totals;
	to->fixed_duration |= op->fixed_duration;
	if (op->threshold > to->threshold)
		to->threshold = op->threshold;
	return (add_statement(sum, &next) &&
		!__builtin_add_overflow(to->lost, op->lost, &to->lost)) ||
	       report_merge(MERGE_OVERFLOW, op, diag);
}

/* Returns the granularity that all runs with calls have in common; 0 if they differ. */
static double granularity_of(const struct operation *const *op, size_t n)
{
	double granularity = 0;
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		if (!is_called(&op[i]->hist, &op[i]->stated))
			continue;
		if (any && op[i]->hist.granularity != granularity)
			return 0;
		granularity = op[i]->hist.granularity;
		any = true;
	}
	return granularity;
}

/* Merges one operation of n runs.  The result lies in the arena, or borrows from op. */
static bool merge_operation(struct arena *a, const struct operation *const *op, size_t n,
			    struct operation *to, struct diag *diag)
{
	struct histogram *h = arena_make(a, struct histogram, n);
	struct statement sum = statement_of(&op[0]->hist, &op[0]->stated);
	struct kinds kinds = { .counted = false };
	bool *called = arena_make(a, bool, n);
	const struct bucket_scheme *s;

	*to = *op[0];
	to->floor = NULL; /* a floor of one run does not hold for the sum */
	to->own_known = OWN_TOTAL;
	to->own = 0;
	for (size_t i = 0; i < n; i++) {
		h[i] = op[i]->hist;
		called[i] = is_called(&op[i]->hist, &op[i]->stated);
		if (!add_kind(&kinds, &op[i]->hist, &op[i]->stated, op[i], diag))
			return false;
		if (i > 0 && !add_operation(to, op[i], &sum, diag))
			return false;
	}
	to->stated = stated_of(&sum);
	if (!spreads_add(a, op, called, n, &to->spreads))
		return report_merge(MERGE_OVERFLOW, to, diag);
	if (!scheme_of(a, op, n, &s))
		return report_merge(MERGE_INEXACT, to, diag);
	if (!sum_histograms(a, s, h, n, &to->hist, to, diag))
		return false;
	to->hist.granularity = granularity_of(op, n);
	return merge_intervals(a, op, n, s, to, diag);
}

/* --- copies --------------------------------------------------------------------- */

static void own_operation(struct edges_pool *to, struct operation *op)
{
	struct interval *from = op->interval;

	op->name = arena_str(to->arena, op->name);
	op->layer = arena_str(to->arena, op->layer);
	op->hist = histogram_copy(to, &op->hist);
	op->spreads = spreads_copy(to->arena, op->spreads);
	op->interval = arena_make(to->arena, struct interval, op->n_intervals);
	for (size_t i = 0; i < op->n_intervals; i++) {
		op->interval[i] = from[i];
		op->interval[i].hist = histogram_copy(to, &from[i].hist);
	}
}

/* --- the run ---------------------------------------------------------------------- */

static int by_key(const void *pa, const void *pb)
{
	const struct operation *const *a = pa, *const *b = pb;

	return operation_cmp_key(*a, *b);
}

static bool all_sorted(const struct profile *const *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 1; k < p[i]->n_ops; k++) {
			if (operation_cmp_key(&p[i]->op[k - 1], &p[i]->op[k]) > 0)
				return false;
		}
	}
	return true;
}

/* Merges sorted lists, as in files that osprof wrote; they mostly have the same operations. */
static void merge_sorted(const struct profile *const *p, size_t n, const struct operation **op)
{
	size_t head[MAX_HEADS] = { 0 }, equal[MAX_HEADS], n_equal, at = 0;

	do {
		const struct operation *min = NULL;

		n_equal = 0;
		for (size_t i = 0; i < n; i++) {
			const struct operation *next = &p[i]->op[head[i]];
			int order;

			if (head[i] == p[i]->n_ops)
				continue;
			order = min == NULL ? -1 : operation_cmp_key(next, min);
			if (order > 0)
				continue;
			if (order < 0)
				n_equal = 0;
			min = next;
			equal[n_equal++] = i;
		}
		for (size_t i = 0; i < n_equal; i++)
			op[at++] = &p[equal[i]]->op[head[equal[i]]++];
	} while (n_equal > 0);
}

static const struct operation **sort_operations(const struct profile *const *p, size_t n,
						size_t *ret_n)
{
	const struct operation **op;
	size_t n_ops = 0, at = 0;

	for (size_t i = 0; i < n; i++)
		n_ops += p[i]->n_ops;
	op = xcalloc(n_ops + 1, sizeof(*op));
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < p[i]->n_ops; k++)
			op[at++] = &p[i]->op[k];
	}
	if (n <= MAX_HEADS && all_sorted(p, n))
		merge_sorted(p, n, op);
	else if (n_ops > 0)
		qsort(op, n_ops, sizeof(*op), by_key);
	*ret_n = n_ops;
	return op;
}

static bool merge_operations(struct profile *to, const struct operation **op, size_t n,
			     struct diag *diag)
{
	struct arena *a = arena_new();
	struct edges_pool edges;
	bool ok = true;
	size_t n_same;

	to->op = arena_make(to->arena, struct operation, n);
	edges_pool_start(&edges, to->arena);
	for (size_t i = 0; i < n && ok; i += n_same) {
		struct operation *next = &to->op[to->n_ops++];

		n_same = 1;
		while (i + n_same < n && operation_cmp_key(op[i], op[i + n_same]) == 0)
			n_same++;
		ok = merge_operation(a, op + i, n_same, next, diag);
		if (ok)
			own_operation(&edges, next);
		arena_clear(a);
	}
	edges_pool_release(&edges);
	arena_free(a);
	return ok;
}

struct profile *profile_merge(const struct profile *const *p, size_t n, struct diag *diag)
{
	struct arena *arena = arena_new();
	struct profile *r = arena_make(arena, struct profile, 1);
	const struct operation **op;
	size_t n_ops;
	bool ok;

	r->arena = arena;
	r->source = arena_str(arena, p[0]->source);
	r->format = p[0]->format;
	r->machine = r->kernel = STR("");
	op = sort_operations(p, n, &n_ops);
	ok = merge_heads(r, p, n, diag) && merge_operations(r, op, n_ops, diag);
	free(op);
	if (ok)
		return r;
	arena_free(arena);
	return NULL;
}
