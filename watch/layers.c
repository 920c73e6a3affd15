/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/layers.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

void layers_release(struct layers *l)
{
	free(l->lone);
	*l = (struct layers){ .lone = NULL };
}

void layers_settle(struct layers *l, struct profile *p, struct str lone)
{
	if (!l->known && p->n_ops > 0) {
		l->known = true;
		if (lone.n > 0) {
			l->lone = xcalloc(lone.n + 1, 1);
			memcpy(l->lone, lone.p, lone.n);
		}
	}
	for (size_t i = 0; i < p->n_ops; i++) {
		struct str *layer = &p->op[i].layer;

		if (layer->n == 0)
			*layer = lone;
		if (l->lone != NULL && str_eq(*layer, str_from(l->lone)))
			*layer = STR("");
	}
}
