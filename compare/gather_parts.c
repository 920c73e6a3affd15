/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/gather_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/out.h"
#include "base/scan.h"
#include "base/xalloc.h"
#include "compare/file_list.h"
#include "profile/merge.h"
#include "profile/profile.h"

static struct str folder_of(const struct source *s)
{
	const char *slash = strrchr(s->file->path, '/');

	return slash != NULL ? (struct str){ s->file->path, (size_t)(slash - s->file->path) }
			     : STR("");
}

bool same_folder(const struct source *a, const struct source *b)
{
	return str_eq(folder_of(a), folder_of(b));
}

static bool is_read(const struct source *s)
{
	return s->named && s->read.profile != NULL;
}

static bool same_tool(const struct source *a, const struct source *b)
{
	return is_read(a) && is_read(b) && strcmp(a->name.tool, b->name.tool) == 0 &&
	       same_folder(a, b);
}

static bool same_names(const struct source *a, const struct source *b)
{
	return str_eq(a->name.stem, b->name.stem) && str_eq(a->name.run, b->name.run);
}

/* --- names ------------------------------------------------------------------------------ */

static void name_source(struct source *s)
{
	struct str path = str_from(s->file->path);

	for (size_t row = 0; row < run_file_rows() && !s->named; row++) {
		s->row = row;
		s->named = run_file_match(row, path, &s->name) && s->name.format != NULL &&
			   strcmp(s->name.format, s->read.profile->format) == 0;
	}
}

static void leave_out(struct source *s)
{
	profile_free(s->read.profile);
	s->read.profile = NULL;
	s->left_out = "the same calls as in other files";
}

/* Whether other files that were read hold the calls of s, too. */
static bool is_repeated(const struct sources *all, const struct source *s)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct source *other = &all->v[i];

		if (same_tool(other, s) && other->name.kind == RUN_FILE_PART &&
		    (same_names(other, s) || s->name.joins) &&
		    (s->name.layer.n == 0 || other->name.layer.n == 0 ||
		     str_eq(s->name.layer, other->name.layer)))
			return true;
	}
	return false;
}

/* --- groups ---------------------------------------------------------------------------- */

/* Whether two files with different stems are the same part, so that they cannot be of one run. */
static bool clash(const struct source *a, const struct source *b)
{
	return a->row == b->row && str_eq(a->name.part, b->name.part) &&
	       str_eq(a->name.layer, b->name.layer) && str_eq(a->name.run, b->name.run) &&
	       !str_eq(a->name.stem, b->name.stem);
}

/* Whether all files of a tool in a folder can be one run in spite of different stems. */
static bool is_one_run(const struct sources *all, const struct source *s)
{
	for (size_t i = 0; i < all->n; i++) {
		for (size_t k = 0; k < i; k++) {
			if (same_tool(&all->v[i], s) && same_tool(&all->v[k], s) &&
			    clash(&all->v[i], &all->v[k]))
				return false;
		}
	}
	return true;
}

static void find_group(struct sources *all, size_t i)
{
	struct source *s = &all->v[i];
	bool joined = is_read(s) && s->name.joins && is_one_run(all, s);

	s->group = i;
	for (size_t k = 0; k < i; k++) {
		if (same_tool(&all->v[k], s) && s->name.kind != RUN_FILE_REPORT &&
		    all->v[k].name.kind != RUN_FILE_REPORT &&
		    (joined || same_names(&all->v[k], s))) {
			s->group = all->v[k].group;
			return;
		}
	}
}

static size_t count_group(const struct sources *all, size_t group)
{
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++)
		n += is_read(&all->v[i]) && all->v[i].group == group;
	return n;
}

/* Whether the numbers in the names of a group count runs, not processes: 1, 2, 3 or 0, 1, 2, or
 * with leading zeros. */
static bool counts_runs(const struct sources *all, size_t group)
{
	uint64_t n, least = UINT64_MAX, most = 0;

	for (size_t i = 0; i < all->n; i++) {
		struct str part = all->v[i].name.part;

		if (!is_read(&all->v[i]) || all->v[i].group != group)
			continue;
		if ((part.n > 1 && part.p[0] == '0') || number_u64(part, &n) != NUMBER_OK)
			return true;
		least = n < least ? n : least;
		most = n > most ? n : most;
	}
	return least <= 1 && most - least + 1 == count_group(all, group);
}

static void part_runs(struct sources *all)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct source *s = &all->v[i];

		if (!is_read(s) || s->group != i || !s->name.processes || !counts_runs(all, i))
			continue;
		for (size_t k = all->n; k-- > i;) {
			if (is_read(&all->v[k]) && all->v[k].group == i)
				all->v[k].group = k;
		}
	}
}

/* Returns how many runs, or reports of runs, the tool of s has in the folder of s. */
static size_t count_runs(const struct sources *all, const struct source *s, bool reports)
{
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++)
		n += same_tool(&all->v[i], s) && all->v[i].group == i &&
		     (all->v[i].name.kind == RUN_FILE_REPORT) == reports;
	return n;
}

/* --- messages -------------------------------------------------------------------------- */

