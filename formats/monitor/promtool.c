/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * promtool: histograms as printed by `promtool query instant` and `promtool query range`.
 *
 *	fs_seconds_bucket{le="0.1", op="read"} => 162 @[1795338560.523]
 *
 *	fs_seconds_count{op="read"} =>
 *	160 @[1795338520]
 *	162 @[1795338540]
 *
 * prometheus_results.h explains the meaning.  Versions of promtool that do not know native
 * histograms print 0 for them; `-o json` prints them.
 *
 * Seen: promtool 2.42.
 */
#include "base/arena.h"
#include "base/out.h"
#include "formats/lines.h"
#include "formats/monitor/prometheus_line.h"
#include "formats/monitor/prometheus_results.h"
#include "formats/text.h"

/* Parses "162 @[1795338560.523]". */
static bool scan_value(struct str s, struct str *ret_value, struct str *ret_stamp)
{
	struct str value, stamp;

	if (!str_cut(s, ' ', &value, &stamp) || !str_has_prefix(stamp, STR("@[")) ||
	    !str_has_suffix(stamp, STR("]")))
		return false;
	*ret_value = value;
	*ret_stamp = (struct str){ stamp.p + 2, stamp.n - 3 };
	return value.n > 0;
}

/* Parses a series and the arrow; *ret_rest is the text after it. */
static bool scan_series(struct str line, struct prometheus_sample *ret, struct str *ret_rest)
{
	const char *where;

	if (prometheus_scan(line, ret, &where) != NULL || !str_eq(ret->value, STR("=>")))
		return false;
	*ret_rest = str_trim(str_skip(line, (size_t)(ret->value.p + ret->value.n - line.p)));
	return true;
}

static enum probe probe_promtool(struct str head, struct clue *clue)
{
	struct prometheus_sample s;
	struct str line, rest, value, stamp;

	(void)clue;
	do {
		if (!text_line(&head, &line))
			return PROBE_NO;
	} while (line.n == 0);
	if (!scan_series(line, &s, &rest))
		return PROBE_NO;
	if (rest.n == 0 && !text_line(&head, &rest))
		rest = STR("");
	if (scan_value(rest, &value, &stamp))
		return PROBE_MAGIC;
	return s.labels.n > 0 ? PROBE_MARKS : PROBE_NO;
}

struct reader {
	struct lines lines;
	struct prometheus_results *results;
	struct prometheus_column *column; /* of the current series; NULL: not a histogram */
	bool is_range;			  /* values are on lines of their own */
	struct str stamp;		  /* time of the current moment */
	struct out *series;		  /* scratch */
};

static bool begin_series(struct reader *r, const struct prometheus_sample *s)
{
	struct prometheus_column_name name = { .part = s->part, .le = s->le };

	r->column = NULL;
	if (s->le.p != NULL)
		name.part = PART_BUCKET;
	else if (s->part == PART_OTHER || s->part == PART_BUCKET) {
		prometheus_results_other(r->results);
		return true;
	}
	out_reset(r->series);
	prometheus_sample_series(s, r->series);
	name.series = out_memory(r->series);
	name.metric_bytes = s->base.n;
	return prometheus_results_column(r->results, &name, &r->column);
}

static bool add_value(struct reader *r, struct str s)
{
	struct str value, stamp;

	if (!scan_value(s, &value, &stamp))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
				  "expected a value and @[its time]");
	if (r->column == NULL)
		return true;
	/* Answers to instant queries follow each other without a separator. */
	if (!r->is_range && !str_eq(stamp, r->stamp))
		prometheus_results_end_moment(r->results);
	r->stamp = stamp;
	if (!prometheus_results_add(r->results, r->column, stamp, value))
		return false;
	if (r->is_range)
		prometheus_results_end_range(r->results);
	return true;
}

static bool promtool_read_line(struct reader *r, struct str line)
{
	struct prometheus_sample s;
	struct str rest;

	if (scan_series(line, &s, &rest)) {
		r->is_range = rest.n == 0;
		if (r->is_range)
			prometheus_results_end_moment(r->results);
		return begin_series(r, &s) && (r->is_range || add_value(r, rest));
	}
	if (r->is_range)
		return add_value(r, line);
	return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, line, "expected a series and =>");
}

static bool read_promtool(const struct read_task *task)
{
	struct arena *arena = arena_new();
	struct reader r = { .results = prometheus_results_new(
				    arena, task->in, task->options->build.interval, task->diag),
			    .stamp = STR(""),
			    .series = out_to_memory() };
	bool ok = true;

	lines_start(&r.lines, task->in, task->diag);
	while (ok && lines_next(&r.lines)) {
		if (r.lines.text.n > 0)
			ok = promtool_read_line(&r, r.lines.text);
	}
	prometheus_results_end_moment(r.results);
	ok = ok && prometheus_results_push(r.results, task->to);
	prometheus_results_free(r.results);
	out_free(r.series);
	arena_free(arena);
	return ok;
}

const struct format format_promtool = {
	.name = "promtool",
	.title = "what promtool query prints of classic histograms",
	.versions = "2.42",
	.unit = "from the name of the metric",
	.totals = "exact, where there is a _sum",
	.probe = probe_promtool,
	.read = read_promtool,
};
