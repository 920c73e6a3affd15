/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * otlp: histograms of OpenTelemetry in JSON, one document or one per line, as written by the
 * collector's file exporter and the SDKs.
 *
 *	{"resourceMetrics":[{"resource":{"attributes":[...]},"scopeMetrics":[{"metrics":[
 *	  {"name":"fs.duration","unit":"s","exponentialHistogram":{
 *	    "aggregationTemporality":2,"dataPoints":[
 *	      {"attributes":[{"key":"op","value":{"stringValue":"read"}}],
 *	       "count":"3","sum":0.01,"scale":2,"zeroCount":"0",
 *	       "positive":{"offset":-79,"bucketCounts":["1","2"]}}]}}]}]}]}
 *
 * An operation is the metric with its attributes, fs.duration{op="read"}; with several services,
 * service.name is the layer.  Points of delta temporality are intervals; with cumulative
 * temporality, each document is a snapshot.  Buckets include their upper edge, but values equal
 * to it are shown at the beginning of the next bucket.  The zero bucket and the first explicit
 * one begin at 0.  Exponential buckets finer than 4096 per octave are merged.
 *
 * Seen: the example of opentelemetry-proto at ac2c4b5; the JavaScript SDK 2.12, which writes
 * numbers where the specification has strings.  Also read: names with underscores, and the old
 * instrumentationLibraryMetrics.  Not read: gauges, sums, summaries.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "formats/lines.h"
#include "formats/monitor/data_points.h"

static bool otlp_is_one(struct str head)
{
	struct str s = head;

	while (s.n > 0 && memchr(" \n\r\t{", s.p[0], 5) != NULL)
		s = str_skip(s, 1);
	return s.p > head.p && (str_has_prefix(s, STR("\"resourceMetrics\"")) ||
				str_has_prefix(s, STR("\"resource_metrics\"")));
}

/* --- values -------------------------------------------------------------------------- */

/* A point that is stored until the metric's name and temporality are known. */
struct waiting {
	struct data_point point;
	size_t from, n; /* range of its attributes among those of the metric */
};

struct reader {
	struct lines lines;
	struct json j;
	struct data_points *points;
	struct str layer; /* the service */
	/* The current attribute. */
	struct str key, value;
	/* The current metric. */
	struct waiting *waiting;
	size_t n_waiting, cap_waiting;
	bool delta; /* temporality of the current histogram */
	struct data_point *point;
	struct out *attributes; /* attributes of all its points */
	uint64_t *count;	/* scratch */
	double *bound;		/* scratch */
	size_t cap_counts, cap_bounds;
	const double *known_bound; /* bounds of the last point that had any */
	size_t n_known;
};

/* Destinations for a number, and for the counts of a run. */
struct real {
	struct reader *r;
	double v;
};

struct counts {
	struct reader *r;
	struct data_run *run;
};

static bool bad_f64(struct reader *r, size_t from)
{
	return lines_fail(&r->lines, DIAG_NUMBER_BAD, json_since(&r->j, from), "expected a number");
}

/* Reads a double, or "NaN", "Infinity", "-Infinity" in quotes. */
static bool read_f64(void *real)
{
	struct real *n = real;
	struct json *j = &n->r->j;
	size_t from = json_begin(j);
	struct str s;

	if (json_peek(j) != '"')
		return json_number(j, &s) &&
		       (number_f64(s, &n->v) == NUMBER_OK || bad_f64(n->r, from));
	if (!json_string(j, &s))
		return false;
	if (str_eq(s, STR("NaN")))
		n->v = NAN;
	else if (str_eq(s, STR("Infinity")))
		n->v = HUGE_VAL;
	else if (str_eq(s, STR("-Infinity")))
		n->v = -HUGE_VAL;
	else
		return number_f64(s, &n->v) == NUMBER_OK || bad_f64(n->r, from);
	return true;
}

static bool read_counts(void *counts)
{
	const struct counts *c = counts;
	struct reader *r = c->r;
	size_t n = 0;

	for (json_array(&r->j); json_item(&r->j);) {
		r->count = xgrow(r->count, &r->cap_counts, n + 1, sizeof(*r->count));
		if (!json_u64(&r->j, &r->count[n++]))
			return false;
	}
	c->run->count = arena_make(r->lines.arena, uint64_t, n);
	c->run->n = n;
	if (n > 0)
		memcpy(c->run->count, r->count, n * sizeof(*r->count));
	return !r->j.failed;
}

