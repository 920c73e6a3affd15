/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/report/report.h"

#include <string.h>

#include "base/arena.h"
#include "base/scan.h"
#include "formats/report/report_kinds.h"
#include "formats/report/report_operation.h"
#include "formats/report/report_text.h"
#include "profile/unit.h"

enum {
	MAX_LINE = REPORT_MAX_LINE,
	MAX_JOINED = 512, /* bytes; the longest line in a captured report has 472 (gfxinfo) */
	NARROWEST = 40,	  /* columns of a terminal that wraps lines */
	MAX_ROWS = 3,	  /* of a line that a mail program wrapped */
};

/* What is stated of all operations of a run whose names begin with a prefix. */
struct common {
	struct str prefix;
	struct report_operation stated;
};

struct reader {
	struct lines lines;
	const struct report_format *format;
	struct report_kinds kinds;
	struct report_operations ops;
	struct common *common;
	size_t n_common, cap_common;
	struct str layer; /* of operations whose lines name none */
	struct str group;
	size_t group_first; /* the first operation of the group */
	size_t head;	    /* 1 + the operation that it is named after; 0: none */
	size_t run;	    /* its number */
	size_t first;	    /* the first operation of the run */
	size_t current;	    /* the operation that lines are about; n: none */
	unsigned section;
	const char *unfinished;	     /* what the section lacks; NULL: nothing */
	uint64_t unit;		     /* of times without one, in ns; 0: not known */
	double clients;		     /* of the run; 1: not stated */
	char text[2 * MAX_LINE + 1]; /* the line, perhaps with the next ones */
	char best[2 * MAX_LINE + 1];
	size_t widest; /* line, in columns: a terminal that wrapped lines has so many */
};

/* --- text ------------------------------------------------------------------------------- */

/* Appends the current line, as it is shown, to the n bytes of r->text; returns all of it. */
static struct str append_line(struct reader *r, size_t n)
{
	const struct lines *l = &r->lines;
	struct str s = str_skip(l->in->bytes, l->at);

	s.n = l->rest.at - l->at;
	if (s.n <= MAX_LINE)
		n += report_shown(r->text + n, s);
	return (struct str){ r->text, n };
}

/* --- operations ---------------------------------------------------------------------------- */

/* Returns a copy of the name after its group, with single blanks. */
static struct str full_name(struct reader *r, struct str name)
{
	struct str group = r->group;
	char *copy = arena_make(r->lines.arena, char, group.n + name.n + 2);
	size_t n = group.n;

	if (group.n > 0) {
		memcpy(copy, group.p, group.n);
		copy[n++] = '/';
	}
	for (size_t i = 0; i < name.n; i++) {
		if (i == 0 || !is_gap(name.p[i]) || !is_gap(name.p[i - 1]))
			copy[n++] = is_gap(name.p[i]) ? ' ' : name.p[i];
	}
	return (struct str){ copy, n };
}

/* `name` is a full name. */
static struct report_operation *operation_begin(struct reader *r, struct str layer, struct str name)
{
	struct report_operations *ops = &r->ops;
	struct report_operation *o;

	ops->of = arena_grow(r->lines.arena, ops->of, &ops->cap, ops->n + 1, sizeof(*ops->of));
	r->current = ops->n++;
	o = &ops->of[r->current];
	*o = (struct report_operation){ .layer = arena_str(r->lines.arena, layer),
					.name = name,
					.where = r->lines.text,
					.run = r->run,
					.head = r->head };
	return o;
}

/* Returns the latest operation of this name in the current run; NULL: there is none. */
static struct report_operation *operation_find(struct reader *r, struct str layer, struct str name)
{
	for (size_t i = r->ops.n; i-- > r->first;) {
		const struct report_operation *o = &r->ops.of[i];

		if (str_eq(o->name, name) && str_eq(o->layer, layer))
			return &r->ops.of[r->current = i];
	}
	return NULL;
}

static void operation_complete(struct report_operation *o, const struct report_operation *all)
{
	if (!o->has_calls && all->has_calls) {
		o->has_calls = true;
		o->calls = all->calls;
		o->rounded = all->rounded;
	}
	o->failed = o->failed > 0 ? o->failed : all->failed;
	o->rate = o->rate > 0 ? o->rate : all->rate;
	o->seconds = o->seconds > 0 ? o->seconds : all->seconds;
	o->mean = o->mean.known ? o->mean : all->mean;
	o->elapsed = all->elapsed.known ? all->elapsed : o->elapsed;
}

