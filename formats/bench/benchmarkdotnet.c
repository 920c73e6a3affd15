/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * benchmarkdotnet: results of BenchmarkDotNet, --exporters json.
 *
 *	{ "Title": "...", "HostEnvironmentInfo": { "BenchmarkDotNetCaption": "BenchmarkDotNet", ... },
 *	  "Benchmarks": [ { "FullName": "App.Hash.Sha256",
 *	    "Statistics": { "N": 13, "Min": 10.1, "Mean": 10.4, "Max": 11.0, ... },
 *	    "Measurements": [ { "IterationMode": "Workload", "IterationStage": "Result",
 *	      "LaunchIndex": 1, "IterationIndex": 1, "Operations": 4096, "Nanoseconds": 42600 } ] } ] }
 *
 * The operation is the full name.  A result of an iteration is the total time of its operations, and
 * a repetition; other stages, such as warmup, are not read.  Without measurements an operation has
 * N calls, their mean and extremes.
 *
 * Seen: in the documentation and the source of 0.9 and 0.13.
 */
#include "base/json.h"
#include "formats/lines.h"

/* What the member Statistics has. */
struct summary {
	uint64_t calls;
	struct decimal mean;
	double min, max;
	bool has_calls, has_mean, has_min, has_max;
};

struct reader {
	struct lines lines;
	struct json j;
	/* The current benchmark. */
	struct str name;
	struct summary summary;
	size_t n_results; /* so far */
};

static bool push_result(struct builder *to, struct str name, uint64_t calls, struct decimal ns,
			struct str where)
{
	return build_operation_in(to, UNIT_NS, STR(""), name, where) &&
	       build_count(to, calls, where) && build_total(to, ns, where);
}

static bool read_measurement(void *ctx)
{
	struct reader *r = ctx;
	struct str mode = STR(""), stage = STR("");
	struct decimal ns = { 0 };
	uint64_t calls = 0;
	size_t from = json_begin(&r->j);
	const struct json_member members[] = { JSON_TEXT("IterationMode", &mode),
					       JSON_TEXT("IterationStage", &stage),
					       JSON_U64("Operations", &calls),
					       JSON_DECIMAL("Nanoseconds", &ns) };
	struct str where;

	if (!json_members(&r->j, members, COUNT_OF(members)))
		return false;
	where = json_since(&r->j, from);
	if (!str_eq(mode, STR("Result")) && !str_eq(stage, STR("Result")))
		return true;
	if (ns.billionths < 0)
		return lines_fail(&r->lines, DIAG_NUMBER_RANGE, where, "a negative time");
	if (!push_result(r->lines.to, r->name, calls, ns, where))
		return false;
	(void)push_result(build_replicate(r->lines.to, r->n_results++), r->name, calls, ns, where);
	return true;
}

static bool read_statistics(void *ctx)
{
	struct reader *r = ctx;
	struct summary *s = &r->summary;
	const struct json_member members[] = { JSON_U64("N", &s->calls, &s->has_calls),
					       JSON_DECIMAL("Mean", &s->mean, &s->has_mean),
					       JSON_F64("Min", &s->min, &s->has_min),
					       JSON_F64("Max", &s->max, &s->has_max) };

	return json_members(&r->j, members, COUNT_OF(members));
}

static bool push_summary(struct reader *r, struct str where)
{
	const struct summary *s = &r->summary;
	struct builder *to = r->lines.to;

	if (!build_operation_in(to, UNIT_NS, STR(""), r->name, where))
		return false;
	if (s->has_min)
		build_min(to, s->min);
	if (s->has_max)
		build_max(to, s->max);
	return build_count(to, s->calls, where) &&
	       lines_push_mean(&r->lines, s->mean, s->calls, where, "mean times N");
}

/* Reads the results; *ret_any: there are some. */
static bool read_results(struct reader *r, struct json measurements, bool *ret_any)
{
	struct json after = r->j;
	bool ok;

	r->j = measurements;
	ok = json_each(&r->j, read_measurement, r);
	*ret_any = r->n_results > 0;
	if (ok)
		r->j = after;
	return ok;
}

static bool read_benchmark(void *ctx)
{
	struct reader *r = ctx;
	struct json measurements;
	bool has_measurements = false, any = false;
	size_t from = json_begin(&r->j);
	struct str brief = STR("benchmark"), full = STR("");
	const struct json_member members[] = {
		JSON_TEXT("FullName", &full), JSON_TEXT("ShortInfo", &brief),
		JSON_READ("Statistics", read_statistics, r, .only = '{'),
		JSON_MARK("Measurements", &measurements, &has_measurements, .only = '[')
	};

	r->summary = (struct summary){ .calls = 0 };
	r->n_results = 0;
	if (!json_members(&r->j, members, COUNT_OF(members)))
		return false;
	r->name = full.n > 0 ? full : brief;
	if (has_measurements && !read_results(r, measurements, &any))
		return false;
	if (any)
		return true;
	if (r->summary.has_calls && r->summary.has_mean)
		return push_summary(r, json_since(&r->j, from));
	r->lines.left_out++;
	return true;
}

static bool benchmarkdotnet_text(void *ctx)
{
	struct reader *r = ctx;
	const struct json_member members[] = { JSON_EACH("Benchmarks", read_benchmark, r) };

	lines_json(&r->lines, &r->j);
	return json_members(&r->j, members, COUNT_OF(members)) && json_end(&r->j);
}

const struct format format_benchmarkdotnet = {
	.name = "benchmarkdotnet",
	.title = "BenchmarkDotNet --exporters json: iterations of benchmarks",
	.versions = "0.9, 0.13",
	.unit = "ns, always",
	.totals = "exact, or mean times iterations",
	.marks = MARKS("{", "\"HostEnvironmentInfo\"", "\"BenchmarkDotNetVersion\"",
		       "\"Benchmarks\""),
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .end = benchmarkdotnet_text,
					     .fixed_duration = true,
					     .left_out = "benchmarks that failed" },
};
