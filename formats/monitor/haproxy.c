/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * haproxy: logs of HAProxy with option httplog, httpslog or tcplog, one request or connection a
 * line, with or without the prefix of a syslog server.
 *
 *	192.0.2.7:41718 [22/Nov/2026:12:03:18.881] www app/app1 0/0/1/10/11 200 136 - - ---- ...
 *	192.0.2.7:33638 [22/Nov/2026:12:03:29.390] sql sql/db1 1/0/54 171 -- 1/1/0/0/0 0/0
 *
 * The time is followed by the frontend, the backend with its server, and timers in ms:
 * TR/Tw/Tc/Tr/Ta for a request, Tw/Tc/Tt for a connection.  A timer is a layer, the backend the
 * operation.  -1 means that the phase was not reached; a + (option logasap) means that it had not
 * ended.  Both are left out with a note.  Other lines are skipped.
 *
 * Seen: 2.6.  Not read: custom formats with other fields before the timers, and httplog clf.
 * Before 1.7, the first and the last timer were Tq and Tt; such logs cannot be recognized.
 */

#include "formats/event_clock.h"
#include "formats/text.h"
#include "formats/worker_pool.h"

enum { OF_CONNECTION = 3, OF_REQUEST = 5 };

struct entry {
	struct str stamp, backend;
	struct str timer[OF_REQUEST];
	size_t n_timers;
};

enum kind { OTHER, BROKEN, ENTRY };

static const struct str stamp_shape = STR_INIT("[00/Aaa/0000:00:00:00.000] ");

/* Whether s begins like "[22/Nov/2026:12:03:18.881] ". */
static bool begins_with_stamp(struct str s)
{
	for (size_t i = 0; i < stamp_shape.n; i++) {
		char wanted = stamp_shape.p[i];

		if (i == s.n || (is_digit(wanted)    ? !is_digit(s.p[i])
				 : is_letter(wanted) ? !is_letter(s.p[i])
						     : s.p[i] != wanted))
			return false;
	}
	return true;
}

/* Finds the time stamp; *line becomes the text after it. */
static bool take_stamp(struct str *line, struct str *ret)
{
	const char *bracket;

	while (line->n > 0 && (bracket = memchr(line->p, '[', line->n)) != NULL) {
		*line = str_skip(*line, (size_t)(bracket - line->p));
		if (begins_with_stamp(*line)) {
			*ret = (struct str){ line->p + 1, stamp_shape.n - sizeof("[] ") + 1 };
			*line = str_skip(*line, stamp_shape.n);
			return true;
		}
		*line = str_skip(*line, 1);
	}
	return false;
}

/* Splits "0/0/-1/-1/3003": the timers of a request or of a connection. */
static bool split_timers(struct str word, struct entry *e)
{
	struct str one;
	bool more = true;

	for (e->n_timers = 0; more; e->n_timers++) {
		if (e->n_timers == OF_REQUEST)
			return false;
		more = str_cut(word, '/', &one, &word);
		e->timer[e->n_timers] = more ? one : word;
	}
	return e->n_timers == OF_REQUEST || e->n_timers == OF_CONNECTION;
}

/* *ret_where is the invalid part of a broken line. */
static enum kind scan_entry(struct str line, struct entry *ret, struct str *ret_where)
{
	struct str frontend, server, timers;

	if (!take_stamp(&line, &ret->stamp))
		return OTHER;
	*ret_where = line;
	if (!str_cut(line, ' ', &frontend, &line))
		return BROKEN;
	if (str_contains(frontend, STR("/"))) /* "www/1: SSL handshake failure" */
		return OTHER;
	*ret_where = line;
	if (!str_cut(line, ' ', &server, &line) || !str_cut(server, '/', &ret->backend, &server) ||
	    ret->backend.n == 0)
		return BROKEN;
	*ret_where = line;
	return str_cut(line, ' ', &timers, &line) && split_timers(timers, ret) ? ENTRY : BROKEN;
}

static enum probe probe_haproxy(struct str head, struct clue *clue)
{
	struct str line, rest = head, where;
	struct entry e;

