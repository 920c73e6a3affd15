/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/nearest.h"
#include "base/out.h"
#include "base/platform.h"
#include "plotting/commands/figures.h"
#include "plotting/commands/figures_all.h"
#include "plotting/commands/plot_calls.h"
#include "plotting/commands/plot_causes.h"
#include "plotting/commands/plot_values.h"
#include "plotting/commands/plotted.h"
#include "program/command.h"
#include "program/environment.h"

/* --- the kind of figure ---------------------------------------------------------------------- */

static struct settings without_kind(const struct settings *s, const struct figure_kind **ret)
{
	struct settings rest = *s;

	*ret = figure_kind_at(0);
	if (s->options.load.n_operands > 1 &&
	    figure_kind_by_name(str_from(s->options.load.operand[0]), ret)) {
		rest.options.load.operand++;
		rest.options.load.n_operands--;
		rest.options.load.n_before--;
	}
	return rest;
}

/* Reports a first operand that was a kind of figure, and what replaces it. */
static bool is_removed(const struct settings *s, struct diag *diag)
{
	static const struct {
		const char *kind, *use;
	} removed[] = {
		{ "space", "`osprof plot map --3d`" },
		{ "views", "`osprof plot map --op NAME`" },
		{ "distances", "`osprof distance`" },
		{ "user-kernel", "`osprof plot calls`, which has both times" },
	};

	for (size_t i = 0; i < COUNT_OF(removed) && s->options.load.n_operands > 1; i++) {
		if (strcmp(s->options.load.operand[0], removed[i].kind) != 0 ||
		    access(removed[i].kind, F_OK) == 0)
			continue;
		diag_plain(diag, DIAG_USAGE, "%s is no longer a kind of figure; use %s",
			   removed[i].kind, removed[i].use);
		return true;
	}
	return false;
}

/* Reports a first operand that is not a file and is similar to a kind of figure, or where only a
 * kind is allowed. */
static bool is_misspelt(const struct settings *s, struct diag *diag)
{
	const char *names[32], *near;
	size_t n = 0;

	for (; n < COUNT_OF(names) && figure_kind_at(n) != NULL; n++)
		names[n] = figure_kind_at(n)->name;
	near = nearest_name(s->options.load.operand[0], names, n);
	if (s->options.load.n_operands < 2 || access(s->options.load.operand[0], F_OK) == 0)
		return false;
	if (near != NULL)
		diag_plain(diag, DIAG_USAGE,
			   "%s is neither a file nor a kind of figure (did you mean %s?)",
			   s->options.load.operand[0], near);
	else if (s->options.load.n_operands > 2 && !s->options.load.separated)
		diag_plain(diag, DIAG_USAGE,
			   "%s is no kind of figure; `osprof help plot` lists them, and -o FILE "
			   "names the output",
			   s->options.load.operand[0]);
	else
		return false;
	return true;
}

static bool check_runs(const struct figure_kind *kind, const struct settings *s, struct diag *diag)
{
	bool pair = s->options.load.separated || s->options.load.n_operands == 2;
	const char *needs = NULL;

	if (s->options.load.separated && s->options.load.n_before == 0)
		needs = "runs before `--`";
	else if (kind->needs == NEEDS_PAIR && !pair)
		needs = "a run before and one after";
	else if (kind->needs == NEEDS_CALLS &&
		 (s->options.show.all || s->options.load.n_operands != 1))
		needs = s->options.show.all ? "no --all: it is one figure" : "one run";
	else if (kind->needs == NEEDS_TREES &&
		 (s->options.show.all || (s->options.load.n_operands > 2 && !pair)))
		needs = s->options.show.all ? "no --all: it is one figure" : "one trace or two";
	else if (kind->needs == NEEDS_ONE && (pair || s->options.load.n_operands != 1))
		needs = "one run";
	else if (kind->needs == NEEDS_INTERVALS && s->options.load.n_operands > 2 && !pair)
		needs = "one run or two";
	else if (s->figure.in_space && (pair || s->options.load.n_operands != 1))
		needs = "one run for --3d";
	else if (s->options.show.all &&
		 ((!pair && s->options.load.n_operands != 1) || s->output == NULL))
		needs = "one run, or one before and one after, and -o FOLDER, for --all";
	else if (s->options.show.all && kind->all_ops)
		needs = "no --all: it is one figure";
	if (needs == NULL)
		return true;
	diag_plain(diag, DIAG_USAGE, "osprof plot %s needs %s", kind->name, needs);
	return false;
}

