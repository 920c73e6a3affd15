/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plotting/commands/figures.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/out.h"
#include "base/outfile.h"
#include "base/xalloc.h"
#include "plotting/commands/plotted.h"
#include "plotting/gnuplot.h"
#include "plotting/run.h"
#include "plotting/text.h"

/* --- names ------------------------------------------------------------------------------- */

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/* Returns the suffix without the dot; "" when there is none. */
static const char *suffix_of(const char *path)
{
	const char *dot = strrchr(base_of(path), '.');

	return dot != NULL && dot != base_of(path) ? dot + 1 : "";
}

static bool is_standard(const char *path)
{
	return path == NULL || strcmp(path, "-") == 0;
}

static bool is_script(const char *path)
{
	return !is_standard(path) && strcmp(suffix_of(path), "gp") == 0;
}

/* A figure that is written to a pipe or a device has no folder for its script. */
static bool has_script(const char *path)
{
	struct stat st;

	return !is_standard(path) && (stat(path, &st) != 0 || S_ISREG(st.st_mode));
}

/* Returns the path with another suffix; on the heap. */
static char *with_suffix(const char *path, const char *suffix)
{
	const char *old = suffix_of(path);
	size_t stem = strlen(path) - (old[0] != '\0' ? strlen(old) + 1 : 0);
	char *other = xcalloc(stem + strlen(suffix) + 2, 1);

	memcpy(other, path, stem);
	other[stem] = '.';
	strcpy(other + stem + 1, suffix);
	return other;
}

const struct terminal *figure_terminal_for(const char *path, struct diag *diag)
{
	const struct terminal *t;

	if (is_script(path))
		return terminal_at(0);
	if (terminal_by_name(str_from(suffix_of(path)), &t))
		return t;
	diag_plain(diag, DIAG_USAGE,
		   "%s: a figure's suffix is .png, .svg, .pdf, .eps, .tikz, .txt or .gp; "
		   "use --terminal for another kind",
		   path);
	return NULL;
}

/* --- one figure ---------------------------------------------------------------------------- */

/* A figure that is being drawn, with its open files. */
struct pending {
	const struct figure_file *file;
	struct outfile figure, script;
	char *script_path;
	struct out *run; /* the script that writes to standard output */
	bool open;
};

struct batch {
	struct pending *v;
	size_t n;
};

static void write_script(struct out *o, const struct figure_target *target, const struct figure *f,
			 const char *path)
{
	char *drawn = is_script(path) ? with_suffix(path, target->look.terminal->name) : NULL;

	gnuplot_script(o, f, &target->look, str_from(base_of(drawn != NULL ? drawn : path)));
	free(drawn);
}

/* Opens both files before gnuplot runs, so that errors are found early. */
static bool begin_files(struct pending *p, const struct figure_target *target, struct diag *diag)
{
	const char *path = p->file->path;

	p->run = out_to_memory();
	gnuplot_script(p->run, p->file->figure, &target->look, STR(""));
	p->script_path = has_script(path) ? with_suffix(path, "gp") : NULL;
	if (p->script_path != NULL) {
		if (!outfile_open(&p->script, p->script_path, target->force, NULL, diag))
			return false;
		write_script(p->script.out, target, p->file->figure, path);
	}
	if (!is_script(path) &&
	    !outfile_open(&p->figure, path, target->force, target->standard, diag)) {
		if (p->script_path != NULL)
			outfile_discard(&p->script);
		return false;
	}
	p->open = true;
	return true;
}

/* Keeps only the script. */
static bool keep_script(struct pending *p, struct diag *diag)
{
	if (!is_script(p->file->path))
		outfile_discard(&p->figure);
	p->open = false;
	return p->script_path == NULL || outfile_commit(&p->script, diag);
}

static bool keep_both(struct pending *p, struct str figure, struct diag *diag)
{
	p->open = false;
	out_bytes(p->figure.out, figure);
	if (p->script_path != NULL && !outfile_commit(&p->script, diag)) {
		outfile_discard(&p->figure);
		return false;
	}
	if (outfile_commit(&p->figure, diag))
		return true;
	/* A script without its figure is kept only if gnuplot failed. */
	if (p->script_path != NULL)
		(void)unlink(p->script_path);
	return false;
}

static bool take(void *ctx, size_t i, struct str figure, struct diag *diag)
{
	struct batch *b = ctx;

	return keep_both(&b->v[i], figure, diag);
}

/* --- all of them ---------------------------------------------------------------------------- */

static bool draw_batch(const struct figure_target *target, struct batch *b, struct diag *diag)
{
	const char *gnuplot = getenv("OSPROF_GNUPLOT");
	struct plot_runner runner = { .gnuplot = gnuplot != NULL && gnuplot[0] != '\0' ? gnuplot
										       : "gnuplot",
				      .at_once = target->at_once,
				      .ctx = b,
				      .take = take };
	struct plot_job *job = xcalloc(b->n, sizeof(*job));
	bool ok;

	for (size_t i = 0; i < b->n; i++)
		job[i] = (struct plot_job){ b->v[i].script_path != NULL ? b->v[i].script_path
									: "the script",
					    out_memory(b->v[i].run) };
	ok = plot_run(&runner, job, b->n, diag);
	free(job);
	return ok;
}

/* Writes figures in characters, which need neither gnuplot nor a script. */
static bool write_text(const struct figure_target *target, const struct figure_file *file, size_t n,
		       struct diag *diag)
{
	for (size_t i = 0; i < n; i++) {
		struct outfile to;

		if (!outfile_open(&to, file[i].path, target->force, target->standard, diag))
			return false;
		figure_text(to.out, file[i].figure, &target->look);
		if (!outfile_commit(&to, diag))
			return false;
	}
	return true;
}

bool figures_write(const struct figure_target *target, const struct figure_file *file, size_t n,
		   struct diag *diag)
{
	struct batch b = { .v = xcalloc(n, sizeof(*b.v)) };
	bool ok = true, scripts_only = n > 0 && is_script(file[0].path);

	if (target->look.terminal->gnuplot == NULL) {
		free(b.v);
		return write_text(target, file, n, diag);
	}
	while (b.n < n && ok) {
		b.v[b.n].file = &file[b.n];
		ok = begin_files(&b.v[b.n], target, diag);
		b.n++;
	}
	if (ok && !scripts_only)
		ok = draw_batch(target, &b, diag);
	for (size_t i = 0; i < b.n; i++) {
		if (b.v[i].open && !keep_script(&b.v[i], diag))
			ok = false;
		free(b.v[i].script_path);
		out_free(b.v[i].run);
	}
	free(b.v);
	return ok;
}

bool figure_of_operation(struct plotted *p, const struct operation *op, const char *path,
			 bool force, struct diag *diag)
{
	struct figure_target target = { .look = { .terminal = figure_terminal_for(path, diag) },
					.force = force,
					.at_once = 1 };
	struct figure figure;
	struct figure_file file = { path, &figure };

	if (target.look.terminal == NULL)
		return false;
	if (!plotted_choose_one(p, op) || !figure_histogram(p->arena, &p->subject, &figure)) {
		diag_plain(diag, DIAG_NOTHING_TO_DRAW, "%s: there is no such operation", path);
		return false;
	}
	return figures_write(&target, &file, 1, diag);
}
