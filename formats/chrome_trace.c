/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chrome-trace: the trace event format of Chrome's tracing page, as uftrace dump
 * --chrome and many others write it.
 *
 *	{"traceEvents":[
 *	{"ts":4046125168.771,"ph":"B","pid":15250,"name":"main"},
 *	{"ts":4046125224.014,"ph":"X","dur":0.31,"pid":15250,"tid":15251,"name":"work"},
 *	{"ts":4046127628.440,"ph":"E","pid":15250,"name":"main"}
 *	], "displayTimeUnit": "ns"}
 *
 * A call is a begin (B) and an end (E) of one thread, one within the other, or
 * complete (X); an end may leave its name out.  Times are in microseconds, with as
 * many digits as one likes.  Calls without begin or end are told of in a note.
 *
 * Seen: uftrace 0.13, the format's public description.  Not supported: a bare array
 * of events; asynchronous events (b, e, s, f), counters, samples, which are left out.
 */
#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "formats/samples.h"
#include "profile/pairing.h"

static const char *const suffixes[] = { ".json", NULL };

enum { SEARCHED = 4096 }; /* bytes at the beginning that name what the file holds */

static enum probe probe_chrome_trace(struct str head, struct clue *clue)
{
	struct str s = str_trim(head);

	(void)clue;
	if (!str_has_prefix(s, STR("{")))
		return PROBE_NO;
	if (s.n > SEARCHED)
		s.n = SEARCHED;
	return str_contains(s, STR("\"traceEvents\"")) ? PROBE_MAGIC : PROBE_NO;
}

/* --- reading ---------------------------------------------------------------------- */

struct reader {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	struct json j;
	struct samples samples;
	struct pairing *open;
	bool any; /* traceEvents was there */
};

struct event {
	struct str where; /* the event */
	struct str name;
	struct str ts, dur; /* their characters, empty where they are missing */
	char phase;
	struct pairing_slot thread;
};

/* A thread is a number, or a string that stands for one. */
static bool read_thread(struct reader *r, uint64_t *ret)
{
	struct str s;
	int64_t number;

	if (json_peek(&r->j) != '"') {
		if (!json_i64(&r->j, &number))
			return false;
		*ret = (uint64_t)number;
		return true;
	}
	if (!json_string(&r->j, &s))
		return false;
	*ret = 0;
	for (size_t i = 0; i < s.n; i++)
		*ret = (*ret ^ (unsigned char)s.p[i]) * UINT64_C(1099511628211);
	return true;
}

static bool read_member(struct reader *r, struct str key, struct event *e)
{
	struct str phase;

	if (str_eq(key, STR("name")))
		return json_string(&r->j, &e->name);
	if (str_eq(key, STR("ts")))
		return json_number(&r->j, &e->ts);
	if (str_eq(key, STR("dur")))
		return json_number(&r->j, &e->dur);
	if (str_eq(key, STR("pid")))
		return read_thread(r, &e->thread.who);
	if (str_eq(key, STR("tid")))
		return read_thread(r, &e->thread.what);
	if (!str_eq(key, STR("ph")))
		return json_skip(&r->j);
	if (!json_string(&r->j, &phase))
		return false;
	e->phase = phase.n == 1 ? phase.p[0] : '\0';
	return true;
}

/* Microseconds, as nanoseconds. */
static bool take_time(struct reader *r, const struct event *e, struct str s, const char *what,
		      struct decimal *ret_ns)
{
	struct decimal us;

	if (s.n == 0)
		return format_fail(r->in, r->diag, DIAG_LINE_UNEXPECTED, e->where,
				   "an event without `%s`", what);
	if (number_decimal(s, &us) != NUMBER_OK || !decimal_times(us, 1000, ret_ns))
		return format_fail(r->in, r->diag, DIAG_NUMBER_BAD, s, "expected microseconds");
	return true;
}

static bool take_event(struct reader *r, const struct event *e)
{
	struct sample sample = { .name = e->name, .where = e->where };
	struct decimal ts;

	if (e->phase != 'B' && e->phase != 'E' && e->phase != 'X')
		return true;
	if (!take_time(r, e, e->ts, "ts", &ts))
		return false;
	if (e->phase == 'B') {
		pairing_begin(r->open, e->thread, e->name, ts);
		return true;
	}
	sample.start = ts;
	if (e->phase == 'X') {
		if (!take_time(r, e, e->dur, "dur", &sample.latency))
			return false;
	} else {
		if (!pairing_end(r->open, e->thread, e->name, &sample.name, &sample.start))
			return true;
		sample.latency.billionths = ts.billionths - sample.start.billionths;
	}
	return samples_add(&r->samples, &sample, e->where, e->where);
}

static bool read_event(struct reader *r)
{
	size_t from = r->j.c.at;
	struct event e = { .phase = '\0' };
	struct str key;

	if (!json_open(&r->j, '{'))
		return false;
	while (json_key(&r->j, &key)) {
		if (!read_member(r, key, &e))
			return false;
	}
	e.where = json_since(&r->j, from);
	return !r->j.failed && take_event(r, &e);
}

static bool read_document(struct reader *r)
{
	struct str key;

	if (!json_open(&r->j, '{'))
		return false;
	while (json_key(&r->j, &key)) {
		if (!str_eq(key, STR("traceEvents"))) {
			if (!json_skip(&r->j))
				return false;
			continue;
		}
		r->any = true;
		if (!json_open(&r->j, '['))
			return false;
		while (json_item(&r->j)) {
			if (!read_event(r))
				return false;
		}
	}
	return !r->j.failed;
}

static bool finish(struct reader *r)
{
	if (!r->any)
		return format_fail(r->in, r->diag, DIAG_LINE_UNEXPECTED,
				   (struct str){ r->in->bytes.p, 1 }, "no `traceEvents` in it");
	pairing_tell(r->open, r->in, r->diag);
	return sampler_push(r->samples.sampler, r->to);
}

static bool read_chrome_trace(struct input *in, const struct read_options *options,
			      struct builder *to, struct diag *diag)
{
	struct sampler_options kind = { .unit = UNIT_NS,
					.unit_source = UNIT_STATED,
					.start_rate = 1e9 };
	struct arena *strings = arena_new();
	struct reader r = { .in = in, .to = to, .diag = diag };
	bool fine;

	json_start(&r.j, cursor_on(in), strings, diag);
	r.open = pairing_new(PAIRING_NESTED);
	samples_start(&r.samples, in, options, &kind, diag);
	fine = read_document(&r) && finish(&r);
	samples_release(&r.samples);
	pairing_free(r.open);
	arena_free(strings);
	return fine;
}

const struct format format_chrome_trace = {
	.name = "chrome-trace",
	.title = "Chrome trace events, as of uftrace dump --chrome",
	.versions = "uftrace 0.13",
	.unit = "stated",
	.totals = "exact",
	.suffix = suffixes,
	.probe = probe_chrome_trace,
	.read = read_chrome_trace,
};
