/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *	# TYPE osprof_latency_nanoseconds histogram
 *	osprof_latency_nanoseconds_bucket{layer="ext4",operation="read",le="512"} 12
 *	osprof_latency_nanoseconds_bucket{layer="ext4",operation="read",le="+Inf"} 12
 *	osprof_latency_nanoseconds_sum{layer="ext4",operation="read"} 4711
 *	osprof_latency_nanoseconds_count{layer="ext4",operation="read"} 12
 *
 * The unit is that of the profile, because converting to seconds would round the edges.  A bucket
 * [a, b) becomes (a, b], which is wrong for latencies equal to an edge.  Short runs of empty
 * buckets are written, long ones are shortened.  An estimated sum is left out.
 */
#include "formats/monitor/prometheus_write.h"

#include <math.h>

#include "base/diag.h"
#include "base/escape.h"
#include "base/out.h"
#include "formats/losses.h"
#include "profile/profile.h"

enum { MAX_EMPTY = 64 }; /* longest run of empty buckets that is written */

static const char *const metrics[] = {
	[UNIT_UNKNOWN] = "osprof_latency",	   [UNIT_PLAIN] = "osprof_value",
	[UNIT_CYCLES] = "osprof_latency_cycles",   [UNIT_NS] = "osprof_latency_nanoseconds",
	[UNIT_US] = "osprof_latency_microseconds", [UNIT_MS] = "osprof_latency_milliseconds",
	[UNIT_S] = "osprof_latency_seconds",
};

bool prometheus_own_unit(struct str metric, enum unit *ret)
{
	for (size_t i = 0; i < COUNT_OF(metrics); i++) {
		if (str_eq(metric, str_from(metrics[i]))) {
			*ret = (enum unit)i;
			return true;
		}
	}
	return false;
}

struct writer {
	struct out *o;
	const struct operation *op;
	bool shortened; /* a run of empty buckets was shortened */
};

static void write_name(const struct writer *w, const char *part)
{
	out_printf(w->o, "%s%s{", metrics[w->op->unit], part);
	if (w->op->layer.n > 0) {
		out_text(w->o, "layer=");
		escape_label(w->o, w->op->layer);
		out_char(w->o, ',');
	}
	out_text(w->o, "operation=");
	escape_label(w->o, w->op->name);
}

static void write_bucket(const struct writer *w, double le, uint64_t upto)
{
	write_name(w, "_bucket");
	out_text(w->o, ",le=\"");
	if (le < HUGE_VAL)
		out_f64(w->o, le);
	else
		out_text(w->o, "+Inf");
	out_text(w->o, "\"} ");
	out_u64(w->o, upto);
	out_char(w->o, '\n');
}

/* Returns the first bucket to write: the one below the lowest that can hold a latency. */
static int lowest_bucket(const struct histogram *h)
{
	if (h->scheme->first == BUCKET_NO_FIRST)
		return h->bucket[0].edges->index;
	return h->scheme->first - 1;
}

/* Writes the empty buckets before `to`; of a long run, only the last one. */
static void write_empty(struct writer *w, int from, int to, uint64_t upto)
{
	const struct bucket_scheme *s = w->op->hist.scheme;

	if (to - from > MAX_EMPTY) {
		w->shortened = true;
		from = to - 1;
	}
	for (int i = from; i < to; i++)
		write_bucket(w, bucket_high(s, i), upto);
}

static void write_buckets(struct writer *w)
{
	const struct histogram *h = &w->op->hist;
	int next = h->n > 0 ? lowest_bucket(h) : 0;
	uint64_t upto = 0;

	if (h->n > 0 && next == h->bucket[0].edges->index && h->bucket[0].edges->low > 0)
		write_bucket(w, h->bucket[0].edges->low, 0);
	for (size_t i = 0; i < h->n; i++) {
		const struct bucket *b = &h->bucket[i];

		if (b->edges->index > next)
			write_empty(w, next, b->edges->index, upto);
		upto += b->count;
		if (b->edges->high < HUGE_VAL)
			write_bucket(w, b->edges->high, upto);
		next = b->edges->index + 1;
	}
	write_bucket(w, HUGE_VAL, operation_count(w->op));
}

static void write_operation(struct writer *w)
{
	write_buckets(w);
	if (operation_total_stated(w->op)) {
		write_name(w, "_sum");
		out_text(w->o, "} ");
		decimal_print(w->o, w->op->stated.total);
		out_char(w->o, '\n');
	}
	write_name(w, "_count");
	out_text(w->o, "} ");
	out_u64(w->o, operation_count(w->op));
	out_char(w->o, '\n');
}

/* Writes all operations of a unit: the samples of a metric must be consecutive. */
static bool write_metric(const struct profile *p, enum unit unit, struct out *o)
{
	struct writer w = { .o = o };
	bool any = false;

	for (size_t i = 0; i < p->n_ops; i++) {
		w.op = &p->op[i];
		if (w.op->unit != unit)
			continue;
		if (!any)
			out_printf(o,
				   "# HELP %s Operations by their latency.\n# TYPE %s histogram\n",
				   metrics[unit], metrics[unit]);
		any = true;
		write_operation(&w);
	}
	return w.shortened;
}

static bool is_label(struct str s)
{
	struct out *o = out_to_memory();
	bool same;

	escape_label(o, s);
	same = !str_contains(out_memory(o), STR("\xef\xbf\xbd"));
	out_free(o);
	return same;
}

bool prometheus_write(const struct profile *p, struct out *o, struct diag *diag)
{
	bool lost[LOSS_N] = { false };

	losses_find(p, lost);
	lost[LOSS_NAME] = lost[LOSS_UNIT] = lost[LOSS_TOP] = false;
	for (size_t i = 0; i < p->n_ops; i++)
		lost[LOSS_NAMES] |= !is_label(p->op[i].name) || !is_label(p->op[i].layer);
	for (size_t unit = 0; unit < COUNT_OF(metrics); unit++)
		lost[LOSS_SCHEME] |= write_metric(p, (enum unit)unit, o);
	losses_report(lost, "prometheus", diag);
	return true;
}