/* Stores the bounds of a point, unless they equal those of the previous point. */
static void keep_bounds(struct reader *r, size_t n)
{
	double *copy;

	if (n == r->n_known &&
	    (n == 0 || memcmp(r->bound, r->known_bound, n * sizeof(*r->bound)) == 0))
		return;
	copy = arena_make(r->lines.arena, double, n);
	memcpy(copy, r->bound, n * sizeof(*r->bound));
	r->known_bound = copy;
	r->n_known = n;
}

static bool read_bounds(void *reader)
{
	struct reader *r = reader;
	struct real bound = { .r = r };
	size_t n = 0, from;

	for (json_array(&r->j); json_item(&r->j);) {
		from = json_begin(&r->j);
		if (!read_f64(&bound))
			return false;
		if (!isfinite(bound.v) || (n > 0 && bound.v <= r->bound[n - 1]))
			return lines_fail(&r->lines, DIAG_BUCKET_ORDER, json_since(&r->j, from),
					  "expected bounds that ascend");
		r->bound = xgrow(r->bound, &r->cap_bounds, n + 1, sizeof(*r->bound));
		r->bound[n++] = bound.v + 0.0;
	}
	keep_bounds(r, n);
	r->point->bound = r->known_bound;
	r->point->n_bounds = n;
	return !r->j.failed;
}

static bool read_run(void *counts)
{
	struct counts *c = counts;
	const struct json_member members[] = { JSON_I64("offset", &c->run->offset),
					       JSON_READ("bucketCounts", read_counts, c) };

	return json_members(&c->r->j, members, COUNT_OF(members));
}

/* --- attributes ----------------------------------------------------------------------- */

/* Reads {"stringValue": "read"} or another type as text. */
static bool read_value(void *reader)
{
	struct reader *r = reader;
	struct str kind;

	for (json_object(&r->j); json_key(&r->j, &kind);) {
		size_t from = json_begin(&r->j);
		bool text = json_peek(&r->j) == '"';

		if (text ? !json_string(&r->j, &r->value) : !json_skip(&r->j))
			return false;
		if (!text)
			r->value = json_since(&r->j, from);
	}
	return !r->j.failed;
}

static bool read_attribute(struct reader *r)
{
	const struct json_member members[] = { JSON_STRING("key", &r->key),
					       JSON_READ("value", read_value, r) };

	r->key = r->value = STR("");
	return json_members(&r->j, members, COUNT_OF(members));
}

static bool read_resource_attribute(void *reader)
{
	struct reader *r = reader;

	if (!read_attribute(r))
		return false;
	if (str_eq(r->key, STR("service.name")))
		r->layer = arena_str(r->lines.arena, r->value);
	return true;
}

/* Appends the attributes of a point: a="b",c="d". */
static bool read_point_attributes(void *reader)
{
	struct reader *r = reader;
	size_t before = out_memory(r->attributes).n;

	for (json_array(&r->j); json_item(&r->j);) {
		if (!read_attribute(r))
			return false;
		data_attribute_put(r->attributes, out_memory(r->attributes).n == before, r->key,
				   r->value);
	}
	return !r->j.failed;
}

/* --- points --------------------------------------------------------------------------- */

static bool read_point(void *reader)
{
	struct reader *r = reader;
	struct waiting w = { .from = out_memory(r->attributes).n };
	struct data_point *p = &w.point;
	struct counts all = { r, &p->explicit_counts }, positive = { r, &p->positive },
		      negative = { r, &p->negative };
	struct real sum = { r, NAN }, min = { r, NAN }, max = { r, NAN };
	const struct json_member members[] = {
		JSON_READ("attributes", read_point_attributes, r),
		JSON_U64("startTimeUnixNano", &p->start),
		JSON_U64("timeUnixNano", &p->end),
		JSON_U64("count", &p->count),
		JSON_READ("sum", read_f64, &sum),
		JSON_READ("min", read_f64, &min),
		JSON_READ("max", read_f64, &max),
		JSON_READ("bucketCounts", read_counts, &all),
		JSON_READ("explicitBounds", read_bounds, r),
		JSON_I64("scale", &p->scale),
		JSON_U64("zeroCount", &p->zeros),
		JSON_READ("positive", read_run, &positive),
		JSON_READ("negative", read_run, &negative),
	};
	size_t from = json_begin(&r->j);

	r->point = p;
	if (!json_members(&r->j, members, COUNT_OF(members)))
		return false;
	p->has_sum = decimal_from_f64(sum.v, &p->sum); /* false for NaN */
	p->min = min.v;
	p->has_min = isfinite(min.v);
	p->max = max.v;
	p->has_max = isfinite(max.v);
	w.n = out_memory(r->attributes).n - w.from;
	p->where = json_since(&r->j, from);
	r->waiting = xgrow(r->waiting, &r->cap_waiting, r->n_waiting + 1, sizeof(w));
	r->waiting[r->n_waiting++] = w;
	return true;
}

