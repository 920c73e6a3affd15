/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a command of osprof is, or a program without commands, and what it gets.
 */
#ifndef PROGRAM_COMMAND_H
#define PROGRAM_COMMAND_H

#include <limits.h>
#include <stddef.h>

#include "base/str.h"
#include "program/option_list.h"
#include "program/settings.h"

struct diag;
struct out;

/* The exit status of a command; osprof(1), EXIT STATUS, documents them. */
enum exit_status { EXIT_OK = 0, EXIT_DIFFERS = 1, EXIT_ERROR = 2, EXIT_INCONCLUSIVE = 3 };

/* Where a report is printed, and how. */
struct output {
	struct out *out;
	struct style style;
};

/* What every command gets. */
struct context {
	struct out *out; /* standard output */
	struct diag *diag;
	struct style style;
	const struct output *output; /* of commands that print reports: all that were requested */
	size_t n_outputs;
};

enum { MANY_OPERANDS = INT_MAX };

/* Bits for struct command's output_formats: those of a table. */
enum {
	OUTPUT_FORMATS_TABLE =
		1U << OUTPUT_FORMAT_JSON | 1U << OUTPUT_FORMAT_CSV | 1U << OUTPUT_FORMAT_MARKDOWN
};

/* A command, or one of the programs. A constant. */
struct command {
	enum command_id
		id; /* as in options/options.def, which says which commands take an option */
	const char *name;
	const char *operands;		   /* "BEFORE AFTER" */
	const char *summary;		   /* one line, for `osprof help` */
	size_t min_operands, max_operands; /* without "--" */
	bool sides;			   /* also takes A... -- B... */
	bool alone;			   /* a program, not a command of osprof */
	bool takes_command;		   /* operands from the first on are a command line */
	unsigned output_formats;	   /* bits 1U << OUTPUT_FORMAT_X; 0: text only */
	enum exit_status (*run)(struct context *cx, const struct settings *s);
	void (*more_help)(struct out *o); /* writes more help; or NULL */
};

/* Whether a command prints a format; pages of HTML are made of Markdown. */
bool command_prints(const struct command *c, enum output_format format);
/* Returns what is typed before the command's name: "osprof ", or "" for programs. */
const char *command_prefix(const struct command *c);
void command_help(struct out *o, const struct command *c);

#endif
