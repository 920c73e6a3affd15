/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ghz: the reports of the gRPC load generator ghz, as JSON (-O json, -O pretty), as CSV and
 * as text (-O summary).
 *
 *	{"date":"2018-12-17T16:52:55-04:00",...,"count":200,"total":172959832,...,
 *	 "histogram":[{"mark":0.02540428,"count":1,"frequency":0.005},...],
 *	 "details":[{"timestamp":"2018-12-17T16:52:55.737686-04:00","latency":31858026,
 *	   "error":"","status":"OK"},...]}
 *
 * Each detail is a call: latency in ns, timestamp when it ended.  The operation is the status,
 * and intervals are by the beginning.  A report without details has its histogram read: eleven
 * marks in s, of the calls without an error, so that the operation is OK.
 *
 *	duration (ms),status,error
 *	1.43,OK,
 *
 * Of CSV each line is a call, in ms with two digits.
 *
 *	Summary:
 *	  Count:		200
 *	...
 *	Response time histogram:
 *	  26.093 [1]	|∎
 *	  30.444 [52]	|∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎
 *
 * Of the summary the histogram alone: its eleven marks are in ms, rounded.
 *
 * Seen: reports of 2018 in its repository, its documentation and source at d6acd43.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "formats/bench/eleven_rows.h"
#include "formats/bench/tool_table.h"
#include "formats/event_clock.h"
#include "formats/lines.h"
#include "formats/measure.h"
#include "formats/samples.h"
#include "formats/text.h"

/* --- recognising ------------------------------------------------------------------ */

static const struct tool_column call_columns[] = {
	{ ROLE_LATENCY, "duration (ms)", UNIT_MS, false },
	{ ROLE_OPERATION, "status", UNIT_UNKNOWN, false },
};

static const struct tool_table calls = { .column = call_columns,
					 .n_columns = COUNT_OF(call_columns),
					 .separators = ",",
					 .granularity = 0.01 };

static bool is_csv_head(struct str line)
{
	return tool_table_is_head(&calls, line);
}

static bool is_histogram(struct str line)
{
	return str_eq(line, STR("Response time histogram:"));
}

/* hey, whose summary this one resembles, counts no calls there. */
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
	return is_csv_head(line);
}

static bool ghz_is_json(struct str head)
{
	return format_has_marks(head, MARKS("{", "\"fastest\"", "\"rps\"")) &&
	       (str_contains(head, STR("\"latencyDistribution\"")) ||
		str_contains(head, STR("\"endReason\"")));
}

static enum probe probe_ghz(struct str head, struct clue *clue)
{
	(void)clue;
	return ghz_is_json(head) || is_csv(head) || is_summary(head) ? PROBE_MAGIC : PROBE_NO;
}

struct reader {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	struct json j;
	struct samples samples;
	bool intervals;
	uint64_t count, n_details;
	struct eleven_rows rows;
	struct str where; /* the histogram; of no bytes: there is none */
};

/* --- JSON ------------------------------------------------------------------------- */

static bool read_timestamp(struct reader *r, struct decimal *ret, struct str *ret_where)
{
	size_t from = json_begin(&r->j);
	struct str time;

	if (!json_string(&r->j, &time))
		return false;
	*ret_where = json_since(&r->j, from);
	return event_timestamp(time, ret) ||
	       format_fail(r->in, r->diag, DIAG_NUMBER_BAD, *ret_where,
			   "expected a time as 2018-12-17T16:52:55.73693-04:00");
}

static bool read_latency(struct reader *r, struct sample *sample)
{
	uint64_t ns;
	size_t from = json_begin(&r->j);

	if (!json_u64(&r->j, &ns))
		return false;
	sample->latency = decimal_from_u64(ns);
	sample->where = json_since(&r->j, from);
	return true;
}

static bool add_detail(struct reader *r, struct sample *sample, struct decimal end,
		       struct str end_at, struct str where)
{
	if (sample->where.n == 0)
		return format_fail(r->in, r->diag, DIAG_COLUMN_MISSING, where,
				   "a call without a latency");
	if (r->intervals && end_at.n == 0)
		return format_fail(r->in, r->diag, DIAG_COLUMN_MISSING, where,
				   "a call without a timestamp");
	sample->start.billionths = end.billionths - sample->latency.billionths;
	r->n_details++;
	return samples_add(&r->samples, sample, sample->where,
			   end_at.n > 0 ? end_at : sample->where);
}

static bool read_detail(struct reader *r)
{
	struct sample sample = { .layer = STR(""), .name = STR("call") };
	struct decimal end = { 0 };
	struct str key, end_at = STR("");
	size_t from = json_begin(&r->j);
	bool done = true;

	for (json_object(&r->j); done && json_key(&r->j, &key);) {
		if (str_eq(key, STR("latency")))
			done = read_latency(r, &sample);
		else if (str_eq(key, STR("timestamp")))
			done = read_timestamp(r, &end, &end_at);
		else if (str_eq(key, STR("status")))
			done = json_string(&r->j, &sample.name);
		else
			done = json_skip(&r->j);
	}
	return done && !r->j.failed && add_detail(r, &sample, end, end_at, json_since(&r->j, from));
}

/* {"mark":0.02540428,"count":1,"frequency":0.005} */
static bool read_mark(struct reader *r)
{
	size_t from = json_begin(&r->j);
	uint64_t count = 0;
	double mark = -1;
	struct str where;
	const struct json_member members[] = { { STR_INIT("mark"), JSON_F64, &mark, NULL },
					       { STR_INIT("count"), JSON_U64, &count, NULL } };

	if (!json_members(&r->j, members, COUNT_OF(members)))
		return false;
	where = json_since(&r->j, from);
	return (mark >= 0 && eleven_rows_add(&r->rows, mark, count, where)) ||
	       format_fail(r->in, r->diag, DIAG_BUCKET_BOUNDS, where,
			   "expected eleven marks, times in s");
}

