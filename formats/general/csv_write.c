/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a profile as a histogram table of the csv format:
 *
 *	operation,layer,start,end,low,high,count,total,unit
 *	read,,,,512,1024,20210,31000000,ns
 *	read,,,,4096,8192,7198,,ns
 *	read,,0,2.5,512,1024,9000,13800000,ns
 *	read,,0,2.5,4096,8192,1198,,ns
 *
 * Rows of the whole run have neither start nor end.  A total is on the first row of its
 * operation only, so that a spreadsheet can sum the column.  Where times are unknown,
 * `interval` numbers the intervals instead of start and end.  Rows with count 0 give the edges
 * of empty buckets.
 */
#include <stdlib.h>

#include "base/arena.h"
#include "base/escape.h"
#include "base/out.h"
#include "base/tables/str_table.h"
#include "base/xalloc.h"
#include "formats/losses.h"
#include "formats/table/csv_rows.h"
#include "profile/infer.h"
#include "profile/profile.h"

/* --- rows --------------------------------------------------------------------------- */

enum { MAX_PINS = 66 }; /* up to 65 edges are written even if the buckets are empty */

static bool has_bucket(const struct histogram *h, int index)
{
	for (size_t i = 0; i < h->n; i++) {
		if (h->bucket[i].edges->index == index)
			return true;
	}
	return false;
}

/* A bucket to write, with or without calls. */
struct written {
	struct edges edges;
	uint64_t count;
};

static size_t pin_bucket(const struct histogram *h, int index, struct written *row, size_t n)
{
	if (has_bucket(h, index) || !bucket_exists(h->scheme, index))
		return n;
	row[n] = (struct written){ .edges = edges_at(h->scheme, index) };
	return n + 1;
}

/* Adds the empty buckets that a reader needs to infer the scheme from the rows. */
static size_t add_pins(const struct histogram *h, struct written *row, size_t n)
{
	const struct bucket_scheme *s = h->scheme;

	if (s->kind == BUCKET_EDGES && s->n_edges >= MAX_PINS)
		return n;
	for (int i = 0; s->kind == BUCKET_EDGES && i <= s->limit; i++)
		n = pin_bucket(h, i, row, n);
	if ((s->kind == BUCKET_LOG2 && s->first != 0) || s->kind == BUCKET_EDGES ||
	    (s->kind == BUCKET_LINEAR && s->first != BUCKET_NO_FIRST))
		n = pin_bucket(h, s->first - 1, row, n);
	if (s->kind != BUCKET_EDGES && s->limit != BUCKET_NO_LIMIT)
		n = pin_bucket(h, s->limit, row, n);
	/* The first bucket wider than those below it shows the resolution. */
	if (s->kind == BUCKET_LOG_LINEAR &&
	    h->bucket[h->n - 1].edges->index < 2 * (int)s->resolution)
		n = pin_bucket(h, 2 * (int)s->resolution, row, n);
	return n;
}

static int by_index(const void *pa, const void *pb)
{
	const struct written *a = pa, *b = pb;

	return (a->edges.index > b->edges.index) - (a->edges.index < b->edges.index);
}

/* Returns the rows of a histogram; the caller frees them. */
static struct written *rows_of(const struct histogram *h, bool pinned, size_t *ret_n)
{
	struct written *row = xcalloc(h->n + MAX_PINS, sizeof(*row));
	size_t n = h->n;

	for (size_t i = 0; i < n; i++)
		row[i] = (struct written){ *h->bucket[i].edges, h->bucket[i].count };
	if (n > 0 && pinned)
		n = add_pins(h, row, n);
	qsort(row, n, sizeof(*row), by_index);
	*ret_n = n;
	return row;
}

/* --- what csv cannot represent -------------------------------------------------------- */

static bool is_printable(struct str name)
{
	struct out *o = out_to_memory();
	bool same;

	escape_terminal(o, name);
	same = str_eq(out_memory(o), name);
	out_free(o);
	return same;
}

static void infer_rows(struct inference *f, const struct histogram *h)
{
	size_t n;
	struct written *row = rows_of(h, true, &n);

	for (size_t i = 0; i < n; i++)
		inference_row(f, row[i].edges.low, row[i].edges.high);
	free(row);
}

/* What a reader can infer from a layer's rows. */
struct layer {
	struct inference rows;
	struct bucket_scheme found;
	bool plain; /* the scheme was inferred; otherwise the reader keeps the edges */
};

/* Infers the scheme of each layer as a reader would; sets number[] to the layer of each
 * operation. */
static struct layer *read_layers(struct arena *a, const struct profile *p, size_t *number)
{
	struct str_table names = { .key = NULL };
	struct layer *layer = NULL;
	size_t cap = 0;
	bool is_new;

