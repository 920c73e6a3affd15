/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * osprof: which operations' latencies differ between two runs, and how.
 *
 * The folders, lowest first; each may use those below it (tests/lint holds
 * them to it):
 *
 *	base/      bytes, files, numbers, messages: knows nothing of latencies
 *	profile/   buckets, histograms, operations, and the builder that makes them
 *	calls/     per-call records: nesting, pairing, trees of paths
 *	formats/   one file for each collector's output; recognising it by content
 *	analyze/   totals, peaks, distances, the selection: pure functions
 *	plotting/  figures, their scripts, running gnuplot
 *	report/    results as text, JSON, CSV, Markdown, JUnit, HTML
 *	region/    counters of running programs, read in place
 *	plugin/    plug-ins: readers in this process, handlers in another
 *	watch/     live sources, intervals on disk, alarms
 *	load/      opens runs: files, folders, many hosts
 *	compare/   compares and judges them: no options, no printing
 *	record/    runs a command and records its calls
 *	plotting/commands/  figures of loaded runs, as files
 *	tui/       the browser: keys in, a canvas out
 *	options/   options by their names, and what they set
 *	cli/       this program: getopt, messages, one file for each command
 *	browse/    the program osprof-tui
 *	mpi/       the program osprof-mpi, if MPI is available
 *	collect/   separate from all others: captures profiles (MIT)
 */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <gsl/gsl_errno.h>

#include "base/diag.h"
#include "base/nearest.h"
#include "base/out.h"
#include "base/outfile.h"
#include "base/xalloc.h"
#include "cli/commands.h"
#include "cli/reports.h"
#include "program/environment.h"
#include "program/messages.h"
#include "program/progress.h"

/* Names of other tools for the same, and likely guesses. */
static const char *synonym_of(const char *typed)
{
	static const char *const known[][2] = {
		{ "compare", "rank" },
		{ "comparison", "rank" },
		{ "cmp", "rank" },
		{ "diff", "rank" },
		{ "difference", "rank" },
		{ "delta", "rank" },
		{ "regress", "rank" },
		{ "regression", "rank" },
		{ "regressions", "rank" },
		{ "benchstat", "rank" },
		{ "benchcmp", "rank" },
		{ "gate", "rank" },
		{ "ab", "rank" },
		{ "versus", "rank" },
		{ "vs", "rank" },
		{ "stat", "show or rank" },
		{ "stats", "show or rank" },
		{ "status", "show" },
		{ "report", "show or rank" },
		{ "summary", "show or rank" },
		{ "summarize", "show or rank" },
		{ "print", "show" },
		{ "cat", "show" },
		{ "view", "show" },
		{ "hist", "show" },
		{ "histogram", "show" },
		{ "read", "show" },
		{ "list", "show" },
		{ "ls", "show" },
		{ "info", "show" },
		{ "percentiles", "show" },
		{ "top", "show" },
		{ "run", "record" },
		{ "trace", "record" },
		{ "profile", "record" },
		{ "capture", "record" },
		{ "start", "record" },
		{ "exec", "record" },
		{ "why", "explain" },
		{ "annotate", "explain" },
		{ "graph", "plot" },
		{ "draw", "plot" },
		{ "chart", "plot" },
		{ "figure", "plot" },
		{ "export", "convert" },
		{ "import", "convert" },
		{ "dump", "convert" },
		{ "script", "convert" },
		{ "add", "merge" },
		{ "join", "merge" },
		{ "combine", "merge" },
		{ "sum", "merge" },
		{ "trend", "history" },
		{ "log", "history" },
		{ "bisect", "history" },
		{ "noise", "aa" },
		{ "validate", "check" },
		{ "verify", "check" },
		{ "lint", "check" },
		{ "example", "demo" },
		{ "emd", "distance" },
		{ "similarity", "distance" },
	};

	for (size_t i = 0; i < COUNT_OF(known); i++) {
		if (strcmp(known[i][0], typed) == 0)
			return known[i][1];
	}
	return NULL;
}

static enum exit_status no_command(const char *typed, struct context *cx)
{
	const char *names[32], *near;
	size_t n = 0;

