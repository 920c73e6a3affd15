/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/tui/stage.h"

#include <stdio.h>

#include "base/out.h"
#include "base/scan.h"
#include "base/utf8.h"
#include "browse/causes.h"
#include "browse/values.h"
#include "program/command.h"

static const struct command command = {
	.id = COMMAND_tui,
	.name = "stage",
	.min_operands = 1,
	.max_operands = 2,
	.sides = true,
};

static bool parse(struct stage *s, const char *run)
{
	struct diag diag = { .emit = NULL };
	int n = 1;

	(void)snprintf(s->line, sizeof(s->line), "%s", run);
	s->word[0] = s->line;
	for (char *rest = s->line, *word; (word = strsep(&rest, " ")) != NULL && n < STAGE_WORDS;)
		s->word[n++] = word;
	return settings_parse(&s->settings, &command, n, s->word, &diag);
}

static bool trees(void *ctx, const struct item *i, struct call_tree **ret,
		  struct call_tree **ret_before, struct out *why)
{
	struct diag diag = { .emit = NULL };
	struct stage *s = ctx;

	out_text(why, "there is no tree in it");
	return browse_trees(&s->settings, i, ret, ret_before, &diag);
}

static struct profile *functions(void *ctx)
{
	struct stage *s = ctx;

	return browse_functions(&s->settings);
}

static bool values(void *ctx, struct value_study **ret, struct out *why)
{
	struct diag diag = { .emit = NULL };
	struct stage *s = ctx;

	out_text(why, "nothing is recorded of its calls");
	return browse_values(&s->settings, ret, &diag);
}

static void draw(struct stage *s)
{
	tui_fit(s->tui, s->canvas.rows, s->canvas.cols);
	(void)tui_draw(s->tui, &s->canvas);
}

bool stage_open(struct stage *s, const char *run, unsigned rows, unsigned cols,
		const struct glyphs *glyphs)
{
	struct browsed browsed;

	*s = (struct stage){ .opened = NULL };
	if (!parse(s, run))
		return false;
	opening_start(&s->opening, &s->settings);
	s->opened = opening_finish(&s->opening);
	for (size_t i = 0; i < s->opening.messages.n && s->opened == NULL; i++)
		(void)printf("%s\n", s->opening.messages.v[i].text);
	if (s->opened == NULL)
		return false;
	s->host.ctx = s;
	s->host.trees = trees;
	s->host.functions = functions;
	s->host.values = values;
	browsed = opened_browsed(s->opened, &s->settings);
	s->tui = tui_new(&browsed, &s->host, glyphs);
	s->tui->messages = s->opening.messages;
	s->opening.messages = (struct messages){ 0 };
	s->tui->messages.fresh = false;
	canvas_init(&s->canvas, rows, cols, glyphs);
	draw(s);
	return true;
}

void stage_close(struct stage *s)
{
	if (s->tui != NULL) {
		tui_free(s->tui);
		canvas_release(&s->canvas);
	}
	opened_free(s->opened);
	messages_release(&s->opening.messages);
	settings_release(&s->settings);
}

void stage_resize(struct stage *s, unsigned rows, unsigned cols)
{
	const struct glyphs *glyphs = s->canvas.glyphs;

	canvas_release(&s->canvas);
	canvas_init(&s->canvas, rows, cols, glyphs);
	draw(s);
}

static void press(struct stage *s, keycode key)
{
	(void)tui_key(s->tui, key);
	draw(s);
}

static void type(struct stage *s, struct str text)
{
	uint32_t code;
	size_t n;

	for (; utf8_decode(text, &code, &n); text = str_skip(text, n))
		press(s, code);
}

/* "@2,14". */
static bool click(struct stage *s, struct str word)
{
	struct str row, col;
	uint64_t r, c;

	if (!str_has_prefix(word, STR("@")) || !str_cut(str_skip(word, 1), ',', &row, &col) ||
	    number_u64(row, &r) != NUMBER_OK || number_u64(col, &c) != NUMBER_OK || r < 1 || c < 1)
		return false;
	tui_click(s->tui, (unsigned)r - 1, (unsigned)c - 1);
	draw(s);
	return true;
}

bool stage_play(struct stage *s, const char *keys)
{
	struct str rest = str_trim(str_from(keys)), name, text;
	keycode key;

	while (rest.n > 0) {
		if (rest.n > 1 && rest.p[0] == '"' &&
		    str_cut(str_skip(rest, 1), '"', &text, &rest)) {
			type(s, text);
			rest = str_trim(rest);
			continue;
		}
		if (!str_cut(rest, ' ', &name, &rest)) {
			name = rest;
			rest.n = 0;
		}
		rest = str_trim(rest);
		if (click(s, name))
			continue;
		if (!keycode_parse(name, &key))
			return false;
		press(s, key);
	}
	return true;
}

struct str stage_screen(struct stage *s, struct out *o)
{
	out_reset(o);
	canvas_dump(&s->canvas, o);
	return out_memory(o);
}
