/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hlog: interval logs of HdrHistogram, as jHiccup, YCSB, Cassandra's stress tool and
 * others write them.
 *
 *	#[Histogram log format version 1.3]
 *	#[StartTime: 1441812279.474 (seconds since epoch), Wed Sep 09 08:24:39 PDT 2015]
 *	"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"
 *	Tag=read,0.127,1.007,2.769,HISTFAAAAEV42pNpmSzM...
 *
 * Start and length in seconds, the maximum in a unit of its own, an encoded histogram
 * (formats/hdr_payload.h).  Commas or blanks separate.  Each line holds what was
 * counted in its interval alone.  The operation is the tag; without one, what a line
 * "#[Logging for: READ]" says, else "latency".
 *
 * Seen: log versions 1.01, 1.1, 1.2 and 1.3 with payloads V0, V1 and V2, of jHiccup and
 * YCSB.  The legend of 1.01 calls the length an end; it is none.
 */
#include <math.h>

#include "formats/format.h"
#include "formats/hdr_payload.h"

/* --- lines ----------------------------------------------------------------------- */

struct line {
	struct str tag, start, length, max, payload; /* empty where they are missing */
};

static bool is_separator(char c)
{
	return c == ',' || c == ' ' || c == '\t' || c == ';';
}

static struct str next_field(struct str *rest)
{
	struct str field;
	size_t n = 0;

	while (rest->n > 0 && is_separator(rest->p[0]))
		*rest = str_skip(*rest, 1);
	while (n < rest->n && !is_separator(rest->p[n]))
		n++;
	field = (struct str){ rest->p, n };
	*rest = str_skip(*rest, n);
	return field;
}

static struct line split(struct str s)
{
	struct line l = { .tag = STR("") };
	struct str rest = str_trim(s);

	if (str_has_prefix(rest, STR("Tag=")))
		l.tag = str_skip(next_field(&rest), 4);
	l.start = next_field(&rest);
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
	struct input in = { .bytes = head };
	struct cursor c = cursor_on(&in), at;

	(void)clue;
	while (scan_line(&c, &at)) {
		struct str s = str_trim(cursor_rest(&at));

		if (is_log_head(s))
			return PROBE_MAGIC;
		if (s.n == 0 || s.p[0] == '#')
			continue;
		/* A log without a head, or the later part of one. */
		if (str_contains(s, STR(",HISTF")) || str_contains(s, STR(",HISTI")) ||
		    str_contains(s, STR(",HISTg")) || str_contains(s, STR(",HISTi")) ||
		    hdr_is_payload(split(s).payload))
			return PROBE_MARKS;
		return str_has_prefix(s, STR("Tag=")) ? PROBE_SHAPE : PROBE_NO;
	}
	return PROBE_NO;
}

/* --- reading ----------------------------------------------------------------------- */

struct reader {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	struct str subject;   /* of "#[Logging for: ...]" */
	struct decimal least; /* start of all */
};

static bool fail(struct reader *r, struct str where, bool last, const char *what)
{
	return format_fail(r->in, r->diag, last ? DIAG_INPUT_TRUNCATED : DIAG_LINE_UNEXPECTED,
			   where, "%s", what);
}

static bool read_seconds(struct reader *r, struct str s, struct str line, bool last,
			 struct decimal *ret)
{
	if (s.n == 0)
		return fail(r, (struct str){ line.p + line.n, 0 }, last,
			    "expected start, length, maximum and an encoded histogram");
	if (number_decimal(s, ret) == NUMBER_OK && ret->billionths >= 0)
		return true;
	return format_fail(r->in, r->diag, DIAG_NUMBER_BAD, s, "expected seconds");
}

static bool read_line(struct reader *r, struct str s, bool last)
{
	struct line l = split(s);
	struct decimal start, length;
	struct str name = l.tag.n > 0 ? l.tag : r->subject, where;
	double from;

	if (!read_seconds(r, l.start, s, last, &start) ||
	    !read_seconds(r, l.length, s, last, &length))
		return false;
	if (l.payload.n == 0)
		return fail(r, (struct str){ s.p + s.n, 0 }, last,
			    "expected an encoded histogram behind start, length and maximum");
	if (!hdr_is_payload(l.payload))
		return fail(r, l.payload, false,
			    "expected an encoded histogram, which begins HIST");
	where = l.tag.n > 0 ? l.tag : l.start;
	start.billionths -= r->least.billionths;
	from = decimal_f64(start);
	/* Lengths have three digits behind the point. */
	start.billionths += length.billionths > 0 ? length.billionths : 1000000;
	return build_operation(r->to, STR(""), name, where) &&
	       build_interval(r->to, from, decimal_f64(start), l.start) &&
	       hdr_push(r->in, r->to, r->diag, l.payload);
}

/* Intervals may come in any order: the first start is looked for ahead. */
static void find_least(struct reader *r)
{
	struct cursor c = cursor_on(r->in), at;
	bool any = false;

	while (scan_line(&c, &at)) {
		struct str s = str_trim(cursor_rest(&at));
		struct decimal start;

		if (s.n == 0 || s.p[0] == '#' || is_legend(s) ||
		    number_decimal(split(s).start, &start) != NUMBER_OK)
			continue;
		if (!any || start.billionths < r->least.billionths)
			r->least = start;
		any = true;
	}
}

static void read_comment(struct reader *r, struct str s)
{
	static const struct str mark = { "#[Logging for: ", 15 };

	if (!str_has_prefix(s, mark))
		return;
	s = str_skip(s, mark.n);
	if (s.n > 1 && s.p[s.n - 1] == ']')
		r->subject = (struct str){ s.p, s.n - 1 };
}

static bool read_hlog(struct input *in, const struct read_options *options, struct builder *to,
		      struct diag *diag)
{
	struct reader r = { .in = in, .to = to, .diag = diag, .subject = STR("latency") };
	struct cursor c = cursor_on(in), at;

	(void)options;
	find_least(&r);
	while (scan_line(&c, &at)) {
		struct str s = str_trim(cursor_rest(&at));

		if (s.n > 0 && s.p[0] == '#')
			read_comment(&r, s);
		else if (s.n > 0 && !is_legend(s) &&
			 !read_line(&r, s, cursor_done(&c) && at.end == c.end))
			return false;
	}
	return true;
}

static const char *const suffixes[] = { ".hlog", NULL };

const struct format format_hlog = {
	.name = "hlog",
	.title = "interval logs of HdrHistogram, tagged or not",
	.versions = "1.01 to 1.3; payloads V0, V1, V2",
	.unit = "not stated: --unit says it",
	.totals = "from buckets",
	.suffix = suffixes,
	.probe = probe_hlog,
	.read = read_hlog,
};
