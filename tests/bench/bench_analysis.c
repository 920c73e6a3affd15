/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The analysis alone: two files are read once, then ranked again and again.
 *
 *	bench_analysis BEFORE AFTER
 *
 * prints `analysis_seconds X` for each round.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <gsl/gsl_errno.h>

#include "analyze/rank/rank.h"
#include "base/arena.h"
#include "base/input/input_file.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "formats/format.h"
#include "profile/profile.h"

enum { LIMIT = 1 << 30, ROUNDS = 11 };

static void emit(void *ctx, const struct diag_msg *msg)
{
	struct out *o = out_to_file(stderr);

	(void)ctx;
	diag_render(o, msg);
	if (!out_close(o))
		exit(2);
}

static struct profile *load(const char *path)
{
	struct diag diag = { .emit = emit };
	struct read_options options = { .resolution = 0 };
	struct profile *p;
	struct input in;

	if (!input_open(&in, path, LIMIT, &diag))
		exit(2);
	p = format_read(NULL, &in, &options, &diag);
	input_release(&in);
	if (p == NULL)
		exit(2);
	return p;
}

static double now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void rank_once(const struct profile *before, const struct profile *after)
{
	struct rank_side b = { before, totals_of(before), 1 }, c = { after, totals_of(after), 1 };
	struct rank_rules rules = rank_rules_default;
	struct diag diag = { .emit = emit };
	struct arena *arena = arena_new();
	struct ranking ranking;
	double start;

	rules.threads = (size_t)sysconf(_SC_NPROCESSORS_ONLN);
	start = now();
	if (!rank(arena, &b, &c, &rules, &ranking, &diag))
		exit(2);
	(void)printf("analysis_seconds %.6f\n", now() - start);
	arena_free(arena);
}

int main(int argc, char **argv)
{
	struct profile *before, *after;

	if (argc != 3)
		return 2;
	xalloc_keep(); /* as osprof does */
	(void)gsl_set_error_handler_off();
	before = load(argv[1]);
	after = load(argv[2]);
	for (int i = 0; i < ROUNDS; i++)
		rank_once(before, after);
	profile_free(before);
	profile_free(after);
	return 0;
}
