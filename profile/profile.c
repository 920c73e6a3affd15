/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/profile.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"

struct profile *profile_new(const char *source)
{
	struct arena *arena = arena_new();
	struct profile *p = arena_make(arena, struct profile, 1);

	p->arena = arena;
	p->source = arena_str(arena, str_from(source));
	p->format = "osprof";
	p->machine = p->kernel = p->duet = STR("");
	return p;
}

void profile_free(struct profile *p)
{
	if (p == NULL)
		return;
	for (size_t i = 0; i < p->n_replicates; i++)
		profile_free(p->replicate[i]);
	arena_free(p->arena); /* the profile itself lies in it */
}

static int by_name(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

static size_t sort_names(struct str *name, size_t n)
{
	size_t kept = 0;

	if (n > 1)
		qsort(name, n, sizeof(*name), by_name);
	for (size_t i = 0; i < n; i++) {
		if (kept == 0 || !str_eq(name[kept - 1], name[i]))
			name[kept++] = name[i];
	}
	return kept;
}

void profile_sort_hosts(struct profile *p)
{
	size_t kept = 0;

	p->n_hosts = sort_names(p->host, p->n_hosts);
	p->n_missing = sort_names(p->missing, p->n_missing);
	for (size_t i = 0; i < p->n_missing; i++) {
		if (p->n_hosts == 0 ||
		    bsearch(&p->missing[i], p->host, p->n_hosts, sizeof(*p->host), by_name) == NULL)
			p->missing[kept++] = p->missing[i];
	}
	p->n_missing = kept;
}

bool operation_summary_only(const struct operation *op)
{
	return op->hist.n == 0 && op->stated.has_count && op->stated.count > 0;
}

uint64_t profile_lost(const struct profile *p)
{
	uint64_t lost = p->lost;

	for (size_t i = 0; i < p->n_ops; i++) {
		if (__builtin_add_overflow(lost, p->op[i].lost, &lost))
			return UINT64_MAX;
	}
	return lost;
}

uint64_t operation_count(const struct operation *op)
{
	return operation_summary_only(op) ? op->stated.count : op->hist.count;
}

bool operation_total_stated(const struct operation *op)
{
	return op->stated.has_total && op->stated.total_agrees;
}

bool operation_total_exact(const struct operation *op)
{
	return operation_total_stated(op) && !op->rounded_totals;
}

double operation_total(const struct operation *op)
{
	return operation_total_stated(op) ? decimal_f64(op->stated.total)
					  : histogram_total(&op->hist);
}

double operation_own(const struct operation *op)
{
	return op->own_known == OWN_TOTAL ? operation_total(op) : op->own;
}

/* Self time derived from layers is not exact: totals may be estimates, or shared in proportion. */
bool operation_own_exact(const struct operation *op)
{
	return op->own_known == OWN_STATED ||
	       (op->own_known == OWN_TOTAL && operation_total_exact(op));
}

double operation_own_part(const struct operation *op)
{
	double total = operation_total(op);

	return op->own_known == OWN_TOTAL || !(total > 0) ? 1 : op->own / total;
}

double operation_inclusive(const struct operation *op)
{
	return op->stated.has_inclusive ? decimal_f64(op->stated.inclusive) : operation_total(op);
}

double operation_mean(const struct operation *op)
{
	uint64_t count = operation_count(op);

	return count > 0 ? operation_total(op) / (double)count : NAN;
}

bool operation_mean_bounds(const struct operation *op, double *ret_low, double *ret_high)
{
	double min = op->stated.has_min ? op->stated.min : -HUGE_VAL;
	double max = op->stated.has_max ? op->stated.max : HUGE_VAL;
	double low = 0, high = 0;

	if (operation_count(op) == 0)
		return false;
	*ret_low = *ret_high = operation_mean(op);
	if (operation_total_stated(op) || op->hist.n == 0)
		return true;
	for (size_t i = 0; i < op->hist.n; i++) {
		const struct bucket *b = &op->hist.bucket[i];

		low += (double)b->count * fmax(b->edges->low, min);
		high += (double)b->count * fmin(b->edges->high, max);
	}
	/* Extremes that contradict the buckets do not exclude the estimate. */
	*ret_low = fmin(low / (double)op->hist.count, *ret_low);
	*ret_high = fmax(high / (double)op->hist.count, *ret_high);
	return true;
}

bool operation_has_layer(const struct operation *op)
{
	return op->layer.n > 0 && !str_eq(op->layer, op->name);
}

int operation_cmp_key(const struct operation *a, const struct operation *b)
{
	int order = str_cmp(a->layer, b->layer);

	return order != 0 ? order : str_cmp(a->name, b->name);
}
