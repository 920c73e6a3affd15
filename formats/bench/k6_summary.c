/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * k6-summary: k6's summary at the end of a test, as passed to handleSummary(),
 *
 *	{ "metrics": {
 *	    "http_reqs": { "type": "counter", "contains": "default",
 *	      "values": { "count": 3000, "rate": 49.3 } },
 *	    "http_req_duration": { "type": "trend", "contains": "time",
 *	      "values": { "avg": 20.8, "min": 15.9, "med": 18.6, "max": 61.0, "p(95)": 30.1 } } } }
 *
 * or as written by --summary-export, which has the values directly in the metric.
 *
 * An operation is a trend of times, in ms: average and extremes; percentiles are left out.  The
 * number of values is stated only if the script has `count` in its summaryTrendStats; otherwise
 * each request has one value of each trend http_req_X, and each iteration has one of
 * iteration_duration.  For others, such as "http_req_duration{status:200}", the number is not
 * known, and they are left out with a note.
 *
 * Seen: summaries of 2023 to 2026 in repositories, one of them of 0.49.  Not supported: the
 * report for people.
 */
#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/xalloc.h"
#include "formats/bench/k6_metrics.h"
#include "formats/lines.h"

static enum probe probe_k6_summary(struct str head, struct clue *clue)
{
	(void)clue;
	if (!str_has_prefix(str_trim(head), STR("{")) || !str_contains(head, STR("\"metrics\"")) ||
	    !str_contains(head, STR("\"iteration_duration\"")))
		return PROBE_NO;
	return format_has_marks(head, MARKS("", "\"avg\"", "\"vus_max\"")) ? PROBE_MAGIC
									   : PROBE_MARKS;
}

struct metric {
	struct str name, where;
	double mean, min, max; /* NAN: missing */
	double rate, value;    /* 0: missing */
	uint64_t count;
	bool has_count;
	bool reported;	     /* `contains` is present */
	struct str contains; /* "time" */
};

struct reader {
	struct lines lines;
	struct json j;
	struct metric *metric;
	size_t n_metrics, cap_metrics;
	struct metric requests, iterations; /* counters of that name */
	size_t n_without;		    /* trends without a number of values */
	size_t n_inconclusive;		    /* trends that may not be times */
};

/* --- reading ------------------------------------------------------------------------ */

/* Reads "values", or a metric of --summary-export. */
static bool read_metric(struct reader *r, struct metric *m)
{
	const struct json_member members[8] = {
		JSON_F64("avg", &m->mean),
		JSON_F64("min", &m->min),
		JSON_F64("max", &m->max),
		JSON_F64("rate", &m->rate),
		JSON_F64("value", &m->value),
		JSON_U64("count", &m->count, &m->has_count),
		JSON_STRING("contains", &m->contains, &m->reported),
		JSON_OBJECT("values", members),
	};

	return json_members(&r->j, members, COUNT_OF(members));
}

static bool read_metrics(void *reader)
{
	struct reader *r = reader;
	struct str key;
	size_t from;

	if (!json_open(&r->j, '{'))
		return false;
	for (from = r->j.c.at; json_key(&r->j, &key); from = r->j.c.at) {
		struct metric *m;

		r->metric = xgrow(r->metric, &r->cap_metrics, r->n_metrics + 1, sizeof(*m));
		m = &r->metric[r->n_metrics++];
		*m = (struct metric){ .name = key,
				      .where = json_since(&r->j, from),
				      .mean = NAN,
				      .min = NAN,
				      .max = NAN };
		if (!read_metric(r, m))
			return false;
		if (str_eq(key, STR("http_reqs")))
			r->requests = *m;
		else if (str_eq(key, STR("iterations")))
			r->iterations = *m;
		else if (str_eq(key, STR("vus_max")) && m->value >= 1 && m->value < 0x1p53)
			build_concurrency(r->lines.to, (uint64_t)m->value);
	}
	return !r->j.failed;
}

