/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ghz: reports of the gRPC load generator ghz in JSON (-O json, -O pretty), CSV, and text
 * (-O summary).
 *
 *	{"date":"2018-12-17T16:52:55-04:00",...,"count":200,"total":172959832,...,
 *	 "histogram":[{"mark":0.02540428,"count":1,"frequency":0.005},...],
 *	 "details":[{"timestamp":"2018-12-17T16:52:55.737686-04:00","latency":31858026,
 *	   "error":"","status":"OK"},...]}
 *
 * Each detail is a call: its latency in ns and the time of its end.  The operation is the status;
 * intervals use the start.  Without details, the histogram is read: eleven marks in s, of the
 * calls without an error, so that the operation is OK.
 *
 *	duration (ms),status,error
 *	1.43,OK,
 *
 * In CSV each line is a call, in ms with two decimals.
 *
 *	Summary:
 *	  Count:		200
 *	...
 *	Response time histogram:
 *	  26.093 [1]	|∎
 *	  30.444 [52]	|∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎
 *
 * Of a summary, only the histogram is read: eleven marks in ms, rounded.
 *
 * Seen: reports of 2018 in its repository, its documentation and source at d6acd43.
 */
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "formats/bench/eleven_rows.h"
#include "formats/bench/tool_table.h"
#include "formats/carried.h"
#include "formats/event_clock.h"
#include "formats/lines.h"
#include "formats/measure.h"
#include "formats/text.h"

/* --- recognising ------------------------------------------------------------------ */

static const struct tool_column call_columns[] = {
	{ .role = ROLE_LATENCY, .title = "duration (ms)", .unit = UNIT_MS },
	{ .role = ROLE_OPERATION, .title = "status" },
};

static const struct line_format reports;

static const struct tool_table calls = { .column = call_columns,
					 .n_columns = COUNT_OF(call_columns),
					 .separators = ",",
					 .granularity = 0.01,
					 .reports = &reports };

static bool is_histogram(struct str line)
{
	return str_eq(line, STR("Response time histogram:"));
}

/* hey's summary is similar, but does not have the number of calls. */
static bool is_summary(struct str head)
{
	bool summary = false, count = false;
	struct str line;

	while (text_line(&head, &line)) {
		summary |= str_eq(line, STR("Summary:"));
		count |= summary && str_has_prefix(line, STR("Count:"));
		if (count && is_histogram(line))
			return true;
	}
	return false;
}

static bool is_csv(struct str head)
{
	struct str line;

	do { /* ghz begins with a blank line */
		if (!text_line(&head, &line))
			return false;
	} while (line.n == 0);
	return tool_table_is_head(&calls, line);
}

static bool ghz_is_json(struct str head)
{
	return format_has_marks(head, MARKS("{", "\"fastest\"", "\"rps\"")) &&
	       (str_contains(head, STR("\"latencyDistribution\"")) ||
		str_contains(head, STR("\"endReason\"")));
}

static bool ghz_is_one(struct str head)
{
	return ghz_is_json(head) || is_csv(head) || is_summary(head);
}

struct reader {
	struct lines lines;
	struct json j;
	uint64_t count, n_details;
	/* The current call. */
	struct decimal end;
	struct str end_at;
	struct eleven_rows rows;
	struct str where; /* the histogram; empty: none */
};

/* --- JSON ------------------------------------------------------------------------- */

static bool read_timestamp(void *reader)
{
	struct reader *r = reader;
	struct str time;
	size_t from = json_begin(&r->j);

	if (!json_string(&r->j, &time))
		return false;
	r->end_at = json_since(&r->j, from);
	return event_timestamp(time, &r->end) ||
	       lines_fail(&r->lines, DIAG_NUMBER_BAD, r->end_at,
			  "expected a time as 2018-12-17T16:52:55.73693-04:00");
}

static bool read_detail(void *reader)
{
	struct reader *r = reader;
	struct sample sample = { .layer = STR(""), .name = STR("call") };
	size_t from = json_begin(&r->j);
	uint64_t ns;
	const struct json_member members[] = {
		JSON_READ("timestamp", read_timestamp, r),
		JSON_U64("latency", &ns, .where = &sample.where),
		JSON_STRING("status", &sample.name),
	};

	r->end = decimal_from_u64(0);
	r->end_at = STR("");
	if (!json_members(&r->j, members, COUNT_OF(members)))
		return false;
	if (sample.where.n == 0)
		return lines_fail(&r->lines, DIAG_COLUMN_MISSING, json_since(&r->j, from),
				  "a call without a latency");
	if (r->lines.samples.timed && r->end_at.n == 0)
		return lines_fail(&r->lines, DIAG_COLUMN_MISSING, json_since(&r->j, from),
				  "a call without a timestamp");
	sample.latency = decimal_from_u64(ns);
	sample.timed = r->end_at.n > 0;
	sample.start.billionths = r->end.billionths - sample.latency.billionths;
	r->n_details++;
	return samples_add(&r->lines.samples, &sample, sample.where,
			   r->end_at.n > 0 ? r->end_at : sample.where);
}

/* Reads {"mark":0.02540428,"count":1,"frequency":0.005}. */
static bool read_mark(void *reader)
{
	struct reader *r = reader;
	size_t from = json_begin(&r->j);
	uint64_t count = 0;
	double mark = -1;
	struct str where;
	const struct json_member members[] = { JSON_F64("mark", &mark), JSON_U64("count", &count) };

	if (!json_members(&r->j, members, COUNT_OF(members)))
		return false;
	where = json_since(&r->j, from);
	return (mark >= 0 && eleven_rows_add(&r->rows, mark, count, where)) ||
	       lines_fail(&r->lines, DIAG_BUCKET_BOUNDS, where,
			  "expected eleven marks, times in s");
}

