/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fortio: results of the load generator fortio in JSON (load -json, saved results, its REST API),
 * and of Nighthawk in the same format (--output-format fortio).
 *
 *	{"RunType":"HTTP",...,"ActualDuration":5027923657,...,
 *	 "DurationHistogram":{"Count":40,"Min":0.005105111,"Max":0.025721395,"Sum":0.541547363,
 *	   ...,"Data":[{"Start":0.005105111,"End":0.006,"Percent":7.5,"Count":3},
 *	               {"Start":0.006,"End":0.007,"Percent":10,"Count":1},...]},
 *	 "ErrorsDurationHistogram":{...},...,"ConnectionStats":{...}}
 *
 * All times are in s.  The operations are call (all calls), error (failed calls) and connection
 * (time to connect); the latter two only if there are any.  A bucket includes its end, but values
 * equal to it are shown at the beginning of the next bucket.  The first begins at the fastest
 * call and the last ends at the slowest; empty ones are left out.  A bucket of width 0 holds one
 * value and is merged with the bucket that begins or ends there.  Percentiles, and sizes of
 * responses, are left out.
 *
 * Seen: fortio 0.9, 1.11 and 1.57, Nighthawk of 2020.  A file holds one result, because the
 * buckets differ from run to run.
 */
#include <stdlib.h>

#include "base/json.h"
#include "base/xalloc.h"
#include "formats/event_clock.h"
#include "formats/lines.h"

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
	struct str where;
};

struct reader {
	struct lines lines;
	struct json j;
	/* The current histogram. */
	struct row *row;
	double *edge;
	size_t n, cap, cap_edges; /* rows */
};

/* --- JSON ------------------------------------------------------------------------- */

static bool fortio_read_row(void *ctx)
{
	struct reader *r = ctx;
	size_t from = json_begin(&r->j);
	struct row row = { .start = -1, .end = -1 };
	const struct json_member members[] = {
		JSON_F64("Start", &row.start),
		JSON_F64("End", &row.end),
		JSON_U64("Count", &row.count),
	};

	if (!json_members(&r->j, members, COUNT_OF(members)))
		return false;
	row.where = json_since(&r->j, from);
	if (!(row.start >= 0 && row.end >= row.start))
		return lines_fail(&r->lines, DIAG_BUCKET_BOUNDS, row.where,
				  "expected Start and an End that is not less");
	r->row = xgrow(r->row, &r->cap, r->n + 1, sizeof(row));
	r->row[r->n++] = row;
	return true;
}

static bool fortio_read_histogram(struct reader *r, struct histogram *h)
{
	size_t from = json_begin(&r->j);
	const struct json_member members[] = {
		JSON_U64("Count", &h->count, &h->has_count),
		JSON_F64("Min", &h->min, &h->has_min),
		JSON_F64("Max", &h->max, &h->has_max),
		JSON_DECIMAL("Sum", &h->sum, &h->has_sum),
		JSON_EACH("Data", fortio_read_row, r, .only = '['), /* null: no calls */
	};

	r->n = 0;
	if (!json_members(&r->j, members, COUNT_OF(members)))
		return false;
	h->where = (struct str){ r->lines.in->bytes.p + from, 1 }; /* the opening brace */
	return true;
}

/* --- to the builder ---------------------------------------------------------------- */

static bool add_to(struct reader *r, struct row *to, const struct row *row)
{
	return !__builtin_add_overflow(to->count, row->count, &to->count) ||
	       lines_fail(&r->lines, DIAG_COUNT_OVERFLOW, row->where, "the sum passes 2^64-1 here");
}

/* Merges rows of width 0 with their neighbours; *n is the number of remaining rows. */
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

