/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/studies/value_study.h"

#include <stdlib.h>

#include "base/arena.h"

void value_study_free(struct value_study *s)
{
	if (s == NULL)
		return;
	profile_free(s->profile);
	variables_free(s->variables);
	arena_free(s->arena);
	free(s);
}

const struct operation_values *value_study_of(const struct value_study *s,
					      const struct operation *op)
{
	for (size_t i = 0; i < s->values.n; i++) {
		const struct operation_values *v = &s->values.v[i];

		if (v->op != NULL && str_eq(v->op->name, op->name) &&
		    str_eq(v->op->layer, op->layer))
			return v;
	}
	return NULL;
}
