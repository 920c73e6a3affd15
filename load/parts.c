/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/parts.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "profile/merge.h"
#include "profile/repeats.h"

void parts_release(struct parts *s)
{
	for (size_t i = 0; i < s->n; i++)
		profile_free(s->part[i]);
	s->n = s->n_ops = 0;
}

bool parts_fold(struct parts *s, struct diag *diag)
{
	struct profile *sum;

	if (s->n == 0)
		return true;
	sum = profile_merge((const struct profile *const *)s->part, s->n, diag);
	parts_release(s);
	if (sum == NULL)
		return false;
	s->part[s->n++] = sum;
	return true;
}

static bool has_room(const struct parts *s)
{
	return s->n <= BATCH && (s->n_ops < CACHED_OPS || (s->n <= PAIR && s->n_ops < BATCH_OPS));
}

bool parts_add(struct parts *s, struct profile *p, struct diag *diag)
{
	s->part[s->n++] = p;
	s->n_ops += p->n_ops;
	return has_room(s) || parts_fold(s, diag);
}

bool parts_add_runs(struct parts *s, struct profile *p, struct diag *diag)
{
	size_t n = p->baseline.n_runs;
	struct profile **run, *sum;

	if (n == 0)
		return parts_add(s, p, diag);
	run = xcalloc(n, sizeof(*run));
	profile_part(p, run);
	sum = profile_merge((const struct profile *const *)run, n, diag);
	for (size_t i = 0; i < n; i++)
		profile_free(run[i]);
	free(run);
	profile_free(p);
	return sum != NULL && parts_add(s, sum, diag);
}
