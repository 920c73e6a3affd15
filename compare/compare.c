/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "analyze/rank/likeness.h"
#include "base/arena.h"
#include "base/diag.h"
#include "compare/cautions.h"
#include "compare/compare_options.h"
#include "load/hosts_load.h"
#include "load/load_options.h"
#include "load/sidecar.h"

struct rank_side side_of_run(const struct run *run)
{
	return (struct rank_side){ run->profile, run->totals, run->n_runs };
}

/* Finds when the first and the last file of a side were written, in seconds; false when that is
 * not known. */
static bool files_written(const struct loaded *l, double *first, double *last)
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

/* Seconds; files written within less were probably copied, and their times mean nothing. */
static const double min_span = 1;

static bool were_blocked(const struct compared *c)
{
	double first[2], last[2];

	if (c->runs.order_used)
		return c->runs.order_blocked;
	if (!files_written(&c->before, &first[0], &last[0]) ||
	    !files_written(&c->after, &first[1], &last[1]))
		return false;
	if (last[0] - first[0] < min_span || last[1] - first[1] < min_span)
		return false;
	return last[0] < first[1] || last[1] < first[0];
}

static void report_order(const struct compared *c, struct diag *diag)
{
	if (were_blocked(c))
		diag_plain(diag, DIAG_RUNS_BLOCKED,
			   "drift of the machine would look like a change; interleave the runs");
}

void report_drift(const char *path, const struct drift *d, struct diag *diag)
{
	if (d->found)
		diag_plain(diag, DIAG_RUNS_DRIFT,
			   "%s: %s by %.0f %% over its runs (p %.2g); interleave the runs of the "
			   "sides",
			   path, d->correlation > 0 ? "slower" : "faster",
			   100 * (exp2(d->range) - 1), d->p);
}

static void judge_hosts(struct compared *c, const struct compare_options *how)
{
	const struct profile *before = c->before.profile, *after = c->after.profile;

	c->runs = hosts_judge(c->arena, before, after, c->differences, &c->rules, &how->runs,
			      &c->ranking);
	c->hosts = hosts_find(c->arena, before, after, c->differences, &how->runs, &c->ranking);
	c->comparison.runs = &c->runs;
	c->comparison.hosts = &c->hosts;
}

static void judge_runs(struct compared *c, const struct compare_options *how, struct diag *diag)
{
	struct runs_side before = loaded_runs(&c->before), after = loaded_runs(&c->after);

	if (!runs_can_judge(before.n, after.n) &&
	    !(loaded_baseline(&c->before) != NULL && runs_can_predict(before.n)))
		return;
	c->runs = runs_judge(c->arena, &before, &after, &c->rules, &how->runs, NULL, &c->ranking);
	c->comparison.runs = &c->runs;
	c->comparison.each_before = before;
	c->comparison.each_after = after;
	report_order(c, diag);
	report_drift(c->before.run.path, &c->runs.drift_before, diag);
	report_drift(c->after.run.path, &c->runs.drift_after, diag);
}

/* Says how to compare the only operations of two sides, which may not be the same. */
static void report_only_ones(const struct compared *c, struct diag *diag)
{
	const struct profile *before = c->before.profile, *after = c->after.profile;

	diag_plain(diag, DIAG_RUNS_UNLIKE,
		   "%.*s is before, %.*s after; use --rename to compare one with the other",
		   STR_ARG(before->op[0].name), STR_ARG(after->op[0].name));
}

static void report_unlike_sides(const struct compared *c, struct diag *diag)
{
	struct likeness l = likeness_of(c->before.profile, c->after.profile);

	/* For a baseline, find_cautions() does this. */
	if (c->comparison.baseline != NULL || !likeness_is_low(&l) || c->rules.n_renames > 0)
		return;
	if (l.shared == 0 && c->before.profile->n_ops == 1 && c->after.profile->n_ops == 1)
		report_only_ones(c, diag);
	else
		diag_plain(diag, DIAG_RUNS_UNLIKE,
			   "%zu of %zu operations are on both sides, with %.0f %% of the latency "
			   "before and %.0f %% after",
			   l.shared, l.of, 100 * (isnan(l.own) ? 0 : l.own),
			   100 * (isnan(l.theirs) ? 0 : l.theirs));
}

static struct comparison comparison_of(const struct compared *c, const struct compare_options *how)
{
	return (struct comparison){
		.before = c->before.run,
		.after = c->after.run,
		.ranking = &c->ranking,
		.baseline = loaded_baseline(&c->before),
		.metric = c->rules.metric,
		.show = show_options_default(),
		.rules = &c->rules,
		.policy_path = how->policy_path,
		.fails = how->gate == GATE_ANY ? VERDICTS_ANY : VERDICTS_REGRESSED,
		.gated = how->gate != GATE_OFF || how->policy_path != NULL,
	};
}

static bool rank_sides(struct compared *c, struct diag *diag)
{
	struct rank_side before = side_of_run(&c->before.run), after = side_of_run(&c->after.run);

	return rank(c->arena, &before, &after, &c->rules, &c->ranking, diag);
}

bool compare_runs(struct compared *ret, const struct load_options *q,
		  const struct compare_options *how, struct diag *diag)
{
	*ret = (struct compared){ .arena = NULL };
	if (!policy_load(&ret->policy, how->policy_path, q->max_input, diag))
		return false;
	if (q->by_host ? !hosts_load(&ret->before, &ret->after, &ret->differences, q, diag)
		       : !load_sides(&ret->before, &ret->after, q, diag)) {
		policy_release(&ret->policy);
		return false;
	}
	ret->n_cautions = 0;
	ret->rules = how->rules;
	ret->rules.policy = ret->policy.policy;
	ret->arena = arena_new();
	if (!rank_sides(ret, diag)) {
		compared_release(ret);
		return false;
	}
	if (ret->ranking.approximated)
		diag_plain(diag, DIAG_APPROXIMATED,
			   "the two runs have different buckets; calls were spread evenly in each");
	ret->comparison = comparison_of(ret, how);
	/* If operations were chosen, the policy may name others without being wrong. */
	if (q->op == NULL && q->layer == NULL) {
		report_unlike_sides(ret, diag);
		policy_warn(&ret->policy, &ret->ranking, diag);
	}
	if (!(how->rules.threshold == HUGE_VAL)) { /* otherwise nothing is judged */
		if (q->by_host)
			judge_hosts(ret, how);
		else
			judge_runs(ret, how, diag);
		find_cautions(ret);
	}
	return true;
}

bool compare_annotations(struct compared *c, const struct load_options *q, struct diag *diag)
{
	c->sidecar = sidecar_path(q);
	c->annotations = sidecar_load(c->sidecar, q, diag);
	c->comparison.annotations = c->annotations;
	return c->annotations != NULL;
}

void compared_release(struct compared *c)
{
	annotations_free(c->annotations);
	free(c->sidecar);
	loaded_release(&c->before);
	loaded_release(&c->after);
	profile_free(c->differences);
	policy_release(&c->policy);
	arena_free(c->arena);
}
