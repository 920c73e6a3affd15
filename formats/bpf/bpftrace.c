/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bpftrace's text output of hist(), lhist(), sum() and stats() maps, printed when a script ends or
 * calls print().
 *
 *	Attaching 2 probes...
 *	@ns[read]:
 *	[512, 1K)             12 |@@@@@@@@@@                        ... |
 *	[1K, 2K)              60 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ ... |
 *	@total[read]: 91123
 *
 * A row holds low <= value < high, K to E are powers of 1024, bars are not data.
 * Keys are printed raw and may span lines (stacks).  Only a time
 * that the script may print marks an interval.  A line of stats() has summary statistics:
 *
 *	@ns[read]: count 12, average 700, total 8400
 *	@ns[read]: { .count = 12, .average = 700, .total = 8400 }
 *
 * the second form since 0.27 at the latest, which prints "Attached 2 probes" to standard
 * error instead.  Versions seen: 0.17 and 0.27 by running them, 0.9 to 0.26 in its
 * sources.  Not supported: tseries(), maps of strings and stacks, which are left out
 * with a note.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/scan.h"
#include "formats/bpf/bpftrace_maps.h"
#include "formats/format.h"
#include "formats/text.h"
#include "formats/tracer_lines.h"

enum { KEY_LINES = 1024, BAR_WIDTH = 52 }; /* lines of a key, at most; columns of a bar */

/* --- rows -------------------------------------------------------------------- */

enum row_state { ROW_OK, ROW_BAD, ROW_OVERFLOW };

struct row_text {
	double low, high;
	uint64_t count;
	size_t bar; /* how wide */
};

/* Returns the factor of a suffix; 0 when it is not a suffix. */
static double scale_of(char suffix)
{
	switch (suffix) {
	case 'K':
		return 0x1p10;
	case 'M':
		return 0x1p20;
	case 'G':
		return 0x1p30;
	case 'T':
		return 0x1p40;
	case 'P':
		return 0x1p50;
	case 'E':
		return 0x1p60;
	default:
		return 0;
	}
}

/* "-5", "781250K". */
static bool scan_bound(struct cursor *c, double *ret)
{
	struct cursor w = *c;
	bool negative = scan_char(&w, '-');
	double scale;
	uint64_t v;

	if (!scan_u64(&w, &v))
		return false;
	*ret = negative ? -(double)v : (double)v;
	scale = cursor_done(&w) ? 0 : scale_of(w.in->bytes.p[w.at]);
	if (scale > 0) {
		*ret *= scale;
		w.at++;
	}
	*c = w;
	return true;
}

/* "(..., 0)"; before 0.9 "(...,0]", although "[0, 1]" follows it. */
static bool scan_under(struct cursor *c, double *ret_high)
{
	if (!scan_literal(c, STR("(...,")))
		return false;
	scan_blanks(c);
	if (!scan_bound(c, ret_high))
		return false;
	if (scan_char(c, ')'))
		return true;
	*ret_high += *ret_high != 0;
	return scan_char(c, ']');
}

/* "[0]", "[4, 8)", "[1M, ...)"; before 0.9 "[0, 1]". */
static bool scan_bounds(struct cursor *c, double *ret_low, double *ret_high)
{
	*ret_low = -HUGE_VAL;
	if (!scan_char(c, '['))
		return scan_under(c, ret_high);
	if (!scan_bound(c, ret_low))
		return false;
	*ret_high = *ret_low + 1;
	if (scan_char(c, ']'))
		return true;
	if (!scan_char(c, ','))
		return false;
	scan_blanks(c);
	if (scan_literal(c, STR("...)"))) {
		*ret_high = HUGE_VAL;
		return true;
	}
	if (!scan_bound(c, ret_high))
		return false;
	if (scan_char(c, ')'))
		return true;
	*ret_high += 1;
	return scan_char(c, ']');
}

/* "|@@@@   |" and nothing after it. */
static bool scan_bar(struct cursor *c, size_t *ret_width)
{
	const char *p = c->in->bytes.p;
	size_t from, at;

	if (!scan_char(c, '|'))
		return false;
	from = at = c->at;
	at += run_length('@', p + at, c->end - at);
	at += run_length(' ', p + at, c->end - at);
	*ret_width = at - from;
	c->at = at;
	return scan_char(c, '|') && cursor_done(c);
}

/* On failure the cursor is at the error. */
static enum row_state scan_row(struct cursor *c, struct row_text *ret)
{
	if (!scan_bounds(c, &ret->low, &ret->high))
		return ROW_BAD;
	scan_blanks(c); /* none, if a long label fills its column */
	if (!scan_u64(c, &ret->count))
		return str_begins_with_digit(cursor_rest(c)) ? ROW_OVERFLOW : ROW_BAD;
	scan_blanks(c);
	return scan_bar(c, &ret->bar) ? ROW_OK : ROW_BAD;
}

