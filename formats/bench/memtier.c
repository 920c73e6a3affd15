/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memtier: the results of memtier_benchmark as JSON (--json-out-file).
 *
 *	{"configuration":{...},"run information":{"Threads":1,"Connections per thread":4,...},
 *	 "ALL STATS":{"Runtime":{...},
 *	  "Sets":{"Count":728,...,"Average Latency":0.040,"Accumulated Latency":29,...,
 *	   "Time-Serie":{...},"Percentile Latencies":{"p50.00":0.047,...,
 *	    "Histogram log format":{"Compressed Histogram":"HISTFAAAADV4nJNpmSzM..."}}},
 *	  "Gets":{...},"Totals":{...},"SET":[{"<=msec":0.015,"percent":0.00},...]}}
 *
 * The operation is the command as it is called there, Sets; its histogram is an encoded
 * HdrHistogram of us (formats/bench/hdr_payload.h).  Commands that were never sent and Totals are
 * passed over.  The sum is to 1 ms, the mean in ms to three digits: the better one counts.
 *
 * With -x there are several runs: with --print-all-runs each, "RUN #1 RESULTS", is a print;
 * else what was added up, "AGGREGATED AVERAGE RESULTS (3 runs)", is read.  The best and the
 * worst run repeat these.
 *
 * Seen: 2.2 at 2f74d61.  Versions without encoded histograms have summary statistics.  Recognised
 * and refused: the report as text, which has percentages of commands that it does not count.
 */
#include <math.h>

#include "base/arena.h"
#include "base/json.h"
#include "formats/bench/hdr_payload.h"
#include "formats/format.h"
#include "formats/text.h"

static enum probe probe_memtier(struct str head, struct clue *clue)
{
	struct str line, rest = head;

	if (str_has_prefix(json_without_space(head), STR("{")))
		return format_has_marks(
			       head, MARKS("", "\"run information\"", "\"Connections per thread\""))
			       ? PROBE_MAGIC
			       : PROBE_NO;
	while (text_line(&rest, &line)) {
		if (str_has_prefix(line, STR("Type ")) && str_contains(line, STR(" Ops/sec ")) &&
		    str_contains(line, STR(" Latency ")))
			probe_near(clue, head, line,
				   "memtier_benchmark prints percentages of commands "
				   "that it does not count; --json-out-file has all");
	}
	return PROBE_NO;
}

struct reader {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	struct hdr *hdr;
	bool several;	/* runs that were each read */
	double elapsed; /* seconds */
};

/* What is said of a command. */
struct command {
	uint64_t count, sum_ms;
	struct decimal mean_ms;
	bool has_count, has_sum, has_mean;
	struct str payload; /* empty: there is none */
	struct str where;
};

/* The bytes of a string without its quotes; a part of the input. */
static bool read_payload(struct json *j, struct str *ret)
{
	size_t from = json_begin(j);
	struct str text;

	if (!json_string(j, &text))
		return false;
	text = json_since(j, from);
	*ret = (struct str){ text.p + 1, text.n - 2 };
	return true;
}

/* {"p50.00":0.047,...,"Histogram log format":{"Compressed Histogram":"HIST..."}} */
static bool read_percentiles(struct json *j, struct str *payload)
{
	struct str key;
	bool ok = true;

	for (json_object(j); ok && json_key(j, &key);) {
		if (str_eq(key, STR("Histogram log format")) && json_peek(j) == '{')
			ok = read_percentiles(j, payload);
		else if (str_eq(key, STR("Compressed Histogram")))
			ok = read_payload(j, payload);
		else
			ok = json_skip(j);
	}
	return ok && !j->failed;
}

static bool read_mean(struct json *j, struct command *c)
{
	struct str text;

	if (!json_number(j, &text))
		return false;
	c->has_mean = number_decimal(text, &c->mean_ms) == NUMBER_OK;
	return true;
}

static bool read_command(struct json *j, struct command *c)
{
	size_t from = json_begin(j);
	struct str key;

	if (!json_open(j, '{'))
		return false;
	c->where = json_since(j, from);
	while (json_key(j, &key)) {
		bool ok;

		if (str_eq(key, STR("Count")))
			ok = c->has_count = json_u64(j, &c->count);
		else if (str_eq(key, STR("Latency")))
			ok = read_mean(j, c);
		else if (str_eq(key, STR("Accumulated Latency")))
			ok = c->has_sum = json_u64(j, &c->sum_ms);
		else if (str_eq(key, STR("Percentile Latencies")) && json_peek(j) == '{')
			ok = read_percentiles(j, &c->payload);
		else
			ok = json_skip(j);
		if (!ok)
			return false;
	}
	return !j->failed;
}

