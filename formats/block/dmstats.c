/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dmstats: histograms of the device mapper, from dmstats report --histogram.
 *
 *	Name GrpID RgID ObjType RgStart RgSize #Areas ArSize Util% AWait Histogram Counts
 *	root     -    0 area          0 16.00m      1 16.00m  1.06  0.01  0s:  1140,  50us:     9
 *	root     -    1 area          0 16.00m      1 16.00m  1.06  0.01  0s-1ms: 90,>1ms:      2
 *
 * The histogram is the last column, with lower edges or with ranges.  An operation is an area of a
 * region, NAME,REGION,AREA.  If the report begins with a row of a region or group (a sum of
 * areas), these rows are read instead, as NAME,REGION.  dmstats clears the counters that it
 * reports, so each table is a separate delta snapshot.
 *
 * Seen: 1.02.205.  Not supported: --relative, which prints percentages; separators; tables
 * without RgID and ObjType; the columns of the other counters.
 */
#include <math.h>

#include "base/arena.h"
#include "formats/lines.h"
#include "formats/text.h"

enum column { COLUMN_OTHER, COLUMN_NAME, COLUMN_TYPE, COLUMN_REGION };

enum { COLUMNS = 64, KINDS_OF_COLUMN = COLUMN_REGION + 1 };

struct layout {
	enum column column[COLUMNS];
	size_t n; /* columns before the histogram */
	bool has[KINDS_OF_COLUMN];
};

static enum column column_of(struct str title)
{
	static const struct {
		struct str title;
		enum column column;
	} titles[] = { { STR_INIT("Name"), COLUMN_NAME },
		       { STR_INIT("ObjType"), COLUMN_TYPE },
		       { STR_INIT("RgID"), COLUMN_REGION } };

	for (size_t i = 0; i < COUNT_OF(titles); i++) {
		if (str_eq(title, titles[i].title))
			return titles[i].column;
	}
	return COLUMN_OTHER;
}

/* Parses the head "Name GrpID RgID ObjType ... Histogram Counts". */
static bool dmstats_is_head(struct str s, struct layout *ret)
{
	struct cursor c = CURSOR_OVER(s);
	struct str word = STR("");

	*ret = (struct layout){ .n = 0 };
	if (!str_has_suffix(s, STR(" Histogram Counts")))
		return false;
	while (ret->n < COLUMNS && scan_word(&c, &word) && !str_eq(word, STR("Histogram"))) {
		ret->column[ret->n] = column_of(word);
		ret->has[ret->column[ret->n++]] = true;
	}
	return str_eq(word, STR("Histogram")) && str_eq(cursor_rest(&c), STR(" Counts")) &&
	       ret->has[COLUMN_NAME];
}

static enum probe probe_dmstats(struct str head, struct clue *clue)
{
	struct str line, rest = head;
	struct layout layout;

	while (text_line(&rest, &line)) {
		if (dmstats_is_head(line, &layout))
			return PROBE_MAGIC;
		if (str_has_prefix(line, STR("Name ")) && str_has_suffix(line, STR(" Histogram%")))
			probe_near(clue, head, line,
				   "dmstats report --relative prints percentages, no "
				   "counts");
	}
	return PROBE_NO;
}

/* --- histograms ---------------------------------------------------------------------- */

struct reader {
	struct lines lines;
	struct layout layout;
	struct str kind; /* type of the rows that are read; empty: none seen yet */
	struct str name, region;
	size_t area; /* number of the area in this region */
};

/* Parses "50us" to ns. */
static bool parse_edge(struct str s, double *ret_ns)
{
	struct str digits = { s.p, 0 };
	enum unit unit;
	uint64_t v;

	while (digits.n < s.n && is_digit(s.p[digits.n]))
		digits.n++;
	if (number_u64(digits, &v) != NUMBER_OK || !unit_parse(str_skip(s, digits.n), &unit) ||
	    !unit_is_time(unit))
		return false;
	*ret_ns = (double)v * (double)unit_nanoseconds(unit);
	return true;
}

/* Parses "50us-100us", ">2s", or "50us", which ends where the next bin begins. */
static bool parse_label(struct str label, struct str after, double *ret_low, double *ret_high)
{
	struct str low, high, counts;

	*ret_high = HUGE_VAL;
	if (str_has_prefix(label, STR(">")))
		return parse_edge(str_skip(label, 1), ret_low);
	if (str_cut(label, '-', &low, &high))
		return parse_edge(low, ret_low) && parse_edge(high, ret_high);
	return parse_edge(label, ret_low) &&
	       (!str_cut(after, ':', &high, &counts) || parse_edge(str_trim(high), ret_high));
}

