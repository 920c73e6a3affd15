/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mpi/jobs.h"

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/diag.h"
#include "base/digest.h"
#include "base/out.h"
#include "base/outfile.h"
#include "base/xalloc.h"
#include "load/expected.h"
#include "load/file_list.h"
#include "load/fold.h"
#include "load/inputs.h"
#include "load/load.h"
#include "profile/merge.h"
#include "profile/profile.h"
#include "program/write.h"

enum { UNIT_FILES = 64 };

/* --- units ---------------------------------------------------------------------------- */

/* All inputs, and the unit that each belongs to; the same in all processes. */
struct plan {
	struct file_list list;
	struct file_list rests; /* folders, for their files in other formats than osprof(5) */
	uint32_t *unit;
	size_t n_units;
	int rank, size;
};

static uint64_t hash_of_host(const char *path)
{
	char *host = inputs_host_in(path);
	uint64_t hash = digest_more(DIGEST_START, host, strlen(host));

	free(host);
	return hash;
}

/* Each process reads the heads of some files, and tells the others. */
static void find_units(struct plan *p)
{
	size_t n = p->list.n;
	uint32_t *mine = xcalloc(n + 1, sizeof(*mine));

	p->unit = xcalloc(n + 1, sizeof(*p->unit));
	p->n_units = (n + UNIT_FILES - 1) / UNIT_FILES;
	for (size_t i = (size_t)p->rank; i < n; i += (size_t)p->size)
		mine[i] = (uint32_t)(hash_of_host(p->list.v[i].path) % p->n_units);
	(void)MPI_Allreduce(mine, p->unit, (int)n, MPI_UINT32_T, MPI_MAX, MPI_COMM_WORLD);
	free(mine);
}

/* Reports an input that not every process can read. */
static void report_once(const struct inputs *inputs, struct diag *diag)
{
	if (inputs->once != NULL && inputs->once_errno != 0)
		diag_plain(diag, DIAG_INPUT_UNREADABLE, "%s: %s", inputs->once,
			   strerror(inputs->once_errno));
	else
		diag_plain(diag, DIAG_USAGE,
			   "%s: inputs and their list have to be files that every process can read",
			   inputs->once != NULL ? inputs->once : inputs->load->files_from);
}

static bool plan_make(struct plan *p, const struct settings *s, struct diag *diag)
{
	struct inputs inputs;
	bool ok;
	char *path;

	*p = (struct plan){ .n_units = 0 };
	(void)MPI_Comm_rank(MPI_COMM_WORLD, &p->rank);
	(void)MPI_Comm_size(MPI_COMM_WORLD, &p->size);
	ok = inputs_open(&inputs, &s->options.load, diag);
	while (ok && (path = inputs_next(&inputs, diag)) != NULL) {
		struct file_list *to = inputs.is_rest ? &p->rests : &p->list;

		to->v = xgrow(to->v, &to->cap, to->n + 1, sizeof(*to->v));
		to->v[to->n++] = (struct listed){ .path = path };
	}
	ok = ok && !inputs.failed;
	if (ok && !inputs.can_come_back) {
		report_once(&inputs, diag);
		ok = false;
	}
	inputs_close(&inputs);
	return ok;
}

static void plan_release(struct plan *p)
{
	file_list_release(&p->list);
	file_list_release(&p->rests);
	free(p->unit);
}

/* --- checkpoints ---------------------------------------------------------------------- */

/* The name of a unit's checkpoint has a hash of its files' paths, sizes and times, and of the
 * options. */
static char *checkpoint_path(const struct settings *s, size_t unit, char **path, size_t n)
{
	uint64_t hash = digest_more(DIGEST_START, &n, sizeof(n));
	char name[64];

	for (size_t i = 0; i < n; i++) {
		struct stat st = { 0 };

		(void)stat(path[i], &st);
		hash = digest_more(hash, path[i], strlen(path[i]) + 1);
		hash = digest_more(hash, &st.st_size, sizeof(st.st_size));
		hash = digest_more(hash, &st.st_mtim, sizeof(st.st_mtim));
	}
	hash = digest_more(hash, &s->options.load.read.resolution,
			   sizeof(s->options.load.read.resolution));
	hash = digest_more(hash, &s->options.load.read.build.unit,
			   sizeof(s->options.load.read.build.unit));
	hash = digest_more(hash, s->options.load.expect != NULL ? "e" : "-", 1);
	hash = digest_more(hash, s->options.load.by_host ? "h" : "-", 1);
	(void)snprintf(name, sizeof(name), "unit-%06zu-%016llx.osprof", unit,
		       (unsigned long long)hash);
	return path_join(s->checkpoint, name);
}

static struct profile *read_checkpoint(const char *path)
{
	struct settings plain = { .options = { .load = { .max_input = SIZE_MAX } } };
	struct diag ignored = { 0 };
	struct stat st;

	return stat(path, &st) == 0 ? load_file(path, &plain.options.load, &plain.options.load.read,
						NULL, &ignored)
				    : NULL;
}

static bool write_checkpoint(const char *path, const struct profile *p, struct diag *diag)
{
	struct outfile file;

	if (!outfile_open(&file, path, true, NULL, diag))
		return false;
	if (format_by_name(STR("osprof"))->write(p, file.out, diag))
		return outfile_commit(&file, diag);
	outfile_discard(&file);
	return false;
}

/* --- merge ---------------------------------------------------------------------------- */

