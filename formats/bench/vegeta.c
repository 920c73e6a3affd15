/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vegeta: reports of the HTTP load generator vegeta.
 *
 *	Bucket         #     %       Histogram
 *	[0s,    2ms]   6007  32.65%  ########################
 *	[6ms,   +Inf]  4771  25.93%  ###################
 *
 *	{"latencies":{"total":237119463,"mean":2371194,...,"max":3660505,"min":1949582},
 *	 "buckets":{"0":60,"2000000":40},...,"requests":100,...}
 *
 *	Requests      [total, rate, throughput] 1200, 120.00, 65.87
 *	Latencies     [min, mean, 50, 95, 99, max]  90.438129ms, 113.172398ms, ...
 *
 * The operation is "request"; failed requests count, too.  A row excludes its upper edge, although
 * it prints a bracket; the last row is open.  Durations are in Go's format: 1m2.5s.  "buckets",
 * which -buckets adds, has lower edges in ns as keys.  Without buckets there are calls, sum (in
 * text, the mean) and extremes.  Several reports, from -every, are snapshots.
 *
 * Seen: the examples of vegeta 12.  Not supported: -type=hdrplot, results in gob, CSV and JSON.
 */
#include <math.h>

#include "base/json.h"
#include "formats/lines.h"
#include "formats/measure.h"
#include "formats/text.h"

/* --- recognising ------------------------------------------------------------------ */

static bool is_table(struct str line)
{
	return text_is_words(line, "Bucket # % Histogram");
}

/* Splits "Latencies     [min, mean, 50, 95, 99, max]  90.438129ms, ..." into its two lists. */
static bool take_lists(struct str line, struct str name, struct str *ret_names,
		       struct str *ret_values)
{
	struct str rest = str_skip(line, name.n);

	if (!str_has_prefix(line, name) || !str_has_prefix(str_trim(rest), STR("[")) ||
	    !str_cut(str_skip(str_trim(rest), 1), ']', ret_names, &rest))
		return false;
	*ret_values = str_trim(rest);
	return true;
}

static bool vegeta_is_json(struct str head)
{
	return str_has_prefix(json_without_space(head), STR("{"));
}

static bool vegeta_is_one(struct str head)
{
	struct str line, names, values;
	bool requests = false;

	if (vegeta_is_json(head))
		return format_has_marks(
			head, MARKS("", "\"latencies\"", "\"bytes_in\"", "\"throughput\""));
	while (text_line(&head, &line)) {
		if (is_table(line) ||
		    (requests && take_lists(line, STR("Latencies "), &names, &values)))
			return true;
		requests |= take_lists(line, STR("Requests "), &names, &values) &&
			    str_has_prefix(names, STR("total, rate"));
	}
	return false;
}

/* --- durations ---------------------------------------------------------------------------- */

/* Parses "0", "145.082066ms", "1m2.5s" to ns. */
static bool parse_duration(struct str s, struct decimal *ret)
{
	struct decimal sum = { 0 }, part;
	struct str number;
	uint64_t ns;

	if (str_eq(s, STR("0"))) {
		*ret = sum;
		return true;
	}
	if (s.n == 0)
		return false;
	while (s.n > 0) {
		if (!measure_take(&s, &number, &ns) || !decimal_parse(number, &part) ||
		    !decimal_times(part, ns, &part) || !decimal_add(sum, part, &sum))
			return false;
	}
	*ret = sum;
	return true;
}

/* --- text --------------------------------------------------------------------------------- */

struct reader {
	struct lines lines;
	struct json j;
	struct str where; /* beginning of the current report */
};

static bool open_operation(struct reader *r, struct str where)
{
	return build_operation_in(r->lines.to, UNIT_NS, STR(""), STR("request"), where);
}

/* Reads "[2ms,   4ms]   5505  29.92%  ######".  *low is the expected lower edge, and becomes the
 * upper one. */
