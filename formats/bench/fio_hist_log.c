/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fio-hist-log: the histogram logs of fio (write_hist_log), a line for each window
 * and direction.
 *
 *	501, 1, 4096, 0, 0, 3, 17, 4, ... 0
 *
 * Milliseconds since the start, direction (0 read, 1 write, 2 trim), block size, and a count for
 * each of 1856 buckets.  With log_hist_coarseness c there are 1856 / 2^c, each merging 2^c
 * buckets.  Counts are for the window only.
 *
 * Seen: 3.33, 3.41.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "formats/bench/fio_bins.h"
#include "formats/stream.h"

enum { DIRECTIONS = 3, HEAD_FIELDS = 3 };

static const struct str directions[DIRECTIONS] = { STR_INIT("read"), STR_INIT("write"),
						   STR_INIT("trim") };

/* --- recognising ------------------------------------------------------------- */

/* Returns the number of comma-separated numbers; 0 when there is anything else. */
static size_t count_fields(struct str s)
{
	size_t n = 0, digits = 0;

	for (size_t i = 0; i < s.n; i++) {
		if (is_digit(s.p[i])) {
			n += digits++ == 0;
		} else if (s.p[i] == ',' && digits > 0) {
			digits = 0;
		} else if (s.p[i] != ' ' || (digits > 0 && i + 1 < s.n)) {
			return 0;
		}
	}
	return n;
}

/* Returns the coarseness of a log with n_fields columns; -1 when there is none. */
static int coarseness_of(size_t n_fields)
{
	for (int c = 0; c <= FIO_COARSEST; c++) {
		if (n_fields == (size_t)HEAD_FIELDS + (FIO_BINS >> c))
			return c;
	}
	return -1;
}

static enum probe probe_fio_hist_log(struct str head, struct clue *clue)
{
	struct str line = head, rest = { head.p, 0 };
	size_t n;

	(void)str_cut(head, '\n', &line, &rest);
	line = str_trim(line);
	if (line.n > 0 && line.p[line.n - 1] == ',')
		line.n--;
	n = count_fields(line);
	if (n <= HEAD_FIELDS + (FIO_BINS >> FIO_COARSEST) / 2)
		return PROBE_NO;
	if (coarseness_of(n) >= 0)
		return PROBE_MARKS;
	*clue = (struct clue){ 0, "numbers with commas, but not as many as a histogram log has" };
	return PROBE_NO;
}

/* --- reading ----------------------------------------------------------------- */

/* The current window of a direction, not pushed yet. */
struct window {
	bool any;
	double start, end;     /* ms */
	uint64_t *count, *sum; /* for each bucket: in this window, in all windows */
	uint64_t total;	       /* sum over all buckets and windows */
	struct str where;
	bool kept; /* `where` points into `line`, a copy */
	struct input line;
};

/* A nonzero count. */
struct cell {
	int bin;
	uint64_t count;
};

struct reader {
	struct stream stream;
	struct builder *to;
	int n_bins; /* 0 before the first line */
	struct bucket_scheme scheme;
	double first, origin; /* ms; origin is NAN until it is known */
	struct cell *row;     /* counts of the current line */
	int n_row;
	struct window window[DIRECTIONS];
};

static bool fail_log(struct reader *r, enum diag_code code, struct str where, const char *what)
{
	return format_fail(r->stream.lines.in, r->stream.lines.diag, code, where, "%s", what);
}

/* Reports a missing field; the input is truncated only if this is the end of the file. */
static bool bad_field(struct reader *r, struct str where, const char *what)
{
	return fail_log(r,
			r->stream.lines.cut && where.n == 0 ? DIAG_INPUT_TRUNCATED
							    : DIAG_LINE_UNEXPECTED,
			where, what);
}

