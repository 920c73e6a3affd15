/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of options: names, arguments, the commands that take them, and their effect.
 *
 * Parsing, --help, completions and the options of the manual are generated from it.  An option is
 * a line of cli/options.def; if its argument is none of the kinds below, a function of
 * cli/options_*.c parses it.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

struct diag;
struct out;
struct settings;

/* Commands of osprof, and the other programs of this project. */
enum command_id {
#define COMMAND(name, groups) COMMAND_##name,
#define PROGRAM(name, groups) COMMAND_##name,
#include "cli/commands.def"
	N_COMMANDS
};

/* How an option's argument is parsed, and the type of its member of struct settings. */
enum option_kind {
	OPTION_FLAG,	 /* bool: set to true */
	OPTION_TEXT,	 /* const char *: the argument */
	OPTION_CHOICE,	 /* int or enum: the index of one of `words` */
	OPTION_SECTIONS, /* unsigned: bits of several of `words`, separated by commas */
	OPTION_COUNT,	 /* unsigned or 64 bits: a whole number from `least` to `most` */
	OPTION_NUMBER,	 /* double: at least `least` */
	OPTION_PERCENT,	 /* double: 5 is stored as 0.05 */
	OPTION_OCTAVES,	 /* double: a log2 ratio; 5% is stored as log2(1.05) */
	OPTION_SECONDS,	 /* double: a number, or a time with its unit */
	OPTION_CHOSEN,	 /* choose() is called with the index of one of `words`; -1: no argument */
	OPTION_TAKEN,	 /* take() is called */
	OPTION_REPORTED, /* report() is called */
};

/* An option: a line of cli/options.def. A constant. */
struct option_row {
	char letter; /* 0: none */
	const char *name, *arg, *help;
	uint64_t commands; /* bits of enum command_id, and of their groups */
	enum option_kind kind;
	size_t target, size; /* offset and size of the member of struct settings */
	size_t also;	     /* offset of a second member, set to the same; 0: none */
	double least, most;
	const char *expected; /* for OPTION_COUNT: describes a valid argument */
	const char *const *words;
	void (*choose)(struct settings *s, int which);
	/* Returns NULL when the argument is valid, else a description of valid ones. */
	const char *(*take)(struct settings *s, const char *arg);
	/* Returns false when an error was reported. */
	bool (*report)(struct settings *s, const struct option_row *row, const char *arg,
		       struct diag *diag);
	/* Writes the valid words if they are not a fixed list; or NULL. */
	void (*list)(struct out *o);
	bool file; /* the argument is a file name */
};

const struct option_row *option_at(size_t i); /* NULL past the last */
bool option_is_of(const struct option_row *row, enum command_id command);
/* Returns the option of a command with this name, or NULL. */
const struct option_row *option_of(enum command_id command, const char *name);

/* Checks and stores the argument of an option; NULL for an option without one. */
MUST_CHECK bool option_take(const struct option_row *row, struct settings *s, const char *arg,
			    struct diag *diag);
/* Reports an invalid argument; always returns false. */
bool option_is_bad(const struct option_row *row, const char *arg, const char *expected,
		   struct diag *diag);

#endif
