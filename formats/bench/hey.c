/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hey: reports of the HTTP load generators hey and oha, and the requests of hey -o csv.
 *
 *	Summary:
 *	  Total:	0.0647 secs
 *	  Slowest:	0.0030 secs
 *	  Fastest:	0.0000 secs
 *	  Average:	0.0003 secs
 *
 *	Response time histogram:
 *	  0.000 [1]	|
 *	  0.000 [1337]	|■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■
 *	  0.001 [551]	|■■■■■■■■■■■■■■■■
 *
 *	Status code distribution:
 *	  [200]	2000 responses
 *
 * There are eleven rows.  The label is the upper end of a row, which the row includes.  The first
 * row has only the fastest requests; it is merged with the second, which it begins.  The others
 * divide the range from fastest to slowest into ten.  Labels have a digit less than fastest and
 * slowest, so edges are computed from those two, which are rounded, too.  The average is used
 * when it is more precise than the buckets.
 *
 * The operation is "response", for any status.  hey keeps only the first million requests.  oha
 * prints the same in s or, with other units, in ms, us and ns.
 *
 *	response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read,status-code,offset
 *	0.0043,0.0005,0.0000,0.0001,0.0029,0.0007,200,0.0002
 *
 * With -o csv each line is a request: its latency is the first column, in s; the operation is the
 * status, in the layer "response"; intervals use the offset.
 *
 * Seen: hey 0.1.4 and 0.1.5, a report of oha from 2024, the source of oha 1.9.  Not supported:
 * minutes and hours of oha.
 */
#include <math.h>

#include "formats/bench/tool_table.h"
#include "formats/carried.h"
#include "formats/lines.h"
#include "formats/text.h"

enum { ROWS = 11, MAX_REQUESTS = 1000000 /* requests that hey keeps */ };

/* --- recognising ------------------------------------------------------------------ */

static const struct tool_column request_columns[] = {
	{ .role = ROLE_LATENCY, .title = "response-time", .unit = UNIT_S },
	{ .role = ROLE_OPERATION, .title = "status-code" },
	{ .role = ROLE_START, .title = "offset", .unit = UNIT_S },
};

static const struct line_format reports;

static const struct tool_table requests = { .column = request_columns,
					    .n_columns = COUNT_OF(request_columns),
					    .separators = ",",
					    .layer = STR_INIT("response"),
					    .granularity = 1e-4,
					    .reports = &reports };

static bool is_histogram(struct str line)
{
	return str_eq(line, STR("Response time histogram:"));
}

static enum probe probe_hey(struct str head, struct clue *clue)
{
	struct str line, rest = head;
	bool rate = false, begins = false; /* begins: after the first line of a summary */

	while (text_line(&rest, &line)) {
		if (begins && str_has_prefix(line, STR("Count:"))) /* ghz */
			return PROBE_NO;
		begins = str_eq(line, STR("Summary:")) ||
			 (begins && str_has_prefix(line, STR("Name:")));
		if (tool_table_is_head(&requests, line) || (rate && is_histogram(line)))
			return PROBE_MAGIC;
		if (str_has_prefix(line, STR("Requests/sec:"))) {
			rate = true;
			probe_near(clue, head, line, "no response time histogram after it");
		}
	}
	return PROBE_NO;
}

/* --- reports ---------------------------------------------------------------------------- */

enum section {
	SECTION_NONE, /* before the first report */
	SECTION_SUMMARY,
	SECTION_OTHER,
	SECTION_STATUS,
	SECTION_ERRORS,
	SECTION_DONE,
};

struct reader {
	struct lines lines;
	enum section section;
	/* The current report. */
	bool oha;
	enum unit unit;
	double slowest, fastest; /* NAN: missing */
	struct decimal average;
	bool has_average, has_histogram;
	uint64_t calls, responses, failed;
	struct str begin, where, failed_at;
};

