/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof rank: which operations differ, how, and how certain that is. */
#include "analyze/rank.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/out.h"
#include "base/parallel.h"
#include "report/gate.h"
#include "report/hosts.h"
#include "report/jout.h"
#include "report/parts.h"
#include "report/quantiles.h"
#include "report/rank_output.h"
#include "report/report.h"
#include "report/runs.h"
#include "report/sparkline.h"
#include "report/table.h"

/* --- baselines --------------------------------------------------------------------- */

static void say_replays(struct out *o, const struct comparison *c)
{
	const struct baseline *b = c->baseline != NULL ? &c->baseline->baseline : NULL;

	if (b == NULL || b->replays == 0)
		return;
	if (b->alarms == 0)
		out_printf(o,
			   "Judged against each other, none of the baseline's %zu runs would be "
			   "reported.\n",
			   b->replays);
	else
		out_printf(o,
			   "Judged against each other, %zu of the baseline's %zu runs would be "
			   "reported, though nothing changed.\n",
			   b->alarms, b->replays);
}

/* --- tables ------------------------------------------------------------------------ */

enum { COLUMNS_BEFORE_METRICS = 14, GATE_COLUMNS = 2, SELF_COLUMNS = 2 };
enum {
	FIXED_COLUMNS = COLUMNS_BEFORE_METRICS + N_METRICS + N_REPLICATE_STATS,
	MAX_COLUMNS =
		FIXED_COLUMNS + MAX_QUANTILES * COLUMNS_OF_QUANTILE + GATE_COLUMNS + SELF_COLUMNS
};

/* When calls are nested, a column next to the total shows self time. */
enum { TEXT_CALLS = 4, TEXT_TOTAL, TEXT_SELF, TEXT_BEFORE = 8, TEXT_AFTER };
static const struct column text_columns[] = {
	{ NULL, "", ALIGN_RIGHT },	 { NULL, "operation", ALIGN_LEFT },
	{ NULL, "verdict", ALIGN_LEFT }, { NULL, "score", ALIGN_RIGHT },
	{ NULL, "calls", ALIGN_RIGHT },	 { NULL, "total", ALIGN_RIGHT },
	{ NULL, NULL, ALIGN_RIGHT },	 { NULL, "mean", ALIGN_RIGHT },
	{ NULL, "before", ALIGN_LEFT },	 { NULL, "after", ALIGN_LEFT },
};

static void sparkline_cell(struct table *t, const struct style *s, const struct operation *op,
			   struct span_of_octaves span)
{
	sparkline(table_open(t), s, op != NULL ? &op->hist : NULL, span, SPARKLINE_WIDTH, NULL);
	table_close(t, TONE_PLAIN);
}

static void text_row(struct table *t, const struct style *s, const struct comparison *c,
		     size_t number)
{
	const struct ranked *r = &c->ranking->v[number];
	const struct operation *op = ranked_operation(r);
	const struct histogram *both[] = { r->before != NULL ? &r->before->hist : NULL,
					   r->after != NULL ? &r->after->hist : NULL };
	struct span_of_octaves span = sparkline_span(both, COUNT_OF(both));
	struct scale scale = scale_of_ranked(c, r);

	table_count(t, number + 1);
	operation_cell(t, s, op);
	table_text(t, verdict_name(r->verdict), verdict_tone(r->verdict));
	table_number(t, r->score);
	change_cell(t, s, r->run_before.calls, r->run_after.calls, NULL);
	change_cell(t, s, r->run_before.total, r->run_after.total, &scale);
	change_cell(t, s, own_in_run(r->before, &r->run_before),
		    own_in_run(r->after, &r->run_after), &scale);
	change_cell(t, s, r->run_before.mean, r->run_after.mean, &scale);
	sparkline_cell(t, s, r->before, span);
	sparkline_cell(t, s, r->after, span);
}

static void say_quantiles_below(struct out *o, bool markdown, const struct comparison *c,
				const struct ranked *r)
{
	struct out *words = out_to_memory();

	say_quantiles(words, c, r);
	if (out_memory(words).n > 0)
		out_text(o, markdown ? "<br>" : "\n  ");
	out_bytes(o, out_memory(words));
	out_free(words);
}

/* "randread: a new peak ...": a line below the table for each operation that is reported or
 * fails, with the reason for the failure. */
