/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jmh: results of the Java Microbenchmark Harness in JSON (-rf json).
 *
 *	[ { "benchmark" : "org.example.Sums.add", "mode" : "sample", "threads" : 1,
 *	    "measurementTime" : "1 s", "measurementBatchSize" : 1, "params" : { "n" : "10" },
 *	    "primaryMetric" : { "score" : 8.7E-6, "scoreUnit" : "s/op",
 *	      "rawDataHistogram" : [ [ [ [ 8.704E-6, 3 ], [ 8.72E-6, 1 ] ] ] ] },
 *	    "secondaryMetrics" : {} } ]
 *
 * An operation is the benchmark with its parameters; the layer is its mode.  In mode sample, the
 * histograms of all forks and iterations are added up: JMH has 1024 buckets per octave and prints
 * their lower edges.  In mode ss with batches of one, an iteration is a call; with several threads
 * it is the mean of theirs.  In mode avgt it is a mean, too: the number of calls is estimated
 * from the time of the iterations and the number of threads.  In mode thrpt the number of calls
 * follows from the throughput, and threads times the time is their total.  Other results are left
 * out with a note.
 *
 * Seen: 1.37.  Not supported: secondary metrics, the other formats of results.
 */
#include <math.h>

#include "base/arena.h"
#include "base/json.h"
#include "formats/bucket_sums.h"
#include "formats/lines.h"
#include "formats/measure.h"

struct result {
	struct str benchmark, mode, time, unit, where;
	uint64_t threads, batch;
	struct json raw, histogram; /* positions at their beginning */
	bool has_raw, has_histogram;
	uint64_t ns_of_unit; /* 0: the unit is neither time per operation nor operations per time */
};

struct reader {
	struct lines lines;
	struct json j;
	struct bucket_scheme scheme;
	struct bucket_sums sums;
	struct str params; /* parameters of the current result */
	bool off_grid;	   /* some value is not a lower edge */
};

static bool is_mode(const struct result *b, const char *mode)
{
	return str_eq(b->mode, str_from(mode));
}

/* --- mode sample ---------------------------------------------------------------------- */

/* Uses double instead of struct decimal, which would lose digits of a few ns given in s. */
static bool jmh_read_time(struct reader *r, struct json *j, const struct result *b, double *ret_ns,
			  struct str *ret_where)
{
	double time;

	if (!json_number(j, ret_where))
		return false;
	if (number_f64(*ret_where, &time) != NUMBER_OK || !(time >= 0) ||
	    !(time * (double)b->ns_of_unit < 0x1p63)) {
		(void)lines_fail(&r->lines, DIAG_NUMBER_RANGE, *ret_where,
				 "expected a time from 0 on");
		return false;
	}
	*ret_ns = time * (double)b->ns_of_unit;
	return true;
}

/* Reads [ 8.704E-6, 3 ]. */
static bool read_bucket(struct reader *r, struct json *j, const struct result *b)
{
	struct str where;
	uint64_t count;
	double ns = 0;
	int index;

	if (!json_open(j, '['))
		return false;
	if (!json_item(j))
		return json_unexpected(j, "a time and a count");
	if (!jmh_read_time(r, j, b, &ns, &where))
		return false;
	if (!json_item(j))
		return json_unexpected(j, "a count");
	if (!json_u64(j, &count))
		return false;
	if (json_item(j))
		return json_unexpected(j, "a time and a count");
	if (j->failed)
		return false;
	if (fabs(ns - round(ns)) <= 1e-9 * ns)
		ns = round(ns);
	index = bucket_find(&r->scheme, ns);
	r->off_grid |= ns > 0 && bucket_low(&r->scheme, index) != ns;
	return bucket_sums_add(&r->sums, index, count) ||
	       lines_fail(&r->lines, DIAG_COUNT_OVERFLOW, where, "the sum passes 2^64-1 here");
}

/* Reads nested arrays: forks, their iterations, their buckets. */
static bool read_histograms(struct reader *r, struct json *j, const struct result *b,
			    unsigned depth)
{
	if (depth == 0)
		return read_bucket(r, j, b);
	for (json_array(j); json_item(j);) {
		if (!read_histograms(r, j, b, depth - 1))
			return false;
	}
	return !j->failed;
}

static bool push_histogram(struct reader *r, struct result *b)
{
	bucket_sums_clear(&r->sums);
	r->off_grid = false;
	if (!read_histograms(r, &b->histogram, b, 3))
		return false;
	if (!bucket_sums_settle(&r->sums))
		return lines_fail(&r->lines, DIAG_COUNT_OVERFLOW, b->where,
				  "a sum of counts passes 2^64-1");
	if (!build_scheme(r->lines.to, &r->scheme, b->where))
		return false;
	if (r->off_grid)
		build_approximate(r->lines.to);
	for (size_t i = 0; i < r->sums.n; i++) {
		if (!build_bucket(r->lines.to, r->sums.at[i].index, r->sums.at[i].count, b->where))
			return false;
	}
	return true;
}