/* Reads the value of "Slowest:	0.0030 secs". */
static bool hey_read_time(struct reader *r, struct str value, struct str *ret)
{
	static const struct {
		const char *name;
		enum unit unit;
	} units[] = { { "secs", UNIT_S },
		      { "sec", UNIT_S },
		      { "ms", UNIT_MS },
		      { "us", UNIT_US },
		      { "ns", UNIT_NS } };
	struct cursor c = cursor_at(r->lines.in, value);
	struct str unit;

	if (!scan_word(&c, ret))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, r->lines.text,
				  "expected a time");
	scan_blanks(&c);
	unit = cursor_rest(&c);
	for (size_t i = 0; i < COUNT_OF(units); i++) {
		if (!str_eq(unit, str_from(units[i].name)))
			continue;
		if (r->unit != UNIT_UNKNOWN && r->unit != units[i].unit)
			return lines_fail(&r->lines, DIAG_UNIT_CLASH, unit,
					  "another unit than above");
		r->unit = units[i].unit;
		return true;
	}
	return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, value,
			  "expected a time in secs, sec, ms, us or ns");
}

static bool read_extreme(struct reader *r, struct str value, double *ret)
{
	struct str number;

	if (!hey_read_time(r, value, &number))
		return false;
	return (number_f64(number, ret) == NUMBER_OK && *ret >= 0 && isfinite(*ret)) ||
	       lines_fail(&r->lines, DIAG_NUMBER_BAD, number, "expected a time");
}

/* Reads the average; " NaN secs" if there were no requests. */
static bool read_average(struct reader *r, struct str value)
{
	struct str number;

	if (!hey_read_time(r, value, &number))
		return false;
	r->has_average = decimal_parse(number, &r->average) && r->average.billionths > 0;
	return r->has_average || str_begins_with_digit(number) || str_eq(number, STR("NaN")) ||
	       lines_fail(&r->lines, DIAG_NUMBER_BAD, number, "expected a time");
}

static bool read_summary(struct reader *r, struct str line)
{
	struct str value;

	r->oha |= str_has_prefix(line, STR("Success rate:"));
	if (text_value(line, STR("Total:"), &value))
		lines_took(&r->lines, value);
	if (text_value(line, STR("Slowest:"), &value))
		return read_extreme(r, value, &r->slowest);
	if (text_value(line, STR("Fastest:"), &value))
		return read_extreme(r, value, &r->fastest);
	if (text_value(line, STR("Average:"), &value))
		return read_average(r, value);
	return true;
}

/* --- the histogram ------------------------------------------------------------------------ */

/* Returns the end of row i, computed from integers in units of the last digit to avoid rounding. */
static double mark_end(const struct reader *r, size_t i)
{
	const double digits = 1e4, steps = ROWS - 1;

	return (round(r->fastest * digits) * (steps - (double)i) +
		round(r->slowest * digits) * (double)i) /
	       (digits * steps);
}

/* Reads "  0.001 [551]	|■■■" or "  1.079 ms [90055] |■■■". */
static bool hey_read_row(struct reader *r, struct str line, size_t i, uint64_t *ret)
{
	const double rounded = 0.0006; /* rounding of the label and of fastest and slowest */
	struct cursor c = cursor_at(r->lines.in, line);
	struct str label, count, rest;
	double value;

	if (!scan_word(&c, &label) || number_f64(label, &value) != NUMBER_OK)
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, line, "expected LATENCY [REQUESTS]");
	rest = cursor_rest(&c);
	if (!str_cut(rest, '[', &count, &rest) || !str_cut(rest, ']', &count, &rest) ||
	    !str_has_prefix(str_trim(rest), STR("|")))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, line,
				  "expected LATENCY [REQUESTS] and a bar");
	if (i == ROWS)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, line, "more than 11 rows");
	if (!(fabs(value - mark_end(r, i)) <= rounded))
		return lines_fail(&r->lines, DIAG_BUCKET_BOUNDS, label,
				  "row %zu of fastest %g to slowest %g ends at %.4f", i + 1,
				  r->fastest, r->slowest, mark_end(r, i));
	return lines_count(&r->lines, count, ret, "expected how many requests");
}

