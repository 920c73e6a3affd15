/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/gather.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag_kept.h"
#include "base/glob.h"
#include "base/input/input_file.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "formats/run_files.h"
#include "load/file_list.h"
#include "load/gather_parts.h"
#include "load/read_file.h"
#include "profile/profile.h"

enum { MAX_LISTED = 4 };

/* --- which files are read -------------------------------------------------------------- */

/* Documents and programs in a folder of runs may quote a run in their text, but are not runs. */
static bool is_document(struct str path)
{
	static const char *const names[] = {
		"*/README*",  "*/readme*", "*/LICENSE*", "*/COPYING*", "*/CHANGELOG*",
		"*/Makefile", "*.md",	   "*.rst",	 "*.adoc",     "*.org",
		"*.html",     "*.sh",	   "*.py",	 "*.bt",       "*.fio",
	};

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		if (glob_matches(names[i], path))
			return true;
	}
	return false;
}

static bool has_kind(const struct source *s, enum run_file_kind kind, const char *tool)
{
	struct run_file name;

	for (size_t row = 0; row < run_file_rows(); row++) {
		if (run_file_match(row, str_from(s->file->path), &name) && name.kind == kind &&
		    (tool == NULL || strcmp(name.tool, tool) == 0))
			return true;
	}
	return false;
}

/* Whether a file may, by its name, hold latencies that this tool measured. */
static bool may_be_of(const struct source *s, const char *tool)
{
	return !has_kind(s, RUN_FILE_OTHER, tool) &&
	       (has_kind(s, RUN_FILE_PART, tool) || has_kind(s, RUN_FILE_AGAIN, tool) ||
		has_kind(s, RUN_FILE_REPORT, tool));
}

/* Whether a file holds, by its name, no latencies, while other files of its tool in the folder
 * may. */
static bool is_companion(const struct sources *all, const struct source *s)
{
	struct run_file name;

	for (size_t row = 0; row < run_file_rows(); row++) {
		if (!run_file_match(row, str_from(s->file->path), &name) ||
		    name.kind != RUN_FILE_OTHER)
			continue;
		for (size_t i = 0; i < all->n; i++) {
			if (same_folder(&all->v[i], s) && may_be_of(&all->v[i], name.tool))
				return true;
		}
	}
	return false;
}

/* --- what may be left out -------------------------------------------------------------- */

/* Whether names differ in their numbers only. */
static bool alike_but_for_digits(const char *a, const char *b)
{
	while (*a != '\0' && *b != '\0') {
		if (is_digit(*a) && is_digit(*b)) {
			a += strspn(a, "0123456789");
			b += strspn(b, "0123456789");
		} else if (*a++ != *b++) {
			return false;
		}
	}
	return *a == *b;
}

/* A file that is named like a run, or begins like one, was meant to be one. */
static bool resembles_a_run(const struct sources *all, const struct source *s)
{
	enum { TELLING = 8 }; /* a shorter common first line may be an accident */

	for (size_t i = 0; i < all->n; i++) {
		const struct source *run = &all->v[i];

		if (run->read.profile == NULL)
			continue;
		if (alike_but_for_digits(run->file->path, s->file->path) ||
		    (strlen(s->read.begin) >= TELLING &&
		     strcmp(run->read.begin, s->read.begin) == 0))
			return true;
	}
	return false;
}

static struct str suffix_of(const struct source *s)
{
	const char *slash = strrchr(s->file->path, '/');
	const char *dot = strrchr(slash != NULL ? slash : s->file->path, '.');

	return str_from(dot != NULL ? dot : "");
}

/* For a file without text, only the name can tell that it was meant to be a run. */
static bool has_suffix_of_a_run(const struct sources *all, const struct source *s)
{
	for (size_t i = 0; i < all->n; i++) {
		if (all->v[i].read.profile != NULL && str_eq(suffix_of(&all->v[i]), suffix_of(s)))
			return true;
	}
	return false;
}

