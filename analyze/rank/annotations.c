/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/rank/annotations.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/out.h"
#include "base/quoted.h"
#include "base/scan.h"
#include "base/tables/hash.h"
#include "base/xalloc.h"

struct annotation_slot {
	UT_hash_handle hh;
	struct str key;
	struct annotation annotation;
};

static const struct str signature = STR_INIT("# osprof annotations 1");

struct annotations *annotations_new(void)
{
	struct annotations *r = xcalloc(1, sizeof(*r));

	r->arena = arena_new();
	return r;
}

void annotations_free(struct annotations *r)
{
	if (r == NULL)
		return;
	HASH_CLEAR(hh, r->slots);
	arena_free(r->arena);
	free(r);
}

/* The length of the layer keeps "a" "bc" and "ab" "c" apart. */
static struct str key_of(struct out *o, struct str name, struct str layer)
{
	out_u64(o, layer.n);
	out_char(o, ' ');
	out_bytes(o, layer);
	out_bytes(o, name);
	return out_memory(o);
}

static struct annotation_slot *find_slot(const struct annotations *r, struct str name,
					 struct str layer)
{
	struct out *o = out_to_memory();
	struct str key = key_of(o, name, layer);
	struct annotation_slot *slot;

	HASH_FIND(hh, r->slots, key.p, (unsigned)key.n, slot);
	out_free(o);
	return slot;
}

static struct annotation *add_annotation(struct annotations *r, struct str name, struct str layer)
{
	struct annotation_slot *slot = arena_make(r->arena, struct annotation_slot, 1);
	struct out *o = out_to_memory();

	slot->key = arena_str(r->arena, key_of(o, name, layer));
	slot->annotation.name = arena_str(r->arena, name);
	slot->annotation.layer = arena_str(r->arena, layer);
	HASH_ADD_KEYPTR(hh, r->slots, slot->key.p, (unsigned)slot->key.n, slot);
	out_free(o);
	return &slot->annotation;
}

static struct annotation *find_or_add(struct annotations *r, struct str name, struct str layer)
{
	struct annotation_slot *slot = find_slot(r, name, layer);

	return slot != NULL ? &slot->annotation : add_annotation(r, name, layer);
}

struct annotation *annotations_find(const struct annotations *r, const struct operation *op)
{
	struct annotation_slot *slot = r->slots != NULL ? find_slot(r, op->name, op->layer) : NULL;

	return slot != NULL ? &slot->annotation : NULL;
}

struct annotation *annotations_on(struct annotations *r, const struct operation *op)
{
	return find_or_add(r, op->name, op->layer);
}

void annotation_set_note(struct annotations *r, struct annotation *on, struct str note)
{
	on->note = arena_str(r->arena, note);
	r->changed = true;
}

bool annotation_expects(const struct annotation *r, enum verdict v)
{
	return r != NULL && (r->expected & 1U << v) != 0;
}

/* --- the file ----------------------------------------------------------------------- */

static void write_line(struct out *o, const char *what, const struct annotation *r)
{
	out_printf(o, "%s ", what);
	quoted_write_always(o, r->name);
	if (r->layer.n > 0) {
		out_text(o, " in ");
		quoted_write_always(o, r->layer);
	}
}

static void write_annotation(struct out *o, const struct annotation *r)
{
	if (r->marked) {
		write_line(o, "mark", r);
		out_char(o, '\n');
	}
	for (int v = 0; v <= VERDICT_GONE; v++) {
		if (!annotation_expects(r, (enum verdict)v))
			continue;
		write_line(o, "expect", r);
		out_printf(o, " %s\n", verdict_name((enum verdict)v));
	}
	if (r->note.n > 0) {
		write_line(o, "note", r);
		out_char(o, ' ');
		quoted_write_always(o, r->note);
		out_char(o, '\n');
	}
}

void annotations_write(const struct annotations *r, struct out *o)
{
	out_bytes(o, signature);
	out_char(o, '\n');
	for (const struct annotation_slot *s = r->slots; s != NULL; s = s->hh.next)
		write_annotation(o, &s->annotation);
}

static bool fail_line(struct cursor *line, struct diag *diag, const char *what)
{
	diag_at(diag, DIAG_ANNOTATIONS_BAD, line->in, line->at, 1, "%s", what);
	return false;
}

/* "name" or "name" in "layer". */
static struct annotation *scan_operation(struct annotations *r, struct cursor *line)
{
	struct str name, layer = STR("");

	scan_blanks(line);
	if (!quoted_scan(r->arena, line, &name))
		return NULL;
	scan_blanks(line);
	if (scan_literal(line, STR("in "))) {
		scan_blanks(line);
		if (!quoted_scan(r->arena, line, &layer))
			return NULL;
	}
	scan_blanks(line);
	return find_or_add(r, name, layer);
}

static bool scan_verdict(struct cursor *line, enum verdict *ret)
{
	struct str word;

	if (!scan_word(line, &word))
		return false;
	for (int v = 0; v <= VERDICT_GONE; v++) {
		if (str_eq(word, str_from(verdict_name((enum verdict)v)))) {
			*ret = (enum verdict)v;
			return true;
		}
	}
	return false;
}

static bool read_line(struct annotations *r, struct cursor line, struct diag *diag)
{
	struct str keyword;
	struct annotation *on;
	enum verdict v;

	if (!scan_word(&line, &keyword))
		return true;
	on = scan_operation(r, &line);
	if (on == NULL)
		return fail_line(&line, diag,
				 "the name of an operation in double quotes belongs here");
	if (str_eq(keyword, STR("mark")))
		on->marked = true;
	else if (str_eq(keyword, STR("expect")) && scan_verdict(&line, &v))
		on->expected |= 1U << v;
	else if (str_eq(keyword, STR("expect")))
		return fail_line(&line, diag, "a verdict belongs here");
	else if (!str_eq(keyword, STR("note")))
		return fail_line(&line, diag, "a line begins with mark, expect or note");
	else if (!quoted_scan(r->arena, &line, &on->note))
		return fail_line(&line, diag, "the note in double quotes belongs here");
	return cursor_done(&line) || str_trim(cursor_rest(&line)).n == 0 ||
	       fail_line(&line, diag, "expected nothing after it");
}

struct annotations *annotations_read(struct input *in, struct diag *diag)
{
	struct cursor c = cursor_on(in), line;
	struct annotations *r = annotations_new();
	bool ok = scan_line(&c, &line) && str_eq(cursor_rest(&line), signature);

	if (!ok)
		diag_at(diag, DIAG_ANNOTATIONS_BAD, in, 0, 1, "\"%.*s\" belongs at the beginning",
			STR_ARG(signature));
	while (ok && scan_line(&c, &line))
		ok = read_line(r, line, diag);
	if (ok)
		return r;
	annotations_free(r);
	return NULL;
}
