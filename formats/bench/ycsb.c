/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ycsb: measurements of the Yahoo! Cloud Serving Benchmark in text and JSON.
 *
 *	[OVERALL], RunTime(ms), 119
 *	[READ], Operations, 3930
 *	[READ], AverageLatency(us), 0.98
 *	[READ], 50thPercentileLatency(us), 1
 *	[READ], 0, 632.0
 *	[READ], 1, 3161.0
 *
 * Rows with a number in the middle have three meanings, which depend on the metric's other rows:
 * with a variance or a row ">1000", they are calls per millisecond (measurementtype=histogram);
 * else with percentiles, they are calls in the bucket whose highest latency in us is this number
 * (hdrhistogram); else they are averages over time (timeseries), which are left out.  Without such
 * rows, summary statistics are read.  With measurementtype=raw, which begins with "READ latency raw
 * data: op, timestamp(ms), latency(us)", each line is a call.  JSON has objects
 * {"metric":"READ","measurement":"Operations","value":3930}, in an array or concatenated.
 *
 * Seen: YCSB at d9faaac.  Other output of the client is skipped.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/xalloc.h"
#include "formats/bench/ycsb_metrics.h"
#include "formats/carried.h"
#include "formats/samples.h"
#include "formats/stream.h"
#include "formats/text.h"

/* --- lines ----------------------------------------------------------------------- */

struct triple {
	struct str metric, measurement, value;
};

/* Parses "[READ], Operations, 3930". */
static bool scan_triple(struct str line, struct triple *ret)
{
	struct triple t;
	struct str rest, tail;

	if (!str_has_prefix(line, STR("[")) || !str_cut(str_skip(line, 1), ']', &t.metric, &rest) ||
	    !str_has_prefix(rest, STR(", ")))
		return false;
	rest = str_skip(rest, 2);
	if (!str_cut(rest, ',', &t.measurement, &tail))
		return false;
	t.value = str_trim(tail);
	*ret = t;
	return t.value.n > 0;
}

static bool is_raw_head(struct str line)
{
	return str_has_suffix(line, STR(" latency raw data: op, timestamp(ms), latency(us)"));
}

static bool ycsb_is_json(struct str head)
{
	struct str s = str_trim(head);

	while (s.n > 0 && memchr("[{ \n\r\t", s.p[0], 6) != NULL)
		s = str_skip(s, 1);
	return s.n < head.n && str_has_prefix(s, STR("\"metric\"")) &&
	       str_contains(s, STR("\"measurement\""));
}

static enum probe probe_ycsb(struct str head, struct clue *clue)
{
	struct str line, rest = head;
	enum probe score = PROBE_NO;
	struct triple t;

	(void)clue;
	if (ycsb_is_json(head))
		return PROBE_MAGIC;
	while (text_line(&rest, &line)) {
		if (is_raw_head(line))
			return PROBE_MAGIC;
		if (!scan_triple(line, &t))
			continue;
		if (str_eq(t.metric, STR("OVERALL")) && str_eq(t.measurement, STR("RunTime(ms)")))
			return PROBE_MAGIC;
		if (str_eq(t.measurement, STR("Operations")))
			score = PROBE_MARKS;
	}
	return score;
}

/* --- raw data -------------------------------------------------------------------- */

struct reader {
	struct stream stream; /* for text */
	struct input *in;     /* input that the measurements refer to */
	struct ycsb_metrics **run;
	size_t n_runs, cap_runs;
	struct input begun; /* first line of the last run */
	struct str begun_at;
	double limit; /* seconds, for the next run; 0: not stated */
	struct samples samples;
	struct raw {
		bool any, begun;
	} raw; /* any: raw data were read; begun: lines of it follow */
};

static bool bad_call(struct reader *r, struct str line, struct str numbers)
{
	struct lines *l = &r->stream.lines;

	if (!str_contains(numbers, STR(",")))
		return lines_fail(l, DIAG_LINE_UNEXPECTED, line,
				  "expected operation, time and latency");
	return format_fail(l->in, l->diag,
			   l->cut && str_has_suffix(numbers, STR(",")) ? DIAG_INPUT_TRUNCATED
								       : DIAG_NUMBER_BAD,
			   numbers, "expected a time in ms and a latency in us");
}

