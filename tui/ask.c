/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/ask.h"

#include <stdlib.h>
#include <string.h>

#include "base/out.h"
#include "base/xalloc.h"
#include "tui/menu.h"

static const char not_here[] = "this cannot be done here";

static void ask_for(struct tui *t, int what, const char *label, struct str text)
{
	t->asked = what;
	t->search_from = tui_item(t);
	prompt_open(&t->prompt, label, text);
}

static void say_why(struct tui *t, const struct out *why)
{
	tui_say(t, SEV_ERROR, "%.*s", STR_ARG(out_memory(why)));
}

/* --- searching, filtering, sorting ---------------------------------------------------- */

static void search_again(struct tui *t, bool forward)
{
	if (t->searched == NULL)
		tui_say(t, SEV_NOTE, "nothing has been searched for yet; press /");
	else if (!list_search(&t->list, str_from(t->searched), forward, false))
		tui_say(t, SEV_NOTE, "no operation has %s in its name", t->searched);
}

static void remember_search(struct tui *t)
{
	free(t->searched);
	t->searched = xcalloc(t->prompt.n + 1, 1);
	memcpy(t->searched, t->prompt.text, t->prompt.n);
}

static void remember_filter(struct tui *t)
{
	struct str text = str_from(t->list.filter.text != NULL ? t->list.filter.text : "");

	free(t->filtered);
	t->filtered = xcalloc(text.n + 1, 1);
	memcpy(t->filtered, text.p, text.n);
}

bool ask_unfilter(struct tui *t)
{
	struct str wrong;

	if (t->list.filter.text == NULL && !t->list.only_reported)
		return false;
	list_show_only_reported(&t->list, false);
	(void)list_filter(&t->list, STR(""), &wrong);
	tui_say(t, SEV_NOTE, "all operations are shown again");
	return true;
}

void ask_filter(struct tui *t, struct str text)
{
	struct str wrong;

	if (!list_filter(&t->list, text, &wrong))
		tui_say(t, SEV_WARNING,
			"%.*s: not understood; as in: read !write layer:block share>1%%",
			STR_ARG(wrong));
	else if (t->list.n == 0)
		tui_say(t, SEV_NOTE, "no operation matches; Esc shows all again");
}

void ask_sort(struct tui *t, size_t column)
{
	list_sort_by(&t->list, column);
	tui_say(t, SEV_NOTE, "sorted by %s%s", column_title(t->study, column),
		t->list.inverted ? ", smallest first" : "");
}

/* Sorts by the column after the current one in the menu, or the one before. */
static void sort_step(struct tui *t, bool next)
{
	size_t column[N_COLUMNS], n = columns_by_use(t->study, column), at = 0;

	while (at + 1 < n && column[at] != t->list.sort)
		at++;
	ask_sort(t, column[(at + (next ? 1 : n - 1)) % n]);
}

static void sort_menu(struct tui *t)
{
	size_t column[N_COLUMNS], n = columns_by_use(t->study, column);
	struct menu *m = xcalloc(1, sizeof(*m));

	m->title = "sort by";
	m->chosen = ask_sort;
	for (size_t i = 0; i < n && m->n < MENU_MAX; i++) {
		if (column[i] == t->list.sort)
			m->viewport.cursor = m->n;
		m->line[m->n++] =
			(struct menu_line){ column_title(t->study, column[i]), column[i] };
	}
	t->menu = m;
}

/* --- annotations -------------------------------------------------------------------------- */

static struct annotation *annotation_here(struct tui *t)
{
	struct item *i = (struct item *)(uintptr_t)tui_item(t);

	if (i == NULL || t->study->browsed.annotations == NULL) {
		tui_say(t, SEV_NOTE, i == NULL ? "no operation is chosen" : not_here);
		return NULL;
	}
	i->annotation = annotations_on(t->study->browsed.annotations, item_operation(i));
	return i->annotation;
}

