/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * locust: what the load generator Locust writes with --json, and the table of --csv.
 *
 *	[{"name":"/","method":"GET",...,"num_requests":190,"num_none_requests":0,...
 *	  "total_response_time":12293.55,"max_response_time":275.6,"min_response_time":1.9,...
 *	  "response_times":{"12":2,"44":6,"110":3}},...]
 *
 *	Type,Name,Request Count,Failure Count,Median Response Time,Average Response Time,...
 *	GET,/,2662,0,2,3.04166307474434,0.49951900291489437,185.58476099860854,...
 *
 * The operation is method and name, times are in ms.  Requests that failed count; those that
 * have no response time do not.  A key of response_times is a time rounded to 1 below 100, to
 * 10 below 1000, to 100 below 10000, else to 1000.  So the requests at 150 took 145 to 155,
 * those at 100, where two steps meet, 99.5 to 105.  Beyond 100 s all are put together.
 *
 * The table has calls, average and extremes; its percentiles are left out.
 *
 * Seen: 2.46 (--json), 2.12 (--csv).  Recognised and refused: the table of --csv-full-history,
 * which has percentiles over time; a bucketing of the test's own.
 */
#include <math.h>

#include "base/arena.h"
#include "base/json.h"
#include "formats/format.h"
#include "formats/table.h"
#include "formats/text.h"

/* --- recognising ------------------------------------------------------------------ */

static bool locust_is_json(struct str head)
{
	return str_has_prefix(json_without_space(head), STR("["));
}

/* Percentiles follow. */
static bool is_table_head(struct str line)
{
	return str_has_prefix(line, STR("Type,Name,Request Count,Failure Count,Median Response "
					"Time,Average Response Time,Min Response Time,Max "
					"Response Time"));
}

static enum probe probe_locust(struct str head, struct clue *clue)
{
	static const struct str history = STR_INIT("Timestamp,User Count,Type,Name,");
	struct str line;

	if (locust_is_json(head))
		return format_has_marks(head,
					MARKS("", "\"num_none_requests\"", "\"response_times\""))
			       ? PROBE_MAGIC
			       : PROBE_NO;
	if (!text_line(&head, &line))
		return PROBE_NO;
	if (is_table_head(line))
		return PROBE_MAGIC;
	if (str_has_prefix(line, history))
		*clue = (struct clue){ history.n,
				       "a history of Locust has percentiles over time; its "
				       "_stats.csv has summary statistics, --json a distribution" };
	return PROBE_NO;
}

/* --- times ------------------------------------------------------------------------- */

/* Keys up to `last` are whole multiples of `step`; beyond, of the next one. */
static const struct {
	uint64_t last, step;
} rounding[] = { { 100, 1 }, { 1000, 10 }, { 10000, 100 }, { 100000, 1000 } };

enum { BUCKETS = 100 + 90 * 3 + 2 /* keys from 0 to 100000, and one for all beyond */ };

/* Where the buckets begin. */
static void set_edges(double *edge)
{
	uint64_t key = 0, step = 1;
	size_t n = 0;

	edge[n++] = 0;
	for (size_t i = 0; i < COUNT_OF(rounding); i++) {
		step = rounding[i].step;
		while (key < rounding[i].last) {
			key += step;
			edge[n++] = (double)key - (double)step / 2;
		}
	}
	edge[n] = (double)key + (double)step / 2;
}

/* False for what Locust does not round to. */
static bool find_bucket(uint64_t key, size_t *ret)
{
	uint64_t from = 0;
	size_t n = 0;

	for (size_t i = 0; i < COUNT_OF(rounding); i++) {
		uint64_t step = rounding[i].step;

		if (key <= rounding[i].last) {
			*ret = n + (size_t)((key - from) / step);
			return key % step == 0;
		}
		n += (size_t)((rounding[i].last - from) / step);
		from = rounding[i].last;
	}
	*ret = n + 1;
	return true;
}

/* --- JSON ------------------------------------------------------------------------------- */

struct entry {
	struct str name, method;
	uint64_t requests, without_time;
	struct decimal total;
	double min, max;   /* NAN: not there */
	double start, end; /* seconds of the epoch; NAN: not there */
	bool has_total, has_times;
	uint64_t count[BUCKETS];
	struct str where[BUCKETS];
};