	while (text_line(&rest, &line)) {
		enum kind kind = scan_entry(line, &e, &where);

		if (kind == ENTRY)
			return PROBE_MAGIC;
		if (kind == BROKEN)
			probe_near(clue, head, where, "not what option httplog or tcplog logs");
	}
	return PROBE_NO;
}

/* --- timers ----------------------------------------------------------------------- */

enum { NEVER, GOING_ON }; /* samples.skipped */

static bool add_timer(struct samples *s, const struct entry *e, size_t i, struct sample *sample)
{
	static const struct str request[] = { STR_INIT("TR"), STR_INIT("Tw"), STR_INIT("Tc"),
					      STR_INIT("Tr"), STR_INIT("Ta") };
	static const struct str connection[] = { STR_INIT("Tw"), STR_INIT("Tc"), STR_INIT("Tt") };
	struct str timer = e->timer[i];
	enum number read;
	uint64_t ms;

	if (str_eq(timer, STR("-1"))) {
		s->skipped[NEVER]++;
		return true;
	}
	read = number_u64(str_skip(timer, str_has_prefix(timer, STR("+"))), &ms);
	if (read != NUMBER_OK)
		return format_fail(s->in, s->diag,
				   read == NUMBER_NONE ? DIAG_NUMBER_BAD : DIAG_NUMBER_RANGE, timer,
				   "expected ms or -1");
	if (timer.p[0] == '+') {
		s->skipped[GOING_ON]++;
		return true;
	}
	sample->layer = e->n_timers == OF_REQUEST ? request[i] : connection[i];
	sample->latency = decimal_from_u64(ms);
	return samples_add(s, sample, timer, e->stamp);
}

static bool add_entry(struct samples *s, const struct block *block, const struct entry *e)
{
	struct sample sample = { .name = e->backend, .where = e->backend };

	sample.timed = event_log_time(e->stamp, &sample.start);
	if (s->timed && !sample.timed)
		return format_fail(s->in, s->diag, DIAG_INTERVAL_BAD, e->stamp,
				   "expected a date and a time of day");
	for (size_t i = 0; i < e->n_timers; i++) {
		sample.offset = block->at + (uint64_t)(e->timer[i].p - s->in->bytes.p);
		if (!add_timer(s, e, i, &sample))
			return false;
	}
	return true;
}

static bool haproxy_read_block(void *member, const struct block *block, struct samples *s)
{
	struct str rest = s->in->bytes, line, where;
	struct entry e;

	(void)member;
	while (text_line(&rest, &line)) {
		bool cut = rest.n == 0 && s->in->bytes.p[s->in->bytes.n - 1] != '\n';
		enum kind kind = scan_entry(line, &e, &where);

		if (kind == ENTRY) {
			if (!add_entry(s, block, &e))
				return false;
		} else if (cut) {
			return format_fail(s->in, s->diag, DIAG_INPUT_TRUNCATED,
					   str_skip(line, line.n),
					   "expected a newline or more of a request");
		} else if (kind == BROKEN) {
			return format_fail(s->in, s->diag, DIAG_LINE_UNEXPECTED, where,
					   "expected a frontend, a backend with its server, and "
					   "TR/Tw/Tc/Tr/Ta or Tw/Tc/Tt");
		}
	}
	return true;
}

static bool read_haproxy(const struct read_task *task)
{
	static const struct accumulator_options kind = {
		.unit = UNIT_MS, .unit_source = UNIT_STATED, .start_rate = 1e9, .granularity = 1
	};
	struct worker_pool_job job = {
		.task = task,
		.sampling = &kind,
		.alone = task->options->build.interval > 0,
		.read = haproxy_read_block,
		.skipped = { [NEVER] = { DIAG_NOT_A_HISTOGRAM,
					 "timers of stages that were not reached, -1" },
			     [GOING_ON] = { DIAG_NOT_A_HISTOGRAM,
					    "timers of unfinished requests, as "
					    "option logasap has them" } }
	};

	return worker_pool_read(&job);
}

const struct format format_haproxy = {
	.name = "haproxy",
	.title = "logs of HAProxy (httplog, httpslog, tcplog)",
	.versions = "2.6",
	.unit = "ms, always",
	.totals = "exact, of whole ms",
	.probe = probe_haproxy,
	.streams = true,
	.logged = true,
	.read = read_haproxy,
};