static void explain_one(struct out *o, const struct style *s, const struct comparison *c,
			const struct ranked *r)
{
	const struct operation *op = ranked_operation(r);
	bool markdown = s->output_format == OUTPUT_FORMAT_MARKDOWN;
	struct arena *a = arena_new();
	struct str reason = c->gated ? gate_reason(a, c, r) : STR("");

	out_text(o, markdown ? "- **" : "");
	tone_begin(o, s, TONE_STRONG);
	say_operation(o, s, op);
	tone_end(o, s, TONE_STRONG);
	out_text(o, markdown ? "**: " : ": ");
	explain(o, c, r);
	if (reason.n > 0)
		out_printf(o, markdown ? "; **fails**: %.*s" : "; FAILS: %.*s", STR_ARG(reason));
	if (gate_ruling(comparison_gate(c), r).expected)
		out_text(o, "; expected (annotated)");
	say_quantiles_below(o, markdown, c, r);
	out_char(o, '\n');
	arena_free(a);
}

/* Whether an operation seems to have changed, but one run a side cannot establish it. */
static bool looks_changed(const struct ranked *r)
{
	return !r->reported && (r->doubt == DOUBT_SLOW_CALLS || r->doubt == DOUBT_PREEMPTED ||
				r->doubt == DOUBT_FEW_CALLS || r->doubt == DOUBT_BUCKETS);
}

enum { MAX_DOUBTFUL = 3 };

static void doubtful(struct out *o, const struct style *s, const struct comparison *c)
{
	size_t shown = 0;

	for (size_t i = 0; i < c->ranking->n && shown < MAX_DOUBTFUL; i++) {
		const struct ranked *r = &c->ranking->v[i];

		if (!looks_changed(r) || (c->gated && gate_ruling(comparison_gate(c), r).failed))
			continue;
		explain_one(o, s, c, r);
		shown++;
	}
}

static void explanations(struct out *o, const struct style *s, const struct comparison *c)
{
	for (size_t i = 0; i < c->ranking->n; i++) {
		const struct ranked *r = &c->ranking->v[i];

		if (r->reported || (c->all && (c->runs != NULL || r->doubt != DOUBT_NONE)) ||
		    (c->gated && gate_ruling(comparison_gate(c), r).failed))
			explain_one(o, s, c, r);
	}
	if (!c->all)
		doubtful(o, s, c);
}

/* Returns the operation with the lowest or highest threshold among those large enough to be
 * reported; NULL when there are none. */
static const struct ranked *threshold_at(const struct comparison *c, bool highest)
{
	const struct ranking *all = c->ranking;
	const struct ranked *found = NULL;

	for (size_t i = 0; i < all->n; i++) {
		const struct ranked *r = &all->v[i];
		struct rank_rules rules = rank_rules_for(r, c->rules);

		if (isnan(r->threshold) || !rank_large_enough(r, all, &rules))
			continue;
		if (found == NULL ||
		    (highest ? r->threshold > found->threshold : r->threshold < found->threshold))
			found = r;
	}
	return found;
}

static void say_threshold(struct out *o, const struct style *s, const struct ranked *r)
{
	say_change(o, r->threshold);
	out_text(o, " (");
	say_operation(o, s, r->before);
	out_char(o, ')');
}

/* When nothing is reported, says how large a difference has to be. */
static void say_single_runs(struct out *o, const struct style *s, const struct comparison *c)
{
	const struct rank_rules *rules = c->rules;
	const struct ranked *low = threshold_at(c, false), *high = threshold_at(c, true);

	out_text(o, "One run a side: effects are shown, how they vary from run to run is not "
		    "known.\n");
	if (low == NULL || c->ranking->n_reported > 0 || !isnan(rules->threshold))
		return;
	out_text(o, "Reported are operations whose calls take longer or shorter by ");
	say_threshold(o, s, low);
	if (high != low) {
		out_text(o, " to ");
		say_threshold(o, s, high);
	}
	out_text(o, ", or whose\nnumber differs by ");
	say_change(o, rules->min_calls);
	out_text(o, ", more for fewer calls; repeated runs show smaller changes.\n");
}

static void say_workload(struct out *o, const struct comparison *c)
{
	const struct ranking *all = c->ranking;

	if (!all->fixed_duration)
		return;
	out_text(o, "Runs of a fixed duration (a closed loop)");
	if (fabs(all->iterations_octaves) >= 0.01) {
		out_text(o, ", which got ");
		quantity_percent(o, fabs(exp2(all->iterations_octaves) - 1));
		out_printf(o, " %s done", all->iterations_octaves > 0 ? "more" : "less");
	}
	out_text(o, ": numbers of calls are no result.\n");
}