static bool vegeta_read_row(struct reader *r, struct str line, double *low)
{
	struct decimal from, to = { 0 };
	struct str first, second, rest, count;
	struct cursor c;
	bool open;
	uint64_t n;

	if (!str_has_prefix(line, STR("[")) || !str_cut(str_skip(line, 1), ',', &first, &rest) ||
	    !str_cut(rest, ']', &second, &rest))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, line,
				  "expected [FROM, TO] REQUESTS");
	second = str_trim(second);
	open = str_eq(second, STR("+Inf"));
	if (!parse_duration(first, &from) || (!open && !parse_duration(second, &to)))
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, line, "expected durations");
	if (decimal_f64(from) != *low)
		return lines_fail(&r->lines, DIAG_BUCKET_BOUNDS, first,
				  "does not begin where the row before it ends");
	c = cursor_at(r->lines.in, rest);
	if (!scan_word(&c, &count))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, line, "a row without a count");
	if (!lines_count(&r->lines, count, &n, "expected how many requests"))
		return false;
	*low = open ? HUGE_VAL : decimal_f64(to);
	return build_range(r->lines.to, decimal_f64(from), *low, n, count);
}

/* Reads up to the last row, which is open. */
static bool vegeta_read_table(struct reader *r, struct str head)
{
	double low = 0;

	if (!open_operation(r, head) || !build_histogram(r->lines.to, head))
		return false;
	while (!isinf(low)) {
		if (!lines_next(&r->lines))
			return lines_fail(&r->lines, DIAG_INPUT_TRUNCATED, head,
					  "a table without a row up to +Inf");
		if (!vegeta_read_row(r, r->lines.text, &low))
			return false;
	}
	return true;
}

/* Finds the value with this name; false when there is none. */
static bool find_value(struct str names, struct str values, struct str wanted, struct str *ret)
{
	struct str name, value;

	for (bool more = true; more;) {
		more = str_cut(names, ',', &name, &names);
		name = more ? name : names;
		if (!str_cut(values, ',', &value, &values))
			value = values;
		if (str_eq(str_trim(name), wanted)) {
			*ret = str_trim(value);
			return true;
		}
	}
	return false;
}

/* Reads "Duration      [total, attack, wait]     10.09s, 9.95s, 145ms". */
static void vegeta_read_duration(struct reader *r, struct str names, struct str values)
{
	struct str total;
	double seconds;

	if (find_value(names, values, STR("total"), &total) && measure_seconds(total, &seconds))
		build_elapsed(r->lines.to, seconds);
}

/* Reads "Requests      [total, rate, throughput] 1200, 120.00, 65.87" and then the latencies. */
static bool read_requests(struct reader *r, struct str line, struct str names, struct str values)
{
	struct decimal mean, min, max, total;
	struct str count, value;
	uint64_t n;

	if (!find_value(names, values, STR("total"), &count))
		return true;
	if (!lines_count(&r->lines, count, &n, "expected how many requests"))
		return false;
	do {
		if (!lines_next(&r->lines))
			return lines_fail(&r->lines, DIAG_INPUT_TRUNCATED, line,
					  "a report without Latencies");
		if (take_lists(r->lines.text, STR("Duration "), &names, &values))
			vegeta_read_duration(r, names, values);
	} while (!take_lists(r->lines.text, STR("Latencies "), &names, &values));
	if (!find_value(names, values, STR("mean"), &value) || !parse_duration(value, &mean) ||
	    !decimal_times(mean, n, &total))
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, r->lines.text,
				  "expected a mean, a duration");
	if (!open_operation(r, line) || !build_count(r->lines.to, n, count) ||
	    !build_total(r->lines.to, total, value))
		return false;
	build_rounded_totals(r->lines.to);
	if (find_value(names, values, STR("min"), &value) && parse_duration(value, &min))
		build_min(r->lines.to, decimal_f64(min));
	if (find_value(names, values, STR("max"), &value) && parse_duration(value, &max))
		build_max(r->lines.to, decimal_f64(max));
	return true;
}

