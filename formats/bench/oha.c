/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * oha: the report of the HTTP load generator oha as JSON (--output-format json, -j).
 *
 *	{"summary":{"successRate":1.0,"total":10.003,"slowest":0.082056274,
 *	  "fastest":0.0015303,"average":0.007237240965787785,...},
 *	 "responseTimeHistogram":{"0.0015303":1,"0.0095828974":23793,...,"0.082056274":19},
 *	 "latencyPercentiles":{...},...,"statusCodeDistribution":{"200":27534},
 *	 "errorDistribution":{"aborted due to deadline":20}}
 *
 * All times are in s.  There are eleven keys.  A key is where a row ends, and what is equal
 * to it is in it: the first is of the fastest request alone and goes with the second, whose
 * beginning it is; the others cut what lies between fastest and slowest in ten.  The keys are
 * sorted as text.  The operation is "response"; requests that failed are not in it, which a
 * warning tells.  Percentiles, and histograms of parts of the requests, are left out.
 *
 *	request-start,DNS,DNS+dialup,Response-delay,request-duration,bytes,status
 *	0.002211678,0.000374078,0.001148565,0.002619327,0.002626127,11,200
 *
 * Of --output-format csv each line is a request that was answered: request-duration, in s;
 * the operation is the status, in the layer response; intervals by request-start.
 *
 * Seen: reports of oha from 2023 to 2025 in repositories, the source and the tests at b8cd846.
 * The report as text is that of hey (formats/bench/hey.c).
 */
#include <math.h>

#include "base/arena.h"
#include "base/json.h"
#include "formats/bench/eleven_rows.h"
#include "formats/bench/tool_table.h"
#include "formats/format.h"
#include "formats/text.h"

/* --- recognising ------------------------------------------------------------------ */

static const struct tool_column request_columns[] = {
	{ ROLE_START, "request-start", UNIT_S, false },
	{ ROLE_LATENCY, "request-duration", UNIT_S, false },
	{ ROLE_OPERATION, "status", UNIT_UNKNOWN, false },
};

static const struct tool_table requests = { .column = request_columns,
					    .n_columns = COUNT_OF(request_columns),
					    .separators = ",",
					    .layer = STR_INIT("response") };

static bool is_csv_head(struct str line)
{
	return tool_table_is_head(&requests, line);
}

static enum probe probe_oha(struct str head, struct clue *clue)
{
	(void)clue;
	if (tool_table_begins(&requests, head))
		return PROBE_MAGIC;
	return format_has_marks(head,
				MARKS("{", "\"responseTimeHistogram\"", "\"latencyPercentiles\""))
		       ? PROBE_MAGIC
		       : PROBE_NO;
}

/* --- JSON ------------------------------------------------------------------------- */

struct report {
	struct eleven_rows rows;
	double fastest, slowest; /* NAN: there was no request */
	double elapsed;		 /* seconds; NAN: not said */
	bool deadline;		 /* ended the run */
	struct decimal average;
	bool has_average;
	uint64_t responses, failed;
	struct str failed_at, where;
};

struct reader {
	struct input *in;
	struct builder *to;
	struct diag *diag;
};

static bool read_average(struct json *j, struct report *p)
{
	struct str text;

	if (json_peek(j) == 'n')
		return json_skip(j);
	if (!json_number(j, &text))
		return false;
	p->has_average = number_decimal(text, &p->average) == NUMBER_OK;
	return true;
}

static bool read_summary(struct json *j, struct report *p)
{
	struct str key;
	bool ok = true;

	for (json_object(j); ok && json_key(j, &key);) {
		if (str_eq(key, STR("total")))
			ok = json_f64_or_null(j, &p->elapsed);
		else if (str_eq(key, STR("slowest")))
			ok = json_f64_or_null(j, &p->slowest);
		else if (str_eq(key, STR("fastest")))
			ok = json_f64_or_null(j, &p->fastest);
		else if (str_eq(key, STR("average")))
			ok = read_average(j, p);
		else
			ok = json_skip(j);
	}
	return ok && !j->failed;
}

/* {"NaN":0} where there was no request. */
static bool oha_read_rows(struct reader *r, struct json *j, struct report *p)
{
	struct str key;

	for (json_object(j); json_key(j, &key);) {
		size_t from = json_begin(j);
		struct str where;
		uint64_t count;
		double end;

		if (!json_u64(j, &count))
			return false;
		where = json_since(j, from);
		if (count == 0 && str_eq(key, STR("NaN")))
			continue;
		if (number_f64(key, &end) != NUMBER_OK || !isfinite(end) || end < 0 ||
		    !eleven_rows_add(&p->rows, end, count, where))
			return format_fail(r->in, r->diag, DIAG_BUCKET_BOUNDS, where,
					   "expected eleven keys, times in s");
	}
	return !j->failed;
}

