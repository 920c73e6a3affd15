/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pytest-benchmark: files that the pytest plugin writes with --benchmark-json, --benchmark-save and
 * --benchmark-autosave.
 *
 *	{ "machine_info": {...}, "commit_info": {...},
 *	  "benchmarks": [ { "name": "test_sum[10]", "fullname": "test_sums.py::test_sum[10]",
 *	      "stats": { "min": 2.1e-05, "max": 0.000102, "rounds": 2, "total": 0.000123,
 *	                 "data": [ 2.1e-05, 0.000102 ], "iterations": 1 } } ],
 *	  "datetime": "2026-11-22T12:03:11.640264", "version": "3.2.2" }
 *
 * An operation is a test; its layer is the part before it in the full name; times are in s.  A
 * round that calls the function once is a call.  If it calls the function several times, only
 * their mean is stored, so that the test has only summary statistics, as it has without "data".
 *
 * Seen: 3.2.2.  Not supported: the tables on the terminal, --benchmark-csv.
 */
#include <math.h>

#include "base/json.h"
#include "formats/lines.h"

struct test {
	struct str name, full_name, where;
	struct json data; /* position at its samples */
	bool has_data;
	uint64_t rounds, iterations;
	double total, min, max; /* NAN: missing */
};

struct reader {
	struct lines lines;
	struct json j;
};

/* Returns "test_sums.py" for "test_sums.py::test_sum[10]". */
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

/* Rounds are repetitions: few of them are runs, many are a distribution. */
static bool push_data(struct reader *r, struct test *t)
{
	size_t round = 0;

	for (json_array(&t->data); json_item(&t->data);) {
		if (!samples_repeat_json(&r->lines.samples, r->lines.to, &t->data, layer_of(t),
					 t->name, 1000000000, round++))
			return false;
	}
	return !t->data.failed;
}

static bool pytest_benchmark_push_summary(struct reader *r, const struct test *t)
{
	struct decimal total;
	uint64_t calls;

	if (isnan(t->total) || t->rounds == 0 || t->iterations == 0)
		return lines_fail(&r->lines, DIAG_COLUMN_MISSING, t->where,
				  "expected rounds, iterations and total");
	if (__builtin_mul_overflow(t->rounds, t->iterations, &calls))
		return lines_fail(&r->lines, DIAG_COUNT_OVERFLOW, t->where,
				  "rounds times iterations");
	if (!(t->total >= 0) || !decimal_from_f64(t->total * (double)t->iterations * 1e9, &total))
		return lines_fail(&r->lines, DIAG_NUMBER_RANGE, t->where,
				  "expected a total from 0 on");
	if (!build_operation_in(r->lines.to, UNIT_NS, layer_of(t), t->name, t->where))
		return false;
	build_fixed_duration(r->lines.to);
	if (t->iterations == 1 && t->min >= 0 && t->max >= t->min) {
		build_min(r->lines.to, t->min * 1e9);
		build_max(r->lines.to, t->max * 1e9);
	}
	return build_count(r->lines.to, calls, t->where) &&
	       build_total(r->lines.to, total, t->where);
}

static bool read_test(void *ctx)
{
	struct reader *r = ctx;
	struct test t = {
		.name = STR(""), .full_name = STR(""), .total = NAN, .min = NAN, .max = NAN
	};
	const struct json_member statistics[] = {
		JSON_U64("rounds", &t.rounds), JSON_U64("iterations", &t.iterations),
		JSON_F64("total", &t.total),   JSON_F64("min", &t.min),
		JSON_F64("max", &t.max),       JSON_MARK("data", &t.data, &t.has_data, .only = '['),
	};
	const struct json_member members[] = {
		JSON_STRING("name", &t.name),
		JSON_STRING("fullname", &t.full_name),
		JSON_OBJECT("stats", statistics),
	};
	size_t from = json_begin(&r->j);

	if (!json_members(&r->j, members, COUNT_OF(members)))
		return false;
	t.where = json_since(&r->j, from);
	return t.has_data && t.iterations == 1 ? push_data(r, &t)
					       : pytest_benchmark_push_summary(r, &t);
}

static bool pytest_benchmark_text(void *ctx)
{
	struct reader *r = ctx;
	const struct json_member members[] = { JSON_EACH("benchmarks", read_test, r) };

	lines_json(&r->lines, &r->j);
	return json_members(&r->j, members, COUNT_OF(members)) && json_end(&r->j);
}

static const struct accumulator_options sampling = { .unit = UNIT_NS,
						     .unit_source = UNIT_STATED,
						     .fixed_duration = true };

const struct format format_pytest_benchmark = {
	.name = "pytest-benchmark",
	.title = "pytest-benchmark as JSON: rounds of tests, or summary statistics",
	.versions = "3.2.2",
	.unit = "s, always",
	.totals = "exact",
	.marks = MARKS("{", "\"machine_info\"", "\"commit_info\"", "\"benchmarks\""),
	.read = lines_read,
	.spec =
		&(const struct line_format){
			.size = sizeof(struct reader),
			.end = pytest_benchmark_text,
			.sampling = &sampling,
			.no_intervals = "intervals need the time of each round; the file has none",
			.drop_single_layer = true },
};
