/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vegeta-json: requests written by vegeta encode, one object a line.
 *
 *	{"attack":"","seq":946,"code":200,"timestamp":"2019-11-04T16:46:16.885395434+09:00",
 *	 "latency":1089318,"bytes_out":0,"bytes_in":5,"error":"","body":null,"method":"GET",
 *	 "url":"http://localhost/"}
 *
 * (one line each).  The operation is the URL, or "request" for older versions without one; the
 * layer is the method; latencies are in ns, and the timestamp is the start.  Failed requests
 * count, as in vegeta's reports.
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

static bool vegeta_json_is_one(struct str head)
{
	struct str line;

	while (text_line(&head, &line)) {
		if (line.n > 0)
			return is_request(line);
	}
	return false;
}

struct reader {
	struct stream stream;
	struct json j;
	struct decimal start;
	struct str timestamp; /* raw text; empty: missing */
};

static bool read_timestamp(void *reader)
{
	struct reader *r = reader;
	struct str time;
	size_t from = r->j.c.at;

	if (!json_string(&r->j, &time))
		return false;
	r->timestamp = json_since(&r->j, from);
	return event_timestamp(time, &r->start) ||
	       lines_fail(&r->stream.lines, DIAG_NUMBER_BAD, r->timestamp,
			  "expected a time as 2019-11-04T16:46:16.885+09:00");
}

static bool vegeta_json_line(void *reader)
{
	struct reader *r = reader;
	struct lines *l = &r->stream.lines;
	struct sample sample = { .layer = STR("") };
	uint64_t ns;
	const struct json_member members[] = {
		JSON_READ("timestamp", read_timestamp, r),
		JSON_U64("latency", &ns, .where = &sample.where),
		JSON_STRING("method", &sample.layer),
		JSON_STRING("url", &sample.name),
	};

	if (l->text.n == 0)
		return true;
	arena_clear(l->arena);
	r->start = decimal_from_u64(0);
	r->timestamp = STR("");
	json_start(&r->j, cursor_at(l->in, l->text), l->arena, l->diag);
	if (!json_members(&r->j, members, COUNT_OF(members)) || !json_end(&r->j))
		return false;
	if (sample.where.n == 0)
		return lines_fail(l, DIAG_COLUMN_MISSING, l->text, "a request without a latency");
	if (sample.name.n == 0)
		sample.name = STR("request");
	sample.latency = decimal_from_u64(ns);
	sample.start = r->start;
	sample.timed = r->timestamp.n > 0;
	return samples_add(&l->samples, &sample, sample.where,
			   r->timestamp.n > 0 ? r->timestamp : sample.where);
}

const struct format format_vegeta_json = {
	.name = "vegeta-json",
	.title = "requests of vegeta encode, one a line",
	.versions = "of 2016 to 2022",
	.unit = "ns, always",
	.totals = "exact",
	.is_one = vegeta_json_is_one,
	.streams = true,
	.read = stream_read,
	.spec =
		&(const struct line_format){
			.size = sizeof(struct reader),
			.line = vegeta_json_line,
			.sampling = &samples_ns,
			.drop_single_layer = true,
			.fixed_duration = true /* attacks have a rate and a duration */ },
};
