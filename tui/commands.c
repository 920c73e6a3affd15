/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/commands.h"

#include <stdlib.h>
#include <string.h>

#include "base/scan.h"
#include "base/xalloc.h"
#include "tui/ask.h"

/* A command with an argument. */
struct command_row {
	const char *name;
	void (*run)(struct tui *t, struct str argument);
};

static void run_sort(struct tui *t, struct str name)
{
	size_t column;

	if (column_by_name(t->study, name, &column))
		ask_sort(t, column);
	else
		tui_say(t, SEV_WARNING, "no column %.*s; as in: sort mean, or S for all",
			STR_ARG(name));
}

static void run_search(struct tui *t, struct str text)
{
	free(t->searched);
	t->searched = xcalloc(text.n + 1, 1);
	memcpy(t->searched, text.p, text.n);
	(void)tui_act(t, ACT_SEARCH_NEXT);
}

static void run_write(struct tui *t, struct str path)
{
	char *name = xcalloc(path.n + 1, 1);

	memcpy(name, path.p, path.n);
	ask_write(t, name);
	free(name);
}

static const struct command_row commands[] = {
	{ "sort", run_sort },
	{ "filter", ask_filter },
	{ "search", run_search },
	{ "write", run_write },
};

/* Finds the action of this name, or the only one whose name begins with it. */
static enum action find_action(struct str name, size_t *ret_n)
{
	enum action found = ACT_NONE;

	*ret_n = 1;
	if (action_by_name(name, &found) && found != ACT_NONE)
		return found;
	*ret_n = 0;
	for (enum action a = ACT_NONE + 1; (int)a < N_ACTIONS; a++) {
		if (str_has_prefix(str_from(action_name(a)), name)) {
			found = a;
			++*ret_n;
		}
	}
	return found;
}

static void run_action(struct tui *t, struct str name)
{
	size_t n;
	enum action a = find_action(name, &n);

	if (n == 1)
		(void)tui_act(t, a);
	else
		tui_say(t, SEV_WARNING, "%.*s: %s; ? lists the actions", STR_ARG(name),
			n > 1 ? "several actions begin with that" : "no such command");
}

void command_run(struct tui *t, struct str text)
{
	struct str name, argument;
	uint64_t line;

	text = str_trim(text);
	if (!str_cut(text, ' ', &name, &argument)) {
		name = text;
		argument = STR("");
	}
	argument = str_trim(argument);
	if (name.n == 0)
		return;
	if (str_eq(name, STR("q")) || str_eq(name, STR("q!"))) {
		t->done = true;
		return;
	}
	if (number_u64(text, &line) == NUMBER_OK && line > 0) {
		viewport_go(&t->list.viewport, (size_t)line - 1);
		return;
	}
	for (size_t i = 0; i < COUNT_OF(commands); i++) {
		if (str_eq(name, str_from(commands[i].name)) &&
		    (argument.n > 0 || commands[i].run == ask_filter)) {
			commands[i].run(t, argument);
			return;
		}
	}
	run_action(t, text);
}
