/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plotting/commands/figures_all.h"

#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/out.h"
#include "base/outfile.h"
#include "report/page/figures.h"

enum { MAX_LETTERS = 40 /* of a name in a file's name */ };

/* A folder that is being written. */
struct folder {
	struct arena *a;
	const char *path;
	const struct figure_target *target;
	struct figure_file *file;
	struct figure *figure;
	struct drawn *drawn;
	size_t n;
};

static const char *in_folder(const struct folder *f, const char *name)
{
	size_t n = strlen(f->path);
	bool slash = n > 0 && f->path[n - 1] == '/';

	return arena_printf(f->a, "%s%s%s", f->path, slash ? "" : "/", name).p;
}

/* Returns a file name without suffix, "01-lseek".  It has only characters that are safe on any
 * file system and in any page; the number makes it unique. */
static struct str file_stem(struct arena *a, struct str name, size_t number, size_t n)
{
	struct str s = arena_printf(a, "%0*zu-%.*s", n > 99 ? 4 : 2, number,
				    (int)(name.n < MAX_LETTERS ? name.n : MAX_LETTERS), name.p);
	char *letter = arena_make(a, char, s.n + 1);

	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		letter[i] = is_letter(c) || is_digit(c) || c == '.' || c == '-' ? c : '_';
	}
	return (struct str){ letter, s.n };
}

static void add_figure(struct folder *f, const struct figure *figure, struct str stem)
{
	const struct terminal *t = f->target->look.terminal;
	struct drawn *d = &f->drawn[f->n];

	f->figure[f->n] = *figure;
	d->file = arena_printf(f->a, "%.*s.%s", STR_ARG(stem), t->name).p;
	d->script = arena_printf(f->a, "%.*s.gp", STR_ARG(stem)).p;
	d->caption = figure->caption;
	d->is_image = t->shown;
	f->file[f->n] =
		(struct figure_file){ .path = in_folder(f, d->file), .figure = &f->figure[f->n] };
	f->n++;
}

/* The operations with a figure of their own: the reported ones, which are the first, or of a run
 * that is not compared those that were chosen. */
static const struct plotted_op *operations_of(const struct plotted *p, size_t *ret_n)
{
	*ret_n = p->compared != NULL ? p->compared->ranking.n_reported : p->subject.n_ops;
	return p->compared != NULL ? p->op : p->subject.op;
}

static bool add_operations(struct folder *f, struct plotted *p, const struct plotted_op *op,
			   size_t n, const struct figure_kind *kind, struct diag *diag)
{
	for (size_t i = 0; i < n; i++) {
		struct figure figure;

		p->subject.op = &op[i];
		p->subject.n_ops = 1;
		if (!kind->build(f->a, &p->subject, &figure)) {
			diag_plain(diag, DIAG_NOTHING_TO_DRAW, "%s", kind->lacks);
			return false;
		}
		add_figure(f, &figure, file_stem(f->a, op[i].name, i + 1, n));
	}
	return true;
}

static bool add_overview(struct folder *f, struct plotted *p)
{
	bool compared = p->compared != NULL;
	struct figure figure;

	p->subject.op = p->op;
	p->subject.n_ops = p->n_ops;
	if (compared ? !figure_ranking(f->a, &p->subject, &figure)
		     : !figure_mix(f->a, &p->subject, &figure))
		return false;
	add_figure(f, &figure, compared ? STR("ranking") : STR("mix"));
	return true;
}

/* Writes the page last, so that it never refers to missing figures. */
static bool write_page(const struct folder *f, const struct plotted *p, const struct plotted_op *op,
		       bool has_overview, struct diag *diag)
{
	const struct drawn *overview = has_overview ? &f->drawn[0] : NULL;
	const struct drawn *of = &f->drawn[has_overview];
	size_t n = f->n - has_overview;
	struct str *name = arena_make(f->a, struct str, n + 1);
	struct outfile file;

	if (!outfile_open(&file, in_folder(f, "index.html"), f->target->force, NULL, diag))
		return false;
	for (size_t i = 0; i < n; i++)
		name[i] = plotted_name(f->a, &op[i]);
	if (p->compared != NULL)
		figures_html(file.out, &p->compared->comparison, overview, of, n);
	else
		figures_run_html(file.out, p->subject.run[0].title, overview, of, name, n);
	return outfile_commit(&file, diag);
}

bool figures_all(struct plotted *p, const struct figure_kind *kind,
		 const struct figure_target *target, const char *path, struct diag *diag)
{
	struct folder f = { .a = p->arena, .path = path, .target = target };
	const struct plotted_op *op;
	bool has_overview;
	size_t n;

	op = operations_of(p, &n);
	f.file = arena_make(f.a, struct figure_file, p->n_ops + 1);
	f.figure = arena_make(f.a, struct figure, p->n_ops + 1);
	f.drawn = arena_make(f.a, struct drawn, p->n_ops + 1);
	has_overview = add_overview(&f, p);
	return add_operations(&f, p, op, n, kind, diag) && outfile_make_folder(path, diag) &&
	       figures_write(target, f.file, f.n, diag) &&
	       write_page(&f, p, op, has_overview, diag);
}
