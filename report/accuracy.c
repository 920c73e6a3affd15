/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/accuracy.h"

#include <math.h>

#include "base/escape.h"
#include "base/out.h"
#include "report/jout.h"
#include "report/table.h"

enum { MAX_WRONG = 10 }; /* misjudged operations in text without --all */

/* The method that has no distance: what osprof rank reports with the options given. */
static const char selection_name[] = "selection";

static const char *method_name(const struct accuracy *a)
{
	return a->distance != NULL ? a->distance->name : selection_name;
}

/* --- JSON ----------------------------------------------------------------------------------- */

static void jout_rate(struct jout *j, const char *key, const struct error_rate *rate)
{
	jout_flat_object(j, key);
	jout_u64(j, "wrong", rate->wrong);
	jout_u64(j, "of", rate->of);
	jout_f64(j, "low", rate->low);
	jout_f64(j, "high", rate->high);
	jout_end_object(j);
}

static void jout_method(struct jout *j, const struct accuracy *a)
{
	jout_object(j, NULL);
	jout_text(j, "name", method_name(a));
	jout_flat_array(j, "thresholds");
	for (size_t half = 0; a->distance != NULL && half < 2; half++)
		jout_f64(j, NULL, a->threshold[half]);
	jout_end_array(j);
	jout_rate(j, "false_positives", &a->false_positive);
	jout_rate(j, "false_negatives", &a->false_negative);
	jout_f64(j, "wrong_share", accuracy_wrong_share(a));
	jout_end_object(j);
}

static void jout_misjudged(struct jout *j, const struct misjudged *w)
{
	jout_object(j, NULL);
	jout_str(j, "baseline", w->before);
	jout_str(j, "candidate", w->after);
	jout_str(j, "operation", w->operation);
	jout_text(j, "label", w->changed ? "changed" : "same");
	jout_text(j, "verdict", verdict_name(w->verdict));
	jout_end_object(j);
}

static void accuracy_json(struct out *o, const struct accuracy_report *r)
{
	struct jout j = jout_on(o);

	jout_document(&j, "osprof.judge/1");
	jout_text(&j, "path", r->path);
	jout_u64(&j, "runs", r->n_runs);
	jout_u64(&j, "pairs", r->n_pairs);
	jout_flat_object(&j, "labels");
	jout_u64(&j, "changed", r->n_changed);
	jout_u64(&j, "same", r->n_same);
	jout_u64(&j, "unscored", r->n_unscored);
	jout_u64(&j, "missing", r->n_missing);
	jout_end_object(&j);
	jout_array(&j, "methods");
	for (size_t i = 0; i < r->n_accuracies; i++)
		jout_method(&j, &r->accuracy[i]);
	jout_end_array(&j);
	jout_array(&j, "misjudged");
	for (size_t i = 0; i < r->n_wrong; i++)
		jout_misjudged(&j, &r->wrong[i]);
	jout_end_array(&j);
	jout_end_object(&j);
	jout_finish(&j);
}

/* --- tables --------------------------------------------------------------------------------- */

static double rate_share(const struct error_rate *rate)
{
	return rate->of > 0 ? (double)rate->wrong / (double)rate->of : NAN;
}

static void accuracy_csv(struct out *o, const struct style *s, const struct accuracy_report *r)
{
	static const struct column columns[] = {
		{ "method", "", ALIGN_LEFT },
		{ "false_positives", "", ALIGN_RIGHT },
		{ "same", "", ALIGN_RIGHT },
		{ "false_positives_low", "", ALIGN_RIGHT },
		{ "false_positives_high", "", ALIGN_RIGHT },
		{ "false_negatives", "", ALIGN_RIGHT },
		{ "changed", "", ALIGN_RIGHT },
		{ "false_negatives_low", "", ALIGN_RIGHT },
		{ "false_negatives_high", "", ALIGN_RIGHT },
		{ "wrong_share", "", ALIGN_RIGHT },
		{ "threshold_0", "", ALIGN_RIGHT },
		{ "threshold_1", "", ALIGN_RIGHT },
	};
	struct table *t = table_begin(columns, COUNT_OF(columns), s, o);

	for (size_t i = 0; i < r->n_accuracies; i++) {
		const struct accuracy *a = &r->accuracy[i];

		table_text(t, method_name(a), TONE_PLAIN);
		table_count(t, a->false_positive.wrong);
		table_count(t, a->false_positive.of);
		table_number(t, a->false_positive.low);
		table_number(t, a->false_positive.high);
		table_count(t, a->false_negative.wrong);
		table_count(t, a->false_negative.of);
		table_number(t, a->false_negative.low);
		table_number(t, a->false_negative.high);
		table_number(t, accuracy_wrong_share(a));
		table_number(t, a->threshold[0]);
		table_number(t, a->threshold[1]);
	}
	table_end(t);
}

