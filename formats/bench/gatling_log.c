/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gatling-log: simulation.log of Gatling, one event a line, with tabs.
 *
 *	RUN	app.Checkout	checkout	1795742501000	 	3.9.5
 *	USER	browse	START	1795742501020
 *	REQUEST	cart	add item	1795742501100	1795742501138	OK	 
 *
 * Versions put the scenario, a number of the user, or neither before the groups of a request; the
 * name, the start and the end in ms since 1970, and OK or KO follow in all of them.  The operation
 * is "groups/name", the layer OK or KO.  The times of groups contain those of their requests and are
 * not read.
 *
 * Seen: 2.2, 3.0 and 3.9 in posts.  Not supported: the binary log of 3.10 and later.
 */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "formats/stream.h"
#include "formats/text.h"

enum { MAX_FIELDS = 10 };

struct request {
	struct str groups, name, start, end, status;
};

static bool is_status(struct str s)
{
	return str_eq(s, STR("OK")) || str_eq(s, STR("KO"));
}

/* Finds the fields by the first OK or KO after two times. */
static bool split_request(struct str line, struct request *ret)
{
	struct str field[MAX_FIELDS];
	size_t n = 0;
	bool more = true;

	for (; more && n < MAX_FIELDS; n++) {
		more = str_cut(line, '\t', &field[n], &line);
		field[n] = more ? field[n] : line;
		if (n < 5 || !is_status(str_trim(field[n])))
			continue;
		*ret = (struct request){ str_trim(field[n - 4]), str_trim(field[n - 3]),
					 field[n - 2], field[n - 1], str_trim(field[n]) };
		return str_begins_with_digit(ret->start) && str_begins_with_digit(ret->end);
	}
	return false;
}

static bool is_request(struct str line)
{
	return str_has_prefix(line, STR("REQUEST\t"));
}

static bool is_event(struct str line)
{
	struct request r;

	return is_request(line) && split_request(line, &r);
}

static bool is_run(struct str line)
{
	return str_has_prefix(line, STR("RUN\t"));
}

struct reader {
	struct stream stream;
	char *name; /* of the latest request */
	size_t cap_name;
};

/* Returns "groups/name". */
static struct str full_name(struct reader *r, const struct request *q)
{
	size_t n = q->groups.n;

	if (n == 0)
		return q->name;
	r->name = xgrow(r->name, &r->cap_name, n + 1 + q->name.n, 1);
	memcpy(r->name, q->groups.p, n);
	r->name[n] = '/';
	memcpy(r->name + n + 1, q->name.p, q->name.n);
	return (struct str){ r->name, n + 1 + q->name.n };
}

static bool read_request(struct reader *r, const struct request *q)
{
	struct lines *l = &r->stream.lines;
	struct sample s = {
		.layer = q->status, .name = full_name(r, q), .where = q->name, .timed = true
	};
	struct decimal end;

	if (number_decimal(q->start, &s.start) != NUMBER_OK ||
	    number_decimal(q->end, &end) != NUMBER_OK)
		return lines_fail(l, DIAG_NUMBER_BAD, q->start, "expected ms since 1970");
	s.latency.billionths = end.billionths - s.start.billionths;
	if (s.latency.billionths < 0)
		return lines_fail(l, DIAG_NUMBER_RANGE, q->end, "ends before it starts");
	return samples_add(&l->samples, &s, q->end, q->start);
}

static bool gatling_log_line(void *reader)
{
	struct reader *r = reader;
	struct lines *l = &r->stream.lines;
	struct request q;

	if (!is_request(l->text))
		return true;
	if (!split_request(l->text, &q))
		return lines_fail(l, DIAG_LINE_UNEXPECTED, l->text,
				  "expected a name, two times, and OK or KO, with tabs");
	return read_request(r, &q);
}

static void gatling_log_release(void *reader)
{
	struct reader *r = reader;

	free(r->name);
}

static const struct accumulator_options sampling = { .unit = UNIT_MS,
						     .unit_source = UNIT_STATED,
						     .granularity = 1,
						     .start_rate = 1000,
						     .utc = true };

const struct format format_gatling_log = {
	.name = "gatling-log",
	.title = "simulation.log of Gatling, one request a line",
	.versions = "2.2 to 3.9",
	.unit = "ms, always",
	.totals = "exact",
	.line_marks = LINE_MARKS({ .is = is_event, .score = PROBE_MAGIC },
				 { .is = is_run, .why = "no request after it" }),
	.streams = true,
	.read = stream_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .line = gatling_log_line,
					     .release = gatling_log_release,
					     .sampling = &sampling,
					     .drop_single_layer = true },
};
