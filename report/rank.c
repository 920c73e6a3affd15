/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof rank: which operations differ, how, and how sure. */
#include "analyze/rank.h"

#include <math.h>
#include <pthread.h>

#include "base/arena.h"
#include "base/out.h"
#include "report/gate.h"
#include "report/jout.h"
#include "report/parts.h"
#include "report/rank_dress.h"
#include "report/report.h"
#include "report/runs.h"
#include "report/sparkline.h"
#include "report/table.h"

/* --- JSON ------------------------------------------------------------------------ */

/* Peaks of one side in order, each with what became of it. */
static void side_peaks(struct jout *j, const struct peak_pairs *pairs, bool before)
{
	jout_array(j, "peaks");
	for (size_t i = 0; i < pairs->n; i++) {
		const struct peak *p = before ? pairs->v[i].before : pairs->v[i].after;

		if (p != NULL)
			jout_peak(j, p, peak_change_name(pairs->v[i].change));
	}
	jout_end_array(j);
}

static void side(struct jout *j, const char *key, const struct operation *op, double total,
		 size_t runs, const struct peak_pairs *pairs, bool before)
{
	jout_object(j, key);
	jout_u64(j, "count", op != NULL ? operation_count(op) : 0);
	jout_f64(j, "total", total);
	jout_bool(j, "total_exact", op != NULL && operation_total_exact(op));
	jout_u64(j, "runs", op != NULL ? runs : 0);
	side_peaks(j, pairs, before);
	jout_end_object(j);
}

static struct str explanation(struct arena *a, const struct comparison *c, const struct ranked *r)
{
	struct out *o = out_to_memory();
	struct str text;

	explain(o, c, r);
	text = arena_str(a, out_memory(o));
	out_free(o);
	return text;
}

static void ranked_json(struct jout *j, struct arena *a, const struct comparison *c,
			const struct ranked *r)
{
	const struct operation *op = r->before != NULL ? r->before : r->after;
	const struct ruling ruling = gate_ruling(c, r);
	struct ranked_peaks p = rank_peaks(a, r, c->ranking->scale_after);

	jout_object(j, NULL);
	jout_str(j, "name", op->name);
	jout_str(j, "layer", op->layer);
	jout_bool(j, "reported", r->reported);
	jout_bool(j, "approximated", r->approximated);
	jout_text(j, "verdict", verdict_name(r->verdict));
	jout_f64(j, "score", r->score);
	jout_metrics(j, r->metric);
	if (c->runs != NULL)
		jout_over_runs(j, r->runs);
	side(j, "before", r->before, r->total_before, c->before.n_runs, &p.pairs, true);
	side(j, "after", r->after, r->total_after, c->after.n_runs, &p.pairs, false);
	jout_str(j, "explanation", explanation(a, c, r));
	jout_bool(j, "expected", ruling.expected);
	jout_bool(j, "failed", ruling.failed);
	if (ruling.failed)
		jout_str(j, "failure", gate_reason(a, c, r));
	else
		jout_null(j, "failure");
	jout_end_object(j);
}

static const char *judged_by(const struct comparison *c)
{
	return c->runs == NULL ? "effects" : c->runs->n_after > 1 ? "runs" : "prediction";
}

static void json_place(struct jout *j, const char *key, const struct profile *p)
{
	jout_flat_object(j, key);
	if (p->machine.n > 0)
		jout_str(j, "machine", p->machine);
	else
		jout_null(j, "machine");
	if (p->kernel.n > 0)
		jout_str(j, "kernel", p->kernel);
	else
		jout_null(j, "kernel");
	jout_end_object(j);
}

static void json_baseline(struct jout *j, const struct comparison *c)
{
	json_place(j, "captured_before", c->before.profile);
	json_place(j, "captured_after", c->after.profile);
	if (c->baseline == NULL) {
		jout_null(j, "baseline");
		return;
	}
	jout_flat_object(j, "baseline");
	jout_u64(j, "runs", c->baseline->baseline.n_runs);
	jout_u64(j, "replays", c->baseline->baseline.replays);
	jout_u64(j, "alarms", c->baseline->baseline.alarms);
	jout_end_object(j);
}

