/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/tui.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/out.h"
#include "base/xalloc.h"
#include "tui/ask.h"
#include "tui/commands.h"
#include "tui/menu.h"
#include "tui/screen.h"
#include "tui/studies/cause_study.h"
#include "tui/studies/value_study.h"

struct tui *tui_new(const struct browsed *s, const struct tui_host *host,
		    const struct glyphs *glyphs)
{
	struct tui *t = xcalloc(1, sizeof(*t));

	t->study = study_new(s);
	list_init(&t->list, t->study);
	keymap_init(&t->keys);
	t->host = host;
	t->glyphs = glyphs;
	t->plot = (struct plot){ .mode = PLOT_OVERLAY, .band = true };
	t->visited[0] = (struct view){ .cls = &view_ranking };
	t->n_visited = 1;
	return t;
}

void tui_free(struct tui *t)
{
	tui_forget_causes(t);
	tui_forget_functions(t);
	tui_forget_values(t);
	list_release(&t->list);
	study_free(t->study);
	keymap_release(&t->keys);
	prompt_release(&t->prompt);
	messages_release(&t->messages);
	free(t->filtered);
	free(t->searched);
	free(t->menu);
	free(t);
}

static bool menu_key(struct tui *t, keycode key)
{
	struct menu *m = t->menu;
	enum action a = keymap_find(&t->keys, "menu", key);
	size_t value;
	void (*chosen)(struct tui *, size_t) = m->chosen;

	if (viewport_act(&m->viewport, a))
		return true;
	if (a != ACT_OPEN && a != ACT_QUIT && a != ACT_CANCEL && a != ACT_BACK)
		return true;
	value = m->line[m->viewport.cursor].value;
	free(m);
	t->menu = NULL;
	if (a == ACT_OPEN)
		chosen(t, value);
	return true;
}

static void say_unbound(struct tui *t, keycode key)
{
	struct out *o = out_to_memory();

	keycode_name(o, key);
	tui_say(t, SEV_NOTE, "%.*s is bound to nothing; ? shows the keys", STR_ARG(out_memory(o)));
	out_free(o);
}

bool tui_key(struct tui *t, keycode key)
{
	enum action a;

	if (key == KEYCODE_NONE)
		return true;
	if (key == KEYCODE_GONE)
		return false;
	if (t->asked != ASK_NOTHING) {
		if (ask_key(t, key))
			command_run(t, prompt_text(&t->prompt));
		return !t->done;
	}
	if (t->menu != NULL)
		return menu_key(t, key);
	a = keymap_find(&t->keys, tui_view(t)->cls->name, key);
	if (a != ACT_NONE)
		return tui_act(t, a);
	t->messages.fresh = false;
	say_unbound(t, key);
	return true;
}

void tui_click(struct tui *t, unsigned row, unsigned col)
{
	if (t->asked == ASK_NOTHING && t->menu == NULL)
		screen_click(t, row, col);
}

void tui_set_status(struct tui *t, struct str status)
{
	(void)snprintf(t->status, sizeof(t->status), "%.*s", STR_ARG(status));
}

bool tui_prepare(struct tui *t)
{
	enum { PIECE = 500 }; /* takes about a millisecond */

	return study_measure(t->study, PIECE) ||
	       story_study_prepare(&t->study->stories, &t->study->browsed);
}

void tui_idle(struct tui *t)
{
	if (t->stale || t->host->has_changed == NULL || !t->host->has_changed(t->host->ctx))
		return;
	t->stale = true;
	tui_say(t, SEV_WARNING, "a file has changed since it was read; R reads it again");
}
