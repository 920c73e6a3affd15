/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * prometheus-json: histograms in answers of Prometheus' HTTP API to instant queries
 * (/api/v1/query) or range queries (/api/v1/query_range), one or several in a file.
 *
 *	{"status":"success","data":{"resultType":"vector","result":[
 *	  {"metric":{"__name__":"fs_seconds_bucket","op":"read","le":"0.1"},
 *	   "value":[1795338440.123,"162"]},
 *	  {"metric":{"__name__":"io_seconds","op":"read"},
 *	   "histogram":[1795338440.123,{"count":"3","sum":"0.2","buckets":[...]}]}]}}
 *
 * A matrix has "values" and "histograms", arrays of such pairs.  A series with the label le is a
 * bucket; _sum and _count are recognized by name; series without le or a histogram are left out
 * with a note.  A single moment has counts since the start.  With several, the first is the
 * baseline, and each other one ends an interval; decreasing counts mean a restart.  Also read:
 * the data alone, and the array of results alone, as promtool and jq print them.
 *
 * Seen: Prometheus 2.42, classic and native histograms.  Not read: fractional counts, the result
 * of rate() and increase(), and native histograms with custom buckets (schema -53).
 */
#include "base/json.h"
#include "base/out.h"
#include "formats/lines.h"
#include "formats/monitor/data_points.h"
#include "formats/monitor/prometheus_line.h"
#include "formats/monitor/prometheus_results.h"

/* Takes a token after optional space. */
static bool take_token(struct str *s, struct str token)
{
	struct str rest = json_without_space(*s);

	if (!str_has_prefix(rest, token))
		return false;
	*s = str_skip(rest, token.n);
	return true;
}

static bool prometheus_json_is_one(struct str s)
{
	if (take_token(&s, STR("["))) /* [{"metric":{...},"value":[...]} */
		return take_token(&s, STR("{")) && take_token(&s, STR("\"metric\"")) &&
		       take_token(&s, STR(":")) && take_token(&s, STR("{"));
	if (!take_token(&s, STR("{")))
		return false;
	if (take_token(&s, STR("\"resultType\"")))
		return true;
	return take_token(&s, STR("\"status\"")) && take_token(&s, STR(":")) &&
	       (str_contains(s, STR("\"resultType\"")) || str_contains(s, STR("\"errorType\"")));
}

struct reader {
	struct lines lines;
	struct json j;
	struct prometheus_results *results;
	/* The current result. */
	struct str metric, le;
	bool has_le;
	struct out *labels; /* a="b",c="d" without le */
	struct out *series; /* scratch */
	bool is_range;	    /* the current answer has several times */
};

/* --- series ------------------------------------------------------------------------------ */

static bool read_metric(struct reader *r)
{
	struct str key, value;
	bool ok = true;

	if (!json_open(&r->j, '{'))
		return false;
	while (ok && json_key(&r->j, &key)) {
		r->has_le |= str_eq(key, STR("le"));
		if (str_eq(key, STR("le"))) {
			ok = json_text_in_place(&r->j, &r->le);
		} else if (str_eq(key, STR("__name__"))) {
			ok = json_string(&r->j, &r->metric);
		} else if ((ok = json_string(&r->j, &value))) {
			data_attribute_put(r->labels, out_memory(r->labels).n == 0, key, value);
		}
	}
	return !r->j.failed;
}

static bool find_column(struct reader *r, bool native, struct prometheus_column **ret)
{
	struct prometheus_column_name name = { .part = PART_NATIVE, .le = r->le };
	struct str metric = r->metric, labels = out_memory(r->labels);

	if (!native) {
		enum prometheus_part by_name = prometheus_part(&metric);

		name.part = r->has_le ? PART_BUCKET : by_name;
		if (name.part == PART_OTHER || (by_name == PART_BUCKET && !r->has_le)) {
			prometheus_results_other(r->results);
			*ret = NULL;
			return true;
		}
	}
	out_reset(r->series);
	out_bytes(r->series, metric);
	if (labels.n > 0) {
		out_char(r->series, '{');
		out_bytes(r->series, labels);
		out_char(r->series, '}');
	}
	name.series = out_memory(r->series);
	name.metric_bytes = metric.n;
	return prometheus_results_column(r->results, &name, ret);
}

/* --- values ------------------------------------------------------------------------------ */

