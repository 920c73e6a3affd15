/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parsed command line. */
#ifndef PROGRAM_SETTINGS_H
#define PROGRAM_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "options/options.h"
#include "plotting/commands/plot_options.h"
#include "program/preempting.h"
#include "program/watching.h"
#include "record/recording.h"
#include "report/style.h"

/* When reports are coloured. */
enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* An option of the command line, and its argument. */
struct given_option {
	const struct option_row *row;
	const char *arg; /* NULL: none was given */
};

/* A report that the command line requests: its format, and the file of -o. */
struct requested {
	enum output_format format;
	const char *path; /* NULL: standard output */
};
enum { MAX_REPORTS = 16 };

/* The command line of one command; settings_release() frees what it owns. */
struct settings {
	struct options options; /* first: see program/options_programs.h */
	const struct format *to;
	struct given_option *given; /* all options, in order; on the heap */
	size_t n_given, given_cap;
	const char *handler[8];
	size_t n_handlers;
	enum output_format output_format;
	enum color color;
	bool ascii, quiet, force, within, strict, help;
	bool sources;	   /* print those of characteristic times */
	size_t recent;	   /* number of latest runs that decide history's exit status */
	unsigned sections; /* bits of enum calls_section or timeline_section; 0: all */
	size_t top;	   /* rows of a table */
	double similar;	   /* --cluster-distance; NAN: the metric's default */
	struct plot_options figure;
	struct recording record;
	struct preempting preempt;
	struct watching watch;
	const char *checkpoint;	    /* a folder; NULL: none */
	const char *costs, *counts; /* runs of predict; NULL: not given */
	char **example;		    /* paths of operands that name examples; on the heap */
	size_t n_examples, examples_cap;
	const char *output;		      /* NULL: standard output */
	const char *report_path;	      /* of the last -o that is for a report */
	struct requested report[MAX_REPORTS]; /* of commands that print reports */
	size_t n_reports;		      /* 1 at least */
	size_t n_formats, n_report_paths;     /* that were given */
	struct progress *progress;	      /* shows the progress of reading; may be NULL */
};

struct command;
struct diag;
struct option_row;

/* Parses a command line; false when an error was reported. */
MUST_CHECK bool settings_parse(struct settings *ret, const struct command *c, int argc, char **argv,
			       struct diag *diag);
void settings_release(struct settings *s);

/* Whether one of the reports has this format. */
bool settings_print(const struct settings *s, enum output_format format);

/* Whether the command line has the option of this name. */
bool settings_has(const struct settings *s, const char *option);

#endif
