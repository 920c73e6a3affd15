/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/judged_labels.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/idle.h"
#include "analyze/rank/rank.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/xalloc.h"
#include "compare/compare.h"
#include "compare/compare_options.h"
#include "compare/policy_file.h"
#include "load/load.h"
#include "load/load_options.h"

/* The judging of a table: its runs, and what was found so far. */
struct labels_study {
	struct judged_labels *result;
	struct loaded *run; /* by number; the first n_loaded of them */
	size_t n_loaded;
	struct labelled *labelled;
	size_t n;
	struct rank_rules rules;
	struct diag *diag;
};

/* Returns a path of the table as a path from here, in the arena. */
static char *path_from_here(const struct labels *l, const char *table, struct str path)
{
	const char *slash = strrchr(table, '/');
	size_t n_folder = slash != NULL ? (size_t)(slash - table) + 1 : 0;

	if (str_has_prefix(path, STR("/")) || str_has_prefix(path, STR("example:")))
		n_folder = 0;
	path = arena_printf(l->arena, "%.*s%.*s", (int)n_folder, table, STR_ARG(path));
	return arena_copy(l->arena, path.p, path.n + 1, 1);
}

static bool load_labelled_runs(struct labels_study *s, const struct load_options *q)
{
	const struct labels *l = &s->result->labels;

	s->run = xcalloc(l->run.n, sizeof(*s->run));
	for (; s->n_loaded < l->run.n; s->n_loaded++) {
		char *path = path_from_here(l, q->operand[0], l->run.key[s->n_loaded]);

		if (!load_run(&s->run[s->n_loaded], &path, 1, q, s->diag))
			return false;
	}
	return true;
}

static bool is_named(const struct ranked *r, struct str name, bool bare)
{
	struct str own = ranked_operation(r)->name;

	return str_eq(own, name) || (bare && str_eq(idle_bare_name(own), name));
}

/* Finds the operation of a label: by its whole name, or else by that without the prefixes of
 * collectors.  NULL, after reporting it, if there is none, or several. */
static const struct ranked *labelled_operation(struct labels_study *s, const struct ranking *all,
					       const struct label *label)
{
	for (int bare = 0; bare < 2; bare++) {
		const struct ranked *found = NULL;
		size_t n = 0;

		for (size_t i = 0; i < all->n; i++) {
			if (is_named(&all->v[i], label->operation, bare)) {
				found = &all->v[i];
				n++;
			}
		}
		if (n == 1)
			return found;
		if (n > 1) {
			diag_part(s->diag, DIAG_LABEL_UNUSED, &s->result->labels.input,
				  label->where, "%zu operations have this name; left out", n);
			return NULL;
		}
	}
	diag_part(s->diag, DIAG_LABEL_UNUSED, &s->result->labels.input, label->where,
		  "neither run has it; left out");
	return NULL;
}

static void add_wrong(struct labels_study *s, const struct labelled_pair *pair,
		      const struct label *label, const struct ranked *r)
{
	struct accuracy_report *to = &s->result->report;
	const struct labels *l = &s->result->labels;

	to->wrong = arena_grow(l->arena, to->wrong, &s->result->cap_wrong, to->n_wrong + 1,
			       sizeof(*to->wrong));
	to->wrong[to->n_wrong++] = (struct misjudged){
		.before = l->run.key[pair->before],
		.after = l->run.key[pair->after],
		.operation = label->operation,
		.changed = label->truth == TRUTH_CHANGED,
		.verdict = r->verdict,
	};
}

static void judge_label(struct labels_study *s, const struct labelled_pair *pair,
			const struct label *label, const struct ranking *all)
{
	struct accuracy_report *counts = &s->result->report;
	const struct ranked *r;
	struct labelled *to;

	if (label->truth == TRUTH_UNSCORED) {
		counts->n_unscored++;
		return;
	}
	r = labelled_operation(s, all, label);
	if (r == NULL) {
		counts->n_missing++;
		return;
	}
	to = &s->labelled[s->n++];
	to->changed = label->truth == TRUTH_CHANGED;
	to->half = pair->half;
	to->reported = r->reported;
	for (size_t m = 0; m < N_METRICS; m++)
		to->metric[m] = rank_large_enough(r, all, &s->rules) ? r->metric[m] : 0;
	*(to->changed ? &counts->n_changed : &counts->n_same) += 1;
	if (to->reported != to->changed)
		add_wrong(s, pair, label, r);
}

static bool judge_pair(struct labels_study *s, const struct labelled_pair *pair)
{
	struct rank_side before = side_of_run(&s->run[pair->before].run);
	struct rank_side after = side_of_run(&s->run[pair->after].run);
	struct arena *a = arena_new();
	struct ranking all;
	bool ok = rank(a, &before, &after, &s->rules, &all, s->diag);

	for (size_t i = 0; ok && i < pair->n; i++)
		judge_label(s, pair, &pair->label[i], &all);
	arena_free(a);
	return ok;
}

static bool judge_pairs(struct labels_study *s)
{
	struct judged_labels *j = s->result;
	const struct labels *l = &j->labels;
	size_t n_labels = 0;

	for (size_t i = 0; i < l->n_pairs; i++)
		n_labels += l->pair[i].n;
	s->labelled = xcalloc(n_labels, sizeof(*s->labelled));
	for (size_t i = 0; i < l->n_pairs; i++)
		if (!judge_pair(s, &l->pair[i]))
			return false;
	if (s->n == 0) {
		diag_file(s->diag, DIAG_LABELS_NONE, &j->labels.input,
			  "no label that is changed or same names an operation of its runs");
		return false;
	}
	j->report.n_runs = l->run.n;
	j->report.n_pairs = l->n_pairs;
	j->report.n_accuracies = accuracy_measure(s->labelled, s->n, j->report.accuracy);
	return true;
}

static bool study(struct labels_study *s, const struct load_options *q,
		  const struct compare_options *how)
{
	struct policy_file policy;
	bool ok;

	if (!policy_load(&policy, how->policy_path, q->max_input, s->diag))
		return false;
	s->rules = how->rules;
	s->rules.policy = policy.policy;
	ok = load_labelled_runs(s, q) && judge_pairs(s);
	for (size_t i = 0; i < s->n_loaded; i++)
		loaded_release(&s->run[i]);
	free(s->run);
	free(s->labelled);
	policy_release(&policy);
	return ok;
}

bool judged_labels_measure(struct judged_labels *ret, const struct load_options *q,
			   const struct compare_options *how, struct diag *diag)
{
	struct labels_study s = { .result = ret, .diag = diag };

	*ret = (struct judged_labels){ .report.path = q->operand[0] };
	if (!labels_read(&ret->labels, q->operand[0], q->max_input, diag))
		return false;
	if (study(&s, q, how))
		return true;
	judged_labels_release(ret);
	return false;
}

void judged_labels_release(struct judged_labels *j)
{
	labels_release(&j->labels);
}
