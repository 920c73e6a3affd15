/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The repetitions that a file holds, each built like a profile of its own. */
#include <string.h>

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