static void say_totals(struct out *o, const struct comparison *c)
{
	const struct ranking *all = c->ranking;
	struct scale scale = { .unit = c->before.profile->unit, .hz = c->before.profile->hz };
	bool repeated = all->n_before > 1 || all->n_after > 1;
	const char *each = c->hosts != NULL ? " a host before, " : " a run before, ";

	out_text(o, ": total latency ");
	quantity_latency(o, totals_busy(&all->before) / (double)all->n_before, scale);
	out_text(o, repeated ? each : " before, ");
	quantity_latency(o, totals_busy(&all->after) * all->scale_after / (double)all->n_after,
			 scale);
	out_text(o, " after.\n");
}

/* That nothing differs is a statement about every operation, and needs a proof for each. */
static void say_nothing_reported(struct out *o, const struct comparison *c)
{
	const struct ranking *all = c->ranking;
	size_t undecided = 0, small = 0;

	for (size_t i = 0; i < all->n; i++) {
		undecided += all->v[i].verdict == VERDICT_INCONCLUSIVE;
		small += all->v[i].verdict != VERDICT_INCONCLUSIVE &&
			 all->v[i].verdict != VERDICT_SAME;
	}
	if (c->runs == NULL)
		out_text(o, "Nothing stands out");
	else if (undecided == 0 && small == 0)
		out_text(o, "No operation differs by the minimum effect or more");
	else if (small > 0)
		out_printf(o,
			   "%zu of %zu operation%s differ%s, too small a part of the run to be "
			   "reported",
			   small, all->n, all->n == 1 ? "" : "s", small == 1 ? "s" : "");
	else
		out_printf(o, "Not decided: %zu of %zu operation%s may differ", undecided, all->n,
			   all->n == 1 ? "" : "s");
}

/* The verdict on the run as a whole, where it has one. */
static void say_run(struct out *o, const struct comparison *c)
{
	const struct ranking *all = c->ranking;
	const struct run_verdict *run = &all->run;

	if (run->verdict != VERDICT_REGRESSED && run->verdict != VERDICT_IMPROVED)
		return;
	out_text(o, run->verdict == VERDICT_REGRESSED ? "SLOWER: the run as a whole"
						      : "FASTER: the run as a whole");
	if (c->runs == NULL || run->shared.counts || run->passes) {
		out_text(o, ": operations take ");
		quantity_ratio(o, exp2(run->shared.value));
		out_printf(o, "x as long (%zu of %zu together)", run->n_shared, run->of);
	}
	if (run->elapsed.counts) {
		out_text(o, "; it takes ");
		quantity_latency(o, all->elapsed.before.elapsed, (struct scale){ .unit = UNIT_S });
		out_text(o, " before, ");
		quantity_latency(o, all->elapsed.after.elapsed, (struct scale){ .unit = UNIT_S });
		out_text(o, " after");
	}
	out_text(o, ".\n");
}

static void summary(struct out *o, const struct style *s, const struct comparison *c)
{
	const struct ranking *all = c->ranking;

	say_run(o, c);
	if (all->n == 0)
		out_text(o, "No operation is left to compare");
	else if (all->n_reported == 0)
		say_nothing_reported(o, c);
	else
		out_printf(o, "%zu of %zu operation%s differ%s", all->n_reported, all->n,
			   all->n == 1 ? "" : "s", all->n_reported == 1 ? "s" : "");
	say_totals(o, c);
	if (c->before.n_runs == 1 && c->after.n_runs == 1)
		say_single_runs(o, s, c);
	else if (c->runs != NULL)
		say_judgement(o, c->runs, run_effects_any(&all->effects));
	else
		out_text(o, "One run on a side does not show how runs vary, and the other side's "
			    "runs cannot\nspeak for it: verdicts rest on the size of effects, as "
			    "for one run a side.\nNumbers are means per run.\n");
	if (run_effects_any(&all->effects)) {
		say_run_effects(o, c);
		out_text(o, ".\n");
	}
	say_workload(o, c);
	say_replays(o, c);
}

static void table_of(struct out *o, const struct style *s, const struct comparison *c, size_t from,
		     size_t to)
{
	struct column shown[COUNT_OF(text_columns)];
	struct table *t;

	memcpy(shown, text_columns, sizeof(shown));
	if (comparison_is_nested(c)) {
		shown[TEXT_TOTAL].title = "inclusive";
		shown[TEXT_SELF].title = "self";
	}
	t = table_begin(shown, COUNT_OF(shown), s, o);
	table_spare(t, TEXT_BEFORE, 2);
	table_spare(t, TEXT_AFTER, 2);
	table_spare(t, TEXT_CALLS, 1);
	for (size_t i = from; i < to; i++)
		text_row(t, s, c, i);
	table_end(t);
}

