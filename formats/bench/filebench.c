/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * filebench: Filebench's breakdown of operations; with `enable lathist`, their distribution in
 * OSprof's buckets.
 *
 *	5.048: Per-Operation Breakdown
 *	closefile4   14711ops 3677ops/s  0.0mb/s 0.001ms/op [0.001ms - 0.213ms] [ 3957 0 ... 0 ]
 *	readfile4    14710ops 3677ops/s 57.4mb/s 0.012ms/op [0.001ms - 8.102ms] [ 0 0 ... 0 ]
 *	5.048: IO Summary: 191260 ops 47809.741 ops/s 7355/7356 rd/wr 176.3mb/s 0.082ms/op
 *
 * The list has 64 counts: the first is for delays of 0 ns, count i is for [2^(i-1), 2^i) ns.  If
 * the clock is gettimeofday(), delays are whole microseconds and shorter ones count as 0; in that
 * case counts 1 to 9 are zero.
 *
 * Without the list, calls, the largest delay, and the mean in ms with three decimals are read; the
 * total is computed from the mean.  The smallest delay is not read, because it is 0 after
 * statistics were cleared.
 *
 * Several breakdowns (psrun) are snapshots at the time that precedes them; psrun clears counters
 * only with a negative period.
 *
 * Seen: 1.5-alpha3.  Not supported: the percentiles that later versions print after it.
 */
#include <math.h>

#include "formats/lines.h"
#include "formats/text.h"

enum {
	BUCKETS = 64,
	CLOCK_NS = 1000,   /* resolution of gettimeofday() */
	CLOCK_BUCKETS = 9, /* counts 1 to 9 are below it */
};

static bool filebench_is_head(struct str s)
{
	return str_has_suffix(s, STR("Per-Operation Breakdown"));
}

static enum probe probe_filebench(struct str head, struct clue *clue)
{
	bool banner = str_has_prefix(head, STR("Filebench Version"));
	struct str line, rest = head;

	if (banner)
		*clue = (struct clue){ 0, "no Per-Operation Breakdown in it" };
	while (text_line(&rest, &line)) {
		if (filebench_is_head(line))
			return banner ? PROBE_MAGIC : PROBE_MARKS;
	}
	return banner ? PROBE_SHAPE : PROBE_NO;
}

/* --- reading -------------------------------------------------------------------------- */

struct reader {
	struct lines lines;
	struct builder *to;
	double began;	/* start of the current run in the log; NAN: not known */
	double elapsed; /* seconds, sum of all runs */
};

struct row {
	struct str name, ops_at, mean_at;
	uint64_t ops;
	bool has_max;
	struct decimal mean_ms;
	struct decimal max_ms;
	struct str list; /* text between the brackets; empty: none */
	bool has_list;
};

/* Takes the next word without its suffix; false when it has another suffix. */
static bool take_with(struct cursor *c, struct str suffix, struct str *ret)
{
	if (!scan_word(c, ret) || !str_has_suffix(*ret, suffix))
		return false;
	ret->n -= suffix.n;
	return true;
}

/* Takes "[0.001ms - 0.213ms]". */
static bool take_extremes(struct cursor *c, struct row *row)
{
	struct str low, dash, high;

	scan_blanks(c);
	if (cursor_done(c))
		return true;
	if (!take_with(c, STR("ms"), &low) || !scan_word(c, &dash) || !str_eq(dash, STR("-")) ||
	    !take_with(c, STR("ms]"), &high) || !decimal_parse(high, &row->max_ms))
		return false;
	row->has_max = true;
	return true;
}

/* Takes "\t[ 3957 0 ... 0 ]". */
static bool take_list(struct cursor *c, struct row *row)
{
	scan_blanks(c);
	if (cursor_done(c))
		return true;
	row->list = str_trim(cursor_rest(c));
	row->has_list = str_has_prefix(row->list, STR("[ ")) && str_has_suffix(row->list, STR("]"));
	if (!row->has_list)
		return false;
	row->list = str_trim((struct str){ row->list.p + 1, row->list.n - 2 });
	return true;
}

static bool filebench_split_row(struct reader *r, struct str s, struct row *ret)
{
	struct cursor c = cursor_at(r->lines.in, s);
	struct row row = { 0 };
	struct str rate;

	if (!scan_word(&c, &row.name) || !take_with(&c, STR("ops"), &row.ops_at) ||
	    number_u64(row.ops_at, &row.ops) != NUMBER_OK || !take_with(&c, STR("ops/s"), &rate) ||
	    !take_with(&c, STR("mb/s"), &rate) || !take_with(&c, STR("ms/op"), &row.mean_at) ||
	    !decimal_parse(row.mean_at, &row.mean_ms) || !take_extremes(&c, &row) ||
	    !take_list(&c, &row))
		return false;
	*ret = row;
	return true;
}

