/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lustre: brw_stats of Lustre's object storage targets, and similar tables (rpc_stats).
 *
 *	obdfilter.fs-OST0000.brw_stats=
 *	snapshot_time:         1534158712.738772898 (secs.nsecs)
 *
 *	                           read      |     write
 *	I/O time (1/1000s)     ios   % cum % |  ios         % cum %
 *	32:                      0   0   0   |    1  11  11
 *	64:                      0   0   0   |    2  22  33
 *
 * A table is a layer, prefixed by the name of the target if there is one, with the operations read
 * and write.  In a table of powers of two, label L means (L/2, L]; the first row is {0, 1}.  K, M
 * and G are powers of 1024.  Repeated files are snapshots.
 *
 * Only "I/O time" and "block maps msec" are latencies: other tables are left out with a note.
 *
 *	job_stats:
 *	- job_id:          815871
 *	  snapshot_time:   1713431141
 *	  read:            { samples: 9, unit: usecs, min: 44, max: 579, sum: 3892, sumsq: 67 }
 *
 * Counters of microseconds in stats and job_stats have only summary statistics; their layer is the
 * parameter without the part before its first dot, and the job.
 *
 * Seen: 2.10 to 2.15.
 */
#include <math.h>

#include "base/arena.h"
#include "formats/lines.h"
#include "formats/storage/lustre_stats.h"
#include "formats/text.h"

enum { ROWS = 64 };

/* --- recognising ------------------------------------------------------------------- */

/* Whether the line is "                           read      |     write". */
static bool is_banner(struct str s)
{
	struct str left, right;

	return str_cut(s, '|', &left, &right) && str_eq(str_trim(left), STR("read")) &&
	       str_eq(str_trim(right), STR("write"));
}

/* Parses "I/O time (1/1000s)     ios   % cum % |  ios         % cum %"; *ret_title excludes the
 * names of the counts. */
static bool is_title(struct str s, struct str *ret_title)
{
	struct str left, right;
	size_t n;

	if (!str_cut(s, '|', &left, &right) || !str_has_suffix(str_trim(right), STR("% cum %")))
		return false;
	left = str_trim(left);
	if (!str_has_suffix(left, STR("% cum %")))
		return false;
	left.n -= sizeof("% cum %") - 1;
	left = str_trim(left);
	for (n = left.n; n > 0 && left.p[n - 1] != ' '; n--)
		;
	*ret_title = str_trim((struct str){ left.p, n });
	return ret_title->n > 0;
}

static enum probe probe_lustre(struct str head, struct clue *clue)
{
	struct str line, rest = head, title;
	bool banner = false, timed = false;

	while (text_line(&rest, &line)) {
		if (banner && is_title(line, &title))
			return PROBE_MAGIC;
		if (timed && lustre_is_counter(line))
			return PROBE_MAGIC;
		timed |= str_has_prefix(line, STR("snapshot_time"));
		if (banner)
			probe_near(clue, head, line, "no title under a line `read | write`");
		banner = is_banner(line);
	}
	return PROBE_NO;
}

/* --- tables -------------------------------------------------------------------------- */

struct row {
	double label;
	uint64_t count[2]; /* read, write */
	struct str where;
};

struct table {
	struct str title;
	struct row row[ROWS];
	size_t n;
};

struct reader {
	struct lines lines;
	struct str file, first_file; /* "obdfilter.fs-OST0000.brw_stats"; empty: not stated */
	struct str param, target;    /* "fs-OST0000.brw_stats", "fs-OST0000" */
	struct str job;
	struct table table;
};

/* Takes "32:", "1M:". */
static bool take_label(struct reader *r, struct cursor *c, struct str row, double *ret)
{
	static const char suffixes[] = "KMG";
	struct str word = { row.p, 0 };
	uint64_t v;
	int power = 0;

	if (!scan_word(c, &word) || !str_has_suffix(word, STR(":")))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, row, "expected LABEL:");
	word.n--;
	for (int i = 0; word.n > 0 && suffixes[i] != '\0'; i++) {
		if (word.p[word.n - 1] == suffixes[i])
			power = i + 1;
	}
	word.n -= power > 0;
	if (number_u64(word, &v) != NUMBER_OK)
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, row,
				  "expected a number and K, M or G");
	*ret = ldexp((double)v, 10 * power);
	return true;
}

