/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perf-script: events of tracepoints as `perf script` prints them, one a line.
 *
 *	dd   304 [001]  1978.630730: syscalls:sys_enter_read: fd: 0x00000000, ...
 *	dd   304 [001]  1978.630736:  syscalls:sys_exit_read: 0x1000
 *
 * Columns: the task's name, which may hold blanks; its thread, or process and
 * thread; the processor; seconds, with --ns to the nanosecond; perhaps a period;
 * the event and its fields.  formats/tracing/kernel_events.h says which events make a
 * latency.  Call chains, which are indented and end with a blank line, are ignored.
 *
 * Versions seen: 6.1, 7.2.  Not read: samples of profiling events (cycles, cpu-clock),
 * which have no duration; other columns of -F, except that the processor may
 * be missing; --deltatime, whose times count from the previous event: the output does not
 * state that, but the times go back again and again.
 */

#include "base/scan.h"
#include "formats/format.h"
#include "formats/text.h"
#include "formats/tracing/kernel_stream.h"
#include "formats/tracing/kernel_text.h"

struct line {
	struct kernel_event event;
	size_t digits; /* of the time */
};

static bool is_word(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (!is_letter(c) && !is_digit(c) && c != '_' && c != '-')
			return false;
	}
	return s.n > 0;
}

/* "304", "300/304" */
static bool parse_task(struct str s, uint64_t *ret_tid)
{
	struct str process, thread;
	uint64_t ignored;

	if (str_cut(s, '/', &process, &thread))
		return number_u64(process, &ignored) == NUMBER_OK &&
		       number_u64(thread, ret_tid) == NUMBER_OK;
	return number_u64(s, ret_tid) == NUMBER_OK;
}

/* Parses what is before the time: "dd   304 [001]". */
static bool parse_front(struct str front, struct kernel_event *ret)
{
	size_t at;

	front = str_trim(front);
	if (str_has_suffix(front, STR("]"))) {
		at = str_find_last(front, STR(" ["));
		if (at == front.n || number_u64((struct str){ front.p + at + 2, front.n - at - 3 },
						&ret->cpu) != NUMBER_OK)
			return false;
		front = str_trim((struct str){ front.p, at });
	}
	at = str_find_last(front, STR(" "));
	return at < front.n && parse_task(str_skip(front, at + 1), &ret->tid);
}

/* Parses what follows the time, with or without the period: "1 syscalls:sys_enter_read: fd:
 * 0x3". */
static bool parse_event(struct str back, struct kernel_event *ret)
{
	struct str word, subsystem, tail;
	uint64_t period;

	back = str_trim(back);
	if (str_cut(back, ' ', &word, &tail) && number_u64(word, &period) == NUMBER_OK)
		back = str_trim(tail);
	word = (struct str){ back.p, str_find(back, STR(" ")) };
	if (!str_has_suffix(word, STR(":")) || !str_cut(word, ':', &subsystem, &ret->name))
		return false;
	ret->fields = str_skip(back, word.n);
	ret->name.n -= ret->name.n > 0;
	return is_word(subsystem) && is_word(ret->name);
}

static bool parse_line(struct str s, struct line *ret)
{
	struct str front, back;
	size_t at = 0;

	*ret = (struct line){ .digits = 0 };
	while (kernel_split(s, &at, &ret->event.at, &ret->digits, &front, &back)) {
		if (parse_front(front, &ret->event) && parse_event(back, &ret->event))
			return true;
	}
	return false;
}

static enum probe probe_perf_script(struct str head, struct clue *clue)
{
	struct str line, rest = head;
	struct line parsed;
	size_t n = 0;

	while (text_next(&rest, &line)) {
		struct str s = text_content(line);

		if (s.n == 0 || s.p[0] == '#')
			continue;
		if (parse_line(s, &parsed)) {
			if (++n == 2)
				return PROBE_MAGIC;
			continue;
		}
		if (n == 0 && line.p[0] != '\t')
			return PROBE_NO;
		if (n > 0 && line.p[0] != '\t' && clue->why == NULL)
			probe_near(clue, head, s, "expected NAME PID [CPU] TIME: SUBSYSTEM:EVENT:");
	}
	return n > 0 ? PROBE_MARKS : PROBE_NO;
}

struct reader {
	struct kernel_stream stream;
	struct decimal last; /* time of the previous event */
	size_t n_events, n_back;
	struct str back; /* the first event with an earlier time than the previous one, ... */
	struct input back_line; /* ... and its line */
};

static bool perf_script_read_line(void *ctx)
{
	struct reader *r = ctx;
	struct kernel_stream *stream = &r->stream;
	const struct lines *l = &stream->stream.lines;
	struct str s = l->text;
	struct line line;

	if (s.n == 0 || s.p[0] == '#' || l->in->bytes.p[l->at] == '\t')
		return true; /* part of a call chain */
	if (str_contains(s, STR("PERF_RECORD_LOST")))
		return kernel_stream_lost(stream, 1, s);
	if (!parse_line(s, &line))
		return lines_fail(l, DIAG_LINE_UNEXPECTED, s,
				  "expected NAME PID [CPU] TIME: SUBSYSTEM:EVENT: FIELDS");
	/* perf sorts its output, except for a few events when many are lost. */
	if (r->n_events > 0 && line.event.at.billionths < r->last.billionths && r->n_back++ == 0)
		r->back = input_keep_line(l->in, s, &r->back_line);
	r->last = line.event.at;
	r->n_events++;
	kernel_stream_begin(stream, &kernel_text, line.digits < 9 ? KERNEL_MICROSECONDS : 0);
	return kernel_events_add(stream->events, &line.event);
}

/* Checks that the times are those of a clock. */
static bool check_order(struct reader *r, struct diag *diag)
{
	enum { FEW = 2, SHARE = 4 };

	if (r->n_back <= FEW || r->n_back < r->n_events / SHARE)
		return true;
	return format_fail(&r->back_line, diag, DIAG_LINE_UNEXPECTED, r->back,
			   "%zu of %zu events were before the one above them: with --deltatime "
			   "perf script prints no times of a clock",
			   r->n_back, r->n_events);
}

static bool read_perf_script(const struct read_task *task)
{
	struct reader r = { .n_events = 0 };
	bool ok = kernel_stream_read(&r.stream, task, perf_script_read_line, &r) &&
		  check_order(&r, task->diag);

	input_release(&r.back_line);
	return ok;
}

const struct format format_perf_script = {
	.name = "perf-script",
	.title = "perf script: calls, block requests, scheduling, locks ...",
	.versions = "6.1, 7.2",
	.unit = "stated",
	.totals = "exact",
	.probe = probe_perf_script,
	.streams = true,
	.read = read_perf_script,
};
