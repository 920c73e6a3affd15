/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * locust: output of the load generator Locust: --json, and the table of --csv.
 *
 *	[{"name":"/","method":"GET",...,"num_requests":190,"num_none_requests":0,...
 *	  "total_response_time":12293.55,"max_response_time":275.6,"min_response_time":1.9,...
 *	  "response_times":{"12":2,"44":6,"110":3}},...]
 *
 *	Type,Name,Request Count,Failure Count,Median Response Time,Average Response Time,...
 *	GET,/,2662,0,2,3.04166307474434,0.49951900291489437,185.58476099860854,...
 *
 * The operation is method and name; times are in ms.  Failed requests count; requests without a
 * response time do not.  A key of response_times is a time rounded to 1 below 100, to 10 below
 * 1000, to 100 below 10000, and else to 1000.  So requests at 150 took 145 to 155; those at 100,
 * where the step changes, took 99.5 to 105.  Requests above 100 s share one bucket.
 *
 * The table has calls, average and extremes; its percentiles are left out.
 *
 * Seen: 2.46 (--json), 2.12 (--csv).  Recognised and refused: the table of --csv-full-history,
 * which has percentiles over time; custom rounding by the test.
 */
#include <math.h>

#include "base/arena.h"
#include "base/json.h"
#include "formats/lines.h"
#include "formats/table/table.h"
#include "formats/text.h"

/* --- recognising ------------------------------------------------------------------ */

static bool locust_is_json(struct str head)
{
	return str_has_prefix(json_without_space(head), STR("["));
}

/* Checks the columns before the percentiles. */
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

/* Keys up to `last` are multiples of `step`; larger ones are multiples of the next step. */
static const struct {
	uint64_t last, step;
} rounding[] = { { 100, 1 }, { 1000, 10 }, { 10000, 100 }, { 100000, 1000 } };

enum { BUCKETS = 100 + 90 * 3 + 2 /* keys from 0 to 100000, and one for all beyond */ };

/* Sets the lower edges of the buckets. */
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

/* Finds the bucket of a key; false when Locust does not round to it. */
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
	double min, max;   /* NAN: missing */
	double start, end; /* seconds since the epoch; NAN: missing */
	bool has_total, has_times;
	uint64_t count[BUCKETS];
	struct str where[BUCKETS];
};

struct reader {
	struct lines lines;
	struct json j;
	struct entry entry;
	double edge[BUCKETS];
	double start, end; /* start and end of the run; NAN: not known */
};

/* Reads a key of response_times: 12, or 150.0 in older versions. */
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

/* Reads {"12":2,"44":6}, in any order. */
static bool read_times(void *reader)
{
	struct reader *r = reader;
	struct entry *e = &r->entry;
	struct str key;

	for (json_object(&r->j); json_key(&r->j, &key);) {
		size_t from = json_begin(&r->j), i;
		struct str where;
		uint64_t n;

		if (!json_u64(&r->j, &n))
			return false;
		where = json_since(&r->j, from);
		if (!read_key(key, &i))
			return lines_fail(&r->lines, DIAG_BUCKET_BOUNDS, where,
					  "of a time that is not rounded as Locust does it");
		if (__builtin_add_overflow(e->count[i], n, &e->count[i]))
			return lines_fail(&r->lines, DIAG_COUNT_OVERFLOW, where,
					  "the sum passes 2^64-1 here");
		e->where[i] = where;
	}
	return !r->j.failed;
}

static bool read_total(void *reader)
{
	struct reader *r = reader;
	struct str text;

	if (!json_number(&r->j, &text))
		return false;
	return number_decimal(text, &r->entry.total) == NUMBER_OK ||
	       lines_fail(&r->lines, DIAG_NUMBER_RANGE, text, "expected a sum in ms");
}

static bool open_operation(struct reader *r, struct str method, struct str name, struct str where)
{
	struct str both = method.n > 0 ? arena_join(r->lines.arena, method, ' ', name) : name;

	return build_operation_in(r->lines.to, UNIT_MS, STR(""), both, where);
}

static bool push_entry(struct reader *r, const struct entry *e, struct str where)
{
	struct bucket_scheme scheme = bucket_edges(r->edge, BUCKETS);

	if (!open_operation(r, e->method, e->name, where))
		return false;
	if (e->has_times && !build_scheme(r->lines.to, &scheme, where))
		return false;
	for (size_t i = 0; i < BUCKETS; i++) {
		if (e->count[i] > 0 && !build_bucket(r->lines.to, (int)i, e->count[i], e->where[i]))
			return false;
	}
	if (!isnan(e->min))
		build_min(r->lines.to, e->min);
	if (!isnan(e->max))
		build_max(r->lines.to, e->max);
	return (e->requests < e->without_time ||
		build_count(r->lines.to, e->requests - e->without_time, where)) &&
	       (!e->has_total || build_total(r->lines.to, e->total, where));
}

