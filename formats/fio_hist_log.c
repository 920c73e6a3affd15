/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fio-hist-log: the histogram logs of fio (write_hist_log), a line for each window
 * and direction.
 *
 *	501, 1, 4096, 0, 0, 3, 17, 4, ... 0
 *
 * Milliseconds since the start, direction (0 read, 1 write, 2 trim), block size, and
 * a count for each bucket: 1856 of them, or where log_hist_coarseness is c, a 2^c-th
 * part, each of 2^c neighbours.  Counts are of the window alone.
 *
 * Seen: 3.33.
 */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "formats/fio_bins.h"
#include "formats/lines.h"
#include "formats/text.h"

enum { DIRECTIONS = 3, HEAD_FIELDS = 3 };

static const struct str directions[DIRECTIONS] = { { "read", 4 }, { "write", 5 }, { "trim", 4 } };

/* --- recognising ------------------------------------------------------------- */

/* How many numbers with commas between; 0 when there is anything else. */
static size_t count_fields(struct str s)
{
	size_t n = 0, digits = 0;

	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] >= '0' && s.p[i] <= '9') {
			n += digits++ == 0;
		} else if (s.p[i] == ',' && digits > 0) {
			digits = 0;
		} else if (s.p[i] != ' ' || (digits > 0 && i + 1 < s.n)) {
			return 0;
		}
	}
	return n;
}

/* The coarseness of a log with so many columns; -1 when there is none. */
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

/* A direction: the window at hand, not pushed yet. */
struct window {
	bool any;
	double start, end; /* ms */
	uint64_t *count;
	struct str where;
};

struct reader {
	struct lines lines;
	struct builder *to;
	int coarseness, n_bins;
	double origin; /* ms */
	uint64_t *row; /* of the line at hand */
	struct window window[DIRECTIONS];
};

/* Only what is missing at the end of the file was cut off. */
static bool fail(struct reader *r, struct str where, const char *what)
{
	return format_fail(r->lines.in, r->lines.diag,
			   r->lines.cut && where.n == 0 ? DIAG_INPUT_TRUNCATED
							: DIAG_LINE_UNEXPECTED,
			   where, "%s", what);
}

static bool push_window(struct reader *r, int direction)
{
	struct window *w = &r->window[direction];
	struct bucket_scheme s = fio_scheme(FIO_BINS, r->coarseness);
	double end = w->end > w->start ? w->end : w->start + 1; /* less than a millisecond */

	if (!w->any)
		return true;
	if (!build_operation(r->to, STR(""), directions[direction], w->where))
		return false;
	build_unit(r->to, UNIT_NS, UNIT_STATED);
	if (!build_interval(r->to, (w->start - r->origin) / 1e3, (end - r->origin) / 1e3,
			    w->where) ||
	    !build_scheme(r->to, &s, w->where))
		return false;
	for (int i = 0; i < r->n_bins; i++) {
		if (w->count[i] > 0 && !build_bucket(r->to, i, w->count[i], w->where))
			return false;
	}
	memset(w->count, 0, (size_t)r->n_bins * sizeof(*w->count));
	w->start = w->end;
	w->any = false;
	return true;
}

/* Several jobs may share a file: lines of one time are one window. */
static bool add_row(struct reader *r, uint64_t time, int direction, struct str where)
{
	struct window *w = &r->window[direction];

	if (w->count == NULL) {
		w->count = xcalloc((size_t)r->n_bins, sizeof(*w->count));
		w->start = r->origin;
	}
	if ((double)time < w->start || (w->any && (double)time < w->end))
		return format_fail(r->lines.in, r->lines.diag, DIAG_INTERVAL_BAD, where,
				   "a window that ends before the one ahead of it");
	if (w->any && w->end != (double)time && !push_window(r, direction))
		return false;
	for (int i = 0; i < r->n_bins; i++) {
		if (__builtin_add_overflow(w->count[i], r->row[i], &w->count[i]))
			return format_fail(r->lines.in, r->lines.diag, DIAG_COUNT_OVERFLOW, where,
					   "the sum of a bucket passes 2^64-1");
	}
	w->any = true;
	w->end = (double)time;
	w->where = where;
	return true;
}

