/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * oha: the report of the HTTP load generator oha in JSON (--output-format json, -j).
 *
 *	{"summary":{"successRate":1.0,"total":10.003,"slowest":0.082056274,
 *	  "fastest":0.0015303,"average":0.007237240965787785,...},
 *	 "responseTimeHistogram":{"0.0015303":1,"0.0095828974":23793,...,"0.082056274":19},
 *	 "latencyPercentiles":{...},...,"statusCodeDistribution":{"200":27534},
 *	 "errorDistribution":{"aborted due to deadline":20}}
 *
 * All times are in s.  There are eleven keys, the upper ends of rows, which include them.  The
 * first row has only the fastest request; it is merged with the second, which it begins.  The
 * others divide the range from fastest to slowest into ten.  The keys are sorted as text.  The
 * operation is "response"; failed requests are not included, and a warning counts them.
 * Percentiles, and histograms of phases of the requests, are left out.
 *
 *	request-start,DNS,DNS+dialup,Response-delay,request-duration,bytes,status
 *	0.002211678,0.000374078,0.001148565,0.002619327,0.002626127,11,200
 *
 * With --output-format csv each line is a request that got a response: its latency is
 * request-duration, in s; the operation is the status, in the layer "response"; intervals use
 * request-start.
 *
 * Seen: reports of oha from 2023 to 2025 in repositories, the source and the tests at b8cd846.
 * formats/bench/hey.c reads the text report.
 */
#include <math.h>

#include "base/json.h"
#include "formats/bench/eleven_rows.h"
#include "formats/bench/tool_table.h"
#include "formats/lines.h"
#include "formats/text.h"

/* --- recognising ------------------------------------------------------------------ */

static const struct tool_column request_columns[] = {
	{ .role = ROLE_START, .title = "request-start", .unit = UNIT_S },
	{ .role = ROLE_LATENCY, .title = "request-duration", .unit = UNIT_S },
	{ .role = ROLE_OPERATION, .title = "status" },
};

static const struct line_format reports;

static const struct tool_table requests = { .column = request_columns,
					    .n_columns = COUNT_OF(request_columns),
					    .separators = ",",
					    .layer = STR_INIT("response"),
					    .reports = &reports };

static bool oha_is_one(struct str head)
{
	return tool_table_begins(&requests, head) ||
	       format_has_marks(head,
				MARKS("{", "\"responseTimeHistogram\"", "\"latencyPercentiles\""));
}

/* --- JSON ------------------------------------------------------------------------- */

struct reader {
	struct lines lines;
	struct json j;
	struct eleven_rows rows;
	double fastest, slowest; /* NAN: no requests */
	double elapsed;		 /* seconds; NAN: missing */
	bool deadline;		 /* a deadline ended the run */
	struct str average;	 /* as printed; empty: missing */
	uint64_t responses, failed;
	struct str failed_at, where;
};

/* Reads the rows; they are {"NaN":0} if there were no requests. */
static bool oha_read_rows(void *reader)
{
	struct reader *r = reader;
	struct str key;

	for (json_object(&r->j); json_key(&r->j, &key);) {
		size_t from = json_begin(&r->j);
		struct str where;
		uint64_t count;
		double end;

		if (!json_u64(&r->j, &count))
			return false;
		where = json_since(&r->j, from);
		if (count == 0 && str_eq(key, STR("NaN")))
			continue;
		if (number_f64(key, &end) != NUMBER_OK || !isfinite(end) || end < 0 ||
		    !eleven_rows_add(&r->rows, end, count, where))
			return lines_fail(&r->lines, DIAG_BUCKET_BOUNDS, where,
					  "expected eleven keys, times in s");
	}
	return !r->j.failed;
}

/* Reads the sum of {"200":27534}. */
static bool read_counts(struct reader *r, uint64_t *ret)
{
	struct str key;

	for (json_object(&r->j); json_key(&r->j, &key);) {
		size_t from = json_begin(&r->j);
		uint64_t n;

		if (!json_u64(&r->j, &n))
			return false;
		if (ret == &r->failed && r->failed_at.n == 0)
			r->failed_at = json_since(&r->j, from);
		r->deadline |= str_eq(key, STR("aborted due to deadline"));
		if (__builtin_add_overflow(*ret, n, ret))
			return lines_fail(&r->lines, DIAG_COUNT_OVERFLOW, json_since(&r->j, from),
					  "the sum passes 2^64-1 here");
	}
	return !r->j.failed;
}

static bool read_responses(void *reader)
{
	struct reader *r = reader;

	return read_counts(r, &r->responses);
}

static bool read_errors(void *reader)
{
	struct reader *r = reader;

	return read_counts(r, &r->failed);
}

/* --- to the builder ---------------------------------------------------------------- */

static bool push_report(struct reader *r)
{
	struct decimal average;

	if (!build_operation_in(r->lines.to, UNIT_S, STR(""), STR("response"), r->where))
		return false;
	if (r->elapsed > 0)
		build_elapsed(r->lines.to, r->elapsed);
	if (r->deadline)
		build_fixed_duration(r->lines.to);
	if (!eleven_rows_push(&r->rows, r->lines.in, r->lines.to, r->where, r->lines.diag))
		return false;
	if (!isnan(r->fastest))
		build_min(r->lines.to, r->fastest);
	if (!isnan(r->slowest))
		build_max(r->lines.to, r->slowest);
	if (r->failed > 0)
		diag_part(r->lines.diag, DIAG_COLLECTOR_ERROR, r->lines.in, r->failed_at,
			  "%llu requests failed and are not counted",
			  (unsigned long long)r->failed);
	if (!build_count(r->lines.to, r->responses, r->where) || r->average.n == 0 ||
	    number_decimal(r->average, &average) != NUMBER_OK)
		return !builder_failed(r->lines.to);
	return lines_push_mean(&r->lines, average, r->responses, r->where,
			       "average times requests");
}

/* Reads one report; a file cannot hold several, because each run has its own buckets. */
static bool oha_text(void *reader)
{
	struct reader *r = reader;
	const struct json_member summary[] = {
		JSON_F64_OR_NULL("total", &r->elapsed),
		JSON_F64_OR_NULL("slowest", &r->slowest),
		JSON_F64_OR_NULL("fastest", &r->fastest),
		JSON_TEXT_OR_SKIP("average", &r->average),
	};
	const struct json_member members[] = {
		JSON_OBJECT("summary", summary),
		JSON_READ("responseTimeHistogram", oha_read_rows, r),
		JSON_READ("statusCodeDistribution", read_responses, r),
		JSON_READ("errorDistribution", read_errors, r),
	};

	r->fastest = r->slowest = r->elapsed = NAN;
	lines_json(&r->lines, &r->j);
	r->where = (struct str){ r->lines.in->bytes.p + json_begin(&r->j), 1 }; /* opening brace */
	return json_members(&r->j, members, COUNT_OF(members)) && push_report(r) && json_end(&r->j);
}

static const struct line_format reports = { .size = sizeof(struct reader), .end = oha_text };

const struct format format_oha = {
	.name = "oha",
	.title = "oha: response times as JSON, requests as CSV",
	.versions = "of 2023 to 2025",
	.unit = "s, always",
	.totals = "average times requests, exact of CSV",
	.is_one = oha_is_one,
	.streams = true,
	.read = tool_table_read,
	.spec = &requests,
};