static bool push_buckets(struct reader *r, struct window *w, struct str name)
{
	double end = w->end > w->start ? w->end : w->start + 1; /* shorter than 1 ms */

	if (!build_operation_in(r->to, UNIT_NS, STR(""), name, w->where))
		return false;
	if (!build_interval(r->to, (w->start - r->origin) / 1e3, (end - r->origin) / 1e3,
			    w->where) ||
	    !build_scheme(r->to, &r->scheme, w->where))
		return false;
	for (int i = 0; i < r->n_bins; i++) {
		if (w->count[i] > 0 && !build_bucket(r->to, i, w->count[i], w->where))
			return false;
	}
	return true;
}

static bool push_window(struct reader *r, int direction)
{
	struct window *w = &r->window[direction];
	bool ok;

	if (!w->any)
		return true;
	if (w->kept)
		builder_part(r->to, &w->line);
	ok = push_buckets(r, w, directions[direction]);
	builder_part(r->to, r->stream.lines.in);
	memset(w->count, 0, (size_t)r->n_bins * sizeof(*w->count));
	w->start = w->end;
	w->any = false;
	return ok;
}

/* Sets the start of the first windows. */
static void set_origin(struct reader *r, double origin)
{
	r->origin = origin;
	for (int i = 0; i < DIRECTIONS; i++)
		r->window[i].start = origin;
}

/* With log_unix_epoch, times are since the epoch: the first window is then assumed to be as long as
 * the second. */
static void find_origin(struct reader *r, double time)
{
	const double epoch = 1e11; /* no run lasts three years */

	if (r->first < 0) {
		r->first = time;
		for (int i = 0; i < DIRECTIONS; i++)
			r->window[i].start = time;
	}
	if (r->first < epoch)
		set_origin(r, 0);
	else if (time > r->first)
		set_origin(r, 2 * r->first - time);
}

static bool add_counts(struct reader *r, struct window *w, struct str where)
{
	for (int i = 0; i < r->n_row; i++) {
		int bin = r->row[i].bin;
		uint64_t n = r->row[i].count;

		if (__builtin_add_overflow(w->sum[bin], n, &w->sum[bin]))
			return fail_log(r, DIAG_COUNT_OVERFLOW, where,
					"the sum of a bucket passes 2^64-1");
		if (__builtin_add_overflow(w->total, n, &w->total))
			return fail_log(r, DIAG_COUNT_OVERFLOW, where,
					"the sum of all buckets passes 2^64-1");
		w->count[bin] += n;
	}
	return true;
}

/* Several jobs may share a file: lines with the same time form one window. */
static bool fio_hist_log_add_row(struct reader *r, double time, int direction, struct str where)
{
	struct window *w = &r->window[direction];

	if (isnan(r->origin))
		find_origin(r, time);
	if (time < w->start || (w->any && time < w->end))
		return fail_log(r, DIAG_INTERVAL_BAD, where,
				"a window that ends before the one ahead of it");
	if (w->any && w->end != time && !push_window(r, direction))
		return false;
	if (w->count == NULL) {
		w->count = xcalloc((size_t)r->n_bins, sizeof(*w->count));
		w->sum = xcalloc((size_t)r->n_bins, sizeof(*w->sum));
	}
	w->where = where;
	w->kept = false;
	w->any = true;
	w->end = time;
	return add_counts(r, w, where);
}

static bool scan_field(struct cursor *c, bool first, uint64_t *ret)
{
	if (!first && !scan_char(c, ','))
		return false;
	scan_blanks(c);
	return scan_u64(c, ret);
}

/* Skips zeros, with fio's separators, since most counts are 0; returns how many were skipped. */
static int scan_zeros(struct cursor *c, int max)
{
	const char *p = c->in->bytes.p;
	size_t at = c->at;
	int n = 0;

	while (n < max && c->end - at >= 4 && memcmp(p + at, ", 0,", 4) == 0) {
		at += 3;
		n++;
	}
	c->at = at;
	return n;
}

