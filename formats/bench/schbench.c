/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * schbench: wakeup and request latencies, as numbers of samples between percentiles.
 *
 *	Wakeup Latencies percentiles (usec) runtime 12 (s) (2086 total samples)
 *		  50.0th: 18         (239 samples)
 *		  90.0th: 2620       (830 samples)
 *		* 99.0th: 6984       (184 samples)
 *		  99.9th: 12048      (18 samples)
 *		  min=2, max=17059
 *
 * A latency is the middle of a bucket: each microsecond is one below 512 us, and each octave above
 * has 256.  The number of samples covers this bucket and those down to the previous percentile, so
 * that two consecutive rows bound a bucket here.
 *
 * Since 2023 the 20th percentile is computed but not printed, so the samples up to it follow only
 * from the total, as do those above the last percentile: as many as the percentile allows are
 * assumed to be there, up to the maximum.  The printed min is not always the smallest, because a
 * sample of 0 us resets it.
 *
 * Intermediate tables are cumulative since the start, or since -z reset them: the last one is read.
 *
 * Seen: versions of 2020-10, 2021-12 and 2025-12.  Recognised and refused: percentiles without
 * numbers of samples, from --json and before 2020-10.  Left out: requests per second.
 */
#include <math.h>

#include "formats/lines.h"
#include "formats/text.h"

enum kind { KIND_WAKEUP, KIND_REQUEST, KINDS };

static const struct {
	struct str title;
	enum kind kind;
} titles[] = {
	{ STR_INIT("Latency percentiles (usec)"), KIND_WAKEUP },
	{ STR_INIT("Wakeup latency percentiles (usec)"), KIND_WAKEUP },
	{ STR_INIT("Wakeup Latencies percentiles (usec)"), KIND_WAKEUP },
	{ STR_INIT("Request Latencies percentiles (usec)"), KIND_REQUEST },
};

struct row {
	double percentile;
	uint64_t us, calls;
	struct str where;
};

enum { ROWS = 20 };
static const uint64_t MAX_SAMPLES = UINT64_C(1) << 53; /* a double is exact up to here */

/* The last table of a kind. */
struct table {
	bool given;
	bool passing; /* intermediate: followed by a current rate */
	uint64_t runtime, total, max;
	struct str total_at;
	struct row row[ROWS];
	size_t n_rows;
};

enum head {
	HEAD_NONE,
	HEAD_BARE, /* no numbers of samples */
	HEAD_TABLE,
	HEAD_BAD,
};

static const char bad_head[] =
	"expected latencies of wakeups or requests, seconds and total samples";

/* Parses the text after the title: nothing, " runtime 12 (s)", or " runtime 12 (s) (2086 total
 * samples)". */
static enum head scan_numbers(struct cursor c, struct table *t)
{
	if (cursor_done(&c))
		return HEAD_BARE;
	if (!scan_literal(&c, STR(" runtime ")) || !scan_u64(&c, &t->runtime) ||
	    !scan_literal(&c, STR(" (s)")))
		return HEAD_BAD;
	if (cursor_done(&c))
		return HEAD_BARE;
	if (!scan_literal(&c, STR(" (")))
		return HEAD_BAD;
	t->total_at = cursor_rest(&c);
	t->total_at.n = str_find(t->total_at, STR(" "));
	return scan_u64(&c, &t->total) && t->total <= MAX_SAMPLES &&
			       scan_literal(&c, STR(" total samples)")) && cursor_done(&c)
		       ? HEAD_TABLE
		       : HEAD_BAD;
}

static enum head parse_head(struct str line, enum kind *ret_kind, struct table *ret)
{
	struct input in = { .bytes = line };
	struct cursor c = cursor_on(&in);

	for (size_t i = 0; i < COUNT_OF(titles); i++) {
		if (!scan_literal(&c, titles[i].title))
			continue;
		*ret_kind = titles[i].kind;
		*ret = (struct table){ .given = true };
		return scan_numbers(c, ret);
	}
	return str_contains(line, STR(" percentiles (usec) runtime ")) ? HEAD_BAD : HEAD_NONE;
}

static bool schbench_is_json(struct str line)
{
	return str_has_prefix(line, STR("{\"normal\": {")) &&
	       str_contains(line, STR("\"wakeup_latency_pct"));
}