static bool read_text(struct reader *r)
{
	struct str names, values;
	bool again = false;

	while (lines_next(&r->lines)) {
		struct str line = r->lines.text;

		if (is_table(line) && !vegeta_read_table(r, line))
			return false;
		if (!take_lists(line, STR("Requests "), &names, &values))
			continue;
		if (again)
			build_next_interval(r->lines.to, NAN);
		again = true;
		if (!read_requests(r, line, names, values))
			return false;
	}
	return true;
}

/* --- JSON ----------------------------------------------------------------------------------- */

struct report {
	uint64_t total, min, max; /* ns */
	uint64_t requests;
	uint64_t duration, wait; /* ns: of the attack, and for the last response */
	bool has_total, has_requests;
	struct str where;
};

/* Reads {"0":60,"2000000":40} into the current operation. */
static bool read_buckets(void *reader)
{
	struct reader *r = reader;
	struct json *j = &r->j;
	struct str key, where = STR("");
	uint64_t low = 0, count = 0, next, n;
	bool any = false;

	if (!build_histogram(r->lines.to, r->where))
		return false;
	for (json_object(j); json_key(j, &key);) {
		size_t from = json_begin(j);

		if (!json_u64(j, &n))
			return false;
		if (number_u64(key, &next) != NUMBER_OK || (any && next <= low))
			return lines_fail(&r->lines, DIAG_BUCKET_ORDER, json_since(j, from),
					  "after a key that is no later edge in ns");
		if (any && !build_range(r->lines.to, (double)low, (double)next, count, where))
			return false;
		any = true;
		low = next;
		count = n;
		where = json_since(j, from);
	}
	return !j->failed &&
	       (!any || build_range(r->lines.to, (double)low, HUGE_VAL, count, where));
}

static bool push_report(struct reader *r, const struct report *report)
{
	if (report->min > 0)
		build_min(r->lines.to, (double)report->min);
	if (report->max > 0)
		build_max(r->lines.to, (double)report->max);
	if (report->duration > 0)
		build_elapsed(r->lines.to, ((double)report->duration + (double)report->wait) / 1e9);
	return (!report->has_requests ||
		build_count(r->lines.to, report->requests, report->where)) &&
	       (!report->has_total ||
		build_total(r->lines.to, decimal_from_u64(report->total), report->where));
}

static bool read_report(struct reader *r)
{
	struct report report = { .where = { r->lines.in->bytes.p + json_begin(&r->j), 1 } };
	const struct json_member latencies[] = {
		JSON_U64("total", &report.total, &report.has_total),
		JSON_U64("min", &report.min),
		JSON_U64("max", &report.max),
	};
	const struct json_member members[] = {
		JSON_OBJECT("latencies", latencies),
		JSON_U64("requests", &report.requests, &report.has_requests),
		JSON_U64("duration", &report.duration),
		JSON_U64("wait", &report.wait),
		JSON_READ("buckets", read_buckets, r, .only = '{'),
	};

	r->where = report.where; /* the opening brace */
	return open_operation(r, r->where) && json_members(&r->j, members, COUNT_OF(members)) &&
	       push_report(r, &report);
}

static bool vegeta_read_json(struct reader *r)
{
	bool ok = true;

	lines_json(&r->lines, &r->j);
	for (bool again = false; ok && json_peek(&r->j) != '\0'; again = true) {
		if (again)
			build_next_interval(r->lines.to, NAN);
		ok = read_report(r);
	}
	return ok && !r->j.failed;
}

static bool vegeta_text(void *reader)
{
	struct reader *r = reader;

	return vegeta_is_json(r->lines.in->bytes) ? vegeta_read_json(r) : read_text(r);
}

const struct format format_vegeta = {
	.name = "vegeta",
	.title = "vegeta report: histograms, or summary statistics, as text and JSON",
	.versions = "12",
	.unit = "stated; ns in JSON",
	.totals = "exact in JSON, else mean times requests",
	.is_one = vegeta_is_one,
	.read = lines_read,
	.spec =
		&(const struct line_format){
			.size = sizeof(struct reader),
			.end = vegeta_text,
			.fixed_duration = true /* attacks have a rate and a duration */ },
};
