/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perf-trace: calls as `perf trace` prints them, and the summary of -s and -S.
 *
 *	     0.054 ( 0.013 ms): dd/30233 brk()                     = 0x559f105fc000
 *	     0.320 ( 0.014 ms): dd/30233 access(filename: 0x38)    = -1 ENOENT (No such ...)
 *	     0.411 (         ): dd/30233 wait4(upid: -1) ...
 *
 *	 dd (30233), 332 events, 98.2%
 *
 *	   syscall            calls  errors  total       min       avg       max       stddev
 *	                                     (msec)    (msec)    (msec)    (msec)        (%)
 *	   --------------- --------  ------ -------- --------- --------- ---------     ------
 *	   openat                35     16     0.741     0.013     0.021     0.065      7.44%
 *
 * A call interrupted by another line ends on a line of its own ("... [continued]:"), which
 * has the whole duration.  If an end comes after the begin of its thread's next call, as when
 * events of two processors are out of order, perf prints a negative difference as a number
 * close to 2^64: that end has no begin.  --show-cpu has the processor,
 * "[001]", after the time.  The summary has no distribution, so it is used only if there
 * are no calls; threads, or the cgroups of --summary-mode, are added up.  Durations come in
 * steps of 1 us.  Output of the traced command may be between the lines.
 *
 * Versions seen: 6.1, 7.2.  Left out with a note: page faults (-F), which have no
 * duration.  Not detected by the output: --duration, which omits shorter calls.
 */
#include <math.h>

#include "base/scan.h"
#include "formats/carried.h"
#include "formats/statistics.h"
#include "formats/stream.h"
#include "formats/text.h"
#include "formats/tracing/kernel_events.h"

struct call {
	struct str start, duration, name; /* start and duration may be empty */
	bool ended;			  /* the line has its return value */
};

/* Returns what follows "dd/30233 ".  A task's name may contain anything; with a single task it is
 * omitted. */
static struct str without_task(struct str s)
{
	struct str first = { s.p, str_find(s, STR("(")) };

	if (!str_contains(str_trim(first), STR(" ")) && !str_has_suffix(first, STR(" ")))
		return s;
	for (size_t i = 0; i < s.n; i++) {
		size_t end = i + 1;

		while (s.p[i] == '/' && end < s.n && is_digit(s.p[end]))
			end++;
		if (end > i + 1 && end < s.n && s.p[end] == ' ')
			return str_skip(s, end + 1);
	}
	return s;
}

/* "0.054", "0.054 [001]", "?" */
static bool parse_start(struct str s, struct str *ret)
{
	struct str time = s, processor;
	struct decimal ignored;
	uint64_t number;

	if (str_cut(s, ' ', &time, &processor) &&
	    (!str_has_prefix(processor, STR("[")) || !str_has_suffix(processor, STR("]")) ||
	     number_u64((struct str){ processor.p + 1, processor.n - 2 }, &number) != NUMBER_OK))
		return false;
	if (str_eq(time, STR("?"))) {
		*ret = STR("");
		return true;
	}
	*ret = time;
	return decimal_parse(time, &ignored);
}

/* Parses what is before the task: "0.054 ( 0.013 ms): ". */
static bool parse_front(struct str s, struct call *ret, struct str *ret_rest)
{
	struct str start, rest, duration;
	struct decimal ignored;

	if (!str_cut(s, '(', &start, &rest) || !str_has_suffix(start, STR(" ")) ||
	    !parse_start(str_trim(start), &start))
		return false;
	if (!str_cut(rest, ')', &duration, &rest) || !str_has_prefix(rest, STR(": ")))
		return false;
	duration = str_trim(duration);
	if (duration.n > 0) {
		if (!str_has_suffix(duration, STR(" ms")))
			return false;
		duration = str_trim((struct str){ duration.p, duration.n - 3 });
		if (!decimal_parse(duration, &ignored))
			return false;
	}
	*ret = (struct call){ .start = start, .duration = duration };
	*ret_rest = without_task(str_skip(rest, 2));
	return true;
}

/* "0.054 ( 0.013 ms): dd/30233 brk()  = 0x55" */
static bool parse_call(struct str s, struct call *ret)
{
	struct str rest;
	size_t again;

	if (!parse_front(s, ret, &rest))
		return false;
	again = str_find(rest, STR("[continued]: "));
	if (again < rest.n)
		rest = str_skip(rest, again + sizeof("[continued]: ") - 1);
	ret->name = str_trim((struct str){ rest.p, str_find(rest, STR("(")) });
	ret->ended = str_contains(rest, STR(" = "));
	return ret->name.n > 0 && !str_contains(ret->name, STR(" "));
}

