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
 * The operation is "request"; requests that failed count, too.  A row does not hold its upper
 * edge, whatever its bracket says; the last one is open.  Durations are Go's: 1m2.5s.  Keys of
 * "buckets", which are there with -buckets, are lower edges in ns.  Without buckets there are
 * calls, sum and extremes, of the text the mean instead of the sum.  Several reports, of
 * -every, are prints.
 *
 * Seen: the examples of vegeta 12.  Not supported: -type=hdrplot, results in gob, CSV and JSON.
 */
#include <math.h>

#include "base/arena.h"
#include "base/json.h"
#include "formats/lines.h"
#include "formats/measure.h"
#include "formats/text.h"

/* --- recognising ------------------------------------------------------------------ */

static bool is_table(struct str line)
{
	static const char *const titles[] = { "Bucket", "#", "%", "Histogram" };
	struct input in = { .bytes = line };
	struct cursor c = cursor_on(&in);
	struct str word;

	for (size_t i = 0; i < COUNT_OF(titles); i++) {
		if (!scan_word(&c, &word) || !str_eq(word, str_from(titles[i])))
			return false;
	}
	return cursor_done(&c);
}

/* "Latencies     [min, mean, 50, 95, 99, max]  90.438129ms, ...": both lists. */
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

static enum probe probe_vegeta(struct str head, struct clue *clue)
{
	struct str line, rest = head, names, values;
	bool requests = false;

	(void)clue;
	if (vegeta_is_json(head))
		return format_has_marks(
			       head, MARKS("", "\"latencies\"", "\"bytes_in\"", "\"throughput\""))
			       ? PROBE_MAGIC
			       : PROBE_NO;
	while (text_line(&rest, &line)) {
		if (is_table(line) ||
		    (requests && take_lists(line, STR("Latencies "), &names, &values)))
			return PROBE_MAGIC;
		requests |= take_lists(line, STR("Requests "), &names, &values) &&
			    str_has_prefix(names, STR("total, rate"));
	}
	return PROBE_NO;
}

/* --- durations ---------------------------------------------------------------------------- */

/* "0", "145.082066ms", "1m2.5s", in ns. */
static bool duration(struct str s, struct decimal *ret)
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
	struct builder *to;
};

static bool open_operation(struct reader *r, struct str where)
{
	if (!build_operation(r->to, STR(""), STR("request"), where))
		return false;
	build_unit(r->to, UNIT_NS, UNIT_STATED);
	return true;
}

/* "[2ms,   4ms]   5505  29.92%  ######": *low is where it has to begin, and then where it
 * ends. */
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
	if (!duration(first, &from) || (!open && !duration(second, &to)))
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
	return build_range(r->to, decimal_f64(from), *low, n, count);
}

/* Up to the row that is open above. */
static bool vegeta_read_table(struct reader *r, struct str head)
{
	double low = 0;

	if (!open_operation(r, head) || !build_histogram(r->to, head))
		return false;
	while (!isinf(low)) {
		if (!lines_next(&r->lines))
			return format_fail(r->lines.in, r->lines.diag, DIAG_INPUT_TRUNCATED, head,
					   "a table without a row up to +Inf");
		if (!vegeta_read_row(r, r->lines.text, &low))
			return false;
	}
	return true;
}

/* The value that has this name; false when none has. */
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

/* "Duration      [total, attack, wait]     10.09s, 9.95s, 145ms" */
static void vegeta_read_duration(struct reader *r, struct str names, struct str values)
{
	struct str total;
	double seconds;

	if (find_value(names, values, STR("total"), &total) && measure_seconds(total, &seconds))
		build_elapsed(r->to, seconds);
}

/* "Requests      [total, rate, throughput] 1200, 120.00, 65.87", and further on latencies. */
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
			return format_fail(r->lines.in, r->lines.diag, DIAG_INPUT_TRUNCATED, line,
					   "a report without Latencies");
		if (take_lists(r->lines.text, STR("Duration "), &names, &values))
			vegeta_read_duration(r, names, values);
	} while (!take_lists(r->lines.text, STR("Latencies "), &names, &values));
	if (!find_value(names, values, STR("mean"), &value) || !duration(value, &mean) ||
	    !decimal_times(mean, n, &total))
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, r->lines.text,
				  "expected a mean, a duration");
	if (!open_operation(r, line) || !build_count(r->to, n, count) ||
	    !build_total(r->to, total, value))
		return false;
	build_rounded_totals(r->to);
	if (find_value(names, values, STR("min"), &value) && duration(value, &min))
		build_min(r->to, decimal_f64(min));
	if (find_value(names, values, STR("max"), &value) && duration(value, &max))
		build_max(r->to, decimal_f64(max));
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
			build_next_interval(r->to, NAN);
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
	uint64_t duration, wait; /* ns: of the attack, and for the last answer */
	bool has_total, has_requests;
	struct str where;
};