	for (size_t i = 0; i < p->n_ops; i++) {
		number[i] = str_table_add(&names, p->op[i].layer, a, &is_new);
		layer = arena_grow(a, layer, &cap, names.n, sizeof(*layer));
		if (is_new)
			inference_start(&layer[number[i]].rows);
		infer_rows(&layer[number[i]].rows, &p->op[i].hist);
	}
	for (size_t i = 0; i < names.n; i++)
		layer[i].plain = inference_scheme(&layer[i].rows, &layer[i].found);
	str_table_release(&names);
	return layer;
}

/* Returns whether a reader of the rows will infer the schemes they come from, in each layer. */
static bool schemes_are_inferred(const struct profile *p)
{
	struct arena *a = arena_new();
	size_t *number = arena_make(a, size_t, p->n_ops);
	const struct layer *layer = read_layers(a, p, number);
	bool same = true;

	for (size_t i = 0; i < p->n_ops && same; i++) {
		const struct bucket_scheme *s = p->op[i].hist.scheme;
		const struct layer *l = &layer[number[i]];

		if (p->op[i].hist.n > 0)
			same = l->plain ? bucket_scheme_eq(&l->found, s)
					: s->kind == BUCKET_EDGES && s->n_edges < MAX_PINS;
	}
	arena_free(a);
	return same;
}

static void find_losses(const struct profile *p, bool *lost)
{
	double end = 0;

	losses_find(p, lost);
	lost[LOSS_NAME] = lost[LOSS_UNIT] = lost[LOSS_INTERVALS] = false;
	lost[LOSS_NEGATIVE] = lost[LOSS_TOP] = false;
	for (size_t i = 0; i < p->n_ops; i++) {
		const struct operation *op = &p->op[i];

		lost[LOSS_NAMES] |= !is_printable(op->name) || !is_printable(op->layer);
		if (op->n_intervals > 0 && op->interval[op->n_intervals - 1].end > end)
			end = op->interval[op->n_intervals - 1].end;
	}
	lost[LOSS_SCHEME] = !schemes_are_inferred(p);
	/* A reader takes the end of the last interval as the elapsed time. */
	lost[LOSS_ELAPSED] = p->elapsed > 0 && p->elapsed != end;
}

/* --- writing -------------------------------------------------------------------------- */

struct writer {
	struct out *o;
	bool by_number; /* intervals are numbered, not timed */
};

static void write_key(const struct writer *w, const struct operation *op, size_t interval)
{
	const struct interval *at = interval < op->n_intervals ? &op->interval[interval] : NULL;

	escape_csv(w->o, op->name);
	out_char(w->o, ',');
	if (op->layer.n > 0)
		escape_csv(w->o, op->layer);
	out_char(w->o, ',');
	if (at != NULL && w->by_number)
		out_f64(w->o, at->start + 1);
	else if (at != NULL)
		out_f64(w->o, at->start);
	if (!w->by_number)
		out_char(w->o, ',');
	if (at != NULL && !w->by_number)
		out_f64(w->o, at->end);
	out_char(w->o, ',');
}

static void write_rest(const struct writer *w, const struct operation *op,
		       const struct stated *stated, bool first)
{
	out_char(w->o, ',');
	if (first && stated->has_total)
		decimal_print(w->o, stated->total);
	out_char(w->o, ',');
	if (op->unit != UNIT_UNKNOWN)
		out_text(w->o, unit_name(op->unit));
	out_char(w->o, '\n');
}

/* Writes an operation in one interval, or in the whole run if `interval` is n_intervals. */
static void write_part(const struct writer *w, const struct operation *op, size_t interval)
{
	bool whole_run = interval == op->n_intervals;
	const struct histogram *h = whole_run ? &op->hist : &op->interval[interval].hist;
	const struct stated *stated = whole_run ? &op->stated : &op->interval[interval].stated;
	size_t n;
	struct written *row = rows_of(h, whole_run, &n);

	for (size_t i = 0; i < n; i++) {
		write_key(w, op, interval);
		out_f64(w->o, row[i].edges.low);
		out_char(w->o, ',');
		out_f64(w->o, row[i].edges.high);
		out_char(w->o, ',');
		out_u64(w->o, row[i].count);
		write_rest(w, op, stated, i == 0);
	}
	if (n == 0) {
		write_key(w, op, interval);
		out_text(w->o, ",,");
		if (stated->has_count)
			out_u64(w->o, stated->count);
		write_rest(w, op, stated, true);
	}
	free(row);
}

bool table_write_profile(const struct profile *p, struct out *o, struct diag *diag)
{
	struct writer w = { .o = o, .by_number = p->untimed };
	bool lost[LOSS_N] = { false };

	out_text(o, w.by_number ? "operation,layer,interval,low,high,count,total,unit\n"
				: "operation,layer,start,end,low,high,count,total,unit\n");
	for (size_t i = 0; i < p->n_ops; i++) {
		write_part(&w, &p->op[i], p->op[i].n_intervals);
		for (size_t k = 0; k < p->op[i].n_intervals; k++)
			write_part(&w, &p->op[i], k);
	}
	find_losses(p, lost);
	losses_report(lost, "csv", diag);
	return true;
}