/* Merges the files of a unit. */
static struct profile *fold_unit(const struct settings *s, char **path, size_t n,
				 size_t *ret_n_skipped, struct diag *diag)
{
	struct settings unit = *s;

	unit.options.load.operand = path;
	unit.options.load.n_operands = n;
	unit.options.load.files_from = NULL;
	unit.options.load.threads = 1;
	return fold_inputs(&unit.options.load, ret_n_skipped, diag);
}

static struct profile *sum_of_unit(const struct settings *s, size_t unit, char **path, size_t n,
				   size_t *n_skipped, struct diag *diag)
{
	char *checkpoint = s->checkpoint != NULL ? checkpoint_path(s, unit, path, n) : NULL;
	struct profile *p = checkpoint != NULL ? read_checkpoint(checkpoint) : NULL;
	size_t skipped = 0;

	if (p == NULL) {
		p = fold_unit(s, path, n, &skipped, diag);
		/* A unit with skipped files gets no checkpoint: they must be reported again. */
		if (p != NULL && checkpoint != NULL && skipped == 0 &&
		    !write_checkpoint(checkpoint, p, diag)) {
			profile_free(p);
			p = NULL;
		}
	}
	*n_skipped += skipped;
	free(checkpoint);
	return p;
}

static struct profile *add_profile(struct profile *a, struct profile *b, struct diag *diag)
{
	const struct profile *both[] = { a, b };
	struct profile *sum = b != NULL ? profile_merge(both, 2, diag) : NULL;

	profile_free(a);
	profile_free(b);
	return sum;
}

/* Returns the inputs sorted by unit, in their order; those of unit u begin at start[u]. */
static char **by_unit(const struct plan *p, size_t *start)
{
	char **path = xcalloc(p->list.n + 1, sizeof(*path));
	size_t *next = xcalloc(p->n_units + 1, sizeof(*next));

	for (size_t i = 0; i < p->list.n; i++)
		start[p->unit[i] + 1]++;
	for (size_t u = 0; u < p->n_units; u++) {
		start[u + 1] += start[u];
		next[u] = start[u];
	}
	for (size_t i = 0; i < p->list.n; i++)
		path[next[p->unit[i]]++] = p->list.v[i].path;
	free(next);
	return path;
}

static struct profile *merge_units(const struct plan *p, const struct settings *s,
				   size_t *n_skipped, struct diag *diag)
{
	struct profile *sum = profile_new("merged");
	size_t *start = xcalloc(p->n_units + 1, sizeof(*start));
	char **path = by_unit(p, start);

	for (size_t unit = (size_t)p->rank; unit < p->n_units && sum != NULL;
	     unit += (size_t)p->size) {
		size_t n = start[unit + 1] - start[unit];

		if (n > 0)
			sum = add_profile(
				sum, sum_of_unit(s, unit, path + start[unit], n, n_skipped, diag),
				diag);
	}
	free(path);
	free(start);
	for (size_t i = (size_t)p->rank; i < p->rests.n && sum != NULL; i += (size_t)p->size) {
		struct settings rest = *s;
		size_t skipped = 0;

		rest.options.load.only_rest = true;
		sum = add_profile(sum, fold_unit(&rest, &p->rests.v[i].path, 1, &skipped, diag),
				  diag);
		*n_skipped += skipped;
	}
	return sum;
}

/* --skip-bad limits the number of all processes together. */
static bool skipped_too_many(size_t here, const struct settings *s, struct diag *diag)
{
	unsigned long long mine = here, all = 0;
	int rank;

	(void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	(void)MPI_Allreduce(&mine, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
	if (all > s->options.load.skip_bad && rank == 0 && s->options.load.skip_bad > 0)
		diag_plain(diag, DIAG_INPUT_UNREADABLE, "%llu inputs, and --skip-bad allows %zu",
			   all, s->options.load.skip_bad);
	return all > s->options.load.skip_bad;
}

struct profile *jobs_merge(const struct settings *s, struct diag *diag)
{
	struct profile *sum = NULL;
	size_t n_skipped = 0;
	struct plan plan;
	bool ok = plan_make(&plan, s, diag) &&
		  (s->checkpoint == NULL || outfile_make_folder(s->checkpoint, diag));
	int mine = ok, all = 0;

	(void)MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
	if (all != 0) {
		find_units(&plan);
		sum = merge_units(&plan, s, &n_skipped, diag);
		if (skipped_too_many(n_skipped, s, diag)) {
			profile_free(sum);
			sum = NULL;
		}
	}
	plan_release(&plan);
	return sum;
}

/* --- convert -------------------------------------------------------------------------- */

struct profile *jobs_convert(const struct settings *s, struct diag *diag)
{
	struct reading_options options;
	struct profile *sum;
	int rank, size;

	(void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	(void)MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (!reading_options_of(&s->options.load, &options, diag))
		return NULL;
	options.read.part = (size_t)rank;
	options.read.n_parts = (size_t)size;
	sum = profile_new("converted");
	for (size_t i = 0; i < s->options.load.n_operands && sum != NULL; i++)
		sum = add_profile(sum,
				  load_file(s->options.load.operand[i], &s->options.load,
					    &options.read, NULL, diag),
				  diag);
	reading_options_release(&options);
	return sum;
}

/* --- the result ------------------------------------------------------------------------- */

bool jobs_finish(struct context *cx, const struct settings *s, struct profile *sum)
{
	expected_report(sum, cx->diag);
	choose_operations(sum, &s->options.load, cx->diag);
	return write_profile(cx, s, sum) == EXIT_OK;
}
