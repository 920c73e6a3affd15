/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * foundationdb: histograms among the trace events of FoundationDB, which adopted them from OSprof;
 * in XML and in JSON, one event a line.
 *
 *	<Event Severity="10" Time="1579.1" Type="Histogram" Group="Disk" Op="Read"
 *	 Unit="milliseconds" LessThan0.004="3" LessThan0.008="12" TotalCount="15" .../>
 *	{  "Severity": "10", "Time": "1579.1", "Type": "Histogram", "Group": "Disk", ... }
 *
 * (one line each).  LessThanX is [X/2, X) ms; the first bucket, 0.002, begins at 0, and the last,
 * 4294967.296, is open.  Empty buckets are not printed.  The group is the layer, Op the operation.
 * Histograms are cleared when they are printed, so a repeated one is the next interval, which ends
 * at its Time.
 *
 * Other events are skipped.  Histograms of bytes, counts and percentages are left out with a note.
 *
 * Seen: the source of 7.1 to 7.3.  Not supported: events broken over lines.
 */
#include <math.h>

#include "base/arena.h"
#include "base/json.h"
#include "formats/lines.h"
#include "formats/text.h"

enum { BUCKETS = 32 };

static bool is_histogram(struct str line)
{
	return str_contains(line, STR("Histogram\"")) && str_contains(line, STR("LessThan"));
}

static bool is_event(struct str line)
{
	return str_has_prefix(line, STR("<Event Severity=\"")) ||
	       (str_has_prefix(line, STR("{")) && str_contains(line, STR("\"Severity\"")) &&
		str_contains(line, STR("\"Time\"")) && str_contains(line, STR("\"Type\"")));
}

static bool is_histogram_event(struct str line)
{
	return is_event(line) && is_histogram(line);
}

/* --- events ---------------------------------------------------------------------------- */

struct bucket_count {
	int index;
	uint64_t count;
	struct str where;
};

struct event {
	struct str where; /* the line */
	struct str type, group, op, unit, time;
	bool has_total;
	uint64_t total;
	struct str total_at;
	struct bucket_count bucket[BUCKETS];
	size_t n;
};

struct reader {
	struct lines lines;
	bool any;
	struct str first_group, first_op;
	size_t left_out;
};

/* Returns the place for error messages: decoded strings are not part of the input, so the line is
 * used for them. */
static struct str place_of(const struct reader *r, const struct event *e, struct str s)
{
	const char *start = r->lines.in->bytes.p;

	return s.p >= start && s.p + s.n <= start + r->lines.in->bytes.n ? s : e->where;
}

static bool take_u64(struct reader *r, const struct event *e, struct str s, uint64_t *ret)
{
	switch (number_u64(s, ret)) {
	case NUMBER_OK:
		return true;
	case NUMBER_TOO_LARGE:
		return format_fail(r->lines.in, r->lines.diag, DIAG_COUNT_OVERFLOW,
				   place_of(r, e, s), "more than 2^64-1");
	case NUMBER_NONE:
		break;
	}
	return lines_fail(&r->lines, DIAG_NUMBER_BAD, place_of(r, e, s), "expected a count");
}

/* Returns the bucket below `ms`; -1 if there is none.  Searches from `from` on, near which it
 * usually is. */
static int find_bucket(struct decimal ms, int from)
{
	for (int i = from; i < from + BUCKETS; i++) {
		if (ms.billionths == (decimal_int)1000000 << (i % BUCKETS + 1))
			return i % BUCKETS;
	}
	return -1;
}

/* Takes "LessThan0.008": bucket 2, up to 2^3 us. */
static bool take_bucket(struct reader *r, struct event *e, struct str edge, struct str value)
{
	struct bucket_count *b = &e->bucket[e->n];
	struct decimal ms;

	if (e->n == BUCKETS)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, place_of(r, e, value),
				  "more than 32 buckets");
	if (!decimal_parse(edge, &ms))
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, place_of(r, e, edge),
				  "expected milliseconds");
	b->where = place_of(r, e, value);
	b->index = find_bucket(ms, e->n > 0 ? b[-1].index + 1 : 0);
	e->n++;
	return take_u64(r, e, value, &b->count);
}

static bool take_member(struct reader *r, struct event *e, struct str key, struct str value)
{
	static const struct str less_than = { "LessThan", sizeof("LessThan") - 1 };

	if (str_has_prefix(key, less_than))
		return take_bucket(r, e, str_skip(key, less_than.n), value);
	if (str_eq(key, STR("Type")))
		e->type = value;
	else if (str_eq(key, STR("Group")))
		e->group = value;
	else if (str_eq(key, STR("Op")))
		e->op = value;
	else if (str_eq(key, STR("Unit")))
		e->unit = value;
	else if (str_eq(key, STR("Time")))
		e->time = value;
	else if (str_eq(key, STR("TotalCount"))) {
		e->has_total = true;
		e->total_at = place_of(r, e, value);
		return take_u64(r, e, value, &e->total);
	}
	return true;
}

