/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pytest-benchmark: what the plugin of pytest writes by --benchmark-json, --benchmark-save and
 * --benchmark-autosave.
 *
 *	{ "machine_info": {...}, "commit_info": {...},
 *	  "benchmarks": [ { "name": "test_sum[10]", "fullname": "test_sums.py::test_sum[10]",
 *	      "stats": { "min": 2.1e-05, "max": 0.000102, "rounds": 2, "total": 0.000123,
 *	                 "data": [ 2.1e-05, 0.000102 ], "iterations": 1 } } ],
 *	  "datetime": "2026-11-22T12:03:11.640264", "version": "3.2.2" }
 *
 * An operation is a test, its layer what stands before it in the full name, in s.  A round
 * that calls the function once is a call; where it does so several times, only the mean of
 * these was kept, so that the test has summary statistics only, as it has without data.
 *
 * Seen: 3.2.2.  Not supported: the tables for people, --benchmark-csv.
 */
#include <math.h>

#include "base/arena.h"
#include "base/json.h"
#include "formats/samples.h"

struct test {
	struct str name, full_name, where;
	struct json data; /* where it begins, if it is there */
	bool has_data;
	uint64_t rounds, iterations;
	double total, min, max; /* NAN: not there */
};

struct reader {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	struct json j;
	struct samples samples;
};

/* "test_sums.py" of "test_sums.py::test_sum[10]". */
static struct str layer_of(const struct test *t)
{
	struct str layer = t->full_name;

	if (!str_has_suffix(layer, t->name))
		return STR("");
	layer.n -= t->name.n;
	if (str_has_suffix(layer, STR("::")))
		layer.n -= 2;
	return layer;
}

static bool read_statistic(struct reader *r, struct str key, struct test *t)
{
	if (str_eq(key, STR("rounds")))
		return json_u64(&r->j, &t->rounds);
	if (str_eq(key, STR("iterations")))
		return json_u64(&r->j, &t->iterations);
	if (str_eq(key, STR("total")))
		return json_f64(&r->j, &t->total);
	if (str_eq(key, STR("min")))
		return json_f64(&r->j, &t->min);
	if (str_eq(key, STR("max")))
		return json_f64(&r->j, &t->max);
	if (str_eq(key, STR("data")) && json_peek(&r->j) == '[') {
		t->has_data = true;
		t->data = r->j;
	}
	return json_skip(&r->j);
}

static bool read_statistics(struct reader *r, struct test *t)
{
	struct str key;

	for (json_object(&r->j); json_key(&r->j, &key);) {
		if (!read_statistic(r, key, t))
			return false;
	}
	return !r->j.failed;
}

static bool push_data(struct reader *r, struct test *t)
{
	for (json_array(&t->data); json_item(&t->data);) {
		if (!samples_add_json(&r->samples, &t->data, layer_of(t), t->name, 1000000000))
			return false;
	}
	return !t->data.failed;
}

static bool pytest_benchmark_push_summary(struct reader *r, const struct test *t)
{
	struct decimal total;
	uint64_t calls;

	if (isnan(t->total) || t->rounds == 0 || t->iterations == 0)
		return format_fail(r->in, r->diag, DIAG_COLUMN_MISSING, t->where,
				   "expected rounds, iterations and total");
	if (__builtin_mul_overflow(t->rounds, t->iterations, &calls))
		return format_fail(r->in, r->diag, DIAG_COUNT_OVERFLOW, t->where,
				   "rounds times iterations");
	if (!(t->total >= 0) || !decimal_from_f64(t->total * (double)t->iterations * 1e9, &total))
		return format_fail(r->in, r->diag, DIAG_NUMBER_RANGE, t->where,
				   "expected a total from 0 on");
	if (!build_operation(r->to, layer_of(t), t->name, t->where))
		return false;
	build_unit(r->to, UNIT_NS, UNIT_STATED);
	build_fixed_duration(r->to);
	if (t->iterations == 1 && t->min >= 0 && t->max >= t->min) {
		build_min(r->to, t->min * 1e9);
		build_max(r->to, t->max * 1e9);
	}
	return build_count(r->to, calls, t->where) && build_total(r->to, total, t->where);
}

static bool read_test(void *ctx)
{
	struct reader *r = ctx;
	struct test t = {
		.name = STR(""), .full_name = STR(""), .total = NAN, .min = NAN, .max = NAN
	};
	size_t from = json_begin(&r->j);
	struct str key;

	for (json_object(&r->j); json_key(&r->j, &key);) {
		bool done;

		if (str_eq(key, STR("name")))
			done = json_string(&r->j, &t.name);
		else if (str_eq(key, STR("fullname")))
			done = json_string(&r->j, &t.full_name);
		else if (str_eq(key, STR("stats")))
			done = read_statistics(r, &t);
		else
			done = json_skip(&r->j);
		if (!done)
			return false;
	}
	t.where = json_since(&r->j, from);
	if (r->j.failed)
		return false;
	return t.has_data && t.iterations == 1 ? push_data(r, &t)
					       : pytest_benchmark_push_summary(r, &t);
}

static bool pytest_benchmark_read_document(struct reader *r)
{
	struct str key;

	for (json_object(&r->j); json_key(&r->j, &key);) {
		if (str_eq(key, STR("benchmarks")) ? !json_each(&r->j, read_test, r)
						   : !json_skip(&r->j))
			return false;
	}
	return json_end(&r->j);
}

static bool read_pytest_benchmark(const struct read_task *task)
{
	struct accumulator_options kind = { .unit = UNIT_NS,
					    .unit_source = UNIT_STATED,
					    .fixed_duration = true };
	struct reader r = { .in = task->in, .to = task->to, .diag = task->diag };
	struct arena *strings;
	bool ok;

	if (task->options->build.interval > 0)
		return format_fail(task->in, task->diag, DIAG_COLUMN_MISSING,
				   (struct str){ task->in->bytes.p, 0 },
				   "intervals need the time of each round; the file has none");
	strings = arena_new();
	build_drop_single_layer(task->to);
	json_start(&r.j, cursor_on(task->in), strings, task->diag);
	samples_start(&r.samples, task->in, task->options, &kind, task->diag);
	ok = pytest_benchmark_read_document(&r) &&
	     accumulator_push(r.samples.accumulator, task->to);
	samples_release(&r.samples);
	arena_free(strings);
	return ok;
}

const struct format format_pytest_benchmark = {
	.name = "pytest-benchmark",
	.title = "pytest-benchmark as JSON: rounds of tests, or summary statistics",
	.versions = "3.2.2",
	.unit = "s, always",
	.totals = "exact",
	.marks = MARKS("{", "\"machine_info\"", "\"commit_info\"", "\"benchmarks\""),
	.read = read_pytest_benchmark,
};
