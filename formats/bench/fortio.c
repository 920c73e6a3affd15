/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fortio: results of the load generator fortio as JSON (load -json, saved results, its REST
 * API), and those of Nighthawk in this format (--output-format fortio).
 *
 *	{"RunType":"HTTP",...,"ActualDuration":5027923657,...,
 *	 "DurationHistogram":{"Count":40,"Min":0.005105111,"Max":0.025721395,"Sum":0.541547363,
 *	   ...,"Data":[{"Start":0.005105111,"End":0.006,"Percent":7.5,"Count":3},
 *	               {"Start":0.006,"End":0.007,"Percent":10,"Count":1},...]},
 *	 "ErrorsDurationHistogram":{...},...,"ConnectionStats":{...}}
 *
 * All times are in s.  The operations are call, of all calls, error, of those that failed,
 * and connection, the time to connect; the latter two where there are any.  A bucket includes
 * its end; what is equal to it is shown as the beginning of the next.  The first begins at the
 * fastest call and the last ends at the slowest; empty ones are left out.  A bucket without
 * width holds one value and goes with the one that begins or ends there.  Percentiles, and
 * sizes of answers, are left out.
 *
 * Seen: fortio 0.9, 1.11 and 1.57, Nighthawk of 2020.  One result a file: those of several
 * runs have other buckets each.
 */
#include <stdlib.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/xalloc.h"
#include "formats/format.h"

struct row {
	double start, end;
	uint64_t count;
	struct str where;
};

struct histogram {
	uint64_t count;
	double min, max;
	struct decimal sum;
	bool has_count, has_min, has_max, has_sum;
	size_t n; /* rows */
	struct str where;
};

struct reader {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	struct json j;
	/* Of the current histogram. */
	struct row *row;
	double *edge;
	size_t cap, cap_edges;
};

/* --- JSON ------------------------------------------------------------------------- */

static bool fortio_read_row(struct reader *r, struct row *ret)
{
	size_t from = json_begin(&r->j);
	struct row row = { .start = -1, .end = -1 };
	const struct json_member members[] = {
		{ STR_INIT("Start"), JSON_F64, &row.start, NULL },
		{ STR_INIT("End"), JSON_F64, &row.end, NULL },
		{ STR_INIT("Count"), JSON_U64, &row.count, NULL },
	};

	if (!json_members(&r->j, members, COUNT_OF(members)))
		return false;
	row.where = json_since(&r->j, from);
	if (!(row.start >= 0 && row.end >= row.start))
		return format_fail(r->in, r->diag, DIAG_BUCKET_BOUNDS, row.where,
				   "expected Start and an End that is not less");
	*ret = row;
	return true;
}

static bool fortio_read_rows(struct reader *r, size_t *n)
{
	if (json_peek(&r->j) != '[') /* null: there were none */
		return json_skip(&r->j);
	for (json_array(&r->j); json_item(&r->j);) {
		r->row = xgrow(r->row, &r->cap, *n + 1, sizeof(*r->row));
		if (!fortio_read_row(r, &r->row[*n]))
			return false;
		(*n)++;
	}
	return !r->j.failed;
}

static bool read_sum(struct reader *r, struct histogram *h)
{
	struct str s;

	if (!json_number(&r->j, &s))
		return false;
	h->has_sum = number_decimal(s, &h->sum) == NUMBER_OK;
	return h->has_sum || format_fail(r->in, r->diag, DIAG_NUMBER_RANGE, s, "beyond 1.7e29");
}

static bool fortio_read_member(struct reader *r, struct str key, struct histogram *h)
{
	if (str_eq(key, STR("Count")))
		return h->has_count = json_u64(&r->j, &h->count);
	if (str_eq(key, STR("Min")))
		return h->has_min = json_f64(&r->j, &h->min);
	if (str_eq(key, STR("Max")))
		return h->has_max = json_f64(&r->j, &h->max);
	if (str_eq(key, STR("Sum")))
		return read_sum(r, h);
	return str_eq(key, STR("Data")) ? fortio_read_rows(r, &h->n) : json_skip(&r->j);
}

static bool fortio_read_histogram(struct reader *r, struct histogram *ret)
{
	size_t from = json_begin(&r->j);
	struct histogram h = { .n = 0 };
	struct str key;

	if (!json_open(&r->j, '{'))
		return false;
	h.where = json_since(&r->j, from);
	while (json_key(&r->j, &key)) {
		if (!fortio_read_member(r, key, &h))
			return false;
	}
	*ret = h;
	return !r->j.failed;
}

/* --- to the builder ---------------------------------------------------------------- */

static bool add_to(struct reader *r, struct row *to, const struct row *row)
{
	return !__builtin_add_overflow(to->count, row->count, &to->count) ||
	       format_fail(r->in, r->diag, DIAG_COUNT_OVERFLOW, row->where,
			   "the sum passes 2^64-1 here");
}