static void keep_annotations(struct tui *t)
{
	struct out *why = out_to_memory();

	t->study->browsed.annotations->changed = true;
	if (t->host->keep_annotations != NULL &&
	    !t->host->keep_annotations(t->host->ctx, t->study->browsed.annotations, why))
		say_why(t, why);
	out_free(why);
}

static void mark_operation(struct tui *t)
{
	struct annotation *on = annotation_here(t);

	if (on == NULL)
		return;
	on->marked = !on->marked;
	keep_annotations(t);
	viewport_act(&t->list.viewport, ACT_DOWN);
}

static void expect_verdict(struct tui *t)
{
	const struct item *i = tui_item(t);
	struct annotation *on;

	if (i == NULL || i->ranked == NULL) {
		tui_say(t, SEV_NOTE, "one run has no verdict that could be expected");
		return;
	}
	on = annotation_here(t);
	if (on == NULL)
		return;
	on->expected ^= 1U << i->ranked->verdict;
	tui_say(t, SEV_NOTE, "%s is %s; osprof rank --exit-code %s",
		verdict_name(i->ranked->verdict),
		annotation_expects(on, i->ranked->verdict) ? "expected" : "not expected any more",
		annotation_expects(on, i->ranked->verdict) ? "does not fail for it"
							   : "judges it again");
	keep_annotations(t);
}

static void ask_note(struct tui *t)
{
	const struct annotation *on = annotation_here(t);

	if (on != NULL)
		ask_for(t, ASK_NOTE, "note: ", on->note);
}

static void set_note(struct tui *t)
{
	struct annotation *on = annotation_here(t);

	if (on == NULL)
		return;
	annotation_set_note(t->study->browsed.annotations, on, str_trim(prompt_text(&t->prompt)));
	keep_annotations(t);
}

/* --- export --------------------------------------------------------------------------- */

static const char *const suffixes[] = { "txt", "txt", "csv", "json", "md", "html", "png" };

static void ask_path(struct tui *t, size_t what)
{
	struct out *o = out_to_memory();

	t->exported = (unsigned)what;
	out_printf(o, "osprof-%s.%s", tui_view(t)->cls->name, suffixes[what]);
	ask_for(t, ASK_PATH, "write to: ", out_memory(o));
	out_free(o);
}

static void export_menu(struct tui *t)
{
	struct menu *m = xcalloc(1, sizeof(*m));
	static const char *const text[] = {
		"this screen, as text",
		"the listed operations, as text",
		"the listed operations, as CSV",
		"the listed operations, as JSON",
		"the listed operations, as Markdown",
		"the listed operations, as HTML",
		"a figure of this operation (by suffix: png, svg, pdf)"
	};

	m->title = "write";
	m->chosen = ask_path;
	for (size_t i = 0; i < COUNT_OF(text); i++)
		m->line[m->n++] = (struct menu_line){ text[i], i };
	t->menu = m;
}

static bool write_figure(struct tui *t, const char *path, struct out *why)
{
	if (t->host->figure == NULL || tui_item(t) == NULL) {
		out_text(why, t->host->figure == NULL ? not_here : "no operation is chosen");
		return false;
	}
	return t->host->figure(t->host->ctx, tui_item(t), path, why);
}

static bool write_text(struct tui *t, const char *path, struct out *why)
{
	struct out *o = out_to_memory();
	bool ok = t->host->save != NULL;

	if (!ok)
		out_text(why, not_here);
	else if (t->exported == EXPORT_SCREEN)
		export_screen(o, t);
	else
		export_table(o, t, (enum export)t->exported);
	ok = ok && t->host->save(t->host->ctx, path, out_memory(o), why);
	out_free(o);
	return ok;
}

static void write_file(struct tui *t, enum export what, const char *path)
{
	struct out *why = out_to_memory();
	bool ok;

	t->exported = what;
	ok = what == EXPORT_FIGURE ? write_figure(t, path, why) : write_text(t, path, why);
	if (ok)
		tui_say(t, SEV_NOTE, "written: %s", path);
	else
		say_why(t, why);
	out_free(why);
}

