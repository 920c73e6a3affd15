/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the command line says, and the one table of options after all commands.
 *
 * A command names the options it takes; parsing, --help and shell completions come
 * from the table.
 */
#ifndef CLI_SETTINGS_H
#define CLI_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/quantiles.h"
#include "analyze/rank.h"
#include "analyze/runs.h"
#include "cli/causing.h"
#include "cli/nest_option.h"
#include "cli/plot_options.h"
#include "cli/preempting.h"
#include "cli/recording.h"
#include "cli/watching.h"
#include "formats/format.h"
#include "plugin/reader.h"
#include "report/style.h"

enum option_id {
#define OPTION(id, letter, name, arg, help) OPT_##id,
#include "cli/options.def"
#undef OPTION
	N_OPTIONS
};

enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
enum gate { GATE_OFF, GATE_REGRESSED, GATE_ANY };

struct settings {
	const struct format *from, *to;
	struct read_options read;
	const char *names_path, *times_path;
	const char *machine;		      /* of files that do not say; NULL: not known */
	double elapsed_before, elapsed_after; /* seconds a run took; 0: not said */
	size_t max_input;
	struct plugins plugins;
	const char *handler[8];
	size_t n_handlers;
	const char *op, *layer; /* glob, name; NULL: all */
	struct nest_option nest;
	const char *idle; /* patterns, or none; NULL: operations of the list */
	enum output_format output_format;
	enum color color;
	bool ascii, quiet, all, force, within, strict, ignore_annotations, this_machine, help;
	enum gate gate;
	size_t recent; /* runs that the gate of history looks at */
	const char *policy_path;
	struct rank_rules rules;
	struct rename_rule *rename; /* on the heap; the rules borrow it */
	size_t renames_cap;
	bool sort_given; /* --sort: --metric does not decide the order then */
	struct quantile_list quantiles;
	struct runs_rules runs; /* of repeated runs */
	size_t splits;		/* of repeated runs into halves, at most */
	unsigned sections;	/* bits of enum calls_section or timeline_section; 0: all */
	size_t top;		/* rows of a table */
	uint64_t seed;		/* of permutation tests */
	double similar;		/* of distance --pairwise; NAN: as the metric has it */
	struct plot_options figure;
	struct recording record;
	struct preempting preempt;
	struct causing causing;
	struct watching watch;
	const char *files_from;	   /* a list of inputs; NULL: none */
	bool nul;		   /* its names end with NUL */
	const char *expect;	   /* a list of hosts; NULL: none */
	const char *checkpoint;	   /* a folder; NULL: none */
	size_t skip_bad;	   /* inputs that may be left out */
	bool only_rest;		   /* of folders: what is not of our own format */
	bool by_host;		   /* hosts are the replicates */
	bool pairs;		   /* ... and each is compared with itself */
	const char *output;	   /* NULL: standard output */
	bool rebin;		   /* --resolution was given */
	struct progress *progress; /* is reported what is read; NULL: nobody waits for it */

	/* Operands, and how many of them stood before a "--". */
	char **operand;
	size_t n_operands, n_before;
	bool separated;
};

struct command;
struct diag;

/* False when the command line is not one; it has been said why. */
MUST_CHECK bool settings_parse(struct settings *ret, const struct command *c, int argc, char **argv,
			       struct diag *diag);
void settings_release(struct settings *s);

/* One option with its argument, which is checked; NULL where it takes none. */
MUST_CHECK bool settings_take(struct settings *s, enum option_id id, const char *arg,
			      struct diag *diag);

struct option_row {
	char letter; /* 0 when there is none */
	const char *name, *arg, *help;
};
const struct option_row *option_row(enum option_id id);
/* The words an option's argument can be, NULL-terminated; NULL when it is free. */
const char *const *option_choices(enum option_id id);

#endif
