/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * google-benchmark: results of programs built with the benchmark library in JSON
 * (--benchmark_format=json), CSV, or as the console table.
 *
 *	{ "context": { "num_cpus": 2 },
 *	  "benchmarks": [ { "name": "copy/64", "run_name": "copy/64", "run_type": "iteration",
 *	      "iterations": 1000, "real_time": 5.26e+02, "time_unit": "ns" } ] }
 *
 *	"copy/64",1000,526.1,526.0,ns,,,,,
 *	copy/64             526 ns          526 ns         1000
 *
 * Only means are printed: the number of calls is the iterations, and the total is the mean real
 * time times iterations.  Before version 1.9, the real time of a benchmark of n threads is that of
 * the run over the iterations of all threads, so that each of its calls took n times as long.  JSON
 * states the version if it is recent; elsewhere only a call that takes less than its own CPU time
 * shows this.  Repetitions are runs.  Aggregates are read only if there is nothing
 * else; then the mean is used.  Failed benchmarks are left out.
 *
 * Seen: 1.7.1, 1.9.1.
 */

#include "base/arena.h"
#include "base/json.h"
#include "formats/lines.h"
#include "formats/text.h"

struct result {
	struct str name, run_name, where;
	bool aggregate, failed;
	bool is_mean, in_time; /* for aggregates */
	struct str iterations, real_time, cpu_time, unit;
};

/* How real times of several threads are known to be computed. */
enum times { TIMES_UNKNOWN, TIMES_OF_CALLS, TIMES_OVER_THREADS };

struct reader {
	struct lines lines; /* for CSV and the console */
	bool csv, console;  /* which head was read */
	bool only_aggregates;
	enum times times;
	bool all_digits; /* means have the full precision of a double, as in JSON */
};

/* --- recognising ------------------------------------------------------------- */

static const char csv_head[] = "name,iterations,real_time,cpu_time,time_unit";

static bool is_table_head(struct str line)
{
	struct cursor c;
	struct input in = { .bytes = line };
	struct str word[4];

	c = cursor_on(&in);
	for (size_t i = 0; i < COUNT_OF(word); i++) {
		if (!scan_word(&c, &word[i]))
			return false;
	}
	return str_eq(word[0], STR("Benchmark")) && str_eq(word[1], STR("Time")) &&
	       str_eq(word[2], STR("CPU")) && str_eq(word[3], STR("Iterations"));
}

static bool google_benchmark_is_json(struct str s)
{
	s = str_trim(s);
	if (!str_has_prefix(s, STR("{")))
		return false;
	return str_has_prefix(json_without_space(str_skip(s, 1)), STR("\"context\""));
}

static enum probe probe_google_benchmark(struct str head, struct clue *clue)
{
	struct str line, rest = head;

	if (google_benchmark_is_json(head)) {
		if (str_contains(head, STR("\"benchmarks\"")) ||
		    str_contains(head, STR("\"library_build_type\"")))
			return PROBE_MAGIC;
		*clue = (struct clue){ 0, "a context without benchmarks" };
		return PROBE_NO;
	}
	while (text_line(&rest, &line)) {
		if (str_has_prefix(line, str_from(csv_head)) || is_table_head(line))
			return PROBE_MAGIC;
	}
	return PROBE_NO;
}

/* --- results --------------------------------------------------------------------- */

static bool expected_number(struct reader *r, const struct result *b, const char *what)
{
	return format_fail(r->lines.in, r->lines.diag, DIAG_NUMBER_BAD, b->where, "expected %s",
			   what);
}

static bool push_to(struct builder *to, const struct reader *r, const struct result *b,
		    enum unit unit, uint64_t n, struct decimal total)
{
	if (!build_operation_in(to, unit, STR(""), b->run_name.n > 0 ? b->run_name : b->name,
				b->where))
		return false;
	if (!r->all_digits)
		build_rounded_totals(to);
	build_fixed_duration(to);
	return build_count(to, n, b->where) && build_total(to, total, b->where);
}

/* Returns the number of threads of "copy/64/threads:10"; 1 where it states none. */
static uint64_t threads_of(struct str name)
{
	static const struct str mark = STR_INIT("/threads:");
	struct input in = { .bytes = str_skip(name, str_find(name, mark)) };
	struct cursor c = cursor_on(&in);
	uint64_t n;

	return scan_literal(&c, mark) && scan_u64(&c, &n) && n > 0 ? n : 1;
}

/* Returns how many times as long as the printed time a call took. */
static uint64_t times_longer(const struct reader *r, const struct result *b, double mean)
{
	enum times times = r->times;
	double cpu;

	if (times == TIMES_UNKNOWN && number_f64(b->cpu_time, &cpu) == NUMBER_OK && cpu > mean)
		times = TIMES_OVER_THREADS;
	return times == TIMES_OVER_THREADS ? threads_of(b->run_name.n > 0 ? b->run_name : b->name)
					   : 1;
}

