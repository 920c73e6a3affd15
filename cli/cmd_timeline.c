/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/coincide.h"
#include "analyze/timeline.h"
#include "base/arena.h"
#include "base/diag.h"
#include "load/load.h"
#include "program/command.h"
#include "report/timeline.h"

/* Filters only now, since operations that are not shown also tell when the run was measured. */
static void choose_shown(struct timeline *t, struct coincidences *c, const struct settings *s,
			 struct diag *diag)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->n_ops; i++) {
		if (is_wanted(t->op[i].op, &s->options.load))
			t->op[kept++] = t->op[i];
	}
	if (kept == 0 && t->n_ops > 0)
		diag_plain(diag, DIAG_NOTHING_CHOSEN, "--op and --layer leave none");
	t->n_ops = kept;
	kept = 0;
	for (size_t i = 0; i < t->n_peaks; i++) {
		if (is_wanted(t->peak[i].op, &s->options.load))
			t->peak[kept++] = t->peak[i];
	}
	t->n_peaks = kept;
	kept = 0;
	for (size_t i = 0; i < c->n; i++) {
		if (is_wanted(c->v[i].op, &s->options.load) ||
		    is_wanted(c->v[i].with, &s->options.load))
			c->v[kept++] = c->v[i];
	}
	c->n = kept;
}

static void report_left_out(const struct coincidences *c, const struct timeline *t,
			    struct diag *diag)
{
	if (c->n_left_out > 0)
		diag_plain(diag, DIAG_INTERVALS_UNEQUAL,
			   "%zu of %zu are shorter or longer than usual by more than half, so that "
			   "chance differs: coincidences are sought in the others; calls and "
			   "latency are compared by time",
			   c->n_left_out, t->n);
	if (c->n_not_tried > 0)
		diag_plain(diag, DIAG_TIMELINE_PART,
			   "coincidences are sought among the %zu operations of most latency",
			   t->n_ops - c->n_not_tried);
}

/* CSV can hold only one table. */
static bool check_sections(const struct settings *s, struct diag *diag)
{
	unsigned tables = 1U << TIMELINE_INTERVALS | 1U << TIMELINE_COINCIDENCES;

	if (!settings_print(s, OUTPUT_FORMAT_CSV) || s->sections == 0 ||
	    ((s->sections & ~tables) == 0 && s->sections != tables))
		return true;
	diag_plain(diag, DIAG_USAGE,
		   "CSV is one table: --section intervals or --section coincidences");
	return false;
}

static enum exit_status run_timeline(struct context *cx, const struct settings *s)
{
	struct settings unfiltered = *s;
	struct timeline_rules rules = timeline_rules_default;
	struct coincidences c;
	struct timeline t;
	struct arena *a;
	struct loaded l;
	struct timeline_report r = { .run = &l.run,
				     .timeline = &t,
				     .coincidences = &c,
				     .sections = s->sections != 0 ? s->sections
								  : (1U << N_TIMELINE_SECTIONS) - 1,
				     .all = s->options.show.all };

	if (!check_sections(s, cx->diag))
		return EXIT_ERROR;
	unfiltered.options.load.op = unfiltered.options.load.layer = NULL;
	if (!load_run(&l, s->options.load.operand, 1, &unfiltered.options.load, cx->diag))
		return EXIT_ERROR;
	a = arena_new();
	rules.threads = s->options.load.threads;
	t = timeline_of(a, l.profile, &rules);
	c = coincidences_of(a, &t, &coincidence_rules_default);
	report_left_out(&c, &t, cx->diag);
	choose_shown(&t, &c, s, cx->diag);
	for (size_t k = 0; k < cx->n_outputs; k++)
		report_timeline(cx->output[k].out, &cx->output[k].style, &r);
	arena_free(a);
	loaded_release(&l);
	return EXIT_OK;
}

const struct command command_timeline = {
	.id = COMMAND_timeline,
	.name = "timeline",
	.operands = "RUN",
	.summary = "Show a run over time: levels, periods, changes",
	.min_operands = 1,
	.max_operands = 1,
	.output_formats = OUTPUT_FORMATS_TABLE,
	.run = run_timeline,
};