/* --- headers ----------------------------------------------------------------- */

struct head {
	struct str name, key;
	bool keyed;
	struct str value; /* the text after the colon */
};

enum head_state {
	HEAD_OK,
	HEAD_NONE,     /* something else that begins with '@' */
	HEAD_OPEN,     /* the key continues on the next line */
	HEAD_CUT_SHORT /* the line ends before a ':' */
};

/* Returns the position of the last "]:" before a blank or the end; s.n when there is none. */
static size_t find_closing(struct str s)
{
	for (size_t i = s.n; i-- > 1;) {
		if (s.p[i] == ':' && s.p[i - 1] == ']' && (i + 1 == s.n || s.p[i + 1] == ' '))
			return i - 1;
	}
	return s.n;
}

/* Returns whether this is a line of a script, which warnings quote: "@us[comm] = hist($us);". */
static bool is_code(struct str s)
{
	struct str key, rest;

	if (!str_cut(s, ']', &key, &rest))
		return false;
	rest = str_trim(rest);
	return rest.n > 0 && memchr("=+-);", rest.p[0], 5) != NULL;
}

static enum head_state parse_head(struct str line, struct head *ret)
{
	size_t n = 1, closing;

	while (n < line.n && (is_letter(line.p[n]) || is_digit(line.p[n]) || line.p[n] == '_'))
		n++;
	*ret = (struct head){ .name = { line.p + 1, n - 1 } };
	if (n == line.n)
		return HEAD_CUT_SHORT;
	if (line.p[n] == ':') {
		ret->value = str_skip(line, n + 1);
		return ret->value.n == 0 || ret->value.p[0] == ' ' ? HEAD_OK : HEAD_NONE;
	}
	if (line.p[n] != '[')
		return HEAD_NONE;
	ret->keyed = true;
	ret->key = str_skip(line, n + 1);
	closing = find_closing(ret->key);
	if (closing == ret->key.n)
		return is_code(ret->key) ? HEAD_NONE : HEAD_OPEN;
	ret->value = str_skip(ret->key, closing + 2);
	ret->key.n = closing;
	return HEAD_OK;
}

/* --- summary statistics ----------------------------------------------------------------- */

/* Takes "count 7200, ", or ".count = 7200, " of a record. */
static bool take_moment(struct str *s, bool record, struct str name, struct str *ret)
{
	struct str lead = record ? STR(".") : STR(""), equals = record ? STR(" = ") : STR(" ");

	if (!str_has_prefix(*s, lead) || !str_has_prefix(str_skip(*s, lead.n), name))
		return false;
	*s = str_skip(*s, lead.n + name.n);
	if (!str_has_prefix(*s, equals))
		return false;
	*s = str_skip(*s, equals.n);
	if (!str_cut(*s, ',', ret, s)) {
		*ret = *s;
		*s = STR("");
	}
	*s = str_trim(*s);
	return true;
}

static bool is_record(struct str s)
{
	return str_has_prefix(s, STR("{ ")) && str_has_suffix(s, STR(" }"));
}

/* "count 7200, average 3587, total 25828121", "{ .count = 7200, ... }" */
static bool parse_stats(struct str s, uint64_t *ret_count, struct decimal *ret_total)
{
	struct str count, average, total;
	bool record = is_record(s);

	if (record)
		s = str_trim((struct str){ s.p + 1, s.n - 2 });
	return take_moment(&s, record, STR("count"), &count) &&
	       take_moment(&s, record, STR("average"), &average) &&
	       take_moment(&s, record, STR("total"), &total) && s.n == 0 &&
	       number_u64(count, ret_count) == NUMBER_OK && decimal_parse(total, ret_total);
}

/* --- detection --------------------------------------------------------------- */

struct signs {
	bool attached, map, series, stats, row; /* row: a histogram row, the signature */
	bool in_key, after_head;
	struct clue *clue;
};

static bool is_attached(struct str line)
{
	uint64_t n;
	struct str head, tail;

	if (!str_has_prefix(line, STR("Attaching ")) && !str_has_prefix(line, STR("Attached ")))
		return false;
	return str_cut(line, ' ', &head, &tail) && str_cut(tail, ' ', &head, &tail) &&
	       number_u64(head, &n) == NUMBER_OK && str_has_prefix(tail, STR("probe"));
}

static bool is_stats_record(struct str s)
{
	struct decimal total;
	uint64_t count;

	return is_record(s) && parse_stats(s, &count, &total);
}

