/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * h2load: the requests of the HTTP load generator h2load (--log-file), one a line.
 *
 *	1795341558862025	200	388
 *
 * Start in us since the epoch, status, and us to the end of the response, separated by tabs; more
 * columns may follow.  The operation is the status in the layer "response"; -1, a stream without
 * a response, is "failed".  Intervals use the start.  Lines are in the order in which requests
 * ended.
 *
 * Seen: 1.52.
 */
#include "formats/samples.h"
#include "formats/stream.h"

struct request {
	uint64_t start, us;
	struct str start_at, status, us_at;
};

static bool is_status(struct str s)
{
	uint64_t v;

	return str_eq(s, STR("-1")) || (number_u64(s, &v) == NUMBER_OK && v >= 100 && v <= 999);
}

/* Takes the text up to a tab or the end. */
static bool scan_field(struct cursor *c, struct str *ret)
{
	struct str rest = cursor_rest(c);
	const char *tab = rest.n > 0 ? memchr(rest.p, '\t', rest.n) : NULL;

	*ret = (struct str){ rest.p, tab != NULL ? (size_t)(tab - rest.p) : rest.n };
	c->at += ret->n;
	return ret->n > 0;
}

/* Parses a line; false when it is invalid at c->at. */
static bool scan_request(struct cursor *c, struct request *ret)
{
	const uint64_t first = 1000000000000000; /* 2001, in us */
	size_t at = c->at;

	if (!scan_field(c, &ret->start_at) || number_u64(ret->start_at, &ret->start) != NUMBER_OK ||
	    ret->start < first) {
		c->at = at;
		return false;
	}
	if (!scan_char(c, '\t'))
		return false;
	at = c->at;
	if (!scan_field(c, &ret->status) || !is_status(ret->status)) {
		c->at = at;
		return false;
	}
	if (!scan_char(c, '\t'))
		return false;
	at = c->at;
	if (!scan_field(c, &ret->us_at) || number_u64(ret->us_at, &ret->us) != NUMBER_OK) {
		c->at = at;
		return false;
	}
	return true;
}

static bool is_row(struct cursor *line)
{
	struct request request;

	return scan_request(line, &request);
}

static enum probe probe_h2load(struct str head, struct clue *clue)
{
	return format_probe_rows(head, is_row, "not a request of h2load", clue);
}

struct reader {
	struct stream stream;
};

static bool h2load_line(void *reader)
{
	struct reader *r = reader;
	const struct lines *l = &r->stream.lines;
	struct cursor c = cursor_at(l->in, l->text);
	struct request q;
	struct sample sample;

	if (l->text.n == 0)
		return true;
	if (!scan_request(&c, &q))
		return lines_fail(l, DIAG_LINE_UNEXPECTED, cursor_rest(&c),
				  "expected us of the epoch, a status, us, and tabs between");
	sample = (struct sample){ .layer = STR("response"),
				  .name = q.status.p[0] == '-' ? STR("failed") : q.status,
				  .latency = decimal_from_u64(q.us),
				  .start = decimal_from_u64(q.start),
				  .timed = true,
				  .where = q.status };
	return samples_add(&r->stream.lines.samples, &sample, q.us_at, q.start_at);
}

static const struct accumulator_options sampling = { .unit = UNIT_US,
						     .unit_source = UNIT_STATED,
						     .start_rate = 1e6 };

const struct format format_h2load = {
	.name = "h2load",
	.title = "requests of h2load --log-file, one a line",
	.versions = "1.52",
	.unit = "us, always",
	.totals = "exact",
	.probe = probe_h2load,
	.streams = true,
	.read = stream_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .line = h2load_line,
					     .sampling = &sampling },
};