static bool begin_in(struct builder *to, const struct result *b, struct str name)
{
	if (!build_operation_in(to, UNIT_NS, b->mode, name, b->where))
		return false;
	build_fixed_duration(to);
	return true;
}

/* --- the other modes ------------------------------------------------------------------- */

static bool push_calls(struct reader *r, const struct result *b, struct str name)
{
	struct json j = b->raw;

	if (r->lines.samples.timed)
		return lines_fail(&r->lines, DIAG_COLUMN_MISSING, b->where,
				  "intervals need the time of each call; JMH has none");
	for (json_array(&j); json_item(&j);) {
		for (json_array(&j); json_item(&j);) {
			if (!samples_add_json(&r->lines.samples, &j, b->mode, name, b->ns_of_unit))
				return false;
		}
	}
	return !j.failed;
}

/* Finds the time of an iteration, "1 s", summed over its threads. */
static bool find_busy(struct reader *r, const struct result *b, struct decimal *ret_ns)
{
	struct input words = { .bytes = b->time };
	struct cursor c = cursor_on(&words);
	struct str number;

	return (measure_scan(&c, ret_ns, &number) && decimal_times(*ret_ns, b->threads, ret_ns)) ||
	       lines_fail(&r->lines, DIAG_NUMBER_BAD, b->where,
			  "expected threads and measurementTime, such as 1 s");
}

/* Returns the calls of an iteration in mode avgt, as many as fit into the time of all threads, or
 * thrpt: the throughput is of all threads, too. */
static double calls_of(const struct result *b, double busy_ns, double score)
{
	if (is_mode(b, "thrpt"))
		return round(score / (double)b->ns_of_unit * busy_ns / (double)b->threads);
	return round(busy_ns / (score * (double)b->ns_of_unit));
}

/* Adds an iteration, the mean over the calls of all threads: one call each in mode ss; of others
 * `busy` is the time of all threads. */
static bool add_iteration(struct reader *r, struct json *j, const struct result *b,
			  const struct decimal *busy, uint64_t *calls, struct decimal *total)
{
	struct decimal all;
	struct str where;
	double mean = 0, n;

	if (!jmh_read_time(r, j, b, &mean, &where))
		return false;
	n = busy == NULL ? (double)b->threads
			 : calls_of(b, decimal_f64(*busy), mean / (double)b->ns_of_unit);
	if (!(n < 0x1p63) || __builtin_add_overflow(*calls, (uint64_t)n, calls))
		return lines_fail(&r->lines, DIAG_COUNT_OVERFLOW, where,
				  "calls up to here pass 2^64-1");
	if (busy != NULL)
		all = *busy;
	return ((busy != NULL || decimal_from_f64(mean * n, &all)) &&
		decimal_add(*total, all, total)) ||
	       lines_fail(&r->lines, DIAG_TOTAL_OVERFLOW, where, "the sum up to here");
}

/* Forks are processes, so that iterations of one fork are alike; of a single fork, each iteration
 * is a run. */
struct repetitions {
	struct str name;
	bool forks;
	size_t n;
	uint64_t calls; /* of the current one */
	struct decimal total;
};

static size_t n_forks(const struct result *b)
{
	struct json j = b->raw;
	size_t n = 0;

	for (json_array(&j); json_item(&j); n++) {
		if (!json_skip(&j))
			break;
	}
	return n;
}

static void push_repetition(struct reader *r, const struct result *b, struct repetitions *runs)
{
	struct builder *to = build_replicate(r->lines.to, runs->n++);
	bool ok = begin_in(to, b, runs->name);

	build_rounded_totals(to);
	ok = ok && build_count(to, runs->calls, b->where) && build_total(to, runs->total, b->where);
	(void)ok; /* a builder that failed has no profile: then there are no replicates */
	runs->calls = 0;
	runs->total = (struct decimal){ 0 };
}

