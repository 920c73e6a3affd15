/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vegeta-json: requests as vegeta encode writes them, one object a line.
 *
 *	{"attack":"","seq":946,"code":200,"timestamp":"2019-11-04T16:46:16.885395434+09:00",
 *	 "latency":1089318,"bytes_out":0,"bytes_in":5,"error":"","body":null,"method":"GET",
 *	 "url":"http://localhost/"}
 *
 * (one line each).  The operation is the URL, "request" where older versions have none, in
 * the layer of its method; latencies are in ns, and begin at the timestamp.  Requests that
 * failed count, as they do in vegeta's reports.
 *
 * Seen: lines of 2016 to 2022 in repositories.  Not supported: vegeta encode --to csv.
 */
#include "base/arena.h"
#include "base/json.h"
#include "formats/event_clock.h"
#include "formats/samples.h"
#include "formats/stream.h"
#include "formats/text.h"

static bool is_request(struct str s)
{
	return str_has_prefix(s, STR("{\"")) && str_contains(s, STR("\"code\":")) &&
	       str_contains(s, STR("\"timestamp\":\"")) && str_contains(s, STR("\"latency\":")) &&
	       str_contains(s, STR("\"bytes_out\":")) && str_contains(s, STR("\"bytes_in\":"));
}

static enum probe probe_vegeta_json(struct str head, struct clue *clue)
{
	struct str line;

	(void)clue;
	while (text_line(&head, &line)) {
		if (line.n > 0)
			return is_request(line) ? PROBE_MAGIC : PROBE_NO;
	}
	return PROBE_NO;
}

struct reader {
	struct stream stream;
	struct samples samples;
	/* Of the current line. */
	struct arena *strings;
	struct str timestamp; /* as it stands there; no bytes: none was met */
};

static bool read_timestamp(struct reader *r, struct json *j, struct decimal *ret)
{
	size_t from = j->c.at;
	struct str time;

	if (!json_string(j, &time))
		return false;
	r->timestamp = json_since(j, from);
	return event_timestamp(time, ret) ||
	       lines_fail(&r->stream.lines, DIAG_NUMBER_BAD, r->timestamp,
			  "expected a time as 2019-11-04T16:46:16.885+09:00");
}

static bool read_latency(struct json *j, struct sample *sample)
{
	size_t from = j->c.at;
	uint64_t ns;

	if (!json_u64(j, &ns))
		return false;
	sample->latency = decimal_from_u64(ns);
	sample->where = json_since(j, from);
	return true;
}

static bool vegeta_json_read_member(struct reader *r, struct json *j, struct str key,
				    struct sample *sample)
{
	if (str_eq(key, STR("latency")))
		return read_latency(j, sample);
	if (str_eq(key, STR("timestamp")))
		return read_timestamp(r, j, &sample->start);
	if (str_eq(key, STR("method")))
		return json_string(j, &sample->layer);
	return str_eq(key, STR("url")) ? json_string(j, &sample->name) : json_skip(j);
}

static bool read_request(struct reader *r)
{
	const struct lines *l = &r->stream.lines;
	struct sample sample = { .layer = STR("") };
	struct str key;
	struct json j;

	arena_clear(r->strings);
	r->timestamp = STR("");
	json_start(&j, cursor_at(l->in, l->text), r->strings, l->diag);
	for (json_object(&j); json_key(&j, &key);) {
		if (!vegeta_json_read_member(r, &j, key, &sample))
			return false;
	}
	if (!json_end(&j))
		return false;
	if (sample.where.n == 0)
		return lines_fail(l, DIAG_COLUMN_MISSING, l->text, "a request without a latency");
	if (sample.name.n == 0)
		sample.name = STR("request");
	return samples_add(&r->samples, &sample, sample.where,
			   r->timestamp.n > 0 ? r->timestamp : sample.where);
}

static bool read_vegeta_json(const struct read_task *task)
{
	struct accumulator_options kind = { .unit = UNIT_NS,
					    .unit_source = UNIT_STATED,
					    .start_rate = 1e9 };
	struct reader r = { .strings = arena_new() };
	bool ok = true;

	build_drop_single_layer(task->to);
	build_run_fixed_duration(task->to); /* attacks are at a rate, and for a time */
	stream_start(&r.stream, task->in, task->to, task->diag);
	samples_start(&r.samples, r.stream.lines.in, task->options, &kind, task->diag);
	while (ok && stream_next(&r.stream))
		ok = r.stream.lines.text.n == 0 || read_request(&r);
	ok = stream_end(&r.stream) && ok && accumulator_push(r.samples.accumulator, task->to);
	samples_release(&r.samples);
	arena_free(r.strings);
	return ok;
}

const struct format format_vegeta_json = {
	.name = "vegeta-json",
	.title = "requests of vegeta encode, one a line",
	.versions = "of 2016 to 2022",
	.unit = "ns, always",
	.totals = "exact",
	.probe = probe_vegeta_json,
	.streams = true,
	.read = read_vegeta_json,
};
