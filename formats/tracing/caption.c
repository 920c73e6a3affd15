/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/tracing/caption.h"

#include <string.h>

#include "base/arena.h"
#include "base/scan.h"
#include "formats/text.h"
#include "formats/tracer_lines.h"

/* --- lines that say nothing of the table ---------------------------------------- */

/* A probe that fired, as dtrace prints it without -q: "  0  1234   :tick-1s". */
static bool is_firing(struct str s)
{
	struct input in = { .bytes = s };
	struct cursor c = cursor_on(&in);
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
	struct input in = { .bytes = s };
	struct cursor c = cursor_on(&in);

	if (scan_literal(&c, STR("dtrace: ")) && scan_u64(&c, ret))
		return str_contains(cursor_rest(&c), STR(" drop"));
	c = cursor_at(&in, str_skip(s, str_find(s, STR("skipped probes: "))));
	return scan_literal(&c, STR("skipped probes: ")) && scan_u64(&c, ret);
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

/* The unit in the last brackets of a line: "(us)", "(KB)". */
static enum unit bracketed(struct str s, size_t *ret_at)
{
	const char *open = s.n > 1 && s.p[s.n - 1] == ')' ? memrchr(s.p, '(', s.n) : NULL;
	struct str inner;
	enum unit unit;

	*ret_at = s.n;
	if (open == NULL)
		return UNIT_UNKNOWN;
	inner = (struct str){ open + 1, (size_t)(s.p + s.n - open) - 2 };
	if (inner.n == 0 || str_contains(inner, STR(" ")))
		return UNIT_UNKNOWN;
	*ret_at = (size_t)(open - s.p);
	if (unit_parse(inner, &unit) && unit_is_time(unit))
		return unit;
	for (size_t i = 0; i < inner.n; i++) {
		if ((inner.p[i] | 0x20) < 'a' || (inner.p[i] | 0x20) > 'z')
			*ret_at = s.n; /* no word at all: it belongs to the name */
	}
	return *ret_at < s.n ? UNIT_PLAIN : UNIT_UNKNOWN;
}

/* Without the colon or comma that ends a heading, and without its unit. */
static struct str bare(struct str s, enum unit *ret_unit)
{
	size_t at;

	while (is_heading(s))
		s = str_trim((struct str){ s.p, s.n - 1 });
	*ret_unit = bracketed(s, &at);
	if (at > 0)
		s.n = at;
	return str_trim(s);
}

/* Keys stand in columns: one blank between them is enough.  Old versions print the
 * NUL at the end of an argument list. */
static struct str squeezed(struct str s, struct arena *arena)
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

/* The lines of a key that holds a stack, joined by commas. */
static struct str joined(struct str lines, struct arena *arena)
{
	char *to = arena_make(arena, char, lines.n);
	struct str line;
	size_t n = 0;

	while (text_next(&lines, &line)) {
		line = squeezed(str_trim(line), arena);
		if (n > 0)
			to[n++] = ',';
		memcpy(to + n, line.p, line.n);
		n += line.n;
	}
	return (struct str){ to, n };
}

/* --- the time, what is counted ---------------------------------------------------- */

/* After the time of day that a line begins with, and the year that may follow it. */
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
	struct input in = { .bytes = str_skip(s, str_find(s, name)) };
	struct cursor c = cursor_on(&in);

	if (scan_literal(&c, name))
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
	(void)bare(s, &unit);
	if (unit != UNIT_UNKNOWN)
		c->unit = unit;
	return true;
}

/* --- all lines -------------------------------------------------------------------- */

struct near {
	struct str line;   /* the last that may be a name */
	struct str frames; /* of the lines up to it, when it ends a stack */
	bool adjacent;	   /* nothing lies between it and the current line */
};

static void take_layer(struct caption *c, struct str heading)
{
	c->layer = bare(heading, &c->layer_unit);
}

static void take_line(struct caption *c, struct near *near, struct str s)
{
	bool frame = is_frame(s);

	if (is_heading(near->line) && !frame)
		take_layer(c, near->line);
	if (frame && near->adjacent && near->line.n > 0 && !is_heading(near->line))
		near->frames.n = (size_t)(s.p + s.n - near->frames.p);
	else
		near->frames = s;
	near->line = s;
	near->adjacent = true;
}

static void read_caption_line(struct caption *c, struct near *near, struct str s)
{
	uint64_t lost;

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
		/* iopending: load and disk traffic stand after the time. */
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
		c->name = joined(near->frames, arena);
		c->where = near->frames;
	} else {
		c->name = squeezed(bare(near->line, &unit), arena);
	}
	if (is_heading(near->line)) {
		c->layer = STR("");
		c->layer_unit = UNIT_UNKNOWN;
	}
	if (c->unit == UNIT_UNKNOWN)
		c->unit = unit != UNIT_UNKNOWN ? unit : c->layer_unit;
}

void caption_read(struct caption *c, struct str text, struct arena *arena)
{
	struct near near = { .line = { text.p, 0 } };
	struct str line;

	*c = (struct caption){ .layer = c->layer, .layer_unit = c->layer_unit };
	while (text_next(&text, &line))
		read_caption_line(c, &near, text_content(line));
	take_name(c, &near, arena);
}

bool caption_push_marks(const struct caption *c, struct builder *to)
{
	if (c->has_stamp)
		build_next_interval(to, c->stamp);
	return c->lost == 0 || build_lost(to, c->lost, c->lost_slot);
}
