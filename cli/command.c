/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/out.h"
#include "base/xalloc.h"

#define COMMAND(name) extern const struct command command_##name;
#include "cli/commands.def"
#undef COMMAND

static const struct command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "cli/commands.def"
#undef COMMAND
};

const struct command *command_at(size_t i)
{
	return i < COUNT_OF(commands) ? commands[i] : NULL;
}

const struct command *command_by_name(struct str name)
{
	for (size_t i = 0; i < COUNT_OF(commands); i++) {
		if (str_eq(str_from(commands[i]->name), name))
			return commands[i];
	}
	return NULL;
}

enum { LONGEST_NAME = 40 };

static size_t smallest(size_t a, size_t b, size_t c)
{
	size_t least = a < b ? a : b;

	return least < c ? least : c;
}

/* How many letters have to be put in, left out or changed (Levenshtein). */
static size_t edits_between(const char *a, const char *b)
{
	size_t row[LONGEST_NAME + 1], na = strlen(a), nb = strlen(b);

	if (na > LONGEST_NAME || nb > LONGEST_NAME)
		return LONGEST_NAME;
	for (size_t k = 0; k <= nb; k++)
		row[k] = k;
	for (size_t i = 1; i <= na; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t k = 1; k <= nb; k++) {
			size_t above = row[k];

			row[k] = smallest(above + 1, row[k - 1] + 1,
					  diagonal + (a[i - 1] != b[k - 1]));
			diagonal = above;
		}
	}
	return row[nb];
}

const char *nearest_name(const char *typed, const char *const *names, size_t n)
{
	const char *best = NULL;
	size_t least = strlen(typed) / 3 + 1;

	for (size_t i = 0; i < n; i++) {
		size_t edits = edits_between(typed, names[i]);

		if (edits <= least && (best == NULL || edits < least)) {
			best = names[i];
			least = edits;
		}
	}
	return best;
}

const char *nearest_format(const char *typed)
{
	const char **names, *near;
	const struct format *f;
	size_t n = 0;

	while (format_at(n) != NULL)
		n++;
	names = xcalloc(n, sizeof(*names));
	for (size_t i = 0; (f = format_at(i)) != NULL; i++)
		names[i] = f->name;
	near = nearest_name(typed, names, n);
	free(names);
	return near;
}

const char *command_prefix(const struct command *c)
{
	return c->alone ? "" : "osprof ";
}

void command_help(struct out *o, const struct command *c)
{
	out_printf(o, "usage: %s%s [options] %s\n%s.\n", command_prefix(c), c->name, c->operands,
		   c->summary);
	if (c->sides)
		out_text(o, "Repeated runs: a folder, or A... -- B...\n");
	if (c->more_help != NULL)
		c->more_help(o);
	out_char(o, '\n');
	for (size_t i = 0; i < c->n_options; i++) {
		const struct option_row *row = option_row(c->options[i]);
		bool optional = row->arg != NULL && row->arg[0] == '[';
		char left[64];

		(void)snprintf(left, sizeof(left), "--%s%s%s", row->name,
			       row->arg != NULL && !optional ? " " : "",
			       row->arg != NULL ? row->arg : "");
		if (row->letter != 0)
			out_printf(o, "  -%c, %-26s %s\n", row->letter, left, row->help);
		else
			out_printf(o, "      %-26s %s\n", left, row->help);
	}
}

void command_list(struct out *o)
{
	out_text(o, "usage: osprof COMMAND [options] ...\n\n");
	for (size_t i = 0; i < COUNT_OF(commands); i++)
		out_printf(o, "  %-11s %-22s %s\n", commands[i]->name, commands[i]->operands,
			   commands[i]->summary);
	out_text(o, "\n"
		    "A RUN is a file, - for standard input, or a folder of repeated runs.\n"
		    "`osprof help COMMAND` tells the options of a command; osprof(1) all of it.\n");
}