/* 1 or AGGREGATION_TEMPORALITY_DELTA is delta; everything else is cumulative. */
static bool read_temporality(void *reader)
{
	struct reader *r = reader;
	uint64_t number = 0;
	struct str name = STR("");

	if (json_peek(&r->j) == '"' ? !json_string(&r->j, &name) : !json_u64(&r->j, &number))
		return false;
	r->delta = number == 1 || str_eq(name, STR("AGGREGATION_TEMPORALITY_DELTA"));
	return true;
}

static bool otlp_read_histogram(struct reader *r, bool exponential)
{
	const struct json_member members[] = {
		JSON_EACH("dataPoints", read_point, r),
		JSON_READ("aggregationTemporality", read_temporality, r),
	};
	size_t from = r->n_waiting;

	r->delta = false;
	if (!json_members(&r->j, members, COUNT_OF(members)))
		return false;
	for (size_t i = from; i < r->n_waiting; i++) {
		r->waiting[i].point.exponential = exponential;
		r->waiting[i].point.counting = r->delta ? COUNTING_DELTA : COUNTING_ON;
	}
	return true;
}

static bool read_explicit(void *reader)
{
	return otlp_read_histogram(reader, false);
}

static bool read_exponential(void *reader)
{
	return otlp_read_histogram(reader, true);
}

/* --- metrics -------------------------------------------------------------------------- */

/* Parses a UCUM unit: "s", "ms", "us", "ns" are times; "By", "1", "{request}" are not. */
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

static bool read_metric(void *reader)
{
	struct reader *r = reader;
	struct str name = STR(""), unit = STR("");
	const struct json_member members[] = {
		JSON_STRING("name", &name),
		JSON_STRING("unit", &unit),
		JSON_READ("histogram", read_explicit, r),
		JSON_READ("exponentialHistogram", read_exponential, r),
	};

	r->n_waiting = 0;
	out_reset(r->attributes);
	return json_members(&r->j, members, COUNT_OF(members)) && add_points(r, name, unit);
}

static bool read_scope(void *reader)
{
	struct reader *r = reader;
	const struct json_member members[] = { JSON_EACH("metrics", read_metric, r) };

	return json_members(&r->j, members, COUNT_OF(members));
}

static bool read_resource(void *reader)
{
	struct reader *r = reader;
	const struct json_member resource[] = {
		JSON_EACH("attributes", read_resource_attribute, r),
	};
	const struct json_member members[] = {
		JSON_OBJECT("resource", resource),
		JSON_EACH("scopeMetrics", read_scope, r),
		JSON_EACH("instrumentationLibraryMetrics", read_scope, r),
	};

	r->layer = STR("");
	return json_members(&r->j, members, COUNT_OF(members));
}

static bool otlp_text(void *reader)
{
	struct reader *r = reader;
	const struct json_member members[] = { JSON_EACH("resourceMetrics", read_resource, r) };
	bool ok = true;

	r->attributes = out_to_memory();
	r->points = data_points_new(r->lines.arena, r->lines.in, r->lines.diag);
	lines_json(&r->lines, &r->j);
	r->j.loose = true;
	while (ok && json_peek(&r->j) != '\0') {
		ok = json_members(&r->j, members, COUNT_OF(members));
		if (ok && json_peek(&r->j) != '\0')
			data_points_next_document(r->points);
	}
	return ok && data_points_push(r->points, r->lines.to);
}

static void otlp_release(void *reader)
{
	struct reader *r = reader;

	data_points_free(r->points);
	out_free(r->attributes);
	free(r->waiting);
	free(r->count);
	free(r->bound);
}

const struct format format_otlp = {
	.name = "otlp",
	.title = "OpenTelemetry's histograms as JSON, explicit and exponential",
	.versions = "OTLP 1.x; JavaScript SDK 2.12",
	.unit = "stated",
	.totals = "exact, where there is a sum",
	.is_one = otlp_is_one,
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .end = otlp_text,
					     .release = otlp_release,
					     .drop_single_layer = true },
};