/* Reads "  50us:     9". */
static bool read_bin(struct reader *r, struct str bin, struct str after)
{
	struct str label, digits;
	double low, high;
	uint64_t count;

	if (!str_cut(bin, ':', &label, &digits))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, bin,
				  "a count without bounds: -o +hist_count_bounds prints them");
	if (!parse_label(str_trim(label), after, &low, &high))
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, label,
				  "expected a latency and its unit");
	return lines_count(&r->lines, str_trim(digits), &count, "expected a count") &&
	       build_range(r->lines.to, low, high, count, bin);
}

static bool dmstats_read_histogram(struct reader *r, struct str s)
{
	struct str bin;

	while (str_cut(s, ',', &bin, &s)) {
		if (!read_bin(r, str_trim(bin), s))
			return false;
	}
	return read_bin(r, str_trim(s), STR(""));
}

/* --- rows ---------------------------------------------------------------------------- */

/* Areas are numbered by counting consecutive rows of a region. */
static struct str dmstats_name_of(struct reader *r, const struct str *cell)
{
	struct str name = cell[COLUMN_NAME], region = cell[COLUMN_REGION];
	bool known = str_eq(name, r->name) && str_eq(region, r->region);

	arena_clear(r->lines.arena);
	if (!str_eq(r->kind, STR("area")))
		return arena_join(r->lines.arena, name, ',', region);
	r->area = known ? r->area + 1 : 0;
	r->name = name;
	r->region = region;
	return arena_printf(r->lines.arena, "%.*s,%.*s,%zu", STR_ARG(name), STR_ARG(region),
			    r->area);
}

static bool dmstats_read_row(struct reader *r)
{
	struct cursor c = cursor_at(r->lines.in, r->lines.text);
	struct str cell[KINDS_OF_COLUMN], histogram, name;

	for (size_t i = 0; i < r->layout.n; i++) {
		if (!scan_word(&c, &cell[r->layout.column[i]]))
			return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, r->lines.text,
					  "fields do not go with the head");
	}
	if (r->kind.n == 0)
		r->kind = cell[COLUMN_TYPE];
	if (!str_eq(cell[COLUMN_TYPE], r->kind))
		return true;
	name = dmstats_name_of(r, cell);
	histogram = str_trim(cursor_rest(&c));
	if (histogram.n == 0) {
		r->lines.left_out++;
		return true;
	}
	if (!build_operation(r->lines.to, STR(""), name, cell[COLUMN_NAME]) ||
	    !build_histogram(r->lines.to, histogram))
		return false;
	build_unit(r->lines.to, UNIT_NS, UNIT_STATED);
	return dmstats_read_histogram(r, histogram);
}

/* Reads up to a blank line or the next table. */
static bool dmstats_read_table(struct reader *r)
{
	struct layout next;

	if (!r->layout.has[COLUMN_TYPE] || !r->layout.has[COLUMN_REGION])
		return format_fail(r->lines.in, r->lines.diag, DIAG_COLUMN_MISSING, r->lines.text,
				   "needs RgID and ObjType: -o "
				   "name,region_id,obj_type,hist_count_bounds");
	build_next_interval(r->lines.to, NAN);
	r->name = r->region = STR("");
	while (lines_next(&r->lines) && r->lines.text.n > 0) {
		if (dmstats_is_head(r->lines.text, &next)) {
			lines_again(&r->lines);
			break;
		}
		if (!dmstats_read_row(r))
			return false;
	}
	return true;
}

static bool dmstats_tables(void *reader)
{
	struct reader *r = reader;

	while (lines_next(&r->lines)) {
		if (dmstats_is_head(r->lines.text, &r->layout) && !dmstats_read_table(r))
			return false;
	}
	return true;
}

static void dmstats_start(void *reader)
{
	struct reader *r = reader;

	r->kind = STR("");
}

const struct format format_dmstats = {
	.name = "dmstats",
	.title = "dmstats report --histogram, of device mapper",
	.versions = "1.02.205",
	.unit = "stated",
	.totals = "from the buckets",
	.probe = probe_dmstats,
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .start = dmstats_start,
					     .end = dmstats_tables,
					     .snapshots = SNAPSHOTS_DELTA,
					     .left_out = "rows of regions without one" },
};