/* Gives the operations of the run what is stated of several, last of what is stated of all. */
static void run_end(struct reader *r)
{
	for (size_t i = r->first; i < r->ops.n; i++) {
		for (size_t k = r->n_common; k-- > 0;) {
			if (str_has_prefix(r->ops.of[i].name, r->common[k].prefix))
				operation_complete(&r->ops.of[i], &r->common[k].stated);
		}
	}
	r->first = r->current = r->group_first = r->ops.n;
	r->run++;
	r->n_common = r->head = 0;
	r->group = STR("");
}

static struct report_operation *common_of(struct reader *r, struct str prefix)
{
	size_t i = r->n_common;

	while (i > 0 && !str_eq(r->common[i - 1].prefix, prefix))
		i--;
	if (i > 0)
		return &r->common[i - 1].stated;
	r->common = arena_grow(r->lines.arena, r->common, &r->cap_common, r->n_common + 1,
			       sizeof(*r->common));
	r->common[r->n_common] = (struct common){ .prefix = prefix };
	return &r->common[r->n_common++].stated;
}

static struct str text_of(const struct captures *c, enum field field)
{
	for (size_t i = 0; i < c->n; i++) {
		if (c->of[i].field == field)
			return c->of[i].text;
	}
	return STR("");
}

static bool captures_values(const struct captures *c)
{
	for (size_t i = 0; i < c->n; i++) {
		switch (c->of[i].field) {
		case FIELD_CALLS:
		case FIELD_FAILED:
		case FIELD_RATE:
		case FIELD_SECONDS:
		case FIELD_SHARE:
			return true;
		default:
			if (c->of[i].field >= FIELD_MEAN && c->of[i].field != FIELD_TIME)
				return true;
		}
	}
	return false;
}

/* Returns the operation that the line names; NULL: it is not known. */
static struct report_operation *subject_named(struct reader *r, const struct report_line *line,
					      const struct captures *c, struct str name)
{
	struct str layer = line->layer != NULL ? str_from(line->layer) : text_of(c, FIELD_LAYER);
	struct report_operation *o;

	layer = layer.n > 0 ? layer : r->layer;
	if (line->heads) {
		r->group = STR("");
		r->head = 0;
	}
	name = full_name(r, name);
	o = line->begins ? NULL : operation_find(r, layer, name);
	if (o == NULL && !line->known)
		o = operation_begin(r, layer, name);
	if (line->heads && o != NULL) {
		r->group = name;
		r->head = r->current + 1;
	}
	return o;
}

/* Returns the operation that the line is about; NULL: the line states nothing. */
static struct report_operation *subject_of(struct reader *r, const struct report_line *line,
					   const struct captures *c)
{
	struct str name = line->name != NULL ? str_from(line->name) : text_of(c, FIELD_NAME);
	struct str group = text_of(c, FIELD_GROUP);

	if (line->of != NULL)
		return common_of(r, str_from(line->of));
	if (line->of_group)
		return common_of(r, full_name(r, STR("")));
	if (group.n > 0) {
		r->group = arena_str(r->lines.arena, group);
		r->group_first = r->current = r->ops.n;
		r->head = 0;
	}
	if (name.n > 0)
		return subject_named(r, line, c, name);
	if (!line->begins && r->current < r->ops.n)
		return &r->ops.of[r->current];
	if (!line->begins && !captures_values(c))
		return NULL;
	name = r->format->name != NULL ? str_from(r->format->name) : STR("latency");
	return operation_begin(r, STR(""), full_name(r, name));
}

/* --- values ---------------------------------------------------------------------------- */

/* Makes calls in a unit of time the mean latency of a client's calls. */
static void invert(struct printed *v, double clients)
{
	double rate = decimal_f64(v->number), ns = clients * (double)v->ns / rate;

	v->known = v->known && rate > 0 && decimal_from_f64(ns, &v->number);
	v->step *= v->known ? ns / rate : 0;
	v->ns = 1;
}

/* Gives times without a unit one. */
static void settle_units(struct reader *r, struct captures *c)
{
	uint64_t unit;

	for (size_t i = 0; i < c->n; i++) {
		if (c->of[i].field == FIELD_UNIT)
			r->unit = c->of[i].value.ns;
	}
	unit = r->unit;
	for (size_t i = c->n; i-- > 0;) {
		struct printed *v = &c->of[i].value;

		if (c->of[i].field == FIELD_ELAPSED)
			v->ns = v->ns > 0 ? v->ns : unit_nanoseconds(UNIT_S);
		else if (c->of[i].field >= FIELD_MEAN)
			unit = v->ns = v->ns > 0 ? v->ns : unit;
		if (c->of[i].field == FIELD_THROUGHPUT)
			invert(v, r->clients);
	}
}

/* States how many clients there are, of the whole run. */
static void take_clients(struct reader *r, const struct captures *c)
{
	for (size_t i = 0; i < c->n; i++) {
		double n = c->of[i].value.known ? decimal_f64(c->of[i].value.number) : 0;

		if (c->of[i].field == FIELD_CLIENTS && n >= 1 && n < 0x1p53)
			build_concurrency(r->lines.to, (uint64_t)n);
		if (c->of[i].field == FIELD_CLIENTS && n >= 1)
			r->clients = n;
	}
}

