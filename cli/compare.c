/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/compare.h"

#include <math.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/diag.h"
#include "cli/settings.h"

static struct rank_side side_of(const struct run *run)
{
	return (struct rank_side){ run->profile, run->totals, run->n_runs };
}

/* When the first and the last file of a side were written, in seconds. */
static bool written(const struct loaded *l, double *first, double *last)
{
	*first = HUGE_VAL;
	*last = -HUGE_VAL;
	for (size_t i = 0; i < l->n_files; i++) {
		struct stat st;
		double at;

		if (stat(l->file[i], &st) != 0)
			return false;
		at = (double)st.st_mtim.tv_sec + 1e-9 * (double)st.st_mtim.tv_nsec;
		*first = fmin(*first, at);
		*last = fmax(*last, at);
	}
	return true;
}

/* Files that were copied all have the same time: they say nothing. */
static const double least_span = 1;

static void tell_order(const struct compared *c, struct diag *diag)
{
	double first[2], last[2];

	if (!written(&c->before, &first[0], &last[0]) || !written(&c->after, &first[1], &last[1]))
		return;
	if (last[0] - first[0] < least_span || last[1] - first[1] < least_span)
		return;
	if (last[0] < first[1] || last[1] < first[0])
		diag_plain(diag, DIAG_RUNS_BLOCKED,
			   "a machine that drifts looks like a change then; take turns");
}

static void tell_drift(const char *path, const struct drift *d, struct diag *diag)
{
	if (d->found)
		diag_plain(diag, DIAG_RUNS_DRIFT,
			   "%s: %s by %.0f %% over its runs (p %.2g); take turns between the sides",
			   path, d->correlation > 0 ? "slower" : "faster",
			   100 * (exp2(d->range) - 1), d->p);
}

static void tell_common(const struct runs_judgement *r, struct diag *diag)
{
	if (r->common_differs)
		diag_plain(diag, DIAG_COMMON_SHIFT,
			   "%s by %.0f %% after (p %.2g); each operation is judged against that",
			   r->common > 0 ? "slower" : "faster",
			   100 * (r->common > 0 ? exp2(r->common) - 1 : 1 - exp2(r->common)),
			   r->common_p);
}

static void judge_runs(struct compared *c, const struct settings *s, struct diag *diag)
{
	struct runs_side before = { (const struct profile *const *)c->before.single,
				    c->before.n_files };
	struct runs_side after = { (const struct profile *const *)c->after.single,
				   c->after.n_files };

	if (!runs_can_judge(before.n, after.n))
		return;
	c->runs = runs_judge(&before, &after, &s->rules, &s->runs, &c->ranking);
	c->comparison.runs = &c->runs;
	tell_order(c, diag);
	tell_drift(c->before.run.path, &c->runs.drift_before, diag);
	tell_drift(c->after.run.path, &c->runs.drift_after, diag);
	tell_common(&c->runs, diag);
}

bool compare_sides(struct compared *ret, const struct settings *s, struct diag *diag)
{
	struct rank_side before, after;

	if (!load_sides(&ret->before, &ret->after, s, diag))
		return false;
	before = side_of(&ret->before.run);
	after = side_of(&ret->after.run);
	ret->arena = arena_new();
	if (!rank(ret->arena, &before, &after, &s->rules, &ret->ranking, diag)) {
		compared_release(ret);
		return false;
	}
	if (ret->ranking.approximated)
		diag_plain(diag, DIAG_APPROXIMATED,
			   "the two runs have different buckets; calls were spread evenly in each");
	ret->comparison = (struct comparison){
		.before = ret->before.run,
		.after = ret->after.run,
		.ranking = &ret->ranking,
		.metric = s->rules.metric,
		.all = s->all,
	};
	judge_runs(ret, s, diag);
	return true;
}

void compared_release(struct compared *c)
{
	loaded_release(&c->before);
	loaded_release(&c->after);
	arena_free(c->arena);
}