/* Stores the distinct edges of n rows in r->edge, and their number in *ret. */
static bool find_edges(struct reader *r, size_t n, size_t *ret)
{
	size_t n_edges = 0;

	r->edge = xgrow(r->edge, &r->cap_edges, 2 * n, sizeof(*r->edge));
	for (size_t i = 0; i < n; i++) {
		const struct row *row = &r->row[i];
		double last = n_edges > 0 ? r->edge[n_edges - 1] : -1;

		if (row->start < last || row->start == row->end)
			return lines_fail(&r->lines, DIAG_BUCKET_ORDER, row->where,
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
	size_t n = r->n, n_edges = 0, at = 0;
	struct bucket_scheme scheme;

	if (!join_rows(r, &n))
		return false;
	if (n == 0)
		return build_histogram(r->lines.to, h->where);
	if (n == 1 && r->row[0].start == r->row[0].end)
		return true; /* all calls took the same time: a bucket cannot have width 0 */
	if (!find_edges(r, n, &n_edges))
		return false;
	scheme = bucket_edges(r->edge, n_edges);
	if (!build_scheme(r->lines.to, &scheme, h->where))
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct row *row = &r->row[i];

		while (r->edge[at] < row->start)
			at++;
		if (!build_bucket(r->lines.to, (int)at, row->count, row->where))
			return false;
	}
	return true;
}

static bool push_histogram(struct reader *r, struct str name, const struct histogram *h)
{
	if (!build_new_operation(r->lines.to, STR(""), name, h->where))
		return false;
	build_unit(r->lines.to, UNIT_S, UNIT_STATED);
	if (!fortio_push_rows(r, h))
		return false;
	if (h->count > 0 && h->has_min)
		build_min(r->lines.to, h->min);
	if (h->count > 0 && h->has_max)
		build_max(r->lines.to, h->max);
	return (!h->has_count || build_count(r->lines.to, h->count, h->where)) &&
	       (!h->has_sum || build_total(r->lines.to, h->sum, h->where));
}

static bool read_operation(struct reader *r, struct str name, bool always)
{
	struct histogram h = { .count = 0 };

	return fortio_read_histogram(r, &h) &&
	       (h.count == 0 && r->n == 0 && !always ? true : push_histogram(r, name, &h));
}

static bool read_calls(void *reader)
{
	return read_operation(reader, STR("call"), true);
}

static bool read_errors(void *reader)
{
	return read_operation(reader, STR("error"), false);
}

static bool read_connections(void *reader)
{
	return read_operation(reader, STR("connection"), false);
}

/* Reads "5s" (-t), "exactly 1000 calls" (-n), or "until stop". */
static bool read_request(void *reader)
{
	struct reader *r = reader;
	struct str text;

	if (!json_string(&r->j, &text))
		return false;
	if (text.n > 0 && !str_has_prefix(text, STR("exactly ")))
		build_run_fixed_duration(r->lines.to);
	return true;
}

static bool fortio_text(void *reader)
{
	struct reader *r = reader;
	uint64_t ns;
	bool has_duration = false;
	uint64_t threads = 0;
	struct str started = STR("");
	struct decimal since_1970;
	const struct json_member members[] = {
		JSON_READ("DurationHistogram", read_calls, r, .only = '{'),
		JSON_READ("ErrorsDurationHistogram", read_errors, r, .only = '{'),
		JSON_READ("ConnectionStats", read_connections, r, .only = '{'),
		JSON_U64("ActualDuration", &ns, &has_duration),
		JSON_READ("RequestedDuration", read_request, r, .only = '"'),
		JSON_U64("NumThreads", &threads),
		JSON_STRING("StartTime", &started),
	};

	lines_json(&r->lines, &r->j);
	if (!json_members(&r->j, members, COUNT_OF(members)))
		return false;
	if (has_duration)
		build_elapsed(r->lines.to, (double)ns / 1e9);
	build_concurrency(r->lines.to, threads);
	if (event_timestamp(started, &since_1970))
		build_started(r->lines.to, decimal_f64(since_1970) / 1e9);
	return json_end(&r->j);
}

static void fortio_release(void *reader)
{
	struct reader *r = reader;

	free(r->row);
	free(r->edge);
}

const struct format format_fortio = {
	.name = "fortio",
	.title = "fortio: results as JSON, also those of Nighthawk",
	.versions = "0.9, 1.11, 1.57; Nighthawk of 2020",
	.unit = "s, always",
	.totals = "exact",
	.marks = MARKS("{", "\"DurationHistogram\"", "\"ActualQPS\""),
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .end = fortio_text,
					     .release = fortio_release },
};