static bool google_benchmark_push(struct reader *r, const struct result *b)
{
	struct decimal total;
	enum unit unit;
	double mean;
	uint64_t n;

	if (number_u64(b->iterations, &n) != NUMBER_OK)
		return expected_number(r, b, "a whole number of iterations");
	if (number_f64(b->real_time, &mean) != NUMBER_OK || !(mean >= 0))
		return expected_number(r, b, "a real time");
	if (!unit_parse(b->unit, &unit) || !unit_is_time(unit))
		return expected_number(r, b, "a unit of time: ns, us, ms or s");
	mean *= (double)times_longer(r, b, mean);
	if (!decimal_from_f64(mean * (double)n, &total))
		return format_fail(r->lines.in, r->lines.diag, DIAG_TOTAL_OVERFLOW, b->where,
				   "real time times iterations");
	if (!push_to(r->lines.to, r, b, unit, n, total))
		return false;
	(void)push_to(build_repetition(r->lines.to), r, b, unit, n, total);
	return true;
}

static bool take_result(struct reader *r, const struct result *b)
{
	if (b->failed) {
		r->lines.left_out++;
		return true;
	}
	if (b->aggregate && !(r->only_aggregates && b->is_mean && b->in_time))
		return true;
	return google_benchmark_push(r, b);
}

/* --- JSON ------------------------------------------------------------------------ */

static bool read_result(struct json *j, struct result *b)
{
	size_t from = json_begin(j);
	struct str type = STR(""), name = STR(""), unit = STR("time");
	const struct json_member members[] = {
		JSON_TEXT_OR_SKIP("name", &b->name),
		JSON_TEXT_OR_SKIP("run_name", &b->run_name),
		JSON_TEXT_OR_SKIP("iterations", &b->iterations),
		JSON_TEXT_OR_SKIP("real_time", &b->real_time),
		JSON_TEXT_OR_SKIP("cpu_time", &b->cpu_time),
		JSON_TEXT_OR_SKIP("time_unit", &b->unit),
		JSON_TEXT_OR_SKIP("run_type", &type),
		JSON_TEXT_OR_SKIP("aggregate_name", &name),
		JSON_TEXT_OR_SKIP("aggregate_unit", &unit),
		JSON_FLAG("error_occurred", &b->failed),
		JSON_FLAG("skipped", &b->failed),
	};

	*b = (struct result){ .unit = STR("ns") };
	if (!json_members(j, members, COUNT_OF(members)))
		return false;
	b->aggregate = str_eq(type, STR("aggregate"));
	b->is_mean = str_eq(name, STR("mean"));
	b->in_time = str_eq(unit, STR("time"));
	b->where = json_since(j, from);
	return true;
}

/* Reads all results of "benchmarks"; with `look`, only finds out which kinds there are. */
static bool read_results(struct json *j, struct reader *r, bool look)
{
	bool singles = false, any = false;
	struct result b;

	for (json_array(j); json_item(j);) {
		if (!read_result(j, &b) || (!look && !take_result(r, &b)))
			return false;
		singles |= !b.aggregate && !b.failed;
		any = true;
	}
	r->only_aggregates = any && !singles;
	return !j->failed;
}

/* Before 1.8.3 the version is not stated. */
static bool read_context(struct reader *r, struct json *j)
{
	struct str version = STR("1.8");
	const struct json_member members[] = { JSON_TEXT_OR_SKIP("library_version", &version) };
	struct input in;
	struct cursor c;
	uint64_t major, minor;

	if (!json_members(j, members, COUNT_OF(members)))
		return false;
	in = (struct input){ .bytes = version };
	c = cursor_on(&in);
	if (str_has_prefix(version, STR("v")))
		c.at++;
	r->times = TIMES_UNKNOWN;
	if (scan_u64(&c, &major) && scan_literal(&c, STR(".")) && scan_u64(&c, &minor))
		r->times = major > 1 || minor > 8 ? TIMES_OF_CALLS : TIMES_OVER_THREADS;
	return true;
}

static bool google_benchmark_read_document(struct reader *r, struct json *j)
{
	struct str key;

	for (json_object(j); json_key(j, &key);) {
		struct json ahead = *j;

		if (str_eq(key, STR("context"))) {
			if (!read_context(r, j))
				return false;
		} else if (str_eq(key, STR("benchmarks"))) {
			if (!read_results(&ahead, r, true) || !read_results(j, r, false))
				return false;
		} else if (!json_skip(j)) {
			return false;
		}
	}
	return !j->failed;
}

/* Reads one document, or the concatenated documents of several runs. */
static bool google_benchmark_read_json(struct reader *r)
{
	struct json j;

	r->all_digits = true;
	lines_json(&r->lines, &j);
	do {
		if (!google_benchmark_read_document(r, &j))
			return false;
	} while (json_peek(&j) == '{');
	return json_end(&j);
}

