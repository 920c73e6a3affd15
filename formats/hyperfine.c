/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hyperfine: run times of commands, from hyperfine --export-json.
 *
 *	{ "results": [ { "command": "true", "mean": 0.00082, "times": [ 0.00079, 0.00085 ],
 *	    "exit_codes": [ 0, 0 ], "parameters": { "n": "1" } } ] }
 *
 * An operation is a command, or the name that -n gave it; results that are named alike are
 * added up.  Runs that failed count, as they do for hyperfine.
 *
 * Seen: 1.15.  Left out with a note: results without times.  Not supported: CSV and the other
 * exports, which have no times.
 */
#include "base/arena.h"
#include "base/json.h"
#include "formats/samples.h"

static enum probe probe_hyperfine(struct str head, struct clue *clue)
{
	struct str s = str_trim(head);

	if (!str_has_prefix(s, STR("{")) ||
	    !str_has_prefix(json_without_space(str_skip(s, 1)), STR("\"results\"")) ||
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

static bool read_time(struct reader *r, struct str command)
{
	struct sample sample = { .layer = STR(""), .name = command };
	struct decimal seconds;
	struct str s;

	if (!json_number(&r->j, &s))
		return false;
	if (number_decimal(s, &seconds) != NUMBER_OK || seconds.billionths < 0 ||
	    !decimal_times(seconds, 1000000000, &sample.latency))
		return format_fail(r->in, r->diag, DIAG_NUMBER_RANGE, s, "expected seconds");
	sample.where = s;
	return samples_add(&r->samples, &sample, s, s);
}

static bool read_times(struct reader *r, struct str command)
{
	if (!json_open(&r->j, '['))
		return false;
	while (json_item(&r->j)) {
		if (!read_time(r, command))
			return false;
	}
	return !r->j.failed;
}

/* The command of the result that begins here, wherever it stands in it. */
static bool find_command(struct reader *r, struct str *ret)
{
	struct json ahead = r->j;
	bool found = false;
	struct str key;

	if (!json_open(&ahead, '{'))
		return false;
	while (json_key(&ahead, &key)) {
		bool is_it = str_eq(key, STR("command"));

		if (is_it ? !json_string(&ahead, ret) : !json_skip(&ahead))
			return false;
		found |= is_it;
	}
	return !ahead.failed && (found || json_unexpected(&r->j, "a result with its command"));
}

static bool read_result(struct reader *r)
{
	struct str command, key;
	bool any = false;

	if (!find_command(r, &command) || !json_open(&r->j, '{'))
		return false;
	while (json_key(&r->j, &key)) {
		bool is_it = str_eq(key, STR("times")) && json_peek(&r->j) == '[';

		if (is_it ? !read_times(r, command) : !json_skip(&r->j))
			return false;
		any |= is_it;
	}
	r->n_without += !any;
	return !r->j.failed;
}

static bool read_results(struct reader *r)
{
	if (!json_open(&r->j, '['))
		return false;
	while (json_item(&r->j)) {
		if (!read_result(r))
			return false;
	}
	return !r->j.failed;
}

static bool read_document(struct reader *r)
{
	struct str key;

	if (!json_open(&r->j, '{'))
		return false;
	while (json_key(&r->j, &key)) {
		if (str_eq(key, STR("results")) ? !read_results(r) : !json_skip(&r->j))
			return false;
	}
	return !r->j.failed;
}

static bool read_hyperfine(struct input *in, const struct read_options *options, struct builder *to,
			   struct diag *diag)
{
	struct sampler_options kind = { .unit = UNIT_NS, .unit_source = UNIT_STATED };
	struct reader r = { .in = in, .diag = diag };
	struct arena *strings;
	bool fine;

	if (options->build.interval > 0)
		return format_fail(in, diag, DIAG_COLUMN_MISSING, (struct str){ in->bytes.p, 0 },
				   "intervals need the time of each run; hyperfine has none");
	strings = arena_new();
	json_start(&r.j, cursor_on(in), strings, diag);
	samples_start(&r.samples, in, options, &kind, diag);
	fine = read_document(&r) && sampler_push(r.samples.sampler, to);
	if (fine && r.n_without > 0)
		diag_file(diag, DIAG_NOT_A_HISTOGRAM, in, "%zu results without times", r.n_without);
	samples_release(&r.samples);
	arena_free(strings);
	return fine;
}

const struct format format_hyperfine = {
	.name = "hyperfine",
	.title = "hyperfine --export-json: run times of commands",
	.versions = "1.15",
	.unit = "s, always",
	.totals = "exact",
	.probe = probe_hyperfine,
	.read = read_hyperfine,
};