/* Takes "1  11  11": a count and two percentages. */
static bool take_counts(struct reader *r, struct cursor *c, struct str row, uint64_t *ret)
{
	uint64_t percent, up_to;

	if (!lines_counted(&r->lines, lines_next_count(&r->lines, c, ret), row,
			   "a count is missing"))
		return false;
	return (scan_short_u64(c, &percent) && scan_short_u64(c, &up_to)) ||
	       lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, row, "expected COUNT %% CUM%%");
}

static bool lustre_read_row(struct reader *r, struct str s)
{
	struct cursor c = cursor_at(r->lines.in, s);
	struct row *row = &r->table.row[r->table.n];

	if (r->table.n == ROWS)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
				  "more rows than a table of Lustre has");
	row->where = s;
	if (!take_label(r, &c, s, &row->label) || !take_counts(r, &c, s, &row->count[0]))
		return false;
	scan_blanks(&c);
	if (!scan_char(&c, '|'))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
				  "expected a bar between read and write");
	if (!take_counts(r, &c, s, &row->count[1]))
		return false;
	if (!cursor_done(&c))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, cursor_rest(&c),
				  "expected the end of the row");
	r->table.n++;
	return true;
}

/* Recognizes "I/O time (1/1000s)", "block maps msec"; *ret_ms is the unit of labels in ms. */
static bool is_latency(struct str title, double *ret_ms)
{
	struct cursor c = CURSOR_OVER(title);
	uint64_t hz;

	*ret_ms = 1;
	if (scan_past(&c, STR("(1/")) && scan_u64(&c, &hz) && hz > 0)
		*ret_ms = 1000 / (double)hz;
	return str_has_prefix(title, STR("I/O time")) || str_has_suffix(title, STR("msec"));
}

static struct str layer_name(const struct reader *r)
{
	struct str title = r->table.title;
	size_t bracket = str_find(title, STR(" ("));

	title.n = bracket;
	if (r->target.n == 0)
		return title;
	return arena_join(r->lines.arena, r->target, ',', title);
}

static bool push_side(struct reader *r, struct str layer, int side, double scale)
{
	static const char *const names[] = { "read", "write" };
	const struct table *t = &r->table;

	if (!build_operation(r->lines.to, layer, str_from(names[side]), t->title) ||
	    !build_histogram(r->lines.to, t->title))
		return false;
	build_unit(r->lines.to, UNIT_MS, UNIT_STATED);
	for (size_t i = 0; i < t->n; i++) {
		const struct row *row = &t->row[i];
		double low = row->label > 1 ? floor(row->label / 2) + 1 : 0;
		double high = row->label + 1;

		if (!build_range(r->lines.to, low * scale, high * scale, row->count[side],
				 row->where))
			return false;
	}
	return true;
}

/* Reads the rows below a title. */
static bool lustre_read_table(struct reader *r, struct str title)
{
	struct str layer;
	double scale;

	r->table.title = title;
	r->table.n = 0;
	while (lines_next(&r->lines)) {
		if (!str_begins_with_digit(r->lines.text)) {
			lines_again(&r->lines);
			break;
		}
		if (!lustre_read_row(r, r->lines.text))
			return false;
	}
	if (!is_latency(title, &scale)) {
		r->lines.left_out++;
		return true;
	}
	arena_clear(r->lines.arena);
	layer = layer_name(r);
	return push_side(r, layer, 0, scale) && push_side(r, layer, 1, scale);
}

/* --- other lines ------------------------------------------------------------------------- */