static void rank_json(struct out *o, const struct comparison *c)
{
	struct jout j = jout_on(o);
	struct arena *a = arena_new();

	jout_object(&j, NULL);
	jout_text(&j, "schema", "osprof.rank/1");
	jout_files(&j, "before", &c->before);
	jout_files(&j, "after", &c->after);
	jout_unit(&j, "unit", c->before.profile->unit);
	jout_bool(&j, "replicated", c->runs != NULL && c->runs->n_after > 1);
	jout_text(&j, "judged_by", judged_by(c));
	json_baseline(&j, c);
	jout_cautions(&j, c);
	if (c->runs != NULL)
		jout_judgement(&j, c->runs);
	jout_text(&j, "metric", distance_at(c->metric)->name);
	jout_text(&j, "policy", c->policy_path);
	jout_array(&j, "operations");
	for (size_t i = 0; i < c->ranking->n; i++) {
		arena_clear(a);
		ranked_json(&j, a, c, &c->ranking->v[i]);
	}
	jout_end_array(&j);
	jout_end_object(&j);
	jout_finish(&j);
	arena_free(a);
}

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

enum { COLUMNS_BEFORE_METRICS = 14, GATE_COLUMNS = 2 };
enum { MOST_COLUMNS = COLUMNS_BEFORE_METRICS + N_METRICS + N_OVER_RUNS + GATE_COLUMNS };

enum { TEXT_CALLS = 4, TEXT_BEFORE = 7, TEXT_AFTER };
static const struct column text_columns[] = {
	{ "", "", ALIGN_RIGHT, true },	     { "", "operation", ALIGN_LEFT, true },
	{ "", "verdict", ALIGN_LEFT, true }, { "", "score", ALIGN_RIGHT, true },
	{ "", "calls", ALIGN_RIGHT, true },  { "", "total", ALIGN_RIGHT, true },
	{ "", "mean", ALIGN_RIGHT, true },   { "", "before", ALIGN_LEFT, true },
	{ "", "after", ALIGN_LEFT, true },
};

static void sparkline_cell(struct table *t, const struct style *s, const struct operation *op,
			   struct span_of_octaves span)
{
	sparkline(table_open(t), s, op != NULL ? &op->hist : NULL, span, SPARKLINE_WIDTH, NULL);
	table_close(t, TONE_PLAIN);
}

static double mean_of(const struct operation *op, double total)
{
	uint64_t count = op != NULL ? operation_count(op) : 0;

	return count > 0 ? total / (double)count : NAN;
}

static double calls_of(const struct operation *op)
{
	return op != NULL ? (double)operation_count(op) : 0;
}

static void text_row(struct table *t, const struct style *s, const struct comparison *c,
		     size_t number)
{
	const struct ranked *r = &c->ranking->v[number];
	const struct operation *op = r->before != NULL ? r->before : r->after;
	const struct histogram *both[] = { r->before != NULL ? &r->before->hist : NULL,
					   r->after != NULL ? &r->after->hist : NULL };
	struct span_of_octaves span = sparkline_span(both, COUNT_OF(both));
	struct scale scale = scale_of_ranked(c, r);

	table_count(t, number + 1);
	operation_cell(t, s, op);
	table_text(t, verdict_name(r->verdict), verdict_tone(r->verdict));
	table_number(t, r->score);
	change_cell(t, s, calls_of(r->before), calls_of(r->after), NULL);
	change_cell(t, s, r->total_before, r->total_after, &scale);
	change_cell(t, s, mean_of(r->before, r->total_before), mean_of(r->after, r->total_after),
		    &scale);
	sparkline_cell(t, s, r->before, span);
	sparkline_cell(t, s, r->after, span);
}

/* "randread: a new peak ..." under the table, one line for each operation that is
 * reported or fails, and why it fails. */
static void explain_one(struct out *o, const struct style *s, const struct comparison *c,
			const struct ranked *r)
{
	const struct operation *op = r->before != NULL ? r->before : r->after;
	bool markdown = s->dress == DRESS_MARKDOWN;
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
	if (gate_ruling(c, r).expected)
		out_text(o, "; expected, as remarked");
	out_char(o, '\n');
	arena_free(a);
}

static void explanations(struct out *o, const struct style *s, const struct comparison *c)
{
	for (size_t i = 0; i < c->ranking->n; i++) {
		const struct ranked *r = &c->ranking->v[i];

		/* Repeated runs also say why something is not reported. */
		if (r->reported || (c->all && c->runs != NULL) ||
		    (c->gated && gate_ruling(c, r).failed))
			explain_one(o, s, c, r);
	}
}

/* Who is told of no difference wants to know how large one must be. */
static void say_single_runs(struct out *o, const struct comparison *c)
{
	const struct rank_rules *rules = c->rules;

	out_text(o, "One run a side: effects are shown, how they vary from run to run is not "
		    "known.\n");
	if (c->ranking->n == 0 || c->ranking->n_reported > 0 || rules->policy != NULL ||
	    !isnan(rules->threshold))
		return;
	out_text(o, "Reported is what changes its mean by ");
	say_change(o, rules->min_effect);
	out_text(o, " or its number of calls by ");
	say_change(o, rules->min_calls);
	out_text(o, " at least\n(--min-effect, --min-calls); repeated runs show less.\n");
}

