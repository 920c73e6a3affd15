/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analyze/history.h"
#include "analyze/policy.h"
#include "base/diag.h"
#include "base/xalloc.h"
#include "cli/command.h"
#include "cli/groups.h"
#include "cli/load.h"

/* --- which runs ------------------------------------------------------------------------------ */

/* Files and folders, one a run. */
struct runs {
	char **path; /* on the heap */
	size_t n;
};

static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* One folder as the only operand holds the runs: what a glob in it would name, though
 * in natural order. */
static bool find_runs(struct runs *ret, const struct settings *s, struct diag *diag)
{
	const char *folder = s->operand[0];

	if (s->n_operands == 1 && is_folder(folder))
		return folder_entries(folder, &ret->path, &ret->n, diag);
	ret->path = xcalloc(s->n_operands, sizeof(*ret->path));
	for (; ret->n < s->n_operands; ret->n++)
		ret->path[ret->n] = path_join(NULL, s->operand[ret->n]);
	return true;
}

static void runs_release(struct runs *r)
{
	for (size_t i = 0; i < r->n; i++)
		free(r->path[i]);
	free(r->path);
}

/* Shells sort what a pattern matches letter by letter: night-10 comes before night-2. */
static void tell_order(const struct runs *r, struct diag *diag)
{
	size_t unnatural = 0;

	for (size_t i = 1; i < r->n; i++) {
		if (strcmp(r->path[i - 1], r->path[i]) > 0)
			return;
		if (unnatural == 0 && strverscmp(r->path[i - 1], r->path[i]) > 0)
			unnatural = i;
	}
	if (unnatural > 0)
		diag_plain(diag, DIAG_RUNS_ORDER,
			   "%s stands before %s; they are taken in the order given; the folder "
			   "alone as operand puts them in natural order",
			   r->path[unnatural - 1], r->path[unnatural]);
}

static bool enough(const struct runs *r, struct diag *diag)
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
	tell_order(r, diag);
	return true;
}

/* --- judging them ---------------------------------------------------------------------------- */

/* Others are evidence of the common mode, so choosing leaves nothing out before. */
static bool add_runs(struct history *h, const struct runs *r, const struct settings *s,
		     struct diag *diag)
{
	struct settings unfiltered = *s;

	unfiltered.op = unfiltered.layer = NULL;
	for (size_t i = 0; i < r->n; i++) {
		struct loaded l;
		bool fine;

		if (!load_run(&l, &r->path[i], 1, &unfiltered, diag))
			return false;
		tell_unlike_files(&l, &unfiltered, diag);
		fine = history_add(h, r->path[i], l.profile, l.n_runs, diag);
		loaded_release(&l);
		if (!fine)
			return false;
	}
	return true;
}

static void choose(struct history_findings *f, const struct settings *s, struct diag *diag)
{
	size_t kept = 0;

	f->n_reported = f->n_tested = 0;
	for (size_t i = 0; i < f->n; i++) {
		struct operation op = { .name = f->v[i].name, .layer = f->v[i].layer };

		if (!is_wanted(&op, s))
			continue;
		f->n_reported += f->v[i].reported;
		f->n_tested += f->v[i].tested;
		f->v[kept++] = f->v[i];
	}
	f->n = kept;
	if (kept == 0)
		diag_plain(diag, DIAG_NOTHING_CHOSEN, "--op and --layer leave none");
}

static void warn(const struct history_findings *f, struct diag *diag)
{
	if (f->loner != NULL)
		tell_unlike(f->loner->name, &f->likeness, diag);
	if (f->approximated)
		diag_plain(diag, DIAG_APPROXIMATED,
			   "runs have different buckets; calls were spread evenly in each");
}

static struct history_rules rules_of(const struct settings *s)
{
	struct history_rules rules = history_rules_default;

	rules.runs.min_effect = s->runs.min_effect;
	rules.runs.min_calls = s->runs.min_calls;
	rules.min_share = s->rules.min_share;
	return rules;
}

static enum exit_status judge(struct context *cx, const struct settings *s, struct history *h)
{
	struct history_rules rules = rules_of(s);
	struct history_findings f = history_judge(h, &rules);
	struct chronicle c = {
		.findings = &f, .recent = s->recent, .gated = s->gate != GATE_OFF, .all = s->all
	};

	warn(&f, cx->diag);
	choose(&f, s, cx->diag);
	c.failed = history_fails(&f, s->gate == GATE_ANY ? VERDICTS_ANY : VERDICTS_REGRESSED,
				 s->recent);
	report_history(cx->out, &cx->style, &c);
	return c.gated && c.failed ? EXIT_DIFFERS : EXIT_FINE;
}

static enum exit_status run_history(struct context *cx, const struct settings *s)
{
	enum exit_status status = EXIT_TROUBLE;
	struct runs runs = { .n = 0 };
	struct history *h = history_new();

	if (find_runs(&runs, s, cx->diag) && enough(&runs, cx->diag) &&
	    add_runs(h, &runs, s, cx->diag))
		status = judge(cx, s, h);
	history_free(h);
	runs_release(&runs);
	return status;
}

static const enum option_id options[] = { OPT_ALL,	    OPT_EXIT_CODE,    OPT_RECENT,
					  OPT_MIN_EFFECT,   OPT_MIN_CALLS,    OPT_MIN_SHARE,
					  OPTIONS_CHOOSING, OPTIONS_PRINTING, OPTIONS_READING };

const struct command command_history = {
	.name = "history",
	.operands = "FOLDER | RUN...",
	.summary = "When operations changed, over many runs",
	.min_operands = 1,
	.max_operands = MANY_OPERANDS,
	.options = options,
	.n_options = COUNT_OF(options),
	.dresses = DRESSES_TABLE,
	.run = run_history,
};