void ask_write(struct tui *t, const char *path)
{
	const char *dot = strrchr(path, '.');
	enum export what = EXPORT_TEXT;

	while (what < EXPORT_FIGURE && (dot == NULL || strcmp(dot + 1, suffixes[what]) != 0))
		what++;
	write_file(t, what, path);
}

static void copy_text(struct tui *t, struct out *text)
{
	struct out *why = out_to_memory();

	if (t->host->copy == NULL)
		tui_say(t, SEV_NOTE, not_here);
	else if (t->host->copy(t->host->ctx, out_memory(text), why))
		tui_say(t, SEV_NOTE, "%zu bytes handed to the terminal's clipboard (OSC 52)",
			out_memory(text).n);
	else
		say_why(t, why);
	out_free(why);
	out_free(text);
}

static void copy_command(struct tui *t)
{
	struct out *o = out_to_memory();

	export_command(o, t);
	copy_text(t, o);
}

static void copy_row(struct tui *t)
{
	const struct item *i = tui_item(t);
	struct out *o = out_to_memory();

	for (size_t column = 0; i != NULL && column <= COLUMN_MEAN_AFTER; column++) {
		if (!column_applies(t->study, column))
			continue;
		column_print(o, t->study, column, i);
		out_char(o, column == COLUMN_MEAN_AFTER ? '\n' : '\t');
	}
	copy_text(t, o);
}

static void copy_view(struct tui *t)
{
	struct out *o = out_to_memory();

	export_screen(o, t);
	copy_text(t, o);
}

static void say_command(struct tui *t)
{
	struct out *o = out_to_memory();

	export_command(o, t);
	tui_say(t, SEV_NOTE, "%.*s", STR_ARG(out_memory(o)));
	out_free(o);
}

/* --- the host -------------------------------------------------------------------------- */

bool tui_reload(struct tui *t)
{
	struct browsed fresh;
	struct study *old = t->study;

	if (t->host->reload == NULL) {
		tui_say(t, SEV_NOTE, not_here);
		return false;
	}
	if (!t->host->reload(t->host->ctx, &fresh, &t->messages)) {
		tui_say(t, SEV_ERROR,
			"not read again: showing what was read before; press 9 to see why");
		return false;
	}
	tui_forget_causes(t);
	tui_forget_functions(t);
	tui_forget_values(t);
	t->study = study_new(&fresh);
	list_restudy(&t->list, t->study);
	study_free(old);
	t->host->settled(t->host->ctx);
	t->stale = false;
	tui_say(t, SEV_NOTE, "read again");
	return true;
}

static void call_host(struct tui *t, void (*what)(void *ctx))
{
	if (what != NULL)
		what(t->host->ctx);
	else
		tui_say(t, SEV_NOTE, not_here);
}

static void follow_runs(struct tui *t, enum tui_follow what)
{
	struct out *say;

	if (t->host->follow == NULL) {
		tui_say(t, SEV_NOTE, "these runs are complete: --watch follows sources");
		return;
	}
	say = out_to_memory();
	t->host->follow(t->host->ctx, what, say);
	tui_say(t, SEV_NOTE, "%.*s", STR_ARG(out_memory(say)));
	out_free(say);
}

static void switch_mouse(struct tui *t)
{
	t->mouse = !t->mouse;
	if (t->host->mouse != NULL)
		t->host->mouse(t->host->ctx, t->mouse);
	tui_say(t, SEV_NOTE, t->mouse ? "the mouse selects here" : "the mouse is the terminal's");
}

/* --- actions and keys ---------------------------------------------------------------------- */

static bool list_act(struct tui *t, enum action a)
{
	const char *filter = t->list.filter.text;

	switch (a) {
	case ACT_SEARCH:
		ask_for(t, ASK_SEARCH, "/", STR(""));
		return true;
	case ACT_SEARCH_NEXT:
	case ACT_SEARCH_PREVIOUS:
		search_again(t, a == ACT_SEARCH_NEXT);
		return true;
	case ACT_COMMAND_LINE:
		ask_for(t, ASK_COMMAND, ":", STR(""));
		return true;
	case ACT_FILTER:
		remember_filter(t);
		ask_for(t, ASK_FILTER, "filter: ", str_from(filter != NULL ? filter : ""));
		return true;
	case ACT_ONLY_REPORTED:
		list_show_only_reported(&t->list, !t->list.only_reported);
		return true;
	case ACT_SORT:
		sort_menu(t);
		return true;
	case ACT_SORT_NEXT:
	case ACT_SORT_PREVIOUS:
		sort_step(t, a == ACT_SORT_NEXT);
		return true;
	case ACT_SORT_INVERT:
		list_invert(&t->list);
		return true;
	default:
		return false;
	}
}

