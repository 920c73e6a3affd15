/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/values_found.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/xalloc.h"
#include "load/file_list.h"
#include "load/load.h"
#include "profile/merge.h"
#include "profile/variables.h"

/* Resolution: with 1, peaks a factor of two apart would hardly be separate. */
enum { FINER = 4 };
/* Most operations of a value profile; each has a column of a table. */
enum { MAX_GROUPS = 256 };

/* Reads one file after the other, as variables are kept in the order of calls. */
static bool read_files(const struct file_list *files, const struct load_options *q,
		       struct profile **ret, size_t *ret_n, struct diag *diag)
{
	struct reading_options options;
	bool ok = reading_options_of(q, &options, diag);

	if (!ok)
		return false;
	for (size_t i = 0; ok && i < files->n; i++) {
		variables_next_run(q->read.variables);
		ret[i] = load_file(files->v[i].path, q, &options.read, NULL, diag);
		ok = ret[i] != NULL;
		*ret_n += ok;
	}
	reading_options_release(&options);
	return ok;
}

static struct profile *merged_of(struct profile **single, size_t n, struct diag *diag)
{
	struct profile *sum;

	if (n == 1)
		return single[0];
	sum = profile_merge((const struct profile *const *)single, n, diag);
	for (size_t i = 0; i < n; i++)
		profile_free(single[i]);
	return sum;
}

/* Reads and merges all files; NULL when an error was reported. */
static struct profile *load_merged(const struct load_options *q, size_t *ret_files,
				   struct diag *diag)
{
	struct file_list files;
	struct profile **single = NULL, *p = NULL;
	size_t n = 0;

	if (file_list_of(&files, q->operand, q->n_operands, diag)) {
		single = xcalloc(files.n + 1, sizeof(struct profile *));
		if (read_files(&files, q, single, &n, diag) && n > 0) {
			p = merged_of(single, n, diag);
		} else {
			for (size_t i = 0; i < n; i++)
				profile_free(single[i]);
		}
		*ret_files = n;
	}
	free(single);
	file_list_release(&files);
	return p;
}

static bool is_value_profile(const struct profile *p)
{
	for (size_t i = 0; i < p->n_ops; i++) {
		if (p->op[i].unit != UNIT_PLAIN)
			return false;
	}
	return p->n_ops > 0;
}

/* Histograms hold only latencies, without variables. */
bool values_found_check(const struct values_found *found, const char *path, struct diag *diag)
{
	const struct variables *v = found->variables;
	const struct profile *p = found->profile;

	if (v->n == 0 && !is_value_profile(p))
		diag_plain(diag, DIAG_NO_VARIABLES,
			   "%s: per-call records state which call had which value, as "
			   "`osprof "
			   "record --calls`, strace -T, biosnoop, fio's logs and tables do; of a "
			   "value profile --unit plain",
			   path);
	else if (v->n == 0 && p->n_ops < 2)
		diag_plain(diag, DIAG_NO_VARIABLES,
			   "%s: a value profile with one operation; one for each peak is needed",
			   path);
	else if (v->n == 0 && p->n_ops > MAX_GROUPS)
		diag_plain(diag, DIAG_NO_VARIABLES,
			   "%s: %zu operations; a value profile has one for each peak, no more "
			   "than %d",
			   path, p->n_ops, MAX_GROUPS);
	else if (v->n > 0 && v->n_v == 0)
		diag_plain(diag, DIAG_NO_VARIABLES,
			   "%s: its calls have an operation and a latency, but no further values",
			   path);
	else
		return true;
	return false;
}

bool values_found_load(struct values_found *ret, const struct load_options *q, uint64_t seed,
		       struct diag *diag)
{
	struct load_options finer = *q;

	*ret = (struct values_found){ .variables = variables_new(),
				      .rules = value_rules_default,
				      .arena = arena_new() };
	finer.read.variables = ret->variables;
	if (!q->rebin)
		finer.read.resolution = FINER;
	ret->rules.seed = seed;
	ret->rules.octaves_first = !q->rebin;
	ret->profile = load_merged(&finer, &ret->n_files, diag);
	if (ret->profile == NULL)
		return false;
	ret->totals = totals_of(ret->profile);
	return true;
}

bool values_found_find(struct values_found *v, const struct load_options *q, struct diag *diag)
{
	choose_operations(v->profile, q, diag);
	v->values = v->variables->n > 0 ? values_of(v->arena, v->profile, v->variables, &v->rules)
					: values_of_profile(v->arena, v->profile, &v->rules);
	if (v->values.n > 0 || v->profile->n_ops == 0)
		return true;
	diag_plain(diag, DIAG_NO_VARIABLES, "%s: no operation has %llu calls or more",
		   q->operand[0], (unsigned long long)v->rules.min_calls);
	return false;
}

void values_found_release(struct values_found *v)
{
	profile_free(v->profile);
	variables_free(v->variables);
	arena_free(v->arena);
}