/* {"0":60,"2000000":40}: of the current operation. */
static bool read_buckets(struct reader *r, struct json *j)
{
	struct str key, where = STR("");
	uint64_t low = 0, count = 0, next, n;
	bool any = false;

	for (json_object(j); json_key(j, &key);) {
		size_t from = json_begin(j);

		if (!json_u64(j, &n))
			return false;
		if (number_u64(key, &next) != NUMBER_OK || (any && next <= low))
			return format_fail(r->lines.in, r->lines.diag, DIAG_BUCKET_ORDER,
					   json_since(j, from),
					   "after a key that is no later edge in ns");
		if (any && !build_range(r->to, (double)low, (double)next, count, where))
			return false;
		any = true;
		low = next;
		count = n;
		where = json_since(j, from);
	}
	return !j->failed && (!any || build_range(r->to, (double)low, HUGE_VAL, count, where));
}

static bool read_latencies(struct json *j, struct report *report)
{
	const struct json_member members[] = {
		{ STR_INIT("total"), JSON_U64, &report->total, &report->has_total },
		{ STR_INIT("min"), JSON_U64, &report->min, NULL },
		{ STR_INIT("max"), JSON_U64, &report->max, NULL },
	};

	return json_members(j, members, COUNT_OF(members));
}

static bool push_report(struct reader *r, const struct report *report)
{
	if (report->min > 0)
		build_min(r->to, (double)report->min);
	if (report->max > 0)
		build_max(r->to, (double)report->max);
	if (report->duration > 0)
		build_elapsed(r->to, ((double)report->duration + (double)report->wait) / 1e9);
	return (!report->has_requests || build_count(r->to, report->requests, report->where)) &&
	       (!report->has_total ||
		build_total(r->to, decimal_from_u64(report->total), report->where));
}

static bool read_report(struct reader *r, struct json *j)
{
	struct report report = { .total = 0 };
	size_t from = json_begin(j);
	struct str key;

	if (!json_open(j, '{'))
		return false;
	report.where = json_since(j, from);
	if (!open_operation(r, report.where))
		return false;
	while (json_key(j, &key)) {
		bool ok;

		if (str_eq(key, STR("latencies")))
			ok = read_latencies(j, &report);
		else if (str_eq(key, STR("requests")))
			ok = report.has_requests = json_u64(j, &report.requests);
		else if (str_eq(key, STR("duration")))
			ok = json_u64(j, &report.duration);
		else if (str_eq(key, STR("wait")))
			ok = json_u64(j, &report.wait);
		else if (str_eq(key, STR("buckets")) && json_peek(j) == '{')
			ok = build_histogram(r->to, report.where) && read_buckets(r, j);
		else
			ok = json_skip(j);
		if (!ok)
			return false;
	}
	return !j->failed && push_report(r, &report);
}

static bool vegeta_read_json(struct reader *r, struct input *in, struct diag *diag)
{
	struct arena *strings = arena_new();
	bool ok = true, again = false;
	struct json j;

	json_start(&j, cursor_on(in), strings, diag);
	while (ok && json_peek(&j) != '\0') {
		if (again)
			build_next_interval(r->to, NAN);
		again = true;
		ok = read_report(r, &j);
	}
	arena_free(strings);
	return ok && !j.failed;
}

static bool read_vegeta(const struct read_task *task)
{
	struct reader r = { .to = task->to };

	build_run_fixed_duration(task->to); /* attacks are at a rate, and for a time */
	lines_start(&r.lines, task->in, task->diag);
	return vegeta_is_json(task->in->bytes) ? vegeta_read_json(&r, task->in, task->diag)
					       : read_text(&r);
}

const struct format format_vegeta = {
	.name = "vegeta",
	.title = "vegeta report: histograms, or summary statistics, as text and JSON",
	.versions = "12",
	.unit = "stated; ns in JSON",
	.totals = "exact in JSON, else mean times requests",
	.probe = probe_vegeta,
	.read = read_vegeta,
};
