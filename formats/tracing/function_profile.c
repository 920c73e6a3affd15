/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * function-profile: calls and times of kernel functions, from the function profiler of ftrace,
 * trace_stat/function0 and so on below /sys/kernel/tracing.
 *
 *	  Function                               Hit    Time            Avg             s^2
 *	  --------                               ---    ----            ---             ---
 *	  vfs_read                               532    98231.04 us     184.645 us      20.310 us
 *
 * There is a file for each processor: consecutive tables are added up, and so are rows with the
 * same name: the kernel cuts names at 30 letters, and functions may share a name.  The name of
 * a function from a removed module is blank.  Times have seven digits, so from 10 ms on they are
 * less exact, down to 1 us.  There is no distribution.
 *
 * Seen: Linux 6.0, 6.1.  Not supported: tables of a kernel without the function graph tracer,
 * which has no times.
 */
#include "formats/summary_table.h"
#include "formats/text.h"

static const struct {
	const char *words;
	const enum summary_column *column;
} heads[] = {
	{ "Function Hit", NULL },
	{ "Function Hit Time Avg",
	  SUMMARY(SUMMARY_NAME, SUMMARY_COUNT, SUMMARY_TOTAL, SUMMARY_TIME) },
	{ "Function Hit Time Avg s^2",
	  SUMMARY(SUMMARY_NAME, SUMMARY_COUNT, SUMMARY_TOTAL, SUMMARY_TIME, SUMMARY_TIME) },
};

/* *ret: the columns; NULL for a table without times. */
static bool function_profile_is_head(struct str line, const enum summary_column **ret)
{
	for (size_t i = 0; i < COUNT_OF(heads) && str_has_prefix(line, STR("Function")); i++) {
		if (text_is_words(line, heads[i].words)) {
			*ret = heads[i].column;
			return true;
		}
	}
	return false;
}

static bool is_rule(struct str line)
{
	return str_has_prefix(line, STR("--------"));
}

static enum probe probe_function_profile(struct str head, struct clue *clue)
{
	struct str line, rest = head;
	const enum summary_column *column;

	while (text_line(&rest, &line)) {
		size_t at = (size_t)(line.p - head.p);

		if (!function_profile_is_head(line, &column))
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
	struct summary_table table; /* the current one */
};

/* No function's name begins with a digit. */
static const struct summary_table rows = {
	.measured = true,
	.unit = UNIT_NS,
	.unnamed = "[unknown]",
	.expected = "expected a function and how often it was hit",
	.expected_count = "expected a number of hits",
	.expected_time = "expected microseconds, and `us` after them",
};

/* Reads rows up to the next table, or to the name that head(1) prints before the next file. */
static bool function_profile_read_rows(struct reader *r)
{
	const enum summary_column *next;
	struct statistics row;

	while (lines_next(&r->lines)) {
		struct str s = r->lines.text;

		if (str_has_prefix(s, STR("==>")))
			return true;
		if (function_profile_is_head(s, &next)) {
			lines_again(&r->lines);
			return true;
		}
		if (s.n > 0 && !is_rule(s) &&
		    (!summary_split(&r->table, &r->lines, s, &row) ||
		     !summary_push(&r->table, &r->lines, STR(""), &row)))
			return false;
	}
	return true;
}

static bool function_profile_line(void *reader)
{
	struct reader *r = reader;

	r->table = rows;
	if (!function_profile_is_head(r->lines.text, &r->table.column))
		return true;
	if (r->table.column == NULL)
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