/* Prints the table of operations and the text about them. */
static void findings(struct out *o, const struct style *s, const struct comparison *c, size_t shown)
{
	if (shown > 0) {
		out_char(o, '\n');
		table_of(o, s, c, 0, shown);
	}
	if (shown > 0 || (c->gated && gate_failures(comparison_gate(c)) > 0))
		out_char(o, '\n');
	explanations(o, s, c);
}

static void rank_text(struct out *o, const struct style *s, const struct comparison *c)
{
	const struct ranking *all = c->ranking;
	size_t shown = c->all ? all->n : all->n_reported;

	part_heading_per_run(o, "before  ", &c->before);
	part_heading_per_run(o, "after   ", &c->after);
	out_char(o, '\n');
	summary(o, s, c);
	if (c->gated) {
		out_text(o, "Gate: ");
		gate_outcome(o, s, c);
		out_text(o, ".\n");
		gate_not_judged(o, s, c);
	}
	say_cautions(o, s, c);
	findings(o, s, c, shown);
	say_outlier_hosts(o, c, false);
	if (shown == 0 && all->n > 0)
		out_printf(o, "--all shows all %zu operations.\n", all->n);
	else if (shown < all->n)
		out_printf(o, "\n%zu more operation%s not reported; --all shows %s.\n",
			   all->n - shown, all->n - shown == 1 ? "" : "s",
			   all->n - shown == 1 ? "it" : "them");
}

/* --- Markdown ---------------------------------------------------------------------- */

/* A comment on a pull request is limited to 65536 characters. */
enum { MAX_FOLDED = 100 };

static void folded(struct out *o, const struct style *s, const struct comparison *c, size_t from)
{
	size_t left = c->ranking->n - from, n = left < MAX_FOLDED ? left : MAX_FOLDED;

	out_printf(o, "\n<details>\n<summary>%zu more operation%s not reported</summary>\n\n", left,
		   left == 1 ? "" : "s");
	table_of(o, s, c, from, from + n);
	if (n < left)
		out_printf(o, "\n%zu more are left out here; --all shows them.\n", left - n);
	out_text(o, "\n</details>\n");
}

static void rank_markdown(struct out *o, const struct style *s, const struct comparison *c)
{
	const struct ranking *all = c->ranking;
	size_t shown = c->all ? all->n : all->n_reported;

	out_text(o, "**");
	gate_verdicts(o, c);
	if (c->gated) {
		out_text(o, "; gate: ");
		gate_outcome(o, s, c);
	}
	out_text(o, "**\n\n");
	part_heading_per_run(o, "- before: ", &c->before);
	part_heading_per_run(o, "- after: ", &c->after);
	say_cautions(o, s, c);
	out_char(o, '\n');
	summary(o, s, c);
	findings(o, s, c, shown);
	say_outlier_hosts(o, c, true);
	if (shown < all->n)
		folded(o, s, c, shown);
}

/* --- CSV --------------------------------------------------------------------------- */

/* Fills in the columns, including those of a gate if there is one; returns their number. */
static size_t csv_columns(struct arena *a, struct column *column, const struct comparison *c)
{
	static const struct column front[COLUMNS_BEFORE_METRICS] = {
		{ "operation", NULL, ALIGN_LEFT },     { "layer", NULL, ALIGN_LEFT },
		{ "reported", NULL, ALIGN_LEFT },      { "verdict", NULL, ALIGN_LEFT },
		{ "score", NULL, ALIGN_RIGHT },	       { "approximated", NULL, ALIGN_LEFT },
		{ "calls_before", NULL, ALIGN_RIGHT }, { "calls_after", NULL, ALIGN_RIGHT },
		{ "total_before", NULL, ALIGN_RIGHT }, { "total_after", NULL, ALIGN_RIGHT },
		{ "mean_before", NULL, ALIGN_RIGHT },  { "mean_after", NULL, ALIGN_RIGHT },
		{ "share_before", NULL, ALIGN_RIGHT }, { "share_after", NULL, ALIGN_RIGHT },
	};
	size_t n = FIXED_COLUMNS;

	for (size_t i = 0; i < COLUMNS_BEFORE_METRICS; i++)
		column[i] = front[i];
	for (int m = 0; m < N_METRICS; m++)
		column[COLUMNS_BEFORE_METRICS + m] =
			(struct column){ distance_at(m)->name, NULL, ALIGN_RIGHT };
	replicate_columns(column + COLUMNS_BEFORE_METRICS + N_METRICS);
	quantile_columns(a, c, column + n);
	n += c->quantiles.n * COLUMNS_OF_QUANTILE;
	column[n++] = (struct column){ "self_before", NULL, ALIGN_RIGHT };
	column[n++] = (struct column){ "self_after", NULL, ALIGN_RIGHT };
	if (c->gated) {
		column[n++] = (struct column){ "gate", NULL, ALIGN_LEFT };
		column[n++] = (struct column){ "why", NULL, ALIGN_LEFT };
	}
	return n;
}

