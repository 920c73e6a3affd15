/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * k6-summary: what k6 knows at the end of a test, as handleSummary() gets it,
 *
 *	{ "metrics": {
 *	    "http_reqs": { "type": "counter", "contains": "default",
 *	      "values": { "count": 3000, "rate": 49.3 } },
 *	    "http_req_duration": { "type": "trend", "contains": "time",
 *	      "values": { "avg": 20.8, "min": 15.9, "med": 18.6, "max": 61.0, "p(95)": 30.1 } } } }
 *
 * or as --summary-export writes it, with the values in place of the metric.
 *
 * An operation is a trend that holds times, in ms: average and extremes; percentiles are left
 * out.  How many values it has is reported where the script asks for `count` among its
 * summaryTrendStats; else each request has one value of each trend http_req_X, and each
 * iteration one of iteration_duration.  Of others, such as "http_req_duration{status:200}",
 * it is not known, and they are left out with a note.
 *
 * Seen: summaries of 2023 to 2026 in repositories, one of them of 0.49.  Not supported: the
 * report for people.
 */
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/xalloc.h"
#include "formats/bench/k6_metrics.h"
#include "formats/format.h"

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
	double mean, min, max; /* NAN: not there */
	uint64_t count;
	bool has_count;
	bool reported; /* "contains" was there, */
	bool is_time;  /* and said "time" */
};

struct reader {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	struct json j;
	struct metric *metric;
	size_t n_metrics, cap_metrics;
	struct metric requests, iterations; /* these counters */
	size_t n_without;		    /* trends whose values are not counted */
	size_t n_inconclusive;		    /* those that may be no times */
};

/* --- reading ------------------------------------------------------------------------ */

static bool read_count(struct reader *r, struct metric *m)
{
	m->has_count = true;
	return json_u64(&r->j, &m->count);
}

/* A member of "values", or of a metric that --summary-export wrote. */
static bool read_statistic(struct reader *r, struct str key, struct metric *m)
{
	if (str_eq(key, STR("avg")))
		return json_f64(&r->j, &m->mean);
	if (str_eq(key, STR("min")))
		return json_f64(&r->j, &m->min);
	if (str_eq(key, STR("max")))
		return json_f64(&r->j, &m->max);
	return str_eq(key, STR("count")) ? read_count(r, m) : json_skip(&r->j);
}

static bool read_values(struct reader *r, struct metric *m)
{
	struct str key;

	for (json_object(&r->j); json_key(&r->j, &key);) {
		if (!read_statistic(r, key, m))
			return false;
	}
	return !r->j.failed;
}

static bool read_contents(struct reader *r, struct metric *m)
{
	struct str what;

	if (!json_string(&r->j, &what))
		return false;
	m->reported = true;
	m->is_time = str_eq(what, STR("time"));
	return true;
}

static bool read_metric(struct reader *r, struct metric *m)
{
	struct str key;
	bool done = true;

	for (json_object(&r->j); done && json_key(&r->j, &key);) {
		if (str_eq(key, STR("values")))
			done = read_values(r, m);
		else if (str_eq(key, STR("contains")))
			done = read_contents(r, m);
		else
			done = read_statistic(r, key, m);
	}
	return done && !r->j.failed;
}

static bool read_metrics(struct reader *r)
{
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
	}
	return !r->j.failed;
}

/* {"testRunDurationMs": 11071.2453, ...}: --summary-export has none. */
static bool read_state(struct reader *r)
{
	double ms = 0;
	struct str key;

	for (json_object(&r->j); json_key(&r->j, &key);) {
		if (str_eq(key, STR("testRunDurationMs")) ? !json_f64(&r->j, &ms)
							  : !json_skip(&r->j))
			return false;
	}
	if (ms > 0)
		build_elapsed(r->to, ms / 1e3);
	return !r->j.failed;
}

static bool k6_summary_read_document(struct reader *r)
{
	struct str key;
	bool done = true;

	for (json_object(&r->j); done && json_key(&r->j, &key);) {
		if (str_eq(key, STR("metrics")))
			done = read_metrics(r);
		else if (str_eq(key, STR("state")) && json_peek(&r->j) == '{')
			done = read_state(r);
		else
			done = json_skip(&r->j);
	}
	return done && json_end(&r->j);
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

/* Of --summary-export only the name tells. */
static bool is_time(const struct metric *m)
{
	struct str base = { m->name.p, str_find(m->name, STR("{")) };

	return m->reported ? m->is_time : k6_is_time(base);
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
		return format_fail(r->in, r->diag, DIAG_NUMBER_RANGE, m->where,
				   "expected an average from 0 on");
	if (!decimal_from_f64(m->mean * (double)count, &total))
		return format_fail(r->in, r->diag, DIAG_TOTAL_OVERFLOW, m->where,
				   "average times values");
	if (!build_operation(r->to, STR(""), m->name, m->where))
		return false;
	build_unit(r->to, UNIT_MS, UNIT_STATED);
	build_rounded_totals(r->to);
	if (!isnan(m->min))
		build_min(r->to, m->min);
	if (!isnan(m->max))
		build_max(r->to, m->max);
	return build_count(r->to, count, m->where) && build_total(r->to, total, m->where);
}

static void report(const struct reader *r)
{
	if (r->n_without > 0)
		diag_file(r->diag, DIAG_NOT_A_HISTOGRAM, r->in,
			  "%zu trend%s without the number of values: `count` of summaryTrendStats "
			  "has it",
			  r->n_without, r->n_without == 1 ? "" : "s");
	if (r->n_inconclusive > 0)
		diag_file(r->diag, DIAG_NOT_A_HISTOGRAM, r->in,
			  "%zu trend%s of the script, which may be no times", r->n_inconclusive,
			  r->n_inconclusive == 1 ? "" : "s");
}

static bool read_k6_summary(const struct read_task *task)
{
	struct reader r = { .in = task->in, .to = task->to, .diag = task->diag };
	struct arena *strings = arena_new();
	bool ok;

	json_start(&r.j, cursor_on(task->in), strings, task->diag);
	ok = k6_summary_read_document(&r);
	for (size_t i = 0; ok && i < r.n_metrics; i++)
		ok = push_metric(&r, &r.metric[i]);
	if (ok)
		report(&r);
	free(r.metric);
	arena_free(strings);
	return ok;
}

const struct format format_k6_summary = {
	.name = "k6-summary",
	.title = "the summary of k6 as JSON: summary statistics of requests and iterations",
	.versions = "0.49, summaries of 2023 to 2026",
	.unit = "ms, always",
	.totals = "average times values",
	.probe = probe_k6_summary,
	.read = read_k6_summary,
};