static void look_at_line(struct signs *s, struct input *in, struct str line)
{
	struct cursor c = cursor_at(in, line);
	struct row_text row;
	struct head head;
	enum head_state state = HEAD_NONE;

	if (s->after_head) {
		if (scan_row(&c, &row) == ROW_OK && row.bar == BAR_WIDTH)
			s->row = true;
		else if (!s->row && line.n > 0 && (line.p[0] == '[' || line.p[0] == '('))
			*s->clue = (struct clue){ c.at, "a row without a bar of 52 characters" };
	}
	s->series |= s->map && str_has_prefix(line, STR("hh:mm:ss"));
	s->attached |= is_attached(line);
	s->after_head = false;
	if (s->in_key) {
		s->after_head = str_has_suffix(line, STR("]:"));
		s->in_key = !s->after_head && line.n > 0;
	} else if (line.n > 0 && line.p[0] == '@') {
		state = parse_head(line, &head);
		s->in_key = state == HEAD_OPEN;
		s->after_head = state == HEAD_OK && str_trim(head.value).n == 0;
	}
	s->map |= state == HEAD_OK || s->after_head;
	/* cppcheck-suppress uninitvar; parse_head() sets it where it gives HEAD_OK */
	s->stats |= state == HEAD_OK && is_stats_record(str_trim(head.value));
}

static enum probe probe_bpftrace(struct str head, struct clue *clue)
{
	struct input in = { .bytes = head };
	struct signs s = { .clue = clue };
	struct str line, rest = head;
	bool more = true;

	while (more && !s.row) {
		more = str_cut(rest, '\n', &line, &rest);
		look_at_line(&s, &in, text_content(more ? line : rest));
	}
	if (s.row)
		return PROBE_MAGIC;
	if (s.map && (s.attached || s.series || s.stats))
		return PROBE_MARKS;
	if (s.map && clue->why == NULL)
		*clue = (struct clue){ 0, "maps, but no rows of a histogram" };
	return s.attached ? PROBE_SHAPE : PROBE_NO;
}

/* --- reading ----------------------------------------------------------------- */

enum state {
	OUTSIDE,
	AFTER_HEAD, /* after a header: a histogram if rows or nothing follow */
	IN_ROWS,
	IN_OTHER, /* in an entry that is not a histogram */
};

struct reader {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	struct maps *maps;
	struct cursor c; /* the lines to come */
	enum state state;
	struct map_entry head; /* AFTER_HEAD */
	bool last;	       /* the current line ends the file without a newline */
};

static bool fail_line(struct reader *r, struct str where, const char *what)
{
	return format_fail(r->in, r->diag, r->last ? DIAG_INPUT_TRUNCATED : DIAG_LINE_UNEXPECTED,
			   where, "%s", what);
}

static void close_head(struct reader *r)
{
	if (r->state == AFTER_HEAD)
		maps_histogram(r->maps, &r->head);
	r->state = OUTSIDE;
}

static void read_value(struct reader *r, const struct map_entry *e, struct str value)
{
	struct decimal number;
	uint64_t count;

	if (decimal_parse(value, &number))
		maps_scalar(r->maps, e, number);
	else if (parse_stats(value, &count, &number))
		maps_stats(r->maps, e, count, number);
	else
		maps_other(r->maps, e);
}

/* Reads a key that continues on the next lines; *line grows to include them. */
static bool join_key(struct reader *r, struct str *line, struct head *head)
{
	struct cursor next, row;
	struct row_text ignored;

	for (size_t i = 0; i < KEY_LINES && scan_line(&r->c, &next); i++) {
		struct str text = text_content(cursor_rest(&next));
		size_t closing = find_closing(text);

		row = cursor_at(r->in, text);
		if ((text.n > 0 && text.p[0] == '@') || scan_row(&row, &ignored) == ROW_OK)
			break;
		if (closing == text.n)
			continue;
		head->key.n = (size_t)(text.p + closing - head->key.p);
		head->value = str_skip(text, closing + 2);
		line->n = (size_t)(text.p + text.n - line->p);
		return true;
	}
	r->last = cursor_done(&r->c);
	return fail_line(r, *line, "the key is not closed by ]:");
}

enum outcome { DONE, FAILED, NOT_OURS };

static enum outcome read_head(struct reader *r, struct str line)
{
	struct map_entry e;
	struct head head;
	enum head_state state = parse_head(line, &head);