static bool scan_counts(struct reader *r, struct cursor *c)
{
	int bin = 0;

	r->n_row = 0;
	while ((bin += scan_zeros(c, r->n_bins - bin)) < r->n_bins) {
		struct cell *cell = &r->row[r->n_row];

		if (!scan_field(c, false, &cell->count))
			return bad_field(r, cursor_rest(c),
					 "expected as many counts as in the first line");
		cell->bin = bin++;
		r->n_row += cell->count > 0;
	}
	if (scan_char(c, ','))
		scan_blanks(c);
	return cursor_done(c) || bad_field(r, cursor_rest(c), "more counts than in the first line");
}

/* Finds the number of buckets from the first line. */
static bool find_width(struct reader *r, struct str line)
{
	int coarseness;

	if (line.p[line.n - 1] == ',')
		line.n--;
	coarseness = coarseness_of(count_fields(line));
	if (coarseness < 0)
		return fail_log(
			r, DIAG_LINE_UNEXPECTED, line,
			"expected 3 numbers and 1856 counts, or a 2nd to 64th part of these");
	r->n_bins = FIO_BINS >> coarseness;
	r->scheme = fio_scheme(FIO_BINS, coarseness);
	r->row = xcalloc((size_t)r->n_bins, sizeof(*r->row));
	return true;
}

static bool fio_hist_log_read_line(struct reader *r, struct str where)
{
	struct cursor line = cursor_at(r->stream.lines.in, where);
	uint64_t head[HEAD_FIELDS];

	if (r->n_bins == 0 && !find_width(r, where))
		return false;
	for (size_t i = 0; i < HEAD_FIELDS; i++) {
		if (!scan_field(&line, i == 0, &head[i]))
			return bad_field(r, cursor_rest(&line),
					 "expected time, direction, size and counts");
	}
	if (!scan_counts(r, &line))
		return false;
	if (head[1] >= DIRECTIONS)
		return fail_log(r, DIAG_LINE_UNEXPECTED, where, "the direction is none of 0, 1, 2");
	return fio_hist_log_add_row(r, (double)head[0], (int)head[1], where);
}

/* Copies the lines of open windows before their part of the file is released. */
static void keep_lines(struct reader *r)
{
	for (int i = 0; i < DIRECTIONS; i++) {
		struct window *w = &r->window[i];

		if (!w->any || w->kept)
			continue;
		input_release(&w->line);
		w->where = input_keep_line(r->stream.lines.in, w->where, &w->line);
		w->kept = true;
	}
}

static bool fio_hist_log_read_lines(struct reader *r)
{
	while (stream_next(&r->stream)) {
		if (r->stream.lines.text.n > 0 && !fio_hist_log_read_line(r, r->stream.lines.text))
			return false;
		if (cursor_done(&r->stream.lines.rest))
			keep_lines(r);
	}
	if (r->stream.failed)
		return false;
	if (isnan(r->origin))
		set_origin(r, r->first - 1);
	for (int i = 0; i < DIRECTIONS; i++) {
		if (!push_window(r, i))
			return false;
	}
	return true;
}

static bool read_fio_hist_log(const struct read_task *task)
{
	struct reader r = { .to = task->to, .first = -1, .origin = NAN };
	bool ok;

	stream_start(&r.stream, task->in, task->to, task->diag);
	ok = fio_hist_log_read_lines(&r);
	ok = stream_end(&r.stream) && ok;
	for (int i = 0; i < DIRECTIONS; i++) {
		free(r.window[i].count);
		free(r.window[i].sum);
		input_release(&r.window[i].line);
	}
	free(r.row);
	return ok;
}

const struct format format_fio_hist_log = {
	.name = "fio-hist-log",
	.title = "histogram logs of fio, a line a window and direction",
	.versions = "3.33, 3.41",
	.unit = "ns",
	.totals = "from buckets",
	.probe = probe_fio_hist_log,
	.streams = true,
	.read = read_fio_hist_log,
};
