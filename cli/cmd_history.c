/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analyze/history/history.h"
#include "analyze/rank/policy.h"
#include "base/diag.h"
#include "base/platform.h"
#include "base/xalloc.h"
#include "load/file_list.h"
#include "load/load.h"
#include "program/command.h"

/* --- finding the runs ------------------------------------------------------------------------ */

/* A run: a file, several files that a tool wrote for one run, or a folder. */
struct history_point {
	char *path;		 /* on the heap */
	struct profile *profile; /* NULL: not read yet */
};

struct runs {
	struct history_point *v;
	size_t n, cap;
};

static void add_point(struct runs *r, const char *path, struct profile *p)
{
	r->v = xgrow(r->v, &r->cap, r->n + 1, sizeof(*r->v));
	r->v[r->n++] = (struct history_point){ path_join(NULL, path), p };
}

/* A baseline is a point with several runs, and is read again when they are needed. */
static void add_gathered(struct runs *r, struct gathered *g)
{
	for (size_t i = 0; i < g->n; i++) {
		bool several = g->v[i].profile->baseline.n_runs > 0;

		add_point(r, g->v[i].path, several ? NULL : g->v[i].profile);
		if (!several)
			g->v[i].profile = NULL;
	}
	gathered_release(g);
}

static int by_name(const void *pa, const void *pb)
{
	const struct history_point *a = pa, *b = pb;

	return platform_natural_order(a->path, b->path);
}

/* Finds the runs that a glob of all names in the folder would match, in natural order. */
static bool find_in_folder(struct runs *r, char *folder, const struct settings *s,
			   struct diag *diag)
{
	struct gathered g = { .n = 0 };
	size_t n, n_files = 0;
	bool ok = true;
	char **path;

	if (!folder_entries(folder, &path, &n, diag))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (is_folder(path[i]))
			add_point(r, path[i], NULL);
		n_files += is_file(path[i]);
	}
	if (n_files > 0)
		ok = load_runs(&g, &folder, 1, &s->options.load, diag);
	if (ok)
		add_gathered(r, &g);
	for (size_t i = 0; i < n; i++)
		free(path[i]);
	free(path);
	qsort(r->v, r->n, sizeof(*r->v), by_name);
	return ok;
}

/* A folder that is the only operand holds the runs. */
static bool find_runs(struct runs *ret, const struct settings *s, struct diag *diag)
{
	if (s->options.load.n_operands == 1 && is_folder(s->options.load.operand[0]))
		return find_in_folder(ret, s->options.load.operand[0], s, diag);
	for (size_t i = 0; i < s->options.load.n_operands; i++)
		add_point(ret, s->options.load.operand[i], NULL);
	return true;
}

static void runs_release(struct runs *r)
{
	for (size_t i = 0; i < r->n; i++) {
		free(r->v[i].path);
		profile_free(r->v[i].profile);
	}
	free(r->v);
}

/* Shells sort matches of a pattern byte by byte: night-10 comes before night-2. */
static void report_order(const struct runs *r, struct diag *diag)
{
	size_t unnatural = 0;

	for (size_t i = 1; i < r->n; i++) {
		if (strcmp(r->v[i - 1].path, r->v[i].path) > 0)
			return;
		if (unnatural == 0 && platform_natural_order(r->v[i - 1].path, r->v[i].path) > 0)
			unnatural = i;
	}
	if (unnatural > 0)
		diag_plain(diag, DIAG_RUNS_ORDER,
			   "%s comes before %s: runs are taken in the order given; the folder "
			   "alone as operand puts them in natural order",
			   r->v[unnatural - 1].path, r->v[unnatural].path);
}

static bool enough_runs(const struct runs *r, struct diag *diag)
{
	if (r->n < HISTORY_FEWEST) {
		diag_plain(diag, DIAG_RUNS_TOO_FEW,
			   "%zu run%s; a history needs %d at least, and %d to see much; each file "
			   "or folder is a run, or each one in a folder that is the only operand",
			   r->n, r->n == 1 ? "" : "s", (int)HISTORY_FEWEST, (int)HISTORY_FEW);
		return false;
	}
	if (r->n < HISTORY_FEW)
		diag_plain(diag, DIAG_RUNS_FEW,
			   "%zu; with fewer than %d only large changes far from both ends are "
			   "found",
			   r->n, (int)HISTORY_FEW);
	report_order(r, diag);
	return true;
}

