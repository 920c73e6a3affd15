/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * benchmarktools-json: trials that BenchmarkTools.jl saves.
 *
 *	[{"Julia":"1.9.0","BenchmarkTools":"1.0.0"},
 *	 [["BenchmarkTools.BenchmarkGroup",{"tags":[],"data":{
 *	   "sort":["BenchmarkTools.Trial",{"params":[...],"times":[812.0,805.0],...}]}}]]]
 *
 * A call is a sample, which is the mean of its evaluations, in ns.  The operation is named by its
 * groups: "sort/quick"; of a trial in no group it is "benchmark".
 *
 * Seen: the source of 0.4 and 1.0.  Left out: estimates, judgements and parameters.
 */
#include "base/arena.h"
#include "base/json.h"
#include "formats/lines.h"

struct reader {
	struct lines lines;
	struct json j;
	struct str name; /* of the current value; empty: none */
};

static bool read_time(void *ctx)
{
	struct reader *r = ctx;
	struct sample sample = { .name = r->name.n > 0 ? r->name : STR("benchmark") };

	return samples_read_json(&r->lines.samples, &r->j, 1, &sample) &&
	       samples_add(&r->lines.samples, &sample, sample.where, sample.where);
}

static bool read_value(struct reader *r);

/* Reads {"sort":[...],...}: the values of a group. */
static bool read_data(void *ctx)
{
	struct reader *r = ctx;
	struct str group = r->name, key;

	for (json_object(&r->j); json_key(&r->j, &key);) {
		r->name = group.n > 0 ? arena_join(r->lines.arena, group, '/', key)
				      : arena_str(r->lines.arena, key);
		if (!read_value(r))
			return false;
	}
	r->name = group;
	return !r->j.failed;
}

static bool read_content(struct reader *r, struct str type)
{
	const struct json_member trial[] = { JSON_EACH("times", read_time, r) };
	const struct json_member group[] = { JSON_READ("data", read_data, r, .only = '{') };

	if (str_has_suffix(type, STR("Trial")))
		return json_members(&r->j, trial, COUNT_OF(trial));
	if (str_has_suffix(type, STR("BenchmarkGroup")))
		return json_members(&r->j, group, COUNT_OF(group));
	r->lines.left_out++;
	return json_skip(&r->j);
}

/* Reads ["BenchmarkTools.Trial",{...}]; anything else is skipped. */
static bool read_value(struct reader *r)
{
	struct str type = STR("");

	if (json_peek(&r->j) != '[') {
		r->lines.left_out++;
		return json_skip(&r->j);
	}
	for (json_array(&r->j); json_item(&r->j);) {
		bool ok = json_peek(&r->j) == '"'   ? json_string(&r->j, &type)
			  : json_peek(&r->j) == '{' ? read_content(r, type)
						    : json_skip(&r->j);

		if (!ok)
			return false;
	}
	return !r->j.failed;
}

static bool read_item(void *ctx)
{
	return read_value(ctx);
}

static bool benchmarktools_json_text(void *ctx)
{
	struct reader *r = ctx;

	r->name = STR("");
	lines_json(&r->lines, &r->j);
	for (json_array(&r->j); json_item(&r->j);) {
		/* The first item is an object with the versions. */
		if (!(json_peek(&r->j) == '[' ? json_each(&r->j, read_item, r) : json_skip(&r->j)))
			return false;
	}
	return json_end(&r->j);
}

static const struct accumulator_options sampling = { .unit = UNIT_NS,
						     .unit_source = UNIT_STATED,
						     .fixed_duration = true };

const struct format format_benchmarktools_json = {
	.name = "benchmarktools-json",
	.title = "trials that BenchmarkTools.jl saves as JSON",
	.versions = "0.4, 1.0",
	.unit = "ns, always",
	.totals = "sum of the means of samples",
	.marks = MARKS("[", "\"Julia\"", "\"BenchmarkTools\"", "\"BenchmarkTools.Trial\""),
	.read = lines_read,
	.spec =
		&(const struct line_format){
			.size = sizeof(struct reader),
			.end = benchmarktools_json_text,
			.sampling = &sampling,
			.no_intervals = "intervals need the time of each call; this file has none",
			.left_out = "values that are no trials" },
};
