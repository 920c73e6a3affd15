/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a command, or two alternately or at once, and writes the profile of each run. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/host.h"
#include "base/outfile.h"
#include "base/xalloc.h"
#include "calls/call_tree.h"
#include "formats/general/osprof_tree.h"
#include "profile/profile.h"
#include "program/command.h"
#include "record/call_log.h"
#include "record/duet.h"
#include "record/recorder.h"
#include "record/sites.h"

/* A command, and the file or folder of its runs. */
struct side {
	char *const *argv;
	const char *output;
	const char *duet; /* what the files of both partners state; NULL: no duet */
};

/* The files of one run. */
struct target {
	char *path;
	char *calls; /* NULL without --calls */
	char *tree;  /* NULL without --causes */
	const char *duet;
};

static const struct format *format_of(const struct settings *s, const char *output)
{
	const struct format *f = s->to;

	if (f == NULL && s->record.repeat == 0)
		f = format_for_output(str_from(output));
	return f != NULL ? f : format_by_name(STR("osprof"));
}

/* Whether a signal asked the command to end: the user wants no more runs. */
static bool is_over(int status)
{
	return status == 128 + SIGINT || status == 128 + SIGQUIT || status == 128 + SIGTERM ||
	       status == 128 + SIGHUP;
}

static bool write_profile(struct context *cx, const struct settings *s, struct profile *p,
			  const char *path)
{
	struct outfile file;

	p->machine = host_machine(p->arena);
	p->kernel = host_kernel(p->arena);
	if (!outfile_open(&file, path, s->force, cx->out, cx->diag))
		return false;
	if (!format_of(s, path)->write(p, file.out, cx->diag)) {
		outfile_discard(&file);
		return false;
	}
	return outfile_commit(&file, cx->diag);
}

static void complain_of_calls(struct diag *diag, const struct call_log *log, const char *path)
{
	unsigned long long made = log->n + log->lost;

	if (log->lost > 0 && made <= log->ring.n_records)
		diag_plain(diag, DIAG_NOT_RECORDED,
			   "%s: calls whose thread was killed while it recorded them: %llu", path,
			   (unsigned long long)log->lost);
	else if (log->lost > 0)
		diag_plain(diag, DIAG_CALLS_OVERWRITTEN,
			   "%s: the last %zu of %llu are kept; use --calls=%llu to keep all", path,
			   log->n, made, made);
	for (unsigned i = 0; i < N_LACKS; i++) {
		if (call_log_lacks(log, (enum lack)i) > 0)
			diag_plain(diag, DIAG_NOT_RECORDED, "%s: %s: %llu", path,
				   call_log_lack((enum lack)i),
				   (unsigned long long)call_log_lacks(log, (enum lack)i));
	}
}

/* For a single run, also suggests how to read the file. */
static bool write_calls(struct context *cx, const struct settings *s, const struct call_log *log,
			char *const *argv, const char *path)
{
	struct outfile file;

	if (!outfile_open(&file, path, s->force, cx->out, cx->diag))
		return false;
	call_log_write(log, argv, file.out);
	if (!outfile_commit(&file, cx->diag))
		return false;
	complain_of_calls(cx->diag, log, path);
	if (s->record.repeat == 0)
		diag_plain(cx->diag, DIAG_CALLS_RECORDED,
			   "%zu, in %s; osprof calls %s shows who made them", log->n, path, path);
	return true;
}

static void report_tree(struct context *cx, const struct settings *s, const struct recorded *r,
			const char *path)
{
	const struct call_tally *t = &r->tree->tally;

	if (t->lost > 0)
		diag_plain(cx->diag, DIAG_EVENTS_LOST,
			   "%s: %llu; calls that were open then are left out", path,
			   (unsigned long long)t->lost);
	if (t->unfinished > 0)
		diag_plain(cx->diag, DIAG_UNMATCHED_EVENTS,
			   "%s: %llu calls of %s never ended, left out", path,
			   (unsigned long long)t->unfinished, s->record.causes);
	if (t->unmatched > 0)
		diag_plain(cx->diag, DIAG_UNMATCHED_EVENTS,
			   "%s: %llu calls were left without a return, as longjmp() does; they "
			   "count up to the next event",
			   path, (unsigned long long)t->unmatched);
	if (r->waited > 0)
		diag_plain(cx->diag, DIAG_NOT_RECORDED,
			   "%s: threads waited %llu times until their calls were taken, and took "
			   "longer; choose fewer functions",
			   path, (unsigned long long)r->waited);
	if (s->record.repeat == 0)
		diag_plain(cx->diag, DIAG_CALLS_RECORDED,
			   "%llu of %s, in %s; osprof causes %s shows what makes some slow",
			   (unsigned long long)t->calls, s->record.causes, path, path);
}