static void list_stems(struct out *list, const struct sources *all, const struct source *s)
{
	enum { MOST = 4 };
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct source *run = &all->v[i];

		if (!same_tool(run, s) || run->group != i || n++ >= MOST)
			continue;
		out_printf(list, "%s%.*s%s%.*s", n > 1 ? ", " : ": ", STR_ARG(run->name.stem),
			   run->name.run.n > 0 ? "." : "", STR_ARG(run->name.run));
	}
	if (n > MOST)
		out_text(list, ", ...");
}

/* Reports merged files, once for each tool and folder. */
void report_groups(const struct sources *all, struct diag *diag)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct source *s = &all->v[i];
		size_t n_files = 0, n_runs = count_runs(all, s, false);
		bool first = is_read(s) && s->name.kind != RUN_FILE_REPORT;
		struct out *list;

		for (size_t k = 0; k < all->n; k++) {
			n_files += same_tool(&all->v[k], s);
			first &= k >= i || !same_tool(&all->v[k], s);
		}
		if (!first || n_files <= n_runs)
			continue;
		list = out_to_memory();
		if (n_runs > 1)
			list_stems(list, all, s);
		out_char(list, '\0');
		diag_plain(diag, DIAG_RUN_FILES, "%.*s%s%zu files of %s are %s%.0zu%s%s",
			   STR_ARG(folder_of(s)), folder_of(s).n > 0 ? ": " : "", n_files,
			   s->name.tool, n_runs > 1 ? "" : "one run", n_runs > 1 ? n_runs : 0,
			   n_runs > 1 ? " runs" : "", out_memory(list).p);
		out_free(list);
	}
}

void group_sources(struct sources *all)
{
	for (size_t i = 0; i < all->n; i++) {
		if (all->v[i].read.profile != NULL)
			name_source(&all->v[i]);
	}
	for (size_t i = 0; i < all->n; i++) {
		if (is_read(&all->v[i]) && all->v[i].name.kind == RUN_FILE_AGAIN &&
		    is_repeated(all, &all->v[i]))
			leave_out(&all->v[i]);
	}
	for (size_t i = 0; i < all->n; i++)
		find_group(all, i);
	part_runs(all);
	for (size_t i = 0; i < all->n; i++) {
		struct source *s = &all->v[i];

		if (is_read(s) && s->name.kind == RUN_FILE_REPORT &&
		    count_runs(all, s, true) <= count_runs(all, s, false))
			leave_out(s);
	}
}

/* --- one run of a group ---------------------------------------------------------------- */

static bool in_group(const struct source *s, const struct source *first)
{
	return s == first || (is_read(s) && is_read(first) && s->group == first->group);
}

/* Finds whether files of the group differ in their layers, or have the same part with several
 * stems. */
static void compare_names(const struct sources *all, const struct source *first, bool *ret_layers,
			  bool *ret_stems)
{
	*ret_layers = *ret_stems = false;
	for (size_t i = 0; i < all->n; i++) {
		const struct source *a = &all->v[i];

		if (!in_group(a, first))
			continue;
		for (size_t k = 0; k < i; k++) {
			const struct source *b = &all->v[k];

			if (!in_group(b, first))
				continue;
			*ret_layers |= !str_eq(a->name.layer, b->name.layer);
			*ret_stems |= a->row == b->row && !str_eq(a->name.stem, b->name.stem);
		}
	}
}

/* Adds to operations what distinguishes the names of their files. */
static void name_operations(struct source *s, bool layers, bool stems)
{
	struct profile *p = s->read.profile;
	struct str layer = s->name.layer;

	if (!layers && s->name.only_layer)
		layer.n = 0;
	for (size_t i = 0; i < p->n_ops; i++) {
		struct operation *op = &p->op[i];

		if (stems)
			op->name = arena_printf(p->arena, "%.*s/%.*s", STR_ARG(s->name.stem),
						STR_ARG(op->name));
		if (layer.n > 0 && op->layer.n == 0)
			op->layer = arena_str(p->arena, layer);
	}
}

bool merge_group(struct sources *all, size_t at, struct gathered_run *ret, struct diag *diag)
{
	const struct profile **part = xcalloc(all->n, sizeof(*part));
	struct source *first = &all->v[at];
	bool layers, stems;
	size_t n = 0;

	compare_names(all, first, &layers, &stems);
	for (size_t i = at; i < all->n; i++) {
		if (!in_group(&all->v[i], first))
			continue;
		if (all->v[i].named && all->v[i].name.kind != RUN_FILE_REPORT)
			name_operations(&all->v[i], layers, stems);
		part[n++] = all->v[i].read.profile;
	}
	ret->path = path_join(NULL, first->file->path);
	ret->profile = n > 1 ? profile_merge(part, n, diag) : first->read.profile;
	for (size_t i = all->n; n > 1 && i-- > at;) {
		if (in_group(&all->v[i], first)) {
			profile_free(all->v[i].read.profile);
			all->v[i].read.profile = NULL;
		}
	}
	first->read.profile = NULL;
	free(part);
	return ret->profile != NULL;
}
