/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/remarks.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/out.h"
#include "base/quoted.h"
#include "base/scan.h"
#include "base/xalloc.h"

struct remark_slot {
	UT_hash_handle hh;
	struct str key;
	struct remark remark;
};

static const struct str signature = STR_INIT("# osprof remarks 1");

struct remarks *remarks_new(void)
{
	struct remarks *r = xcalloc(1, sizeof(*r));

	r->arena = arena_new();
	return r;
}

void remarks_free(struct remarks *r)
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

static struct remark_slot *find(const struct remarks *r, struct str name, struct str layer)
{
	struct out *o = out_to_memory();
	struct str key = key_of(o, name, layer);
	struct remark_slot *slot;

	HASH_FIND(hh, r->slots, key.p, (unsigned)key.n, slot);
	out_free(o);
	return slot;
}

static struct remark *add(struct remarks *r, struct str name, struct str layer)
{
	struct remark_slot *slot = arena_make(r->arena, struct remark_slot, 1);
	struct out *o = out_to_memory();

	slot->key = arena_str(r->arena, key_of(o, name, layer));
	slot->remark.name = arena_str(r->arena, name);
	slot->remark.layer = arena_str(r->arena, layer);
	HASH_ADD_KEYPTR(hh, r->slots, slot->key.p, (unsigned)slot->key.n, slot);
	out_free(o);
	return &slot->remark;
}

static struct remark *find_or_add(struct remarks *r, struct str name, struct str layer)
{
	struct remark_slot *slot = find(r, name, layer);

	return slot != NULL ? &slot->remark : add(r, name, layer);
}

struct remark *remarks_find(const struct remarks *r, const struct operation *op)
{
	struct remark_slot *slot = r->slots != NULL ? find(r, op->name, op->layer) : NULL;

	return slot != NULL ? &slot->remark : NULL;
}

struct remark *remarks_on(struct remarks *r, const struct operation *op)
{
	return find_or_add(r, op->name, op->layer);
}

void remark_set_note(struct remarks *r, struct remark *on, struct str note)
{
	on->note = arena_str(r->arena, note);
	r->changed = true;
}

bool remark_expects(const struct remark *r, enum verdict v)
{
	return r != NULL && (r->expected & 1U << v) != 0;
}

/* --- the file ----------------------------------------------------------------------- */

static void write_line(struct out *o, const char *what, const struct remark *r)
{
	out_printf(o, "%s ", what);
	quoted_write_always(o, r->name);
	if (r->layer.n > 0) {
		out_text(o, " in ");
		quoted_write_always(o, r->layer);
	}
}

static void write_remark(struct out *o, const struct remark *r)
{
	if (r->marked) {
		write_line(o, "mark", r);
		out_char(o, '\n');
	}
	for (int v = 0; v <= VERDICT_GONE; v++) {
		if (!remark_expects(r, (enum verdict)v))
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

void remarks_write(const struct remarks *r, struct out *o)
{
	out_bytes(o, signature);
	out_char(o, '\n');
	for (const struct remark_slot *s = r->slots; s != NULL; s = s->hh.next)
		write_remark(o, &s->remark);
}

static bool fail(struct cursor *line, struct diag *diag, const char *what)
{
	diag_at(diag, DIAG_REMARKS_BAD, line->in, line->at, 1, "%s", what);
	return false;
}

/* "name" or "name" in "layer". */
static struct remark *scan_operation(struct remarks *r, struct cursor *line)
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

static bool read_line(struct remarks *r, struct cursor line, struct diag *diag)
{
	struct str keyword;
	struct remark *on;
	enum verdict v;

	if (!scan_word(&line, &keyword))
		return true;
	on = scan_operation(r, &line);
	if (on == NULL)
		return fail(&line, diag, "the name of an operation in double quotes belongs here");
	if (str_eq(keyword, STR("mark")))
		on->marked = true;
	else if (str_eq(keyword, STR("expect")) && scan_verdict(&line, &v))
		on->expected |= 1U << v;
	else if (str_eq(keyword, STR("expect")))
		return fail(&line, diag, "a verdict belongs here");
	else if (!str_eq(keyword, STR("note")))
		return fail(&line, diag, "a line begins with mark, expect or note");
	else if (!quoted_scan(r->arena, &line, &on->note))
		return fail(&line, diag, "the note in double quotes belongs here");
	return cursor_done(&line) || str_trim(cursor_rest(&line)).n == 0 ||
	       fail(&line, diag, "nothing belongs behind it");
}

struct remarks *remarks_read(struct input *in, struct diag *diag)
{
	struct cursor c = cursor_on(in), line;
	struct remarks *r = remarks_new();
	bool fine = scan_line(&c, &line) && str_eq(cursor_rest(&line), signature);

	if (!fine)
		diag_at(diag, DIAG_REMARKS_BAD, in, 0, 1, "\"%.*s\" belongs at the beginning",
			STR_ARG(signature));
	while (fine && scan_line(&c, &line))
		fine = read_line(r, line, diag);
	if (fine)
		return r;
	remarks_free(r);
	return NULL;
}