/* It is an error if no call of the function has ended. */
static bool write_tree(struct context *cx, const struct settings *s, const struct recorded *r,
		       const char *path)
{
	struct outfile file;

	if (r->tree->tally.calls == 0) {
		diag_plain(cx->diag, DIAG_FUNCTION_UNKNOWN,
			   "%s: no call of a function %s has ended: name it as the profile does",
			   path, s->record.causes);
		return false;
	}
	if (!outfile_open(&file, path, s->force, cx->out, cx->diag))
		return false;
	osprof_tree_write(r->tree, file.out);
	if (!outfile_commit(&file, cx->diag))
		return false;
	report_tree(cx, s, r, path);
	return true;
}

/* Records one run into files. Checks first that they can be written, so that nothing runs in vain,
 * but creates them only afterwards, since the command might see them. Stores the command's status
 * in *status if that is 0, or if no more runs follow. */
static enum exit_status record_one(struct context *cx, const struct settings *s, char *const *argv,
				   const struct target *to, int *status)
{
	struct recorded recorded = { .profile = NULL };
	double started;
	bool ok;

	if (!outfile_check(to->path, s->force, cx->diag) ||
	    (to->calls != NULL && !outfile_check(to->calls, s->force, cx->diag)) ||
	    (to->tree != NULL && !outfile_check(to->tree, s->force, cx->diag)))
		return EXIT_ERROR;
	started = clock_utc();
	if (!record_command(&recorded, argv, &s->record, cx->diag))
		return EXIT_ERROR;
	recorded.profile->started = started;
	if (to->duet != NULL)
		recorded.profile->duet = arena_str(recorded.profile->arena, str_from(to->duet));
	if (*status == 0 || is_over(recorded.status))
		*status = recorded.status;
	ok = write_profile(cx, s, recorded.profile, to->path);
	if (recorded.calls != NULL)
		ok = write_calls(cx, s, recorded.calls, argv, to->calls) && ok;
	if (recorded.tree != NULL)
		ok = write_tree(cx, s, &recorded, to->tree) && ok;
	profile_free(recorded.profile);
	call_log_free(recorded.calls);
	call_tree_free(recorded.tree);
	return ok ? EXIT_OK : EXIT_ERROR;
}

static char *join_tail(const char *path, const char *tail)
{
	size_t n = strlen(path);
	char *joined = xcalloc(n + strlen(tail) + 1, 1);

	(void)strcat(strcpy(joined, path), tail);
	return joined;
}

static enum exit_status record_single(struct context *cx, const struct settings *s,
				      char *const *argv, int *status)
{
	struct target to = {
		.path = join_tail(s->output, ""),
		.calls = s->record.calls > 0 ? join_tail(s->output, ".calls.csv") : NULL,
		.tree = s->record.causes != NULL ? join_tail(s->output, ".tree") : NULL
	};
	enum exit_status result = record_one(cx, s, argv, &to, status);

	free(to.path);
	free(to.calls);
	free(to.tree);
	return result;
}

/* --- folders of runs -------------------------------------------------------------------- */

