/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/repeats.h"

#include "base/arena.h"
#include "profile/merge.h"

static struct profile *without_operations(const struct profile *baseline)
{
	struct arena *a = arena_new();
	struct profile *p = arena_make(a, struct profile, 1);

	*p = *baseline;
	p->n_replicates = 0;
	p->arena = a;
	p->baseline = (struct baseline){ .n_runs = 0 };
	p->untimed = false;
	p->lost = 0;
	p->op = NULL;
	p->n_ops = 0;
	return p;
}

static struct operation operation_of(const struct operation *sum, const struct interval *part)
{
	struct operation op = *sum;

	op.hist = part->hist;
	op.stated = part->stated;
	op.lost = 0;
	op.floor = NULL;
	op.interval = NULL;
	op.n_intervals = 0;
	return op;
}

void profile_part(const struct profile *baseline, struct profile **ret)
{
	size_t n = baseline->baseline.n_runs;

	for (size_t k = 0; k < n; k++)
		ret[k] = without_operations(baseline);
	for (size_t i = 0; i < baseline->n_ops; i++) {
		for (size_t m = 0; m < baseline->op[i].n_intervals; m++)
			ret[(size_t)baseline->op[i].interval[m].start]->n_ops++;
	}
	for (size_t k = 0; k < n; k++) {
		ret[k]->op = arena_make(ret[k]->arena, struct operation, ret[k]->n_ops);
		ret[k]->n_ops = 0;
	}
	for (size_t i = 0; i < baseline->n_ops; i++) {
		const struct operation *op = &baseline->op[i];

		for (size_t m = 0; m < op->n_intervals; m++) {
			struct profile *run = ret[(size_t)op->interval[m].start];

			run->op[run->n_ops++] = operation_of(op, &op->interval[m]);
		}
	}
}

/* Returns the same run with the interval from k to k + 1 instead of its own. */
static struct profile *as_interval(const struct profile *run, size_t k)
{
	struct arena *a = arena_new();
	struct profile *p = arena_make(a, struct profile, 1);

	*p = *run;
	p->n_replicates = 0;
	p->arena = a;
	p->untimed = true;
	p->op = arena_make(a, struct operation, run->n_ops);
	for (size_t i = 0; i < run->n_ops; i++) {
		struct operation *op = &p->op[i];

		*op = run->op[i];
		op->n_intervals = 1;
		op->interval = arena_make(a, struct interval, 1);
		*op->interval = (struct interval){ .start = (double)k,
						   .end = (double)k + 1,
						   .hist = op->hist,
						   .stated = op->stated };
	}
	return p;
}

struct profile *profile_of_runs(const struct profile *const *run, size_t n, struct diag *diag)
{
	struct arena *a = arena_new();
	struct profile **part = arena_make(a, struct profile *, n), *p;

	for (size_t k = 0; k < n; k++)
		part[k] = as_interval(run[k], k);
	p = profile_merge((const struct profile *const *)part, n, diag);
	for (size_t k = 0; k < n; k++)
		profile_free(part[k]);
	arena_free(a);
	if (p == NULL)
		return NULL;
	p->baseline.n_runs = n;
	return p;
}