/* {"200":27534}: all together; *ret_where, unless NULL: the first; *ret_deadline, unless NULL:
 * whether requests were under way when the time was over. */
static bool read_counts(struct reader *r, struct json *j, uint64_t *ret, struct str *ret_where,
			bool *ret_deadline)
{
	bool any = false;
	struct str key;

	for (json_object(j); json_key(j, &key);) {
		size_t from = json_begin(j);
		uint64_t n;

		if (!json_u64(j, &n))
			return false;
		if (!any && ret_where != NULL)
			*ret_where = json_since(j, from);
		any = true;
		if (ret_deadline != NULL)
			*ret_deadline |= str_eq(key, STR("aborted due to deadline"));
		if (__builtin_add_overflow(*ret, n, ret))
			return format_fail(r->in, r->diag, DIAG_COUNT_OVERFLOW, json_since(j, from),
					   "the sum passes 2^64-1 here");
	}
	return !j->failed;
}

/* --- to the builder ---------------------------------------------------------------- */

static bool push_report(struct reader *r, struct report *p)
{
	struct decimal total;

	if (!build_operation(r->to, STR(""), STR("response"), p->where))
		return false;
	build_unit(r->to, UNIT_S, UNIT_STATED);
	if (p->elapsed > 0)
		build_elapsed(r->to, p->elapsed);
	if (p->deadline)
		build_fixed_duration(r->to);
	if (!eleven_rows_push(&p->rows, r->in, r->to, p->where, r->diag))
		return false;
	if (!isnan(p->fastest))
		build_min(r->to, p->fastest);
	if (!isnan(p->slowest))
		build_max(r->to, p->slowest);
	if (p->failed > 0)
		diag_part(r->diag, DIAG_COLLECTOR_ERROR, r->in, p->failed_at,
			  "%llu requests failed and are not counted",
			  (unsigned long long)p->failed);
	if (!build_count(r->to, p->responses, p->where) || !p->has_average)
		return !builder_failed(r->to);
	build_rounded_totals(r->to);
	return decimal_times(p->average, p->responses, &total)
		       ? build_total(r->to, total, p->where)
		       : format_fail(r->in, r->diag, DIAG_TOTAL_OVERFLOW, p->where,
				     "average times requests");
}

static bool oha_read_member(struct reader *r, struct json *j, struct str key, struct report *p)
{
	if (str_eq(key, STR("summary")))
		return read_summary(j, p);
	if (str_eq(key, STR("responseTimeHistogram")))
		return oha_read_rows(r, j, p);
	if (str_eq(key, STR("statusCodeDistribution")))
		return read_counts(r, j, &p->responses, NULL, NULL);
	if (str_eq(key, STR("errorDistribution")))
		return read_counts(r, j, &p->failed, &p->failed_at, &p->deadline);
	return json_skip(j);
}

static bool read_report(struct reader *r, struct json *j)
{
	struct report p = { .fastest = NAN, .slowest = NAN, .elapsed = NAN };
	size_t from = json_begin(j);
	struct str key;

	if (!json_open(j, '{'))
		return false;
	p.where = json_since(j, from);
	while (json_key(j, &key)) {
		if (!oha_read_member(r, j, key, &p))
			return false;
	}
	return !j->failed && push_report(r, &p);
}

/* One report; those of several runs have other buckets each. */
static bool oha_read_json(struct input *in, struct builder *to, struct diag *diag)
{
	struct reader r = { .in = in, .to = to, .diag = diag };
	struct arena *strings = arena_new();
	struct json j;
	bool ok;

	json_start(&j, cursor_on(in), strings, diag);
	ok = read_report(&r, &j) && json_end(&j);
	arena_free(strings);
	return ok;
}

static bool read_oha(const struct read_task *task)
{
	struct str head;

	if (!format_look(task->in, is_csv_head, &head, task->diag))
		return false;
	if (text_has(head, is_csv_head))
		return tool_table_read(&requests, is_csv_head, task->in, task->options, task->to,
				       task->diag);
	return format_complete(task->in, task->diag) &&
	       oha_read_json(task->in, task->to, task->diag);
}

const struct format format_oha = {
	.name = "oha",
	.title = "oha: response times as JSON, requests as CSV",
	.versions = "of 2023 to 2025",
	.unit = "s, always",
	.totals = "average times requests, exact of CSV",
	.probe = probe_oha,
	.streams = true,
	.read = read_oha,
};
