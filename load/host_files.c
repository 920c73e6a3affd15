/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/host_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "load/inputs.h"
#include "load/load_options.h"

bool host_files_add(struct host_files *h, const struct load_options *q, int side, struct diag *diag)
{
	struct inputs inputs;
	bool ok = inputs_open(&inputs, q, diag);
	char *path;

	while (ok && (path = inputs_next(&inputs, diag)) != NULL) {
		h->v = xgrow(h->v, &h->cap, h->n + 1, sizeof(*h->v));
		h->v[h->n] = (struct host_file){ .path = path,
						 .host = inputs_host_in(path),
						 .number = h->n,
						 .side = side,
						 .is_rest = inputs.is_rest };
		h->n++;
	}
	ok = ok && !inputs.failed;
	inputs_close(&inputs);
	return ok;
}

static int by_host(const void *pa, const void *pb)
{
	const struct host_file *a = pa, *b = pb;
	int order = strcmp(a->host, b->host);

	return order != 0 ? order : (a->number > b->number) - (a->number < b->number);
}

void host_files_sort(struct host_files *h)
{
	if (h->n > 0)
		qsort(h->v, h->n, sizeof(*h->v), by_host);
}

static bool belong_together(const struct host_file *a, const struct host_file *b)
{
	return !a->is_rest && !b->is_rest && strcmp(a->host, b->host) == 0;
}

size_t host_files_next(struct host_files *h, const struct host_file **ret)
{
	size_t first = h->taken;

	*ret = h->v + first;
	while (h->taken < h->n && (h->taken == first || belong_together(*ret, &h->v[h->taken])))
		h->taken++;
	return h->taken - first;
}

void host_files_release(struct host_files *h)
{
	for (size_t i = 0; i < h->n; i++) {
		free(h->v[i].path);
		free(h->v[i].host);
	}
	free(h->v);
}
