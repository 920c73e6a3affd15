/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the bucket schemes that printed edges follow, and numbers the buckets. */
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/xalloc.h"
#include "profile/builder/builder_parts.h"

static size_t rows_of(const struct histogram *h, const struct marks *m, struct row *rows)
{
	if (!m->has_hist || m->by_index || m->reported)
		return 0;
	for (size_t i = 0; i < h->n && rows != NULL; i++)
		rows[i] = (struct row){ h->bucket[i].edges->low, h->bucket[i].edges->high };
	return h->n;
}

/* Lists the rows of one operation and returns their number; `rows` may be NULL. */
static size_t rows_of_operation(const struct builder *b, size_t op, struct row *rows)
{
	const struct op_builder *d = &b->op_builder[op];
	size_t n = 0;

	if (d->series == NULL)
		return rows_of(&b->profile->op[op].hist, &d->marks, rows);
	for (size_t k = 0; k < series_n_to_read(d->series); k++)
		n += rows_of(&d->series->interval[k].hist, &d->series->snapshot[k].marks,
			     rows != NULL ? rows + n : NULL);
	return n;
}

/* Returns the EDGES scheme of these rows; NULL when rows overlap. */
static const struct bucket_scheme *edges_of(struct builder *b, struct row *row, size_t n)
{
	struct bucket_scheme *found = arena_make(b->arena, struct bucket_scheme, 1);

	return inference_edges(b->arena, row, n, found) ? found : NULL;
}

static const struct bucket_scheme *edges_of_operation(struct builder *b, size_t op)
{
	size_t n = rows_of_operation(b, op, NULL);
	struct row *row = xcalloc(n, sizeof(*row));
	const struct bucket_scheme *s;

	(void)rows_of_operation(b, op, row);
	s = edges_of(b, row, n);
	free(row);
	return s;
}

static const struct bucket_scheme *edges_of_layer(struct builder *b, const struct layer_builder *l)
{
	struct row *row = xcalloc(l->n_printed, sizeof(*row));
	const struct bucket_scheme *s;

	for (size_t i = 0; i < l->n_printed; i++)
		row[i] = (struct row){ l->printed[i]->low, l->printed[i]->high };
	s = edges_of(b, row, l->n_printed);
	free(row);
	return s;
}

/* Returns the bucket number of a row in its scheme. */
static int number_of(const struct bucket_scheme *s, const struct edges *edges)
{
	double width = edges->high - edges->low;

	if (isinf(edges->low))
		return bucket_lowest(s);
	if (s->kind != BUCKET_LOG2)
		return bucket_find(s, edges->low);
	/* Printed edges are rounded unless the resolution is 1: look up the middle. */
	return bucket_find(s, edges->low + (isinf(width) ? edges->low * 1e-6 : width / 2));
}

static void number_rows(struct layer_builder *l)
{
	for (size_t i = 0; i < l->n_printed; i++) {
		struct edges *edges = l->printed[i];

		edges->index = number_of(l->scheme, edges);
		if (l->scheme->kind == BUCKET_LOG2 && !isinf(edges->low))
			*edges = edges_at(l->scheme, edges->index);
	}
}

void find_schemes(struct builder *b)
{
	const struct bucket_scheme *found = NULL;

	for (size_t i = 0; i < b->layer_names.n; i++) {
		struct layer_builder *l = b->layer[i];
		struct bucket_scheme s;

		if (inference_scheme(&l->rows, &s))
			l->scheme = found = bucket_scheme_keep(b->arena, &s, found);
		else
			l->scheme = edges_of_layer(b, l);
		if (l->scheme != NULL)
			number_rows(l);
	}
}

/* Numbers the buckets of an operation that has a scheme of its own: its layer's rows have no
 * common numbers. */
static void number_buckets(struct builder *b, struct histogram *h)
{
	for (size_t i = 0; i < h->n; i++) {
		struct edges edges = *h->bucket[i].edges;

		edges.index = number_of(h->scheme, &edges);
		h->bucket[i].edges = edges_like(&b->edges, h->scheme, &edges);
	}
}

static void settle_buckets(struct builder *b, struct histogram *h, const struct marks *m,
			   const struct layer_builder *l, const struct bucket_scheme *s)
{
	if (m->has_empty)
		h->n = drop_empty(h->bucket, h->n);
	if (!m->has_hist || m->by_index)
		return;
	h->scheme = s;
	if (l->scheme == NULL)
		number_buckets(b, h);
}

bool settle_operation(struct builder *b, size_t op)
{
	struct op_builder *d = &b->op_builder[op];
	struct histogram *h = &b->profile->op[op].hist;
	const struct bucket_scheme *s = d->layer->scheme;

	if (s == NULL)
		s = edges_of_operation(b, op);
	if (s == NULL)
		return build_fail(
			b, DIAG_SCHEME_MIXED, d->where,
			"%.*s has buckets that overlap; if there are several reports, put "
			"each into a file of its own",
			STR_ARG(b->profile->op[op].name));
	if (d->series == NULL) {
		settle_buckets(b, h, &d->marks, d->layer, s);
		return true;
	}
	for (size_t k = 0; k < series_n_to_read(d->series); k++) {
		struct histogram *snapshot = &d->series->interval[k].hist;

		settle_buckets(b, snapshot, &d->series->snapshot[k].marks, d->layer, s);
		snapshot->approximate = h->approximate;
		snapshot->granularity = h->granularity;
	}
	return true;
}