/* Parses "obdfilter.fs-OST0000.brw_stats=". */
static bool is_file(struct reader *r, struct str s)
{
	struct str head, tail;

	if (!str_has_suffix(s, STR("stats=")) || !str_cut(s, '.', &head, &tail))
		return false;
	r->file = s;
	r->param = (struct str){ tail.p, tail.n - 1 };
	r->target = (struct str){ tail.p, str_find(tail, STR(".")) };
	r->job = STR("");
	if (r->first_file.n == 0)
		r->first_file = s;
	return true;
}

/* Parses "- job_id:          \"cp.1000\"". */
static bool is_job(struct reader *r, struct str s)
{
	struct str head, tail;

	if (!str_has_prefix(s, STR("- job_id:")) || !str_cut(s, ':', &head, &tail))
		return false;
	r->job = str_trim(tail);
	if (r->job.n > 1 && r->job.p[0] == '"' && r->job.p[r->job.n - 1] == '"')
		r->job = (struct str){ r->job.p + 1, r->job.n - 2 };
	return true;
}

/* Reads a snapshot time; each job has its own. */
static void lustre_read_time(struct reader *r, struct str s)
{
	struct cursor c = cursor_at(r->lines.in, s);
	struct str word;
	double v;

	if (r->job.n > 0 || !scan_word(&c, &word))
		return;
	scan_blanks(&c);
	if (!scan_f64(&c, &v) || !isfinite(v) || v < 0)
		return;
	if (str_has_prefix(word, STR("elapsed_time")))
		build_elapsed(r->lines.to, v);
	else if (str_eq(r->file, r->first_file))
		build_next_interval(r->lines.to, v);
}

static struct str counter_layer(const struct reader *r)
{
	if (r->param.n == 0 || r->job.n == 0)
		return r->param.n == 0 ? r->job : r->param;
	return arena_join(r->lines.arena, r->param, ',', r->job);
}

/* Reads a counter in ms, like the tables, so that both can be added up. */
static bool read_counter(struct reader *r)
{
	struct lustre_counter n;

	if (!lustre_read_counter(&r->lines, &n))
		return false;
	if (n.of.count == 0)
		return true;
	if (!str_has_prefix(n.unit, STR("usec")) || !n.has_sum) {
		r->lines.left_out++;
		return true;
	}
	build_snapshots(r->lines.to, SNAPSHOTS_CUMULATIVE);
	arena_clear(r->lines.arena);
	n.of.layer = counter_layer(r);
	n.of.unit = UNIT_MS;
	n.of.has_min = n.of.has_max = true;
	n.of.total.billionths /= 1000;
	n.of.min.billionths /= 1000;
	n.of.max.billionths /= 1000;
	return statistics_push(&n.of, r->lines.to);
}

static bool lustre_read_line(struct reader *r, bool banner)
{
	struct str s = r->lines.text, title;

	if (banner && is_title(s, &title))
		return lustre_read_table(r, title);
	if (lustre_is_counter(s))
		return read_counter(r);
	if (str_has_prefix(s, STR("snapshot_time")) || str_has_prefix(s, STR("elapsed_time")))
		lustre_read_time(r, s);
	else if (!is_file(r, s) && !is_job(r, s) && banner && s.n > 0)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
				  "expected the title of a table");
	return true;
}

static bool lustre_all(void *reader)
{
	struct reader *r = reader;
	bool banner = false;

	r->file = r->first_file = r->param = r->target = r->job = STR("");
	while (lines_next(&r->lines)) {
		struct str s = r->lines.text;

		if (!lustre_read_line(r, banner))
			return false;
		banner = is_banner(s);
	}
	return true;
}

const struct format format_lustre = {
	.name = "lustre",
	.title = "Lustre's brw_stats, stats and job_stats",
	.versions = "2.10 to 2.15",
	.unit = "stated",
	.totals = "exact in stats and job_stats; not printed in brw_stats",
	.probe = probe_lustre,
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .end = lustre_all,
					     .left_out = "tables and counters of sizes and "
							 "numbers, which are no latencies" },
};
