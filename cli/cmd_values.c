/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "analyze/totals.h"
#include "analyze/values.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/xalloc.h"
#include "cli/command.h"
#include "compare/file_list.h"
#include "compare/load.h"
#include "profile/merge.h"
#include "profile/variables.h"
#include "report/values.h"

/* Peaks of which one has twice the latency of the other would share a bucket of octaves. */
enum { FINER = 4 };

/* One file after the other: what is recorded of calls is kept in their order. */
static bool read_files(const struct file_list *files, const struct settings *s,
		       struct profile **ret, size_t *ret_n, struct diag *diag)
{
	struct reading_options options;
	bool ok = reading_options_of(&s->request, &options, diag);

	if (!ok)
		return false;
	for (size_t i = 0; ok && i < files->n; i++) {
		variables_next_run(s->request.read.variables);
		ret[i] = load_file(files->v[i].path, &s->request, &options.read, NULL, diag);
		ok = ret[i] != NULL;
		*ret_n += ok;
	}
	reading_options_release(&options);
	return ok;
}

static struct profile *merged(struct profile **single, size_t n, struct diag *diag)
{
	struct profile *sum;

	if (n == 1)
		return single[0];
	sum = profile_merge((const struct profile *const *)single, n, diag);
	for (size_t i = 0; i < n; i++)
		profile_free(single[i]);
	return sum;
}

/* NULL when an error was reported. */
static struct profile *load(const struct settings *s, size_t *ret_files, struct diag *diag)
{
	struct file_list files;
	struct profile **single = NULL, *p = NULL;
	size_t n = 0;

	if (file_list_of(&files, s->request.operand, s->request.n_operands, diag)) {
		single = xcalloc(files.n + 1, sizeof(struct profile *));
		if (read_files(&files, s, single, &n, diag) && n > 0) {
			p = merged(single, n, diag);
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

/* An error for a file of histograms: these hold latencies only, no variables. */
static bool check_variables(const struct profile *p, const struct variables *v, const char *path,
			    struct diag *diag)
{
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
	else if (v->n > 0 && v->n_v == 0)
		diag_plain(diag, DIAG_NO_VARIABLES,
			   "%s: its calls have an operation and a latency, and nothing beside them",
			   path);
	else
		return true;
	return false;
}

static bool report(struct context *cx, const struct settings *s, struct profile *p, size_t n_files)
{
	struct value_rules rules = value_rules_default;
	struct arena *a = arena_new();
	struct values values;
	struct values_report r = { .run = { .path = s->request.operand[0],
					    .profile = p,
					    .totals = totals_of(p),
					    .n_runs = n_files },
				   .values = &values,
				   .rules = &rules,
				   .top = s->top,
				   .all = s->request.all };

	rules.seed = s->seed;
	rules.octaves_first = !s->request.rebin;
	choose_operations(p, &s->request, cx->diag);
	values = s->request.read.variables->n > 0
			 ? values_of(a, p, s->request.read.variables, &rules)
			 : values_of_profile(a, p, &rules);
	if (values.n == 0 && p->n_ops > 0)
		diag_plain(cx->diag, DIAG_NO_VARIABLES, "%s: no operation has %llu calls or more",
			   s->request.operand[0], (unsigned long long)rules.min_calls);
	else
		report_values(cx->out, &cx->style, &r);
	arena_free(a);
	return values.n > 0 || p->n_ops == 0;
}

static enum exit_status run_values(struct context *cx, const struct settings *s)
{
	struct settings finer = *s;
	struct profile *p;
	size_t n_files = 0;
	bool ok = false;

	finer.request.read.variables = variables_new();
	if (!s->request.rebin)
		finer.request.read.resolution = FINER;
	p = load(&finer, &n_files, cx->diag);
	if (p != NULL)
		ok = check_variables(p, finer.request.read.variables, s->request.operand[0],
				     cx->diag) &&
		     report(cx, &finer, p, n_files);
	profile_free(p);
	variables_free(finer.request.read.variables);
	return ok ? EXIT_OK : EXIT_ERROR;
}

const struct command command_values = {
	.id = COMMAND_values,
	.name = "values",
	.operands = "RUN",
	.summary = "Find the recorded variable that separates the peaks",
	.min_operands = 1,
	.max_operands = 1,
	.output_formats = OUTPUT_FORMATS_TABLE,
	.run = run_values,
};
