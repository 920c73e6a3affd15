/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perf-ftrace: the histogram of `perf ftrace latency`, and the table of
 * `perf ftrace profile`, which has no distribution; functions with the same name in
 * several modules are added up.
 *
 *	#   DURATION     |      COUNT | GRAPH                                          |
 *	     0 - 1    us |          0 |                                                |
 *	     1 - 2    us |          3 | ####                                           |
 *	   256 -  512 us |          4 | ######                                         |
 *	     1 - 2    ms |          2 | ###                                            |
 *	     1 - ...   s |          0 |                                                |
 *
 *	# statistics  (in usec)
 *	  total time:               1310
 *	    avg time:                145
 *	    max time:               1409
 *	    min time:                  1
 *	       count:                  9
 *
 * After the first ten powers of two the unit changes to 1024 of the previous one.
 * Without --use-bpf the labels are one power of two too low: the program takes the
 * logarithm of the duration and prints the bucket as if it began one earlier, so
 * "1 - 2 us" holds [2, 4) and "0 - 1 us" holds [0, 2).  The output does not state the
 * mode; it follows from mean, minimum and maximum, if statistics are printed (from 6.14
 * on).  Without them labels are taken as printed, with a warning.  Edges of
 * --bucket-range are decimal, equally wide and right in both modes; --hide-empty omits
 * rows.
 *
 * The function is not in the output: the operation is called `latency`.  Versions
 * seen: 7.2 by running it, 6.1 to 6.14 in sources and mails.
 */
#include <math.h>

#include "base/scan.h"
#include "formats/lines.h"
#include "formats/text.h"

enum { MAX_ROWS = 64 };

struct row {
	double low, high; /* as labelled, in microseconds, or in nanoseconds with ns */
	uint64_t count;
	struct str where;
};

struct reader {
	struct lines lines;
	struct row row[MAX_ROWS];
	size_t n_rows;
	struct str head; /* the header of the histogram */
	bool has_histogram, has_profile, no_data, linear, in_statistics;
	enum unit finest; /* unit of the first rows, used for all */
	enum unit statistics_unit;
	bool has_total, has_count, has_min, has_max;
	struct decimal total;
	uint64_t count;
	double min, max;
	struct str total_at, count_at;
};

static bool perf_ftrace_is_head(struct str s)
{
	return str_has_prefix(s, STR("#")) && str_contains(s, STR("DURATION")) &&
	       str_contains(s, STR("| ")) && str_contains(s, STR("COUNT | GRAPH"));
}

static bool is_profile_head(struct str s)
{
	return str_has_prefix(s, STR("# Total (us)")) && str_has_suffix(s, STR("Function"));
}

static bool is_no_data(struct str s)
{
	return str_eq(s, STR("No data found"));
}

/* Returns whether this is all that perf ftrace latency prints if the function was not called. */
static bool is_nothing(struct str text)
{
	struct str line;
	bool seen = false;

	while (text_line(&text, &line)) {
		if (line.n > 0 && !is_no_data(line))
			return false;
		seen |= line.n > 0;
	}
	return seen;
}

static enum probe probe_perf_ftrace(struct str head, struct clue *clue)
{
	(void)clue;
	if (text_has(head, perf_ftrace_is_head) || text_has(head, is_profile_head))
		return PROBE_MAGIC;
	return is_nothing(head) ? PROBE_SHAPE : PROBE_NO;
}

/* --- the histogram --------------------------------------------------------------- */

/* Returns how many of the finer unit a label's unit has: in a log2 histogram powers of 1024, not
 * 1000. */
static double label_factor(const struct reader *r, enum unit unit, enum unit finer)
{
	int steps = (int)unit - (int)finer;

	return r->linear ? pow(1000, steps) : ldexp(1, 10 * steps);
}

/* "256 -  512 us |          4 | ######" */
static bool scan_row(struct cursor *c, double *ret_low, double *ret_high, enum unit *ret_unit,
		     bool *ret_linear, uint64_t *ret_count)
{
	struct str low, high, unit, bar;

	*ret_high = HUGE_VAL;
	if (!scan_word(c, &low) || number_f64(low, ret_low) != NUMBER_OK)
		return false;
	scan_blanks(c);
	if (!scan_char(c, '-') || !scan_word(c, &high) || !scan_word(c, &unit) ||
	    !unit_parse(unit, ret_unit) || !unit_is_time(*ret_unit))
		return false;
	if (!str_eq(high, STR("...")) && number_f64(high, ret_high) != NUMBER_OK)
		return false;
	*ret_linear = str_contains(low, STR(".")) ||
		      (!str_eq(high, STR("...")) && str_contains(high, STR(".")));
	scan_blanks(c);
	if (!scan_word(c, &bar) || !str_eq(bar, STR("|")))
		return false;
	scan_blanks(c);
	if (!scan_u64(c, ret_count) || *ret_low < 0)
		return false;
	scan_blanks(c);
	return scan_char(c, '|');
}

