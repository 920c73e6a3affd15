/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/causes_found.h"

#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/out.h"
#include "load/causes_options.h"
#include "load/load.h"
#include "load/load_options.h"
#include "load/read_file.h"
#include "report/show_options.h"

enum { ALL_SECTIONS = (1 << N_CAUSES_SECTIONS) - 1 };

bool causes_are_kept(const struct load_options *q)
{
	for (size_t i = 0; i < q->n_operands; i++) {
		struct diag silent = { .emit = NULL };
		const struct format *f = NULL;
		struct input in;

		if (strcmp(q->operand[i], "-") == 0)
			return false;
		if (trace_begin(&in, q->operand[i], q->max_input, NULL, &silent)) {
			f = format_detect(q->from, &in, &silent);
			input_release(&in);
		}
		if (f == NULL || f->calls != CALLS_TREE)
			return false;
	}
	return true;
}

static struct cause_rules rules_of(const struct causes_options *q)
{
	struct cause_rules rules = cause_rules_default;

	if (!isnan(q->rules.min_share))
		rules.min_share = q->rules.min_share;
	if (!isnan(q->rules.percentage))
		rules.percentage = q->rules.percentage;
	return rules;
}

bool causes_found_load(struct causes_found *ret, const struct load_options *q,
		       const struct causes_options *options, struct diag *diag)
{
	bool pair = q->separated || q->n_operands > 1;
	size_t n_before = q->separated ? q->n_before : pair ? 1 : 0;

	*ret = (struct causes_found){ .arena = arena_new(),
				      .rules = rules_of(options),
				      .pair = pair,
				      .load = q,
				      .options = options,
				      .diag = diag };
	if (pair && !causes_load(&ret->before, q->operand, n_before, q, options, diag))
		return false;
	return causes_load(&ret->after, q->operand + n_before, q->n_operands - n_before, q, options,
			   diag);
}

void causes_found_release(struct causes_found *f)
{
	causes_side_release(&f->before);
	causes_side_release(&f->after);
	arena_free(f->arena);
}

static const char *name_of(const struct causes_found *f)
{
	const struct call_tree *t = f->after.tree;

	return t->n_nodes > 0 ? call_node_name(t, 0).p : f->options->function;
}

static bool report_error(const struct causes_found *f, enum cause_error trouble)
{
	if (trouble == CAUSE_NO_SUCH_PEAK)
		diag_plain(f->diag, DIAG_USAGE, "%s has %zu peak%s; `--range` takes any calls",
			   name_of(f), f->peaks.n, f->peaks.n == 1 ? "" : "s");
	else if (trouble == CAUSE_NO_CALLS)
		diag_plain(f->diag, DIAG_USAGE, "no call of %s is in this range", name_of(f));
	return trouble == CAUSE_OK;
}

static bool choose_peak(struct causes_found *f, struct cause_choice *chosen,
			struct cause_choice *against)
{
	const struct cause_question *q = &f->options->question;

	f->peaks = cause_peaks(f->arena, f->after.tree, &f->hist);
	if (!f->pair)
		return report_error(f, causes_choose(f->arena, f->after.tree, &f->peaks, q,
						     &f->rules, chosen, against));
	f->before_peaks = cause_peaks(f->arena, f->before.tree, &f->before_hist);
	return report_error(f, causes_choose_pair(f->arena, f->before.tree, &f->before_peaks,
						  f->after.tree, &f->peaks, q, &f->rules, chosen,
						  against));
}

static void report_range(const struct causes_found *f, const struct cause_choice *c)
{
	const struct cause_question *q = &f->options->question;
	struct out *range;

	if (c->what != CHOSEN_RANGE || (c->low == q->low && c->high == q->high))
		return;
	range = out_to_memory();
	causes_say_choice(range, c);
	diag_plain(f->diag, DIAG_RANGE_MOVED, "%.*s are taken; -o keeps those of --range",
		   STR_ARG(out_memory(range)));
	out_free(range);
}

bool causes_found_find(struct causes_found *f)
{
	struct cause_choice chosen, against;

	if (!choose_peak(f, &chosen, &against))
		return false;
	report_range(f, &chosen);
	report_range(f, &against);
	if (!f->pair && chosen.what == CHOSEN_ALL)
		diag_plain(f->diag, DIAG_ONE_PEAK,
			   "%s has one peak: all calls are examined, without a comparison",
			   name_of(f));
	causes_find(&f->causes, f->arena, f->after.tree, &chosen,
		    f->pair ? f->before.tree : f->after.tree, &against, f->options->question.method,
		    &f->rules);
	if (f->pair && f->before.n > 1 && f->after.n > 1)
		causes_test_runs(&f->causes, f->arena,
				 &(struct causes_runs){ f->before.each, f->before.n },
				 &(struct causes_runs){ f->after.each, f->after.n });
	return true;
}

struct causes_report causes_found_report(struct causes_found *f, const struct show_options *show)
{
	size_t n = f->before.n + f->after.n;
	struct causes_run *run = arena_alloc(f->arena, n + 1, sizeof(*run));

	for (size_t i = 0; i < n; i++)
		run[i] = i < f->before.n ? f->before.run[i] : f->after.run[i - f->before.n];
	return (struct causes_report){
		.function = str_from(name_of(f)),
		.run = run,
		.n_runs = n,
		.pair = f->pair,
		.peaks = &f->peaks,
		.hist = &f->hist,
		.causes = &f->causes,
		.rules = &f->rules,
		.sections = show->causes_sections != 0 ? show->causes_sections : ALL_SECTIONS,
		.depth = show->depth,
		.all = show->all,
		.n_before = f->before.n,
		.n_after = f->after.n,
	};
}
