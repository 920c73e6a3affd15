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

static bool is_of_latency(const struct change *c)
{
	return c->significant[leading_feature(c)];
}

/* "slower and called less often". */
static void say_what_changed(struct out *o, const struct past *p, const struct change *c)
{
	bool plain = p->unit == UNIT_PLAIN, more = c->effect[leading_feature(c)] > 0;
	const char *next = "";

	if (is_of_latency(c)) {
		out_text(o, plain ? more ? "larger" : "smaller" : more ? "slower" : "faster");
		next = " and ";
	} else if (c->significant[HISTORY_TAIL]) {
		out_printf(o, "%s %s", c->effect[HISTORY_TAIL] > 0 ? "more" : "fewer",
			   plain ? "large values" : "slow calls");
		next = " and ";
	}
	if (c->significant[HISTORY_CALLS])
		out_printf(o, "%s%s %s often", next, plain ? "counted" : "called",
			   c->effect[HISTORY_CALLS] > 0 ? "more" : "less");
}

static void say_since(struct out *o, const struct style *s, const struct history_findings *f,
		      const struct past *p, const struct change *c)
{
	switch (c->kind) {
	case CHANGE_DRIFT:
		say_what_changed(o, p, c);
		out_printf(o, " little by little over all %zu runs", f->n_runs);
		return;
	case CHANGE_NEW:
		out_text(o, "new");
		break;
	case CHANGE_GONE:
		out_text(o, "gone");
		break;
	case CHANGE_STEP:
		say_what_changed(o, p, c);
		break;
	}
	out_text(o, " since ");
	say_run(o, s, f, c->at);
	if (c->end < f->n_runs)
		out_printf(o, " until run %zu", c->end);
}

/* "20 % higher". */
static void say_effect(struct out *o, double octaves)
{
	say_higher(o, 1, exp2(octaves));
}

/* "4.33 us -> 5.31 us". */
static void say_means(struct out *o, const struct history_findings *f, const struct past *p,
		      const struct change *c)
{
	struct scale scale = { .unit = p->unit, .hz = f->hz };

	quantity_latency(o, c->before.mean, scale);
	out_text(o, " -> ");
	quantity_latency(o, c->after.mean, scale);
}

/* Says why the effect is not that between the levels before and after, where it is another one: that
 * of a drift is from the first run to the last, and what all operations share is left out. */
static void say_basis(struct out *o, const struct change *c, double effect, double before,
		      double after)
{
	static const double worth_saying = 0.0144; /* octaves: 1 % */

	if (c->kind == CHANGE_DRIFT)
		out_text(o, " in the last run than in the first");
	else if (fabs(effect - log2(after / before)) > worth_saying)
		out_text(o, " beyond what all operations share");
}

static void say_thirds(struct out *o, const struct change *c)
{
	if (c->kind == CHANGE_DRIFT)
		out_text(o, " (first and last third of the runs)");
}

static void say_mean(struct out *o, const struct history_findings *f, const struct past *p,
		     const struct change *c)
{
	if (c->significant[HISTORY_MEAN]) {
		out_text(o, "mean ");
		say_effect(o, c->effect[HISTORY_MEAN]);
		say_basis(o, c, c->effect[HISTORY_MEAN], c->before.mean, c->after.mean);
		out_text(o, ", ");
	} else {
		out_text(o, "geometric mean ");
		say_effect(o, c->effect[HISTORY_SHIFT]);
		out_text(o, ", mean ");
	}
	say_means(o, f, p, c);
	say_thirds(o, c);
}

/* "p50 12 % higher, p99 30 % higher"; false: none of them is significant. */
static bool say_percentiles(struct out *o, const struct change *c)
{
	static const char *const names[] = {
		[HISTORY_P50] = "p50", [HISTORY_P90] = "p90", [HISTORY_P99] = "p99"
	};
	const char *next = "";

	for (int f = HISTORY_P50; f <= HISTORY_P99; f++) {
		if (!c->significant[f])
			continue;
		out_printf(o, "%s%s ", next, names[f]);
		say_effect(o, c->effect[f]);
		next = ", ";
	}
	return next[0] != '\0';
}

static void say_calls(struct out *o, const struct change *c)
{
	double effect = c->effect[HISTORY_CALLS];

	out_text(o, "number of calls ");
	say_effect(o, effect);
	say_basis(o, c, effect, c->before.calls, c->after.calls);
	out_text(o, ", ");
	quantity_count(o, c->before.calls);
	out_text(o, " -> ");
	quantity_count(o, c->after.calls);
	out_text(o, " a run");
	say_thirds(o, c);
}

/* Below the first line of an operation, one number a line. */
static void say_effects(struct out *o, const struct style *s, const struct history_findings *f,
			const struct past *p, const struct change *c)
{
	struct out *percentiles = out_to_memory();

	if (c->significant[HISTORY_MEAN] || c->significant[HISTORY_SHIFT]) {
		out_text(o, next_detail(s));
		say_mean(o, f, p, c);
	}
	if (say_percentiles(percentiles, c)) {
		out_text(o, next_detail(s));
		out_bytes(o, out_memory(percentiles));
	}
	out_free(percentiles);
	if (c->significant[HISTORY_TAIL]) {
		out_printf(o, "%sodds of a call 8 times as slow as most ", next_detail(s));
		say_effect(o, c->effect[HISTORY_TAIL]);
	}
	if (c->significant[HISTORY_CALLS]) {
		out_text(o, next_detail(s));
		say_calls(o, c);
	}
	if (c->kind == CHANGE_NEW || c->kind == CHANGE_GONE)
		out_printf(o, "%sin %zu of %zu runs", next_detail(s), p->n_present, f->n_runs);
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
	say_since(o, s, f, p, c);
	out_text(o, ", ");
	say_q(o, c->q);
	say_effects(o, s, f, p, c);
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
		say_effect(o, outlier->mean);
	}
	if (outlier->calls != 0) {
		out_printf(o, "%snumber of calls ", outlier->mean != 0 ? ", " : "");
		say_effect(o, outlier->calls);
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
		out_text(o, "all operations together, mean ");
		say_effect(o, whole->mean);
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

		out_text(o, "All operations together are ");
		say_since(o, s, f, &f->run_effect, c);
		out_text(o, ": ");
		say_effect(o, c->effect[leading_feature(c)]);
		out_text(o, ". Each is judged against that.\n");
	}
}

/* ": read, write." */
static void say_names(struct out *o, const struct style *s, const struct history_findings *f)
{
	size_t named = 0;

	for (size_t i = 0; i < f->n && named < MAX_NAMED; i++) {
		const struct operation op = { .name = f->v[i].name, .layer = f->v[i].layer };

		if (!f->v[i].reported)
			continue;
		out_text(o, named++ > 0 ? ", " : ": ");
		say_short_operation(o, s, &op);
	}
	if (f->n_reported > named)
		out_printf(o, " and %zu more", f->n_reported - named);
	out_char(o, '.');
}

void history_summary(struct out *o, const struct style *s, const struct history_report *c,
		     const struct history_reported *v, size_t n)
{
	const struct history_findings *f = c->findings;

	if (f->n_reported == 0) {
		out_text(o, "No operation is reported as changed.\n");
	} else {
		out_printf(o, "%zu of %zu operation%s changed", f->n_reported, f->n,
			   f->n == 1 ? "" : "s");
		say_names(o, s, f);
		if (n > 0 && v[0].change->kind != CHANGE_DRIFT) {
			out_text(o, " The latest change is at ");
			say_run(o, s, f, v[0].change->at);
			out_char(o, '.');
		}
		out_char(o, '\n');
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