/* Those without width go with their neighbours; *n: how many are left. */
static bool join_rows(struct reader *r, size_t *n)
{
	struct row *row = r->row;
	size_t kept = 0;

	for (size_t i = 0; i < *n; i++) {
		struct row *next = i + 1 < *n ? &row[i + 1] : NULL;
		struct row *last = kept > 0 ? &row[kept - 1] : NULL;
		struct row *with = NULL;

		if (row[i].start == row[i].end && next != NULL && next->start == row[i].end)
			with = next;
		else if (row[i].start == row[i].end && last != NULL && last->end == row[i].start)
			with = last;
		if (with == NULL)
			row[kept++] = row[i];
		else if (!add_to(r, with, &row[i]))
			return false;
	}
	*n = kept;
	return true;
}

/* All calls took the same time, which no bucket shows. */
static bool is_one_value(const struct reader *r, size_t n)
{
	return n == 1 && r->row[0].start == r->row[0].end;
}

/* The edges of n rows, each once: in r->edge, and in *ret how many. */
static bool find_edges(struct reader *r, size_t n, size_t *ret)
{
	size_t n_edges = 0;

	r->edge = xgrow(r->edge, &r->cap_edges, 2 * n, sizeof(*r->edge));
	for (size_t i = 0; i < n; i++) {
		const struct row *row = &r->row[i];
		double last = n_edges > 0 ? r->edge[n_edges - 1] : -1;

		if (row->start < last || row->start == row->end)
			return format_fail(r->in, r->diag, DIAG_BUCKET_ORDER, row->where,
					   "expected buckets that ascend");
		if (row->start > last)
			r->edge[n_edges++] = row->start;
		r->edge[n_edges++] = row->end;
	}
	*ret = n_edges;
	return true;
}

static bool fortio_push_rows(struct reader *r, const struct histogram *h)
{
	size_t n = h->n, n_edges = 0, at = 0;
	struct bucket_scheme scheme;

	if (!join_rows(r, &n))
		return false;
	if (n == 0)
		return build_histogram(r->to, h->where);
	if (is_one_value(r, n))
		return true;
	if (!find_edges(r, n, &n_edges))
		return false;
	scheme = bucket_edges(r->edge, n_edges);
	if (!build_scheme(r->to, &scheme, h->where))
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct row *row = &r->row[i];

		while (r->edge[at] < row->start)
			at++;
		if (!build_bucket(r->to, (int)at, row->count, row->where))
			return false;
	}
	return true;
}

static bool push_histogram(struct reader *r, struct str name, const struct histogram *h)
{
	if (!build_new_operation(r->to, STR(""), name, h->where))
		return false;
	build_unit(r->to, UNIT_S, UNIT_STATED);
	if (!fortio_push_rows(r, h))
		return false;
	if (h->count > 0 && h->has_min)
		build_min(r->to, h->min);
	if (h->count > 0 && h->has_max)
		build_max(r->to, h->max);
	return (!h->has_count || build_count(r->to, h->count, h->where)) &&
	       (!h->has_sum || build_total(r->to, h->sum, h->where));
}

static bool read_operation(struct reader *r, struct str name, bool always)
{
	struct histogram h;

	if (json_peek(&r->j) != '{') /* null */
		return json_skip(&r->j);
	return fortio_read_histogram(r, &h) &&
	       (h.count > 0 || h.n > 0 || always ? push_histogram(r, name, &h) : true);
}

static bool fortio_read_duration(struct reader *r)
{
	uint64_t ns;

	if (!json_u64(&r->j, &ns))
		return false;
	build_elapsed(r->to, (double)ns / 1e9);
	return true;
}

/* "5s" of -t, "exactly 1000 calls" of -n, "until stop". */
static bool read_request(struct reader *r)
{
	struct str text;

	if (json_peek(&r->j) != '"')
		return json_skip(&r->j);
	if (!json_string(&r->j, &text))
		return false;
	if (text.n > 0 && !str_has_prefix(text, STR("exactly ")))
		build_run_fixed_duration(r->to);
	return true;
}

static bool read_result(struct reader *r)
{
	struct str key;
	bool done = true;

	for (json_object(&r->j); done && json_key(&r->j, &key);) {
		if (str_eq(key, STR("DurationHistogram")))
			done = read_operation(r, STR("call"), true);
		else if (str_eq(key, STR("ErrorsDurationHistogram")))
			done = read_operation(r, STR("error"), false);
		else if (str_eq(key, STR("ConnectionStats")))
			done = read_operation(r, STR("connection"), false);
		else if (str_eq(key, STR("ActualDuration")))
			done = fortio_read_duration(r);
		else if (str_eq(key, STR("RequestedDuration")))
			done = read_request(r);
		else
			done = json_skip(&r->j);
	}
	return done && !r->j.failed;
}

static bool read_fortio(const struct read_task *task)
{
	struct reader r = { .in = task->in, .to = task->to, .diag = task->diag };
	struct arena *strings = arena_new();
	bool ok;

	json_start(&r.j, cursor_on(task->in), strings, task->diag);
	ok = read_result(&r) && json_end(&r.j);
	free(r.row);
	free(r.edge);
	arena_free(strings);
	return ok;
}

const struct format format_fortio = {
	.name = "fortio",
	.title = "fortio: results as JSON, also those of Nighthawk",
	.versions = "0.9, 1.11, 1.57; Nighthawk of 2020",
	.unit = "s, always",
	.totals = "exact",
	.marks = MARKS("{", "\"DurationHistogram\"", "\"ActualQPS\""),
	.read = read_fortio,
};
