/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads text and tables in turn, for DTrace and SystemTap. */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/attr.h"
#include "base/scan.h"
#include "base/str.h"
#include "formats/lines.h"
#include "formats/text.h"
#include "formats/tracer_lines.h"
#include "formats/tracing/aggregation.h"
#include "profile/builder/builder.h"

/* --- the text above a table ---------------------------------------------------------- */

/* What the text above the next table states; strings are borrowed from the input. */
struct caption {
	struct str name;  /* empty when there is no text above the table */
	struct str where; /* the line with the name */
	struct str layer; /* the heading above the name; stays until the next heading */
	enum unit unit;
	enum unit layer_unit;
	bool has_stamp;
	double stamp; /* seconds of the day */
	bool has_count, has_max;
	uint64_t count; /* "count: 7615, avg: 154375 us, max: 199043 us" */
	double max;
	uint64_t lost; /* number of lost events that the lines report */
	struct str lost_slot;
};

/* --- lines that do not concern the table ---------------------------------------- */

/* A probe that fired, as dtrace prints it without -q: "  0  1234   :tick-1s". */
static bool is_firing(struct str s)
{
	struct cursor c = CURSOR_OVER(s);
	uint64_t cpu, id;
	struct str probe;

	if (!scan_u64(&c, &cpu))
		return false;
	scan_blanks(&c);
	return scan_u64(&c, &id) && scan_word(&c, &probe) && cursor_done(&c) &&
	       str_contains(probe, STR(":"));
}

static bool is_noise(struct str s)
{
	static const char *const beginnings[] = { "Tracing", "Sampling",  "dtrace: ", "# ",
						  "$ ",	     "WARNING: ", "</" };

	for (size_t i = 0; i < COUNT_OF(beginnings); i++) {
		if (str_has_prefix(s, str_from(beginnings[i])))
			return true;
	}
	return str_eq(s, STR("[...]")) || str_has_suffix(s, STR("FUNCTION:NAME")) || is_firing(s);
}

/* "dtrace: 12 drops on CPU 0", "WARNING: Number of errors: 0, skipped probes: 12". */
static bool is_loss_of(struct str s, uint64_t *ret)
{
	struct cursor c = CURSOR_OVER(s);

	if (scan_literal(&c, STR("dtrace: ")) && scan_u64(&c, ret))
		return str_contains(cursor_rest(&c), STR(" drop"));
	c.at = 0;
	return scan_past(&c, STR("skipped probes: ")) && scan_u64(&c, ret);
}

/* --- names ---------------------------------------------------------------------- */

static bool is_heading(struct str s)
{
	return s.n > 0 && memchr(":,", s.p[s.n - 1], 2) != NULL;
}

/* One frame of a stack: module`function+0x12, function+0x12/0x34, 0x7f00. */
static bool is_frame(struct str s)
{
	return str_contains(s, STR("`")) || str_contains(s, STR("+0x")) ||
	       str_has_prefix(s, STR("0x"));
}

/* Returns the unit in the last brackets of a line: "(us)", "(KB)". */
static enum unit bracketed_unit(struct str s, size_t *ret_at)
{
	size_t open = str_has_suffix(s, STR(")")) ? str_find_last(s, STR("(")) : s.n;
	struct str inner;
	enum unit unit;

	*ret_at = s.n;
	if (open == s.n)
		return UNIT_UNKNOWN;
	inner = (struct str){ s.p + open + 1, s.n - open - 2 };
	if (inner.n == 0 || str_contains(inner, STR(" ")))
		return UNIT_UNKNOWN;
	*ret_at = open;
	if (unit_parse(inner, &unit) && unit_is_time(unit))
		return unit;
	for (size_t i = 0; i < inner.n; i++) {
		if ((inner.p[i] | 0x20) < 'a' || (inner.p[i] | 0x20) > 'z')
			*ret_at = s.n; /* not a word: the brackets belong to the name */
	}
	return *ret_at < s.n ? UNIT_PLAIN : UNIT_UNKNOWN;
}

/* Removes the colon or comma that ends a heading, and its unit. */
static struct str bare_heading(struct str s, enum unit *ret_unit)
{
	size_t at;

	while (is_heading(s))
		s = str_trim((struct str){ s.p, s.n - 1 });
	*ret_unit = bracketed_unit(s, &at);
	if (at > 0)
		s.n = at;
	return str_trim(s);
}

/* Keys are printed in columns: reduces the blanks between them to one.  Old versions print the NUL
 * at the end of an argument list. */
static struct str squeezed_key(struct str s, struct arena *arena)
{
	char *to;
	size_t n = 0;

