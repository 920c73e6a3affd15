/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parsers of arguments that are more than a number or a word, for cli/options.def only.  TAKEN
 * functions return NULL when the argument is valid, else what was expected; REPORTED functions
 * report errors themselves.
 */
#ifndef CLI_OPTIONS_TAKEN_H
#define CLI_OPTIONS_TAKEN_H

#include "cli/options.h"

struct out;

#define TAKEN(name)  const char *name(struct settings *s, const char *arg)
#define CHOSEN(name) void name(struct settings *s, int which)
#define REPORTED(name)                                                                             \
	bool name(struct settings *s, const struct option_row *row, const char *arg,               \
		  struct diag *diag)

/* cli/options_reading.c: files, operations, rules. */
REPORTED(take_from);
REPORTED(take_to);
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

/* cli/options_rules.c: how runs are compared, and the exit status. */
TAKEN(take_metric);
void list_metrics(struct out *o);
CHOSEN(take_sort);
TAKEN(take_fixed_duration);
TAKEN(take_fixed_work);
TAKEN(take_rename);
TAKEN(take_quantiles);
CHOSEN(take_exit_code);
CHOSEN(take_replicates);
TAKEN(take_handler);

/* cli/options_causes.c */
TAKEN(take_peak);
TAKEN(take_latencies);
TAKEN(take_against);
TAKEN(take_link);
TAKEN(take_overhead);
TAKEN(take_percentage);
CHOSEN(take_causes_format);
/* Values of --method and --section, in the order of their enums, then NULL. */
extern const char *const cause_methods[];
extern const char *const causes_sections[];

/* cli/options_programs.c: osprof record, preempt, plot and watch. */
CHOSEN(take_layers_by);
CHOSEN(take_clock);
TAKEN(take_call_records);
TAKEN(take_time_slice);
TAKEN(take_yield_probability);
TAKEN(take_tperiod);
TAKEN(take_tcpu);
TAKEN(take_title);
TAKEN(take_figure_size);
TAKEN(take_figure_font);
TAKEN(take_x_range);
TAKEN(take_y_range);
CHOSEN(take_axis_unit_of);
CHOSEN(take_palette);
CHOSEN(take_figure_terminal);
TAKEN(take_every);
TAKEN(take_lateness);
TAKEN(take_for);
TAKEN(take_zoom);
TAKEN(take_alarm_rate);
TAKEN(take_most_operations);
TAKEN(take_kept_bytes);
TAKEN(take_kept_tiers);
TAKEN(take_watched);

#undef TAKEN
#undef CHOSEN
#undef REPORTED

#endif