static void summary(struct out *o, const struct comparison *c)
{
	const struct ranking *all = c->ranking;
	struct scale scale = { .unit = c->before.profile->unit, .hz = c->before.profile->hz };
	double after = all->after.latency * all->scale_after;

	if (all->n == 0)
		out_text(o, "No operation is left to compare");
	else if (all->n_reported == 0)
		out_text(o, "No operation differs by more than the minimum effect");
	else
		out_printf(o, "%zu of %zu operation%s differ%s", all->n_reported, all->n,
			   all->n == 1 ? "" : "s", all->n_reported == 1 ? "s" : "");
	out_text(o, ": total latency ");
	quantity_latency(o, all->before.latency, scale);
	out_text(o, " before, ");
	quantity_latency(o, after, scale);
	out_text(o, " after.\n");
	if (c->before.n_runs == 1 && c->after.n_runs == 1)
		say_single_runs(o, c);
	else if (c->runs != NULL)
		say_judgement(o, c->runs);
	else
		out_text(o, "One run on a side says nothing of how it varies, and the other side's "
			    "runs cannot\nspeak for it: verdicts rest on the size of effects, as "
			    "for one run a side.\nNumbers are sums over the runs of a side.\n");
	say_replays(o, c);
}

static void table_of(struct out *o, const struct style *s, const struct comparison *c, size_t from,
		     size_t to)
{
	struct table *t = table_begin(text_columns, COUNT_OF(text_columns), s, o);

	table_spare(t, TEXT_BEFORE, 2);
	table_spare(t, TEXT_AFTER, 2);
	table_spare(t, TEXT_CALLS, 1);
	for (size_t i = from; i < to; i++)
		text_row(t, s, c, i);
	table_end(t);
}

/* The operations that are shown, and words about them. */
static void findings(struct out *o, const struct style *s, const struct comparison *c, size_t shown)
{
	if (shown > 0) {
		out_char(o, '\n');
		table_of(o, s, c, 0, shown);
	}
	if (shown > 0 || (c->gated && gate_failures(c) > 0))
		out_char(o, '\n');
	explanations(o, s, c);
}

static void rank_text(struct out *o, const struct style *s, const struct comparison *c)
{
	const struct ranking *all = c->ranking;
	size_t shown = c->all ? all->n : all->n_reported;

	part_heading(o, "before  ", &c->before);
	part_heading(o, "after   ", &c->after);
	out_char(o, '\n');
	summary(o, c);
	if (c->gated) {
		out_text(o, "Gate: ");
		gate_outcome(o, c);
		out_text(o, ".\n");
	}
	say_cautions(o, s, c);
	findings(o, s, c, shown);
	if (shown == 0 && all->n > 0)
		out_printf(o, "--all shows all %zu operations.\n", all->n);
	else if (shown < all->n)
		out_printf(o, "\n%zu more operation%s not reported; --all shows %s.\n",
			   all->n - shown, all->n - shown == 1 ? "" : "s",
			   all->n - shown == 1 ? "it" : "them");
}

/* --- Markdown ---------------------------------------------------------------------- */

/* What a pull request takes as a comment ends at 65536 characters. */
enum { MOST_FOLDED = 100 };

static void folded(struct out *o, const struct style *s, const struct comparison *c, size_t from)
{
	size_t left = c->ranking->n - from, n = left < MOST_FOLDED ? left : MOST_FOLDED;

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
		gate_outcome(o, c);
	}
	out_text(o, "**\n\n");
	part_heading(o, "- before: ", &c->before);
	part_heading(o, "- after: ", &c->after);
	say_cautions(o, s, c);
	out_char(o, '\n');
	summary(o, c);
	findings(o, s, c, shown);
	if (shown < all->n)
		folded(o, s, c, shown);
}

/* --- CSV --------------------------------------------------------------------------- */

