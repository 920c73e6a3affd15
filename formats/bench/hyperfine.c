/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hyperfine: run times of commands from hyperfine --export-json.
 *
 *	{ "results": [ { "command": "true", "mean": 0.00082, "times": [ 0.00079, 0.00085 ],
 *	    "exit_codes": [ 0, 0 ], "parameters": { "n": "1" } } ] }
 *
 * and from hyperfine 2
 *
 *	{ "schema_version": 2, "results": [ { "command": "true", "measurements": [
 *	    { "time_wall_clock": { "value": 0.00079, "unit": "second" }, "exit_code": 0 } ] } ] }
 *
 * An operation is a command, or the name given by -n; results of the same name are added up.
 * Each run of a command is a run.
 * Failed runs count, as in hyperfine.
 *
 * Seen: 1.15, 2.0.  Left out with a note: results without times.  Not supported: CSV and other
 * exports, which have no times of single runs; CPU times.
 */
#include "base/json.h"
#include "formats/lines.h"

/* Whether the file has the second schema, given by its first key. */
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
	struct lines lines;
	struct json j;
	/* The current result. */
	struct str command;
	bool any;	/* it has a time */
	size_t n_times; /* read so far */
};

static bool hyperfine_read_time(void *ctx)
{
	struct reader *r = ctx;

	return samples_repeat_json(&r->lines.samples, r->lines.to, &r->j, STR(""), r->command,
				   1000000000, r->n_times++);
}

static bool read_unit(void *ctx)
{
	struct reader *r = ctx;
	struct str unit;

	return json_string(&r->j, &unit) &&
	       (str_eq(unit, STR("second")) || json_unexpected(&r->j, "seconds"));
}

/* Reads { "value": 0.00079, "unit": "second" }. */
static bool read_value(void *ctx)
{
	struct reader *r = ctx;
	const struct json_member members[] = { JSON_READ("value", hyperfine_read_time, r),
					       JSON_READ("unit", read_unit, r) };

	return json_members(&r->j, members, COUNT_OF(members));
}

static bool read_measurement(void *ctx)
{
	struct reader *r = ctx;
	const struct json_member members[] = { JSON_READ("time_wall_clock", read_value, r,
							 &r->any) };

	return json_members(&r->j, members, COUNT_OF(members));
}

/* Looks ahead for the name of the result that begins here: the second schema has a name in addition
 * to the command. */
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
	const struct json_member members[] = {
		JSON_EACH("times", hyperfine_read_time, r, &r->any, .only = '['),
		JSON_EACH("measurements", read_measurement, r),
	};

	r->any = false;
	r->n_times = 0;
	if (!find_name(r, &r->command) || !json_members(&r->j, members, COUNT_OF(members)))
		return false;
	r->lines.left_out += !r->any;
	return true;
}

static bool hyperfine_text(void *ctx)
{
	struct reader *r = ctx;
	const struct json_member members[] = { JSON_EACH("results", read_result, r) };

	lines_json(&r->lines, &r->j);
	return json_members(&r->j, members, COUNT_OF(members)) && json_end(&r->j);
}

static const struct accumulator_options sampling = { .unit = UNIT_NS,
						     .unit_source = UNIT_STATED,
						     .fixed_duration = true };

const struct format format_hyperfine = {
	.name = "hyperfine",
	.title = "hyperfine --export-json: run times of commands",
	.versions = "1.15, 2.0",
	.unit = "s, always",
	.totals = "exact",
	.probe = probe_hyperfine,
	.read = lines_read,
	.spec =
		&(const struct line_format){
			.size = sizeof(struct reader),
			.end = hyperfine_text,
			.sampling = &sampling,
			.no_intervals = "intervals need the time of each run; hyperfine has none",
			.left_out = "results without times" },
};
