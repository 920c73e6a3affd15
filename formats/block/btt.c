/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * btt: btt's summary of a block trace.
 *
 *	==================== All Devices ====================
 *
 *	            ALL           MIN           AVG           MAX           N
 *	--------------- ------------- ------------- ------------- -----------
 *	Q2Q               0.000000455   0.000009032   1.811181609      491566
 *	D2C               0.000057729   0.037337508   2.011319687      491566
 *
 * For each phase of a request: calls, extremes, and the mean, from which the total is computed to
 * within a nanosecond a call; no distribution.  Times between two requests (Q2Q, Q2A, D2D) are
 * not latencies and are left out with a note, as is the Q2D histogram, which is in percent.
 *
 * Seen: 1.2.0 and blktrace's documentation.  Not supported: other tables.  btt_dat.c reads the
 * files of -l and -q.
 */
#include "formats/lines.h"
#include "formats/statistics.h"
#include "formats/text.h"

static bool btt_is_head(struct str s)
{
	return str_has_prefix(s, STR("=====")) && str_contains(s, STR("= All Devices ="));
}

struct reader {
	struct lines lines;
	bool inside, rows; /* inside a table, after the line above its rows */
};

/* Takes a time in seconds, as nanoseconds. */
static bool btt_take_time(struct reader *r, struct cursor *c, struct str row, struct decimal *ret)
{
	struct decimal seconds;
	struct str word;

	if (!scan_word(c, &word) || !decimal_parse(word, &seconds) || seconds.billionths < 0 ||
	    !decimal_times(seconds, 1000000000, ret))
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, row, "expected NAME MIN AVG MAX N");
	return true;
}

/* Whether a row is the time from one request to the next: "Q2Q", "Q2Qdm". */
static bool is_between(struct str name)
{
	return str_has_prefix(name, STR("Q2Q")) || str_has_prefix(name, STR("Q2A")) ||
	       str_has_prefix(name, STR("D2D"));
}

static bool btt_read_row(struct reader *r, struct str s)
{
	struct cursor c = cursor_at(r->lines.in, s);
	struct statistics of = { .unit = UNIT_NS,
				 .unique = true,
				 .rounded = true,
				 .has_min = true,
				 .has_max = true,
				 .total_at = s };

	if (!scan_word(&c, &of.name) || !btt_take_time(r, &c, s, &of.min) ||
	    !btt_take_time(r, &c, s, &of.total) || !btt_take_time(r, &c, s, &of.max))
		return false;
	if (!scan_word(&c, &of.count_at) || number_u64(of.count_at, &of.count) != NUMBER_OK ||
	    !cursor_done(&c))
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, s, "expected how many");
	if (is_between(of.name)) {
		diag_part(r->lines.diag, DIAG_NOT_A_HISTOGRAM, r->lines.in, of.name,
			  "no latency but the time between requests");
		return true;
	}
	if (!decimal_times(of.total, of.count, &of.total)) /* mean times calls */
		return format_fail(r->lines.in, r->lines.diag, DIAG_TOTAL_OVERFLOW, s,
				   "mean times calls");
	return statistics_push(&of, r->lines.to);
}

/* Rows are below the dashes, up to the next head. */
static bool btt_line(void *reader)
{
	struct reader *r = reader;
	struct str s = r->lines.text;

	if (str_has_prefix(s, STR("====="))) {
		r->inside = btt_is_head(s);
		r->rows = false;
	} else if (r->inside && str_has_prefix(s, STR("-----"))) {
		r->rows = true;
	} else if (r->inside && r->rows && s.n > 0) {
		return btt_read_row(r, s);
	}
	return true;
}

const struct format format_btt = {
	.name = "btt",
	.title = "btt: stretches of block requests, calls and totals only",
	.versions = "1.0 to 1.2.0",
	.unit = "stated",
	.totals = "from the mean, to 1 ns a call",
	.has_line = btt_is_head,
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader), .line = btt_line },
};
