/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * otlp: histograms of OpenTelemetry as JSON, one document or one a line, as the file
 * exporter of the collector and the SDKs write them.
 *
 *	{"resourceMetrics":[{"resource":{"attributes":[...]},"scopeMetrics":[{"metrics":[
 *	  {"name":"fs.duration","unit":"s","exponentialHistogram":{
 *	    "aggregationTemporality":2,"dataPoints":[
 *	      {"attributes":[{"key":"op","value":{"stringValue":"read"}}],
 *	       "count":"3","sum":0.01,"scale":2,"zeroCount":"0",
 *	       "positive":{"offset":-79,"bucketCounts":["1","2"]}}]}}]}]}]}
 *
 * An operation is the metric with its attributes, fs.duration{op="read"}; with several
 * services, service.name is the layer.  Points of delta temporality are intervals, of
 * cumulative temporality each document is a print.  Buckets include their upper edge;
 * what is equal to it is shown as the beginning of the next one.  The zero bucket, and
 * the first explicit one, begin at 0.  Exponential buckets finer than 4096 an octave
 * are put together.
 *
 * Seen: the example of opentelemetry-proto at ac2c4b5, the JavaScript SDK 2.12 with
 * numbers where the specification has strings.  Also read: names with underscores, and
 * instrumentationLibraryMetrics of old.  Not read: gauges, sums, summaries.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "formats/format.h"
#include "formats/monitor/data_points.h"

static enum probe probe_otlp(struct str head, struct clue *clue)
{
	struct str s = head;

	(void)clue;
	while (s.n > 0 && memchr(" \n\r\t{", s.p[0], 5) != NULL)
		s = str_skip(s, 1);
	if (str_has_prefix(s, STR("\"resourceMetrics\"")) ||
	    str_has_prefix(s, STR("\"resource_metrics\"")))
		return s.p > head.p ? PROBE_MAGIC : PROBE_NO;
	return PROBE_NO;
}

/* --- values -------------------------------------------------------------------------- */

/* A point that waits for what its metric is called and how it counts. */
struct waiting {
	struct data_point point;
	size_t from, n; /* its attributes among those of the metric */
};

enum { LONGEST_KEY = 32 }; /* "instrumentationlibrarymetrics" is the longest */

struct reader {
	struct input *in;
	struct diag *diag;
	struct arena *arena;
	struct data_points *points;
	struct json j;
	char key[LONGEST_KEY]; /* the last one, where it was not small letters only */
	struct str layer;      /* the service */
	/* Of the current metric. */
	struct waiting *waiting;
	size_t n_waiting, cap_waiting;
	struct out *attributes; /* of all its points */
	uint64_t *count;	/* scratch */
	double *bound;		/* scratch */
	size_t cap_counts, cap_bounds;
	const double *known_bound; /* of the point before that had any */
	size_t n_known;
};