/* Parses a call after output of the traced command that lacks a newline. */
static bool parse_glued_call(struct str s, struct call *ret)
{
	size_t at = str_find(s, STR(" ms): "));

	if (at == s.n)
		return false;
	while (at > 0 && s.p[at] != '(')
		at--;
	while (at > 0 && s.p[at - 1] == ' ')
		at--;
	while (at > 0 && (is_digit(s.p[at - 1]) || s.p[at - 1] == '.'))
		at--;
	return parse_call(str_skip(s, at), ret);
}

/* "0.451 ( 0.000 ms): dd/30233 minfault [0x1dd00] => /usr/bin/dd@0x1dd00 (d.)" */
static bool is_page_fault(struct str s)
{
	struct call ignored;
	struct str rest;

	return parse_front(s, &ignored, &rest) &&
	       (str_has_prefix(rest, STR("minfault [")) || str_has_prefix(rest, STR("majfault [")));
}

/* Returns whether the line begins like a call. */
static bool is_damaged_call(struct str s)
{
	return (is_digit(s.p[0]) || s.p[0] == '?') && str_contains(s, STR("): ")) &&
	       str_contains(s, STR(" ("));
}

static bool is_table_head(struct str s)
{
	return str_has_prefix(s, STR("syscall ")) && str_contains(s, STR(" calls ")) &&
	       str_contains(s, STR(" total ")) && str_has_suffix(s, STR("stddev"));
}

static enum probe probe_perf_trace(struct str head, struct clue *clue)
{
	struct str line, rest = head;
	bool summary = false;
	struct call call;
	size_t n = 0;

	while (text_line(&rest, &line) && n < 2) {
		n += parse_call(line, &call);
		if (n == 0 && clue->why == NULL && is_page_fault(line))
			probe_near(clue, head, line, "page faults have no duration");
		if (summary && is_table_head(line))
			return PROBE_MAGIC;
		summary = summary || str_eq(line, STR("Summary of events:"));
	}
	return n >= 2 || summary ? PROBE_MARKS : n > 0 ? PROBE_SHAPE : PROBE_NO;
}

/* --- reading ----------------------------------------------------------------- */

struct reader {
	struct stream stream;
	struct builder *to;
	struct samples samples;
	struct before {
		struct decimal start; /* of the last call that has one */
		bool has_calls;
	} before; /* state from earlier lines */
	bool headed, in_table, errors_column;
	size_t n_faults, n_noise;
	struct str noise;	 /* the first line of output that is not perf's, ... */
	struct input noise_line; /* ... and its line */
};

/* Parses printed milliseconds as nanoseconds. */
static bool take_ms(struct reader *r, struct str s, struct decimal *ret)
{
	struct decimal ms;

	if (s.n == 0 || s.p[0] == '-' || !decimal_parse(s, &ms) || !decimal_times(ms, 1000000, ret))
		return lines_fail(&r->stream.lines, DIAG_NUMBER_BAD, s, "expected milliseconds");
	return true;
}

static bool read_call(struct reader *r, const struct call *c)
{
	struct sample sample = { .layer = STR(""), .name = c->name, .where = c->name };

	if (c->start.n > 0 && !take_ms(r, c->start, &r->before.start))
		return false;
	r->before.has_calls = true;
	if (c->duration.n == 0)
		return true; /* it has not ended */
	if (r->stream.lines.cut && !c->ended)
		return lines_fail(&r->stream.lines, DIAG_INPUT_TRUNCATED, c->name,
				  "expected the result of the call");
	sample.start = r->before.start;
	sample.timed = c->start.n > 0;
	if (!take_ms(r, c->duration, &sample.latency))
		return false;
	return samples_add(&r->samples, &sample, c->duration, c->start.n > 0 ? c->start : c->name);
}

enum { NAME, CALLS, ERRORS, TOTAL, MIN, MEAN, MAX, SPREAD, N_CELLS };

/* The column `stddev` is the standard error of the mean, as a share of it. */
static void push_deviation(struct reader *r, const struct statistics *of, struct str share)
{
	double percent, n = (double)of->count;

	share.n--;
	if (number_f64(share, &percent) == NUMBER_OK && of->count > 0)
		build_deviation(r->to, percent / 100 * decimal_f64(of->total) / n * sqrt(n));
}

