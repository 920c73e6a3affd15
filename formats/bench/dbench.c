/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dbench: calls and latencies of its operations.
 *
 *	 Operation      Count    AvgLat    MaxLat
 *	 ----------------------------------------
 *	 NTCreateX      16975     0.011     8.085
 *	 Flush           1195     3.127    23.764
 *
 *	Throughput 202.272 MB/sec  2 clients  2 procs  max_latency=16.004 ms
 *
 * Milliseconds.  No distribution.
 *
 * Seen: 4.0.
 */
#include "formats/lines.h"
#include "formats/text.h"

static bool has_words(struct str line, const struct str *word, size_t n)
{
	struct input in = { .bytes = line };
	struct cursor c = cursor_on(&in);
	struct str found;

	for (size_t i = 0; i < n; i++) {
		if (!scan_word(&c, &found) || !str_eq(found, word[i]))
			return false;
	}
	return cursor_done(&c);
}

static bool dbench_is_head(struct str line)
{
	static const struct str word[] = { STR_INIT("Operation"), STR_INIT("Count"),
					   STR_INIT("AvgLat"), STR_INIT("MaxLat") };

	return has_words(line, word, COUNT_OF(word));
}

static enum probe probe_dbench(struct str head, struct clue *clue)
{
	(void)clue;
	return text_has(head, dbench_is_head) ? PROBE_MAGIC : PROBE_NO;
}

struct reader {
	struct lines lines;
};

/* Milliseconds, as microseconds. */
static bool dbench_take_time(struct reader *r, struct cursor *c, struct decimal *ret_us,
			     struct str *where)
{
	*where = (struct str){ r->lines.text.p + r->lines.text.n, 0 };
	return (scan_word(c, where) && decimal_parse(*where, ret_us) && ret_us->billionths >= 0 &&
		decimal_times(*ret_us, 1000, ret_us)) ||
	       lines_fail(&r->lines, DIAG_NUMBER_BAD, *where, "expected milliseconds");
}

/* "NTCreateX      16975     0.011     8.085" */
static bool dbench_read_row(struct reader *r)
{
	struct cursor c = cursor_at(r->lines.in, r->lines.text);
	struct str name, count_at, mean_at, max_at;
	struct decimal total, max;
	uint64_t count;

	if (!scan_word(&c, &name) || !scan_word(&c, &count_at))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, r->lines.text,
				  "expected an operation and its count");
	if (!lines_count(&r->lines, count_at, &count, "expected a count") ||
	    !dbench_take_time(r, &c, &total, &mean_at) || !dbench_take_time(r, &c, &max, &max_at))
		return false;
	scan_blanks(&c);
	if (!cursor_done(&c))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, cursor_rest(&c),
				  "expected the end of the row");
	if (!decimal_times(total, count, &total))
		return lines_fail(&r->lines, DIAG_TOTAL_OVERFLOW, mean_at, "mean times calls");
	if (!build_new_operation(r->lines.to, STR(""), name, name))
		return false;
	build_unit(r->lines.to, UNIT_US, UNIT_STATED);
	build_rounded_totals(r->lines.to);
	build_max(r->lines.to, decimal_f64(max));
	return build_count(r->lines.to, count, count_at) &&
	       build_total(r->lines.to, total, mean_at);
}

/* Rows end with a blank line, after which the throughput stands. */
static bool dbench_read_rows(struct reader *r)
{
	while (lines_next(&r->lines)) {
		if (r->lines.text.n == 0)
			return true;
		if (!str_has_prefix(r->lines.text, STR("-----")) && !dbench_read_row(r))
			return false;
	}
	return format_fail(r->lines.in, r->lines.diag, DIAG_INPUT_TRUNCATED,
			   (struct str){ r->lines.in->bytes.p + r->lines.in->bytes.n, 0 },
			   "no blank line after the operations");
}

/* "Running for 3 seconds with load '...' and minimum warmup 0 secs": always for a time. */
static void dbench_read_duration(struct reader *r)
{
	struct cursor c = cursor_at(r->lines.in, r->lines.text);
	uint64_t seconds;

	if (!scan_literal(&c, STR("Running for ")) || !scan_u64(&c, &seconds))
		return;
	build_run_fixed_duration(r->lines.to);
	build_elapsed(r->lines.to, (double)seconds);
}

static bool dbench_line(void *reader)
{
	struct reader *r = reader;

	if (dbench_is_head(r->lines.text) && !dbench_read_rows(r))
		return false;
	dbench_read_duration(r);
	return true;
}

const struct format format_dbench = {
	.name = "dbench",
	.title = "dbench: calls and totals only",
	.versions = "4.0",
	.unit = "ms, always",
	.totals = "mean times calls, to 1 us a call",
	.probe = probe_dbench,
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader), .line = dbench_line },
};