static enum probe probe_schbench(struct str head, struct clue *clue)
{
	struct str line, rest = head;
	struct table table;
	enum kind kind;

	while (text_line(&rest, &line)) {
		enum head is = parse_head(line, &kind, &table);

		if (is == HEAD_TABLE || is == HEAD_BARE || schbench_is_json(line))
			return PROBE_MAGIC;
		if (is == HEAD_BAD)
			probe_near(clue, head, line, bad_head);
	}
	return PROBE_NO;
}

/* --- tables ----------------------------------------------------------------------- */

struct reader {
	struct lines lines;
	struct table table[KINDS];
	bool ended;   /* the last line of the run was read */
	bool guessed; /* the number of calls after the last row is estimated */
};

/* Parses "* 99.0th: 6984       (184 samples)". */
static bool scan_row(struct cursor *c, struct row *ret)
{
	if (scan_char(c, '*'))
		scan_blanks(c);
	if (!scan_f64(c, &ret->percentile) || !(ret->percentile > 0 && ret->percentile < 100) ||
	    !scan_literal(c, STR("th:")))
		return false;
	scan_blanks(c);
	if (!scan_u64(c, &ret->us) || ret->us > UINT32_MAX)
		return false;
	scan_blanks(c);
	if (!scan_char(c, '('))
		return false;
	ret->where = cursor_rest(c);
	ret->where.n = str_find(ret->where, STR(" "));
	return scan_u64(c, &ret->calls) && scan_literal(c, STR(" samples)")) && cursor_done(c);
}

/* Parses "min=2, max=17059". */
static bool scan_extremes(struct cursor *c, uint64_t *ret_max)
{
	uint64_t min;

	return scan_literal(c, STR("min=")) && scan_u64(c, &min) &&
	       scan_literal(c, STR(", max=")) && scan_u64(c, ret_max) && *ret_max <= UINT32_MAX &&
	       cursor_done(c);
}

static bool schbench_read_rows(struct reader *r, struct table *t)
{
	while (lines_next(&r->lines)) {
		struct cursor c = cursor_at(r->lines.in, r->lines.text);

		if (t->n_rows > 0 && str_has_prefix(r->lines.text, STR("min=")))
			return scan_extremes(&c, &t->max) ||
			       lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, cursor_rest(&c),
					  "expected min=NUMBER, max=NUMBER");
		if (t->n_rows == ROWS || !scan_row(&c, &t->row[t->n_rows]))
			return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, cursor_rest(&c),
					  "expected PERCENTILEth: NUMBER (NUMBER samples)");
		t->n_rows++;
	}
	return format_fail(r->lines.in, r->lines.diag, DIAG_INPUT_TRUNCATED,
			   (struct str){ r->lines.in->bytes.p + r->lines.in->bytes.n, 0 },
			   "no minimum and maximum after the percentiles");
}

/* Returns the upper edge of the bucket that is printed as `us`. */
static uint64_t edge_above(uint64_t us)
{
	unsigned finer = 0; /* bits below the resolution of the bucket */

	while (us >> finer >= 512)
		finer++;
	return ((us >> finer) + 1) << finer;
}

/* Whether the maximum is above the bucket of the last percentile. */
static bool goes_on(const struct table *t)
{
	return t->max >= edge_above(t->row[t->n_rows - 1].us);
}

/* Returns how many of the calls that are in no row are after the last one. */
static uint64_t calls_after(struct reader *r, const struct table *t, uint64_t missing)
{
	double share = t->row[t->n_rows - 1].percentile / 100;
	uint64_t max = t->total - (uint64_t)ceil(share * (double)t->total);

	if (missing <= max) /* the first row includes all calls up to it */
		return missing;
	if (!goes_on(t))
		return 0;
	r->guessed |= max > 1;
	return max;
}

static bool schbench_push_rows(struct reader *r, const struct table *t, uint64_t missing)
{
	uint64_t after = calls_after(r, t, missing);
	double low = 0, high = 0;

	for (size_t i = 0; i < t->n_rows; i++) {
		uint64_t calls = t->row[i].calls;

		if (i == 0)
			calls += missing - after;
		if (i + 1 == t->n_rows && !goes_on(t))
			calls += after;
		high = (double)edge_above(t->row[i].us);
		if (calls > 0 && !build_range(r->lines.to, low, high, calls, t->row[i].where))
			return false;
		low = calls > 0 ? high : low;
	}
	return after == 0 || !goes_on(t) ||
	       build_range(r->lines.to, high, (double)t->max + 1, after, t->total_at);
}

