/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pg-test-timing: times to read the clock, measured by PostgreSQL's pg_test_timing.
 *
 *	Testing timing overhead for 3 seconds.
 *	Per loop time including overhead: 35.96 ns
 *	Histogram of timing durations:
 *	  < us   % of total      count
 *	     1     96.40465   80435604
 *	     2      3.59518    2999652
 *
 *	System clock source: clock_gettime (CLOCK_MONOTONIC)
 *	Average loop time including overhead: 44.67 ns
 *	Histogram of timing durations:
 *	   <= ns   % of total  running %      count
 *	       0       0.0000     0.0000          0
 *	      31      24.0606    24.0606    5385707
 *
 * Durations are differences of two readings, in whole us or ns: a row "< 4 us" has 2 and 3, a row
 * "<= 7 ns" has 4 to 7.  The operation is the name of the clock source, or "timing" if it is not
 * printed.  The durations of a test add up to its run time, so the total is the number of readings
 * times the loop time.  The table "Observed timing durations" repeats a part of the histogram.
 *
 * Seen: 15, the documentation of 10 to 19 and of the development version.  Not read: 9.2.
 */
#include "formats/lines.h"
#include "formats/measure.h"
#include "formats/text.h"

static bool is_histogram(struct str line)
{
	return str_eq(line, STR("Histogram of timing durations:"));
}

/* Recognizes the head of a histogram, and finds the unit of its rows. */
static bool pg_test_timing_is_head(struct str line, enum unit *ret)
{
	if (!str_has_suffix(line, STR("count")) || !str_contains(line, STR("% of total")))
		return false;
	if (!str_has_prefix(line, STR("< us")) && !str_has_prefix(line, STR("<= ns")))
		return false;
	*ret = line.p[1] == '=' ? UNIT_NS : UNIT_US;
	return true;
}

static const struct str for_a_time = STR_INIT("Testing timing overhead for ");

struct reader {
	struct lines lines;
	struct str source;   /* clock source */
	struct decimal loop; /* loop time of the current test, in ns */
	bool has_loop;
	double elapsed; /* seconds, sum of all tests */
};

/* Reads "... loop time including overhead: 35.96 ns". */
static bool read_loop(struct reader *r, struct str line)
{
	struct str unit, number = line;

	unit = text_last_word(&number);
	number = text_last_word(&number);
	r->has_loop = str_eq(unit, STR("ns")) && decimal_parse(number, &r->loop);
	return r->has_loop ||
	       lines_fail(&r->lines, DIAG_NUMBER_BAD, line, "expected the time of a loop in ns");
}

/* Reads "2   3.59518   2999652"; the index of its bucket is one more than its octave. */
static bool pg_test_timing_read_row(struct reader *r, enum unit unit, int *ret_index,
				    uint64_t *ret_count)
{
	struct str rest = r->lines.text, label, count = text_last_word(&rest);
	struct cursor c = cursor_at(r->lines.in, rest);
	uint64_t edge;
	int index = 0;

	if (!scan_word(&c, &label))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, r->lines.text,
				  "expected an edge, a part and a count");
	if (!lines_count(&r->lines, label, &edge, "expected the edge of a bucket") ||
	    !lines_count(&r->lines, count, ret_count, "expected a count"))
		return false;
	while (index < 63 && (UINT64_C(1) << index) < edge + (unit == UNIT_NS))
		index++;
	if ((UINT64_C(1) << index) != edge + (unit == UNIT_NS))
		return lines_fail(&r->lines, DIAG_BUCKET_BOUNDS, label,
				  unit == UNIT_NS ? "expected one less than a power of two"
						  : "expected a power of two");
	*ret_index = index - 1;
	return true;
}

static bool push_total(struct reader *r, enum unit unit, uint64_t count, struct str where)
{
	struct decimal loop = r->loop;

	if (!r->has_loop || count == 0)
		return true;
	r->has_loop = false;
	if (unit == UNIT_US)
		loop.billionths /= 1000;
	return lines_push_mean(&r->lines, loop, count, where, "readings times loops");
}

/* Reads the rows below the head, up to a line that does not begin with a digit. */
static bool pg_test_timing_read_rows(struct reader *r, enum unit unit)
{
	struct str where = r->lines.text;
	uint64_t count, sum = 0;
	int index = 0;

	if (!build_operation(r->lines.to, STR(""), r->source, where))
		return false;
	build_unit(r->lines.to, unit, UNIT_STATED);
	if (unit == UNIT_US)
		build_granularity(r->lines.to, 1);
	if (!build_scheme(r->lines.to, &bucket_octaves, where))
		return false;
	while (lines_next(&r->lines)) {
		if (!str_begins_with_digit(r->lines.text)) {
			lines_again(&r->lines);
			break;
		}
		if (!pg_test_timing_read_row(r, unit, &index, &count) ||
		    !build_bucket(r->lines.to, index, count, r->lines.text))
			return false;
		if (__builtin_add_overflow(sum, count, &sum))
			return lines_fail(&r->lines, DIAG_COUNT_OVERFLOW, r->lines.text,
					  "the sum passes 2^64-1 here");
	}
	return push_total(r, unit, sum, where);
}

static bool pg_test_timing_read_histogram(struct reader *r)
{
	enum unit unit;

	if (!lines_next(&r->lines))
		return lines_fail(&r->lines, DIAG_INPUT_TRUNCATED, r->lines.text,
				  "the histogram is missing");
	if (!pg_test_timing_is_head(r->lines.text, &unit))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, r->lines.text,
				  "expected < us or <= ns, %% of total, count");
	return pg_test_timing_read_rows(r, unit);
}

/* Reads "Testing timing overhead for 3 seconds.". */
static void pg_test_timing_read_duration(struct reader *r, struct str time)
{
	double seconds;

	if (str_has_suffix(time, STR(".")))
		time.n--;
	if (!measure_seconds(time, &seconds))
		return;
	build_run_fixed_duration(r->lines.to);
	r->elapsed += seconds;
	build_elapsed(r->lines.to, r->elapsed);
}

static bool pg_test_timing_line(void *reader)
{
	struct reader *r = reader;
	struct str line = r->lines.text;
	size_t source = str_find(line, STR("lock source: "));

	if (is_histogram(line))
		return pg_test_timing_read_histogram(r);
	if (str_has_prefix(line, for_a_time)) {
		pg_test_timing_read_duration(r, str_skip(line, for_a_time.n));
		return true;
	}
	if (str_contains(line, STR(" loop time including overhead:")))
		return read_loop(r, line);
	if (source < line.n)
		r->source = str_skip(line, source + STR("lock source: ").n);
	else if (str_has_prefix(line, STR("Detected clock going backwards")))
		diag_part(r->lines.diag, DIAG_COLLECTOR_ERROR, r->lines.in, line, "%.*s",
			  STR_ARG(line));
	return true;
}

static void pg_test_timing_start(void *reader)
{
	struct reader *r = reader;

	r->source = STR("timing");
}

const struct format format_pg_test_timing = {
	.name = "pg-test-timing",
	.title = "PostgreSQL's pg_test_timing: readings of the clock",
	.versions = "15; the manuals of 10 to 19",
	.unit = "stated",
	.totals = "readings times the time of a loop",
	.line_marks = LINE_MARKS({ .is = is_histogram, .score = PROBE_MAGIC },
				 { .has = MARKS("Testing timing overhead for "),
				   .why = "no histogram of timing durations after it" }),
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .start = pg_test_timing_start,
					     .line = pg_test_timing_line,
					     .snapshots = SNAPSHOTS_DELTA },
};
