/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stress-ng: timer latencies of stress-ng --cyclic; with --cyclic-dist, their distribution.
 *
 *	stress-ng: info:  [4792] cyclic: sched SCHED_RR: 500000 ns delay, 2000 samples
 *	stress-ng: info:  [4792] cyclic:   mean: 35337.84 ns, mode: 25284 ns
 *	stress-ng: info:  [4792] cyclic:   min: 16320 ns, max: 785586 ns, std.dev. 32609.96
 *	stress-ng: info:  [4792] cyclic: latency distribution (5000 ns intervals):
 *	stress-ng: info:  [4792] cyclic: (for the first 158 buckets of 158)
 *	stress-ng: info:  [4792] cyclic: latency (ns)  frequency
 *	stress-ng: info:  [4792] cyclic:            0          0
 *	stress-ng: info:  [4792] cyclic:        15000          5
 *
 * The operation is "cyclic", in ns.  A label is the lower edge of a row.  At most 250 buckets are
 * shown: samples in none of them are above.  Without a distribution there are summary statistics;
 * percentiles are left out.  Only the first of several instances prints.  Several runs in one file
 * are snapshots.
 *
 * Seen: 0.15.06, 0.22.01.  Not supported: other stressors, which print rates.
 */
#include <math.h>

#include "formats/lines.h"
#include "formats/text.h"

/* Finds the text after "cyclic:" in a line of stress-ng; false for other lines. */
static bool take_cyclic(struct str line, struct str *ret)
{
	static const struct str tag = STR_INIT("] cyclic: ");
	size_t at = str_find(line, tag);

	if (!str_has_prefix(line, STR("stress-ng: ")) || at == line.n)
		return false;
	*ret = str_trim(str_skip(line, at + tag.n));
	return true;
}

static bool is_schedule(struct str line)
{
	struct str text;

	return take_cyclic(line, &text) && str_has_prefix(text, STR("sched SCHED_"));
}

struct reader {
	struct lines lines;
	/* The current run. */
	uint64_t samples, shown;
	struct str where;	   /* its first line; empty: no run yet */
	uint64_t width, n_buckets; /* layout of its distribution; 0: none */
	bool cut;		   /* there are more buckets than rows */
	bool rows;		   /* lines that begin with a digit are rows */
	uint64_t last;		   /* number of the last row, from 0 */
};

enum { MAX_BUCKETS = 250 };

static bool stated_count(struct reader *r, struct str text, struct str title, uint64_t *ret)
{
	struct str digits;

	if (!text_number_after(text, title, &digits))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, text, "expected \"%.*s\"",
				  STR_ARG(title));
	return lines_count(&r->lines, digits, ret, "expected a whole number");
}

/* --- a run -------------------------------------------------------------------------- */

/* Ends a run: samples that are in no row are above the last one. */
static bool end_run(void *reader)
{
	struct reader *r = reader;
	struct str end = { r->where.p, 0 };

	if (r->where.n == 0)
		return true;
	if (r->width > 0 && (!r->rows || r->last + 1 != r->n_buckets))
		return format_fail(r->lines.in, r->lines.diag, DIAG_INPUT_TRUNCATED, end,
				   "a distribution without its last row");
	if (r->cut && r->samples > r->shown &&
	    !build_bucket(r->lines.to, (int)r->n_buckets, r->samples - r->shown, r->where))
		return false;
	return build_count(r->lines.to, r->samples, r->where);
}

static bool begin_run(struct reader *r, struct str text)
{
	if (!end_run(r))
		return false;
	if (r->where.n > 0)
		build_next_interval(r->lines.to, NAN);
	r->where = text;
	r->width = r->n_buckets = r->last = r->shown = 0;
	r->rows = r->cut = false;
	if (!stated_count(r, text, STR("ns delay, "), &r->samples) ||
	    !build_operation_in(r->lines.to, UNIT_NS, STR(""), STR("cyclic"), text))
		return false;
	return true;
}

static bool read_mean(struct reader *r, struct str text)
{
	struct decimal mean;
	struct str number;

	if (!text_number_after(text, STR("mean: "), &number) ||
	    number_decimal(number, &mean) != NUMBER_OK)
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, text, "expected a mean in ns");
	return lines_push_mean(&r->lines, mean, r->samples, number, "mean times samples");
}

static bool read_extremes(struct reader *r, struct str text)
{
	uint64_t min, max;

	if (!stated_count(r, text, STR("min: "), &min) ||
	    !stated_count(r, text, STR("max: "), &max))
		return false;
	build_min(r->lines.to, (double)min);
	build_max(r->lines.to, (double)max);
	return true;
}

