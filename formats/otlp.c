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
#include "formats/otlp_points.h"

/* Field names in camel case or with underscores. */
static bool is_key(struct str key, const char *wanted)
{
	size_t i = 0;

	for (size_t k = 0; k < key.n; k++) {
		char c = key.p[k];

		if (c == '_')
			continue;
		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if (wanted[i] == '\0' || c != wanted[i])
			return false;
		i++;
	}
	return wanted[i] == '\0';
}

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

struct reader {
	struct input *in;
	struct diag *diag;
	struct arena *arena;
	struct otlp_points *points;
	struct json j;
	struct str layer; /* the service */
	uint64_t *count;  /* scratch */
	double *bound;	  /* scratch */
	size_t cap_counts, cap_bounds;
};

/* A double, or "NaN", "Infinity", "-Infinity" in quotes. */
static bool read_f64(struct reader *r, double *ret)
{
	size_t from = json_begin(&r->j);
	struct str s;

	if (json_peek(&r->j) == '"' ? !json_string(&r->j, &s) : !json_number(&r->j, &s))
		return false;
	if (str_eq(s, STR("NaN")))
		*ret = NAN;
	else if (str_eq(s, STR("Infinity")))
		*ret = HUGE_VAL;
	else if (str_eq(s, STR("-Infinity")))
		*ret = -HUGE_VAL;
	else if (number_f64(s, ret) != NUMBER_OK)
		return format_fail(r->in, r->diag, DIAG_NUMBER_BAD, json_since(&r->j, from),
				   "expected a number");
	return true;
}