	if (state == HEAD_NONE || (state == HEAD_CUT_SHORT && !r->last))
		return NOT_OURS;
	if (state == HEAD_CUT_SHORT) {
		fail_line(r, line, "expected a map's name and :");
		return FAILED;
	}
	if (state == HEAD_OPEN && !join_key(r, &line, &head))
		return FAILED;
	close_head(r);
	e = (struct map_entry){ maps_find(r->maps, head.name), head.key, head.keyed, line };
	head.value = str_trim(head.value);
	if (head.value.n > 0) {
		read_value(r, &e, head.value);
		return DONE;
	}
	r->head = e;
	r->state = AFTER_HEAD;
	return DONE;
}

static enum outcome bpftrace_read_row(struct reader *r, struct str line)
{
	struct cursor c = cursor_at(r->in, line);
	struct row_text row;
	enum row_state state = scan_row(&c, &row);

	if (r->state == OUTSIDE && state == ROW_BAD)
		return NOT_OURS;
	if (state == ROW_OVERFLOW)
		format_fail(r->in, r->diag, DIAG_COUNT_OVERFLOW, cursor_rest(&c),
			    "more than 2^64-1");
	else if (state == ROW_BAD)
		fail_line(r, line, "expected [low, high) count |bar|");
	else if (r->state == OUTSIDE)
		format_fail(r->in, r->diag, DIAG_LINE_UNEXPECTED, line,
			    "a row without the head of its map before it");
	if (state != ROW_OK || r->state == OUTSIDE)
		return FAILED;
	close_head(r);
	r->state = IN_ROWS;
	maps_row(r->maps, row.low, row.high, row.count, line);
	return DONE;
}

static bool is_underline(struct str line)
{
	for (size_t i = 0; i < line.n; i++) {
		if (line.p[i] != '~' && line.p[i] != '^')
			return false;
	}
	return line.n > 0;
}

/* An error message may quote a line of the script and underline part of it. */
static void skip_quote(struct reader *r)
{
	struct cursor ahead = r->c, line;

	for (size_t i = 0; i < 2 && scan_line(&ahead, &line); i++) {
		if (is_underline(str_trim(cursor_rest(&line)))) {
			r->c = ahead;
			return;
		}
	}
}

/* Handles other output of the script, and bpftrace's messages. */
static bool read_noise(struct reader *r, struct str line)
{
	struct str text;
	uint64_t events;
	double stamp;

	if (is_collector_error(line, &text)) {
		diag_at(r->diag, DIAG_COLLECTOR_ERROR, r->in, (size_t)(line.p - r->in->bytes.p),
			line.n, "%.*s", STR_ARG(text));
		skip_quote(r);
		return true;
	}
	if (is_loss(line, &events))
		return build_lost(r->to, events, line);
	if (is_time_line(line, &stamp)) {
		close_head(r);
		maps_time(r->maps, stamp);
		return true;
	}
	if (r->state == AFTER_HEAD) {
		maps_other(r->maps, &r->head);
		r->state = IN_OTHER;
	}
	return true;
}

static bool looks_like_row(const struct reader *r, struct str line)
{
	return line.p[0] == '[' || str_has_prefix(line, STR("(...")) ||
	       (r->state != OUTSIDE && line.p[line.n - 1] == '|');
}

static bool bpftrace_read_line(struct reader *r, struct str line)
{
	enum outcome outcome = NOT_OURS;

	line = text_content(line);
	if (line.n == 0) {
		close_head(r);
		return true;
	}
	if (line.p[0] == '@')
		outcome = read_head(r, line);
	if (outcome == NOT_OURS && r->state != IN_OTHER && looks_like_row(r, line))
		outcome = bpftrace_read_row(r, line);
	if (outcome == NOT_OURS && r->state != IN_OTHER)
		return read_noise(r, line);
	return outcome != FAILED;
}

static bool read_bpftrace(const struct read_task *task)
{
	struct arena *arena = arena_new();
	struct reader r = {
		.in = task->in,
		.to = task->to,
		.diag = task->diag,
		.maps = maps_new(task->in, arena, task->diag),
		.c = cursor_on(task->in),
	};
	struct cursor line;
	bool ok = true;

	while (ok && scan_line(&r.c, &line)) {
		r.last = cursor_done(&r.c) && task->in->bytes.p[task->in->bytes.n - 1] != '\n';
		ok = bpftrace_read_line(&r, cursor_rest(&line));
	}
	close_head(&r);
	ok = ok && maps_push(r.maps, task->to);
	maps_free(r.maps);
	arena_free(arena);
	return ok;
}

const struct format format_bpftrace = {
	.name = "bpftrace",
	.title = "bpftrace's text output: hist(), lhist(), stats()",
	.versions = "0.9 to 0.27",
	.unit = "from the name of the map",
	.totals = "exact, where the script keeps a sum() or stats() beside",
	.probe = probe_bpftrace,
	.read = read_bpftrace,
};
