/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gluster: output of gluster volume profile VOLUME info.
 *
 *	Brick: server:/bricks/b1
 *	------------------------
 *	Cumulative Stats:
 *	 %-latency   Avg-latency   Min-Latency   Max-Latency   No. of calls         Fop
 *	 ---------   -----------   -----------   -----------   ------------        ----
 *	      0.00       0.00 ns       0.00 ns       0.00 ns             19      FORGET
 *	     61.25 2315141.33 ns  732007.00 ns 6523099.00 ns              6     OPENDIR
 *
 *	    Duration: 48 seconds
 *
 * A brick is a layer.  Calls, extremes, and the mean, from which the total is computed; no
 * distribution.  A brick has cumulative statistics and those of the interval since the last query;
 * the latter are left out if the output begins with the former.  Repeated cumulative statistics
 * are snapshots.  Operations without measured latencies have zeros and are left out.
 *
 * Seen: 11.1, in ns; older versions, in us.  Not supported: sizes of blocks; gluster volume top.
 * gluster_xml.c reads the output of --xml.
 */
#include "formats/lines.h"
#include "formats/measure.h"
#include "formats/storage/gluster_stats.h"
#include "formats/text.h"

static bool is_brick(struct str s, struct str *ret_name)
{
	static const struct str titles[] = { STR_INIT("Brick: "), STR_INIT("NFS Server : ") };

	for (size_t i = 0; i < COUNT_OF(titles); i++) {
		if (!str_has_prefix(s, titles[i]))
			continue;
		*ret_name = str_trim(str_skip(s, titles[i].n));
		return ret_name->n > 0;
	}
	return false;
}

static enum gluster_section section_of(struct str s)
{
	if (str_eq(s, STR("Cumulative Stats:")))
		return GLUSTER_CUMULATIVE;
	return str_has_prefix(s, STR("Interval ")) && str_has_suffix(s, STR(" Stats:"))
		       ? GLUSTER_INTERVAL
		       : GLUSTER_NONE;
}

static bool gluster_is_head(struct str s)
{
	return str_has_prefix(s, STR("%-latency ")) && str_contains(s, STR(" Avg-latency ")) &&
	       str_has_suffix(s, STR(" Fop"));
}

static enum probe probe_gluster(struct str head, struct clue *clue)
{
	struct str line, rest = head, name;
	bool brick = false;

	while (text_line(&rest, &line)) {
		if (brick && section_of(line) != GLUSTER_NONE)
			return PROBE_MAGIC;
		if (brick && gluster_is_head(line))
			return PROBE_MAGIC;
		if (is_brick(line, &name)) {
			brick = true;
			probe_near(clue, head, line, "a brick without statistics");
		}
	}
	return PROBE_NO;
}

/* --- rows ---------------------------------------------------------------------------- */

struct reader {
	struct lines lines;
	struct gluster_stats stats;
};

/* Splits "61.25 2315141.33 ns 732007.00 ns 6523099.00 ns 6 OPENDIR". */
static bool gluster_split_row(struct reader *r, struct statistics *row)
{
	struct cursor c = cursor_at(r->lines.in, r->lines.text);
	struct str share, where;

	*row = (struct statistics){ .count = 0 };
	if (!scan_word(&c, &share) || !measure_scan(&c, &row->total, &row->total_at) ||
	    !measure_scan(&c, &row->min, &where) || !measure_scan(&c, &row->max, &where) ||
	    !scan_word(&c, &row->count_at) || !scan_word(&c, &row->name) || !cursor_done(&c))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, r->lines.text,
				  "expected %%, the mean, the least and the most with their "
				  "units, calls and a name");
	return lines_count(&r->lines, row->count_at, &row->count, "expected a number of calls");
}

/* Reads up to a blank line. */
static bool gluster_read_rows(struct reader *r)
{
	struct statistics row;

	while (lines_next(&r->lines) && r->lines.text.n > 0) {
		if (str_has_prefix(r->lines.text, STR("-----")))
			continue;
		if (!gluster_split_row(r, &row) || !gluster_push(&r->stats, &row))
			return false;
	}
	return true;
}

/* --- sections ------------------------------------------------------------------------ */

/* Reads "Duration: 48 seconds". */
static void gluster_read_duration(struct reader *r)
{
	struct cursor c = cursor_at(r->lines.in, r->lines.text);
	struct str word;
	uint64_t seconds;

	if (scan_word(&c, &word) && scan_short_u64(&c, &seconds))
		gluster_duration(&r->stats, seconds);
}

static bool read_sections(struct reader *r)
{
	enum gluster_section section;
	struct str name;

	while (lines_next(&r->lines)) {
		struct str s = r->lines.text;

		section = section_of(s);
		if (section != GLUSTER_NONE)
			gluster_begin_section(&r->stats, section);
		else if (is_brick(s, &name))
			gluster_begin_brick(&r->stats, name);
		else if (str_has_prefix(s, STR("Duration: ")))
			gluster_read_duration(r);
		else if (gluster_is_head(s) && !gluster_read_rows(r))
			return false;
	}
	return true;
}

static bool read_gluster(const struct read_task *task)
{
	struct reader r = {
		.stats = { .in = task->in,
			   .to = task->to,
			   .diag = task->diag,
			   .unit = UNIT_NS,
			   .brick = STR("") },
	};
	bool ok;

	lines_start(&r.lines, task->in, task->diag);
	ok = read_sections(&r);
	gluster_end(&r.stats, ok);
	return ok;
}

const struct format format_gluster = {
	.name = "gluster",
	.title = "gluster volume profile: calls and totals only",
	.versions = "11.1",
	.unit = "stated with each time",
	.totals = "from the mean, to a hundredth of its unit a call",
	.probe = probe_gluster,
	.read = read_gluster,
};