	if (str_has_suffix(s, STR("\\0")))
		s.n -= 2;
	if (!str_contains(s, STR("  ")) && !str_contains(s, STR("\t")))
		return s;
	to = arena_make(arena, char, s.n);
	for (size_t i = 0; i < s.n; i++) {
		bool blank = is_gap(s.p[i]);

		if (blank && n > 0 && to[n - 1] == ' ')
			continue;
		to[n++] = blank ? ' ' : s.p[i];
	}
	return (struct str){ to, n };
}

/* Joins the lines of a key that is a stack with commas. */
static struct str joined_stack(struct str lines, struct arena *arena)
{
	char *to = arena_make(arena, char, lines.n);
	struct str line;
	size_t n = 0;

	while (text_next(&lines, &line)) {
		line = squeezed_key(str_trim(line), arena);
		if (n > 0)
			to[n++] = ',';
		memcpy(to + n, line.p, line.n);
		n += line.n;
	}
	return (struct str){ to, n };
}

/* --- time and statistics ----------------------------------------------------------- */

/* Returns what follows the time of day at the start of a line, and the year after it. */
static struct str after_stamp(struct str s)
{
	struct str year = { s.p, 0 };

	s = str_skip(s, str_find(s, STR(":")));
	while (s.n > 0 && (is_digit(s.p[0]) || memchr(":.]", s.p[0], 3) != NULL))
		s = str_skip(s, 1);
	s = str_trim(s);
	while (year.n < s.n && is_digit(s.p[year.n]))
		year.n++;
	if (year.n == 4 && (s.n == 4 || s.p[4] == ' ' || s.p[4] == ','))
		s = str_trim(str_skip(s, 4));
	return s;
}

static void take_number(struct str s, struct str name, uint64_t *ret, bool *ret_has)
{
	struct cursor c = CURSOR_OVER(s);

	if (scan_past(&c, name))
		*ret_has = scan_u64(&c, ret);
}

/* "count: 7615, avg: 154375 us, max: 199043 us, dist (us):" */
static bool take_statistics(struct caption *c, struct str s)
{
	uint64_t max = 0;
	enum unit unit;

	if (!str_has_prefix(s, STR("count: ")) || !str_contains(s, STR(", ")))
		return false;
	take_number(s, STR("count: "), &c->count, &c->has_count);
	take_number(s, STR("max: "), &max, &c->has_max);
	c->max = (double)max;
	(void)bare_heading(s, &unit);
	if (unit != UNIT_UNKNOWN)
		c->unit = unit;
	return true;
}

/* --- all lines -------------------------------------------------------------------- */

struct near {
	struct str line;   /* the last line that may be a name */
	struct str frames; /* all lines of the stack that ends with it, if it does */
	bool adjacent;	   /* it is directly above the current line */
};

static void take_line(struct caption *c, struct near *near, struct str s)
{
	bool frame = is_frame(s);

	if (is_heading(near->line) && !frame)
		c->layer = bare_heading(near->line, &c->layer_unit);
	if (frame && near->adjacent && near->line.n > 0 && !is_heading(near->line))
		near->frames.n = (size_t)(s.p + s.n - near->frames.p);
	else
		near->frames = s;
	near->line = s;
	near->adjacent = true;
}

static void read_caption_line(struct caption *c, struct near *near, struct str s)
{
	uint64_t lost = 0;

	if (s.n == 0) {
		near->adjacent = false;
		return;
	}
	if (is_loss_of(s, &lost)) {
		c->lost = c->lost > UINT64_MAX - lost ? UINT64_MAX : c->lost + lost;
		c->lost_slot = s;
	}
	if (is_noise(s) || take_statistics(c, s)) {
		near->adjacent = false;
		return;
	}
	if (is_time_line(s, &c->stamp)) {
		c->has_stamp = true;
		s = after_stamp(s);
		/* iopending: load and disk traffic follow the time. */
		if (s.n == 0 || s.p[0] == ',')
			return;
	}
	take_line(c, near, s);
}

static void take_name(struct caption *c, const struct near *near, struct arena *arena)
{
	enum unit unit = UNIT_UNKNOWN;

	c->where = near->line;
	if (is_frame(near->line)) {
		c->name = joined_stack(near->frames, arena);
		c->where = near->frames;
	} else {
		c->name = squeezed_key(bare_heading(near->line, &unit), arena);
	}
	if (is_heading(near->line)) {
		c->layer = STR("");
		c->layer_unit = UNIT_UNKNOWN;
	}
	if (c->unit == UNIT_UNKNOWN)
		c->unit = unit != UNIT_UNKNOWN ? unit : c->layer_unit;
}

/* Reads the lines between two tables; keeps the heading from earlier ones.  Names that have to be
 * changed are allocated in the arena. */