/* Returns why a file that was not read may be left out; NULL: it may not. */
static const char *reason_to_skip(const struct sources *all, const struct source *s)
{
	bool part = has_kind(s, RUN_FILE_PART, NULL) || has_kind(s, RUN_FILE_AGAIN, NULL);
	bool found = s->file->found;

	switch (s->read.unread) {
	case UNREAD_EMPTY:
		return part || (found && !has_suffix_of_a_run(all, s)) ? "empty" : NULL;
	case UNREAD_BINARY:
		return found && !has_suffix_of_a_run(all, s) ? "binary" : NULL;
	case UNREAD_MEANS:
		return part ? "means instead of latencies" : NULL;
	case UNREAD_OTHER:
		return found && !resembles_a_run(all, s) ? s->read.what : NULL;
	case UNREAD_UNKNOWN:
		return found && !resembles_a_run(all, s) ? "no format recognised" : NULL;
	case UNREAD_DAMAGED:
	case UNREAD_FOLDER:
		break;
	}
	return NULL;
}

static size_t count_read(const struct sources *all)
{
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++)
		n += all->v[i].read.profile != NULL;
	return n;
}

/* Leaves out unread files where possible; false if none was read or one may not be left out. */
static bool settle_unread(struct sources *all)
{
	bool any = count_read(all) > 0, ok = any;

	for (size_t i = 0; i < all->n; i++) {
		struct source *s = &all->v[i];

		if (s->read.profile != NULL || s->left_out != NULL)
			continue;
		s->left_out = any ? reason_to_skip(all, s) : NULL;
		ok &= s->left_out != NULL;
	}
	return ok;
}

static void report_left_out(const struct sources *all, struct diag *diag)
{
	struct out *list = out_to_memory();
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		if (all->v[i].left_out != NULL && n++ < MAX_LISTED)
			out_printf(list, "%s%s (%s)", n > 1 ? ", " : "", all->v[i].file->path,
				   all->v[i].left_out);
	}
	if (n > MAX_LISTED)
		out_printf(list, " and %zu more", n - MAX_LISTED);
	out_char(list, '\0');
	if (n > 0)
		diag_plain(diag, DIAG_FILES_LEFT_OUT, "%s", out_memory(list).p);
	out_free(list);
}

/* --- reading --------------------------------------------------------------------------- */

/* Reads a file; its messages are kept until it is known whether it is left out.  False if it cannot
 * be left out although reading failed: there is no need to go on. */
static bool read_source(struct sources *all, struct source *s, const struct load_options *q,
			const struct read_options *options)
{
	struct diag later = { .emit = diag_keep, .ctx = &s->kept };

	memcpy(later.seen, all->seen, sizeof(later.seen));
	s->tried = true;
	if (s->file->memory != NULL)
		read_memory(&s->read, s->file->memory, q, options, &later);
	else
		read_file(&s->read, s->file->path, q, options, &later);
	memcpy(all->seen, later.seen, sizeof(later.seen));
	return s->read.profile != NULL ||
	       (s->read.unread != UNREAD_DAMAGED && s->read.unread != UNREAD_FOLDER);
}

static bool read_sources(struct sources *all, const struct load_options *q,
			 const struct read_options *options, bool documents)
{
	for (size_t i = 0; i < all->n; i++) {
		struct source *s = &all->v[i];
		bool document = s->file->found && is_document(str_from(s->file->path));

		if (document && !documents)
			s->left_out = "a document or a program";
		else if (all->n > 1 && is_companion(all, s))
			s->left_out = "no latencies";
		else if (!s->tried && !read_source(all, s, q, options))
			return false;
		else
			s->left_out = NULL;
	}
	return true;
}

static bool read_all(struct sources *all, const struct load_options *q,
		     const struct read_options *options)
{
	if (!read_sources(all, q, options, false))
		return false;
	if (count_read(all) == 0 && !read_sources(all, q, options, true))
		return false;
	return settle_unread(all);
}

/* Reports messages in the order of files, and one note about all files left out. */
static void report_sources(struct sources *all, struct diag *diag)
{
	for (size_t i = 0; i < all->n; i++) {
		if (all->v[i].left_out == NULL)
			diag_forward(&all->v[i].kept, diag);
	}
	report_left_out(all, diag);
}

static bool gather_sources(struct gathered *ret, struct sources *all, const struct load_options *q,
			   const struct read_options *options, struct diag *diag)
{
	struct gathered g;
	bool ok = read_all(all, q, options);

	if (ok && all->n > 0 && (all->n > 1 || all->v[0].file->found))
		group_sources(all);
	report_sources(all, diag);
	if (ok)
		report_groups(all, diag);
	g = (struct gathered){ .v = xcalloc(all->n, sizeof(*g.v)) };
	for (size_t i = 0; ok && i < all->n; i++)
		ok = all->v[i].read.profile == NULL || merge_group(all, i, &g.v[g.n++], diag);
	if (ok)
		*ret = g;
	else
		gathered_release(&g);
	return ok;
}

