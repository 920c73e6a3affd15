/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perf-kwork: how long interrupts, softirqs and workqueues ran, and how late they
 * began, from perf kwork.
 *
 *	 Runtime start      Runtime end        Cpu     Kwork name          Runtime     Delaytime
 *	                                               (TYPE)NAME:NUM      (msec)      (msec)
 *	 -----------------  -----------------  ------  ------------------  ----------  ----------
 *	      75252.406262       75252.406264  [0000]  (s)RCU:9                 0.002       0.013
 *
 * from `perf kwork timehist` has a line for each time that something ran: the operation is
 * its name, in the layers `runtime` and `delay`.  perf cuts names at 29 characters, and pads
 * them to 30.  An unknown delay is blank.
 *
 *	  Kwork Name     | Cpu  | Total Runtime | Count     | Max runtime   | Max runtime ...
 *	  (s)RCU:9       | 0000 |      1.180 ms |       113 |      0.045 ms |  75252.45 s ...
 *
 * from `perf kwork report`, and the same with `Avg delay` and `Max delay` from `perf kwork
 * latency`, have no distribution.  Processors are added up, and so are rows with the same
 * name.  The total of delays is the printed mean times the count.
 *
 * Versions seen: 6.1, 7.2.  Not supported: perf kwork top, which has times of tasks and no
 * counts.
 */
#include "base/scan.h"
#include "formats/measure.h"
#include "formats/statistics.h"
#include "formats/stream.h"
#include "formats/text.h"
#include "formats/tracing/kernel_events.h"

enum state { OUTSIDE, IN_HISTORY, IN_RUNTIMES, IN_DELAYS };

struct reader {
	struct stream stream;
	enum state state;
};

/* Returns the table of which this line is the header. */
static enum state head_of(struct str s)
{
	if (str_has_prefix(s, STR("Runtime start ")) && str_contains(s, STR(" Kwork name ")) &&
	    str_has_suffix(s, STR("Delaytime")))
		return IN_HISTORY;
	if (!str_has_prefix(s, STR("Kwork Name ")) || !str_contains(s, STR("| Cpu  |")))
		return OUTSIDE;
	if (str_contains(s, STR("| Total Runtime | Count ")))
		return IN_RUNTIMES;
	return str_contains(s, STR("| Avg delay     | Count ")) ? IN_DELAYS : OUTSIDE;
}

static bool is_any_head(struct str line)
{
	return head_of(line) != OUTSIDE;
}

/* --- timehist ------------------------------------------------------------------------- */

struct stretch {
	struct str begin, name, runtime, delay; /* an empty delay is unknown */
};

/* "75252.406262  75252.406264  [0000]  (s)RCU:9     0.002     0.013" */
static bool split_stretch(struct input *in, struct str s, struct stretch *ret)
{
	enum { NAME_AT = 2, NAME_WIDTH = 30 };
	struct str end, processor, rest;
	struct cursor c = cursor_at(in, s);

	if (!scan_word(&c, &ret->begin) || !scan_word(&c, &end) || !scan_word(&c, &processor) ||
	    !str_has_prefix(processor, STR("[")) || !str_has_suffix(processor, STR("]")))
		return false;
	rest = str_skip(cursor_rest(&c), NAME_AT);
	if (rest.n < NAME_WIDTH)
		return false;
	ret->name = str_trim((struct str){ rest.p, NAME_WIDTH });
	c = cursor_at(in, str_skip(rest, NAME_WIDTH));
	if (ret->name.n == 0 || !scan_word(&c, &ret->runtime))
		return false;
	if (!scan_word(&c, &ret->delay) || !str_begins_with_digit(ret->delay))
		ret->delay = STR(""); /* with -g, calls follow */
	return true;
}

static bool add_time(struct reader *r, struct str layer, const struct stretch *s, struct str ms,
		     struct decimal at)
{
	struct sample sample = {
		.layer = layer, .name = s->name, .start = at, .timed = true, .where = ms
	};
	struct decimal parsed;

	if (!decimal_parse(ms, &parsed) || parsed.billionths < 0 ||
	    !decimal_times(parsed, 1000000, &sample.latency))
		return lines_fail(&r->stream.lines, DIAG_NUMBER_BAD, ms, "expected milliseconds");
	return samples_add(&r->stream.lines.samples, &sample, ms, s->begin);
}