static bool push_list(struct reader *r, const struct row *row)
{
	struct bucket_scheme scheme = bucket_log2(1);
	struct cursor c = cursor_at(r->lines.in, row->list);
	uint64_t below_clock = 0, all = 0, count;

	if (!build_scheme(r->to, &scheme, row->list))
		return false;
	for (int i = 0; i < BUCKETS; i++) {
		switch (lines_next_count(&r->lines, &c, &count)) {
		case COUNT_READ:
			break;
		case COUNT_MISSING:
			return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, row->list,
					  "fewer than 64 counts");
		case COUNT_BAD:
			return false;
		}
		if (i > 0 && i <= CLOCK_BUCKETS)
			below_clock |= count;
		all |= count;
		if (count > 0 && !build_bucket(r->to, i - 1, count, row->list))
			return false;
	}
	scan_blanks(&c);
	if (!cursor_done(&c))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, cursor_rest(&c),
				  "more than 64 counts");
	if (below_clock == 0 && all > 0)
		build_granularity(r->to, CLOCK_NS);
	return true;
}

/* Without a list, the total is known only from the mean. */
static bool push_mean(struct reader *r, const struct row *row)
{
	struct decimal total;

	if (!decimal_times(row->mean_ms, row->ops, &total) ||
	    !decimal_times(total, 1000000, &total))
		return lines_fail(&r->lines, DIAG_TOTAL_OVERFLOW, row->mean_at, "in nanoseconds");
	build_rounded_totals(r->to);
	return build_total(r->to, total, row->mean_at);
}

static bool filebench_read_row(struct reader *r, struct str s)
{
	struct decimal max;
	struct row row;

	if (!filebench_split_row(r, s, &row))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s, "not a line of an operation");
	if (!build_operation_in(r->to, UNIT_NS, STR(""), row.name, row.name))
		return false;
	if (!(row.has_list ? push_list(r, &row) : push_mean(r, &row)))
		return false;
	if (row.has_max && row.ops > 0 && decimal_times(row.max_ms, 1000000, &max))
		build_max(r->to, decimal_f64(max));
	return build_count(r->to, row.ops, row.ops_at);
}

/* Log lines begin with seconds; lines of operations do not. */
static bool is_log_line(struct str s, double *ret_seconds)
{
	struct str seconds, rest;

	return str_cut(s, ':', &seconds, &rest) && number_f64(seconds, ret_seconds) == NUMBER_OK;
}

/* "1.073: Running...", "4.109: Run took 3 seconds...": run, psrun etc. have a fixed duration. */
static void filebench_read_duration(struct reader *r, struct str line, double seconds)
{
	struct str stamp, rest;

	if (!str_cut(line, ':', &stamp, &rest))
		return;
	rest = str_trim(rest);
	if (str_eq(rest, STR("Running...")))
		r->began = seconds;
	if (!str_has_prefix(rest, STR("Run took ")))
		return;
	build_run_fixed_duration(r->to);
	if (seconds > r->began && isfinite(seconds)) {
		r->elapsed += seconds - r->began;
		build_elapsed(r->to, r->elapsed);
	}
}

static bool read_filebench(const struct read_task *task)
{
	struct reader r = { .to = task->to, .began = NAN };
	bool rows = false;

	lines_start(&r.lines, task->in, task->diag);
	while (lines_next(&r.lines)) {
		struct str s = r.lines.text;
		double seconds = NAN;

		if (filebench_is_head(s)) {
			rows = true;
			if (!is_log_line(s, &seconds) || !isfinite(seconds))
				seconds = NAN;
			build_next_interval(task->to, seconds);
		} else if (s.n == 0 || is_log_line(s, &seconds)) {
			filebench_read_duration(&r, s, seconds);
			rows = false;
		} else if (rows && !filebench_read_row(&r, s)) {
			return false;
		}
	}
	return true;
}

const struct format format_filebench = {
	.name = "filebench",
	.title = "Filebench, with `enable lathist`",
	.versions = "1.5-alpha3",
	.unit = "ns, always",
	.totals = "only the mean is printed, to 1 us",
	.probe = probe_filebench,
	.read = read_filebench,
};