/* "2.1 (1.2-3.4)": a rate with its interval, in percent. */
static void rate_cell(struct table *t, const struct error_rate *rate)
{
	struct out *o = table_open(t);

	if (rate->of == 0)
		out_text(o, "-");
	else
		out_printf(o, "%.1f (%.1f-%.1f)", 100 * rate_share(rate), 100 * rate->low,
			   100 * rate->high);
	table_close(t, TONE_PLAIN);
}

static void accuracy_table(struct out *o, const struct style *s, const struct accuracy_report *r)
{
	static const struct column columns[] = {
		{ "method", "method", ALIGN_LEFT },
		{ "wrong", "wrong", ALIGN_RIGHT },
		{ "false_positives", "false positives, %", ALIGN_RIGHT },
		{ "false_negatives", "false negatives, %", ALIGN_RIGHT },
	};
	struct table *t = table_begin(columns, COUNT_OF(columns), s, o);

	for (size_t i = 0; i < r->n_accuracies; i++) {
		const struct accuracy *a = &r->accuracy[i];

		table_text(t, method_name(a), a->distance == NULL ? TONE_STRONG : TONE_PLAIN);
		table_share(t, accuracy_wrong_share(a));
		rate_cell(t, &a->false_positive);
		rate_cell(t, &a->false_negative);
	}
	table_end(t);
}

static void wrong_table(struct out *o, const struct style *s, const struct accuracy_report *r,
			size_t n)
{
	static const struct column columns[] = {
		{ "label", "label", ALIGN_LEFT },	  { "operation", "operation", ALIGN_LEFT },
		{ "verdict", "verdict", ALIGN_LEFT },	  { "baseline", "baseline", ALIGN_LEFT },
		{ "candidate", "candidate", ALIGN_LEFT },
	};
	struct table *t = table_begin(columns, COUNT_OF(columns), s, o);

	for (size_t i = 0; i < n; i++) {
		table_text(t, r->wrong[i].changed ? "changed" : "same", TONE_PLAIN);
		table_name(t, r->wrong[i].operation);
		table_text(t, verdict_name(r->wrong[i].verdict), TONE_PLAIN);
		table_name(t, r->wrong[i].before);
		table_name(t, r->wrong[i].after);
	}
	table_end(t);
}

/* --- text ------------------------------------------------------------------------------------ */

static void say_labels(struct out *o, const struct style *s, const struct accuracy_report *r)
{
	if (s->output_format == OUTPUT_FORMAT_MARKDOWN)
		escape_markdown(o, str_from(r->path));
	else
		escape_terminal(o, str_from(r->path));
	out_printf(o, ": %zu runs in %zu pair%s; %zu operations changed, %zu same", r->n_runs,
		   r->n_pairs, r->n_pairs == 1 ? "" : "s", r->n_changed, r->n_same);
	if (r->n_unscored > 0)
		out_printf(o, ", %zu unscored", r->n_unscored);
	if (r->n_missing > 0)
		out_printf(o, ", %zu missing", r->n_missing);
	out_text(o, "\n\n");
}

void report_accuracy(struct out *o, const struct style *s, const struct accuracy_report *r,
		     bool all)
{
	size_t n = all || r->n_wrong < MAX_WRONG ? r->n_wrong : MAX_WRONG;

	if (s->output_format == OUTPUT_FORMAT_JSON) {
		accuracy_json(o, r);
		return;
	}
	if (s->output_format == OUTPUT_FORMAT_CSV) {
		accuracy_csv(o, s, r);
		return;
	}
	say_labels(o, s, r);
	accuracy_table(o, s, r);
	if (n == 0)
		return;
	out_text(o, "\nThe selection is wrong about:\n\n");
	wrong_table(o, s, r, n);
	if (n < r->n_wrong)
		out_printf(o, "%zu more (--all)\n", r->n_wrong - n);
}
