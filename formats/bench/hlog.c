/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hlog: interval logs of HdrHistogram, written by jHiccup, YCSB, Cassandra's stress tool and
 * others.
 *
 *	#[Histogram log format version 1.3]
 *	#[StartTime: 1441812279.474 (seconds since epoch), Wed Sep 09 08:24:39 PDT 2015]
 *	"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"
 *	Tag=read,0.127,1.007,2.769,HISTFAAAAEV42pNpmSzM...
 *
 * Start and length in seconds, the maximum in its own unit, and an encoded histogram
 * (formats/hdr_payload.h), separated by commas or blanks.  Each line has the counts of its
 * interval only.  The operation is the tag; without one, READ from a line "#[Logging for: READ]",
 * else "latency".
 *
 * Seen: log versions 1.01, 1.1, 1.2 and 1.3 with payloads V0, V1 and V2, from jHiccup and YCSB.
 * The legend of 1.01 wrongly calls the length an end.
 */
#include <math.h>

#include "formats/hdr_payload.h"
#include "formats/lines.h"
#include "formats/text.h"

/* --- lines ----------------------------------------------------------------------- */

struct line {
	struct str tag, start, length, max, payload; /* empty: missing */
};

static bool is_separator(char c)
{
	return c == ',' || c == ' ' || c == '\t' || c == ';';
}

/* Returns the length up to a separator; uses memchr() for each, because payloads are long. */
static size_t field_length(struct str s)
{
	static const char separator[] = { ',', ' ', '\t', ';' };

	for (size_t i = 0; i < COUNT_OF(separator) && s.n > 0; i++) {
		const char *at = memchr(s.p, separator[i], s.n);

		s.n = at != NULL ? (size_t)(at - s.p) : s.n;
	}
	return s.n;
}

static struct str next_field(struct str *rest)
{
	struct str field;

	while (rest->n > 0 && is_separator(rest->p[0]))
		*rest = str_skip(*rest, 1);
	field = (struct str){ rest->p, field_length(*rest) };
	*rest = str_skip(*rest, field.n);
	return field;
}

/* Splits off the tag and the start; *ret_rest is the text after them. */
static struct line split_start(struct str s, struct str *ret_rest)
{
	struct line l = { .tag = STR("") };
	struct str rest = str_trim(s);

	if (str_has_prefix(rest, STR("Tag=")))
		l.tag = str_skip(next_field(&rest), 4);
	l.start = next_field(&rest);
	*ret_rest = rest;
	return l;
}

static struct line split_line(struct str s)
{
	struct str rest;
	struct line l = split_start(s, &rest);

	l.length = next_field(&rest);
	l.max = next_field(&rest);
	l.payload = next_field(&rest);
	return l;
}

static bool is_legend(struct str s)
{
	return str_has_prefix(s, STR("\"StartTimestamp\"")) || str_has_prefix(s, STR("\"Tag\""));
}

static bool is_log_head(struct str s)
{
	return str_has_prefix(s, STR("#[Histogram log format version")) ||
	       str_has_prefix(s, STR("\"StartTimestamp\",\"Interval_Length\"")) ||
	       str_has_prefix(s, STR("\"StartTimestamp\",\"EndTimestamp\""));
}

static enum probe probe_hlog(struct str head, struct clue *clue)
{
	struct str s, rest = head;

	(void)clue;
	while (text_line(&rest, &s)) {
		if (is_log_head(s))
			return PROBE_MAGIC;
		if (s.n == 0 || s.p[0] == '#')
			continue;
		/* A log without a head, or a later part of a log. */
		if (str_contains(s, STR(",HISTF")) || str_contains(s, STR(",HISTI")) ||
		    str_contains(s, STR(",HISTg")) || str_contains(s, STR(",HISTi")) ||
		    hdr_is_payload(split_line(s).payload))
			return PROBE_MARKS;
		return str_has_prefix(s, STR("Tag=")) ? PROBE_SHAPE : PROBE_NO;
	}
	return PROBE_NO;
}