static bool read_stretch(struct reader *r)
{
	const struct lines *l = &r->stream.lines;
	struct stretch s;
	struct decimal seconds, at;

	if (!split_stretch(l->in, l->text, &s) || l->cut)
		return lines_fail(l, DIAG_LINE_UNEXPECTED, l->text,
				  "expected BEGIN END [CPU] NAME RUNTIME DELAY");
	if (!decimal_parse(s.begin, &seconds) || !decimal_times(seconds, 1000000000, &at))
		return lines_fail(l, DIAG_NUMBER_BAD, s.begin, "expected seconds");
	return add_time(r, STR("runtime"), &s, s.runtime, at) &&
	       (s.delay.n == 0 || add_time(r, STR("delay"), &s, s.delay, at));
}

/* --- report and latency ------------------------------------------------------------------ */

/* "     1.180 ms " */
static bool cell_ns(struct input *in, struct str cell, struct decimal *ret)
{
	struct cursor c = cursor_at(in, cell);
	struct str ignored;

	return measure_scan(&c, ret, &ignored);
}

static bool perf_kwork_read_row(struct reader *r)
{
	enum { NAME, PROCESSOR, TIME, COUNT, MAX, N_CELLS };
	const struct lines *l = &r->stream.lines;
	struct str cell[N_CELLS], rest = l->text;
	bool delays = r->state == IN_DELAYS;
	struct statistics of = { .layer = delays ? STR("delay") : STR("runtime"),
				 .unit = UNIT_NS,
				 .rounded = true,
				 .has_max = true };

	for (size_t i = 0; i < N_CELLS; i++) {
		if (!str_cut(rest, '|', &cell[i], &rest))
			return lines_fail(l, DIAG_LINE_UNEXPECTED, l->text,
					  "expected a row of the table");
		cell[i] = str_trim(cell[i]);
	}
	of.name = cell[NAME];
	of.count_at = cell[COUNT];
	of.total_at = cell[TIME];
	if (!lines_count(l, of.count_at, &of.count, "expected how often it ran"))
		return false;
	if (!cell_ns(l->in, of.total_at, &of.total) || !cell_ns(l->in, cell[MAX], &of.max))
		return lines_fail(l, DIAG_NUMBER_BAD, of.total_at,
				  "expected a time in ms, a count and another time");
	if (delays && !decimal_times(of.total, of.count, &of.total))
		return lines_fail(l, DIAG_TOTAL_OVERFLOW, of.total_at, "mean times count");
	return statistics_push(&of, l->to);
}

/* --- lines ---------------------------------------------------------------------------- */

static bool perf_kwork_line(void *reader)
{
	struct reader *r = reader;
	const struct lines *l = &r->stream.lines;
	enum state head = head_of(l->text);

	if (head != OUTSIDE) {
		r->state = head;
		return true;
	}
	if (r->state == IN_HISTORY && (str_begins_with_digit(l->text) || l->cut))
		return read_stretch(r);
	if ((r->state == IN_RUNTIMES || r->state == IN_DELAYS) && l->text.n > 0 &&
	    !str_has_prefix(l->text, STR("-----"))) {
		if (str_contains(l->text, STR("|")) || l->cut)
			return perf_kwork_read_row(r);
		r->state = OUTSIDE; /* the summary of -S */
	}
	return true;
}

const struct format format_perf_kwork = {
	.name = "perf-kwork",
	.title = "perf kwork: runtimes and delays of interrupts and work",
	.versions = "6.1, 7.2",
	.unit = "stated",
	.totals = "exact in timehist; of latency: mean x count",
	.line_marks = LINE_MARKS({ .is = is_any_head, .score = PROBE_MAGIC },
				 { .has = MARKS("PID ", " %CPU ", " RUNTIME "),
				   .why = "perf kwork top does not count; perf kwork report, "
					  "latency and timehist do" }),
	.streams = true,
	.read = stream_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .line = perf_kwork_line,
					     .sampling = &kernel_sampling_us,
					     .drop_single_layer = true },
};