/* Reads [stamp, "12"] or [stamp, {...}]. */
static bool read_pair(struct reader *r, struct prometheus_column *column, bool native)
{
	struct str stamp, value;
	size_t from;

	if (!json_open(&r->j, '['))
		return false;
	if (!json_item(&r->j) || !json_text_in_place(&r->j, &stamp) || !json_item(&r->j))
		return json_unexpected(&r->j, "expected a time and a value");
	from = json_begin(&r->j);
	if (native ? !json_skip(&r->j) : !json_text_in_place(&r->j, &value))
		return false;
	if (native)
		value = json_since(&r->j, from);
	if (json_item(&r->j) || r->j.failed)
		return json_unexpected(&r->j, "expected nothing after the value");
	return prometheus_results_add(r->results, column, stamp, value);
}

static bool read_pairs(struct reader *r, struct prometheus_column *column, bool native)
{
	for (json_array(&r->j); json_item(&r->j);) {
		if (!read_pair(r, column, native))
			return false;
	}
	return !r->j.failed;
}

static bool read_values(struct reader *r, bool several, bool native)
{
	struct prometheus_column *column;

	r->is_range |= several;
	if (!find_column(r, native, &column))
		return false;
	if (column == NULL)
		return json_skip(&r->j);
	return several ? read_pairs(r, column, native) : read_pair(r, column, native);
}

static bool read_result(struct reader *r)
{
	bool has_metric = false, ok = true;
	struct str key;

	r->metric = STR("");
	r->has_le = false;
	out_reset(r->labels);
	if (!json_open(&r->j, '{'))
		return false;
	while (ok && json_key(&r->j, &key)) {
		bool several = str_eq(key, STR("values")) || str_eq(key, STR("histograms"));
		bool native = str_eq(key, STR("histogram")) || str_eq(key, STR("histograms"));

		if (str_eq(key, STR("metric"))) {
			has_metric = true;
			ok = read_metric(r);
		} else if (!several && !native && !str_eq(key, STR("value"))) {
			ok = json_skip(&r->j);
		} else if (!has_metric) {
			return json_unexpected(&r->j, "expected the metric before its values");
		} else {
			ok = read_values(r, several, native);
		}
	}
	return ok && !r->j.failed;
}

/* --- answers ----------------------------------------------------------------------------- */

/* The result of a scalar is just a time and a number. */
static bool read_results(void *reader)
{
	struct reader *r = reader;

	r->is_range = false;
	for (json_array(&r->j); json_item(&r->j);) {
		if (json_peek(&r->j) == '{' ? !read_result(r) : !json_skip(&r->j))
			return false;
	}
	if (r->is_range)
		prometheus_results_end_range(r->results);
	else
		prometheus_results_end_moment(r->results);
	return !r->j.failed;
}

static bool read_collector_error(void *ctx)
{
	struct reader *r = ctx;
	struct str where, text;
	size_t from = json_begin(&r->j);

	if (json_peek(&r->j) != '"')
		return json_skip(&r->j);
	if (!json_string(&r->j, &text))
		return false;
	where = json_since(&r->j, from);
	diag_at(r->lines.diag, DIAG_COLLECTOR_ERROR, r->lines.in, from, where.n, "%.*s",
		STR_ARG(text));
	return true;
}

static bool read_answer(struct reader *r)
{
	const struct json_member data[] = { JSON_READ("result", read_results, r) };
	const struct json_member members[] = {
		JSON_OBJECT_OR_SKIP("data", data),
		JSON_READ("result", read_results, r),
		JSON_READ("error", read_collector_error, r),
		JSON_EACH("warnings", read_collector_error, r, .only = '['),
	};

	return json_peek(&r->j) == '[' ? read_results(r)
				       : json_members(&r->j, members, COUNT_OF(members));
}

static bool prometheus_json_text(void *reader)
{
	struct reader *r = reader;
	bool ok = true;

	r->labels = out_to_memory();
	r->series = out_to_memory();
	r->results = prometheus_results_new(r->lines.arena, r->lines.in,
					    r->lines.options->build.interval, r->lines.diag);
	lines_json(&r->lines, &r->j);
	while (ok && json_peek(&r->j) != '\0')
		ok = read_answer(r);
	return ok && prometheus_results_push(r->results, r->lines.to);
}

static void prometheus_json_release(void *reader)
{
	struct reader *r = reader;

	prometheus_results_free(r->results);
	out_free(r->labels);
	out_free(r->series);
}

const struct format format_prometheus_json = {
	.name = "prometheus-json",
	.title = "answers of Prometheus' HTTP API, classic and native histograms",
	.versions = "2.42",
	.unit = "from the name of the metric",
	.totals = "exact, where there is a _sum",
	.is_one = prometheus_json_is_one,
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .end = prometheus_json_text,
					     .release = prometheus_json_release },
};
