/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vitest: JavaScript benchmarks from vitest bench --outputJson.
 *
 *	{ "files": [ { "filepath": "/srv/sums.bench.js", "groups": [
 *	    { "fullName": "sums.bench.js > json", "benchmarks": [
 *	      { "name": "parse", "rank": 2, "rme": 115.0, "samples": [], "totalTime": 20.143387,
 *	        "min": 0.140919, "max": 10.727857, "mean": 0.694599, "sampleCount": 29 } ] } ] } ] }
 *
 * An operation is a benchmark; its layer is the group; times are in ms.  A sample is a call, but
 * the report does not list samples: calls, total and extremes are read.  A benchmark without
 * samples, such as one that failed, is left out with a note.
 *
 * Seen: 4.1.12.
 */
#include <math.h>

#include "base/json.h"
#include "formats/lines.h"

struct benchmark {
	struct str name, total, where; /* total empty: missing */
	double min, max, deviation;    /* NAN: missing */
	uint64_t count;
};

struct reader {
	struct lines lines;
	struct json j;
	struct str group;
};

static bool vitest_push(struct reader *r, const struct benchmark *b)
{
	struct decimal total;

	if (b->count == 0 || b->total.n == 0) {
		r->lines.left_out++;
		return true;
	}
	if (number_decimal(b->total, &total) != NUMBER_OK || total.billionths < 0)
		return lines_fail(&r->lines, DIAG_NUMBER_RANGE, b->total,
				  "expected a time from 0 on");
	if (!build_operation_in(r->lines.to, UNIT_MS, r->group, b->name, b->where))
		return false;
	build_fixed_duration(r->lines.to);
	if (!isnan(b->min))
		build_min(r->lines.to, b->min);
	if (!isnan(b->max))
		build_max(r->lines.to, b->max);
	build_deviation(r->lines.to, b->deviation);
	return build_count(r->lines.to, b->count, b->where) &&
	       build_total(r->lines.to, total, b->total);
}

static bool read_benchmark(void *ctx)
{
	struct reader *r = ctx;
	struct benchmark b = {
		.name = STR(""), .total = STR(""), .min = NAN, .max = NAN, .deviation = NAN
	};
	size_t from = json_begin(&r->j);
	const struct json_member members[] = {
		JSON_STRING("name", &b.name),	    JSON_U64("sampleCount", &b.count),
		JSON_NUMBER("totalTime", &b.total), JSON_F64_OR_NULL("min", &b.min),
		JSON_F64_OR_NULL("max", &b.max),    JSON_F64_OR_NULL("sd", &b.deviation),
	};

	if (!json_members(&r->j, members, COUNT_OF(members)))
		return false;
	b.where = json_since(&r->j, from);
	return vitest_push(r, &b);
}

/* Reads a group, whose name comes before its benchmarks. */
static bool read_group(void *ctx)
{
	struct reader *r = ctx;
	const struct json_member members[] = { JSON_STRING("fullName", &r->group),
					       JSON_EACH("benchmarks", read_benchmark, r) };

	r->group = STR("");
	return json_members(&r->j, members, COUNT_OF(members));
}

static bool read_file(void *ctx)
{
	struct reader *r = ctx;
	const struct json_member members[] = { JSON_EACH("groups", read_group, r) };

	return json_members(&r->j, members, COUNT_OF(members));
}

static bool vitest_text(void *ctx)
{
	struct reader *r = ctx;
	const struct json_member members[] = { JSON_EACH("files", read_file, r) };

	lines_json(&r->lines, &r->j);
	return json_members(&r->j, members, COUNT_OF(members)) && json_end(&r->j);
}

const struct format format_vitest = {
	.name = "vitest",
	.title = "vitest bench as JSON: summary statistics",
	.versions = "4.1.12",
	.unit = "ms, always",
	.totals = "exact",
	.marks = (const char *const[]){ "{", "\"files\"", "\"groups\"", "\"benchmarks\"", "\"rme\"",
					NULL },
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .end = vitest_text,
					     .drop_single_layer = true,
					     .left_out = "benchmarks without samples:" },
};