/* --- to the builder ---------------------------------------------------------------- */

/* `rounded` says whether the marks are. */
static bool push_histogram(struct reader *r, enum unit unit, bool rounded)
{
	struct eleven_rows *rows = &r->rows;
	uint64_t count;

	if (r->where.n == 0)
		return true;
	if (!build_operation_in(r->lines.to, unit, STR(""), STR("OK"), r->where))
		return false;
	if (rounded)
		build_approximate(r->lines.to);
	if (!eleven_rows_push(rows, r->lines.in, r->lines.to, r->where, r->lines.diag) ||
	    !eleven_rows_count(rows, r->lines.in, r->lines.diag, &count))
		return false;
	if (count > 0) {
		build_min(r->lines.to, rows->row[0].end);
		build_max(r->lines.to, rows->row[rows->n - 1].end);
	}
	return build_count(r->lines.to, count, r->where);
}

/* --- the summary ------------------------------------------------------------------- */

/* Reads "  26.093 [1]	|∎". */
static bool ghz_read_row(struct reader *r)
{
	const struct lines *l = &r->lines;
	struct cursor c = cursor_at(r->lines.in, l->text);
	struct str rest, digits;
	uint64_t count;
	double end;

	if (!scan_f64(&c, &end) || !(end >= 0) || !isfinite(end))
		return lines_fail(l, DIAG_LINE_UNEXPECTED, l->text,
				  "expected ms [calls] and a bar");
	rest = str_trim(cursor_rest(&c));
	if (!str_has_prefix(rest, STR("[")) || !str_cut(str_skip(rest, 1), ']', &digits, &rest) ||
	    !str_has_prefix(str_trim(rest), STR("|")))
		return lines_fail(l, DIAG_LINE_UNEXPECTED, l->text,
				  "expected ms [calls] and a bar");
	if (!lines_count(l, digits, &count, "expected how many calls"))
		return false;
	return eleven_rows_add(&r->rows, end, count, l->text) ||
	       lines_fail(l, DIAG_LINE_UNEXPECTED, l->text, "more than 11 rows");
}

/* Reads a summary from its first line to the blank line after its histogram. */
static bool ghz_read_report(struct reader *r)
{
	struct lines *l = &r->lines;
	struct str begin = l->text;
	bool histogram = false, whole = false;

	r->rows.n = 0;
	while (!histogram && lines_next(l)) {
		if (str_has_prefix(l->text, STR("Total:")))
			lines_took(l, str_skip(l->text, strlen("Total:")));
		histogram = is_histogram(l->text);
	}
	r->where = histogram ? l->text : STR("");
	while (!whole && lines_next(l)) {
		whole = l->text.n == 0;
		if (!whole && !ghz_read_row(r))
			return false;
	}
	if (!whole && carried_goes_on(l->options->carried))
		return lines_fail(l, DIAG_INPUT_TRUNCATED, begin, "expected the rest of a report");
	if (r->rows.n > 0 && r->rows.n < ELEVEN)
		return lines_fail(l, DIAG_INPUT_TRUNCATED, l->text, "%zu rows of %d", r->rows.n,
				  ELEVEN);
	return push_histogram(r, UNIT_MS, true);
}

static bool ghz_read_reports(struct reader *r)
{
	while (lines_next(&r->lines)) {
		if (str_eq(r->lines.text, STR("Summary:")) && !ghz_read_report(r))
			return false;
	}
	return true;
}

static bool ghz_text(void *reader)
{
	struct reader *r = reader;
	double ns = 0;		     /* duration of the run */
	struct str reason = STR(""); /* "normal", "cancel", or "timeout" (--duration) */
	uint64_t workers = 0;
	const struct json_member options[] = { JSON_U64("c", &workers),
					       JSON_U64("concurrency", &workers) };
	const struct json_member members[] = {
		JSON_U64("count", &r->count),
		JSON_F64("total", &ns),
		JSON_STRING("endReason", &reason),
		JSON_OBJECT_OR_SKIP("options", options),
		JSON_EACH("histogram", read_mark, r, .only = '[', .where = &r->where),
		JSON_EACH("details", read_detail, r, .only = '['),
	};

	if (!str_has_prefix(json_without_space(r->lines.in->bytes), STR("{")))
		return ghz_read_reports(r);
	lines_json(&r->lines, &r->j);
	if (!json_members(&r->j, members, COUNT_OF(members)) || !json_end(&r->j))
		return false;
	if (ns > 0)
		build_elapsed(r->lines.to, ns / 1e9);
	build_concurrency(r->lines.to, workers);
	if (str_eq(reason, STR("timeout")))
		build_run_fixed_duration(r->lines.to);
	if (r->n_details == 0)
		return push_histogram(r, UNIT_S, false);
	if (r->count > r->n_details)
		diag_file(r->lines.diag, DIAG_NOT_RECORDED, r->lines.in,
			  "%llu of %llu calls are among the details",
			  (unsigned long long)r->n_details, (unsigned long long)r->count);
	return true;
}

static const struct line_format reports = { .size = sizeof(struct reader),
					    .end = ghz_text,
					    .sampling = &samples_ns,
					    .snapshots = SNAPSHOTS_DELTA };

const struct format format_ghz = {
	.name = "ghz",
	.title = "ghz: calls as JSON or CSV, the histogram of its summary",
	.versions = "of 2018",
	.unit = "stated",
	.totals = "exact, where there are per-call records",
	.is_one = ghz_is_one,
	.streams = true,
	.read = tool_table_read,
	.spec = &calls,
};