static int is_visible(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

/* Refuses a folder that has files: older runs would be taken for runs of this recording. */
static bool make_folder(const char *path, bool force, struct diag *diag)
{
	struct dirent **entry;
	int n;

	if (!outfile_make_folder(path, diag))
		return false;
	n = scandir(path, &entry, is_visible, NULL);
	if (n < 0) {
		diag_plain(diag, DIAG_OUTPUT_FAILED, "%s: %s", path, strerror(errno));
		return false;
	}
	for (int i = 0; i < n; i++)
		free(entry[i]);
	free(entry);
	if (n == 0 || force)
		return true;
	diag_plain(diag, DIAG_OUTPUT_EXISTS,
		   "%s is not empty; --force adds runs, and replaces those of the same number",
		   path);
	return false;
}

/* FOLDER.calls, next to the folder and not in it: every file in the folder is read as a run. */
static char *folder_beside(const char *folder, const char *tail)
{
	char *bare = join_tail(folder, ""), *path;

	for (size_t n = strlen(bare); n > 1 && bare[n - 1] == '/'; n--)
		bare[n - 1] = '\0';
	path = join_tail(bare, tail);
	free(bare);
	return path;
}

static bool make_folder_beside(const struct settings *s, const char *folder, const char *tail,
			       struct diag *diag)
{
	char *path = folder_beside(folder, tail);
	bool ok = make_folder(path, s->force, diag);

	free(path);
	return ok;
}

static bool make_folders(const struct settings *s, const struct side *side, struct diag *diag)
{
	return make_folder(side->output, s->force, diag) &&
	       (s->record.calls == 0 || make_folder_beside(s, side->output, ".calls", diag)) &&
	       (s->record.causes == NULL || make_folder_beside(s, side->output, ".trees", diag));
}

static char *numbered_path(const char *folder, unsigned number, const char *suffix)
{
	size_t room = strlen(folder) + strlen(suffix) + 16;
	char *path = xcalloc(room, 1);

	(void)snprintf(path, room, "%s/%u%s", folder, number, suffix);
	return path;
}

static char *numbered_beside(const struct side *side, const char *tail, unsigned number,
			     const char *suffix)
{
	char *folder = folder_beside(side->output, tail),
	     *path = numbered_path(folder, number, suffix);

	free(folder);
	return path;
}

static enum exit_status record_run(struct context *cx, const struct settings *s,
				   const struct side *side, unsigned number, int *status)
{
	const struct format *f = format_of(s, side->output);
	struct target to = {
		.path = numbered_path(side->output, number, f->suffix != NULL ? f->suffix[0] : ""),
		.calls = s->record.calls > 0 ? numbered_beside(side, ".calls", number, ".csv")
					     : NULL,
		.tree = s->record.causes != NULL ? numbered_beside(side, ".trees", number, ".tree")
						 : NULL,
		.duet = side->duet,
	};
	enum exit_status result = record_one(cx, s, side->argv, &to, status);

	free(to.path);
	free(to.calls);
	free(to.tree);
	return result;
}

/* Records a run of either side at the same time. */
static enum exit_status record_duet(struct context *cx, const struct settings *s,
				    const struct side *side, unsigned number, int *status)
{
	struct side mine;
	struct duet duet;
	enum exit_status result;
	struct duet_end partner;

	if (!duet_split(&duet, number, cx->diag))
		return EXIT_ERROR;
	/* Each side is the first to start in every other duet. */
	mine = side[duet.is_partner == (number % 2 == 1)];
	mine.duet = duet.id;
	result = record_run(cx, s, &mine, number, status);
	partner = duet_join(&duet, (struct duet_end){ (int)result, *status });
	if (*status == 0 || is_over(partner.status))
		*status = partner.status;
	return result == EXIT_OK ? (enum exit_status)partner.result : result;
}

/* Alternates between the sides, so that a drift of the machine affects both equally. */
static enum exit_status record_turns(struct context *cx, const struct settings *s,
				     const struct side *side, size_t n_sides, unsigned number,
				     int *status)
{
	enum exit_status result = EXIT_OK;

	for (size_t i = 0; i < n_sides && !is_over(*status) && result == EXIT_OK; i++)
		result = record_run(cx, s, &side[i], number, status);
	return result;
}

static enum exit_status record_runs(struct context *cx, const struct settings *s,
				    const struct side *side, size_t n_sides, int *status)
{
	enum exit_status result = EXIT_OK;

	for (size_t i = 0; i < n_sides; i++) {
		if (!make_folders(s, &side[i], cx->diag))
			return EXIT_ERROR;
	}
	for (unsigned k = 1; k <= s->record.repeat && !is_over(*status) && result == EXIT_OK; k++)
		result = s->record.duet ? record_duet(cx, s, side, k, status)
					: record_turns(cx, s, side, n_sides, k, status);
	return result;
}

/* --- the command line --------------------------------------------------------------------- */

static bool usage_error(struct diag *diag, const char *what)
{
	diag_plain(diag, DIAG_USAGE, "%s", what);
	return false;
}

static bool check_settings(const struct settings *s, struct diag *diag)
{
	if (s->output == NULL || strcmp(s->output, "-") == 0)
		return usage_error(diag,
				   "osprof record needs -o FILE: standard output is the command's");
	if (s->record.interleave != NULL && s->record.repeat == 0)
		return usage_error(diag,
				   "--interleave alternates between two commands: use --repeat to "
				   "set the number of runs");
	if (s->record.duet && s->record.interleave != NULL)
		return usage_error(diag, "--duet and --interleave exclude each other");
	if (s->record.duet && s->record.kernel)
		return usage_error(
			diag,
			"--duet cannot be combined with --kernel: tracing takes a while to begin");
	if (s->record.calls > 0 && outfile_is_special(s->output))
		return usage_error(diag,
				   "--calls needs -o FILE to be a file: the per-call records are "
				   "written next to it");
	if (s->record.causes != NULL && s->record.functions == NULL)
		return usage_error(diag,
				   "--causes needs --functions: it keeps the calls of functions");
	if (s->record.causes != NULL && outfile_is_special(s->output))
		return usage_error(
			diag, "--causes needs -o FILE to be a file: the tree is written beside it");
	if (s->record.kernel && s->record.calls == 0 &&
	    (s->record.functions != NULL || s->record.by != 0 || s->record.subtract))
		return usage_error(
			diag,
			"--kernel cannot be combined with --functions, --by, --subtract-overhead");
	return true;
}

/* Ends the first command at "--", where the second one begins. */
static bool split_commands(struct settings *s, struct side *side)
{
	for (size_t i = 1; i + 1 < s->options.load.n_operands; i++) {
		if (strcmp(s->options.load.operand[i], "--") == 0) {
			s->options.load.operand[i] = NULL;
			side[1].argv = s->options.load.operand + i + 1;
			return true;
		}
	}
	return false;
}

/* Five duets, with intervals, so that only the time in which both ran is compared. */
static void complete_duet(struct recording *r)
{
	r->repeat = r->repeat > 0 ? r->repeat : 5;
	r->interval = r->interval > 0 ? r->interval : 1;
}

static enum exit_status record_all(struct context *cx, struct settings *s, struct side *side)
{
	bool both = s->record.duet || s->record.interleave != NULL;
	enum exit_status result = EXIT_ERROR;
	int status = 0;

	if (both && !split_commands(s, side)) {
		(void)usage_error(cx->diag, "--interleave and --duet take two commands: "
					    "-- COMMAND... -- COMMAND...");
		return result;
	}
	if (s->record.duet && !make_folder(s->output, s->force, cx->diag))
		return result;
	if (s->record.calls > 0)
		sites_check(cx->diag);
	if (s->record.repeat > 0)
		result = record_runs(cx, s, side, both ? 2 : 1, &status);
	else
		result = record_single(cx, s, side[0].argv, &status);
	return result == EXIT_OK ? (enum exit_status)status : result;
}

static enum exit_status run_record(struct context *cx, const struct settings *given)
{
	struct settings s = *given;
	struct side side[2] = { { s.options.load.operand, s.output, NULL },
				{ NULL, s.record.interleave, NULL } };
	char *folder[2] = { NULL, NULL };
	enum exit_status result;

	s.record.interval = s.options.load.read.build.interval;
	s.record.resolution = s.options.load.read.resolution;
	if (!check_settings(&s, cx->diag))
		return EXIT_ERROR;
	if (s.record.duet) {
		complete_duet(&s.record);
		side[0].output = folder[0] = join_tail(s.output, "/before");
		side[1].output = folder[1] = join_tail(s.output, "/after");
	}
	result = record_all(cx, &s, side);
	free(folder[0]);
	free(folder[1]);
	return result;
}

const struct command command_record = {
	.id = COMMAND_record,
	.name = "record",
	.operands = "-o OUT -- COMMAND...",
	.summary = "Run a command and profile its calls",
	.min_operands = 1,
	.max_operands = MANY_OPERANDS,
	.takes_command = true,
	.run = run_record,
};
