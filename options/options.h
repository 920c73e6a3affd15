/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options by their names: what they set, the commands that take them, and how their arguments are
 * parsed.  Nothing here knows of a command line: a program that has names and values can use it.
 *
 * An option is a line of options/options.def, from which parsing, --help, completions and the
 * options of the manual are generated; if its argument is none of the kinds below, a function of
 * options/options_*.c parses it.
 */
#ifndef OPTIONS_OPTIONS_H
#define OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "compare/compare_options.h"
#include "load/causes_options.h"
#include "load/load_options.h"
#include "report/show_options.h"

struct diag;
struct out;

/* What the options of runs set; options_release() frees what it owns. */
struct options {
	struct load_options load;
	struct compare_options compare;
	struct causes_options causes;
	struct show_options show;

	/* Private. */
	struct rename_rule *rename; /* on the heap; the rules borrow it */
	size_t renames_cap;
	bool sort_given; /* --sort was given: --metric does not change the order */
};

/* Returns the defaults. */
struct options options_default(void);
void options_release(struct options *o);

/* Commands of osprof, and the other programs of this project. */
enum command_id {
#define COMMAND(name, groups) COMMAND_##name,
#define PROGRAM(name, groups) COMMAND_##name,
#include "options/commands.def"
	N_COMMANDS
};

/* How an option's argument is parsed, and the type of the member that it sets. */
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

/* An option: a line of options/options.def. A constant. */
struct option_row {
	char letter; /* 0: none */
	const char *name, *arg, *help;
	uint64_t commands; /* bits of enum command_id, and of their groups */
	enum option_kind kind;
	size_t target, size; /* offset and size of the member */
	size_t also;	     /* offset of a second member, set to the same; 0: none */
	double min, max;
	const char *expected; /* for OPTION_COUNT: describes a valid argument */
	const char *const *words;
	void (*choose)(struct options *o, int which);
	/* Returns NULL when the argument is valid, else a description of valid ones. */
	const char *(*take)(struct options *o, const char *arg);
	/* Returns false when an error was reported. */
	bool (*report)(struct options *o, const struct option_row *row, const char *arg,
		       struct diag *diag);
	/* Writes the valid words if they are not a fixed list; or NULL. */
	void (*list)(struct out *to);
	bool file; /* the argument is a file name */
};

const struct option_row *run_option_at(
	size_t i); /* that sets a struct options; NULL past the last */
/* Returns the one of a command with this name, or NULL. */
const struct option_row *run_option_of(enum command_id command, const char *name);
bool option_is_of(const struct option_row *row, enum command_id command);

/* Checks and stores the argument of an option; NULL for an option without one. */
MUST_CHECK bool option_take(const struct option_row *row, struct options *o, const char *arg,
			    struct diag *diag);
/* Reports an argument that is not the name of a format that is read, or written; returns false. */
bool option_is_no_format(const struct option_row *row, const char *arg, bool written,
			 struct diag *diag);
/* Reports an invalid argument; always returns false. */
bool option_is_bad(const struct option_row *row, const char *arg, const char *expected,
		   struct diag *diag);

#endif