/* Equal widths, or edges that are not powers of two, come from --bucket-range. */
static bool is_octave(const struct row *row)
{
	int exponent;

	if (isinf(row->high))
		return true;
	return (row->low == 0 || frexp(row->low, &exponent) == 0.5) &&
	       (row->low == 0 ? row->high == 1 : row->high == 2 * row->low);
}

static bool perf_ftrace_read_row(struct reader *r, struct str s)
{
	struct cursor c = cursor_at(r->lines.in, s);
	struct row row = { .where = s };
	bool linear;
	enum unit unit;

	if (!scan_row(&c, &row.low, &row.high, &unit, &linear, &row.count))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
				  "expected LOW - HIGH UNIT | COUNT |");
	if (r->n_rows == MAX_ROWS)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s, "more rows than perf prints");
	if (r->n_rows == 0)
		r->finest = unit;
	if (unit < r->finest)
		return lines_fail(&r->lines, DIAG_BUCKET_ORDER, s,
				  "a finer unit than that of the rows before");
	r->linear = r->linear || linear || !is_octave(&row);
	row.low *= label_factor(r, unit, r->finest);
	row.high *= label_factor(r, unit, r->finest);
	r->row[r->n_rows++] = row;
	return true;
}

/* "total time:   1310", "count: 9" */
static bool read_statistic(struct reader *r, struct str s)
{
	struct str key, value;
	double v = 0;

	if (!str_cut(s, ':', &key, &value))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
				  "expected a statistic and a colon");
	value = str_trim(value);
	if (r->lines.cut || number_f64(value, &v) != NUMBER_OK || v < 0)
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, value, "expected a number");
	if (str_eq(key, STR("total time"))) {
		r->total_at = value;
		r->has_total = decimal_parse(value, &r->total);
	} else if (str_eq(key, STR("count"))) {
		r->count_at = value;
		r->has_count = number_u64(value, &r->count) == NUMBER_OK;
	} else if (str_eq(key, STR("max time"))) {
		r->has_max = true;
		r->max = v;
	} else if (str_eq(key, STR("min time"))) {
		r->has_min = true;
		r->min = v;
	}
	return true;
}

/* --- finding the mode ----------------------------------------------------------------- */

/* Returns the smallest and the largest total that the rows allow, if labels are multiplied by
 * `factor`. */
static void total_bounds(const struct reader *r, double factor, double *ret_min, double *ret_max)
{
	*ret_min = *ret_max = 0;
	for (size_t i = 0; i < r->n_rows; i++) {
		const struct row *row = &r->row[i];

		if (row->count == 0)
			continue;
		*ret_min += (double)row->count * row->low * factor;
		*ret_max += (double)row->count * row->high * factor;
	}
}

/* Durations were truncated to whole units. */
static bool holds_duration(const struct row *row, double factor, double duration)
{
	return duration + 1 > row->low * factor && duration < row->high * factor;
}

static bool fits_total(const struct reader *r, bool shifted)
{
	double min, max, total = decimal_f64(r->total), slack = (double)r->count;
	double factor = shifted ? 2 : 1;
	size_t first = 0, last = r->n_rows - 1;

	total_bounds(r, factor, &min, &max);
	if (total < min - slack || total > max + slack)
		return false;
	while (r->row[first].count == 0)
		first++;
	while (r->row[last].count == 0)
		last--;
	return (!r->has_min || holds_duration(&r->row[first], factor, r->min)) &&
	       (!r->has_max || holds_duration(&r->row[last], factor, r->max));
}

/* Returns whether only the open row has calls; its label is right in both modes. */
static bool is_all_open(const struct reader *r)
{
	for (size_t i = 0; i < r->n_rows; i++) {
		if (r->row[i].count > 0 && !isinf(r->row[i].high))
			return false;
	}
	return true;
}

/* Returns whether the labels are one power of two too low. */
static bool is_shifted(struct reader *r)
{
	bool fits_shifted, fits_plain;

	if (r->linear || is_all_open(r))
		return false;
	if (!r->has_total || r->statistics_unit != r->finest) {
		diag_part(r->lines.diag, DIAG_APPROXIMATED, r->lines.in, r->head,
			  "without --use-bpf perf labels every bucket one power of two too low, "
			  "which only statistics would tell; labels are taken as they stand");
		return false;
	}
	fits_shifted = fits_total(r, true);
	fits_plain = fits_total(r, false);
	if (fits_shifted && !fits_plain)
		return true;
	if (fits_shifted == fits_plain)
		diag_part(r->lines.diag, DIAG_APPROXIMATED, r->lines.in, r->head,
			  "statistics do not tell whether labels are one power of two too low, as "
			  "without --use-bpf; taken as they stand");
	return false;
}