struct reader {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	struct arena *strings;
	double edge[BUCKETS];
	double start, end; /* of the run; NAN: not known */
};

/* A key of response_times: 12, or 150.0 as older versions have it. */
static bool read_key(struct str key, size_t *ret)
{
	struct str whole, rest;
	uint64_t number;

	if (!str_cut(key, '.', &whole, &rest))
		whole = key;
	else if (!str_eq(rest, STR("0")))
		return false;
	return number_u64(whole, &number) == NUMBER_OK && find_bucket(number, ret);
}

/* {"12":2,"44":6}, in any order. */
static bool read_times(struct reader *r, struct json *j, struct entry *e)
{
	struct str key;

	e->has_times = true;
	for (json_object(j); json_key(j, &key);) {
		size_t from = json_begin(j), i;
		struct str where;
		uint64_t n;

		if (!json_u64(j, &n))
			return false;
		where = json_since(j, from);
		if (!read_key(key, &i))
			return format_fail(r->in, r->diag, DIAG_BUCKET_BOUNDS, where,
					   "of a time that is not rounded as Locust does it");
		if (__builtin_add_overflow(e->count[i], n, &e->count[i]))
			return format_fail(r->in, r->diag, DIAG_COUNT_OVERFLOW, where,
					   "the sum passes 2^64-1 here");
		e->where[i] = where;
	}
	return !j->failed;
}

static bool read_total(struct reader *r, struct json *j, struct entry *e)
{
	struct str text;

	if (!json_number(j, &text))
		return false;
	e->has_total = number_decimal(text, &e->total) == NUMBER_OK;
	return e->has_total ||
	       format_fail(r->in, r->diag, DIAG_NUMBER_RANGE, text, "expected a sum in ms");
}

static bool locust_read_member(struct reader *r, struct json *j, struct str key, struct entry *e)
{
	if (str_eq(key, STR("name")))
		return json_string(j, &e->name);
	if (str_eq(key, STR("method")))
		return json_peek(j) == 'n' ? json_skip(j) : json_string(j, &e->method);
	if (str_eq(key, STR("num_requests")))
		return json_u64(j, &e->requests);
	if (str_eq(key, STR("num_none_requests")))
		return json_u64(j, &e->without_time);
	if (str_eq(key, STR("total_response_time")))
		return read_total(r, j, e);
	if (str_eq(key, STR("max_response_time")))
		return json_f64_or_null(j, &e->max);
	if (str_eq(key, STR("min_response_time")))
		return json_f64_or_null(j, &e->min);
	if (str_eq(key, STR("response_times")))
		return read_times(r, j, e);
	if (str_eq(key, STR("start_time")))
		return json_f64_or_null(j, &e->start);
	if (str_eq(key, STR("last_request_timestamp")))
		return json_f64_or_null(j, &e->end);
	return json_skip(j);
}

static bool open_operation(struct reader *r, struct str method, struct str name, struct str where)
{
	struct str both = method.n > 0 ? arena_join(r->strings, method, ' ', name) : name;

	if (!build_operation(r->to, STR(""), both, where))
		return false;
	build_unit(r->to, UNIT_MS, UNIT_STATED);
	return true;
}

static bool push_entry(struct reader *r, const struct entry *e, struct str where)
{
	struct bucket_scheme scheme = bucket_edges(r->edge, BUCKETS);

	if (!open_operation(r, e->method, e->name, where))
		return false;
	if (e->has_times && !build_scheme(r->to, &scheme, where))
		return false;
	for (size_t i = 0; i < BUCKETS; i++) {
		if (e->count[i] > 0 && !build_bucket(r->to, (int)i, e->count[i], e->where[i]))
			return false;
	}
	if (!isnan(e->min))
		build_min(r->to, e->min);
	if (!isnan(e->max))
		build_max(r->to, e->max);
	return (e->requests < e->without_time ||
		build_count(r->to, e->requests - e->without_time, where)) &&
	       (!e->has_total || build_total(r->to, e->total, where));
}

static bool read_entry(struct reader *r, struct json *j)
{
	struct entry e = { .min = NAN, .max = NAN, .start = NAN, .end = NAN };
	size_t from = json_begin(j);
	struct str key, where;

	if (!json_open(j, '{'))
		return false;
	where = json_since(j, from);
	while (json_key(j, &key)) {
		if (!locust_read_member(r, j, key, &e))
			return false;
	}
	r->start = fmin(r->start, e.start);
	r->end = fmax(r->end, e.end);
	return !j->failed && push_entry(r, &e, where);
}

