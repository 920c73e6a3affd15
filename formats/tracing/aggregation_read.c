/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text and tables in turn: what DTrace's and SystemTap's readers have in common. */
#include "base/arena.h"
#include "formats/lines.h"
#include "formats/text.h"
#include "formats/tracing/aggregation.h"
#include "formats/tracing/caption.h"

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
	size_t text_from; /* where the text before the current table begins */
};

/* Of a table that nothing names. */
static struct str function_name(struct reader *r)
{
	enum labels kind = label_table_kind(&r->table);
	const char *name = r->style->name[kind];

	if (kind != LABELS_LINEAR)
		return str_from(name);
	return arena_printf(r->arena, "%s %llu", name,
			    (unsigned long long)label_table_step(&r->table));
}

static bool push_statistics(const struct caption *c, struct builder *to, struct str where)
{
	if (c->has_max)
		build_max(to, c->max);
	return !c->has_count || build_count(to, c->count, where);
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
	return label_table_push(&r->table, r->lines.in, header, r->to, r->lines.diag) &&
	       push_statistics(c, r->to, where);
}

/* Whether a line under a head belongs to its table. */
static bool is_of_table(struct reader *r, struct str s)
{
	if (s.n == 0) /* some have a blank line between the head and its rows */
		return r->table.n == 0;
	if (r->style->elides && str_eq(s, STR("~")))
		return r->table.gap = true;
	return is_label_row(s);
}

/* The line after the table comes again. */
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
	return caption_push_marks(&r->caption, r->to);
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

bool aggregation_read(const struct label_style *style, struct input *in, struct builder *to,
		      struct diag *diag)
{
	struct reader r = { .style = style, .to = to, .arena = arena_new() };
	bool ok;

	lines_start(&r.lines, in, diag);
	ok = read_all(&r);
	build_drop_single_layer(to);
	label_table_release(&r.table);
	arena_free(r.arena);
	return ok;
}
