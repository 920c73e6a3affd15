/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sysbench: latencies of events; with --histogram, their distribution.
 *
 *	Latency histogram (values are in milliseconds)
 *	       value  ------------- distribution ------------- count
 *	       0.021 |***********                              124
 *	       0.022 |**************************************** 451
 *
 *	General statistics:
 *	    total number of events:              575
 *	Latency (ms):
 *	         max:                                    0.02
 *	         sum:                                   12.33
 *
 * There are 1024 buckets, each 1.8 % wide; value i is exp(i / m) us, the middle of its bucket on a
 * logarithmic scale, with m = 1023 / ln(10^8).  The first bucket also has everything below it, the
 * last everything from 100 s on.  Empty ones are not printed.
 *
 * Values are printed with three decimals, so that below 30 us several buckets have the same
 * label.  If all of these are printed, their order identifies them; if some are left out, they are
 * merged into one bucket.
 *
 * The only operation is "event".  Without a histogram, calls, sum, extremes and the percentile are
 * read, which make buckets.  A
 * histogram covers the time after the last checkpoint (--report-checkpoints): then the statistics
 * of earlier checkpoints are left out.
 *
 * Seen: 1.0.20.  Not supported: the percentiles of --report-interval.
 */
#include <math.h>

#include "formats/lines.h"
#include "formats/percentile_buckets.h"
#include "formats/text.h"

enum { SIZE = 1024 };

/* Returns value i in us. */
static double value_at(double i)
{
	return exp(i * log(1e8) / (SIZE - 1));
}

/* --- recognising ------------------------------------------------------------------ */

static bool is_histogram(struct str s)
{
	struct str word, rest;

	return str_cut(s, ' ', &word, &rest) && str_eq(word, STR("value")) &&
	       str_eq(str_trim(rest), STR("------------- distribution ------------- count"));
}

static enum probe probe_sysbench(struct str head, struct clue *clue)
{
	bool started = false, latency = false;
	struct str line, rest = head;

	while (text_line(&rest, &line)) {
		if (is_histogram(line))
			return PROBE_MAGIC;
		if (str_has_prefix(line, STR("sysbench "))) {
			started = true;
			probe_near(clue, head, line, "no latencies in it");
		}
		latency = latency || str_eq(line, STR("Latency (ms):"));
	}
	if (latency)
		return started ? PROBE_MAGIC : PROBE_SHAPE;
	return PROBE_NO;
}

/* --- the histogram ------------------------------------------------------------------ */

struct row {
	long label; /* in us */
	uint64_t count;
	struct str where;
};

struct reader {
	struct lines lines;
	struct builder *to;
	bool any;
	bool part;     /* only a part of the run: there was a checkpoint */
	bool skipping; /* in the statistics of a checkpoint before the histogram */
	bool histogram;
	size_t n_statistics; /* how often they are printed */
	uint64_t events;
	/* In ms; where.p NULL: not stated. */
	struct percentile_point min, max, percentile;
	long label[SIZE];  /* value i as printed, in us */
	double edge[SIZE]; /* lower edge of bucket i, in ms */
	struct row row[SIZE];
	size_t n_rows;
};

/* Reads "       0.021 |***********                              124". */
static bool sysbench_read_row(struct reader *r, struct str s)
{
	struct cursor c = cursor_at(r->lines.in, s);
	struct row *row = &r->row[r->n_rows];
	struct str value, tail;
	double ms;

	if (r->n_rows == SIZE)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
				  "more rows than sysbench has buckets");
	if (!scan_word(&c, &value) || number_f64(value, &ms) != NUMBER_OK || !(ms >= 0 && ms < 1e6))
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, s,
				  "expected a value in milliseconds");
	scan_blanks(&c);
	if (!scan_char(&c, '|'))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s, "a row without a bar");
	while (scan_char(&c, '*'))
		;
	scan_blanks(&c);
	tail = str_trim(cursor_rest(&c));
	switch (number_u64(tail, &row->count)) {
	case NUMBER_OK:
		break;
	case NUMBER_TOO_LARGE:
		return format_fail(r->lines.in, r->lines.diag, DIAG_COUNT_OVERFLOW, tail,
				   "more than 2^64-1");
	case NUMBER_NONE:
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, s, "a row without a count");
	}
	row->label = lround(ms * 1000);
	row->where = value;
	r->n_rows++;
	return true;
}

