/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memtier: results of memtier_benchmark in JSON (--json-out-file).
 *
 *	{"configuration":{...},"run information":{"Threads":1,"Connections per thread":4,...},
 *	 "ALL STATS":{"Runtime":{...},
 *	  "Sets":{"Count":728,...,"Average Latency":0.040,"Accumulated Latency":29,...,
 *	   "Time-Serie":{...},"Percentile Latencies":{"p50.00":0.047,...,
 *	    "Histogram log format":{"Compressed Histogram":"HISTFAAAADV4nJNpmSzM..."}}},
 *	  "Gets":{...},"Totals":{...},"SET":[{"<=msec":0.015,"percent":0.00},...]}}
 *
 * The operation is the name of the command, Sets; its histogram is an encoded HdrHistogram in us
 * (formats/hdr_payload.h).  Totals and commands that were never sent are skipped.  The sum
 * is precise to 1 ms, the mean has three decimals in ms: the more precise one is used.
 *
 * With -x there are several runs: with --print-all-runs, each ("RUN #1 RESULTS") is a snapshot;
 * otherwise the sum, "AGGREGATED AVERAGE RESULTS (3 runs)", is read.  The best and the worst run
 * are repeated in the file and are skipped.
 *
 * Seen: 2.2 at 2f74d61.  Versions without encoded histograms have summary statistics.  Recognised
 * and refused: the report as text, which has percentages of commands that it does not count.
 */
#include <math.h>

#include "base/json.h"
#include "formats/hdr_payload.h"
#include "formats/lines.h"
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
	struct lines lines;
	struct json j;
	struct hdr *hdr;
	bool several;	/* several runs were read */
	double elapsed; /* seconds */
};

/* The results for a command. */
struct command {
	uint64_t count, sum_ms;
	bool has_count, has_sum;
	struct str mean_ms, payload; /* raw text; empty: missing */
	struct str where;
};

static bool read_command(struct reader *r, struct command *c)
{
	const struct json_member log[] = { JSON_TEXT_IN_PLACE("Compressed Histogram",
							      &c->payload) };
	const struct json_member percentiles[] = { JSON_OBJECT_OR_SKIP("Histogram log format",
								       log) };
	const struct json_member members[] = {
		JSON_U64("Count", &c->count, &c->has_count),
		JSON_NUMBER("Latency", &c->mean_ms),
		JSON_U64("Accumulated Latency", &c->sum_ms, &c->has_sum),
		JSON_OBJECT_OR_SKIP("Percentile Latencies", percentiles),
	};

	c->where = (struct str){ r->lines.in->bytes.p + json_begin(&r->j), 1 }; /* opening brace */
	return json_members(&r->j, members, COUNT_OF(members));
}

/* The error of the sum is up to 1 ms, that of the mean up to 0.5 us per command. */
static bool push_total(struct reader *r, const struct command *c)
{
	const uint64_t us = 1000, as_good = 2000;
	struct decimal total = { 0 };
	bool has_mean = c->mean_ms.n > 0 && number_decimal(c->mean_ms, &total) == NUMBER_OK;
	bool fits;

	if (!c->has_sum && !has_mean)
		return true;
	build_rounded_totals(r->lines.to);
	if (c->has_sum && (c->count >= as_good || !has_mean))
		fits = decimal_times(decimal_from_u64(c->sum_ms), us, &total);
	else
		fits = decimal_times(total, us, &total) && decimal_times(total, c->count, &total);
	return fits ? build_total(r->lines.to, total, c->where)
		    : lines_fail(&r->lines, DIAG_TOTAL_OVERFLOW, c->where, "mean times commands");
}

static bool push_command(struct reader *r, struct str name, const struct command *c)
{
	if (!c->has_count || c->count == 0 || str_eq(name, STR("Totals")))
		return true;
	if (!build_operation_in(r->lines.to, UNIT_US, STR(""), name, c->where))
		return false;
	if (c->payload.n > 0 && !hdr_is_payload(c->payload))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, c->payload,
				  "expected an encoded histogram, which begins HIST");
	return (c->payload.n == 0 || hdr_push(r->hdr, c->payload)) &&
	       build_count(r->lines.to, c->count, c->where) && push_total(r, c);
}

/* Reads {"Runtime":{"Total duration":5003,...},"Sets":{...},...,"SET":[...]}. */
static bool read_results(struct reader *r)
{
	double ms = NAN;
	const struct json_member runtime[] = { JSON_F64_OR_NULL("Total duration", &ms) };
	struct str key;

	for (json_object(&r->j); json_key(&r->j, &key);) {
		struct command c = { .count = 0 };

		if (json_peek(&r->j) != '{' ? !json_skip(&r->j)
		    : str_eq(key, STR("Runtime"))
			    ? !json_members(&r->j, runtime, 1)
			    : !read_command(r, &c) || !push_command(r, key, &c))
			return false;
	}
	if (ms > 0) {
		r->elapsed += ms / 1e3;
		build_elapsed(r->lines.to, r->elapsed);
	}
	return !r->j.failed;
}

/* Reads {"requests":0,"test_time":5,...}: --test-time, or --requests per client. */
static bool read_configuration(struct reader *r)
{
	double seconds = NAN;
	const struct json_member members[] = { JSON_F64_OR_NULL("test_time", &seconds) };

	if (!json_members(&r->j, members, COUNT_OF(members)))
		return false;
	if (seconds > 0)
		build_run_fixed_duration(r->lines.to);
	return true;
}

/* Reads {"Threads":1,"Connections per thread":4,...}. */
static bool read_information(struct reader *r)
{
	uint64_t threads = 0, connections = 0;
	const struct json_member members[] = { JSON_U64("Threads", &threads),
					       JSON_U64("Connections per thread", &connections) };

	if (!json_members(&r->j, members, COUNT_OF(members)))
		return false;
	if (threads <= UINT32_MAX && connections <= UINT32_MAX)
		build_concurrency(r->lines.to, threads * connections);
	return true;
}

static bool read_section(struct reader *r, struct str title)
{
	bool run = str_has_prefix(title, STR("RUN #"));

	if (str_eq(title, STR("configuration")) && json_peek(&r->j) == '{')
		return read_configuration(r);
	if (str_eq(title, STR("run information")) && json_peek(&r->j) == '{')
		return read_information(r);
	if (!run && !str_eq(title, STR("ALL STATS")) &&
	    (r->several || !str_has_prefix(title, STR("AGGREGATED AVERAGE RESULTS"))))
		return json_skip(&r->j);
	if (run && r->several)
		build_next_interval(r->lines.to, NAN);
	r->several |= run;
	return read_results(r);
}

static bool memtier_text(void *reader)
{
	struct reader *r = reader;
	struct str key;

	r->hdr = hdr_new(r->lines.in, r->lines.to, r->lines.diag);
	lines_json(&r->lines, &r->j);
	for (json_object(&r->j); json_key(&r->j, &key);) {
		if (!read_section(r, key))
			return false;
	}
	return json_end(&r->j);
}

static void memtier_release(void *reader)
{
	struct reader *r = reader;

	hdr_free(r->hdr);
}

const struct format format_memtier = {
	.name = "memtier",
	.title = "results of memtier_benchmark as JSON",
	.versions = "2.2",
	.unit = "us, always",
	.totals = "to 1 ms, or mean times commands",
	.probe = probe_memtier,
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .end = memtier_text,
					     .release = memtier_release,
					     .snapshots = SNAPSHOTS_DELTA },
};