/* Reads "(for the first 158 buckets of 158)". */
static bool read_size(struct reader *r, struct str text)
{
	uint64_t all;

	if (!stated_count(r, text, STR("first "), &r->n_buckets) ||
	    !stated_count(r, text, STR("buckets of "), &all))
		return false;
	if (r->width == 0 || r->n_buckets == 0 || r->n_buckets > MAX_BUCKETS)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, text,
				  "expected a number of rows, after their width");
	r->cut = r->n_buckets < all;
	return true;
}

static bool begin_rows(struct reader *r, struct str text)
{
	struct bucket_scheme scheme = bucket_linear(0, (double)r->width);

	if (r->n_buckets == 0)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, text,
				  "rows without their number before them");
	scheme.first = 0;
	if (r->cut)
		scheme.limit = (int)r->n_buckets;
	r->rows = true;
	return build_scheme(r->lines.to, &scheme, text);
}

/* Reads "15000          5". */
static bool stress_ng_read_row(struct reader *r, struct str text)
{
	struct cursor c = cursor_at(r->lines.in, text);
	struct str label, count;
	uint64_t low, n;

	if (!scan_word(&c, &label) || !scan_word(&c, &count))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, text, "expected NS SAMPLES");
	if (!lines_count(&r->lines, label, &low, "expected ns") ||
	    !lines_count(&r->lines, count, &n, "expected how many samples"))
		return false;
	if (low % r->width != 0 || low / r->width >= r->n_buckets)
		return lines_fail(&r->lines, DIAG_BUCKET_BOUNDS, label,
				  "no row of %llu ns begins here", (unsigned long long)r->width);
	r->last = low / r->width;
	if (__builtin_add_overflow(r->shown, n, &r->shown))
		return lines_fail(&r->lines, DIAG_COUNT_OVERFLOW, count,
				  "the sum passes 2^64-1 here");
	return n == 0 || build_bucket(r->lines.to, (int)r->last, n, count);
}

static bool read_text(struct reader *r, struct str text)
{
	if (str_has_prefix(text, STR("sched SCHED_")))
		return begin_run(r, text);
	if (r->where.n == 0)
		return true;
	if (str_has_prefix(text, STR("mean: ")))
		return read_mean(r, text);
	if (str_has_prefix(text, STR("min: ")))
		return read_extremes(r, text);
	if (str_has_prefix(text, STR("latency distribution (")))
		return stated_count(r, text, STR("latency distribution ("), &r->width);
	if (str_has_prefix(text, STR("(for the first ")))
		return read_size(r, text);
	if (str_has_prefix(text, STR("latency (ns)")))
		return begin_rows(r, text);
	if (r->rows && str_begins_with_digit(text))
		return stress_ng_read_row(r, text);
	if (str_has_prefix(text, STR("Note: --cyclic-samples needed")))
		diag_part(r->lines.diag, DIAG_NOT_RECORDED, r->lines.in, text,
			  "more samples were taken than --cyclic-samples keeps");
	return true;
}

/* Reads "stress-ng: info:  [10236] setting to a 1 second run per stressor" and "successful run
 * completed in 1.00s". */
static void stress_ng_read_duration(struct reader *r)
{
	static const struct str end = STR_INIT("run completed in ");
	struct str line = r->lines.text;
	size_t at = str_find(line, end);

	if (!str_has_prefix(line, STR("stress-ng:")))
		return;
	if (str_contains(line, STR(" run per stressor")))
		build_run_fixed_duration(r->lines.to);
	if (at < line.n)
		lines_took(&r->lines, str_skip(line, at + end.n));
}

static bool stress_ng_line(void *reader)
{
	struct reader *r = reader;
	struct str text;

	stress_ng_read_duration(r);
	return !take_cyclic(r->lines.text, &text) || read_text(r, text);
}

const struct format format_stress_ng = {
	.name = "stress-ng",
	.title = "how late timers of stress-ng --cyclic were",
	.versions = "0.15.06, 0.22.01",
	.unit = "ns, always",
	.totals = "mean times samples",
	.line_marks = LINE_MARKS({ .is = is_schedule, .score = PROBE_MAGIC },
				 { .has = MARKS("stress-ng: "),
				   .why = "of stress-ng, latencies are printed by --cyclic",
				   .first = true }),
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .line = stress_ng_line,
					     .end = end_run,
					     .snapshots = SNAPSHOTS_DELTA },
};