/* Converts the end of a range to the unit of the first run. */
static bool end_of_range(const struct amount *end, const struct profile *p, double *ret,
			 struct diag *diag)
{
	*ret = amount_in(*end, p->unit, p->hz);
	if (!isnan(*ret) || isnan(end->value))
		return true;
	diag_plain(diag, DIAG_USAGE, "--x-range in %s, but the run is in %s", unit_name(end->unit),
		   unit_name(p->unit));
	return false;
}

static bool apply_plot_options(struct subject *sub, const struct plot_options *w, struct diag *diag)
{
	const struct profile *p = sub->run[0].profile;

	if (!end_of_range(&w->x_from, p, &sub->x_from, diag) ||
	    !end_of_range(&w->x_to, p, &sub->x_to, diag) ||
	    !end_of_range(&w->y_from, p, &sub->y_from, diag) ||
	    !end_of_range(&w->y_to, p, &sub->y_to, diag))
		return false;
	if (sub->x_from <= 0 || sub->x_to <= 0 || sub->x_from >= sub->x_to ||
	    sub->y_from >= sub->y_to) {
		diag_plain(diag, DIAG_USAGE,
			   "--x-range and --y-range run upwards, latencies above 0");
		return false;
	}
	sub->title = w->title;
	sub->shown = w->axis_unit;
	sub->numbered = w->bucket_numbers;
	sub->in_space = w->in_space;
	sub->total = w->total;
	sub->tail = w->tail;
	sub->share = w->share;
	return true;
}

/* --- the output ------------------------------------------------------------------------------- */

static bool target_for(struct figure_target *ret, const struct context *cx,
		       const struct settings *s)
{
	struct look *look = &ret->look;

	*ret = (struct figure_target){ .path = s->output,
				       .look = s->figure.look,
				       .force = s->force,
				       .standard = cx->out,
				       .at_once = s->options.load.threads };
	look->font = s->figure.font[0] != '\0' ? s->figure.font : NULL;
	if (look->terminal == NULL && (s->output == NULL || strcmp(s->output, "-") == 0))
		terminal_by_name(STR("text"), &look->terminal);
	else if (look->terminal == NULL && s->options.show.all)
		look->terminal = terminal_at(0);
	else if (look->terminal == NULL)
		look->terminal = figure_terminal_for(s->output, cx->diag);
	if (look->terminal == NULL)
		return false;
	if (look->terminal->latex && !look->has_style) /* it is part of a page */
		look->style = STYLE_PAPER;
	look->ascii = !cx->style.unicode;
	look->color = cx->style.color && s->output == NULL;
	if (look->terminal->units == UNITS_CHARACTERS && look->width == 0 && s->output == NULL &&
	    platform_columns(STDOUT_FILENO) >= 40)
		look->width = platform_columns(STDOUT_FILENO) - 1;
	return true;
}

/* --- drawing ----------------------------------------------------------------------------- */

static void report_unmarked(const struct figure *f, struct diag *diag)
{
	if (f->n_unmarked > 0)
		diag_plain(diag, DIAG_FIGURE_PART,
			   "the peaks of the most calls are marked, %zu others are not; "
			   "`osprof peaks` lists all",
			   f->n_unmarked);
}

/* Reports how many operations are drawn; only comparisons can be drawn into a folder. */
static void report_part(const struct plotted *p, size_t all, struct diag *diag)
{
	if (all > p->subject.n_ops)
		diag_plain(diag, DIAG_FIGURE_PART,
			   "%zu of %zu operations, those with the largest changes; use --op to "
			   "choose%s",
			   p->subject.n_ops, all,
			   p->compared != NULL ? ", --all -o DIR draws each by itself" : "");
}