static bool push_means(struct reader *r, const struct result *b, struct str name)
{
	struct decimal busy, total = decimal_from_u64(0);
	bool estimate = is_mode(b, "avgt") || is_mode(b, "thrpt");
	struct json j = b->raw;
	struct repetitions runs = { .name = name, .forks = n_forks(b) > 1 };
	uint64_t calls = 0;

	if ((estimate && !find_busy(r, b, &busy)) || !json_open(&j, '['))
		return false;
	while (json_item(&j)) {
		for (json_array(&j); json_item(&j);) {
			uint64_t n = calls;
			struct decimal before = total;

			if (!add_iteration(r, &j, b, estimate ? &busy : NULL, &calls, &total))
				return false;
			runs.calls += calls - n;
			runs.total.billionths += total.billionths - before.billionths;
			if (!runs.forks)
				push_repetition(r, b, &runs);
		}
		if (runs.forks && !j.failed)
			push_repetition(r, b, &runs);
	}
	if (j.failed)
		return false;
	if (estimate)
		build_rounded_totals(r->lines.to);
	return build_count(r->lines.to, calls, b->where) &&
	       build_total(r->lines.to, total, b->where);
}

static bool begin_result(struct reader *r, const struct result *b, struct str name)
{
	return begin_in(r->lines.to, b, name);
}

static bool jmh_push(struct reader *r, struct result *b)
{
	struct str name = r->params.n == 0
				  ? b->benchmark
				  : arena_printf(r->lines.arena, "%.*s(%.*s)",
						 STR_ARG(b->benchmark), STR_ARG(r->params));
	bool means =
		is_mode(b, "avgt") || is_mode(b, "thrpt") || (is_mode(b, "ss") && b->batch == 1);

	if (b->ns_of_unit > 0 && b->has_histogram)
		return begin_result(r, b, name) && push_histogram(r, b);
	if (b->ns_of_unit > 0 && b->has_raw && means)
		return is_mode(b, "ss") && b->threads == 1
			       ? push_calls(r, b, name)
			       : begin_result(r, b, name) && push_means(r, b, name);
	r->lines.left_out++;
	return true;
}

/* --- results --------------------------------------------------------------------------- */

/* Reads the parameters as "n=10, kind=a". */
static bool read_params(void *reader)
{
	struct reader *r = reader;
	struct str key, value;

	for (json_object(&r->j); json_key(&r->j, &key);) {
		if (!json_text(&r->j, &value))
			return false;
		r->params = arena_printf(r->lines.arena, "%.*s%s%.*s=%.*s", STR_ARG(r->params),
					 r->params.n > 0 ? ", " : "", STR_ARG(key), STR_ARG(value));
	}
	return !r->j.failed;
}

static bool read_result(void *reader)
{
	static const struct str none = STR_INIT("");
	struct reader *r = reader;
	struct result b = { .benchmark = none, .mode = none, .time = none };
	const struct json_member metric[] = {
		JSON_STRING("scoreUnit", &b.unit),
		JSON_MARK("rawData", &b.raw, &b.has_raw),
		JSON_MARK("rawDataHistogram", &b.histogram, &b.has_histogram),
	};
	const struct json_member members[] = {
		JSON_STRING("benchmark", &b.benchmark),
		JSON_STRING("mode", &b.mode),
		JSON_U64("threads", &b.threads),
		JSON_STRING("measurementTime", &b.time),
		JSON_U64("measurementBatchSize", &b.batch),
		JSON_READ("params", read_params, r),
		JSON_OBJECT("primaryMetric", metric),
	};
	size_t from = json_begin(&r->j);

	r->params = none;
	if (!json_members(&r->j, members, COUNT_OF(members)))
		return false;
	b.where = json_since(&r->j, from);
	if (is_mode(&b, "thrpt") && str_has_prefix(b.unit, STR("ops/"))) {
		b.ns_of_unit = measure_nanoseconds(str_skip(b.unit, STR("ops/").n));
	} else if (str_has_suffix(b.unit, STR("/op"))) {
		b.unit.n -= STR("/op").n;
		b.ns_of_unit = measure_nanoseconds(b.unit);
	}
	return jmh_push(r, &b);
}

static bool jmh_text(void *reader)
{
	struct reader *r = reader;

	r->scheme = bucket_log_linear(1024, 1);
	lines_json(&r->lines, &r->j);
	return json_each(&r->j, read_result, r) && json_end(&r->j);
}

static void jmh_release(void *reader)
{
	struct reader *r = reader;

	bucket_sums_release(&r->sums);
}

static const struct accumulator_options sampling = { .unit = UNIT_NS, .unit_source = UNIT_STATED };

const struct format format_jmh = {
	.name = "jmh",
	.title = "JMH as JSON: histograms of sample, single shots, summary statistics of avgt and "
		 "thrpt",
	.versions = "1.37",
	.unit = "stated for each benchmark",
	.totals = "from the buckets; of avgt and thrpt the time of the iterations",
	.marks = MARKS("[", "\"benchmark\"", "\"measurementIterations\"", "\"primaryMetric\""),
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .end = jmh_text,
					     .release = jmh_release,
					     .sampling = &sampling,
					     .drop_single_layer = true,
					     .left_out = "results without latencies:" },
};