/* The sum is wrong by up to 1 ms, the mean by up to 0.5 us a command. */
static bool push_total(struct reader *r, const struct command *c)
{
	const uint64_t us = 1000, as_good = 2000;
	struct decimal total = { 0 };
	bool fits = true;

	if (!c->has_sum && !c->has_mean)
		return true;
	build_rounded_totals(r->to);
	if (c->has_sum && (c->count >= as_good || !c->has_mean))
		fits = decimal_times(decimal_from_u64(c->sum_ms), us, &total);
	else
		fits = decimal_times(c->mean_ms, us, &total) &&
		       decimal_times(total, c->count, &total);
	return fits ? build_total(r->to, total, c->where)
		    : format_fail(r->in, r->diag, DIAG_TOTAL_OVERFLOW, c->where,
				  "mean times commands");
}

static bool push_command(struct reader *r, struct str name, const struct command *c)
{
	if (!c->has_count || c->count == 0 || str_eq(name, STR("Totals")))
		return true;
	if (!build_operation(r->to, STR(""), name, c->where))
		return false;
	build_unit(r->to, UNIT_US, UNIT_STATED);
	if (c->payload.n > 0 && !hdr_is_payload(c->payload))
		return format_fail(r->in, r->diag, DIAG_LINE_UNEXPECTED, c->payload,
				   "expected an encoded histogram, which begins HIST");
	return (c->payload.n == 0 || hdr_push(r->hdr, c->payload)) &&
	       build_count(r->to, c->count, c->where) && push_total(r, c);
}

/* A number among others; the rest is left out. */
static bool read_number(struct json *j, struct str wanted, double *ret)
{
	struct str key;

	for (json_object(j); json_key(j, &key);) {
		if (str_eq(key, wanted) ? !json_f64_or_null(j, ret) : !json_skip(j))
			return false;
	}
	return !j->failed;
}

/* {"Start time":1795300000000,"Finish time":...,"Total duration":5003,"Time unit":"MILLISECONDS"}
 */
static bool read_runtime(struct reader *r, struct json *j)
{
	double ms = NAN;

	if (!read_number(j, STR("Total duration"), &ms))
		return false;
	if (ms > 0) {
		r->elapsed += ms / 1e3;
		build_elapsed(r->to, r->elapsed);
	}
	return true;
}

/* {"requests":0,"test_time":5,...}: --test-time, or --requests of each client. */
static bool read_configuration(struct reader *r, struct json *j)
{
	double seconds = NAN;

	if (!read_number(j, STR("test_time"), &seconds))
		return false;
	if (seconds > 0)
		build_run_fixed_duration(r->to);
	return true;
}

/* {"Runtime":{...},"Sets":{...},...,"SET":[...]} */
static bool read_results(struct reader *r, struct json *j)
{
	struct str key;

	for (json_object(j); json_key(j, &key);) {
		struct command c = { .count = 0 };

		if (str_eq(key, STR("Runtime")) && json_peek(j) == '{') {
			if (!read_runtime(r, j))
				return false;
		} else if (json_peek(j) != '{') {
			if (!json_skip(j))
				return false;
		} else if (!read_command(j, &c) || !push_command(r, key, &c)) {
			return false;
		}
	}
	return !j->failed;
}

static bool read_section(struct reader *r, struct json *j, struct str title)
{
	bool run = str_has_prefix(title, STR("RUN #"));

	if (str_eq(title, STR("configuration")) && json_peek(j) == '{')
		return read_configuration(r, j);

	if (!run && !str_eq(title, STR("ALL STATS")) &&
	    (r->several || !str_has_prefix(title, STR("AGGREGATED AVERAGE RESULTS"))))
		return json_skip(j);
	if (run && r->several)
		build_next_interval(r->to, NAN);
	r->several |= run;
	return read_results(r, j);
}

static bool memtier_read_document(struct reader *r, struct json *j)
{
	struct str key;

	for (json_object(j); json_key(j, &key);) {
		if (!read_section(r, j, key))
			return false;
	}
	return json_end(j);
}

static bool read_memtier(const struct read_task *task)
{
	struct reader r = { .in = task->in,
			    .to = task->to,
			    .diag = task->diag,
			    .hdr = hdr_new(task->in, task->to, task->diag) };
	struct arena *strings = arena_new();
	struct json j;
	bool ok;

	build_snapshots(task->to, SNAPSHOTS_DELTA);
	json_start(&j, cursor_on(task->in), strings, task->diag);
	ok = memtier_read_document(&r, &j);
	arena_free(strings);
	hdr_free(r.hdr);
	return ok;
}

const struct format format_memtier = {
	.name = "memtier",
	.title = "results of memtier_benchmark as JSON",
	.versions = "2.2",
	.unit = "us, always",
	.totals = "to 1 ms, or mean times commands",
	.probe = probe_memtier,
	.read = read_memtier,
};