/* --hide-empty omits rows that would show in which unit the edges are powers of two. */
static void settle_unit(struct reader *r)
{
	double factor;

	if (!r->in_statistics || r->statistics_unit >= r->finest)
		return;
	factor = label_factor(r, r->finest, r->statistics_unit);
	for (size_t i = 0; i < r->n_rows; i++) {
		r->row[i].low *= factor;
		r->row[i].high *= factor;
	}
	r->finest = r->statistics_unit;
}

static bool push_histogram(struct reader *r)
{
	bool shifted;

	settle_unit(r);
	shifted = is_shifted(r);
	if (!build_operation(r->lines.to, STR(""), STR("latency"), r->head) ||
	    !build_histogram(r->lines.to, r->head))
		return false;
	build_unit(r->lines.to, r->finest, UNIT_STATED);
	for (size_t i = 0; i < r->n_rows; i++) {
		const struct row *row = &r->row[i];
		double factor = shifted ? 2 : 1;

		if (!build_range(r->lines.to, row->low * factor, row->high * factor, row->count,
				 row->where))
			return false;
	}
	if (r->statistics_unit != r->finest)
		return true;
	if (r->has_min)
		build_min(r->lines.to, r->min);
	if (r->has_max)
		build_max(r->lines.to, r->max);
	return (!r->has_count || build_count(r->lines.to, r->count, r->count_at)) &&
	       (!r->has_total || build_total(r->lines.to, r->total, r->total_at));
}

/* --- the profile ------------------------------------------------------------------------ */

/* "  1000548.218 1000548.218 1000548.218          1   do_nanosleep" */
static bool read_profile_row(struct reader *r, struct str s)
{
	struct cursor c = cursor_at(r->lines.in, s);
	struct str total, mean, max, count, name;
	struct decimal sum;
	double longest;
	uint64_t calls;

	if (!scan_word(&c, &total) || !scan_word(&c, &mean) || !scan_word(&c, &max) ||
	    !scan_word(&c, &count) || !scan_word(&c, &name))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
				  "expected total, avg, max, count, function");
	if (!decimal_parse(total, &sum) || number_f64(max, &longest) != NUMBER_OK ||
	    number_u64(count, &calls) != NUMBER_OK)
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, s,
				  "expected numbers before the function");
	if (!build_operation(r->lines.to, STR(""), name, name) ||
	    !build_count(r->lines.to, calls, count) || !build_total(r->lines.to, sum, total))
		return false;
	build_unit(r->lines.to, UNIT_US, UNIT_STATED);
	build_max(r->lines.to, longest);
	return true;
}

static bool perf_ftrace_line(void *reader)
{
	struct reader *r = reader;
	struct str s = r->lines.text;

	r->no_data |= is_no_data(s);
	if (s.n == 0 || is_no_data(s))
		return true;
	if (perf_ftrace_is_head(s)) {
		if (r->has_histogram)
			return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
					  "a second histogram in one file");
		r->has_histogram = true;
		r->head = s;
		return true;
	}
	if (is_profile_head(s)) {
		r->has_profile = true;
		return true;
	}
	if (str_has_prefix(s, STR("# statistics"))) {
		r->in_statistics = true;
		r->statistics_unit = str_contains(s, STR("nsec")) ? UNIT_NS : UNIT_US;
		return true;
	}
	if (s.p[0] == '#')
		return true;
	if (r->in_statistics)
		return read_statistic(r, s);
	if (r->has_profile)
		return read_profile_row(r, s);
	return !r->has_histogram ||
	       perf_ftrace_read_row(r, s); /* before it: the command and its output */
}

static bool perf_ftrace_end(void *reader)
{
	struct reader *r = reader;
	struct str where = { r->lines.in->bytes.p, 0 };

	if (r->no_data && !r->has_histogram && !r->has_profile)
		return build_operation(r->lines.to, STR(""), STR("latency"), where) &&
		       build_histogram(r->lines.to, where);
	return !r->has_histogram || push_histogram(r);
}

const struct format format_perf_ftrace = {
	.name = "perf-ftrace",
	.title = "perf ftrace latency, perf ftrace profile",
	.versions = "6.1 to 7.2",
	.unit = "stated in each row",
	.totals = "exact, where statistics are printed (6.14 on)",
	.probe = probe_perf_ftrace,
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .line = perf_ftrace_line,
					     .end = perf_ftrace_end },
};