static bool scan_field(struct cursor *c, bool first, uint64_t *ret)
{
	if (!first && !scan_char(c, ','))
		return false;
	scan_blanks(c);
	return scan_u64(c, ret);
}

static bool read_line(struct reader *r, struct str where)
{
	struct cursor line = cursor_at(r->lines.in, where);
	uint64_t head[HEAD_FIELDS];

	for (size_t i = 0; i < HEAD_FIELDS; i++) {
		if (!scan_field(&line, i == 0, &head[i]))
			return fail(r, cursor_rest(&line),
				    "expected time, direction, size and counts");
	}
	for (int i = 0; i < r->n_bins; i++) {
		if (!scan_field(&line, false, &r->row[i]))
			return fail(r, cursor_rest(&line),
				    "expected as many counts as in the first line");
	}
	if (scan_char(&line, ','))
		scan_blanks(&line);
	if (!cursor_done(&line))
		return fail(r, cursor_rest(&line), "more counts than in the first line");
	if (head[1] >= DIRECTIONS)
		return format_fail(r->lines.in, r->lines.diag, DIAG_LINE_UNEXPECTED, where,
				   "the direction is none of 0, 1, 2");
	return add_row(r, head[0], (int)head[1], where);
}

static bool read_lines(struct reader *r)
{
	while (lines_next(&r->lines)) {
		if (r->lines.text.n > 0 && !read_line(r, r->lines.text))
			return false;
	}
	for (int i = 0; i < DIRECTIONS; i++) {
		if (!push_window(r, i))
			return false;
	}
	return true;
}

/* The first line tells how many buckets there are. */
static bool find_width(struct reader *r)
{
	struct str rest = r->lines.in->bytes, text = STR("");

	while (text.n == 0 && text_line(&rest, &text))
		;
	if (text.n > 0 && text.p[text.n - 1] == ',')
		text.n--;
	r->coarseness = coarseness_of(count_fields(text));
	if (r->coarseness < 0)
		return format_fail(r->lines.in, r->lines.diag, DIAG_LINE_UNEXPECTED, text,
				   "expected 3 numbers and 1856 counts, or a 2nd to 64th part of "
				   "these");
	r->n_bins = FIO_BINS >> r->coarseness;
	return true;
}

/* Where the first window begins, in ms.  With log_unix_epoch times are times of day:
 * then it is taken to be as long as the second. */
static double find_origin(struct input *in)
{
	const double epoch = 1e11; /* no run lasts three years */
	struct cursor c = cursor_on(in), line;
	uint64_t time, first = 0;

	while (scan_line(&c, &line)) {
		if (!scan_u64(&line, &time))
			continue;
		if (first == 0)
			first = time;
		if ((double)first < epoch)
			return 0;
		if (time > first)
			return 2 * (double)first - (double)time;
	}
	return (double)first - 1;
}

static bool read_fio_hist_log(struct input *in, const struct read_options *options,
			      struct builder *to, struct diag *diag)
{
	struct reader r = { .to = to };
	bool fine;

	(void)options;
	lines_start(&r.lines, in, diag);
	if (!find_width(&r))
		return false;
	r.origin = find_origin(in);
	r.row = xcalloc((size_t)r.n_bins, sizeof(*r.row));
	fine = read_lines(&r);
	for (int i = 0; i < DIRECTIONS; i++)
		free(r.window[i].count);
	free(r.row);
	return fine;
}

const struct format format_fio_hist_log = {
	.name = "fio-hist-log",
	.title = "histogram logs of fio, a line a window and direction",
	.versions = "3.33",
	.unit = "ns",
	.totals = "from buckets",
	.probe = probe_fio_hist_log,
	.read = read_fio_hist_log,
};
