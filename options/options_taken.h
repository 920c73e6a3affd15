/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parsers of arguments that are more than a number or a word, for options/options.def only.  TAKEN
 * functions return NULL when the argument is valid, else what was expected; REPORTED functions
 * report errors themselves.
 */
#ifndef OPTIONS_OPTIONS_TAKEN_H
#define OPTIONS_OPTIONS_TAKEN_H

#include "options/options.h"

struct out;

#define TAKEN(name)  const char *name(struct options *o, const char *arg)
#define CHOSEN(name) void name(struct options *o, int which)
#define REPORTED(name)                                                                             \
	bool name(struct options *o, const struct option_row *row, const char *arg,                \
		  struct diag *diag)

/* options/options_reading.c: files, operations, rules. */
REPORTED(take_from);
REPORTED(take_plugin);
CHOSEN(take_unit);
CHOSEN(take_snapshots);
CHOSEN(take_numbering);
TAKEN(take_column);
TAKEN(take_separator);
TAKEN(take_resolution);
TAKEN(take_max_input);
TAKEN(take_part);
TAKEN(take_nest);
TAKEN(take_machine);
TAKEN(take_elapsed);
void list_readable_formats(struct out *o);
void list_writable_formats(struct out *o);
void list_architectures(struct out *o);

/* options/options_rules.c: how runs are compared, and the exit status. */
TAKEN(take_metric);
void list_metrics(struct out *o);
CHOSEN(take_sort);
TAKEN(take_fixed_duration);
TAKEN(take_fixed_work);
TAKEN(take_rename);
TAKEN(take_quantiles);
CHOSEN(take_exit_code);
CHOSEN(take_replicates);

/* options/options_causes.c */
TAKEN(take_peak);
TAKEN(take_latencies);
TAKEN(take_against);
TAKEN(take_link);
TAKEN(take_overhead);
TAKEN(take_percentage);
/* Values of --method and --section, in the order of their enums, then NULL. */
extern const char *const cause_methods[];
extern const char *const causes_sections[];

#undef TAKEN
#undef CHOSEN
#undef REPORTED

#endif
