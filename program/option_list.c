/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/option_list.h"

#include <string.h>

#include "program/options_programs.h"
#include "report/calls.h"
#include "report/timeline.h"

#define OPTION_TARGET settings
#include "options/option_rows.h"

enum { MAX_RUNS = 100000 };

/* Each in the order of its enum. */
static const char *const output_formats[] = { "text",  "json", "csv", "markdown",
					      "junit", "html", NULL };
static const char *const rank_formats[] = { "text", "json",   "csv", "markdown",	 "junit",
					    "html", "github", "bmf", "benchmark-action", NULL };
static const char *const cause_formats[] = { "text",   "json", "csv", "markdown",
					     "folded", "html", "svg", NULL };
static const char *const colors[] = { "auto", "always", "never", NULL };
static const char *const clocks[] = { "counter", "ns", NULL };
static const char *const layers_by[] = { "program", "process", "thread", NULL };
static const char *const figure_styles[] = { "screen", "paper", "slides", NULL };
static const char *const palettes[] = { "safe", "grey", "paper", NULL };
static const char *const axis_units[] = { "auto", "ns", "us", "ms", "s", "cycles", NULL };
static const char *const terminals[] = { "png", "svg", "pdf", "eps", "tikz", "text", NULL };

static const struct option_row rows[] = {
#define OPTION(...)
#define PROGRAM_OPTION(letter, name, arg, commands, help, ...)                                     \
	{ letter, name, arg, help, commands, __VA_ARGS__ },
#include "options/options.def"
#undef OPTION
#undef PROGRAM_OPTION
};

/* For each line of the table, whether it is in rows[]; the others are in options/options.c. */
static const bool is_ours[] = {
#define OPTION(...)	    false,
#define PROGRAM_OPTION(...) true,
#include "options/options.def"
#undef OPTION
#undef PROGRAM_OPTION
};

const struct option_row *option_at(size_t i)
{
	size_t ours = 0;

	if (i >= COUNT_OF(is_ours))
		return NULL;
	for (size_t k = 0; k < i; k++)
		ours += is_ours[k];
	return is_ours[i] ? &rows[ours] : run_option_at(i - ours);
}

const struct option_row *option_of(enum command_id command, const char *name)
{
	const struct option_row *row;

	for (size_t i = 0; (row = option_at(i)) != NULL; i++) {
		if (option_is_of(row, command) && strcmp(row->name, name) == 0)
			return row;
	}
	return NULL;
}
