/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs the experiments of the papers: each is a list of osprof command lines, which are
 * printed and run in turn, so that users can repeat them.
 *
 * In an argument, '@' stands for the workloads installed with this program, '+' for the
 * folder that the demonstration writes to.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "cli/commands.h"
#include "record/install_paths.h"

enum { MAX_ARGUMENTS = 24, MAX_STEPS = 4 };

struct demo {
	const char *name;
	const char *about;
	size_t megabytes; /* size of a temporary file +blocks; 0: none */
	const char *step[MAX_STEPS][MAX_ARGUMENTS];
};

/* clang-format off */
static const struct demo demos[] = {
	{ .name = "zeroread",
	  .about =
	    "Reads of zero bytes, by one process and by two on one processor (OSprof 3.3):\n"
	    "the new peak is forced preemption, as long as the scheduler's quantum.",
	  .step = {
	    { "record", "--repeat", "3", "--interleave", "+two", "-o", "+one", "--",
	      "@zeroread", "1", "1000000", "/etc/passwd", "--",
	      "@zeroread", "2", "1000000", "/etc/passwd" },
	    { "rank", "-q", "+one", "+two" },
	    { "explain", "-q", "--op", "read", "+one", "+two" } } },
	{ .name = "preempt",
	  .about =
	    "The same by two and by four processes: how many reads should have lost the\n"
	    "processor while they were measured, and how many did (OSprof 3.3).",
	  .step = {
	    { "record", "-o", "+two.osprof", "--", "@zeroread", "2", "6000000", "/etc/passwd" },
	    { "preempt", "--op", "read", "--quantum", "kernel", "+two.osprof" },
	    { "record", "-o", "+four.osprof", "--", "@zeroread", "4", "3000000", "/etc/passwd" },
	    { "preempt", "--op", "read", "--quantum", "kernel", "+four.osprof" } } },
	{ .name = "clone",
	  .about =
	    "Forks, by one process and by four at once (OSprof 3, figure 1): a second peak is\n"
	    "waiting, for a lock or for a processor.",
	  .step = {
	    { "record", "--repeat", "3", "--interleave", "+four", "-o", "+one", "--",
	      "@cloner", "1", "2000", "--", "@cloner", "4", "2000" },
	    { "rank", "-q", "+one", "+four" },
	    { "peaks", "--op", "fork", "+four" } } },
	{ .name = "randread",
	  .about =
	    "Seeks and reads at random, by one process and by two that share the open file\n"
	    "(OSprof 6.1, figure 6): lseek waits for the other's read.",
	  .megabytes = 64,
	  .step = {
	    { "record", "--repeat", "3", "--interleave", "+two", "-o", "+one", "--",
	      "@randread", "1", "10000", "+blocks", "--", "@randread", "2", "10000", "+blocks" },
	    { "rank", "-q", "+one", "+two" },
	    { "explain", "-q", "--op", "lseek", "+one", "+two" } } },
	{ .name = "grep",
	  .about =
	    "A recursive grep over a tree of headers (OSprof 6.2): which calls take its time,\n"
	    "and the peaks of those that read directories.",
	  .step = {
	    { "record", "-o", "+grep.osprof", "--", "grep", "-rs",
	      "oh-no-this-is-nowhere-3f9c1d", "/usr/include" },
	    { "show", "+grep.osprof" },
	    { "peaks", "--op", "readdir", "+grep.osprof" } } },
	{ .name = "flusher",
	  .about =
	    "A writer whose file is flushed every 2.5 seconds (OSprof 6.3, figure 9): only a\n"
	    "profile sampled over time tells the calls that the flush disturbs.",
	  .step = {
	    { "record", "--interval", "0.5", "-o", "+flusher.osprof", "--",
	      "@flusher", "20", "2.5", "+flushed" },
	    { "show", "+flusher.osprof" },
	    { "timeline", "+flusher.osprof" } } },
};
/* clang-format on */

static const struct demo *find_demo(const char *name)
{
	for (size_t i = 0; i < COUNT_OF(demos); i++) {
		if (strcmp(demos[i].name, name) == 0)
			return &demos[i];
	}
	return NULL;
}

static enum exit_status list_demos(struct out *o)
{
	for (size_t i = 0; i < COUNT_OF(demos); i++)
		out_printf(o, "%s\n%s\n\n", demos[i].name, demos[i].about);
	out_text(o, "`osprof demo NAME` runs one.\n");
	return EXIT_OK;
}

/* --- arguments ------------------------------------------------------------------------ */

static char *copied_path(const char *folder, const char *between, const char *name)
{
	size_t room = strlen(folder) + strlen(between) + strlen(name) + 1;
	char *s = xcalloc(room, 1);

	(void)snprintf(s, room, "%s%s%s", folder, between, name);
	return s;
}

/* Expands an argument, on the heap; NULL if a workload is not installed. */
static char *expand_argument(const char *text, const char *folder, struct diag *diag)
{
	char *path;

	if (text[0] == '+')
		return copied_path(folder, "/", text + 1);
	if (text[0] != '@')
		return copied_path("", "", text);
	path = path_of_helper(text + 1);
	if (path == NULL)
		diag_plain(diag, DIAG_NOT_RECORDABLE, "%s is not installed with this program",
			   text + 1);
	return path;
}

