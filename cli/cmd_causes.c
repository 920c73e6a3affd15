/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/xalloc.h"
#include "cli/causes_load.h"
#include "cli/command.h"
#include "cli/groups.h"
#include "cli/load.h"
#include "cli/outfile.h"
#include "cli/read_file.h"
#include "formats/general/osprof_tree.h"

enum { ALL_SECTIONS = (1 << N_CAUSES_SECTIONS) - 1 };

/* All that one command line is about. */
struct work {
	struct context *cx;
	const struct settings *s;
	struct arena *a;
	struct cause_rules rules;
	struct causes_side before, after; /* `after` alone, unless two are compared */
	bool pair;
	struct peaks peaks, before_peaks;
	struct histogram hist, before_hist;
};

static struct cause_rules rules_of(const struct settings *s)
{
	struct cause_rules rules = cause_rules_default;

	if (!isnan(s->causing.rules.min_share))
		rules.min_share = s->causing.rules.min_share;
	if (!isnan(s->causing.rules.percentage))
		rules.percentage = s->causing.rules.percentage;
	return rules;
}

static const char *name_of(const struct work *w)
{
	const struct call_tree *t = w->after.tree;

	return t->n_nodes > 0 ? call_node_name(t, 0).p : w->s->causing.function;
}

static bool tell_trouble(const struct work *w, enum cause_trouble trouble)
{
	if (trouble == CAUSE_NO_SUCH_PEAK)
		diag_plain(w->cx->diag, DIAG_USAGE, "%s has %zu peak%s; `--range` takes any calls",
			   name_of(w), w->peaks.n, w->peaks.n == 1 ? "" : "s");
	else if (trouble == CAUSE_NO_CALLS)
		diag_plain(w->cx->diag, DIAG_USAGE, "no call of %s is in this range", name_of(w));
	return trouble == CAUSE_FINE;
}

static bool choose(struct work *w, struct cause_choice *chosen, struct cause_choice *against)
{
	const struct cause_question *q = &w->s->causing.question;

	w->peaks = cause_peaks(w->a, w->after.tree, &w->hist);
	if (!w->pair)
		return tell_trouble(w, causes_choose(w->a, w->after.tree, &w->peaks, q, &w->rules,
						     chosen, against));
	w->before_peaks = cause_peaks(w->a, w->before.tree, &w->before_hist);
	return tell_trouble(w, causes_choose_pair(w->a, w->before.tree, &w->before_peaks,
						  w->after.tree, &w->peaks, q, &w->rules, chosen,
						  against));
}

static void say_one_peak(const struct work *w, const struct cause_choice *chosen)
{
	if (!w->pair && chosen->what == CHOSEN_ALL)
		diag_plain(w->cx->diag, DIAG_ONE_PEAK,
			   "%s has one peak: all calls are looked at, held against none",
			   name_of(w));
}

static void report(struct work *w, const struct causes *c)
{
	const struct settings *s = w->s;
	size_t n = w->before.n + w->after.n;
	struct call_company *company = NULL;
	struct causes_report r = {
		.function = str_from(name_of(w)),
		.n_runs = n,
		.pair = w->pair,
		.peaks = &w->peaks,
		.hist = &w->hist,
		.causes = c,
		.rules = &w->rules,
		.sections = s->causing.sections != 0 ? s->causing.sections : ALL_SECTIONS,
		.depth = s->causing.depth,
		.all = s->all,
		.n_before = w->before.n,
		.n_after = w->after.n,
	};
	struct causes_run *run = arena_alloc(w->a, n + 1, sizeof(*run));

	for (size_t i = 0; i < n; i++)
		run[i] = i < w->before.n ? w->before.run[i] : w->after.run[i - w->before.n];
	r.run = run;
	if (r.sections & 1U << CAUSES_SECTION_MEANWHILE)
		r.n_meanwhile = causes_meanwhile(&w->after, c, s, w->a, &company);
	r.meanwhile = company;
	report_causes(w->cx->out, &w->cx->style, &r);
}

static bool find(struct work *w)
{
	struct cause_choice chosen, against;
	struct causes c;

	if (!choose(w, &chosen, &against))
		return false;
	say_one_peak(w, &chosen);
	causes_find(&c, w->a, w->after.tree, &chosen, w->pair ? w->before.tree : w->after.tree,
		    &against, w->s->causing.question.method, &w->rules);
	report(w, &c);
	return true;
}