static void gate_cells(struct table *t, const struct comparison *c, const struct ranked *r)
{
	struct ruling ruling = gate_ruling(comparison_gate(c), r);
	struct arena *a = arena_new();

	table_text(t,
		   ruling.ignored    ? "ignore"
		   : ruling.expected ? "expected"
		   : ruling.failed   ? "fail"
				     : "pass",
		   TONE_PLAIN);
	table_name(t, gate_reason(a, c, r));
	arena_free(a);
}

/* Empty when self time equals the total. */
static void self_cell(struct table *t, const struct operation *op, const struct in_run *one)
{
	if (op == NULL || op->own_known == OWN_TOTAL)
		table_empty(t);
	else
		table_number(t, own_in_run(op, one));
}

static void csv_row(struct table *t, const struct comparison *c, const struct ranked *r)
{
	const struct operation *op = ranked_operation(r);

	table_name(t, op->name);
	table_name(t, op->layer);
	table_text(t, r->reported ? "yes" : "no", TONE_PLAIN);
	table_text(t, verdict_name(r->verdict), TONE_PLAIN);
	table_number(t, r->score);
	table_text(t, r->approximated ? "yes" : "no", TONE_PLAIN);
	table_number(t, r->run_before.calls);
	table_number(t, r->run_after.calls);
	table_number(t, r->run_before.total);
	table_number(t, r->run_after.total);
	table_number(t, r->run_before.mean);
	table_number(t, r->run_after.mean);
	table_number(t, r->share_before);
	table_number(t, r->share_after);
	for (int m = 0; m < N_METRICS; m++)
		table_number(t, r->metric[m]);
	replicate_cells(t, c->runs != NULL ? r->runs : NULL);
	quantile_cells(t, c, r);
	self_cell(t, r->before, &r->run_before);
	self_cell(t, r->after, &r->run_after);
	if (c->gated)
		gate_cells(t, c, r);
}

/* The part of the CSV rows that one thread prints to memory. */
struct csv_part {
	const struct comparison *comparison;
	const struct style *style;
	const struct column *column;
	size_t n_columns, from, to;
	struct out *out;
};

static void csv_stretch(void *ctx, size_t part)
{
	const struct csv_part *p = (const struct csv_part *)ctx + part;
	struct table *t = table_part(p->column, p->n_columns, p->style, p->out);

	for (size_t i = p->from; i < p->to; i++)
		csv_row(t, p->comparison, &p->comparison->ranking->v[i]);
	table_end(t);
}

enum { MIN_ITEMS_PER_THREAD = 2000 };

/* Printing ten thousand rows takes longer than ranking them, so a second thread prints the
 * second half of a long table. */
static void rank_csv(struct out *o, const struct style *s, const struct comparison *c)
{
	struct column column[MAX_COLUMNS];
	struct arena *a = arena_new();
	size_t n_columns = csv_columns(a, column, c);
	size_t n = c->ranking->n, half = n >= MIN_ITEMS_PER_THREAD ? n / 2 : n;
	struct csv_part part[] = { { c, s, column, n_columns, 0, half, o },
				   { c, s, column, n_columns, half, n, out_to_memory() } };

	table_end(table_begin(column, n_columns, s, o));
	parallel_run(half < n ? 2 : 1, csv_stretch, part);
	out_bytes(o, out_memory(part[1].out));
	out_free(part[1].out);
	arena_free(a);
}

void report_rank(struct out *o, const struct style *s, const struct comparison *c)
{
	switch (s->output_format) {
	case OUTPUT_FORMAT_JSON:
		rank_json(o, c);
		break;
	case OUTPUT_FORMAT_CSV:
		rank_csv(o, s, c);
		break;
	case OUTPUT_FORMAT_JUNIT:
		rank_junit(o, c);
		break;
	case OUTPUT_FORMAT_FOLDED:
	case OUTPUT_FORMAT_HTML:
		rank_html(o, c);
		break;
	case OUTPUT_FORMAT_MARKDOWN:
		rank_markdown(o, s, c);
		break;
	case OUTPUT_FORMAT_TEXT:
		rank_text(o, s, c);
		break;
	}
}
