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
 * Rows of the whole run have neither start nor end.  A total stands on the first
 * row of its operation, so that adding a column up in a spreadsheet is right.
 * Where times are not known, `interval` numbers them in place of start and end.
 * Rows that count 0 say where buckets that nothing fell into begin and end.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "formats/csv_rows.h"
#include "profile/infer.h"
#include "profile/profile.h"

/* --- rows --------------------------------------------------------------------------- */

enum { MOST_PINS = 66 }; /* 65 edges are written whether or not anything lies between */

static bool has_bucket(const struct histogram *h, int index)
{
	for (size_t i = 0; i < h->n; i++) {
		if (h->bucket[i].index == index)
			return true;
	}
	return false;
}

static size_t pin(const struct histogram *h, int index, struct bucket *row, size_t n)
{
	if (has_bucket(h, index) || !bucket_exists(&h->scheme, index))
		return n;
	row[n] = (struct bucket){ .low = bucket_low(&h->scheme, index),
				  .high = bucket_high(&h->scheme, index),
				  .index = index };
	return n + 1;
}

/* Empty buckets without which the scheme could not be told from the rows. */
static size_t add_pins(const struct histogram *h, struct bucket *row, size_t n)
{
	const struct bucket_scheme *s = &h->scheme;

	if (s->kind == BUCKET_EDGES && s->n_edges >= MOST_PINS)
		return n;
	for (int i = 0; s->kind == BUCKET_EDGES && i <= s->limit; i++)
		n = pin(h, i, row, n);
	if ((s->kind == BUCKET_LOG2 && s->first != 0) || s->kind == BUCKET_EDGES ||
	    (s->kind == BUCKET_LINEAR && s->first != BUCKET_NO_FIRST))
		n = pin(h, s->first - 1, row, n);
	if (s->kind != BUCKET_EDGES && s->limit != BUCKET_NO_LIMIT)
		n = pin(h, s->limit, row, n);
	/* The first that is wider than those below tells the resolution. */
	if (s->kind == BUCKET_LOG_LINEAR && h->bucket[h->n - 1].index < 2 * (int)s->resolution)
		n = pin(h, 2 * (int)s->resolution, row, n);
	return n;
}

static int by_index(const void *pa, const void *pb)
{
	const struct bucket *a = pa, *b = pb;

	return (a->index > b->index) - (a->index < b->index);
}

/* The rows of a histogram; the caller frees them. */
static struct bucket *rows_of(const struct histogram *h, bool pinned, size_t *ret_n)
{
	struct bucket *row = xcalloc(h->n + MOST_PINS, sizeof(*row));
	size_t n = h->n;

	if (n > 0) {
		memcpy(row, h->bucket, n * sizeof(*row));
		if (pinned)
			n = add_pins(h, row, n);
		qsort(row, n, sizeof(*row), by_index);
	}
	*ret_n = n;
	return row;
}

/* --- what is not held ---------------------------------------------------------------- */

enum loss {
	LOSS_HZ,
	LOSS_ELAPSED,
	LOSS_LOST,
	LOSS_THRESHOLD,
	LOSS_GRANULARITY,
	LOSS_ROUNDED,
	LOSS_EXTREMES,
	LOSS_COUNTS,
	LOSS_SCHEME,
	LOSS_NAMES,
};
enum { LOSS_N = LOSS_NAMES + 1 };

static const char *const losses[] = {
	[LOSS_HZ] = "the clock rate",
	[LOSS_ELAPSED] = "how long the capture took",
	[LOSS_LOST] = "lost events",
	[LOSS_THRESHOLD] = "thresholds",
	[LOSS_GRANULARITY] = "granularities",
	[LOSS_ROUNDED] = "that edges were rounded",
	[LOSS_EXTREMES] = "minima and maxima",
	[LOSS_COUNTS] = "stated counts that disagree with the buckets",
	[LOSS_SCHEME] = "where buckets lie that nothing fell into",
	[LOSS_NAMES] = "control bytes in names (escaped)",
};

static bool is_printable(struct str name)
{
	struct out *o = out_to_memory();
	bool same;

	escape_terminal(o, name);
	same = str_eq(out_memory(o), name);
	out_free(o);
	return same;
}

