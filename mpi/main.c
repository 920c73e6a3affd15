/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * osprof-mpi: merge and convert, with the processes of an MPI job.
 *
 * Inputs are grouped into units by their host, so that duplicates of an interval meet in one
 * unit.  One process merges a unit; a checkpoint is the sum of a unit.  The sums are merged
 * along a binomial tree, sent as osprof(5).  The result has the same bytes however the work is
 * divided (profile/merge.h).
 */
#include <mpi.h>

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include <gsl/gsl_errno.h>

#include "base/diag.h"
#include "base/out.h"
#include "base/outfile.h"
#include "base/xalloc.h"
#include "mpi/jobs.h"
#include "mpi/tree.h"
#include "profile/profile.h"
#include "program/command.h"
#include "program/messages.h"
#include "program/write.h"

static const struct command commands[] = {
	{ .name = "osprof-mpi merge",
	  .operands = "IN... -o OUT",
	  .summary = "Add profiles up",
	  .max_operands = MANY_OPERANDS,
	  .alone = true,
	  .id = COMMAND_mpi_merge },
	{ .name = "osprof-mpi convert",
	  .operands = "IN... -o OUT",
	  .summary = "Individual samples to one profile",
	  .min_operands = 1,
	  .max_operands = MANY_OPERANDS,
	  .alone = true,
	  .id = COMMAND_mpi_convert },
};

/* The first process writes the sum of all.  Returns false in all if that fails. */
static bool write_sum(struct context *cx, const struct settings *s, struct profile *own)
{
	struct profile *sum;
	int ok;

	if (!tree_sum(own, &sum, cx->diag))
		return false;
	ok = sum == NULL || jobs_finish(cx, s, sum);
	profile_free(sum);
	(void)MPI_Bcast(&ok, 1, MPI_INT, 0, MPI_COMM_WORLD);
	return ok != 0;
}

static enum exit_status run_jobs(struct context *cx, const struct settings *s, bool converts)
{
	struct profile *own = converts ? jobs_convert(s, cx->diag) : jobs_merge(s, cx->diag);

	return tree_all(own != NULL) ? (write_sum(cx, s, own) ? EXIT_OK : EXIT_ERROR)
				     : (profile_free(own), EXIT_ERROR);
}

static enum exit_status usage_error(struct context *cx, int rank)
{
	if (rank == 0)
		diag_plain(cx->diag, DIAG_USAGE, "osprof-mpi merge|convert IN... -o OUT");
	return EXIT_ERROR;
}

static enum exit_status dispatch_command(struct context *cx, struct messages_out *m, int argc,
					 char **argv, int rank)
{
	const struct command *c = NULL;
	enum exit_status status = EXIT_ERROR;
	struct diag silent = { 0 };
	struct settings s;

	for (size_t i = 0; argc > 1 && i < COUNT_OF(commands); i++) {
		if (strcmp(argv[1], strrchr(commands[i].name, ' ') + 1) == 0)
			c = &commands[i];
	}
	if (argc > 1 && strcmp(argv[1], "--version") == 0) {
		if (rank == 0)
			out_text(cx->out, "osprof-mpi " OSPROF_VERSION "\n");
		return EXIT_OK;
	}
	if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
		for (size_t i = 0; rank == 0 && i < COUNT_OF(commands); i++)
			command_help(cx->out, &commands[i]);
		return EXIT_OK;
	}
	if (c == NULL)
		return usage_error(cx, rank);
	/* Errors in the command line are the same everywhere: only the first process reports. */
	if (settings_parse(&s, c, argc - 1, argv + 1, rank == 0 ? cx->diag : &silent)) {
		m->quiet = s.quiet;
		if (s.help && rank == 0)
			command_help(cx->out, c);
		status = s.help ? EXIT_OK : run_jobs(cx, &s, c == &commands[1]);
	}
	settings_release(&s);
	return status;
}

int main(int argc, char **argv)
{
	struct messages_out messages = { .quiet = false };
	struct diag diag = { .emit = messages_print, .ctx = &messages };
	struct context cx = { .out = out_to_file(stdout), .diag = &diag };
	enum exit_status status;
	int rank;

	if (MPI_Init(&argc, &argv) != MPI_SUCCESS)
		return EXIT_ERROR;
	(void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	xalloc_keep();
	(void)setlocale(LC_CTYPE, "");
	(void)gsl_set_error_handler_off();
	status = dispatch_command(&cx, &messages, argc, argv, rank);
	messages_report_more(&messages);
	if (!outfile_close_standard(cx.out, &diag))
		status = EXIT_ERROR;
	(void)MPI_Finalize();
	return (int)status;
}