/* What -o asks for. */
static bool keep(struct work *w)
{
	struct outfile f;

	if (w->s->output == NULL)
		return true;
	if (w->pair) {
		diag_plain(w->cx->diag, DIAG_USAGE, "--output keeps one tree, not two sides");
		return false;
	}
	if (!outfile_open(&f, w->s->output, w->s->force, w->cx->out, w->cx->diag))
		return false;
	osprof_tree_write(w->after.tree, f.out);
	return outfile_commit(&f, w->cx->diag);
}

/* Without --function: which functions are worth naming. */
static enum exit_status list_functions(struct context *cx, const struct settings *s)
{
	struct settings finer = *s;
	struct loaded l;

	if (s->dress == DRESS_FOLDED || s->output != NULL) {
		diag_plain(cx->diag, DIAG_USAGE, "--function says which function is looked at");
		return EXIT_TROUBLE;
	}
	finer.read.resolution = CALL_TREE_RESOLUTION;
	if (!load_run(&l, s->operand, s->n_operands, &finer, cx->diag))
		return EXIT_TROUBLE;
	report_functions(cx->out, &cx->style, &l.run, s->all ? SIZE_MAX : s->top);
	loaded_release(&l);
	return EXIT_FINE;
}

/* Kept trees say themselves which function they are of. */
static bool are_trees(const struct settings *s)
{
	for (size_t i = 0; i < s->n_operands; i++) {
		struct diag silent = { .emit = NULL };
		const struct format *f = NULL;
		struct input in;

		if (strcmp(s->operand[i], "-") == 0)
			return false;
		if (trace_begin(&in, s->operand[i], s->max_input, NULL, &silent)) {
			f = format_detect(s->from, &in, &silent);
			input_release(&in);
		}
		if (f == NULL || f->calls != CALLS_TREE)
			return false;
	}
	return true;
}

/* CSV is one table. */
static bool check_sections(const struct settings *s, struct diag *diag)
{
	unsigned sections = s->causing.sections;

	if (s->dress != DRESS_CSV || (sections & (sections - 1)) == 0)
		return true;
	diag_plain(diag, DIAG_USAGE,
		   "CSV is one table: --section says which (causes, tree, values or meanwhile)");
	return false;
}

static bool load(struct work *w)
{
	const struct settings *s = w->s;
	size_t n_before = s->separated ? s->n_before : w->pair ? 1 : 0;

	if (w->pair && !causes_load(&w->before, s->operand, n_before, s, w->cx->diag))
		return false;
	return causes_load(&w->after, s->operand + n_before, s->n_operands - n_before, s,
			   w->cx->diag);
}

static enum exit_status run_causes(struct context *cx, const struct settings *s)
{
	struct work w = { .cx = cx, .s = s, .rules = rules_of(s) };
	bool fine;

	if (!check_sections(s, cx->diag))
		return EXIT_TROUBLE;
	if (s->causing.function == NULL && !are_trees(s))
		return list_functions(cx, s);
	w.pair = s->separated || s->n_operands > 1;
	w.a = arena_new();
	fine = load(&w) && keep(&w) && find(&w);
	causes_side_release(&w.before);
	causes_side_release(&w.after);
	arena_free(w.a);
	return fine ? EXIT_FINE : EXIT_TROUBLE;
}

static const enum option_id options[] = {
	OPT_FUNCTION,	    OPT_PEAK,	   OPT_RANGE,	      OPT_AGAINST,    OPT_CAUSE_SHARE,
	OPT_DEPTH,	    OPT_UNFOLD,	   OPT_LINK,	      OPT_INTERRUPT,  OPT_OVERHEAD,
	OPT_TASK,	    OPT_CALLER,	   OPT_METHOD,	      OPT_PERCENTAGE, OPT_DECISION,
	OPT_CAUSES_SECTION, OPT_ALL,	   OPT_TOP,	      OPT_OUTPUT,     OPT_FORCE,
	OPT_FROM,	    OPT_MAX_INPUT, OPT_CAUSES_FORMAT, OPT_COLOR,      OPT_ASCII,
	OPT_QUIET,	    OPT_HELP
};

const struct command command_causes = {
	.name = "causes",
	.operands = "TRACE | BEFORE AFTER",
	.summary = "Paths of calls that make some calls of a function slow",
	.min_operands = 1,
	.max_operands = 2,
	.sides = true,
	.options = options,
	.n_options = COUNT_OF(options),
	.dresses = DRESSES_TABLE | 1U << DRESS_FOLDED,
	.run = run_causes,
};
