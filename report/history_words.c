/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof history in sentences: where an operation changed, and by how much. */
#include <math.h>
#include <string.h>

#include "base/escape.h"
#include "base/out.h"
#include "report/history_parts.h"
#include "report/parts.h"
#include "report/runs.h"

static const char *base_name(const char *path)
{
	size_t n = strlen(path);
	const char *at = path + n;

	while (at > path && (at == path + n || at[-1] != '/'))
		at--;
	return at;
}

const char *history_run_name(const struct history_findings *f, size_t run)
{
	return base_name(f->run[run].name);
}

bool history_is_of_calls(const struct change *c)
{
	for (int f = 0; c != NULL && f < HISTORY_CALLS; f++) {
		if (c->significant[f])
			return false;
	}
	return c != NULL && c->significant[HISTORY_CALLS];
}

/* Shows the mean of each run, or the number of calls when nothing else changed. */
/* "run 15 of 24 (15.json)". */
static void say_run(struct out *o, const struct style *s, const struct history_findings *f,
		    size_t run)
{
	out_printf(o, "run %zu of %zu (", run + 1, f->n_runs);
	(s->output_format == OUTPUT_FORMAT_MARKDOWN ? escape_markdown : escape_terminal)(
		o, str_from(history_run_name(f, run)));
	out_char(o, ')');
}

/* The first significant one of the features that describe most calls. */
static enum history_feature leading_feature(const struct change *c)
{
	static const enum history_feature order[] = { HISTORY_MEAN, HISTORY_SHIFT, HISTORY_P50,
						      HISTORY_P90, HISTORY_P99 };

	for (size_t i = 0; i < COUNT_OF(order); i++) {
		if (c->significant[order[i]])
			return order[i];
	}
	return HISTORY_MEAN;
}

/* "p50 +12 %, p99 +30 %, "; *next is what comes before the next effect. */
static void say_percentiles(struct out *o, const struct change *c, const char **next)
{
	static const char *const names[] = {
		[HISTORY_P50] = "p50", [HISTORY_P90] = "p90", [HISTORY_P99] = "p99"
	};

	for (int f = HISTORY_P50; f <= HISTORY_P99; f++) {
		if (!c->significant[f])
			continue;
		out_printf(o, "%s%s ", *next, names[f]);
		say_change(o, c->effect[f]);
		*next = ", ";
	}
}

/* "mean +23 % (4.33 us to 5.31 us), number of calls -17 % (516 to 430 a run)". */
static void say_effects(struct out *o, const struct history_findings *f, const struct past *p,
			const struct change *c)
{
	struct scale scale = { .unit = p->unit, .hz = f->hz };
	const char *next = "";

	if (c->significant[HISTORY_MEAN] || c->significant[HISTORY_SHIFT]) {
		enum history_feature which =
			c->significant[HISTORY_MEAN] ? HISTORY_MEAN : HISTORY_SHIFT;

		out_text(o, which == HISTORY_MEAN ? "mean " : "calls moved by ");
		say_change(o, c->effect[which]);
		out_text(o, which == HISTORY_MEAN ? " (" : " (mean ");
		quantity_latency(o, c->before.mean, scale);
		out_text(o, " to ");
		quantity_latency(o, c->after.mean, scale);
		out_char(o, ')');
		next = ", ";
	}
	say_percentiles(o, c, &next);
	if (c->significant[HISTORY_TAIL]) {
		out_printf(o, "%sodds of a call 8 times as slow as most ", next);
		say_change(o, c->effect[HISTORY_TAIL]);
		next = ", ";
	}
	if (c->significant[HISTORY_CALLS]) {
		out_printf(o, "%snumber of calls ", next);
		say_change(o, c->effect[HISTORY_CALLS]);
		out_text(o, " (");
		quantity_count(o, c->before.calls);
		out_text(o, " to ");
		quantity_count(o, c->after.calls);
		out_text(o, " a run)");
	}
}

static void say_machine(struct out *o, const struct style *s, const struct history_findings *f,
			const struct change *c)
{
	switch (c->kind) {
	case CHANGE_DRIFT:
		out_printf(o, "drifts over all %zu runs", f->n_runs);
		return;
	case CHANGE_NEW:
		out_text(o, "new since ");
		break;
	case CHANGE_GONE:
		out_text(o, "gone since ");
		break;
	case CHANGE_STEP:
		out_text(o, "since ");
		break;
	}
	say_run(o, s, f, c->at);
	if (c->end < f->n_runs)
		out_printf(o, " until run %zu", c->end);
}

void history_sentence(struct out *o, const struct style *s, const struct history_findings *f,
		      const struct history_reported *reported)
{
	const struct past *p = reported->past;
	const struct change *c = reported->change;
	bool markdown = s->output_format == OUTPUT_FORMAT_MARKDOWN;

	out_text(o, markdown ? "- **" : "");
	tone_begin(o, s, TONE_STRONG);
	(markdown ? escape_markdown : escape_terminal)(o, p->name);
	tone_end(o, s, TONE_STRONG);
	out_text(o, markdown ? "**: " : ": ");
	say_machine(o, s, f, c);
	out_text(o, ", ");
	say_q(o, c->q);
	out_text(o, ": ");
	say_effects(o, f, p, c);
	if (c->kind == CHANGE_NEW || c->kind == CHANGE_GONE)
		out_printf(o, "in %zu of %zu runs", p->n_present, f->n_runs);
	out_char(o, '\n');
}