/* Those of a gate only where there is one; how many there are. */
static size_t csv_columns(struct column *column, bool gated)
{
	static const struct column front[COLUMNS_BEFORE_METRICS] = {
		{ "operation", NULL, ALIGN_LEFT, false },
		{ "layer", NULL, ALIGN_LEFT, false },
		{ "reported", NULL, ALIGN_LEFT, false },
		{ "verdict", NULL, ALIGN_LEFT, false },
		{ "score", NULL, ALIGN_RIGHT, false },
		{ "approximated", NULL, ALIGN_LEFT, false },
		{ "calls_before", NULL, ALIGN_RIGHT, false },
		{ "calls_after", NULL, ALIGN_RIGHT, false },
		{ "total_before", NULL, ALIGN_RIGHT, false },
		{ "total_after", NULL, ALIGN_RIGHT, false },
		{ "mean_before", NULL, ALIGN_RIGHT, false },
		{ "mean_after", NULL, ALIGN_RIGHT, false },
		{ "share_before", NULL, ALIGN_RIGHT, false },
		{ "share_after", NULL, ALIGN_RIGHT, false },
	};

	for (size_t i = 0; i < COLUMNS_BEFORE_METRICS; i++)
		column[i] = front[i];
	for (int m = 0; m < N_METRICS; m++)
		column[COLUMNS_BEFORE_METRICS + m] =
			(struct column){ distance_at(m)->name, NULL, ALIGN_RIGHT, false };
	over_runs_columns(column + COLUMNS_BEFORE_METRICS + N_METRICS);
	if (!gated)
		return MOST_COLUMNS - GATE_COLUMNS;
	column[MOST_COLUMNS - 2] = (struct column){ "gate", NULL, ALIGN_LEFT, false };
	column[MOST_COLUMNS - 1] = (struct column){ "why", NULL, ALIGN_LEFT, false };
	return MOST_COLUMNS;
}

static void gate_cells(struct table *t, const struct comparison *c, const struct ranked *r)
{
	struct ruling ruling = gate_ruling(c, r);
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

static void csv_row(struct table *t, const struct comparison *c, const struct ranked *r)
{
	const struct operation *op = r->before != NULL ? r->before : r->after;

	table_name(t, op->name);
	table_name(t, op->layer);
	table_text(t, r->reported ? "yes" : "no", TONE_PLAIN);
	table_text(t, verdict_name(r->verdict), TONE_PLAIN);
	table_number(t, r->score);
	table_text(t, r->approximated ? "yes" : "no", TONE_PLAIN);
	table_number(t, calls_of(r->before));
	table_number(t, calls_of(r->after));
	table_number(t, r->total_before);
	table_number(t, r->total_after);
	table_number(t, mean_of(r->before, r->total_before));
	table_number(t, mean_of(r->after, r->total_after));
	table_number(t, r->share_before);
	table_number(t, r->share_after);
	for (int m = 0; m < N_METRICS; m++)
		table_number(t, r->metric[m]);
	over_runs_cells(t, c->runs != NULL ? r->runs : NULL);
	if (c->gated)
		gate_cells(t, c, r);
}

/* Rows of a stretch of the ranking, printed to memory by one thread. */
struct csv_part {
	const struct comparison *comparison;
	const struct style *style;
	const struct column *column;
	size_t n_columns, from, to;
	struct out *out;
};

static void *csv_stretch(void *arg)
{
	const struct csv_part *p = arg;
	struct table *t = table_part(p->column, p->n_columns, p->style, p->out);

	for (size_t i = p->from; i < p->to; i++)
		csv_row(t, p->comparison, &p->comparison->ranking->v[i]);
	table_end(t);
	return NULL;
}

enum { WORTH_A_THREAD = 2000 };

/* Printing ten thousand rows takes longer than ranking them: the second half of a
 * long table is printed beside the first. */
static void rank_csv(struct out *o, const struct style *s, const struct comparison *c)
{
	struct column column[MOST_COLUMNS];
	size_t n_columns = csv_columns(column, c->gated);
	size_t n = c->ranking->n, half = n >= WORTH_A_THREAD ? n / 2 : n;
	struct csv_part first = { c, s, column, n_columns, 0, half, o };
	struct csv_part second = { c, s, column, n_columns, half, n, out_to_memory() };
	pthread_t thread;
	bool beside;

	table_end(table_begin(column, n_columns, s, o));
	beside = half < n && pthread_create(&thread, NULL, csv_stretch, &second) == 0;
	(void)csv_stretch(&first);
	if (beside)
		(void)pthread_join(thread, NULL);
	else
		(void)csv_stretch(&second);
	out_bytes(o, out_memory(second.out));
	out_free(second.out);
}

void report_rank(struct out *o, const struct style *s, const struct comparison *c)
{
	switch (s->dress) {
	case DRESS_JSON:
		rank_json(o, c);
		break;
	case DRESS_CSV:
		rank_csv(o, s, c);
		break;
	case DRESS_JUNIT:
		rank_junit(o, c);
		break;
	case DRESS_FOLDED:
	case DRESS_HTML:
		rank_html(o, c);
		break;
	case DRESS_MARKDOWN:
		rank_markdown(o, s, c);
		break;
	case DRESS_TEXT:
		rank_text(o, s, c);
		break;
	}
}