	for (; n < COUNT_OF(names) && command_at(n) != NULL; n++)
		names[n] = command_at(n)->name;
	near = synonym_of(typed);
	if (near == NULL)
		near = nearest_name(typed, names, n);
	if (near == NULL && access(typed, F_OK) == 0) {
		diag_plain(
			cx->diag, DIAG_USAGE,
			"'%s' is not an osprof command; run `osprof show` to see what is in a run, "
			"`osprof rank` "
			"what differs between two",
			typed);
		return EXIT_ERROR;
	}
	diag_plain(cx->diag, DIAG_USAGE,
		   "'%s' is not an osprof command%s%s%s; `osprof help` lists them", typed,
		   near != NULL ? " (did you mean " : "", near != NULL ? near : "",
		   near != NULL ? "?)" : "");
	return EXIT_ERROR;
}

static enum exit_status help_on(const char *name, struct context *cx)
{
	const struct command *c = name != NULL ? command_by_name(str_from(name)) : NULL;

	if (name == NULL) {
		command_list(cx->out);
		return EXIT_OK;
	}
	if (c == NULL)
		return no_command(name, cx);
	command_help(cx->out, c);
	return EXIT_OK;
}

static void set_line_width(struct out *o, unsigned width)
{
	out_set_line_width(o, wraps_lines() ? width : 0);
}

/* Runs a command; its reports appear unless it failed. */
static enum exit_status run_with_reports(const struct command *c, struct context *cx,
					 const struct settings *s)
{
	struct reports reports;
	enum exit_status status;

	if (!reports_open(&reports, c, s, cx))
		return EXIT_ERROR;
	cx->style = reports.output[0].style;
	set_line_width(cx->out, cx->style.width);
	status = c->run(cx, s);
	if (status == EXIT_ERROR)
		reports_discard(&reports);
	else if (!reports_commit(&reports, c, s, cx->diag))
		status = EXIT_ERROR;
	return status;
}

static enum exit_status run_command(const struct command *c, struct context *cx,
				    struct messages_out *m, int argc, char **argv)
{
	enum exit_status status = EXIT_ERROR;
	struct settings s;

	if (settings_parse(&s, c, argc, argv, cx->diag)) {
		m->quiet = s.quiet;
		if (wants_progress(&s))
			s.progress = m->progress = progress_new(true);
		s.options.load.observer = progress_observer(s.progress);
		status = EXIT_OK;
		set_line_width(cx->out, c->output_formats != 0 ? wants_width() : 0);
		if (s.help)
			command_help(cx->out, c);
		else
			status = run_with_reports(c, cx, &s);
		m->progress = NULL;
		progress_free(s.progress);
	}
	settings_release(&s);
	return status;
}

/* It is an error, so that a script notices; for a user it is the question what there is. */
static enum exit_status no_arguments(void)
{
	struct out *o = out_to_file(stderr);

	command_list(o);
	out_flush(o);
	out_free(o);
	return EXIT_ERROR;
}

static void print_version(struct out *o)
{
	out_text(o, "osprof " OSPROF_VERSION "\n");
	if (OSPROF_WITH[0] != '\0')
		out_text(o, "built with: " OSPROF_WITH "\n");
	if (OSPROF_WITHOUT[0] != '\0')
		out_text(o, "built without: " OSPROF_WITHOUT "\n");
}

static enum exit_status dispatch_command(struct context *cx, struct messages_out *m, int argc,
					 char **argv)
{
	const struct command *c;

	if (argc < 2)
		return no_arguments();
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "version") == 0) {
		print_version(cx->out);
		return EXIT_OK;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return help_on(NULL, cx);
	if (strcmp(argv[1], "help") == 0)
		return help_on(argc > 2 ? argv[2] : NULL, cx);
	c = command_by_name(str_from(argv[1]));
	if (c == NULL)
		return no_command(argv[1], cx);
	return run_command(c, cx, m, argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
	struct messages_out messages = { .quiet = false };
	struct diag diag = { .emit = messages_print, .ctx = &messages };
	struct context cx = { .out = out_to_file(stdout), .diag = &diag };
	enum exit_status status;

	xalloc_keep();
	(void)setlocale(LC_CTYPE, "");
	(void)gsl_set_error_handler_off();
	(void)signal(SIGPIPE, SIG_DFL);
	status = dispatch_command(&cx, &messages, argc, argv);
	messages_report_more(&messages);
	return outfile_close_standard(cx.out, &diag) ? (int)status : EXIT_ERROR;
}