/* Decodes the five predefined entities of XML. */
static struct str decoded_text(struct reader *r, struct str s)
{
	static const struct {
		const char *entity;
		char is;
	} entities[] = { { "&lt;", '<' },
			 { "&gt;", '>' },
			 { "&amp;", '&' },
			 { "&quot;", '"' },
			 { "&apos;", '\'' } };
	char *to;
	size_t n = 0;

	if (!str_contains(s, STR("&")))
		return s;
	to = arena_make(r->lines.arena, char, s.n);
	while (s.n > 0) {
		size_t i = 0;

		while (i < COUNT_OF(entities) && !str_has_prefix(s, str_from(entities[i].entity)))
			i++;
		to[n++] = i < COUNT_OF(entities) ? entities[i].is : s.p[0];
		s = str_skip(s, i < COUNT_OF(entities) ? str_from(entities[i].entity).n : 1);
	}
	return (struct str){ to, n };
}

/* Parses <Event KEY="VALUE" ... />. */
static bool parse_xml(struct reader *r, struct event *e)
{
	struct str s = str_skip(e->where, sizeof("<Event") - 1), key, value;

	for (;;) {
		s = str_trim(s);
		if (str_has_prefix(s, STR("/>")) || str_has_prefix(s, STR(">")))
			return true;
		if (!str_cut(s, '=', &key, &s) || !str_has_prefix(s, STR("\"")) ||
		    !str_cut(str_skip(s, 1), '"', &value, &s))
			return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, e->where,
					  "expected <Event KEY=\"VALUE\" ... />");
		if (!take_member(r, e, str_trim(key), decoded_text(r, value)))
			return false;
	}
}

static bool parse_json(struct reader *r, struct event *e)
{
	struct str key, value;
	struct json j;

	json_start(&j, cursor_at(r->lines.in, e->where), r->lines.arena, r->lines.diag);
	for (json_object(&j); json_key(&j, &key);) {
		if (!json_text(&j, &value) || !take_member(r, e, key, value))
			return false;
	}
	return !j.failed;
}

/* --- histograms --------------------------------------------------------------------------- */

/* Begins an interval when the first histogram is repeated. */
static void mark_interval(struct reader *r, const struct event *e)
{
	double time;

	if (!r->any) {
		r->first_group = e->group;
		r->first_op = e->op;
	} else if (!str_eq(e->group, r->first_group) || !str_eq(e->op, r->first_op)) {
		return;
	}
	r->any = true;
	if (number_f64(e->time, &time) != NUMBER_OK || !isfinite(time))
		time = NAN;
	build_next_interval(r->lines.to, time);
}

static bool push_histogram(struct reader *r, const struct event *e)
{
	struct bucket_scheme scheme = bucket_log2(1);

	scheme.first = 1; /* everything below 2 us is one bucket */
	scheme.limit = BUCKETS - 1;
	mark_interval(r, e);
	if (!build_operation(r->lines.to, e->group, e->op, place_of(r, e, e->op)) ||
	    !build_scheme(r->lines.to, &scheme, e->where))
		return false;
	build_unit(r->lines.to, UNIT_US, UNIT_STATED);
	for (size_t i = 0; i < e->n; i++) {
		const struct bucket_count *b = &e->bucket[i];

		if (b->index < 0)
			return lines_fail(&r->lines, DIAG_BUCKET_BOUNDS, b->where,
					  "the edge before is no power of two in microseconds");
		if (!build_bucket(r->lines.to, b->index, b->count, b->where))
			return false;
	}
	return !e->has_total || build_count(r->lines.to, e->total, e->total_at);
}

static bool read_event(struct reader *r, struct str line)
{
	struct event e = { .where = line };

	if (!(line.p[0] == '<' ? parse_xml(r, &e) : parse_json(r, &e)))
		return false;
	if (!str_eq(e.type, STR("Histogram")))
		return true;
	if (!str_eq(e.unit, STR("milliseconds")) && !str_eq(e.unit, STR("microseconds"))) {
		r->left_out++;
		return true;
	}
	return push_histogram(r, &e);
}

static bool foundationdb_events(void *reader)
{
	struct reader *r = reader;

	while (lines_next(&r->lines)) {
		struct str s = r->lines.text;

		/* Skip other events, which are the majority, as cheaply as possible. */
		if (s.n > 0 && is_event(s) && (r->lines.cut || is_histogram(s)) &&
		    !read_event(r, s))
			return false;
	}
	if (r->left_out > 0)
		diag_file(r->lines.diag, DIAG_NOT_A_HISTOGRAM, r->lines.in,
			  "%zu of bytes, counts or percentages, which are no latencies",
			  r->left_out);
	return true;
}

const struct format format_foundationdb = {
	.name = "foundationdb",
	.title = "FoundationDB's trace events, XML or JSON",
	.versions = "7.1 to 7.3",
	.unit = "stated",
	.totals = "not printed",
	.line_marks = LINE_MARKS({ .is = is_histogram_event, .score = PROBE_MAGIC },
				 { .is = is_event,
				   .score = PROBE_MARKS,
				   .why = "no event of the type Histogram",
				   .first = true }),
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .end = foundationdb_events,
					     .snapshots = SNAPSHOTS_DELTA,
					     .drop_single_layer = true },
};
