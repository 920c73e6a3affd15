/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parsers of arguments that only programs take: of osprof record, preempt, plot and watch, and of
 * output.  As in options/options_taken.h; the options that they get are the first member of a
 * struct settings.
 */
#ifndef PROGRAM_OPTIONS_PROGRAMS_H
#define PROGRAM_OPTIONS_PROGRAMS_H

#include <assert.h>

#include "options/options_taken.h"
#include "program/settings.h"

static_assert(offsetof(struct settings, options) == 0, "settings_of() relies on it");

static inline struct settings *settings_of(struct options *o)
{
	return (struct settings *)o;
}

#define TAKEN(name)  const char *name(struct options *o, const char *arg)
#define CHOSEN(name) void name(struct options *o, int which)

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
CHOSEN(take_style);
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
TAKEN(take_handler);
CHOSEN(take_causes_format);
bool take_to(struct options *o, const struct option_row *row, const char *arg, struct diag *diag);

#undef TAKEN
#undef CHOSEN

#endif