static void find_stated_losses(const struct stated *s, const struct histogram *h, bool *lost)
{
	lost[LOSS_EXTREMES] |= s->has_min || s->has_max;
	lost[LOSS_COUNTS] |= s->has_count && h->n > 0 && s->count != h->count;
}

static void find_operation_losses(const struct operation *op, bool *lost)
{
	lost[LOSS_LOST] |= op->lost > 0;
	lost[LOSS_THRESHOLD] |= op->threshold > 0;
	lost[LOSS_GRANULARITY] |= op->hist.granularity > 0;
	lost[LOSS_ROUNDED] |= op->hist.approximate;
	lost[LOSS_NAMES] |= !is_printable(op->name) || !is_printable(op->layer);
	find_stated_losses(&op->stated, &op->hist, lost);
	for (size_t i = 0; i < op->n_intervals; i++)
		find_stated_losses(&op->interval[i].stated, &op->interval[i].hist, lost);
}

static void infer_rows(struct inference *f, const struct histogram *h)
{
	size_t n;
	struct bucket *row = rows_of(h, true, &n);

	for (size_t i = 0; i < n; i++)
		inference_row(f, row[i].low, row[i].high);
	free(row);
}

/* Whether a reader of the rows of this layer will find the schemes they come from. */
static bool layer_is_inferred(const struct profile *p, struct str layer)
{
	struct bucket_scheme found;
	struct inference f;
	bool plain, same = true;

	inference_start(&f);
	for (size_t i = 0; i < p->n_ops; i++) {
		if (str_eq(p->op[i].layer, layer))
			infer_rows(&f, &p->op[i].hist);
	}
	plain = inference_scheme(&f, &found);
	for (size_t i = 0; i < p->n_ops; i++) {
		const struct bucket_scheme *s = &p->op[i].hist.scheme;

		if (str_eq(p->op[i].layer, layer) && p->op[i].hist.n > 0)
			same &= plain ? bucket_scheme_eq(&found, s)
				      : s->kind == BUCKET_EDGES && s->n_edges < MOST_PINS;
	}
	return same;
}

static bool is_first_of_layer(const struct profile *p, size_t op)
{
	for (size_t i = 0; i < op; i++) {
		if (str_eq(p->op[i].layer, p->op[op].layer))
			return false;
	}
	return true;
}

static void tell_losses(const bool *lost, struct diag *diag)
{
	struct out *o = out_to_memory();

	for (size_t i = 0; i < LOSS_N; i++) {
		if (!lost[i])
			continue;
		out_text(o, out_memory(o).n > 0 ? ", " : "");
		out_text(o, losses[i]);
	}
	if (out_memory(o).n > 0)
		diag_plain(diag, DIAG_NOT_HELD, "csv has no room for %.*s", STR_ARG(out_memory(o)));
	out_free(o);
}

static void find_losses(const struct profile *p, bool *lost)
{
	double end = 0;

	for (size_t i = 0; i < p->n_ops; i++) {
		const struct operation *op = &p->op[i];

		find_operation_losses(op, lost);
		if (is_first_of_layer(p, i))
			lost[LOSS_SCHEME] |= !layer_is_inferred(p, op->layer);
		if (op->n_intervals > 0 && op->interval[op->n_intervals - 1].end > end)
			end = op->interval[op->n_intervals - 1].end;
	}
	lost[LOSS_HZ] |= p->hz > 0;
	lost[LOSS_LOST] |= p->lost > 0;
	/* That the last interval ends it goes without saying. */
	lost[LOSS_ELAPSED] |= p->elapsed > 0 && p->elapsed != end;
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

/* An operation in one interval; n_intervals stands for the whole run. */
static void write_part(const struct writer *w, const struct operation *op, size_t interval)
{
	bool whole_run = interval == op->n_intervals;
	const struct histogram *h = whole_run ? &op->hist : &op->interval[interval].hist;
	const struct stated *stated = whole_run ? &op->stated : &op->interval[interval].stated;
	size_t n;
	struct bucket *row = rows_of(h, whole_run, &n);

	for (size_t i = 0; i < n; i++) {
		write_key(w, op, interval);
		out_f64(w->o, row[i].low);
		out_char(w->o, ',');
		out_f64(w->o, row[i].high);
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
	tell_losses(lost, diag);
	return true;
}