/* --- outlier runs ---------------------------------------------------------------------------- */

enum { MAX_NAMED = 4 };

static const struct outlier_run *outliers_in(const struct past *p, size_t run)
{
	for (size_t i = 0; i < p->n_outliers; i++) {
		if (p->outlier[i].run == run)
			return &p->outlier[i];
	}
	return NULL;
}

static void say_outliers(struct out *o, const struct outlier_run *outlier)
{
	if (outlier->mean != 0) {
		out_text(o, "mean ");
		say_change(o, outlier->mean);
	}
	if (outlier->calls != 0) {
		out_printf(o, "%scalls ", outlier->mean != 0 ? ", " : "");
		say_change(o, outlier->calls);
	}
}

static bool matters(const struct history_findings *f, const struct past *p)
{
	return !(p->share < f->rules.min_share);
}

static size_t count_outliers(const struct history_findings *f, size_t run)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++)
		n += matters(f, &f->v[i]) && outliers_in(&f->v[i], run) != NULL;
	return n;
}

static void outlier_line(struct out *o, const struct style *s, const struct history_findings *f,
			 size_t run, size_t n)
{
	const struct outlier_run *whole = outliers_in(&f->run_effect, run);
	size_t named = 0;

	out_text(o, s->output_format == OUTPUT_FORMAT_MARKDOWN ? "- " : "  ");
	say_run(o, s, f, run);
	out_text(o, ": ");
	if (whole != NULL) {
		out_text(o, "all operations together ");
		say_change(o, whole->mean);
		out_text(o, n > 0 ? "; " : "");
	}
	for (size_t i = 0; i < f->n && named < MAX_NAMED; i++) {
		const struct outlier_run *outlier = outliers_in(&f->v[i], run);

		if (outlier == NULL || !matters(f, &f->v[i]))
			continue;
		out_text(o, named++ > 0 ? "; " : "");
		(s->output_format == OUTPUT_FORMAT_MARKDOWN ? escape_markdown
							    : escape_terminal)(o, f->v[i].name);
		out_char(o, ' ');
		say_outliers(o, outlier);
	}
	if (n > named)
		out_printf(o, "; and %zu more", n - named);
	if (run + f->rules.min > f->n_runs)
		out_text(o, " (later runs will show whether it stays)");
	out_char(o, '\n');
}

void history_outliers(struct out *o, const struct style *s, const struct history_findings *f)
{
	bool first = true;

	for (size_t k = f->n_runs; k-- > 0;) {
		size_t n = count_outliers(f, k);

		if (n == 0 && outliers_in(&f->run_effect, k) == NULL)
			continue;
		if (first)
			out_printf(
				o,
				"\nOutlier runs, unlike their neighbours (not change points):%s\n",
				s->output_format == OUTPUT_FORMAT_MARKDOWN ? "\n" : "");
		first = false;
		outlier_line(o, s, f, k, n);
	}
}

/* --- the whole -------------------------------------------------------------------------- */

void history_heading(struct out *o, const struct style *s, const struct history_findings *f)
{
	void (*escape)(struct out *, struct str) =
		s->output_format == OUTPUT_FORMAT_MARKDOWN ? escape_markdown : escape_terminal;

	escape(o, str_from(f->run[0].name));
	out_text(o, " to ");
	escape(o, str_from(f->run[f->n_runs - 1].name));
	out_printf(o, ": %zu runs, %zu operation%s, %zu tested (unit %s)\n\n", f->n_runs, f->n,
		   f->n == 1 ? "" : "s", f->n_tested, unit_name(f->unit));
}

static void say_run_effect(struct out *o, const struct style *s, const struct history_findings *f)
{
	for (size_t i = f->run_effect.n_changes; i-- > 0;) {
		const struct change *c = &f->run_effect.change[i];

		out_text(o, "All operations together ");
		if (c->kind == CHANGE_DRIFT) {
			out_text(o, "drift");
		} else {
			out_text(o, "changed at ");
			say_run(o, s, f, c->at);
		}
		out_text(o, ": ");
		say_change(o, c->effect[leading_feature(c)]);
		out_text(o, "; each is judged against that.\n");
	}
}

void history_summary(struct out *o, const struct style *s, const struct history_report *c,
		     const struct history_reported *v, size_t n)
{
	const struct history_findings *f = c->findings;

	if (f->n_reported == 0) {
		out_text(o, "No operation is reported as changed.\n");
	} else {
		out_printf(o, "%zu of %zu operation%s changed; ", f->n_reported, f->n,
			   f->n == 1 ? "" : "s");
		if (n > 0 && v[0].change->kind == CHANGE_DRIFT) {
			out_text(o, "the latest change is a drift.\n");
		} else {
			out_text(o, "the latest change is at ");
			say_run(o, s, f, v[0].change->at);
			out_text(o, ".\n");
		}
	}
	if (f->speed_removed) {
		out_text(o, "The processor's speed varied by ");
		say_change(o, f->speed_range);
		out_text(o, " between runs; what it explains is removed.\n");
	}
	say_run_effect(o, s, f);
	if (c->gated)
		out_printf(o, "Gate, over the last %zu run%s: %s.\n", c->recent,
			   c->recent == 1 ? "" : "s", c->failed ? "FAILED" : "passed");
}
