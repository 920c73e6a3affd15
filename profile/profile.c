/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/profile.h"

#include <math.h>

#include "base/arena.h"

void profile_free(struct profile *p)
{
	if (p != NULL)
		arena_free(p->arena); /* the profile itself lies in it */
}

bool operation_moments_only(const struct operation *op)
{
	return op->hist.n == 0 && op->stated.has_count && op->stated.count > 0;
}

uint64_t operation_count(const struct operation *op)
{
	return operation_moments_only(op) ? op->stated.count : op->hist.count;
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

double operation_mean(const struct operation *op)
{
	uint64_t count = operation_count(op);

	return count > 0 ? operation_total(op) / (double)count : NAN;
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
