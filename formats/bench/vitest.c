/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vitest: benchmarks of JavaScript, as vitest bench --outputJson writes them.
 *
 *	{ "files": [ { "filepath": "/srv/sums.bench.js", "groups": [
 *	    { "fullName": "sums.bench.js > json", "benchmarks": [
 *	      { "name": "parse", "rank": 2, "rme": 115.0, "samples": [], "totalTime": 20.143387,
 *	        "min": 0.140919, "max": 10.727857, "mean": 0.694599, "sampleCount": 29 } ] } ] } ] }
 *
 * An operation is a benchmark in the layer of its group, in ms.  A sample is a call, but the
 * report has none of them: calls, their total and extremes.  A benchmark without samples, such
 * as one that failed, is left out with a note.
 *
 * Seen: 4.1.12.
 */
#include <math.h>

#include "base/arena.h"
#include "base/json.h"
#include "formats/format.h"

struct benchmark {
	struct str name, total, where; /* total of no bytes: there is none */
	double min, max;	       /* NAN: not there */
	uint64_t count;
};

struct reader {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	struct json j;
	size_t n_without;
};

static bool vitest_push(struct reader *r, struct str group, const struct benchmark *b)
{
	struct decimal total;

	if (b->count == 0 || b->total.n == 0) {
		r->n_without++;
		return true;
	}
	if (number_decimal(b->total, &total) != NUMBER_OK || total.billionths < 0)
		return format_fail(r->in, r->diag, DIAG_NUMBER_RANGE, b->total,
				   "expected a time from 0 on");
	if (!build_operation(r->to, group, b->name, b->where))
		return false;
	build_unit(r->to, UNIT_MS, UNIT_STATED);
	build_fixed_duration(r->to);
	if (!isnan(b->min))
		build_min(r->to, b->min);
	if (!isnan(b->max))
		build_max(r->to, b->max);
	return build_count(r->to, b->count, b->where) && build_total(r->to, total, b->total);
}

static bool read_benchmark(struct reader *r, struct str group)
{
	struct benchmark b = { .name = STR(""), .total = STR(""), .min = NAN, .max = NAN };
	size_t from = json_begin(&r->j);
	const struct json_member members[] = {
		{ STR_INIT("name"), JSON_STRING, &b.name, NULL },
		{ STR_INIT("sampleCount"), JSON_U64, &b.count, NULL },
		{ STR_INIT("totalTime"), JSON_NUMBER, &b.total, NULL },
		{ STR_INIT("min"), JSON_F64_OR_NULL, &b.min, NULL },
		{ STR_INIT("max"), JSON_F64_OR_NULL, &b.max, NULL },
	};

	if (!json_members(&r->j, members, COUNT_OF(members)))
		return false;
	b.where = json_since(&r->j, from);
	return vitest_push(r, group, &b);
}

static bool read_benchmarks(struct reader *r, struct str group)
{
	for (json_array(&r->j); json_item(&r->j);) {
		if (!read_benchmark(r, group))
			return false;
	}
	return !r->j.failed;
}

/* Its name stands before its benchmarks. */
static bool read_group(struct reader *r)
{
	struct str key, name = STR("");
	bool done = true;

	for (json_object(&r->j); done && json_key(&r->j, &key);) {
		if (str_eq(key, STR("fullName")))
			done = json_string(&r->j, &name);
		else if (str_eq(key, STR("benchmarks")))
			done = read_benchmarks(r, name);
		else
			done = json_skip(&r->j);
	}
	return done && !r->j.failed;
}

static bool read_all(struct reader *r, const char *list, bool (*read)(struct reader *r));

static bool read_file(struct reader *r)
{
	return read_all(r, "groups", read_group);
}

/* All that the list of this name in an object holds. */
static bool read_all(struct reader *r, const char *list, bool (*read)(struct reader *r))
{
	struct str key;

	for (json_object(&r->j); json_key(&r->j, &key);) {
		if (!str_eq(key, str_from(list))) {
			if (!json_skip(&r->j))
				return false;
			continue;
		}
		for (json_array(&r->j); json_item(&r->j);) {
			if (!read(r))
				return false;
		}
	}
	return !r->j.failed;
}

static bool read_vitest(const struct read_task *task)
{
	struct reader r = { .in = task->in, .to = task->to, .diag = task->diag };
	struct arena *strings = arena_new();
	bool ok;

	build_drop_single_layer(task->to);
	json_start(&r.j, cursor_on(task->in), strings, task->diag);
	ok = read_all(&r, "files", read_file) && json_end(&r.j);
	if (ok && r.n_without > 0)
		diag_file(task->diag, DIAG_NOT_A_HISTOGRAM, task->in,
			  "benchmarks without samples: %zu", r.n_without);
	arena_free(strings);
	return ok;
}

const struct format format_vitest = {
	.name = "vitest",
	.title = "vitest bench as JSON: summary statistics",
	.versions = "4.1.12",
	.unit = "ms, always",
	.totals = "exact",
	.marks = (const char *const[]){ "{", "\"files\"", "\"groups\"", "\"benchmarks\"", "\"rme\"",
					NULL },
	.read = read_vitest,
};
