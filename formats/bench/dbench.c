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
#include "formats/summary_table.h"
#include "formats/text.h"

static const struct summary_table table = {
	.column = SUMMARY(SUMMARY_NAME, SUMMARY_COUNT, SUMMARY_MEAN, SUMMARY_MAX),
	.unit = UNIT_US,
	.factor = 1000, /* milliseconds */
	.unique = true,
	.counted = "calls",
	.expected = "expected an operation and its count",
	.expected_count = "expected a count",
	.expected_time = "expected milliseconds",
};

static bool dbench_is_head(struct str line)
{
	return text_is_words(line, "Operation Count AvgLat MaxLat");
}

struct reader {
	struct lines lines;
};

/* Rows end at a blank line, which is followed by the throughput. */
static bool dbench_read_rows(struct reader *r)
{
	struct statistics row;

	while (lines_next(&r->lines)) {
		if (r->lines.text.n == 0)
			return true;
		if (!str_has_prefix(r->lines.text, STR("-----")) &&
		    (!summary_split(&table, &r->lines, r->lines.text, &row) ||
		     !summary_push(&table, &r->lines, STR(""), &row)))
			return false;
	}
	return format_fail(r->lines.in, r->lines.diag, DIAG_INPUT_TRUNCATED,
			   (struct str){ r->lines.in->bytes.p + r->lines.in->bytes.n, 0 },
			   "no blank line after the operations");
}

/* "Running for 3 seconds with load '...' and minimum warmup 0 secs": runs have a fixed duration. */
static void dbench_read_duration(struct reader *r)
{
	struct cursor c = cursor_at(r->lines.in, r->lines.text);
	uint64_t seconds;

	if (!scan_literal(&c, STR("Running for ")) || !scan_u64(&c, &seconds))
		return;
	build_run_fixed_duration(r->lines.to);
	build_elapsed(r->lines.to, (double)seconds);
}

/* "Throughput 202.272 MB/sec  2 clients  2 procs  max_latency=16.004 ms" */
static void dbench_read_clients(struct reader *r)
{
	struct cursor c = cursor_at(r->lines.in, r->lines.text);
	struct str number, unit;
	uint64_t n;

	if (scan_literal(&c, STR("Throughput ")) && scan_word(&c, &number) &&
	    scan_word(&c, &unit) && scan_word(&c, &number) && number_u64(number, &n) == NUMBER_OK &&
	    scan_word(&c, &unit) && str_eq(unit, STR("clients")))
		build_concurrency(r->lines.to, n);
}

static bool dbench_line(void *reader)
{
	struct reader *r = reader;

	if (dbench_is_head(r->lines.text) && !dbench_read_rows(r))
		return false;
	dbench_read_duration(r);
	dbench_read_clients(r);
	return true;
}

const struct format format_dbench = {
	.name = "dbench",
	.title = "dbench: calls and totals only",
	.versions = "4.0",
	.unit = "ms, always",
	.totals = "mean times calls, to 1 us a call",
	.has_line = dbench_is_head,
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader), .line = dbench_line },
};
