/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/config.h"

#include <stdlib.h>

#include "base/diag.h"
#include "base/scan.h"
#include "base/xalloc.h"
#include "tui/views/view.h"

void config_init(struct config *c)
{
	*c = (struct config){ 0 };
	for (int face = 0; face < N_FACES; face++)
		c->face[face].color = COLOR_UNSET;
}

void config_release(struct config *c)
{
	free(c->binding);
}

void config_bind(const struct config *c, struct keymap *m)
{
	for (size_t i = 0; i < c->n_bindings; i++)
		keymap_bind(m, c->binding[i].where, c->binding[i].key, c->binding[i].action);
}

/* Returns the static string that equals the name of a view, "all" or "menu"; NULL for others. */
static const char *where_named(struct str name)
{
	static const char *const others[] = { "all", "menu" };

	for (size_t i = 0; i < COUNT_OF(others); i++) {
		if (str_eq(name, str_from(others[i])))
			return others[i];
	}
	for (size_t i = 0; view_class_at(i) != NULL; i++) {
		if (str_eq(name, str_from(view_class_at(i)->name)))
			return view_class_at(i)->name;
	}
	return NULL;
}

static bool face_named(struct str name, int *ret)
{
	static const char *const names[] = {
		[FACE_PLAIN] = "plain",	    [FACE_TITLE] = "title",   [FACE_HEADER] = "header",
		[FACE_STRONG] = "strong",   [FACE_DIM] = "dim",	      [FACE_KEY] = "key",
		[FACE_BEFORE] = "before",   [FACE_AFTER] = "after",   [FACE_BOTH] = "both",
		[FACE_WORSE] = "worse",	    [FACE_BETTER] = "better", [FACE_NOTICE] = "notice",
		[FACE_WARNING] = "warning", [FACE_ERROR] = "error",
	};

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		if (names[i] != NULL && str_eq(name, str_from(names[i]))) {
			*ret = (int)i;
			return true;
		}
	}
	return false;
}

static bool color_named(struct str name, short *ret)
{
	static const char *const names[] = { "black", "red",	 "green", "yellow",
					     "blue",  "magenta", "cyan",  "white" };
	uint64_t number;

	if (number_u64(name, &number) == NUMBER_OK && number < 256) {
		*ret = (short)number;
		return true;
	}
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		if (str_eq(name, str_from(names[i]))) {
			*ret = (short)i;
			return true;
		}
	}
	*ret = COLOR_OWN;
	return str_eq(name, STR("default"));
}

/* --- lines -------------------------------------------------------------------------------- */

static bool fail_line(const struct cursor *line, struct diag *diag, struct str at, const char *what)
{
	size_t at_byte = at.n > 0 ? (size_t)(at.p - line->in->bytes.p) : line->end;

	diag_at(diag, DIAG_CONFIG_BAD, line->in, at_byte, at.n > 0 ? at.n : 1, "%s", what);
	return false;
}

static bool read_bind(struct config *c, struct cursor *line, struct diag *diag)
{
	struct str where = STR(""), key = STR(""), action = STR("");
	struct binding b;

	if (!scan_word(line, &where) || (b.where = where_named(where)) == NULL)
		return fail_line(line, diag, where, "a view, or all, belongs here");
	if (!scan_word(line, &key) || !keycode_parse(key, &b.key))
		return fail_line(line, diag, key, "a key belongs here: j, Ctrl-n, PageUp, Space");
	if (!scan_word(line, &action) || !action_by_name(action, &b.action))
		return fail_line(line, diag, action, "an action belongs here; help lists them");
	c->binding = xgrow(c->binding, &c->cap_bindings, c->n_bindings + 1, sizeof(b));
	c->binding[c->n_bindings++] = b;
	return true;
}

static bool read_color(struct config *c, struct cursor *line, struct diag *diag)
{
	struct str face = STR(""), color = STR(""), attribute;
	struct face_choice *choice;
	int which;

	if (!scan_word(line, &face) || !face_named(face, &which))
		return fail_line(line, diag, face, "before, after, both, worse, better and so on");
	choice = &c->face[which];
	*choice = (struct face_choice){ .color = COLOR_UNSET };
	if (!scan_word(line, &color) || !color_named(color, &choice->color))
		return fail_line(line, diag, color,
				 "a colour belongs here: 0 to 255, blue, default");
	while (scan_word(line, &attribute)) {
		if (str_eq(attribute, STR("bold")))
			choice->bold = true;
		else if (str_eq(attribute, STR("underline")))
			choice->underline = true;
		else if (str_eq(attribute, STR("reverse")))
			choice->reverse = true;
		else
			return fail_line(line, diag, attribute,
					 "bold, underline or reverse belongs here");
	}
	return true;
}

static bool read_set(struct config *c, struct cursor *line, struct diag *diag)
{
	struct str name = STR(""), value = STR("");
	bool on;

	if (!scan_word(line, &name) || !scan_word(line, &value))
		return fail_line(line, diag, value, "set NAME on, or off");
	on = str_eq(value, STR("on"));
	if (!on && !str_eq(value, STR("off")))
		return fail_line(line, diag, value, "on or off belongs here");
	if (str_eq(name, STR("mouse")))
		c->mouse = on;
	else if (str_eq(name, STR("ascii")))
		c->ascii = on;
	else if (str_eq(name, STR("band")))
		c->no_band = !on;
	else if (str_eq(name, STR("linear")))
		c->linear = on;
	else
		return fail_line(line, diag, name, "mouse, ascii, band or linear belongs here");
	return true;
}

static bool read_line(struct config *c, struct cursor line, struct diag *diag)
{
	struct str keyword, rest;
	bool ok;

	if (!scan_word(&line, &keyword) || keyword.p[0] == '#')
		return true;
	if (str_eq(keyword, STR("bind")))
		ok = read_bind(c, &line, diag);
	else if (str_eq(keyword, STR("color")))
		ok = read_color(c, &line, diag);
	else if (str_eq(keyword, STR("set")))
		ok = read_set(c, &line, diag);
	else
		ok = fail_line(&line, diag, keyword, "a line begins with bind, color or set");
	return ok && (!scan_word(&line, &rest) ||
		      fail_line(&line, diag, rest, "expected nothing after it"));
}

bool config_read(struct config *c, struct input *in, struct diag *diag)
{
	struct cursor at = cursor_on(in), line;

	while (scan_line(&at, &line)) {
		if (!read_line(c, line, diag))
			return false;
	}
	return true;
}