/* --- to the builder --------------------------------------------------------------------- */

static bool find_count(const struct reader *r, const struct metric *m, uint64_t *ret)
{
	const struct metric *counter = m;

	if (!m->has_count && str_eq(m->name, STR("iteration_duration")))
		counter = &r->iterations;
	else if (!m->has_count && str_has_prefix(m->name, STR("http_req_")) &&
		 !str_contains(m->name, STR("{")))
		counter = &r->requests;
	*ret = counter->count;
	return counter->has_count;
}

/* In the output of --summary-export, only the name shows whether a metric is a time. */
static bool is_time(const struct metric *m)
{
	struct str base = { m->name.p, str_find(m->name, STR("{")) };

	return m->reported ? str_eq(m->contains, STR("time")) : k6_is_time(base);
}

static bool push_metric(struct reader *r, const struct metric *m)
{
	struct decimal total;
	uint64_t count;

	if (isnan(m->mean)) /* a counter, a rate or a gauge */
		return true;
	if (!is_time(m)) {
		r->n_inconclusive++;
		return true;
	}
	if (!find_count(r, m, &count)) {
		r->n_without++;
		return true;
	}
	if (m->mean < 0)
		return lines_fail(&r->lines, DIAG_NUMBER_RANGE, m->where,
				  "expected an average from 0 on");
	if (!decimal_from_f64(m->mean * (double)count, &total))
		return lines_fail(&r->lines, DIAG_TOTAL_OVERFLOW, m->where, "average times values");
	if (!build_operation_in(r->lines.to, UNIT_MS, STR(""), m->name, m->where))
		return false;
	build_rounded_totals(r->lines.to);
	if (!isnan(m->min))
		build_min(r->lines.to, m->min);
	if (!isnan(m->max))
		build_max(r->lines.to, m->max);
	return build_count(r->lines.to, count, m->where) &&
	       build_total(r->lines.to, total, m->where);
}

static void report_left_out(const struct reader *r)
{
	if (r->n_without > 0)
		diag_file(r->lines.diag, DIAG_NOT_A_HISTOGRAM, r->lines.in,
			  "%zu trend%s without the number of values: `count` of summaryTrendStats "
			  "has it",
			  r->n_without, r->n_without == 1 ? "" : "s");
	if (r->n_inconclusive > 0)
		diag_file(r->lines.diag, DIAG_NOT_A_HISTOGRAM, r->lines.in,
			  "%zu trend%s of the script, which may be no times", r->n_inconclusive,
			  r->n_inconclusive == 1 ? "" : "s");
}

static bool k6_summary_text(void *reader)
{
	struct reader *r = reader;
	double ms = 0;
	const struct json_member state[] = { JSON_F64("testRunDurationMs", &ms) };
	const struct json_member members[] = { JSON_READ("metrics", read_metrics, r),
					       JSON_OBJECT_OR_SKIP("state", state) };

	lines_json(&r->lines, &r->j);
	if (!json_members(&r->j, members, COUNT_OF(members)) || !json_end(&r->j))
		return false;
	if (ms > 0)
		build_elapsed(r->lines.to, ms / 1e3);
	else if (r->iterations.has_count && r->iterations.rate > 0)
		build_elapsed_from(r->lines.to, (double)r->iterations.count / r->iterations.rate,
				   ELAPSED_RATE);
	for (size_t i = 0; i < r->n_metrics; i++) {
		if (!push_metric(r, &r->metric[i]))
			return false;
	}
	report_left_out(r);
	return true;
}

static void k6_summary_release(void *reader)
{
	struct reader *r = reader;

	free(r->metric);
}

const struct format format_k6_summary = {
	.name = "k6-summary",
	.title = "the summary of k6 as JSON: summary statistics of requests and iterations",
	.versions = "0.49, summaries of 2023 to 2026",
	.unit = "ms, always",
	.totals = "average times values",
	.probe = probe_k6_summary,
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .end = k6_summary_text,
					     .release = k6_summary_release },
};