/* Adds "READ,1504,2". */
static bool add_call(struct reader *r, struct str line)
{
	struct sample sample = { .layer = STR("") };
	struct str start, latency = { line.p + line.n, 0 };
	uint64_t at, took;
	struct cursor c;

	(void)str_cut(line, ',', &sample.name, &latency);
	c = cursor_at(r->stream.lines.in, latency);
	start = latency;
	if (!scan_u64(&c, &at) || !scan_char(&c, ','))
		return bad_call(r, line, start);
	latency = cursor_rest(&c);
	if (!scan_u64(&c, &took) || !cursor_done(&c))
		return bad_call(r, line, start);
	start.n -= latency.n + 1;
	sample.start = decimal_from_u64(at);
	sample.timed = true;
	sample.latency = decimal_from_u64(took);
	sample.where = sample.name;
	return samples_add(&r->samples, &sample, latency, start);
}

/* --- text ------------------------------------------------------------------------ */

/* Reads "Maximum execution time specified as: 60 secs", and the command line with
 * "... -p maxexecutiontime=60 ...". */
static void read_limit(struct reader *r, struct str line)
{
	static const struct str said[] = { STR_INIT("Maximum execution time specified as:"),
					   STR_INIT(" maxexecutiontime=") };

	for (size_t i = 0; i < COUNT_OF(said); i++) {
		size_t at = str_find(line, said[i]);
		struct cursor c = cursor_at(r->stream.lines.in, str_skip(line, at + said[i].n));
		uint64_t seconds;

		scan_blanks(&c);
		if (at < line.n && scan_u64(&c, &seconds))
			r->limit = (double)seconds;
	}
}

/* A run begins with "[OVERALL], RunTime(ms), 119". */
static bool begins_run(const struct reader *r, const struct triple *t)
{
	return r->n_runs == 0 || (!r->raw.any && str_eq(t->metric, STR("OVERALL")) &&
				  str_eq(t->measurement, STR("RunTime(ms)")));
}

static bool add_measurement(struct reader *r, const struct triple *t, struct str line)
{
	struct lines *l = &r->stream.lines;

	if (begins_run(r, t)) {
		r->run = xgrow(r->run, &r->cap_runs, r->n_runs + 1, sizeof(struct ycsb_metrics *));
		r->run[r->n_runs++] = ycsb_metrics_new(r->in, l->diag);
		ycsb_metrics_limit(r->run[r->n_runs - 1], r->limit);
		input_release(&r->begun);
		r->begun_at = input_keep_line(l->in, line, &r->begun);
	}
	return ycsb_metrics_add(r->run[r->n_runs - 1], t->metric, t->measurement, t->value, line);
}

static bool ycsb_read_line(struct reader *r, struct str line)
{
	struct triple t;
	struct str tail;

	if (is_raw_head(line)) {
		r->raw = (struct raw){ true, true };
		return true;
	}
	if (scan_triple(line, &t)) {
		r->raw.begun = false;
		return add_measurement(r, &t, line);
	}
	if (str_has_prefix(line, STR("Raw data measurement:"))) /* precedes the data of a run */
		r->raw.begun = false;
	if (r->raw.begun && line.n > 0)
		return add_call(r, line);
	read_limit(r, line);
	/* "[READ], Oper" is an incomplete measurement; other lines are ignored. */
	if (str_has_prefix(line, STR("[")) &&
	    (r->stream.lines.cut ||
	     (str_cut(line, ']', &t.metric, &tail) && str_has_prefix(tail, STR(",")))))
		return lines_fail(&r->stream.lines, DIAG_LINE_UNEXPECTED,
				  r->stream.lines.cut ? (struct str){ line.p + line.n, 0 } : line,
				  "expected [METRIC], measurement, value");
	return true;
}

/* Pushes all runs.  Runs have no end mark, so the last one must be complete when the input
 * ends. */
static bool push_runs(struct reader *r, bool goes_on, struct builder *to, struct diag *diag)
{
	double elapsed = 0;

	if (r->n_runs > 0 && goes_on) {
		diag_part(diag, DIAG_INPUT_TRUNCATED, &r->begun, r->begun_at,
			  "expected the rest of a run");
		return false;
	}
	if (r->n_runs > 1)
		build_snapshots(to, SNAPSHOTS_DELTA);
	for (size_t i = 0; i < r->n_runs; i++) {
		if (!ycsb_metrics_push(r->run[i], &elapsed, to))
			return false;
	}
	return true;
}