/* --- judging the runs ------------------------------------------------------------------------ */

static bool add_point_to(struct history *h, struct history_point *p, const struct settings *s,
			 struct diag *diag)
{
	struct loaded l;
	bool ok;

	if (p->profile != NULL)
		return history_add(h, p->path, p->profile, 1, diag);
	if (!load_run(&l, &p->path, 1, &s->options.load, diag))
		return false;
	report_unlike_files(&l, &s->options.load, diag);
	ok = history_add(h, p->path, l.profile, l.n_runs, diag);
	loaded_release(&l);
	return ok;
}

/* Keeps all operations until choose_findings(), since the others are evidence of the run effect. */
static bool add_runs(struct history *h, const struct runs *r, const struct settings *s,
		     struct diag *diag)
{
	struct settings unfiltered = *s;

	unfiltered.options.load.op = unfiltered.options.load.layer = NULL;
	for (size_t i = 0; i < r->n; i++) {
		if (!add_point_to(h, &r->v[i], &unfiltered, diag))
			return false;
	}
	return true;
}

static void choose_findings(struct history_findings *f, const struct settings *s, struct diag *diag)
{
	size_t kept = 0;

	f->n_reported = f->n_tested = 0;
	for (size_t i = 0; i < f->n; i++) {
		struct operation op = { .name = f->v[i].name, .layer = f->v[i].layer };

		if (!is_wanted(&op, &s->options.load))
			continue;
		f->n_reported += f->v[i].reported;
		f->n_tested += f->v[i].tested;
		f->v[kept++] = f->v[i];
	}
	f->n = kept;
	if (kept == 0)
		diag_plain(diag, DIAG_NOTHING_CHOSEN, "--op and --layer leave none");
}

static void warn_findings(const struct history_findings *f, struct diag *diag)
{
	if (f->dissimilar != NULL)
		report_unlike(f->dissimilar->name, &f->likeness, diag);
	if (f->approximated)
		diag_plain(diag, DIAG_APPROXIMATED,
			   "runs have different buckets; calls were spread evenly in each");
}

static struct history_rules rules_of(const struct settings *s)
{
	struct history_rules rules = history_rules_default;

	rules.runs.min_effect = s->options.compare.runs.min_effect;
	rules.runs.min_calls = s->options.compare.runs.min_calls;
	rules.min_share = s->options.compare.rules.min_share;
	return rules;
}

static enum exit_status judge_history(struct context *cx, const struct settings *s,
				      struct history *h)
{
	struct history_rules rules = rules_of(s);
	struct history_findings f = history_judge(h, &rules);
	struct history_report c = { .findings = &f,
				    .recent = s->recent,
				    .gated = s->options.compare.gate != GATE_OFF,
				    .all = s->options.show.all };

	warn_findings(&f, cx->diag);
	choose_findings(&f, s, cx->diag);
	c.failed = history_fails(
		&f, s->options.compare.gate == GATE_ANY ? VERDICTS_ANY : VERDICTS_REGRESSED,
		s->recent);
	for (size_t k = 0; k < cx->n_outputs; k++)
		report_history(cx->output[k].out, &cx->output[k].style, &c);
	return c.gated && c.failed ? EXIT_DIFFERS : EXIT_OK;
}

static enum exit_status run_history(struct context *cx, const struct settings *s)
{
	enum exit_status status = EXIT_ERROR;
	struct runs runs = { .n = 0 };
	struct history *h = history_new();

	if (find_runs(&runs, s, cx->diag) && enough_runs(&runs, cx->diag) &&
	    add_runs(h, &runs, s, cx->diag))
		status = judge_history(cx, s, h);
	history_free(h);
	runs_release(&runs);
	return status;
}

const struct command command_history = {
	.id = COMMAND_history,
	.name = "history",
	.operands = "FOLDER | RUN...",
	.summary = "Find change points in a series of runs",
	.min_operands = 1,
	.max_operands = MANY_OPERANDS,
	.output_formats = OUTPUT_FORMATS_TABLE | 1U << OUTPUT_FORMAT_HTML,
	.run = run_history,
};