/* Of an array; null is none. */
static bool read_each(struct reader *r, bool (*read_item)(struct reader *r))
{
	if (json_peek(&r->j) != '[')
		return json_skip(&r->j);
	for (json_array(&r->j); json_item(&r->j);) {
		if (!read_item(r))
			return false;
	}
	return !r->j.failed;
}

/* How long the run took, in ns. */
static bool read_total(struct reader *r)
{
	double ns;

	if (!json_f64(&r->j, &ns))
		return false;
	if (ns > 0)
		build_elapsed(r->to, ns / 1e9);
	return true;
}

/* "normal", "cancel", "timeout": of --duration. */
static bool read_end_reason(struct reader *r)
{
	struct str reason;

	if (!json_string(&r->j, &reason))
		return false;
	if (str_eq(reason, STR("timeout")))
		build_run_fixed_duration(r->to);
	return true;
}

static bool read_report(struct reader *r)
{
	struct str key;

	for (json_object(&r->j); json_key(&r->j, &key);) {
		size_t from = json_begin(&r->j);
		bool done;

		if (str_eq(key, STR("count")))
			done = json_u64(&r->j, &r->count);
		else if (str_eq(key, STR("total")))
			done = read_total(r);
		else if (str_eq(key, STR("endReason")))
			done = read_end_reason(r);
		else if (str_eq(key, STR("histogram")))
			done = read_each(r, read_mark);
		else if (str_eq(key, STR("details")))
			done = read_each(r, read_detail);
		else
			done = json_skip(&r->j);
		if (!done)
			return false;
		if (str_eq(key, STR("histogram")))
			r->where = json_since(&r->j, from);
	}
	return !r->j.failed;
}

/* --- to the builder ---------------------------------------------------------------- */

/* `rounded`: the marks are. */
static bool push_histogram(struct reader *r, enum unit unit, bool rounded)
{
	struct eleven_rows *rows = &r->rows;
	uint64_t count;

	if (r->where.n == 0)
		return true;
	if (!build_operation(r->to, STR(""), STR("OK"), r->where))
		return false;
	build_unit(r->to, unit, UNIT_STATED);
	if (rounded)
		build_approximate(r->to);
	if (!eleven_rows_push(rows, r->in, r->to, r->where, r->diag) ||
	    !eleven_rows_count(rows, r->in, r->diag, &count))
		return false;
	if (count > 0) {
		build_min(r->to, rows->row[0].end);
		build_max(r->to, rows->row[rows->n - 1].end);
	}
	return build_count(r->to, count, r->where);
}

static bool push_details(struct reader *r)
{
	if (r->count > r->n_details)
		diag_file(r->diag, DIAG_NOT_RECORDED, r->in,
			  "%llu of %llu calls are among the details",
			  (unsigned long long)r->n_details, (unsigned long long)r->count);
	return accumulator_push(r->samples.accumulator, r->to);
}

static bool ghz_read_json(struct reader *r, const struct read_options *options)
{
	struct accumulator_options kind = { .unit = UNIT_NS,
					    .unit_source = UNIT_STATED,
					    .start_rate = 1e9 };
	struct arena *strings = arena_new();
	bool ok;

	r->intervals = options->build.interval > 0;
	json_start(&r->j, cursor_on(r->in), strings, r->diag);
	samples_start(&r->samples, r->in, options, &kind, r->diag);
	ok = read_report(r) && json_end(&r->j) &&
	     (r->n_details > 0 ? push_details(r) : push_histogram(r, UNIT_S, false));
	samples_release(&r->samples);
	arena_free(strings);
	return ok;
}

/* --- the summary ------------------------------------------------------------------- */

/* "  26.093 [1]	|∎" */
static bool ghz_read_row(struct reader *r, const struct lines *l)
{
	struct cursor c = cursor_at(r->in, l->text);
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

static bool read_summary(struct reader *r)
{
	struct lines l;

	lines_start(&l, r->in, r->diag);
	while (lines_next(&l) && !is_histogram(l.text)) {
		double seconds;

		if (str_has_prefix(l.text, STR("Total:")) &&
		    measure_seconds(str_skip(l.text, strlen("Total:")), &seconds))
			build_elapsed(r->to, seconds);
	}
	r->where = l.text;
	while (lines_next(&l) && l.text.n > 0) {
		if (!ghz_read_row(r, &l))
			return false;
	}
	if (r->rows.n > 0 && r->rows.n < ELEVEN)
		return format_fail(r->in, r->diag, DIAG_INPUT_TRUNCATED, l.text, "%zu rows of %d",
				   r->rows.n, ELEVEN);
	return push_histogram(r, UNIT_MS, true);
}

static bool read_ghz(const struct read_task *task)
{
	struct reader r = { .in = task->in, .to = task->to, .diag = task->diag, .where = STR("") };
	struct str head;

	if (!format_look(task->in, is_csv_head, &head, task->diag))
		return false;
	if (text_has(head, is_csv_head))
		return tool_table_read(&calls, is_csv_head, task->in, task->options, task->to,
				       task->diag);
	if (!format_complete(task->in, task->diag))
		return false;
	if (str_has_prefix(json_without_space(task->in->bytes), STR("{")))
		return ghz_read_json(&r, task->options);
	return read_summary(&r);
}

const struct format format_ghz = {
	.name = "ghz",
	.title = "ghz: calls as JSON or CSV, the histogram of its summary",
	.versions = "of 2018",
	.unit = "stated",
	.totals = "exact, where there are per-call records",
	.probe = probe_ghz,
	.streams = true,
	.read = read_ghz,
};
