/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bucket schemes behind printed edges, and the numbers of buckets in them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/xalloc.h"
#include "profile/draft.h"

static size_t rows_of(const struct histogram *h, const struct marks *m, struct row *rows)
{
	if (!m->has_hist || m->by_index || m->told)
		return 0;
	for (size_t i = 0; i < h->n && rows != NULL; i++)
		rows[i] = (struct row){ h->bucket[i].low, h->bucket[i].high };
	return h->n;
}

/* The rows of one operation, how many they are; `rows` may be NULL. */
static size_t rows_of_operation(const struct builder *b, size_t op, struct row *rows)
{
	const struct draft *d = &b->draft[op];
	size_t n = 0;

	if (d->series == NULL)
		return rows_of(&b->profile->op[op].hist, &d->marks, rows);
	for (size_t k = 0; k < series_n_to_read(d->series); k++)
		n += rows_of(&d->series->interval[k].hist, &d->series->print[k].marks,
			     rows != NULL ? rows + n : NULL);
	return n;
}

/* The edges of these rows; NULL when rows overlap. */
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

/* Appends an operation's rows to those of its layer, but for what is known to be there. */
static void add_rows(struct builder *b, size_t op)
{
	struct layer_draft *l = b->draft[op].layer;
	struct row *row = l->row + l->n_rows;
	size_t n = rows_of_operation(b, op, row);

	for (size_t i = 0; i < n; i++) {
		if (!is_known_row(b->known_row, l, row[i]))
			l->row[l->n_rows++] = row[i];
	}
}

/* Of each layer whose rows follow no plain scheme the edges of all of them. */
static void find_edges(struct builder *b)
{
	for (size_t i = 0; i < b->profile->n_ops; i++) {
		if (b->draft[i].layer->scheme == NULL)
			b->draft[i].layer->n_rows += rows_of_operation(b, i, NULL);
	}
	for (size_t i = 0; i < b->layer_names.n; i++) {
		b->layer[i]->row = xcalloc(b->layer[i]->n_rows, sizeof(*b->layer[i]->row));
		b->layer[i]->n_rows = 0;
	}
	memset(b->known_row, 0, sizeof(b->known_row));
	for (size_t i = 0; i < b->profile->n_ops; i++) {
		if (b->draft[i].layer->scheme == NULL)
			add_rows(b, i);
	}
	for (size_t i = 0; i < b->layer_names.n; i++) {
		struct layer_draft *l = b->layer[i];

		if (l->scheme == NULL)
			l->scheme = edges_of(b, l->row, l->n_rows);
		free(l->row);
	}
}

void find_schemes(struct builder *b)
{
	const struct bucket_scheme *found = NULL;
	bool all = true;

	for (size_t i = 0; i < b->layer_names.n; i++) {
		struct layer_draft *l = b->layer[i];
		struct bucket_scheme s;

		if (inference_scheme(&l->rows, &s))
			l->scheme = found = bucket_scheme_keep(b->arena, &s, found);
		all &= l->scheme != NULL;
	}
	if (!all)
		find_edges(b);
}

static void number_bucket(const struct bucket_scheme *s, struct bucket *bucket)
{
	double width = bucket->high - bucket->low;

	if (isinf(bucket->low)) {
		bucket->index = bucket_lowest(s);
		return;
	}
	if (s->kind != BUCKET_LOG2) {
		bucket->index = bucket_find(s, bucket->low);
		return;
	}
	/* Edges of a resolution other than 1 were rounded when written: the middle tells. */
	bucket->index =
		bucket_find(s, bucket->low + (isinf(width) ? bucket->low * 1e-6 : width / 2));
	bucket->low = bucket_low(s, bucket->index);
	bucket->high = bucket_high(s, bucket->index);
}

static void settle_buckets(struct histogram *h, const struct marks *m,
			   const struct bucket_scheme *s)
{
	if (m->has_hist && !m->by_index) {
		h->scheme = s;
		for (size_t i = 0; i < h->n; i++)
			number_bucket(s, &h->bucket[i]);
	}
	if (m->has_empty)
		h->n = drop_empty(h->bucket, h->n);
}

bool settle_operation(struct builder *b, size_t op)
{
	struct draft *d = &b->draft[op];
	struct histogram *h = &b->profile->op[op].hist;
	const struct bucket_scheme *s = d->layer->scheme;

	if (s == NULL)
		s = edges_of_operation(b, op);
	if (s == NULL)
		return build_fail(b, DIAG_SCHEME_MIXED, d->where, "%.*s has buckets that overlap",
				  STR_ARG(b->profile->op[op].name));
	if (d->series == NULL) {
		settle_buckets(h, &d->marks, s);
		return true;
	}
	for (size_t k = 0; k < series_n_to_read(d->series); k++) {
		struct histogram *print = &d->series->interval[k].hist;

		settle_buckets(print, &d->series->print[k].marks, s);
		print->approximate = h->approximate;
		print->granularity = h->granularity;
	}
	return true;
}