/* Returns the number of buckets with this label, from *ret_first on; 0: none. */
static size_t buckets_of(const struct reader *r, long label, size_t *ret_first)
{
	size_t first = 0, end = SIZE, n = 0;

	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (r->label[middle] < label)
			first = middle + 1;
		else
			end = middle;
	}
	while (first + n < SIZE && r->label[first + n] == label)
		n++;
	*ret_first = first;
	return n;
}

/* Marks in `inner` the edges to remove: those between buckets of one label of which not all are
 * printed. */
static bool find_inner_edges(struct reader *r, bool *inner)
{
	for (size_t i = 0, n; i < r->n_rows; i += n) {
		size_t first, all = buckets_of(r, r->row[i].label, &first);

		for (n = 1; i + n < r->n_rows && r->row[i + n].label == r->row[i].label; n++)
			;
		if (all == 0)
			return lines_fail(&r->lines, DIAG_BUCKET_BOUNDS, r->row[i].where,
					  "no value that sysbench has");
		if (n > all)
			return lines_fail(&r->lines, DIAG_BUCKET_ORDER, r->row[i + all].where,
					  "more rows of this value than sysbench has");
		for (size_t k = 1; k < all && n < all; k++)
			inner[first + k] = true;
	}
	return true;
}

/* Makes a scheme of all edges except the inner ones; ret_number[i] is its bucket that contains
 * sysbench's bucket i. */
static struct bucket_scheme make_scheme(const struct reader *r, const bool *inner, double *edge,
					int *ret_number)
{
	struct bucket_scheme scheme;
	size_t n = 0;

	for (size_t i = 0; i < SIZE; i++) {
		if (!inner[i])
			edge[n++] = r->edge[i];
		ret_number[i] = (int)n - 1;
	}
	scheme = bucket_edges(edge, n);
	scheme.limit = (int)n - 1;
	return scheme;
}

static bool sysbench_push_rows(struct reader *r, struct str where)
{
	bool inner[SIZE] = { false };
	double edge[SIZE];
	int number[SIZE];
	struct bucket_scheme scheme;

	if (!find_inner_edges(r, inner))
		return false;
	scheme = make_scheme(r, inner, edge, number);
	if (!build_scheme(r->to, &scheme, where))
		return false;
	for (size_t i = 0, n; i < r->n_rows; i += n) {
		size_t first, all = buckets_of(r, r->row[i].label, &first);
		uint64_t sum = 0;

		for (n = 0; i + n < r->n_rows && r->row[i + n].label == r->row[i].label; n++) {
			if (__builtin_add_overflow(sum, r->row[i + n].count, &sum))
				return lines_fail(&r->lines, DIAG_COUNT_OVERFLOW,
						  r->row[i + n].where,
						  "the sum passes 2^64-1 here");
		}
		for (size_t k = 0; n == all && k < n; k++) {
			if (!build_bucket(r->to, number[first + k], r->row[i + k].count,
					  r->row[i + k].where))
				return false;
		}
		if (n != all && !build_bucket(r->to, number[first], sum, r->row[i].where))
			return false;
	}
	return true;
}

static bool open_operation(struct reader *r, struct str where)
{
	if (!build_operation_in(r->to, UNIT_MS, STR(""), STR("event"), where))
		return false;
	r->any = true;
	return true;
}

/* Reads from the head to the first line without a value. */
static bool sysbench_read_histogram(struct reader *r, struct str head)
{
	r->n_rows = 0;
	r->skipping = false;
	r->histogram = true;
	while (lines_next(&r->lines)) {
		if (!str_begins_with_digit(r->lines.text)) {
			lines_again(&r->lines);
			break;
		}
		if (!sysbench_read_row(r, r->lines.text))
			return false;
	}
	return open_operation(r, head) && sysbench_push_rows(r, head);
}

/* --- statistics --------------------------------------------------------------------- */

static bool read_checkpoint(struct reader *r, struct str s)
{
	r->skipping = str_contains(cursor_rest(&r->lines.rest), STR("- distribution -"));
	r->part = true;
	if (r->skipping)
		diag_part(r->lines.diag, DIAG_NOT_A_HISTOGRAM, r->lines.in, s,
			  "the statistics of this checkpoint; the histogram begins after it");
	return true;
}

