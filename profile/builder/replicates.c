/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The repetitions that a file holds, each built like a profile of its own. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/xalloc.h"
#include "profile/builder/builder_parts.h"

struct builder *build_replicate(struct builder *b, size_t k)
{
	struct replicates *r = &b->replicates;

	r->too_many |= k >= MAX_REPLICATES;
	if (r->too_many) /* what is pushed is thrown away */
		k = 0;
	for (; r->n <= k; r->n++) {
		r->builder = xgrow(r->builder, &r->cap, r->n + 1, sizeof(struct builder *));
		r->builder[r->n] =
			builder_new(b->whole, b->profile->format, &b->options, &r->silent);
	}
	return r->builder[k];
}

struct builder *build_repetition(struct builder *b)
{
	struct replicates *r = &b->replicates;
	size_t op = b->failed ? 0 : (size_t)(b->op - b->profile->op);

	if (op >= r->n_of_op) {
		r->of_op = xgrow(r->of_op, &r->cap_of_op, op + 1, sizeof(*r->of_op));
		memset(r->of_op + r->n_of_op, 0, (op + 1 - r->n_of_op) * sizeof(*r->of_op));
		r->n_of_op = op + 1;
	}
	return build_replicate(b, r->of_op[op]++);
}

/* Operations have the same names as in the sum. */
static struct profile *finish_replicate(struct builder *b, struct builder *of)
{
	of->drop_single_layer = b->drop_single_layer && b->layer_names.n == 1;
	of->profile->fixed_duration = b->profile->fixed_duration;
	of->profile->machine = arena_str(of->arena, b->profile->machine);
	of->profile->kernel = arena_str(of->arena, b->profile->kernel);
	return builder_finish(of);
}

void finish_replicates(struct builder *b)
{
	struct replicates *r = &b->replicates;
	struct profile *p = b->profile;
	bool whole = !r->too_many && r->n > 1;

	if (!whole)
		return;
	p->replicate = arena_make(b->arena, struct profile *, r->n);
	for (size_t k = 0; k < r->n && whole; k++) {
		p->replicate[k] = finish_replicate(b, r->builder[k]);
		r->builder[k] = NULL;
		whole = p->replicate[k] != NULL;
		p->n_replicates += whole;
	}
	while (!whole && p->n_replicates > 0)
		profile_free(p->replicate[--p->n_replicates]);
}

void replicates_release(struct replicates *r)
{
	for (size_t k = 0; k < r->n; k++)
		builder_free(r->builder[k]);
	free(r->builder);
	free(r->of_op);
}