/* Field names may be in camel case or with underscores: *ret has neither, until the next. */
static bool read_key(struct reader *r, struct str *ret)
{
	struct str key;
	size_t n = 0;

	if (!json_key(&r->j, &key))
		return false;
	for (size_t i = 0; i < key.n && n < LONGEST_KEY; i++) {
		char c = key.p[i];

		if (c != '_')
			r->key[n++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
	}
	*ret = (struct str){ r->key, n };
	return true;
}

static bool bad_f64(struct reader *r, size_t from)
{
	return format_fail(r->in, r->diag, DIAG_NUMBER_BAD, json_since(&r->j, from),
			   "expected a number");
}

/* A double, or "NaN", "Infinity", "-Infinity" in quotes. */
static bool read_f64(struct reader *r, double *ret)
{
	size_t from = json_begin(&r->j);
	struct str s;

	if (json_peek(&r->j) != '"')
		return json_number(&r->j, &s) &&
		       (number_f64(s, ret) == NUMBER_OK || bad_f64(r, from));
	if (!json_string(&r->j, &s))
		return false;
	if (str_eq(s, STR("NaN")))
		*ret = NAN;
	else if (str_eq(s, STR("Infinity")))
		*ret = HUGE_VAL;
	else if (str_eq(s, STR("-Infinity")))
		*ret = -HUGE_VAL;
	else
		return number_f64(s, ret) == NUMBER_OK || bad_f64(r, from);
	return true;
}

static bool read_counts(struct reader *r, struct data_run *ret)
{
	size_t n = 0;

	for (json_array(&r->j); json_item(&r->j);) {
		r->count = xgrow(r->count, &r->cap_counts, n + 1, sizeof(*r->count));
		if (!json_u64(&r->j, &r->count[n++]))
			return false;
	}
	ret->count = arena_make(r->arena, uint64_t, n);
	ret->n = n;
	if (n > 0)
		memcpy(ret->count, r->count, n * sizeof(*r->count));
	return !r->j.failed;
}

/* Those of one metric are the same in every point. */
static void keep_bounds(struct reader *r, size_t n)
{
	double *copy;

	if (n == r->n_known &&
	    (n == 0 || memcmp(r->bound, r->known_bound, n * sizeof(*r->bound)) == 0))
		return;
	copy = arena_make(r->arena, double, n);
	memcpy(copy, r->bound, n * sizeof(*r->bound));
	r->known_bound = copy;
	r->n_known = n;
}

static bool read_bounds(struct reader *r, struct data_point *p)
{
	size_t n = 0, from;

	for (json_array(&r->j); json_item(&r->j);) {
		double bound;

		from = json_begin(&r->j);
		if (!read_f64(r, &bound))
			return false;
		if (!isfinite(bound) || (n > 0 && bound <= r->bound[n - 1]))
			return format_fail(r->in, r->diag, DIAG_BUCKET_ORDER,
					   json_since(&r->j, from), "expected bounds that ascend");
		r->bound = xgrow(r->bound, &r->cap_bounds, n + 1, sizeof(*r->bound));
		r->bound[n++] = bound + 0.0;
	}
	keep_bounds(r, n);
	p->bound = r->known_bound;
	p->n_bounds = n;
	return !r->j.failed;
}

static bool read_run(struct reader *r, struct data_run *ret)
{
	struct str key;

	if (!json_open(&r->j, '{'))
		return false;
	while (read_key(r, &key)) {
		bool done;

		if (str_eq(key, STR("offset")))
			done = json_i64(&r->j, &ret->offset);
		else if (str_eq(key, STR("bucketcounts")))
			done = read_counts(r, ret);
		else
			done = json_skip(&r->j);
		if (!done)
			return false;
	}
	return !r->j.failed;
}

/* --- attributes ----------------------------------------------------------------------- */

/* {"stringValue": "read"}: the text of whatever it is. */
static bool read_value(struct reader *r, struct str *ret)
{
	struct str key;
	size_t from;

	if (!json_open(&r->j, '{'))
		return false;
	while (read_key(r, &key)) {
		from = json_begin(&r->j);
		if (json_peek(&r->j) == '"' ? !json_string(&r->j, ret) : !json_skip(&r->j))
			return false;
		if (r->in->bytes.p[from] != '"')
			*ret = json_since(&r->j, from);
	}
	return !r->j.failed;
}

static bool read_attribute(struct reader *r, struct str *ret_key, struct str *ret_value)
{
	struct str key;

	*ret_key = *ret_value = STR("");
	if (!json_open(&r->j, '{'))
		return false;
	while (read_key(r, &key)) {
		bool done;

		if (str_eq(key, STR("key")))
			done = json_string(&r->j, ret_key);
		else if (str_eq(key, STR("value")))
			done = read_value(r, ret_value);
		else
			done = json_skip(&r->j);
		if (!done)
			return false;
	}
	return !r->j.failed;
}

/* a="b",c="d" after one another. */
static bool read_attributes(struct reader *r, struct out *to, struct str *ret_service)
{
	size_t before = to != NULL ? out_memory(to).n : 0;
	struct str key, value;

	for (json_array(&r->j); json_item(&r->j);) {
		if (!read_attribute(r, &key, &value))
			return false;
		if (ret_service != NULL && str_eq(key, STR("service.name")))
			*ret_service = arena_str(r->arena, value);
		if (to != NULL)
			data_attribute_put(to, out_memory(to).n == before, key, value);
	}
	return !r->j.failed;
}

/* --- points --------------------------------------------------------------------------- */

static bool read_sum(struct reader *r, struct data_point *p)
{
	double sum;

	if (!read_f64(r, &sum))
		return false;
	p->has_sum = decimal_from_f64(sum, &p->sum); /* not where it is no number */
	return true;
}

static bool read_field(struct reader *r, struct str key, struct data_point *p)
{
	if (str_eq(key, STR("starttimeunixnano")))
		return json_u64(&r->j, &p->start);
	if (str_eq(key, STR("timeunixnano")))
		return json_u64(&r->j, &p->end);
	if (str_eq(key, STR("count")))
		return json_u64(&r->j, &p->count);
	if (str_eq(key, STR("sum")))
		return read_sum(r, p);
	if (str_eq(key, STR("min")))
		return read_f64(r, &p->min) && ((p->has_min = isfinite(p->min)) || true);
	if (str_eq(key, STR("max")))
		return read_f64(r, &p->max) && ((p->has_max = isfinite(p->max)) || true);
	if (str_eq(key, STR("bucketcounts")))
		return read_counts(r, &p->explicit_counts);
	if (str_eq(key, STR("explicitbounds")))
		return read_bounds(r, p);
	if (str_eq(key, STR("scale")))
		return json_i64(&r->j, &p->scale);
	if (str_eq(key, STR("zerocount")))
		return json_u64(&r->j, &p->zeros);
	if (str_eq(key, STR("positive")))
		return read_run(r, &p->positive);
	if (str_eq(key, STR("negative")))
		return read_run(r, &p->negative);
	return json_skip(&r->j);
}

static bool read_point(struct reader *r, struct waiting *ret)
{
	struct waiting w = { .from = out_memory(r->attributes).n };
	size_t from = json_begin(&r->j);
	struct str key;

	if (!json_open(&r->j, '{'))
		return false;
	while (read_key(r, &key)) {
		if (str_eq(key, STR("attributes")) ? !read_attributes(r, r->attributes, NULL)
						   : !read_field(r, key, &w.point))
			return false;
	}
	w.n = out_memory(r->attributes).n - w.from;
	w.point.where = json_since(&r->j, from);
	*ret = w;
	return !r->j.failed;
}

static bool read_points(struct reader *r)
{
	for (json_array(&r->j); json_item(&r->j);) {
		r->waiting =
			xgrow(r->waiting, &r->cap_waiting, r->n_waiting + 1, sizeof(*r->waiting));
		if (!read_point(r, &r->waiting[r->n_waiting]))
			return false;
		r->n_waiting++;
	}
	return !r->j.failed;
}

/* 1 or AGGREGATION_TEMPORALITY_DELTA; everything else counts on. */
static bool read_temporality(struct reader *r, bool *ret_delta)
{
	uint64_t number;
	struct str name;

	if (json_peek(&r->j) == '"') {
		if (!json_string(&r->j, &name))
			return false;
		*ret_delta = str_eq(name, STR("AGGREGATION_TEMPORALITY_DELTA"));
		return true;
	}
	if (!json_u64(&r->j, &number))
		return false;
	*ret_delta = number == 1;
	return true;
}

static bool otlp_read_histogram(struct reader *r, bool exponential)
{
	size_t from = r->n_waiting;
	bool delta = false;
	struct str key;

	if (!json_open(&r->j, '{'))
		return false;
	while (read_key(r, &key)) {
		bool done;

		if (str_eq(key, STR("datapoints")))
			done = read_points(r);
		else if (str_eq(key, STR("aggregationtemporality")))
			done = read_temporality(r, &delta);
		else
			done = json_skip(&r->j);
		if (!done)
			return false;
	}
	for (size_t i = from; i < r->n_waiting; i++) {
		r->waiting[i].point.exponential = exponential;
		r->waiting[i].point.counting = delta ? COUNTING_DELTA : COUNTING_ON;
	}
	return !r->j.failed;
}

/* --- metrics -------------------------------------------------------------------------- */

/* UCUM: "s", "ms", "us", "ns"; "By", "1" and "{request}" are no times. */
static enum unit unit_of(struct str s)
{
	enum unit unit;

	if (s.n == 0 || str_eq(s, STR("min")) || str_eq(s, STR("h")) || str_eq(s, STR("d")))
		return UNIT_UNKNOWN;
	return unit_parse(s, &unit) && unit_is_time(unit) ? unit : UNIT_PLAIN;
}

static bool add_points(struct reader *r, struct str metric, struct str unit)
{
	struct data_series name = { .layer = r->layer,
				    .metric = metric,
				    .unit = unit_of(unit),
				    .unit_source = UNIT_STATED };

	for (size_t i = 0; i < r->n_waiting; i++) {
		const struct waiting *w = &r->waiting[i];

		name.attributes = (struct str){ out_memory(r->attributes).p + w->from, w->n };
		if (!data_points_add(r->points, &name, &w->point))
			return false;
	}
	return true;
}

static bool read_metric(struct reader *r)
{
	struct str name = STR(""), unit = STR(""), key;

	r->n_waiting = 0;
	out_reset(r->attributes);
	if (!json_open(&r->j, '{'))
		return false;
	while (read_key(r, &key)) {
		bool done;

		if (str_eq(key, STR("name")))
			done = json_string(&r->j, &name);
		else if (str_eq(key, STR("unit")))
			done = json_string(&r->j, &unit);
		else if (str_eq(key, STR("histogram")))
			done = otlp_read_histogram(r, false);
		else if (str_eq(key, STR("exponentialhistogram")))
			done = otlp_read_histogram(r, true);
		else
			done = json_skip(&r->j);
		if (!done)
			return false;
	}
	return !r->j.failed && add_points(r, name, unit);
}

typedef bool read_item(struct reader *r);

static bool read_array(struct reader *r, read_item *item)
{
	for (json_array(&r->j); json_item(&r->j);) {
		if (!item(r))
			return false;
	}
	return !r->j.failed;
}

static bool read_scope(struct reader *r)
{
	struct str key;

	if (!json_open(&r->j, '{'))
		return false;
	while (read_key(r, &key)) {
		if (str_eq(key, STR("metrics")) ? !read_array(r, read_metric) : !json_skip(&r->j))
			return false;
	}
	return !r->j.failed;
}

static bool read_resource(struct reader *r)
{
	struct str key;

	if (!json_open(&r->j, '{'))
		return false;
	while (read_key(r, &key)) {
		if (str_eq(key, STR("attributes")) ? !read_attributes(r, NULL, &r->layer)
						   : !json_skip(&r->j))
			return false;
	}
	return !r->j.failed;
}

static bool read_resource_metrics(struct reader *r)
{
	struct str key;

	r->layer = STR("");
	if (!json_open(&r->j, '{'))
		return false;
	while (read_key(r, &key)) {
		bool done;

		if (str_eq(key, STR("resource")))
			done = read_resource(r);
		else if (str_eq(key, STR("scopemetrics")) ||
			 str_eq(key, STR("instrumentationlibrarymetrics")))
			done = read_array(r, read_scope);
		else
			done = json_skip(&r->j);
		if (!done)
			return false;
	}
	return !r->j.failed;
}

static bool otlp_read_document(struct reader *r)
{
	struct str key;

	if (!json_open(&r->j, '{'))
		return false;
	while (read_key(r, &key)) {
		if (str_eq(key, STR("resourcemetrics")) ? !read_array(r, read_resource_metrics)
							: !json_skip(&r->j))
			return false;
	}
	return !r->j.failed;
}

static bool read_otlp(const struct read_task *task)
{
	struct reader r = { .in = task->in,
			    .diag = task->diag,
			    .arena = arena_new(),
			    .attributes = out_to_memory() };
	bool ok = true;

	r.points = data_points_new(r.arena, task->in, task->diag);
	json_start(&r.j, cursor_on(task->in), r.arena, task->diag);
	build_drop_single_layer(task->to);
	while (ok && json_peek(&r.j) != '\0') {
		ok = otlp_read_document(&r);
		if (ok && json_peek(&r.j) != '\0')
			data_points_next_document(r.points);
	}
	ok = ok && data_points_push(r.points, task->to);
	data_points_free(r.points);
	out_free(r.attributes);
	free(r.waiting);
	free(r.count);
	free(r.bound);
	arena_free(r.arena);
	return ok;
}

const struct format format_otlp = {
	.name = "otlp",
	.title = "OpenTelemetry's histograms as JSON, explicit and exponential",
	.versions = "OTLP 1.x; JavaScript SDK 2.12",
	.unit = "stated",
	.totals = "exact, where there is a sum",
	.probe = probe_otlp,
	.read = read_otlp,
};