static void release_runs(struct reader *r)
{
	samples_release(&r->samples);
	for (size_t i = 0; i < r->n_runs; i++)
		ycsb_metrics_free(r->run[i]);
	free(r->run);
	input_release(&r->begun);
}

static bool read_text(struct input *in, const struct read_options *options, struct builder *to,
		      struct diag *diag)
{
	static const struct accumulator_options kind = {
		.unit = UNIT_US, .unit_source = UNIT_STATED, .granularity = 1, .start_rate = 1e3
	};
	struct reader r = { .limit = 0 };
	bool ok = true;

	carried_copy(options->carried, CARRIED_KIND, &r.raw);
	stream_start(&r.stream, in, to, diag);
	samples_start(&r.samples, r.stream.lines.in, options, &kind, diag);
	/* If there are raw data, other measurements are not pushed, so they need not be kept. */
	r.in = in->rest != NULL ? r.stream.lines.in : in;
	while (ok && stream_next(&r.stream))
		ok = ycsb_read_line(&r, r.stream.lines.text);
	ok = stream_end(&r.stream) && ok;
	if (ok)
		ok = r.raw.any ? accumulator_push(r.samples.accumulator, to)
			       : push_runs(&r, carried_goes_on(options->carried), to, diag);
	carried_leave_bytes(options->carried, CARRIED_KIND, &r.raw, sizeof(r.raw));
	release_runs(&r);
	return ok;
}

/* --- JSON ------------------------------------------------------------------------ */

static bool read_object(struct ycsb_metrics *metrics, struct json *j)
{
	struct triple t = { .value = STR("") };
	size_t from = json_begin(j);
	const struct json_member members[] = { JSON_STRING("metric", &t.metric),
					       JSON_STRING("measurement", &t.measurement),
					       JSON_TEXT("value", &t.value) };

	if (!json_members(j, members, COUNT_OF(members)))
		return false;
	if (t.metric.p == NULL || t.measurement.p == NULL)
		return json_unexpected(j, "expected metric and measurement");
	return ycsb_metrics_add(metrics, t.metric, t.measurement, t.value, json_since(j, from));
}

static bool read_objects(struct ycsb_metrics *metrics, struct input *in, struct arena *strings,
			 struct diag *diag)
{
	struct json j;

	json_start(&j, cursor_on(in), strings, diag);
	if (json_peek(&j) == '[') {
		for (json_array(&j); json_item(&j);) {
			if (!read_object(metrics, &j))
				return false;
		}
	}
	while (!j.failed && json_peek(&j) != '\0') {
		if (!read_object(metrics, &j))
			return false;
	}
	return !j.failed;
}

static bool ycsb_read_json(struct input *in, struct builder *to, struct diag *diag)
{
	struct arena *strings = arena_new();
	struct ycsb_metrics *metrics = ycsb_metrics_new(in, diag);
	double elapsed = 0;
	bool ok = read_objects(metrics, in, strings, diag) &&
		  ycsb_metrics_push(metrics, &elapsed, to);

	ycsb_metrics_free(metrics);
	arena_free(strings);
	return ok;
}

static bool read_ycsb(const struct read_task *task)
{
	struct str head;
	bool json;

	/* Everything except raw data is collected before it is interpreted. */
	if (!format_look(task->in, is_raw_head, &head, task->diag))
		return false;
	json = ycsb_is_json(head);
	if (json && !format_complete(task->in, task->diag))
		return false;
	return json ? ycsb_read_json(task->in, task->to, task->diag)
		    : read_text(task->in, task->options, task->to, task->diag);
}

const struct format format_ycsb = {
	.name = "ycsb",
	.title = "YCSB: histograms, raw data or summary statistics, as text and JSON",
	.versions = "d9faaac (0.18)",
	.unit = "us; rows of measurementtype=histogram are whole ms",
	.totals = "exact for raw data, else average times operations",
	.probe = probe_ycsb,
	.streams = true,
	.read = read_ycsb,
};