static bool gather_list(struct gathered *ret, const struct file_list *list,
			const struct load_options *q, const struct read_options *options,
			struct diag *diag)
{
	struct sources all = { .v = xcalloc(list->n, sizeof(*all.v)), .n = list->n };
	bool ok;

	memcpy(all.seen, diag->seen, sizeof(all.seen));
	for (size_t i = 0; i < list->n; i++)
		all.v[i].file = &list->v[i];
	ok = gather_sources(ret, &all, q, options, diag);
	for (size_t i = 0; i < list->n; i++) {
		profile_free(all.v[i].read.profile);
		diag_kept_release(&all.v[i].kept);
	}
	free(all.v);
	return ok;
}

bool gather(struct gathered *ret, char *const *operand, size_t n, const struct load_options *q,
	    const struct read_options *options, struct diag *diag)
{
	struct file_list list;
	bool ok = file_list_with_memory(&list, operand, n, q, diag) &&
		  gather_list(ret, &list, q, options, diag);

	file_list_release(&list);
	return ok;
}

/* --- files that are not in osprof(5) --------------------------------------------------- */

bool is_own_file(const char *path)
{
	enum { HEAD_BYTES = 4096 };
	struct diag silent = { 0 };
	struct input in;
	bool own;

	if (!input_begin(&in, path, HEAD_BYTES, HEAD_BYTES, NULL, &silent))
		return false;
	own = str_has_prefix(in.bytes, STR("osprof 1\n")) ||
	      str_has_prefix(in.bytes, STR("osprof 1."));
	input_release(&in);
	return own;
}

/* Whether a file in osprof(5) is read to recognise damaged runs among the other files: one of these
 * is named like it, or it is the first with its suffix. */
static bool shows_a_run(const struct file_list *l, const bool *own, size_t at)
{
	struct source this = { .file = &l->v[at] };
	bool first = true;

	for (size_t i = 0; i < l->n; i++) {
		struct source other = { .file = &l->v[i] };

		if (!own[i] && alike_but_for_digits(l->v[at].path, l->v[i].path))
			return true;
		first &= i >= at || !own[i] || !str_eq(suffix_of(&other), suffix_of(&this));
	}
	return first;
}

static void keep_rest(struct file_list *l, bool *own)
{
	bool *shows = xcalloc(l->n, sizeof(*shows));
	size_t kept = 0;

	for (size_t i = 0; i < l->n; i++)
		shows[i] = own[i] && shows_a_run(l, own, i);
	for (size_t i = 0; i < l->n; i++) {
		if (own[i] && !shows[i]) {
			free(l->v[i].path);
			continue;
		}
		own[kept] = own[i];
		l->v[kept++] = l->v[i];
	}
	l->n = kept;
	free(shows);
}

/* Removes the runs of files in osprof(5), which are read elsewhere. */
static void drop_own(struct gathered *g, const struct file_list *l, const bool *own)
{
	size_t kept = 0, at = 0;

	for (size_t i = 0; i < g->n; i++) {
		while (strcmp(l->v[at].path, g->v[i].path) != 0)
			at++;
		if (own[at]) {
			free(g->v[i].path);
			profile_free(g->v[i].profile);
		} else {
			g->v[kept++] = g->v[i];
		}
	}
	g->n = kept;
}

bool gather_rest(struct gathered *ret, const char *folder, const struct load_options *q,
		 const struct read_options *options, struct diag *diag)
{
	char *const operand[] = { path_join(NULL, folder) };
	struct file_list list;
	bool *own, ok = file_list_of(&list, operand, 1, diag);

	own = xcalloc(list.n + 1, sizeof(*own));
	for (size_t i = 0; i < list.n; i++)
		own[i] = is_own_file(list.v[i].path);
	keep_rest(&list, own);
	ok = ok && gather_list(ret, &list, q, options, diag);
	if (ok)
		drop_own(ret, &list, own);
	free(own);
	free(operand[0]);
	file_list_release(&list);
	return ok;
}

void gathered_release(struct gathered *g)
{
	for (size_t i = 0; i < g->n; i++) {
		free(g->v[i].path);
		profile_free(g->v[i].profile);
	}
	free(g->v);
	*g = (struct gathered){ NULL, 0 };
}