/* Pushes the rows; as a single bucket when fastest and slowest are printed alike. */
static bool hey_push_rows(struct reader *r, const uint64_t *count, const struct str *where)
{
	const double last_digit = 1e-4, min = 1e-9 * r->slowest; /* least: rounding error */
	bool apart = r->slowest - r->fastest > min;
	double edge[ROWS] = { r->fastest, r->fastest + fmax(last_digit, min) };
	struct bucket_scheme scheme;
	uint64_t n = 0;

	for (size_t i = 0; apart && i < ROWS; i++)
		edge[i] = mark_end(r, i);
	scheme = bucket_edges(edge, apart ? ROWS : 2);
	if (!build_scheme(r->lines.to, &scheme, r->where))
		return false;
	for (size_t i = 0; i < ROWS; i++) {
		if (__builtin_add_overflow(n, count[i], &n))
			return lines_fail(&r->lines, DIAG_COUNT_OVERFLOW, where[i],
					  "the sum passes 2^64-1 here");
		/* Merge the first row with the second, or all rows. */
		if (i == 0 || (!apart && i + 1 < ROWS))
			continue;
		if (n > 0 && !build_bucket(r->lines.to, apart ? (int)i - 1 : 0, n, where[i]))
			return false;
		r->calls += n;
		n = 0;
	}
	return true;
}

/* Reads from the head up to an empty line. */
static bool hey_read_histogram(struct reader *r, struct str head)
{
	uint64_t count[ROWS];
	struct str where[ROWS];
	size_t n = 0;

	if (r->section == SECTION_NONE || r->has_histogram || isnan(r->slowest) ||
	    isnan(r->fastest) || r->slowest < r->fastest)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, head,
				  "expected Slowest and Fastest before it");
	r->has_histogram = true;
	r->where = head;
	r->section = SECTION_OTHER;
	if (!build_operation_in(r->lines.to, r->unit, STR(""), STR("response"), head))
		return false;
	build_approximate(r->lines.to);
	while (lines_next(&r->lines) && r->lines.text.n > 0) {
		if (!hey_read_row(r, r->lines.text, n, &count[n < ROWS ? n : 0]))
			return false;
		where[n++] = r->lines.text;
	}
	if (n == 0) /* no responses */
		return build_histogram(r->lines.to, head);
	if (n < ROWS)
		return format_fail(r->lines.in, r->lines.diag, DIAG_INPUT_TRUNCATED, where[n - 1],
				   "%zu rows of 11", n);
	build_min(r->lines.to, r->fastest);
	build_max(r->lines.to, r->slowest);
	return hey_push_rows(r, count, where);
}

/* --- the end of a report -------------------------------------------------------------------- */

static bool push_average(struct reader *r)
{
	const double last_digit = 1e-4;
	bool fine_buckets = (r->slowest - r->fastest) / (ROWS - 1) < last_digit;

	if (!r->oha && r->calls >= MAX_REQUESTS) {
		/* hey divides the sum of all requests by the number that it kept. */
		diag_part(r->lines.diag, DIAG_NOT_RECORDED, r->lines.in, r->where,
			  "hey keeps the first million requests only");
		return true;
	}
	if (!r->has_average || fine_buckets || r->calls == 0)
		return true;
	return lines_push_mean(&r->lines, r->average, r->calls, r->where, "average times calls");
}

/* `where` is the text after the report, for messages. */
static bool end_report(struct reader *r, struct str where)
{
	if (r->section == SECTION_NONE)
		return true;
	if (!r->has_histogram || r->section < SECTION_STATUS)
		return format_fail(r->lines.in, r->lines.diag,
				   where.n > 0 ? DIAG_LINE_UNEXPECTED : DIAG_INPUT_TRUNCATED, where,
				   "a report ends before its %s",
				   r->has_histogram ? "status codes" : "histogram");
	if (r->failed > 0)
		diag_part(r->lines.diag, DIAG_COLLECTOR_ERROR, r->lines.in, r->failed_at,
			  "%llu requests failed and are not counted",
			  (unsigned long long)r->failed);
	return build_count(r->lines.to, r->responses, r->where) && push_average(r);
}

