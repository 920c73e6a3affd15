/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options that go together, for the tables of commands. */
#ifndef CLI_GROUPS_H
#define CLI_GROUPS_H

#define OPTIONS_READING                                                                            \
	OPT_FROM, OPT_UNIT, OPT_HZ, OPT_SNAPSHOTS, OPT_INTERVAL, OPT_NUMBERING, OPT_COLUMN,        \
		OPT_SEPARATOR, OPT_RESOLUTION, OPT_NAMES, OPT_UTC, OPT_MAX_INPUT, OPT_PLUGIN
#define OPTIONS_CHOOSING OPT_OP, OPT_LAYER, OPT_NEST, OPT_IDLE
/* Which calls of a trace are looked at, and which they are compared with. */
#define OPTIONS_CHOOSING_CALLS                                                                     \
	OPT_FUNCTION, OPT_PEAK, OPT_RANGE, OPT_AGAINST, OPT_DEPTH, OPTIONS_READING_CALLS
#define OPTIONS_READING_CALLS                                                                      \
	OPT_UNFOLD, OPT_LINK, OPT_INTERRUPT, OPT_OVERHEAD, OPT_TASK, OPT_CALLER
#define OPTIONS_PRINTING OPT_FORMAT, OPT_COLOR, OPT_ASCII, OPT_QUIET, OPT_HELP
#define OPTIONS_RULES                                                                              \
	OPT_METRIC, OPT_SORT, OPT_FIXED_DURATION, OPT_FIXED_WORK, OPT_RENAME, OPT_THRESHOLD,       \
		OPT_MIN_SHARE, OPT_MIN_OPS, OPT_MIN_DIFFERENCE, OPT_MIN_EFFECT, OPT_MIN_CALLS,     \
		OPT_MIN_SHAPE, OPT_MIN_SLOW, OPT_SMALL_SAMPLE, OPT_MARGIN
#define OPTIONS_DRAWING                                                                            \
	OPT_TITLE, OPT_SIZE, OPT_FONT, OPT_PALETTE, OPT_X_RANGE, OPT_Y_RANGE, OPT_AXIS_UNIT,       \
		OPT_TERMINAL
#define OPTIONS_WRITING OPT_OUTPUT, OPT_TO, OPT_FORCE, OPT_QUIET, OPT_HELP

#define OPTIONS_WRITING_FIGURES OPT_OUTPUT, OPT_ALL, OPT_FORCE, OPT_QUIET, OPT_HELP

#define OUTPUT_FORMATS_TABLE                                                                       \
	(1U << OUTPUT_FORMAT_JSON | 1U << OUTPUT_FORMAT_CSV | 1U << OUTPUT_FORMAT_MARKDOWN)

#endif
