/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * function-profile: calls and times of the kernel's functions, from the function profiler of
 * ftrace, trace_stat/function0 and so on below /sys/kernel/tracing.
 *
 *	  Function                               Hit    Time            Avg             s^2
 *	  --------                               ---    ----            ---             ---
 *	  vfs_read                               532    98231.04 us     184.645 us      20.310 us
 *
 * A file for each processor: tables that follow each other are added up, and so are rows
 * that are named alike: the kernel cuts names at 30 letters, and functions may share one.
 * Of a function of a module that was removed the name is blank.  Times have seven digits, so
 * from 10 ms on they are cut off, at last to 1 us.  No distribution.
 *
 * Seen: Linux 6.0, 6.1.  Not supported: tables of a kernel without the function graph tracer,
 * which has no times.
 */
#include "formats/lines.h"
#include "formats/measure.h"
#include "formats/text.h"

struct layout {
	bool timed;    /* Time and Avg */
	bool variance; /* s^2 */
};

/* "Function Hit Time Avg s^2", without the last one, or the last three */
static bool function_profile_is_head(struct str line, struct layout *ret)
{
	static const struct str title[] = { STR_INIT("Function"), STR_INIT("Hit"), STR_INIT("Time"),
					    STR_INIT("Avg"), STR_INIT("s^2") };
	struct input in = { .bytes = line };
	struct cursor c = cursor_on(&in);
	struct str word;
	size_t n = 0;

	for (; scan_word(&c, &word); n++) {
		if (n == COUNT_OF(title) || !str_eq(word, title[n]))
			return false;
	}
	*ret = (struct layout){ .timed = n > 2, .variance = n == COUNT_OF(title) };
	return n == 2 || n >= 4;
}

static bool is_rule(struct str line)
{
	return str_has_prefix(line, STR("--------"));
}

static enum probe probe_function_profile(struct str head, struct clue *clue)
{
	struct str line, rest = head;
	struct layout layout;

	while (text_line(&rest, &line)) {
		size_t at = (size_t)(line.p - head.p);

		if (!function_profile_is_head(line, &layout))
			continue;
		if (text_line(&rest, &line) && is_rule(line))
			return PROBE_MAGIC;
		*clue = (struct clue){ at, "no rule under the head" };
	}
	return PROBE_NO;
}

/* --- rows ------------------------------------------------------------------------- */

struct reader {
	struct lines lines;
	struct layout layout;
};

struct row {
	struct str name, hits_at, time_at;
	uint64_t hits;
	struct decimal time; /* ns */
};

/* "184.645 us" */
static bool function_profile_take_time(const struct reader *r, struct cursor *c,
				       struct decimal *ret_ns, struct str *ret_where)
{
	return measure_scan(c, ret_ns, ret_where) ||
	       lines_fail(&r->lines, DIAG_NUMBER_BAD, str_trim(cursor_rest(c)),
			  "expected microseconds, and `us` after them");
}

/* "vfs_read                               532"; no name begins with a digit */
static bool take_name_and_hits(const struct reader *r, struct cursor *c, struct row *row)
{
	row->name = STR("[unknown]");
	if ((!str_begins_with_digit(r->lines.text) && !scan_word(c, &row->name)) ||
	    !scan_word(c, &row->hits_at))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, r->lines.text,
				  "expected a function and how often it was hit");
	return lines_count(&r->lines, row->hits_at, &row->hits, "expected a number of hits");
}

static bool function_profile_split_row(const struct reader *r, struct row *row)
{
	struct cursor c = cursor_at(r->lines.in, r->lines.text);
	struct decimal other;
	struct str where;

	if (!take_name_and_hits(r, &c, row) ||
	    !function_profile_take_time(r, &c, &row->time, &row->time_at) ||
	    !function_profile_take_time(r, &c, &other, &where) ||
	    (r->layout.variance && !function_profile_take_time(r, &c, &other, &where)))
		return false;
	scan_blanks(&c);
	return cursor_done(&c) || lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, cursor_rest(&c),
					     "expected the end of the row");
}

static bool push_row(struct reader *r, const struct row *row)
{
	if (!build_operation(r->lines.to, STR(""), row->name, r->lines.text))
		return false;
	build_unit(r->lines.to, UNIT_NS, UNIT_STATED);
	return build_count(r->lines.to, row->hits, row->hits_at) &&
	       build_total(r->lines.to, row->time, row->time_at);
}

/* Up to the name that head(1) prints before the next file, or the next table. */
static bool function_profile_read_rows(struct reader *r)
{
	struct layout next;
	struct row row;

	while (lines_next(&r->lines)) {
		struct str s = r->lines.text;

		if (str_has_prefix(s, STR("==>")))
			return true;
		if (function_profile_is_head(s, &next)) {
			lines_again(&r->lines);
			return true;
		}
		if (s.n > 0 && !is_rule(s) &&
		    (!function_profile_split_row(r, &row) || !push_row(r, &row)))
			return false;
	}
	return true;
}

static bool function_profile_line(void *reader)
{
	struct reader *r = reader;

	if (!function_profile_is_head(r->lines.text, &r->layout))
		return true;
	if (!r->layout.timed)
		return format_fail(r->lines.in, r->lines.diag, DIAG_COLUMN_MISSING, r->lines.text,
				   "needs `Time`, which kernels without the function graph "
				   "tracer do not have");
	return function_profile_read_rows(r);
}

const struct format format_function_profile = {
	.name = "function-profile",
	.title = "the kernel's function profiler: calls and totals only",
	.versions = "Linux 6.0, 6.1",
	.unit = "stated after each number",
	.totals = "exact below 10 ms, else cut off to seven digits",
	.probe = probe_function_profile,
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .line = function_profile_line },
};