/* One array for each run of Locust. */
static bool locust_read_json(struct reader *r)
{
	double elapsed = 0;
	bool again = false;
	struct json j;

	set_edges(r->edge);
	json_start(&j, cursor_on(r->in), r->strings, r->diag);
	while (json_peek(&j) != '\0') {
		if (again)
			build_next_interval(r->to, NAN);
		again = true;
		r->start = r->end = NAN;
		for (json_array(&j); json_item(&j);) {
			if (!read_entry(r, &j))
				return false;
		}
		if (r->end > r->start)
			elapsed += r->end - r->start;
	}
	if (elapsed > 0 && isfinite(elapsed))
		build_elapsed(r->to, elapsed);
	return !j.failed;
}

/* --- the table of --csv -------------------------------------------------------------------- */

enum column { TYPE, NAME, REQUESTS, AVERAGE = 5, LEAST, MOST, COLUMNS };

static bool read_ms(struct table *t, enum column column, double *ret)
{
	return number_f64(t->field[column], ret) == NUMBER_OK && isfinite(*ret) && *ret >= 0
		       ? true
		       : table_bad_number(t, column, "a time in ms");
}

static bool locust_read_row(struct reader *r, struct table *t, size_t n_fields)
{
	struct decimal average, total;
	uint64_t requests;
	double min, max;

	if (t->n_fields != n_fields)
		return format_fail(r->in, r->diag,
				   t->cut_short ? DIAG_INPUT_TRUNCATED : DIAG_CSV_BAD, t->record,
				   "%zu fields where the header has %zu", t->n_fields, n_fields);
	/* The last row is of all together. */
	if (t->field[TYPE].n == 0 && str_eq(t->field[NAME], STR("Aggregated")))
		return true;
	if (!table_u64(t, REQUESTS, &requests) || !read_ms(t, LEAST, &min) ||
	    !read_ms(t, MOST, &max))
		return false;
	if (number_decimal(t->field[AVERAGE], &average) != NUMBER_OK)
		return table_bad_number(t, AVERAGE, "a time in ms");
	if (!decimal_times(average, requests, &total))
		return format_fail(r->in, r->diag, DIAG_TOTAL_OVERFLOW, table_where(t, AVERAGE),
				   "average times requests");
	if (!open_operation(r, t->field[TYPE], t->field[NAME], t->record))
		return false;
	build_rounded_totals(r->to);
	build_min(r->to, min);
	build_max(r->to, max);
	return build_count(r->to, requests, table_where(t, REQUESTS)) &&
	       build_total(r->to, total, table_where(t, AVERAGE));
}

static bool locust_read_table(struct reader *r)
{
	enum table_next what;
	struct table t;
	size_t n_fields;

	table_start(&t, r->in, ',', r->diag);
	what = table_next(&t);
	n_fields = t.n_fields;
	if (what == TABLE_RECORD && !is_table_head(t.record)) {
		(void)format_fail(r->in, r->diag, DIAG_COLUMN_MISSING, t.record,
				  "expected the columns of Locust's statistics");
		what = TABLE_BAD;
	}
	while (what == TABLE_RECORD) {
		what = table_next(&t);
		if (what == TABLE_RECORD && !locust_read_row(r, &t, n_fields))
			what = TABLE_BAD;
	}
	table_release(&t);
	return what == TABLE_END;
}

static bool read_locust(const struct read_task *task)
{
	struct reader r = {
		.in = task->in, .to = task->to, .diag = task->diag, .strings = arena_new()
	};
	bool ok;

	build_snapshots(task->to, SNAPSHOTS_DELTA);
	build_run_fixed_duration(task->to); /* users go on until they are stopped */
	ok = locust_is_json(task->in->bytes) ? locust_read_json(&r) : locust_read_table(&r);
	arena_free(r.strings);
	return ok;
}

const struct format format_locust = {
	.name = "locust",
	.title = "Locust: distributions of --json, summary statistics of --csv",
	.versions = "2.12, 2.46",
	.unit = "ms, always",
	.totals = "exact in JSON, else average times requests",
	.probe = probe_locust,
	.read = read_locust,
};