static bool begin_report(struct reader *r, struct str line)
{
	if (!end_report(r, line))
		return false;
	r->section = SECTION_SUMMARY;
	r->begin = line;
	r->oha = r->has_average = r->has_histogram = false;
	r->unit = UNIT_UNKNOWN;
	r->slowest = r->fastest = NAN;
	r->calls = r->responses = r->failed = 0;
	return true;
}

static bool add_count(struct reader *r, uint64_t *sum, struct str digits)
{
	uint64_t n;

	if (!lines_count(&r->lines, digits, &n, "expected how many"))
		return false;
	return !__builtin_add_overflow(*sum, n, sum) ||
	       lines_fail(&r->lines, DIAG_COUNT_OVERFLOW, digits, "the sum passes 2^64-1 here");
}

/* Reads "  [200]	2000 responses". */
static bool read_status(struct reader *r, struct str line)
{
	struct str code, rest, count;

	if (!str_has_prefix(line, STR("[")) || !str_cut(line, ']', &code, &rest) ||
	    !str_cut(str_trim(rest), ' ', &count, &rest) || !str_eq(rest, STR("responses")))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, line,
				  "expected [STATUS] REQUESTS responses");
	return add_count(r, &r->responses, count);
}

/* Reads "  [20]	Get "http://...": connection refused". */
static bool read_error(struct reader *r, struct str line)
{
	struct str count, rest;

	if (!str_has_prefix(line, STR("[")) || !str_cut(str_skip(line, 1), ']', &count, &rest))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, line,
				  "expected [REQUESTS] and an error");
	if (str_eq(str_trim(rest), STR("aborted due to deadline"))) /* oha -z */
		build_run_fixed_duration(r->lines.to);
	r->failed_at = r->failed == 0 ? line : r->failed_at;
	return add_count(r, &r->failed, count);
}

/* Reads the last two sections, whose lines begin with a bracket. */
static bool read_end(struct reader *r, struct str line)
{
	if (str_eq(line, STR("Error distribution:")))
		r->section = SECTION_ERRORS;
	else if (!str_has_prefix(line, STR("[")))
		r->section = SECTION_DONE;
	else if (r->section == SECTION_STATUS)
		return read_status(r, line);
	else if (r->section == SECTION_ERRORS)
		return read_error(r, line);
	return true;
}

static bool hey_line(void *reader)
{
	struct reader *r = reader;
	struct str line = r->lines.text;

	if (str_eq(line, STR("Summary:")))
		return begin_report(r, line);
	if (is_histogram(line))
		return hey_read_histogram(r, line);
	if (r->section == SECTION_SUMMARY)
		return read_summary(r, line);
	if (r->section == SECTION_OTHER && str_eq(line, STR("Status code distribution:")))
		r->section = SECTION_STATUS;
	else if (r->section >= SECTION_STATUS)
		return read_end(r, line);
	return true;
}

static bool hey_end(void *reader)
{
	struct reader *r = reader;
	struct str bytes = r->lines.in->bytes;

	if (r->section != SECTION_NONE && r->section <= SECTION_STATUS &&
	    carried_goes_on(r->lines.options->carried))
		return lines_fail(&r->lines, DIAG_INPUT_TRUNCATED, r->begin,
				  "expected the rest of a report");
	return end_report(r, str_skip(bytes, bytes.n));
}

static const struct line_format reports = { .size = sizeof(struct reader),
					    .line = hey_line,
					    .end = hey_end,
					    .snapshots = SNAPSHOTS_DELTA };

const struct format format_hey = {
	.name = "hey",
	.title = "hey and oha: response times; requests of hey -o csv",
	.versions = "hey 0.1.4, 0.1.5, oha of 2024",
	.unit = "stated; s with -o csv",
	.totals = "average times requests, exact with -o csv",
	.probe = probe_hey,
	.streams = true,
	.read = tool_table_read,
	.spec = &requests,
};