/* --- CSV and the console ------------------------------------------------------------ */

/* Whether the name is that of an aggregate: "copy/64_mean". */
static bool is_aggregate(struct str name)
{
	static const char *const suffixes[] = { "_mean", "_median", "_stddev", "_cv" };

	for (size_t i = 0; i < COUNT_OF(suffixes); i++) {
		if (str_has_suffix(name, str_from(suffixes[i])))
			return true;
	}
	return false;
}

/* Reads "copy/64",1000,526.1,526.0,ns,...; quotes in a name are doubled. */
static bool google_benchmark_read_row(struct reader *r, struct str line)
{
	struct result b = { .where = line };
	struct str rest = str_skip(line, 1);
	char *name = arena_make(r->lines.arena, char, line.n + 1);
	size_t n = 0;

	while (rest.n > 0 && (rest.p[0] != '"' || str_has_prefix(rest, STR("\"\"")))) {
		name[n++] = rest.p[0];
		rest = str_skip(rest, rest.p[0] == '"' ? 2 : 1);
	}
	b.name = (struct str){ name, n };
	if (!str_has_prefix(rest, STR("\",")))
		return format_fail(r->lines.in, r->lines.diag, DIAG_CSV_BAD, line,
				   "expected a name in quotes");
	rest = str_skip(rest, 2);
	if (!str_cut(rest, ',', &b.iterations, &rest) || !str_cut(rest, ',', &b.real_time, &rest) ||
	    !str_cut(rest, ',', &b.cpu_time, &rest))
		return lines_fail(&r->lines, DIAG_INPUT_TRUNCATED,
				  (struct str){ line.p + line.n, 0 },
				  "expected name, iterations, real time, CPU time and unit");
	if (!str_cut(rest, ',', &b.unit, &rest))
		b.unit = rest;
	b.failed = b.iterations.n == 0 && str_contains(line, STR(",true,"));
	b.aggregate = is_aggregate(b.name);
	return take_result(r, &b);
}

/* A name may contain single blanks.  It is followed by two blanks, or by one before a long time. */
static bool scan_name(struct cursor *c, struct str *ret)
{
	struct cursor after = *c;
	struct str rest = cursor_rest(c), next;
	double time;

	if (!scan_word(&after, ret))
		return false;
	*c = after;
	if (!scan_word(&after, &next) || number_f64(next, &time) == NUMBER_OK)
		return true;
	ret->n = str_find(rest, STR("  "));
	ret->p = rest.p;
	c->at += (size_t)(rest.p + ret->n - cursor_rest(c).p);
	return true;
}

static bool read_console_line(struct reader *r, struct str line)
{
	struct result b = { .where = line };
	struct cursor at = cursor_at(r->lines.in, line);
	struct str cpu_unit;

	if (!scan_name(&at, &b.name))
		return true;
	b.failed = str_contains(cursor_rest(&at), STR("ERROR OCCURRED:")) ||
		   str_contains(cursor_rest(&at), STR("SKIPPED:"));
	b.aggregate = is_aggregate(b.name);
	if (b.failed || b.aggregate)
		return take_result(r, &b);
	if (!scan_word(&at, &b.real_time) || !scan_word(&at, &b.unit) ||
	    !scan_word(&at, &b.cpu_time) || !scan_word(&at, &cpu_unit) ||
	    !scan_word(&at, &b.iterations))
		return format_fail(r->lines.in, r->lines.diag, DIAG_LINE_UNEXPECTED, b.where,
				   "expected name, time, CPU time and iterations");
	return take_result(r, &b);
}

static bool google_benchmark_line(struct reader *r)
{
	struct str line = r->lines.text;

	if (str_has_prefix(line, str_from(csv_head)))
		r->csv = true;
	else if (is_table_head(line))
		r->console = true;
	else if (r->csv && str_has_prefix(line, STR("\"")))
		return google_benchmark_read_row(r, line);
	else if (r->console && line.n > 0 && !str_has_prefix(line, STR("-----")))
		return read_console_line(r, line);
	return true;
}

static bool google_benchmark_text(void *reader)
{
	struct reader *r = reader;
	bool ok = true;

	if (google_benchmark_is_json(r->lines.in->bytes))
		return google_benchmark_read_json(r);
	while (ok && lines_next(&r->lines))
		ok = google_benchmark_line(r);
	return ok;
}

const struct format format_google_benchmark = {
	.name = "google-benchmark",
	.title = "google-benchmark: summary statistics, from JSON, CSV or the console",
	.versions = "1.7.1, 1.9.1",
	.unit = "stated for each benchmark",
	.totals = "mean times iterations",
	.probe = probe_google_benchmark,
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .end = google_benchmark_text,
					     .left_out = "results of benchmarks that failed:" },
};