static bool annotation_act(struct tui *t, enum action a)
{
	switch (a) {
	case ACT_MARK:
		mark_operation(t);
		return true;
	case ACT_NOTE:
		ask_note(t);
		return true;
	case ACT_EXPECT:
		expect_verdict(t);
		return true;
	default:
		return false;
	}
}

bool ask_act(struct tui *t, enum action a)
{
	if (list_act(t, a) || annotation_act(t, a))
		return true;
	switch (a) {
	case ACT_EXPORT:
		export_menu(t);
		return true;
	case ACT_COPY_COMMAND:
		copy_command(t);
		return true;
	case ACT_COPY_ROW:
		copy_row(t);
		return true;
	case ACT_COPY_VIEW:
		copy_view(t);
		return true;
	case ACT_COMMAND:
		say_command(t);
		return true;
	case ACT_PAUSE:
	case ACT_EARLIER:
	case ACT_LATER:
	case ACT_FEWER_AFTER:
	case ACT_MORE_AFTER:
		follow_runs(t, (enum tui_follow)(a - ACT_PAUSE));
		return true;
	case ACT_RELOAD:
		(void)tui_reload(t);
		return true;
	case ACT_REDRAW:
		call_host(t, t->host->redraw);
		return true;
	case ACT_SUSPEND:
		call_host(t, t->host->suspend);
		return true;
	case ACT_MOUSE:
		switch_mouse(t);
		return true;
	default:
		return false;
	}
}

static void accept_text(struct tui *t, int asked)
{
	struct str text = prompt_text(&t->prompt);

	if (asked == ASK_SEARCH)
		remember_search(t);
	else if (asked == ASK_FILTER)
		ask_filter(t, text);
	else if (asked == ASK_NOTE)
		set_note(t);
	else if (asked == ASK_PATH && text.n > 0)
		write_file(t, (enum export)t->exported, t->prompt.text);
}

/* After every key, the search restarts at the item where it began. */
static void search_while_typing(struct tui *t)
{
	list_go_to(&t->list, t->search_from);
	if (t->prompt.n > 0 && !list_search(&t->list, prompt_text(&t->prompt), true, true))
		tui_say(t, SEV_NOTE, "no operation has that in its name");
}

/* A word that is not finished, as "share>", leaves the filter as it was. */
static void filter_while_typing(struct tui *t)
{
	struct str wrong;

	if (list_filter(&t->list, prompt_text(&t->prompt), &wrong) && t->list.n == 0)
		tui_say(t, SEV_NOTE, "no operation matches");
}

bool ask_key(struct tui *t, keycode key)
{
	int asked = t->asked;
	struct str wrong;
	bool command = false;

	switch (prompt_key(&t->prompt, key)) {
	case PROMPT_TYPED:
		if (asked == ASK_SEARCH)
			search_while_typing(t);
		if (asked == ASK_FILTER)
			filter_while_typing(t);
		return false;
	case PROMPT_IGNORED:
		return false;
	case PROMPT_CANCELLED:
		if (asked == ASK_FILTER)
			(void)list_filter(&t->list, str_from(t->filtered), &wrong);
		if (asked == ASK_SEARCH || asked == ASK_FILTER)
			list_go_to(&t->list, t->search_from);
		break;
	case PROMPT_ACCEPTED:
		accept_text(t, asked);
		command = asked == ASK_COMMAND;
		break;
	}
	t->asked = ASK_NOTHING;
	prompt_close(&t->prompt);
	return command;
}
