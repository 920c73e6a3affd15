/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/lines.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/xalloc.h"
#include "formats/call_latencies.h"
#include "formats/measure.h"
#include "formats/text.h"

void lines_start(struct lines *l, struct input *in, struct diag *diag)
{
	*l = (struct lines){
		.in = in, .diag = diag, .rest = cursor_on(in), .text = { in->bytes.p, 0 }
	};
}

bool lines_next(struct lines *l)
{
	struct cursor line;

	l->at = l->rest.at;
	if (!scan_line(&l->rest, &line))
		return false;
	l->text = text_content(cursor_rest(&line));
	l->cut = line.end == l->rest.end;
	return true;
}

bool lines_next_short_u64(struct lines *l, uint64_t *ret)
{
	const char *p = l->in->bytes.p;
	size_t from = l->rest.at, to;
	uint64_t v = 0;

	to = digits_end(p, from, l->rest.end, &v);
	if (to == from || to - from > SHORT_DIGITS || to == l->rest.end || p[to] != '\n')
		return false;
	l->at = from;
	l->text = (struct str){ p + from, to - from };
	l->cut = false;
	l->rest.at = to + 1;
	*ret = v;
	return true;
}

/* A line precedes the one put back, so the line that is current now is not cut off. */
void lines_again(struct lines *l)
{
	l->rest.at = l->at;
	l->cut = false;
}

bool lines_fail(const struct lines *l, enum diag_code code, struct str where, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	(void)format_vfail(l->in, l->diag, l->cut ? DIAG_INPUT_TRUNCATED : code, where, fmt, ap);
	va_end(ap);
	return false;
}

bool lines_count(const struct lines *l, struct str digits, uint64_t *ret, const char *expected)
{
	switch (number_u64(digits, ret)) {
	case NUMBER_OK:
		return true;
	case NUMBER_TOO_LARGE:
		return format_fail(l->in, l->diag, DIAG_COUNT_OVERFLOW, digits, "more than 2^64-1");
	case NUMBER_NONE:
		break;
	}
	return lines_fail(l, DIAG_NUMBER_BAD, digits, "%s", expected);
}

bool lines_push_mean(const struct lines *l, struct decimal mean, uint64_t calls, struct str where,
		     const char *what)
{
	struct decimal total;

	build_rounded_totals(l->to);
	return decimal_times(mean, calls, &total)
		       ? build_total(l->to, total, where)
		       : lines_fail(l, DIAG_TOTAL_OVERFLOW, where, "%s", what);
}

void lines_took(struct lines *l, struct str time)
{
	double seconds;

	if (!measure_seconds(time, &seconds))
		return;
	l->elapsed += seconds;
	build_elapsed(l->to, l->elapsed);
}

bool lines_counted(const struct lines *l, enum line_count what, struct str where,
		   const char *missing)
{
	return what == COUNT_READ ||
	       (what == COUNT_MISSING && lines_fail(l, DIAG_LINE_UNEXPECTED, where, "%s", missing));
}

enum line_count lines_word_count(const struct lines *l, struct cursor *c, uint64_t *ret)
{
	struct str word;

	if (!scan_word(c, &word))
		return COUNT_MISSING;
	return lines_count(l, word, ret, "expected a count") ? COUNT_READ : COUNT_BAD;
}

bool lines_begin(struct lines *l, const struct read_task *task)
{
	const struct line_format *f = task->spec;

	l->task = task;
	l->to = task->to;
	l->options = task->options;
	l->arena = arena_new();
	if (f->no_intervals != NULL && task->options->build.interval > 0)
		return format_fail(task->in, task->diag, DIAG_COLUMN_MISSING,
				   (struct str){ task->in->bytes.p, 0 }, "%s", f->no_intervals);
	if (f->sampling != NULL)
		samples_start(&l->samples, l->in, task->options, f->sampling, l->diag);
	if (f->calls) {
		l->calls = xcalloc(1, sizeof(*l->calls));
		call_output_start(l->calls, &l->samples, l->options);
	}
	if (f->snapshots != SNAPSHOTS_AUTO)
		build_snapshots(l->to, f->snapshots);
	if (f->drop_single_layer)
		build_drop_single_layer(l->to);
	if (f->fixed_duration)
		build_run_fixed_duration(l->to);
	if (f->start != NULL)
		f->start(l);
	return true;
}

static void report_left_out(const struct lines *l, const char *what)
{
	const struct read_task *task = l->task;

	if (strchr(what, ':') != NULL)
		diag_file(task->diag, DIAG_NOT_A_HISTOGRAM, task->in, "%s %zu", what, l->left_out);
	else
		diag_file(task->diag, DIAG_NOT_A_HISTOGRAM, task->in, "%zu %s", l->left_out, what);
}

bool lines_finish(struct lines *l, bool ok)
{
	const struct line_format *f = l->task->spec;

	ok = ok || format_ends_early(l->task);
	if (ok && l->calls != NULL)
		call_output_push_nests(l->calls, l->to);
	if (ok && l->samples.accumulator != NULL)
		ok = accumulator_push(l->samples.accumulator, l->to);
	if (ok && l->left_out > 0)
		report_left_out(l, f->left_out);
	if (f->release != NULL)
		f->release(l);
	if (l->calls != NULL)
		call_output_release(l->calls);
	free(l->calls);
	samples_release(&l->samples);
	reported_release(&l->reported);
	arena_free(l->arena);
	return ok;
}

static bool read_all(const struct line_format *f, struct lines *l)
{
	while (f->line != NULL && lines_next(l)) {
		if (!f->line(l))
			return false;
	}
	return f->end == NULL || f->end(l);
}

/* A reader begins with its struct lines, so `l` also points to the reader. */
bool lines_read(const struct read_task *task)
{
	const struct line_format *f = task->spec;
	struct lines *l = xcalloc(1, f->size);
	bool ok;

	lines_start(l, task->in, task->diag);
	ok = lines_finish(l, lines_begin(l, task) && read_all(f, l));
	free(l);
	return ok;
}

void lines_json(const struct lines *l, struct json *j)
{
	json_start(j, l->rest, l->arena, l->diag);
}