/* --- reading ----------------------------------------------------------------------- */

struct reader {
	struct lines lines;
	struct builder *to;
	struct hdr *hdr;
	struct str subject; /* from "#[Logging for: ...]" */
	struct decimal min; /* earliest start */
};

static bool too_short(const struct reader *r, const char *expected)
{
	struct str line = r->lines.text;

	return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, (struct str){ line.p + line.n, 0 }, "%s",
			  expected);
}

static bool read_seconds(struct reader *r, struct str s, struct decimal *ret)
{
	if (s.n == 0)
		return too_short(r, "expected start, length, maximum and an encoded histogram");
	if (number_decimal(s, ret) == NUMBER_OK && ret->billionths >= 0)
		return true;
	return format_fail(r->lines.in, r->lines.diag, DIAG_NUMBER_BAD, s, "expected seconds");
}

static bool hlog_read_line(struct reader *r, struct str s)
{
	struct line l = split_line(s);
	struct decimal start, length;
	struct str name = l.tag.n > 0 ? l.tag : r->subject, where;
	double from;

	if (!read_seconds(r, l.start, &start) || !read_seconds(r, l.length, &length))
		return false;
	if (l.payload.n == 0)
		return too_short(r,
				 "expected an encoded histogram after start, length and maximum");
	if (!hdr_is_payload(l.payload))
		return format_fail(r->lines.in, r->lines.diag, DIAG_LINE_UNEXPECTED, l.payload,
				   "expected an encoded histogram, which begins HIST");
	where = l.tag.n > 0 ? l.tag : l.start;
	start.billionths -= r->min.billionths;
	from = decimal_f64(start);
	/* Lengths have three decimals, so 0 means less than 1 ms. */
	start.billionths += length.billionths > 0 ? length.billionths : 1000000;
	return build_operation(r->to, STR(""), name, where) &&
	       build_interval(r->to, from, decimal_f64(start), l.start) &&
	       hdr_push(r->hdr, l.payload);
}

/* Finds the earliest start in advance, because intervals may come in any order. */
static void find_min(struct reader *r, const struct input *in)
{
	struct str s, rest = in->bytes, after;
	bool any = false;

	while (text_line(&rest, &s)) {
		struct decimal start;

		if (s.n == 0 || s.p[0] == '#' || is_legend(s) ||
		    number_decimal(split_start(s, &after).start, &start) != NUMBER_OK)
			continue;
		if (!any || start.billionths < r->min.billionths)
			r->min = start;
		any = true;
	}
}

static void read_comment(struct reader *r, struct str s)
{
	static const struct str mark = STR_INIT("#[Logging for: ");

	if (!str_has_prefix(s, mark))
		return;
	s = str_skip(s, mark.n);
	if (s.n > 1 && s.p[s.n - 1] == ']')
		r->subject = (struct str){ s.p, s.n - 1 };
}

static bool hlog_read_lines(struct reader *r)
{
	while (lines_next(&r->lines)) {
		struct str s = r->lines.text;

		if (s.n > 0 && s.p[0] == '#')
			read_comment(r, s);
		else if (s.n > 0 && !is_legend(s) && !hlog_read_line(r, s))
			return false;
	}
	return true;
}

static bool read_hlog(const struct read_task *task)
{
	struct reader r = { .to = task->to,
			    .hdr = hdr_new(task->in, task->to, task->diag),
			    .subject = STR("latency") };
	bool ok;

	find_min(&r, task->in);
	lines_start(&r.lines, task->in, task->diag);
	ok = hlog_read_lines(&r);
	hdr_free(r.hdr);
	return ok;
}

const struct format format_hlog = {
	.name = "hlog",
	.title = "interval logs of HdrHistogram, tagged or not",
	.versions = "1.01 to 1.3; payloads V0, V1, V2",
	.unit = "not stated: use --unit to set it",
	.totals = "from buckets",
	.suffix = SUFFIXES(".hlog"),
	.probe = probe_hlog,
	.read = read_hlog,
};