/* Begins the operations of a layer. */
static bool take_layer(struct reader *r, const struct report_line *line, const struct captures *c)
{
	struct str layer = text_of(c, FIELD_LAYER);

	if (layer.n == 0 || line->name != NULL || text_of(c, FIELD_NAME).n > 0)
		return true;
	if (line->once && reported_again(&r->lines.reported, layer))
		return lines_fail(&r->lines, DIAG_OPERATION_TWICE, r->lines.text,
				  "another table of %.*s, which may be of the same calls",
				  STR_ARG(layer));
	r->layer = arena_str(r->lines.arena, layer);
	return true;
}

static bool report_take(struct reader *r, const struct report_line *line, struct captures *c)
{
	struct report_operation *o;

	if (line->refuse != NULL)
		return lines_fail(&r->lines,
				  line->in > 0 ? DIAG_LINE_UNEXPECTED : DIAG_COLUMN_MISSING,
				  r->lines.text, "%s", line->refuse);
	if (line->leave_out != NULL) {
		diag_part(r->lines.diag, DIAG_NOT_A_HISTOGRAM, r->lines.in, r->lines.text, "%s",
			  line->leave_out);
		return true;
	}
	if (line->run)
		run_end(r);
	if (line->fixed_duration)
		build_run_fixed_duration(r->lines.to);
	if (line->opens > 0) {
		r->section = line->opens;
		r->unfinished = line->unfinished;
	}
	if (!take_layer(r, line, c))
		return false;
	take_clients(r, c);
	settle_units(r, c);
	o = subject_of(r, line, c);
	if (o == NULL || (line->lone && r->ops.n - r->group_first != 1))
		return true;
	o->rounded |= line->rounded;
	if (line->calls > 0) {
		o->has_calls = true;
		o->calls = line->calls;
	}
	return report_take_values(o, &r->lines, c);
}

/* --- lines ------------------------------------------------------------------------------ */

/* Stores what the kinds of lines capture of the text.  False when an error was reported. */
static bool take_text(struct reader *r, struct str text)
{
	const struct report_line *line = r->format->line;
	unsigned section = r->section;
	struct captures c;

	for (bool more = true; more && line->text != NULL; line++) {
		if (!report_kind_matches(&r->kinds, (size_t)(line - r->kinds.line), section, text,
					 &c))
			continue;
		more = line->also;
		if (!report_take(r, line, &c))
			return false;
	}
	return true;
}

/* A text to match, and what lines capture of it. */
struct candidate {
	struct str text;
	struct report_match match;
	size_t end; /* of its last line */
	bool cut;   /* its last line may be cut off */
};

/* A line, and the best text that begins with it. */
struct unwrapping {
	struct candidate first; /* the line itself, in r->text */
	struct candidate best;	/* its text is in r->best */
	bool full;		/* all lines so far are as wide as a terminal */
};

/* Returns the first n bytes of r->text, up to the end of the current line. */
static struct candidate candidate_of(const struct reader *r, size_t n)
{
	struct candidate c = { { r->text, n }, .end = r->lines.rest.at, .cut = r->lines.cut };

	c.match = report_kinds_match(&r->kinds, r->section, str_trim(c.text));
	return c;
}

/* Whether nothing but the last value of a line goes on. */
static bool goes_on(const struct candidate *best, const struct candidate *c)
{
	return best->match.to_end && c->match.n == best->match.n &&
	       c->match.last == best->match.last;
}

/* Whether more is captured of the text than of the best, and than of it without the first line. */
static bool captures_more(const struct reader *r, const struct unwrapping *u,
			  const struct candidate *c)
{
	struct str rest = str_trim(str_skip(c->text, u->first.text.n));
	struct report_match m;

	if (u->best.match.line != NULL && c->match.n <= u->best.match.n)
		return false;
	m = report_kinds_match(&r->kinds, r->section, rest);
	return m.line == NULL || c->match.n > m.n;
}

/* Makes the first n bytes of r->text, up to the end of the current line, the best text if more is
 * captured of them, or more of the last value where a terminal wrapped it. */
static void consider_text(struct reader *r, struct unwrapping *u, size_t n, bool direct)
{
	struct candidate c = candidate_of(r, n);

	if (c.match.line == NULL ||
	    (!captures_more(r, u, &c) && !(u->full && direct && goes_on(&u->best, &c))))
		return;
	memcpy(r->best, r->text, n);
	c.text.p = r->best;
	u->best = c;
}