static void show_command(struct out *o, char *const *argv, int argc)
{
	out_text(o, "$ osprof");
	for (int i = 0; i < argc; i++)
		out_printf(o, " %s", argv[i]);
	out_char(o, '\n');
}

/* --- running --------------------------------------------------------------------------- */

/* Runs a command line as if it had been typed, with this program's output and style. */
static void run_line(struct context *cx, int argc, char **argv, bool force)
{
	const struct command *c = command_by_name(str_from(argv[0]));
	struct settings s;

	if (settings_parse(&s, c, argc, argv, cx->diag)) {
		s.force = force;
		(void)c->run(cx, &s);
	}
	settings_release(&s);
}

static void run_step(struct context *cx, const char *const *step, const char *folder, bool force)
{
	char *argv[MAX_ARGUMENTS + 1] = { NULL };
	bool ok = true;
	int argc = 0;

	for (; ok && argc < MAX_ARGUMENTS && step[argc] != NULL; argc++) {
		argv[argc] = expand_argument(step[argc], folder, cx->diag);
		ok = argv[argc] != NULL;
	}
	if (ok) {
		show_command(cx->out, argv, argc);
		out_flush(cx->out);
		run_line(cx, argc, argv, force);
		out_char(cx->out, '\n');
	}
	for (int i = 0; i < argc; i++)
		free(argv[i]);
}

/* Creates a file to read from; it must not be sparse. */
static bool make_blocks(const char *path, size_t megabytes, struct diag *diag)
{
	enum { MEGABYTE = 1 << 20 };
	char *block = xcalloc(MEGABYTE, 1);
	FILE *f = fopen(path, "w");
	bool ok = f != NULL;

	memset(block, 0x5a, MEGABYTE);
	for (size_t i = 0; ok && i < megabytes; i++)
		ok = fwrite(block, MEGABYTE, 1, f) == 1;
	ok = ok && fflush(f) == 0 && fsync(fileno(f)) == 0;
	if (!ok)
		diag_plain(diag, DIAG_OUTPUT_FAILED, "%s: %s", path, strerror(errno));
	if (f != NULL)
		(void)fclose(f);
	free(block);
	return ok;
}

static bool make_folder(const char *path, bool force, struct diag *diag)
{
	if (mkdir(path, 0777) == 0 || (force && errno == EEXIST))
		return true;
	if (errno == EEXIST)
		diag_plain(diag, DIAG_OUTPUT_EXISTS, "%s exists; --force writes over what is in it",
			   path);
	else
		diag_plain(diag, DIAG_OUTPUT_FAILED, "%s: %s", path, strerror(errno));
	return false;
}

/* Runs the steps until one reports an error. The exit status does not tell: record returns the
 * command's, and a grep that finds nothing, as intended, fails. */
static enum exit_status run_steps(struct context *cx, const struct demo *d, const char *folder,
				  bool force)
{
	for (size_t i = 0; i < MAX_STEPS && d->step[i][0] != NULL; i++) {
		unsigned errors = cx->diag->seen[SEV_ERROR];

		run_step(cx, d->step[i], folder, force);
		if (cx->diag->seen[SEV_ERROR] > errors)
			return EXIT_ERROR;
	}
	return EXIT_OK;
}

static enum exit_status run_in(struct context *cx, const struct demo *d, const char *folder,
			       bool force)
{
	enum exit_status status = EXIT_ERROR;
	char *blocks = copied_path(folder, "/", "blocks");

	if (make_folder(folder, force, cx->diag) &&
	    (d->megabytes == 0 || make_blocks(blocks, d->megabytes, cx->diag)))
		status = run_steps(cx, d, folder, force);
	if (d->megabytes > 0)
		(void)unlink(blocks);
	if (status == EXIT_OK)
		out_printf(cx->out, "The profiles are in %s.\n", folder);
	free(blocks);
	return status;
}

static enum exit_status run_demo(struct context *cx, const struct settings *s)
{
	const struct demo *d;
	enum exit_status status;
	char *folder;

	if (s->options.load.n_operands == 0)
		return list_demos(cx->out);
	d = find_demo(s->options.load.operand[0]);
	if (d == NULL) {
		diag_plain(cx->diag, DIAG_USAGE, "%s is no demonstration; `osprof demo` lists them",
			   s->options.load.operand[0]);
		return EXIT_ERROR;
	}
	out_printf(cx->out, "%s\n\n", d->about);
	folder = s->output != NULL ? copied_path(s->output, "", "")
				   : copied_path("osprof-demo-", "", d->name);
	status = run_in(cx, d, folder, s->force);
	free(folder);
	return status;
}

const struct command command_demo = {
	.id = COMMAND_demo,
	.name = "demo",
	.operands = "[NAME] [-o FOLDER]",
	.summary = "Record one of the bundled experiments",
	.min_operands = 0,
	.max_operands = 1,
	.run = run_demo,
};
