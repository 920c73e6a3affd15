/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generates completions for shells from the tables of commands and options. */
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/out.h"
#include "cli/commands.h"
#include "program/browse_command.h"

/* Writes the words that an option accepts. */
static void list_choices(struct out *o, const struct option_row *row)
{
	for (size_t i = 0; row->words != NULL && row->words[i] != NULL; i++)
		out_printf(o, " %s", row->words[i]);
	if (row->list != NULL)
		row->list(o);
}

static bool has_choices(const struct option_row *row)
{
	return row->words != NULL || row->list != NULL;
}

static bool is_optional(const struct option_row *row)
{
	return row->arg != NULL && row->arg[0] == '[';
}

static void list_commands(struct out *o)
{
	const struct command *c;

	out_text(o, "help");
	for (size_t i = 0; (c = command_at(i)) != NULL; i++)
		out_printf(o, " %s", c->name);
}

static void bash_case(struct out *o, const char *pattern, const struct command *c)
{
	const struct option_row *row;
	const char *between = "";

	out_printf(o, "\t%s) words=\"", pattern);
	for (size_t i = 0; (row = option_at(i)) != NULL; i++) {
		if (!option_is_of(row, c->id))
			continue;
		out_printf(o, "%s--%s", between, row->name);
		between = " ";
	}
	out_text(o, "\" ;;\n");
}

/* For osprof-tui there is no command: options come first. */
static void print_bash(struct out *o)
{
	const struct option_row *row;
	const struct command *c;

	out_text(o,
		 "# bash completion for osprof and osprof-tui\n_osprof()\n{\n"
		 "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words=\n"
		 "\tlocal command=${COMP_WORDS[1]}\n\tCOMPREPLY=()\n"
		 "\t[[ $1 != *osprof-tui ]] || command=osprof-tui\n"
		 "\tif [ \"$COMP_CWORD\" -eq 1 ] && [ \"$command\" != osprof-tui ]; then\n"
		 "\t\tmapfile -t COMPREPLY < <(compgen -W \"");
	list_commands(o);
	out_text(o, "\" -- \"$cur\")\n\t\treturn\n\tfi\n\tcase $prev in\n");
	for (size_t i = 0; (row = option_at(i)) != NULL; i++) {
		if (!has_choices(row) || is_optional(row))
			continue;
		out_printf(o, "\t--%s) words=\"", row->name);
		list_choices(o, row);
		out_text(o, "\" ;;\n");
	}
	out_text(o, "\tesac\n\tif [ -n \"$words\" ]; then\n"
		    "\t\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- "
		    "\"$cur\")\n\t\treturn\n\tfi\n"
		    "\t[[ $cur == -* ]] || return\n\tcase $command in\n");
	for (size_t i = 0; (c = command_at(i)) != NULL; i++)
		bash_case(o, c->name, c);
	bash_case(o, command_browse.name, &command_browse);
	out_text(o, "\tesac\n\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n}\n"
		    "complete -o default -F _osprof osprof osprof-tui\n");
}

/* Escapes text within single quotes of zsh and fish. */
static void quote_text(struct out *o, const char *z)
{
	for (; *z != '\0'; z++) {
		if (*z == '\'')
			out_text(o, "'\\''");
		else if (*z == '[' || *z == ']' || *z == ':')
			out_printf(o, "\\%c", *z);
		else
			out_char(o, *z);
	}
}

static void zsh_option(struct out *o, const struct option_row *row)
{
	bool optional = is_optional(row);

	out_printf(o, "\t\t'--%s%s[", row->name, optional ? "=" : "");
	quote_text(o, row->help);
	out_char(o, ']');
	if (row->arg != NULL) {
		out_text(o, optional ? "::" : ":");
		quote_text(o, optional ? "which" : row->arg);
		out_char(o, ':');
		if (row->file && has_choices(row)) {
			out_text(o, "{_files; compadd ");
			list_choices(o, row);
			out_char(o, '}');
		} else if (has_choices(row)) {
			out_char(o, '(');
			list_choices(o, row);
			out_char(o, ')');
		} else if (row->file) {
			out_text(o, "_files");
		}
	}
	out_text(o, "' \\\n");
}