static bool perf_trace_read_row(struct reader *r, struct str s)
{
	struct cursor c = cursor_at(r->stream.lines.in, s);
	struct str cell[N_CELLS] = { { NULL, 0 } };
	struct statistics of = { .unit = UNIT_NS };

	for (size_t i = 0; i < N_CELLS; i++) {
		if (i == ERRORS && !r->errors_column)
			continue;
		if (!scan_word(&c, &cell[i]))
			return lines_fail(
				&r->stream.lines, DIAG_LINE_UNEXPECTED, s,
				"expected a syscall, calls, errors, total, min, avg, max, stddev");
	}
	if (!str_has_suffix(cell[SPREAD], STR("%")))
		return lines_fail(&r->stream.lines, DIAG_NUMBER_BAD, cell[SPREAD],
				  "expected a share, with %%");
	if (number_u64(cell[CALLS], &of.count) != NUMBER_OK)
		return lines_fail(&r->stream.lines, DIAG_NUMBER_BAD, cell[CALLS],
				  "expected a count");
	if (!take_ms(r, cell[TOTAL], &of.total) || !take_ms(r, cell[MIN], &of.min) ||
	    !take_ms(r, cell[MAX], &of.max))
		return false;
	of.name = cell[NAME];
	of.count_at = cell[CALLS];
	of.total_at = cell[TOTAL];
	of.has_min = of.has_max = of.count > 0;
	if (r->before.has_calls) /* then the calls have been counted */
		return true;
	if (!statistics_push(&of, r->to))
		return false;
	push_deviation(r, &of, cell[SPREAD]);
	return true;
}

/* "LOST 12 events!" */
static bool is_loss(struct input *in, struct str s, uint64_t *ret)
{
	struct cursor c = cursor_at(in, s);

	return scan_literal(&c, STR("LOST ")) && scan_u64(&c, ret) &&
	       scan_literal(&c, STR(" events!"));
}

static bool perf_trace_read_line(struct reader *r, struct str s)
{
	struct call call;
	uint64_t events;

	if (s.n == 0 || is_table_head(s)) {
		r->in_table = false;
		r->headed = s.n > 0;
		r->errors_column = str_contains(s, STR(" errors "));
		return true;
	}
	if (r->headed) {
		r->in_table = r->in_table || str_has_prefix(s, STR("-----"));
		r->headed = !r->in_table;
		return true;
	}
	if (r->in_table) /* "<TAB>ENOENT: 16" belongs to the row above */
		return r->stream.lines.in->bytes.p[r->stream.lines.at] == '\t' ||
		       perf_trace_read_row(r, s);
	if (parse_call(s, &call) || parse_glued_call(s, &call))
		return read_call(r, &call);
	if (is_loss(r->stream.lines.in, s, &events))
		return build_lost(r->to, events, s);
	if (is_page_fault(s)) {
		r->n_faults++;
		return true;
	}
	if (str_eq(s, STR("Summary of events:")))
		return true;
	if (r->stream.lines.cut || is_damaged_call(s))
		return lines_fail(&r->stream.lines, DIAG_LINE_UNEXPECTED, s,
				  "expected TIME (DURATION ms): CALL");
	if (!str_contains(s, STR(" events")) && r->n_noise++ == 0)
		r->noise = input_keep_line(r->stream.lines.in, s, &r->noise_line);
	return true;
}

/* Output of the traced command is reported, but is not an error. */
static void report_output(struct reader *r)
{
	if (r->n_faults > 0)
		diag_file(r->stream.lines.diag, DIAG_NOT_A_HISTOGRAM, r->stream.lines.in,
			  "%zu page fault%s, which have no duration", r->n_faults,
			  r->n_faults == 1 ? "" : "s");
	if (r->n_noise > 0)
		diag_part(r->stream.lines.diag, DIAG_NOT_A_HISTOGRAM, &r->noise_line, r->noise,
			  "%zu line%s that perf does not print", r->n_noise,
			  r->n_noise == 1 ? "" : "s");
}

static bool read_perf_trace(const struct read_task *task)
{
	struct carried *carried = task->options->carried;
	struct reader r = { .to = task->to };
	bool ok = true;

	carried_copy(carried, CARRIED_READER, &r.before);
	stream_start(&r.stream, task->in, task->to, task->diag);
	samples_start(&r.samples, r.stream.lines.in, task->options, &kernel_sampling_us,
		      task->diag);
	while (ok && stream_next(&r.stream))
		ok = perf_trace_read_line(&r, r.stream.lines.text);
	ok = stream_end(&r.stream) && ok && accumulator_push(r.samples.accumulator, task->to);
	samples_release(&r.samples);
	if (ok)
		report_output(&r);
	carried_leave_bytes(carried, CARRIED_READER, &r.before, sizeof(r.before));
	input_release(&r.noise_line);
	return ok;
}

const struct format format_perf_trace = {
	.name = "perf-trace",
	.title = "perf trace: calls, or the summary of -s",
	.versions = "6.1, 7.2",
	.unit = "stated",
	.totals = "exact",
	.probe = probe_perf_trace,
	.streams = true,
	.read = read_perf_trace,
};