static bool read_entry(void *reader)
{
	struct reader *r = reader;
	struct entry *e = &r->entry;
	const struct json_member members[] = {
		JSON_STRING("name", &e->name),
		JSON_TEXT_OR_SKIP("method", &e->method),
		JSON_U64("num_requests", &e->requests),
		JSON_U64("num_none_requests", &e->without_time),
		JSON_READ("total_response_time", read_total, r, &e->has_total),
		JSON_F64_OR_NULL("max_response_time", &e->max),
		JSON_F64_OR_NULL("min_response_time", &e->min),
		JSON_READ("response_times", read_times, r, &e->has_times),
		JSON_F64_OR_NULL("start_time", &e->start),
		JSON_F64_OR_NULL("last_request_timestamp", &e->end),
	};
	struct str where = { r->lines.in->bytes.p + json_begin(&r->j), 1 }; /* the opening brace */

	*e = (struct entry){ .min = NAN, .max = NAN, .start = NAN, .end = NAN };
	if (!json_members(&r->j, members, COUNT_OF(members)))
		return false;
	r->start = fmin(r->start, e->start);
	r->end = fmax(r->end, e->end);
	return push_entry(r, e, where);
}

/* Reads one array for each run of Locust. */
static bool locust_read_json(struct reader *r)
{
	double elapsed = 0;
	bool again = false;

	set_edges(r->edge);
	lines_json(&r->lines, &r->j);
	while (json_peek(&r->j) != '\0') {
		if (again)
			build_next_interval(r->lines.to, NAN);
		again = true;
		r->start = r->end = NAN;
		if (!json_each(&r->j, read_entry, r))
			return false;
		if (r->end > r->start)
			elapsed += r->end - r->start;
	}
	if (elapsed > 0 && isfinite(elapsed))
		build_elapsed(r->lines.to, elapsed);
	return !r->j.failed;
}

/* --- the table of --csv -------------------------------------------------------------------- */

enum column { TYPE, NAME, REQUESTS, AVERAGE = 5, MIN, MAX, COLUMNS };

static bool read_ms(struct table *t, enum column column, double *ret)
{
	return number_f64(t->field[column], ret) == NUMBER_OK && isfinite(*ret) && *ret >= 0
		       ? true
		       : table_bad_number(t, column, "a time in ms");
}

static bool locust_read_row(struct reader *r, struct table *t, size_t n_fields)
{
	struct decimal average;
	uint64_t requests;
	double min, max;

	if (t->n_fields != n_fields)
		return lines_fail(&r->lines, t->cut_short ? DIAG_INPUT_TRUNCATED : DIAG_CSV_BAD,
				  t->record, "%zu fields where the header has %zu", t->n_fields,
				  n_fields);
	/* The last row is the sum of all. */
	if (t->field[TYPE].n == 0 && str_eq(t->field[NAME], STR("Aggregated")))
		return true;
	if (!table_u64(t, REQUESTS, &requests) || !read_ms(t, MIN, &min) || !read_ms(t, MAX, &max))
		return false;
	if (number_decimal(t->field[AVERAGE], &average) != NUMBER_OK)
		return table_bad_number(t, AVERAGE, "a time in ms");
	if (!open_operation(r, t->field[TYPE], t->field[NAME], t->record))
		return false;
	build_min(r->lines.to, min);
	build_max(r->lines.to, max);
	return lines_push_mean(&r->lines, average, requests, table_where(t, AVERAGE),
			       "average times requests") &&
	       build_count(r->lines.to, requests, table_where(t, REQUESTS));
}

static bool locust_read_table(struct reader *r)
{
	enum table_next what;
	struct table t;
	size_t n_fields;

	table_start(&t, r->lines.in, ',', r->lines.diag);
	what = table_next(&t);
	n_fields = t.n_fields;
	if (what == TABLE_RECORD && !is_table_head(t.record)) {
		(void)lines_fail(&r->lines, DIAG_COLUMN_MISSING, t.record,
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

static bool locust_text(void *reader)
{
	struct reader *r = reader;

	return locust_is_json(r->lines.in->bytes) ? locust_read_json(r) : locust_read_table(r);
}

const struct format format_locust = {
	.name = "locust",
	.title = "Locust: distributions of --json, summary statistics of --csv",
	.versions = "2.12, 2.46",
	.unit = "ms, always",
	.totals = "exact in JSON, else average times requests",
	.probe = probe_locust,
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .end = locust_text,
					     .snapshots = SNAPSHOTS_DELTA,
					     .fixed_duration =
						     true /* users run until they are stopped */ },
};