static bool draw_one(struct plotted *p, const struct figure_kind *kind,
		     const struct figure_target *target, const struct settings *s,
		     struct diag *diag)
{
	struct figure_file file = { .path = s->output };
	struct figure f;
	size_t all;

	plotted_choose(p, &s->options.load, kind, &all);
	if (p->subject.n_ops == 0) {
		diag_plain(diag, DIAG_NOTHING_TO_DRAW, "--op and --layer leave no operation");
		return false;
	}
	report_part(p, all, diag);
	if (!kind->build(p->arena, &p->subject, &f)) {
		diag_plain(diag, DIAG_NOTHING_TO_DRAW, "%s", kind->lacks);
		return false;
	}
	report_unmarked(&f, diag);
	if (p->subject.title.n > 0)
		f.title = p->subject.title;
	file.figure = &f;
	return figures_write(target, &file, 1, diag);
}

static bool apply_quantum(struct subject *sub, const struct amount *quantum, struct diag *diag)
{
	const struct profile *p = sub->run[0].profile;

	sub->quantum = amount_in(*quantum, p->unit, p->hz);
	if (!isnan(sub->quantum) || isnan(quantum->value))
		return true;
	diag_plain(diag, DIAG_USAGE, "--quantum in %s, but the run is in %s",
		   unit_name(quantum->unit), unit_name(p->unit));
	return false;
}

static enum exit_status run_plot(struct context *cx, const struct settings *s)
{
	const struct figure_kind *kind;
	struct settings rest = without_kind(s, &kind);
	struct figure_target target;
	enum values_plotted what;
	struct plotted p;
	bool ok;

	if (is_removed(&rest, cx->diag) || is_misspelt(&rest, cx->diag) ||
	    !check_runs(kind, &rest, cx->diag) || !target_for(&target, cx, &rest))
		return EXIT_ERROR;
	if (kind->needs == NEEDS_CALLS)
		return plot_calls(kind, &target, &rest.figure, &rest.options.load, cx->diag)
			       ? EXIT_OK
			       : EXIT_ERROR;
	if (kind->needs == NEEDS_TREES)
		return plot_causes(kind, &target, &rest.figure, &rest.options.load,
				   &rest.options.causes, rest.options.show.depth, cx->diag)
			       ? EXIT_OK
			       : EXIT_ERROR;
	if (kind->build_values != NULL) {
		what = plot_values(kind, &target, &rest.figure, &rest.options.load,
				   rest.options.compare.seed, cx->diag);
		if (what != VALUES_OF_NONE)
			return what == VALUES_PLOTTED ? EXIT_OK : EXIT_ERROR;
	}
	if (!plotted_load(&p, &rest.options.load, &rest.options.compare, rest.options.show.all,
			  cx->diag))
		return EXIT_ERROR;
	if (kind->build == figure_history)
		plotted_judge_history(&p, cx->diag);
	ok = apply_plot_options(&p.subject, &rest.figure, cx->diag) &&
	     apply_quantum(&p.subject, &rest.preempt.quantum, cx->diag);
	if (ok && s->options.show.all) {
		struct figure_kind unlimited = *kind;
		size_t all;

		unlimited.max_ops = SIZE_MAX;
		plotted_choose(&p, &rest.options.load, &unlimited, &all);
		ok = figures_all(&p, kind, &target, s->output, cx->diag);
	} else if (ok)
		ok = draw_one(&p, kind, &target, &rest, cx->diag);
	plotted_release(&p);
	return ok ? EXIT_OK : EXIT_ERROR;
}

static void list_kinds(struct out *o)
{
	const struct figure_kind *kind;

	out_text(o, "\nKinds:\n");
	for (size_t i = 0; (kind = figure_kind_at(i)) != NULL; i++)
		out_printf(o, "  %-11s  %s\n", kind->name, kind->title);
}

const struct command command_plot = {
	.id = COMMAND_plot,
	.name = "plot",
	.operands = "[KIND] BEFORE [AFTER]",
	.summary = "Draw figures of latency profiles",
	.min_operands = 1,
	.max_operands = MANY_OPERANDS,
	.sides = true,
	.run = run_plot,
	.more_help = list_kinds,
};
