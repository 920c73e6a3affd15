/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hyperfine: run times of commands, from hyperfine --export-json.
 *
 *	{ "results": [ { "command": "true", "mean": 0.00082, "times": [ 0.00079, 0.00085 ],
 *	    "exit_codes": [ 0, 0 ], "parameters": { "n": "1" } } ] }
 *
 * and of hyperfine 2
 *
 *	{ "schema_version": 2, "results": [ { "command": "true", "measurements": [
 *	    { "time_wall_clock": { "value": 0.00079, "unit": "second" }, "exit_code": 0 } ] } ] }
 *
 * An operation is a command, or the name that -n gave it; results that are named alike are
 * added up.  Runs that failed count, as they do for hyperfine.
 *
 * Seen: 1.15, 2.0.  Left out with a note: results without times.  Not supported: CSV and the
 * other exports, which have no times; times of the processor.
 */
#include "base/arena.h"
#include "base/json.h"
#include "formats/samples.h"

/* Of the second schema, the first key of the file. */
static bool is_second(struct str s)
{
	return str_has_prefix(json_without_space(str_skip(s, 1)), STR("\"schema_version\"")) &&
	       str_contains(s, STR("\"hyperfine_version\""));
}

static enum probe probe_hyperfine(struct str head, struct clue *clue)
{
	struct str s = str_trim(head);

	if (!str_has_prefix(s, STR("{")))
		return PROBE_NO;
	if (is_second(s))
		return PROBE_MAGIC;
	if (!str_has_prefix(json_without_space(str_skip(s, 1)), STR("\"results\"")) ||
	    !str_contains(s, STR("\"command\"")))
		return PROBE_NO;
	if (str_contains(s, STR("\"times\"")) || str_contains(s, STR("\"exit_codes\"")))
		return PROBE_MAGIC;
	*clue = (struct clue){ str_find(head, STR("\"command\"")), "results without times" };
	return PROBE_NO;
}

struct reader {
	struct input *in;
	struct diag *diag;
	struct json j;
	struct samples samples;
	size_t n_without;
};

static bool hyperfine_read_time(struct reader *r, struct str command)
{
	return samples_add_json(&r->samples, &r->j, STR(""), command, 1000000000);
}

static bool read_times(struct reader *r, struct str command)
{
	for (json_array(&r->j); json_item(&r->j);) {
		if (!hyperfine_read_time(r, command))
			return false;
	}
	return !r->j.failed;
}

/* { "value": 0.00079, "unit": "second" } */
static bool read_value(struct reader *r, struct str command)
{
	struct str key, unit;
	bool done = true;

	if (!json_open(&r->j, '{'))
		return false;
	while (done && json_key(&r->j, &key)) {
		if (str_eq(key, STR("value")))
			done = hyperfine_read_time(r, command);
		else if (str_eq(key, STR("unit")))
			done = json_string(&r->j, &unit) &&
			       (str_eq(unit, STR("second")) || json_unexpected(&r->j, "seconds"));
		else
			done = json_skip(&r->j);
	}
	return done && !r->j.failed;
}

/* One run; *ret_any becomes true where its time is there. */
static bool read_measurement(struct reader *r, struct str command, bool *ret_any)
{
	struct str key;

	for (json_object(&r->j); json_key(&r->j, &key);) {
		bool is_it = str_eq(key, STR("time_wall_clock"));

		if (is_it ? !read_value(r, command) : !json_skip(&r->j))
			return false;
		*ret_any |= is_it;
	}
	return !r->j.failed;
}

static bool read_measurements(struct reader *r, struct str command, bool *ret_any)
{
	for (json_array(&r->j); json_item(&r->j);) {
		if (!read_measurement(r, command, ret_any))
			return false;
	}
	return !r->j.failed;
}

/* What the result that begins here is called, wherever that stands in it: the second schema
 * has a name in addition to the command. */
static bool find_name(struct reader *r, struct str *ret)
{
	struct json ahead = r->j;
	bool found = false, named = false;
	struct str key;

	for (json_object(&ahead); json_key(&ahead, &key);) {
		bool is_name = str_eq(key, STR("name")) && json_peek(&ahead) == '"';
		bool is_it = is_name || (str_eq(key, STR("command")) && !named);

		if (is_it ? !json_string(&ahead, ret) : !json_skip(&ahead))
			return false;
		found |= is_it;
		named |= is_name;
	}
	return !ahead.failed && (found || json_unexpected(&r->j, "a result with its command"));
}

static bool read_result(void *ctx)
{
	struct reader *r = ctx;
	struct str name, key;
	bool any = false;

	if (!find_name(r, &name) || !json_open(&r->j, '{'))
		return false;
	while (json_key(&r->j, &key)) {
		bool done;

		if (str_eq(key, STR("times")) && json_peek(&r->j) == '[')
			done = any = read_times(r, name);
		else if (str_eq(key, STR("measurements")))
			done = read_measurements(r, name, &any);
		else
			done = json_skip(&r->j);
		if (!done)
			return false;
	}
	r->n_without += !any;
	return !r->j.failed;
}

static bool hyperfine_read_document(struct reader *r)
{
	struct str key;

	for (json_object(&r->j); json_key(&r->j, &key);) {
		if (str_eq(key, STR("results")) ? !json_each(&r->j, read_result, r)
						: !json_skip(&r->j))
			return false;
	}
	return json_end(&r->j);
}

static bool read_hyperfine(const struct read_task *task)
{
	struct accumulator_options kind = { .unit = UNIT_NS,
					    .unit_source = UNIT_STATED,
					    .fixed_duration = true };
	struct reader r = { .in = task->in, .diag = task->diag };
	struct arena *strings;
	bool ok;

	if (task->options->build.interval > 0)
		return format_fail(task->in, task->diag, DIAG_COLUMN_MISSING,
				   (struct str){ task->in->bytes.p, 0 },
				   "intervals need the time of each run; hyperfine has none");
	strings = arena_new();
	json_start(&r.j, cursor_on(task->in), strings, task->diag);
	samples_start(&r.samples, task->in, task->options, &kind, task->diag);
	ok = hyperfine_read_document(&r) && accumulator_push(r.samples.accumulator, task->to);
	if (ok && r.n_without > 0)
		diag_file(task->diag, DIAG_NOT_A_HISTOGRAM, task->in, "%zu results without times",
			  r.n_without);
	samples_release(&r.samples);
	arena_free(strings);
	return ok;
}

const struct format format_hyperfine = {
	.name = "hyperfine",
	.title = "hyperfine --export-json: run times of commands",
	.versions = "1.15, 2.0",
	.unit = "s, always",
	.totals = "exact",
	.probe = probe_hyperfine,
	.read = read_hyperfine,
};
