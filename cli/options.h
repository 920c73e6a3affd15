/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of options: names, arguments, who takes them, and what becomes of them.
 *
 * Parsing, --help, completions and the options of the manual come from it.  An option is a line
 * of cli/options.def; where its argument is none of the kinds below, a function of
 * cli/options_*.c takes it.
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

/* Who takes an option: commands of osprof, and the other programs of this project. */
enum command_id {
#define COMMAND(name, groups) COMMAND_##name,
#define PROGRAM(name, groups) COMMAND_##name,
#include "cli/commands.def"
	N_COMMANDS
};

/* How an option's argument is read, and into which type of struct settings it goes. */
enum option_kind {
	OPTION_FLAG,	 /* bool: is set */
	OPTION_TEXT,	 /* const char *: as it is */
	OPTION_CHOICE,	 /* int or enum: the number of one of `words` */
	OPTION_SECTIONS, /* unsigned: the bits of several of `words`, with commas */
	OPTION_COUNT,	 /* unsigned or 64 bits: a whole number from `least` to `most` */
	OPTION_NUMBER,	 /* double: at least `least` */
	OPTION_PERCENT,	 /* double: 5 is 0.05 */
	OPTION_OCTAVES,	 /* double: a log2 ratio, or the percentage by which a factor is above 1 */
	OPTION_SECONDS,	 /* double: a number, or a time with its unit */
	OPTION_CHOSEN,	 /* choose() is called with the number of one of `words`, -1: no argument */
	OPTION_TAKEN,	 /* take() is called */
	OPTION_REPORTED, /* report() is called */
};

/* One option, as a line of cli/options.def gives it. A constant. */
struct option_row {
	char letter; /* 0 when there is none */
	const char *name, *arg, *help;
	uint64_t commands; /* bits of enum command_id, and of their groups */
	enum option_kind kind;
	size_t target, size; /* in struct settings, bytes */
	size_t also;	     /* a second number that is the same; 0: there is none */
	double least, most;
	const char *expected; /* of OPTION_COUNT: what the argument is */
	const char *const *words;
	void (*choose)(struct settings *s, int which);
	/* NULL when the argument was taken, else what was expected. */
	const char *(*take)(struct settings *s, const char *arg);
	/* False when an error was reported. */
	bool (*report)(struct settings *s, const struct option_row *row, const char *arg,
		       struct diag *diag);
	/* Writes the words that it may be where they are no fixed list; NULL. */
	void (*list)(struct out *o);
	bool file; /* its argument names a file, whatever else */
};

const struct option_row *option_at(size_t i); /* NULL past the last */
bool option_is_of(const struct option_row *row, enum command_id command);
/* The option of a command that has this name; NULL when it has none. */
const struct option_row *option_of(enum command_id command, const char *name);

/* One option with its argument, which is checked; NULL where it takes none. */
MUST_CHECK bool option_take(const struct option_row *row, struct settings *s, const char *arg,
			    struct diag *diag);
/* Reports it; always false. */
bool option_is_bad(const struct option_row *row, const char *arg, const char *expected,
		   struct diag *diag);

#endif