/* As consider_text(), with a blank before the current line, which begins at `from`. */
static void consider_words(struct reader *r, struct unwrapping *u, size_t from, size_t n)
{
	memmove(r->text + from + 1, r->text + from, n - from);
	r->text[from] = ' ';
	consider_text(r, u, n + 1, false);
	memmove(r->text + from, r->text + from + 1, n - from);
}

/* Whether the text only separates parts of a table. */
static bool is_rule(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (strchr("-=+| ", s.p[i]) == NULL || s.p[i] == '\0')
			return false;
	}
	return s.n > 0;
}

static struct str first_word(struct str line)
{
	struct cursor c = CURSOR_OVER(line);
	struct str word = { line.p, 0 };

	(void)!scan_word(&c, &word);
	return word;
}

/* Whether rows of a table may begin like this: text is aligned to the left, numbers to either side. */
static bool are_aligned(struct str a, struct str b)
{
	struct str in_a = first_word(a), in_b = first_word(b);
	size_t before_a = (size_t)(in_a.p - a.p), before_b = (size_t)(in_b.p - b.p);

	return before_a == before_b ||
	       (str_begins_with_digit(in_a) && str_begins_with_digit(in_b) &&
		before_a + in_a.n == before_b + in_b.n);
}

static bool begins_with_value(const struct report_line *line)
{
	return line->text[0] == '{' && line->text[1] != '{';
}

/* Whether the end of the n bytes of r->text, from `from` on, is no part of the first line.  If a
 * terminal wrapped that, any part of a row that begins with a value may look like a row. */
static bool is_own_line(const struct reader *r, const struct unwrapping *u, size_t from, size_t n)
{
	struct str line = { r->text + from, n - from };
	struct report_match m = report_kinds_match(&r->kinds, r->section, str_trim(line));
	const struct report_line *first = u->first.match.line;

	if (m.line == NULL || !u->full || !begins_with_value(m.line))
		return m.line != NULL;
	if (first != NULL)
		return !begins_with_value(first) || are_aligned(u->first.text, line);
	return candidate_of(r, n).match.n <= m.n;
}

/* Finds whether a terminal or a mail program wrapped the line.  If a terminal did, it is full, and
 * more values, or more of the last one, are captured of it and what follows than of it alone; if a
 * mail program did, none are captured of it alone.  What follows is no line of its own. */
static void unwrap_line(struct reader *r, struct unwrapping *u)
{
	size_t n = append_line(r, 0).n, from = 0;

	memcpy(r->best, r->text, n);
	u->first = u->best = candidate_of(r, n);
	u->best.text.p = r->best;
	if (is_rule(u->best.text))
		return;
	for (size_t k = 1; n >= k * NARROWEST && n <= MAX_JOINED; k++) {
		/* A terminal fills its lines, a mail program wraps at blanks. */
		u->full &= report_columns((struct str){ r->text + from, n - from }) == r->widest;
		if ((!u->full && (u->best.match.line != NULL || k >= MAX_ROWS)) ||
		    !lines_next(&r->lines))
			return;
		from = n;
		n = append_line(r, from).n;
		if (is_own_line(r, u, from, n))
			return;
		if (u->full)
			consider_text(r, u, n, true);
		consider_words(r, u, from, n);
		if (!u->full)
			consider_text(r, u, n, true);
	}
}

static bool take_line(struct reader *r)
{
	struct unwrapping u = { .full = true };
	struct lines *l = &r->lines;
	struct str first = l->text;

	unwrap_line(r, &u);
	l->text = first;
	l->rest.at = u.best.end;
	l->cut = u.best.cut;
	return take_text(r, str_trim(u.best.text));
}

static bool read_lines(struct reader *r)
{
	r->kinds = report_kinds_of(r->lines.arena, r->format);
	r->widest = report_widest(r->lines.in->bytes, MAX_LINE);
	while (lines_next(&r->lines)) {
		if (!take_line(r))
			return false;
	}
	run_end(r);
	if (r->unfinished != NULL)
		return format_fail(r->lines.in, r->lines.diag, DIAG_INPUT_TRUNCATED,
				   str_skip(r->lines.in->bytes, r->lines.in->bytes.n), "%s",
				   r->unfinished);
	return report_push(r->format, &r->lines, &r->ops);
}

bool report_read(const struct read_task *task)
{
	static const struct line_format with_arena = { .size = 0 };
	const struct report_format *f = task->spec;
	const struct read_task lines_task = { task->in,	  task->options, task->to,
					      task->diag, &with_arena,	 task->errors };
	struct reader r = {
		.format = f, .layer = STR(""), .unit = unit_nanoseconds(f->unit), .clients = 1
	};

	lines_start(&r.lines, task->in, task->diag);
	return lines_finish(&r.lines, lines_begin(&r.lines, &lines_task) && read_lines(&r));
}
