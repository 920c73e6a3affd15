/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bcachefs: the kernel's time_stats and io_latency_stats of bcachefs.
 *
 *	==> /sys/fs/bcachefs/UUID/time_stats/data_write <==
 *	count:     1104
 *	                       since mount        recent
 *	duration of events
 *	  min:                       34 us
 *	  max:                      499 ms
 *	  total:                     19 s
 *	  mean:                      17 ms         14 ms
 *	  stddev:                    35 ms          5 ms
 *	time between events
 *	...
 *
 * The first line is printed by head or tail before each of several files; its folder is the layer.
 * Calls, extremes and the total; no distribution.  Times are truncated to a whole number, 2 or
 * more, of their unit.  The kernel counts since the mount; if a file is repeated, it is the next
 * snapshot.
 *
 * Seen: Linux 6.12.  Not supported: quantiles, which are running estimates; recent statistics
 * ("recent"); times between events.
 */
#include <math.h>

#include "formats/lines.h"
#include "formats/measure.h"
#include "formats/reported.h"
#include "formats/statistics.h"
#include "formats/text.h"

static bool is_columns(struct str line)
{
	return str_has_prefix(line, STR("since mount ")) && str_has_suffix(line, STR(" recent"));
}

struct reader {
	struct lines lines;
	struct statistics of; /* statistics of the current file; empty texts: missing */
	struct decimal mean;
	bool counted; /* the file has a count */
};

/* Parses "==> /sys/fs/bcachefs/UUID/time_stats/data_write <==". */
static bool is_file(struct str s, struct str *ret_folder, struct str *ret_name)
{
	size_t slash;

	if (!str_has_prefix(s, STR("==> ")) || !str_has_suffix(s, STR(" <==")) || s.n < 9)
		return false;
	s = (struct str){ s.p + 4, s.n - 8 };
	slash = str_find_last(s, STR("/"));
	*ret_folder = (struct str){ s.p, slash < s.n ? slash : 0 };
	*ret_name = slash < s.n ? str_skip(s, slash + 1) : s;
	return ret_name->n > 0;
}

/* Reads "count:     1104". */
static bool read_count(struct reader *r)
{
	struct cursor c = cursor_at(r->lines.in, r->lines.text);
	struct str title;

	if (r->counted)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, r->lines.text,
				  "another file, without its name: tail -v -n +1 prints it");
	r->counted = true;
	r->of.count_at = (struct str){ r->lines.text.p + r->lines.text.n, 0 };
	return scan_word(&c, &title) && scan_word(&c, &r->of.count_at) && cursor_done(&c)
		       ? lines_count(&r->lines, r->of.count_at, &r->of.count,
				     "expected a number of events")
		       : lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, r->lines.text,
				    "expected count: and a number");
}

/* Returns where to store the value with this title; NULL: it is not used. */
static struct decimal *place_of(struct reader *r, struct str title)
{
	if (str_eq(title, STR("min")))
		return &r->of.min;
	if (str_eq(title, STR("max")))
		return &r->of.max;
	if (str_eq(title, STR("total")))
		return &r->of.total;
	return str_eq(title, STR("mean")) ? &r->mean : NULL;
}

/* Reads "min:                       34 us", which a recent mean may follow. */
static bool bcachefs_read_time(struct reader *r)
{
	struct str title, rest, where;
	struct decimal *to;
	struct cursor c;

	if (!str_cut(r->lines.text, ':', &title, &rest))
		return true;
	to = place_of(r, title);
	if (to == NULL)
		return true;
	c = cursor_at(r->lines.in, rest);
	if (!measure_scan(&c, to, &where))
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, r->lines.text,
				  "expected a time and its unit");
	if (to == &r->of.total)
		r->of.total_at = where;
	return true;
}

/* Pushes the statistics.  Total and mean are both truncated, so the larger total is closer. */
static bool bcachefs_push(struct reader *r)
{
	struct statistics of = r->of;
	struct decimal product;

	if (decimal_times(r->mean, of.count, &product) && product.billionths > of.total.billionths)
		of.total = product;
	if (of.name.n == 0)
		of.name = STR("event");
	of.where = of.count_at;
	of.unit = UNIT_NS;
	of.has_min = of.has_max = of.rounded = true;
	return statistics_push(&of, r->lines.to);
}

static bool is_time(struct reader *r)
{
	struct str title, rest;

	return str_cut(r->lines.text, ':', &title, &rest) &&
	       (place_of(r, title) != NULL || str_eq(title, STR("stddev")));
}

/* Reads the lines below "duration of events". */
static bool read_durations(struct reader *r)
{
	bool none = r->of.count_at.n > 0 && r->of.count == 0; /* then min is "1 eon" */
	bool more;

	r->of.total_at = STR("");
	r->of.min = r->of.max = r->mean = (struct decimal){ 0 };
	while ((more = lines_next(&r->lines)) && is_time(r)) {
		if (!none && !bcachefs_read_time(r))
			return false;
	}
	if (none || (r->of.count_at.n > 0 && r->of.total_at.n > 0)) {
		if (more)
			lines_again(&r->lines);
		return none || bcachefs_push(r);
	}
	return lines_fail(&r->lines, more ? DIAG_LINE_UNEXPECTED : DIAG_INPUT_TRUNCATED,
			  r->lines.text, "durations without a count or a total");
}

static bool bcachefs_files(void *reader)
{
	struct reader *r = reader;

	while (lines_next(&r->lines)) {
		struct str s = r->lines.text;

		if (is_file(s, &r->of.layer, &r->of.name)) {
			r->of.count_at = STR("");
			r->counted = false;
			if (reported_again(&r->lines.reported, s))
				build_next_interval(r->lines.to, NAN);
		} else if (str_has_prefix(s, STR("count:")) && !read_count(r)) {
			return false;
		} else if (str_eq(s, STR("duration of events")) && !read_durations(r)) {
			return false;
		}
	}
	return true;
}

const struct format format_bcachefs = {
	.name = "bcachefs",
	.title = "time_stats of bcachefs: calls and totals only",
	.versions = "Linux 6.12",
	.unit = "stated with each time",
	.totals = "as printed, cut off to a whole number, 2 or more",
	.line_marks = LINE_MARKS({ .has = MARKS("count: ") },
				 { .place = LINE_BELOW, .is = is_columns, .score = PROBE_MAGIC }),
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .end = bcachefs_files,
					     .snapshots = SNAPSHOTS_CUMULATIVE,
					     .drop_single_layer = true },
};