static void caption_read(struct caption *c, struct str text, struct arena *arena)
{
	struct near near = { .line = { text.p, 0 } };
	struct str line;

	*c = (struct caption){ .layer = c->layer, .layer_unit = c->layer_unit };
	while (text_next(&text, &line))
		read_caption_line(c, &near, text_content(line));
	take_name(c, &near, arena);
}

enum probe aggregation_probe(const struct label_style *style, struct str head, struct clue *clue)
{
	struct str line, rest = head;
	bool header = false;

	while (text_line(&rest, &line)) {
		if (header && line.n == 0)
			continue;
		if (header && is_label_row(line))
			return PROBE_MAGIC;
		if (header)
			*clue = (struct clue){ (size_t)(line.p - head.p), style->no_row };
		header = style->is_header(line);
	}
	return header ? PROBE_MARKS : PROBE_NO;
}

struct reader {
	const struct label_style *style;
	struct lines lines;
	struct builder *to;
	struct arena *arena;
	struct caption caption;
	struct label_table table;
	size_t text_from; /* offset of the text before the current table */
};

/* Returns the name for a table without one. */
static struct str function_name(struct reader *r)
{
	enum labels kind = label_table_kind(&r->table);
	const char *name = r->style->name[kind];

	if (kind != LABELS_LINEAR)
		return str_from(name);
	return arena_printf(r->arena, "%s %llu", name,
			    (unsigned long long)label_table_step(&r->table));
}

static bool end_table(struct reader *r, struct str header)
{
	const struct caption *c = &r->caption;
	struct str name = c->name, where = c->name.n > 0 ? c->where : header;

	if (r->table.n == 0)
		return format_fail(r->lines.in, r->lines.diag, DIAG_INPUT_TRUNCATED, header,
				   "a table without a row");
	if (label_table_cut(&r->table, r->style->pads))
		return format_fail(r->lines.in, r->lines.diag, DIAG_INPUT_TRUNCATED,
				   r->table.row[r->table.n - 1].where,
				   "a table whose last row is not empty goes on");
	if (r->table.negative) {
		diag_part(r->lines.diag, DIAG_NOT_A_HISTOGRAM, r->lines.in, where,
			  "counts below zero");
		return true;
	}
	if (name.n == 0)
		name = function_name(r);
	if (!build_operation(r->to, c->layer, name, where))
		return false;
	build_unit(r->to, c->unit, c->unit == UNIT_UNKNOWN ? UNIT_GUESSED : UNIT_STATED);
	if (!label_table_push(&r->table, r->lines.in, header, r->to, r->lines.diag))
		return false;
	if (c->has_max)
		build_max(r->to, c->max);
	return !c->has_count || build_count(r->to, c->count, where);
}

/* Returns whether a line below a header belongs to its table. */
static bool is_of_table(struct reader *r, struct str s)
{
	if (s.n == 0) /* some tables have a blank line between header and rows */
		return r->table.n == 0;
	if (r->style->elides && str_eq(s, STR("~")))
		return r->table.gap = true;
	return is_label_row(s);
}

/* Reads a table, and puts back the line after it. */
static bool aggregation_read_read_table(struct reader *r, struct str header)
{
	r->table.n = 0;
	r->table.gap = r->table.negative = false;
	while (lines_next(&r->lines)) {
		struct str s = r->lines.text;

		if (!is_of_table(r, s)) {
			lines_again(&r->lines);
			break;
		}
		if (is_label_row(s) &&
		    !label_table_add(&r->table, r->lines.in, s, r->lines.cut, r->lines.diag))
			return false;
	}
	return end_table(r, header);
}

static bool read_caption(struct reader *r, size_t to)
{
	struct str text = { r->lines.in->bytes.p + r->text_from, to - r->text_from };

	arena_clear(r->arena);
	caption_read(&r->caption, text, r->arena);
	if (r->caption.has_stamp)
		build_next_interval(r->to, r->caption.stamp);
	return r->caption.lost == 0 || build_lost(r->to, r->caption.lost, r->caption.lost_slot);
}

static bool read_all(struct reader *r)
{
	while (lines_next(&r->lines)) {
		if (!r->style->is_header(r->lines.text))
			continue;
		if (!read_caption(r, r->lines.at) || !aggregation_read_read_table(r, r->lines.text))
			return false;
		r->text_from = r->lines.rest.at;
	}
	return read_caption(r, r->lines.in->bytes.n);
}

bool aggregation_read(const struct read_task *task)
{
	struct reader r = { .style = task->spec, .to = task->to, .arena = arena_new() };
	bool ok;

	lines_start(&r.lines, task->in, task->diag);
	ok = read_all(&r);
	build_drop_single_layer(task->to);
	label_table_release(&r.table);
	arena_free(r.arena);
	return ok;
}