static bool schbench_push(struct reader *r, enum kind kind, const struct table *t)
{
	static const char *const names[KINDS] = { "wakeup", "request" };
	uint64_t missing = t->total;

	for (size_t i = 0; i < t->n_rows; i++) {
		if (t->row[i].calls > missing)
			return format_fail(r->lines.in, r->lines.diag, DIAG_CONFLICTING_VALUES,
					   t->row[i].where, "more than the total samples");
		missing -= t->row[i].calls;
	}
	if (!build_operation_in(r->lines.to, UNIT_US, STR(""), str_from(names[kind]), t->total_at))
		return false;
	build_granularity(r->lines.to, 1);
	build_max(r->lines.to, (double)t->max);
	return build_histogram(r->lines.to, t->total_at) && schbench_push_rows(r, t, missing);
}

/* --- the run ----------------------------------------------------------------------- */

/* Replaces the previous table of a kind by a later one. */
static bool keep_table(struct reader *r, enum kind kind, const struct table *t)
{
	const struct table *before = &r->table[kind];
	bool goes_on =
		t->runtime > before->runtime || (t->runtime == before->runtime && before->passing);

	if (r->ended || (before->given && !goes_on))
		return format_fail(r->lines.in, r->lines.diag, DIAG_OPERATION_TWICE, t->total_at,
				   "another run begins, whose percentiles make other buckets; one "
				   "run a file is read");
	r->table[kind] = *t;
	return true;
}

static bool refuse_table(struct reader *r)
{
	return format_fail(r->lines.in, r->lines.diag, DIAG_COLUMN_MISSING, r->lines.text,
			   "percentiles without numbers of samples, which schbench prints on "
			   "standard error since 2020");
}

/* Reads the lines that show whether the tables above are intermediate or final. */
static void take_rate(struct reader *r)
{
	static const struct str last[] = { STR_INIT("average rps:"), STR_INIT("final rps goal was"),
					   STR_INIT("avg worker transfer:") };

	for (size_t i = 0; i < COUNT_OF(last); i++)
		r->ended |= str_has_prefix(r->lines.text, last[i]);
	if (str_has_prefix(r->lines.text, STR("current rps:"))) {
		for (size_t i = 0; i < KINDS; i++)
			r->table[i].passing = true;
	}
}

static bool schbench_line(void *reader)
{
	struct reader *r = reader;
	struct table table;
	enum kind kind;

	switch (parse_head(r->lines.text, &kind, &table)) {
	case HEAD_TABLE:
		return schbench_read_rows(r, &table) && keep_table(r, kind, &table);
	case HEAD_BARE:
		return refuse_table(r);
	case HEAD_BAD:
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, r->lines.text, "%s", bad_head);
	case HEAD_NONE:
		break;
	}
	if (schbench_is_json(r->lines.text))
		return refuse_table(r);
	take_rate(r);
	return true;
}

static bool schbench_end(void *reader)
{
	struct reader *r = reader;
	uint64_t elapsed = 0;

	for (size_t kind = 0; kind < KINDS; kind++) {
		const struct table *t = &r->table[kind];

		if (t->given && !schbench_push(r, (enum kind)kind, t))
			return false;
		elapsed = t->given && t->runtime > elapsed ? t->runtime : elapsed;
	}
	if (elapsed > 0)
		build_elapsed(r->lines.to, (double)elapsed);
	if (r->guessed)
		diag_file(r->lines.diag, DIAG_COUNTS_ROUNDED, r->lines.in,
			  "the number of calls after the last percentile is not stated; taken for "
			  "all that it leaves room for");
	return true;
}

const struct format format_schbench = {
	.name = "schbench",
	.title = "schbench: calls between percentiles of wakeups and requests",
	.versions = "2020-10 to 2025-12",
	.unit = "us, always",
	.totals = "from buckets",
	.probe = probe_schbench,
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .line = schbench_line,
					     .end = schbench_end,
					     .fixed_duration = true },
};
