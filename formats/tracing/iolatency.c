/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * iolatency: the histograms of perf-tools' iolatency.
 *
 *	Tracing block I/O. Output every 1 seconds. Ctrl-C to end.
 *
 *	  >=(ms) .. <(ms)   : I/O      |Distribution                          |
 *	       0 -> 1       : 4381     |######################################|
 *	       1 -> 2       : 9        |#                                     |
 *
 * The rows look like those of bcc, but exclude the upper edge.  Each table is an
 * interval.  With -Q, latencies begin when a request is queued; the output does not show
 * this.  Versions seen: cb42511.
 */

#include "base/scan.h"
#include "formats/bcc_line.h"
#include "formats/lines.h"
#include "formats/text.h"

static bool iolatency_is_head(struct str s)
{
	return str_has_prefix(s, STR(">=(ms) .. <(ms)")) && str_contains(s, STR("|Distribution"));
}

struct reader {
	struct lines lines;
	bool in_table;
};

/* "2 -> 4       : 5        |#    |" */
static bool iolatency_read_row(struct reader *r, struct str s)
{
	struct cursor c = cursor_at(r->lines.in, s);
	uint64_t low, high, count;
	struct str arrow;

	if (!scan_u64(&c, &low) || !scan_word(&c, &arrow) || !str_eq(arrow, STR("->")))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
				  "expected LOW -> HIGH : COUNT |bar|");
	scan_blanks(&c);
	if (!scan_u64(&c, &high))
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, cursor_rest(&c),
				  "expected the upper edge");
	scan_blanks(&c);
	if (!scan_char(&c, ':'))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
				  "expected LOW -> HIGH : COUNT |bar|");
	scan_blanks(&c);
	if (!scan_u64(&c, &count))
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, cursor_rest(&c), "expected a count");
	scan_blanks(&c);
	if (!scan_char(&c, '|') || !str_has_suffix(cursor_rest(&c), STR("|")))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
				  "expected LOW -> HIGH : COUNT |bar|");
	return build_range(r->lines.to, (double)low, (double)high, count, s);
}

static bool iolatency_line(void *reader)
{
	struct reader *r = reader;
	struct str s = r->lines.text;
	double stamp;
	bool bracket;

	if (iolatency_is_head(s)) {
		if (r->lines.cut)
			return lines_fail(&r->lines, DIAG_INPUT_TRUNCATED, s,
					  "a table without a row");
		r->in_table = true;
		if (!build_operation(r->lines.to, STR(""), STR("block I/O"), s) ||
		    !build_histogram(r->lines.to, s))
			return false;
		build_unit(r->lines.to, UNIT_MS, UNIT_STATED);
		return true;
	}
	if (s.n == 0 || bcc_stamp(s, &stamp, &bracket)) {
		r->in_table = r->in_table && s.n > 0;
		if (s.n > 0)
			build_next_interval(r->lines.to, stamp);
		return true;
	}
	if (str_has_prefix(s, STR("Ending tracing")) || bcc_farewell(s))
		return true;
	return !r->in_table || iolatency_read_row(r, s);
}

const struct format format_iolatency = {
	.name = "iolatency",
	.title = "perf-tools' iolatency",
	.versions = "perf-tools of 2014 on",
	.unit = "stated",
	.totals = "from the buckets",
	.has_line = iolatency_is_head,
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .line = iolatency_line,
					     .snapshots = SNAPSHOTS_DELTA },
};