static void zsh_case(struct out *o, const struct command *c)
{
	out_printf(o, "\t%s) _arguments \\\n", c->name);
	for (size_t i = 0; option_at(i) != NULL; i++) {
		if (option_is_of(option_at(i), c->id))
			zsh_option(o, option_at(i));
	}
	out_text(o, "\t\t'*:file:_files' ;;\n");
}

static void print_zsh(struct out *o)
{
	const struct command *c;

	out_text(o, "#compdef osprof osprof-tui\n_osprof()\n{\n\tlocal command=$words[2]\n"
		    "\tif [[ $service == osprof-tui ]]; then\n\t\tcommand=osprof-tui\n"
		    "\telif (( CURRENT == 2 )); then\n\t\t_values command");
	for (size_t i = 0; (c = command_at(i)) != NULL; i++) {
		out_printf(o, " \\\n\t\t\t'%s[", c->name);
		quote_text(o, c->summary);
		out_text(o, "]'");
	}
	out_text(o, " \\\n\t\t\t'help[Options of a command]'\n\t\treturn\n\tfi\n"
		    "\tcase $command in\n");
	for (size_t i = 0; (c = command_at(i)) != NULL; i++)
		zsh_case(o, c);
	zsh_case(o, &command_browse);
	out_text(o, "\tesac\n}\n_osprof \"$@\"\n");
}

/* Writes the options of a command; `program`: "osprof -n '...'", with the condition for them. */
static void fish_options(struct out *o, const char *program, const struct command *c)
{
	const struct option_row *row;

	for (size_t i = 0; (row = option_at(i)) != NULL; i++) {
		bool takes = row->arg != NULL && !is_optional(row);

		if (!option_is_of(row, c->id))
			continue;
		out_printf(o, "complete -c %s -l %s", program, row->name);
		if (takes)
			out_text(o, !has_choices(row) ? " -r"
				    : row->file	      ? " -r -a '"
						      : " -x -a '");
		if (takes && has_choices(row)) {
			list_choices(o, row);
			out_char(o, '\'');
		}
		out_text(o, " -d '");
		quote_text(o, row->help);
		out_text(o, "'\n");
	}
}

static void print_fish(struct out *o)
{
	const struct command *c;

	out_text(o, "# fish completion for osprof and osprof-tui\n");
	for (size_t i = 0; (c = command_at(i)) != NULL; i++) {
		char program[96];

		out_printf(o, "complete -c osprof -n __fish_use_subcommand -f -a %s -d '", c->name);
		quote_text(o, c->summary);
		out_text(o, "'\n");
		(void)snprintf(program, sizeof(program),
			       "osprof -n '__fish_seen_subcommand_from %s'", c->name);
		fish_options(o, program, c);
	}
	fish_options(o, command_browse.name, &command_browse);
}

static enum exit_status run_completion(struct context *cx, const struct settings *s)
{
	const char *shell = s->options.load.operand[0];

	if (strcmp(shell, "bash") == 0) {
		print_bash(cx->out);
	} else if (strcmp(shell, "zsh") == 0) {
		print_zsh(cx->out);
	} else if (strcmp(shell, "fish") == 0) {
		print_fish(cx->out);
	} else {
		diag_plain(cx->diag, DIAG_USAGE, "%s: expected bash, zsh or fish", shell);
		return EXIT_ERROR;
	}
	return EXIT_OK;
}

const struct command command_completion = {
	.id = COMMAND_completion,
	.name = "completion",
	.operands = "SHELL",
	.summary = "Print completions for a shell",
	.min_operands = 1,
	.max_operands = 1,
	.run = run_completion,
};
