/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/prompt.h"

#include <stdlib.h>
#include <string.h>

#include "base/out.h"
#include "base/xalloc.h"

enum { MAX_BYTES = 4000 };

static void insert_text(struct prompt *p, struct str s)
{
	if (p->n + s.n > MAX_BYTES)
		return;
	p->text = xgrow(p->text, &p->cap, p->n + s.n + 1, 1);
	memmove(p->text + p->cursor + s.n, p->text + p->cursor, p->n - p->cursor);
	if (s.n > 0)
		memcpy(p->text + p->cursor, s.p, s.n);
	p->n += s.n;
	p->cursor += s.n;
	p->text[p->n] = '\0';
}

void prompt_open(struct prompt *p, const char *label, struct str text)
{
	p->label = label;
	p->n = p->cursor = 0;
	insert_text(p, text);
}

void prompt_close(struct prompt *p)
{
	p->label = NULL;
}

void prompt_release(struct prompt *p)
{
	free(p->text);
}

static size_t before_cursor(const struct prompt *p)
{
	size_t at = p->cursor;

	while (at > 0 && (p->text[--at] & 0xc0) == 0x80)
		;
	return at;
}

static size_t after_cursor(const struct prompt *p)
{
	size_t at = p->cursor;

	while (at < p->n && (p->text[++at] & 0xc0) == 0x80)
		;
	return at;
}

static void cut_text(struct prompt *p, size_t from, size_t to)
{
	memmove(p->text + from, p->text + to, p->n - to + 1);
	p->n -= to - from;
	p->cursor = from;
}

static size_t word_before(const struct prompt *p)
{
	size_t at = p->cursor;

	while (at > 0 && p->text[at - 1] == ' ')
		at--;
	while (at > 0 && p->text[at - 1] != ' ')
		at--;
	return at;
}

static enum prompt_event edit_text(struct prompt *p, keycode key)
{
	switch (key) {
	case KEYCODE_BACKSPACE:
	case 8:
		if (p->n == 0)
			return PROMPT_CANCELLED;
		cut_text(p, before_cursor(p), p->cursor);
		return PROMPT_TYPED;
	case KEYCODE_DELETE:
		cut_text(p, p->cursor, after_cursor(p));
		return PROMPT_TYPED;
	case 'u' - 'a' + 1:
		cut_text(p, 0, p->cursor);
		return PROMPT_TYPED;
	case 'w' - 'a' + 1:
		cut_text(p, word_before(p), p->cursor);
		return PROMPT_TYPED;
	case KEYCODE_LEFT:
		p->cursor = before_cursor(p);
		return PROMPT_IGNORED;
	case KEYCODE_RIGHT:
		p->cursor = after_cursor(p);
		return PROMPT_IGNORED;
	case KEYCODE_HOME:
	case 'a' - 'a' + 1:
		p->cursor = 0;
		return PROMPT_IGNORED;
	case KEYCODE_END:
	case 'e' - 'a' + 1:
		p->cursor = p->n;
		return PROMPT_IGNORED;
	default:
		return PROMPT_IGNORED;
	}
}

enum prompt_event prompt_key(struct prompt *p, keycode key)
{
	struct out *o;

	if (key == KEYCODE_ENTER)
		return PROMPT_ACCEPTED;
	if (key == KEYCODE_ESCAPE)
		return PROMPT_CANCELLED;
	if (key < ' ' || key == KEYCODE_BACKSPACE || key >= KEYCODE_UP)
		return edit_text(p, key);
	o = out_to_memory();
	out_code_point(o, key);
	insert_text(p, out_memory(o));
	out_free(o);
	return PROMPT_TYPED;
}

unsigned prompt_draw(const struct prompt *p, struct canvas *c, unsigned row)
{
	struct str left = { p->text, p->cursor };
	size_t label = strlen(p->label), room = c->cols > label + 1 ? c->cols - label - 1 : 0;
	unsigned col, cursor;

	canvas_fill(c, row, 0, c->cols, FACE_PLAIN, ' ');
	col = canvas_text(c, row, 0, FACE_KEY, str_from(p->label));
	cursor = col = canvas_text(c, row, col, FACE_PLAIN, text_end(left, room));
	canvas_text(c, row, col, FACE_PLAIN, str_skip(prompt_text(p), p->cursor));
	return cursor;
}
