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
 * The first line is what head or tail put before each of several files; its folder is the
 * layer.  Calls, extremes and the total, no distribution; times are cut off to a whole
 * number, 2 or more, of their unit.  The kernel counts from the mount on, and files that come
 * again are prints.
 *
 * Seen: Linux 6.12.  Not supported: quantiles, which are running estimates; what counts of
 * the last summary statistics ("recent"), and of the time between events.
 */
#include <math.h>

#include "formats/lines.h"
#include "formats/measure.h"
#include "formats/reported.h"
#include "formats/text.h"

static enum probe probe_bcachefs(struct str head, struct clue *clue)
{
	struct str line, rest = head;
	bool counted = false;

	(void)clue;
	while (text_line(&rest, &line)) {
		if (counted && str_has_prefix(line, STR("since mount ")) &&
		    str_has_suffix(line, STR(" recent")))
			return PROBE_MAGIC;
		counted = str_has_prefix(line, STR("count: "));
	}
	return PROBE_NO;
}

struct reader {
	struct lines lines;
	struct str layer, name;
	bool counted;	/* the current file was reported */
	uint64_t count; /* of the current file */
	struct str count_at;
};

/* "==> /sys/fs/bcachefs/UUID/time_stats/data_write <==" */
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

/* "count:     1104" */
static bool read_count(struct reader *r)
{
	struct cursor c = cursor_at(r->lines.in, r->lines.text);
	struct str title;

	if (r->counted)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, r->lines.text,
				  "another file, without its name: tail -v -n +1 prints it");
	r->counted = true;
	r->count_at = (struct str){ r->lines.text.p + r->lines.text.n, 0 };
	return scan_word(&c, &title) && scan_word(&c, &r->count_at) && cursor_done(&c)
		       ? lines_count(&r->lines, r->count_at, &r->count,
				     "expected a number of events")
		       : lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, r->lines.text,
				    "expected count: and a number");
}

/* As printed, in ns. */
struct times {
	struct decimal min, max, total, mean;
	struct str total_at; /* empty: none was met */
};

/* Where what the title says goes; NULL: it is of no use. */
static struct decimal *place_of(struct times *times, struct str title)
{
	if (str_eq(title, STR("min")))
		return &times->min;
	if (str_eq(title, STR("max")))
		return &times->max;
	if (str_eq(title, STR("total")))
		return &times->total;
	return str_eq(title, STR("mean")) ? &times->mean : NULL;
}

/* "min:                       34 us"; means of the last summary statistics may follow. */
static bool bcachefs_read_time(struct reader *r, struct times *times)
{
	struct str title, rest, where;
	struct decimal *to;
	struct cursor c;

	if (!str_cut(r->lines.text, ':', &title, &rest))
		return true;
	to = place_of(times, title);
	if (to == NULL)
		return true;
	c = cursor_at(r->lines.in, rest);
	if (!measure_scan(&c, to, &where))
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, r->lines.text,
				  "expected a time and its unit");
	if (to == &times->total)
		times->total_at = where;
	return true;
}

/* The total and the mean were both cut off: the larger is the nearer. */
static struct decimal total_of(const struct times *times, uint64_t count)
{
	struct decimal product;

	return decimal_times(times->mean, count, &product) &&
			       product.billionths > times->total.billionths
		       ? product
		       : times->total;
}

static bool bcachefs_push(struct reader *r, const struct times *times)
{
	struct str name = r->name.n > 0 ? r->name : STR("event");

	if (!build_operation(r->lines.to, r->layer, name, r->count_at))
		return false;
	build_unit(r->lines.to, UNIT_NS, UNIT_STATED);
	build_rounded_totals(r->lines.to);
	build_min(r->lines.to, decimal_f64(times->min));
	build_max(r->lines.to, decimal_f64(times->max));
	return build_count(r->lines.to, r->count, r->count_at) &&
	       build_total(r->lines.to, total_of(times, r->count), times->total_at);
}

static bool is_time(struct str s)
{
	struct str title, rest;
	struct times any;

	return str_cut(s, ':', &title, &rest) &&
	       (place_of(&any, title) != NULL || str_eq(title, STR("stddev")));
}

/* Below "duration of events". */
static bool read_durations(struct reader *r)
{
	struct times times = { .total_at = STR("") };
	bool none = r->count_at.n > 0 && r->count == 0; /* then the least is "1 eon" */
	bool more;

	while ((more = lines_next(&r->lines)) && is_time(r->lines.text)) {
		if (!none && !bcachefs_read_time(r, &times))
			return false;
	}
	if (none || (r->count_at.n > 0 && times.total_at.n > 0)) {
		if (more)
			lines_again(&r->lines);
		return none || bcachefs_push(r, &times);
	}
	return lines_fail(&r->lines, more ? DIAG_LINE_UNEXPECTED : DIAG_INPUT_TRUNCATED,
			  r->lines.text, "durations without a count or a total");
}

static bool bcachefs_files(void *reader)
{
	struct reader *r = reader;

	while (lines_next(&r->lines)) {
		struct str s = r->lines.text;

		if (is_file(s, &r->layer, &r->name)) {
			r->count_at = STR("");
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

static void bcachefs_start(void *reader)
{
	struct reader *r = reader;

	r->layer = r->name = r->count_at = STR("");
}

const struct format format_bcachefs = {
	.name = "bcachefs",
	.title = "time_stats of bcachefs: calls and totals only",
	.versions = "Linux 6.12",
	.unit = "stated with each time",
	.totals = "as printed, cut off to a whole number, 2 or more",
	.probe = probe_bcachefs,
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .start = bcachefs_start,
					     .end = bcachefs_files,
					     .snapshots = SNAPSHOTS_CUMULATIVE,
					     .drop_single_layer = true },
};
