/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text and tables in turn: what DTrace's and SystemTap's readers have in common. */
#include "base/arena.h"
#include "formats/aggregation.h"
#include "formats/caption.h"
#include "formats/text.h"

enum probe aggregation_probe(const struct label_style *style, struct str head, struct clue *clue)
{
	struct str line, rest = head;
	bool header = false;

	while (text_next(&rest, &line)) {
		line = text_content(line);
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
	struct input *in;
	struct builder *to;
	struct diag *diag;
	struct arena *arena;
	struct caption caption;
	struct label_table table;
	size_t text_from; /* where the text before the table at hand begins */
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
	struct str name = c->name, place = c->name.n > 0 ? c->place : header;

	if (r->table.n == 0)
		return format_fail(r->in, r->diag, DIAG_INPUT_TRUNCATED, header,
				   "a table without a row");
	if (label_table_cut(&r->table, r->style->pads))
		return format_fail(r->in, r->diag, DIAG_INPUT_TRUNCATED,
				   r->table.row[r->table.n - 1].where,
				   "a table whose last row is not empty goes on");
	if (r->table.negative) {
		diag_at(r->diag, DIAG_NOT_A_HISTOGRAM, r->in, (size_t)(place.p - r->in->bytes.p),
			place.n, "counts below zero");
		return true;
	}
	if (name.n == 0)
		name = function_name(r);
	if (!build_operation(r->to, c->layer, name, place))
		return false;
	build_unit(r->to, c->unit, c->unit == UNIT_UNKNOWN ? UNIT_GUESSED : UNIT_STATED);
	return label_table_push(&r->table, r->in, header, r->to, r->diag) &&
	       push_statistics(c, r->to, place);
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

static bool read_table(struct reader *r, struct cursor *rest, struct str header)
{
	struct cursor line, next = *rest;

	r->table.n = 0;
	r->table.gap = r->table.negative = false;
	while (scan_line(&next, &line)) {
		struct str s = text_content(cursor_rest(&line));

		if (!is_of_table(r, s))
			break;
		*rest = next;
		if (is_label_row(s) &&
		    !label_table_add(&r->table, r->in, s, line.end == r->in->bytes.n, r->diag))
			return false;
	}
	return end_table(r, header);
}

static bool read_caption(struct reader *r, size_t to)
{
	struct str text = { r->in->bytes.p + r->text_from, to - r->text_from };

	caption_read(&r->caption, text, r->arena);
	return caption_push_marks(&r->caption, r->to);
}

static bool read_all(struct reader *r)
{
	struct cursor rest = cursor_on(r->in), line;

	while (scan_line(&rest, &line)) {
		struct str s = text_content(cursor_rest(&line));

		if (!r->style->is_header(s))
			continue;
		if (!read_caption(r, line.at) || !read_table(r, &rest, s))
			return false;
		r->text_from = rest.at;
	}
	return read_caption(r, r->in->bytes.n);
}

bool aggregation_read(const struct label_style *style, struct input *in, struct builder *to,
		      struct diag *diag)
{
	struct reader r = {
		.style = style, .in = in, .to = to, .diag = diag, .arena = arena_new()
	};
	bool fine = read_all(&r);

	build_drop_single_layer(to);
	label_table_release(&r.table);
	arena_free(r.arena);
	return fine;
}