/* Reads "         95th percentile:                        0.02" and the like; false: it is another
 * line.  0 is what sysbench prints without percentiles. */
static bool take_point(struct reader *r, struct str s)
{
	struct percentile_point p = { .step = 0.01 }, *to = &r->percentile;
	struct str label, value, word = STR("th percentile");

	if (!str_cut(s, ':', &label, &value))
		return false;
	value = str_trim(value);
	if (str_eq(label, STR("min")))
		to = &r->min;
	else if (str_eq(label, STR("max")))
		to = &r->max;
	else if (!str_has_suffix(label, word) ||
		 number_f64((struct str){ label.p, label.n - word.n }, &p.percent) != NUMBER_OK)
		return false;
	p.where = value;
	if (number_f64(value, &p.value) == NUMBER_OK && isfinite(p.value) && p.value >= 0 &&
	    p.percent <= 100 && (to != &r->percentile || p.value > 0))
		*to = p;
	return true;
}

/* Pushes the percentile as buckets; sysbench's own are exact to half a bucket.  Of several reports
 * the buckets would differ. */
static bool push_percentile(struct reader *r)
{
	struct percentile_list q = { .point = &r->percentile,
				     .n = 1,
				     .calls = r->events,
				     .min = r->min.where.p != NULL ? &r->min : NULL,
				     .max = r->max.where.p != NULL ? &r->max : NULL };

	r->percentile.step += r->percentile.value * (exp(log(1e8) / (SIZE - 1)) - 1);
	return r->histogram || r->n_statistics != 1 || r->percentile.where.p == NULL ||
	       r->events == 0 || percentile_buckets_push(&q, r->to, r->percentile.where);
}

static bool read_statistic(struct reader *r, struct str s)
{
	struct str value;
	struct decimal total;
	uint64_t threads;
	double number;

	if (str_has_suffix(s, STR("] Checkpoint report:")))
		return read_checkpoint(r, s);
	if (text_value(s, STR("Number of threads:"), &value)) {
		if (number_u64(value, &threads) == NUMBER_OK)
			build_concurrency(r->to, threads);
		return true;
	}
	if (r->skipping)
		return true;
	if (text_value(s, STR("total time:"), &value)) {
		if (str_has_suffix(value, STR("s")))
			value.n--;
		if (number_f64(value, &number) == NUMBER_OK && number > 0 && isfinite(number) &&
		    !r->part)
			build_elapsed(r->to, number);
		return true;
	}
	if (text_value(s, STR("total number of events:"), &value)) {
		if (number_u64(value, &r->events) != NUMBER_OK)
			return lines_fail(&r->lines, DIAG_NUMBER_BAD, s,
					  "expected a number of events");
		r->min = r->max = r->percentile = (struct percentile_point){ 0 };
		r->n_statistics++;
		return open_operation(r, s) && build_count(r->to, r->events, value);
	}
	if (!r->any)
		return true;
	if (text_value(s, STR("sum:"), &value)) {
		if (!decimal_parse(value, &total))
			return lines_fail(&r->lines, DIAG_NUMBER_BAD, s,
					  "expected a sum of latencies");
		return build_total(r->to, total, value);
	}
	if (take_point(r, s) && r->max.where.p != NULL && r->max.value > 0)
		build_max(r->to, r->max.value);
	return true;
}

static bool read_sysbench(const struct read_task *task)
{
	struct reader r = { .to = task->to };

	for (size_t i = 0; i < SIZE; i++) {
		r.label[i] = lround(value_at((double)i));
		r.edge[i] = i > 0 ? value_at((double)i - 0.5) / 1000 : 0;
	}
	build_snapshots(task->to, SNAPSHOTS_DELTA);
	lines_start(&r.lines, task->in, task->diag);
	while (lines_next(&r.lines)) {
		struct str s = r.lines.text;

		if (!(is_histogram(s) ? sysbench_read_histogram(&r, s) : read_statistic(&r, s)))
			return false;
	}
	return push_percentile(&r);
}

const struct format format_sysbench = {
	.name = "sysbench",
	.title = "sysbench: latency of events, with --histogram",
	.versions = "1.0.20",
	.unit = "stated",
	.totals = "as printed, to 0.01 ms",
	.probe = probe_sysbench,
	.read = read_sysbench,
};