static bool read_counts(struct reader *r, struct otlp_run *ret)
{
	size_t n = 0;

	if (!json_open(&r->j, '['))
		return false;
	while (json_item(&r->j)) {
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

static bool read_bounds(struct reader *r, struct otlp_point *p)
{
	size_t n = 0, from;

	if (!json_open(&r->j, '['))
		return false;
	while (json_item(&r->j)) {
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
	p->bound = arena_make(r->arena, double, n);
	p->n_bounds = n;
	if (n > 0)
		memcpy(p->bound, r->bound, n * sizeof(*r->bound));
	return !r->j.failed;
}

static bool read_run(struct reader *r, struct otlp_run *ret)
{
	struct str key;

	if (!json_open(&r->j, '{'))
		return false;
	while (json_key(&r->j, &key)) {
		bool done;

		if (is_key(key, "offset"))
			done = json_i64(&r->j, &ret->offset);
		else if (is_key(key, "bucketcounts"))
			done = read_counts(r, ret);
		else
			done = json_skip(&r->j);
		if (!done)
			return false;
	}
	return !r->j.failed;
}

/* --- attributes ----------------------------------------------------------------------- */

static void put_escaped(struct out *o, struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '"' || s.p[i] == '\\')
			out_char(o, '\\');
		out_char(o, s.p[i]);
	}
}

/* {"stringValue": "read"}: the text of whatever it is. */
static bool read_value(struct reader *r, struct str *ret)
{
	struct str key;
	size_t from;

	if (!json_open(&r->j, '{'))
		return false;
	while (json_key(&r->j, &key)) {
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
	while (json_key(&r->j, &key)) {
		bool done;

		if (is_key(key, "key"))
			done = json_string(&r->j, ret_key);
		else if (is_key(key, "value"))
			done = read_value(r, ret_value);
		else
			done = json_skip(&r->j);
		if (!done)
			return false;
	}
	return !r->j.failed;
}

/* a="b",c="d" behind one another. */
static bool read_attributes(struct reader *r, struct out *to, struct str *ret_service)
{
	struct str key, value;

	if (!json_open(&r->j, '['))
		return false;
	while (json_item(&r->j)) {
		if (!read_attribute(r, &key, &value))
			return false;
		if (ret_service != NULL && str_eq(key, STR("service.name")))
			*ret_service = arena_str(r->arena, value);
		if (to == NULL)
			continue;
		out_text(to, out_memory(to).n > 0 ? "," : "");
		out_bytes(to, key);
		out_text(to, "=\"");
		put_escaped(to, value);
		out_char(to, '"');
	}
	return !r->j.failed;
}

/* --- points --------------------------------------------------------------------------- */

/* A point that waits for what its metric is called and how it counts. */
struct waiting {
	struct otlp_point point;
	struct str attributes;
	struct waiting *next;
};

static bool read_sum(struct reader *r, struct otlp_point *p)
{
	double sum;

	if (!read_f64(r, &sum))
		return false;
	p->has_sum = decimal_from_f64(sum, &p->sum); /* not where it is no number */
	return true;
}

static bool read_field(struct reader *r, struct str key, struct otlp_point *p)
{
	if (is_key(key, "starttimeunixnano"))
		return json_u64(&r->j, &p->start);
	if (is_key(key, "timeunixnano"))
		return json_u64(&r->j, &p->end);
	if (is_key(key, "count"))
		return json_u64(&r->j, &p->count);
	if (is_key(key, "sum"))
		return read_sum(r, p);
	if (is_key(key, "min"))
		return read_f64(r, &p->min) && ((p->has_min = isfinite(p->min)) || true);
	if (is_key(key, "max"))
		return read_f64(r, &p->max) && ((p->has_max = isfinite(p->max)) || true);
	if (is_key(key, "bucketcounts"))
		return read_counts(r, &p->explicit_counts);
	if (is_key(key, "explicitbounds"))
		return read_bounds(r, p);
	if (is_key(key, "scale"))
		return json_i64(&r->j, &p->scale);
	if (is_key(key, "zerocount"))
		return json_u64(&r->j, &p->zeros);
	if (is_key(key, "positive"))
		return read_run(r, &p->positive);
	if (is_key(key, "negative"))
		return read_run(r, &p->negative);
	return json_skip(&r->j);
}

static bool read_point(struct reader *r, struct waiting *w)
{
	size_t from = json_begin(&r->j);
	struct out *attributes = out_to_memory();
	bool fine = json_open(&r->j, '{');
	struct str key;

	while (fine && json_key(&r->j, &key)) {
		if (is_key(key, "attributes"))
			fine = read_attributes(r, attributes, NULL);
		else
			fine = read_field(r, key, &w->point);
	}
	w->point.where = json_since(&r->j, from);
	w->attributes = arena_str(r->arena, out_memory(attributes));
	out_free(attributes);
	return fine && !r->j.failed;
}

static bool read_points(struct reader *r, struct waiting ***tail)
{
	if (!json_open(&r->j, '['))
		return false;
	while (json_item(&r->j)) {
		struct waiting *w = arena_make(r->arena, struct waiting, 1);

		if (!read_point(r, w))
			return false;
		**tail = w;
		*tail = &w->next;
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

static bool read_histogram(struct reader *r, bool exponential, struct waiting ***tail)
{
	struct waiting **from = *tail;
	bool delta = false;
	struct str key;

	if (!json_open(&r->j, '{'))
		return false;
	while (json_key(&r->j, &key)) {
		bool done;

		if (is_key(key, "datapoints"))
			done = read_points(r, tail);
		else if (is_key(key, "aggregationtemporality"))
			done = read_temporality(r, &delta);
		else
			done = json_skip(&r->j);
		if (!done)
			return false;
	}
	for (struct waiting *w = *from; w != NULL; w = w->next) {
		w->point.exponential = exponential;
		w->point.delta = delta;
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

static bool add_points(struct reader *r, struct str metric, struct str unit,
		       const struct waiting *w)
{
	struct otlp_series_name name = { .layer = r->layer, .unit = unit_of(unit) };

	for (; w != NULL; w = w->next) {
		name.name = w->attributes.n == 0
				    ? metric
				    : arena_printf(r->arena, "%.*s{%.*s}", STR_ARG(metric),
						   STR_ARG(w->attributes));
		if (!otlp_points_add(r->points, &name, &w->point))
			return false;
	}
	return true;
}

static bool read_metric(struct reader *r)
{
	struct str name = STR(""), unit = STR(""), key;
	struct waiting *points = NULL, **tail = &points;

	if (!json_open(&r->j, '{'))
		return false;
	while (json_key(&r->j, &key)) {
		bool done;

		if (is_key(key, "name"))
			done = json_string(&r->j, &name);
		else if (is_key(key, "unit"))
			done = json_string(&r->j, &unit);
		else if (is_key(key, "histogram"))
			done = read_histogram(r, false, &tail);
		else if (is_key(key, "exponentialhistogram"))
			done = read_histogram(r, true, &tail);
		else
			done = json_skip(&r->j);
		if (!done)
			return false;
	}
	return !r->j.failed && add_points(r, name, unit, points);
}

typedef bool read_item(struct reader *r);

static bool read_array(struct reader *r, read_item *item)
{
	if (!json_open(&r->j, '['))
		return false;
	while (json_item(&r->j)) {
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
	while (json_key(&r->j, &key)) {
		if (is_key(key, "metrics") ? !read_array(r, read_metric) : !json_skip(&r->j))
			return false;
	}
	return !r->j.failed;
}

static bool read_resource(struct reader *r)
{
	struct str key;

	if (!json_open(&r->j, '{'))
		return false;
	while (json_key(&r->j, &key)) {
		if (is_key(key, "attributes") ? !read_attributes(r, NULL, &r->layer)
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
	while (json_key(&r->j, &key)) {
		bool done;

		if (is_key(key, "resource"))
			done = read_resource(r);
		else if (is_key(key, "scopemetrics") ||
			 is_key(key, "instrumentationlibrarymetrics"))
			done = read_array(r, read_scope);
		else
			done = json_skip(&r->j);
		if (!done)
			return false;
	}
	return !r->j.failed;
}

static bool read_document(struct reader *r)
{
	struct str key;

	if (!json_open(&r->j, '{'))
		return false;
	while (json_key(&r->j, &key)) {
		if (is_key(key, "resourcemetrics") ? !read_array(r, read_resource_metrics)
						   : !json_skip(&r->j))
			return false;
	}
	return !r->j.failed;
}

static bool read_otlp(struct input *in, const struct read_options *options, struct builder *to,
		      struct diag *diag)
{
	struct reader r = { .in = in, .diag = diag, .arena = arena_new() };
	bool fine = true;

	(void)options;
	r.points = otlp_points_new(r.arena, in, diag);
	json_start(&r.j, cursor_on(in), r.arena, diag);
	build_drop_single_layer(to);
	while (fine && json_peek(&r.j) != '\0') {
		fine = read_document(&r);
		if (fine && json_peek(&r.j) != '\0')
			otlp_points_next_document(r.points);
	}
	fine = fine && otlp_points_push(r.points, to);
	otlp_points_free(r.points);
	free(r.count);
	free(r.bound);
	arena_free(r.arena);
	return fine;
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
