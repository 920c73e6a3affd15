/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof rank as text and Markdown: which operations differ, how, and how certain that is. */
#include "analyze/rank/rank.h"

#include <math.h>
#include <string.h>

#include "analyze/rank/facts.h"
#include "base/arena.h"
#include "base/out.h"
#include "report/hosts.h"
#include "report/parts.h"
#include "report/quantiles.h"
#include "report/rank/gate.h"
#include "report/rank/rank_output.h"
#include "report/rank/statements.h"
#include "report/report.h"
#include "report/sparkline.h"
#include "report/table.h"

/* --- tables ------------------------------------------------------------------------ */

enum {
	COLUMN_OPERATION,
	COLUMN_VERDICT, /* only with all operations: the reported ones have it in words */
	COLUMN_CHANGE,
	COLUMN_SELF, /* where calls are nested, the change of self time */
	COLUMN_SCORE,
	COLUMN_CALLS,
	COLUMN_MEAN,
	COLUMN_P50,
	COLUMN_P99,
	COLUMN_BEFORE,
	COLUMN_AFTER,
	N_COLUMNS
};

/* `spare`: what a narrow terminal leaves out first has the highest degree. */
static const struct {
	struct column column;
	unsigned spare;
} text_columns[N_COLUMNS] = {
	[COLUMN_OPERATION] = { { NULL, "operation", ALIGN_LEFT }, 0 },
	[COLUMN_VERDICT] = { { NULL, "verdict", ALIGN_LEFT }, 0 },
	[COLUMN_CHANGE] = { { NULL, "change", ALIGN_RIGHT }, 0 },
	[COLUMN_SELF] = { { NULL, "self", ALIGN_RIGHT }, 0 },
	[COLUMN_SCORE] = { { NULL, "score", ALIGN_RIGHT }, 5 },
	[COLUMN_CALLS] = { { NULL, "calls", ALIGN_RIGHT }, 4 },
	[COLUMN_MEAN] = { { NULL, "mean", ALIGN_RIGHT }, 0 },
	[COLUMN_P50] = { { NULL, "p50", ALIGN_RIGHT }, 3 },
	[COLUMN_P99] = { { NULL, "p99", ALIGN_RIGHT }, 2 },
	[COLUMN_BEFORE] = { { NULL, "before", ALIGN_LEFT }, 1 },
	[COLUMN_AFTER] = { { NULL, "after", ALIGN_LEFT }, 1 },
};

/* A picture has fewer bars where that leaves room for numbers. */
enum { WIDE = 120, NARROW_PICTURE = 14 };

static size_t picture_width(const struct style *s)
{
	return s->width > 0 && s->width < WIDE ? NARROW_PICTURE : SPARKLINE_WIDTH;
}

static void sparkline_cell(struct table *t, const struct style *s, const struct operation *op,
			   struct span_of_octaves span)
{
	sparkline(table_open(t), s, op != NULL ? &op->hist : NULL, span, picture_width(s), NULL);
	table_close(t, TONE_PLAIN);
}

static void write_pictures(struct table *t, const struct style *s, const struct ranked *r)
{
	const struct histogram *both[] = { r->before != NULL ? &r->before->hist : NULL,
					   r->after != NULL ? &r->after->hist : NULL };
	struct span_of_octaves span = sparkline_span(both, COUNT_OF(both));

	sparkline_cell(t, s, r->before, span);
	sparkline_cell(t, s, r->after, span);
}

static void difference_cell(struct table *t, double before, double after, struct scale scale)
{
	struct out *o = table_open(t);
	double change = (isnan(after) ? 0 : after) - (isnan(before) ? 0 : before);

	if (change != 0)
		out_char(o, change > 0 ? '+' : '-');
	quantity_latency(o, fabs(change), scale);
	table_close(t, TONE_PLAIN);
}

/* A long name leaves no room for numbers. */
static void short_operation_cell(struct table *t, const struct style *s, const struct operation *op)
{
	if (s->output_format == OUTPUT_FORMAT_MARKDOWN) {
		operation_cell(t, s, op);
		return;
	}
	say_short_operation(table_open(t), s, op);
	table_close(t, TONE_PLAIN);
}

static void text_row(struct table *t, const struct style *s, const struct comparison *c,
		     const struct ranked *r)
{
	struct scale scale = scale_of_ranked(c, r);
	const struct fact p50 = fact_of_quantile(r, c->runs, 0.5);
	const struct fact p99 = fact_of_quantile(r, c->runs, 0.99);

	short_operation_cell(t, s, ranked_operation(r));
	table_text(t, verdict_name(r->verdict), verdict_tone(r->verdict));
	difference_cell(t, r->run_before.total, r->run_after.total, scale);
	difference_cell(t, own_in_run(r->before, &r->run_before),
			own_in_run(r->after, &r->run_after), scale);
	table_number(t, r->score);
	change_cell(t, s, r->run_before.calls, r->run_after.calls, NULL);
	change_cell(t, s, r->run_before.mean, r->run_after.mean, &scale);
	quantile_cell(t, s, &p50, scale);
	quantile_cell(t, s, &p99, scale);
	write_pictures(t, s, r);
}

static bool score_is_asked(const struct comparison *c)
{
	return c->rules->sort == SORT_SCORE || c->metric != rank_rules_default.metric ||
	       !isnan(c->rules->threshold);
}

static bool has_buckets(const struct comparison *c)
{
	for (size_t i = 0; i < c->ranking->n; i++) {
		const struct ranked *r = &c->ranking->v[i];

		if ((r->before != NULL && r->before->hist.n > 0) ||
		    (r->after != NULL && r->after->hist.n > 0))
			return true;
	}
	return false;
}

/* The columns that this comparison has; the others have no title. */
static void choose_columns(struct column *ret, const struct comparison *c)
{
	const char *each = each_run(c);

	for (size_t i = 0; i < N_COLUMNS; i++)
		ret[i] = text_columns[i].column;
	if (each[0] != '\0')
		ret[COLUMN_CHANGE].title = c->hosts != NULL ? "change a host" : "change a run";
	if (!c->show.all)
		ret[COLUMN_VERDICT].title = NULL;
	if (!comparison_is_nested(c))
		ret[COLUMN_SELF].title = NULL;
	if (!score_is_asked(c))
		ret[COLUMN_SCORE].title = NULL;
	if (c->ranking->fixed_duration)
		ret[COLUMN_CHANGE].title = NULL;
	for (size_t i = COLUMN_P50; !has_buckets(c) && i < N_COLUMNS; i++)
		ret[i].title = NULL;
}

static void table_of(struct out *o, const struct style *s, const struct comparison *c, size_t from,
		     size_t to)
{
	struct column shown[N_COLUMNS];
	struct table *t;

	choose_columns(shown, c);
	t = table_begin(shown, N_COLUMNS, s, o);
	for (size_t i = 0; i < N_COLUMNS; i++)
		table_spare(t, i, text_columns[i].spare);
	for (size_t i = from; i < to; i++)
		text_row(t, s, c, &c->ranking->v[i]);
	table_end(t);
}

/* --- statements -------------------------------------------------------------------- */

/* Why an operation fails, where a policy says more than its verdict. */
static struct str reason_of(struct arena *a, const struct comparison *c, const struct ranked *r)
{
	struct ruling ruling = gate_ruling(comparison_gate(c), r);

	return c->gated && ruling.failed && (ruling.line > 0 || ruling.limit != NULL)
		       ? gate_reason(a, c, r)
		       : STR("");
}

static void write_further(struct out *o, bool markdown, struct str text)
{
	out_text(o, markdown ? "<br>" : "\n  ");
	out_bytes(o, text);
}

/* The bounds of percentiles, where these were asked for. */
static void asked_quantiles(struct out *o, bool markdown, const struct comparison *c,
			    const struct ranked *r)
{
	struct out *words = out_to_memory();

	if (c->show.quantiles_asked)
		say_quantiles(words, c, r);
	if (out_memory(words).n > 0)
		write_further(o, markdown, out_memory(words));
	out_free(words);
}

/* The name of an operation, and a line for each statement. */
static void explain_one(struct out *o, const struct style *s, const struct comparison *c,
			const struct ranked *r)
{
	bool markdown = s->output_format == OUTPUT_FORMAT_MARKDOWN;
	struct arena *a = arena_new();
	struct statements said = statements_of(a, c, r);
	struct str reason = reason_of(a, c, r);

	out_text(o, markdown ? "- **" : "");
	tone_begin(o, s, TONE_STRONG);
	say_short_operation(o, s, ranked_operation(r));
	if (r->renamed) {
		out_text(o, " -> ");
		say_short_operation(o, s, r->after);
	}
	tone_end(o, s, TONE_STRONG);
	out_text(o, markdown ? "**: " : ": ");
	out_bytes(o, said.n > 0 ? said.v[0] : STR(""));
	for (size_t i = 1; i < said.n; i++)
		write_further(o, markdown, said.v[i]);
	asked_quantiles(o, markdown, c, r);
	if (reason.n > 0) {
		write_further(o, markdown, markdown ? STR("**fails**: ") : STR("FAILS: "));
		out_bytes(o, reason);
	}
	if (gate_ruling(comparison_gate(c), r).expected)
		write_further(o, markdown, STR("expected (annotated)"));
	out_char(o, '\n');
	arena_free(a);
}

static bool is_explained(const struct comparison *c, const struct ranked *r)
{
	return r->reported || (c->show.all && (c->runs != NULL || r->doubt != DOUBT_NONE)) ||
	       (c->gated && gate_ruling(comparison_gate(c), r).failed);
}

static void write_explanations(struct out *o, const struct style *s, const struct comparison *c)
{
	for (size_t i = 0; i < c->ranking->n; i++) {
		if (is_explained(c, &c->ranking->v[i]))
			explain_one(o, s, c, &c->ranking->v[i]);
	}
}

/* Whether an operation seems to have changed, but is not known to have. */
static bool may_differ(const struct ranked *r)
{
	if (r->reported || r->verdict != VERDICT_INCONCLUSIVE)
		return false;
	return r->runs != NULL ? r->runs->tested
			       : r->doubt == DOUBT_SLOW_CALLS || r->doubt == DOUBT_PREEMPTED ||
					 r->doubt == DOUBT_FEW_CALLS || r->doubt == DOUBT_BUCKETS ||
					 r->doubt == DOUBT_LONGEST || r->doubt == DOUBT_DELAYED ||
					 r->doubt == DOUBT_OTHER_CALLS;
}

enum { MAX_DOUBTFUL = 4, ROOM_FOR_DOUBTFUL = 80 };

/* "; 5 not decided: close, fstat and 3 more". */
static void write_doubtful(struct out *o, const struct style *s, const struct comparison *c)
{
	struct out *names = out_to_memory();
	size_t n = 0, named = 0, room = ROOM_FOR_DOUBTFUL;

	for (size_t i = 0; i < c->ranking->n; i++) {
		const struct ranked *r = &c->ranking->v[i];

		if (!may_differ(r) || is_explained(c, r))
			continue;
		n++;
		if (named < MAX_DOUBTFUL)
			named += list_operation(names, ": ", s, ranked_operation(r), &room);
	}
	if (n > 0)
		out_printf(o, "; %zu not decided", n);
	out_bytes(o, out_memory(names));
	if (n > named && named > 0)
		out_printf(o, " and %zu more", n - named);
	out_free(names);
}

/* "Not reported: 4 operations (--all); 1 regressed; 2 not decided: close, fstat." */
static void write_others(struct out *o, const struct style *s, const struct comparison *c)
{
	const struct ranking *all = c->ranking;
	size_t n = all->n - all->n_reported, worse = 0;

	for (size_t i = 0; i < all->n; i++)
		worse += !all->v[i].reported && all->v[i].verdict == VERDICT_REGRESSED;
	if (n == 0 || c->show.all)
		return;
	out_printf(o, "Not reported: %zu operation%s (--all)", n, n == 1 ? "" : "s");
	if (worse > 0)
		out_printf(o, "; %zu regressed", worse);
	write_doubtful(o, s, c);
	out_text(o, ".\n");
}

/* --- text and Markdown ------------------------------------------------------------- */

/* Prints the table of operations and the text about them. */
static void write_findings(struct out *o, const struct style *s, const struct comparison *c,
			   size_t shown)
{
	if (shown > 0) {
		out_char(o, '\n');
		table_of(o, s, c, 0, shown);
	}
	if (shown > 0 || (c->gated && gate_failures(comparison_gate(c)) > 0))
		out_char(o, '\n');
	write_explanations(o, s, c);
}

static void rank_text(struct out *o, const struct style *s, const struct comparison *c)
{
	size_t shown = c->show.all ? c->ranking->n : c->ranking->n_reported;

	part_heading_per_run(o, "before  ", &c->before);
	part_heading_per_run(o, "after   ", &c->after);
	out_char(o, '\n');
	rank_summary(o, s, c);
	if (c->gated) {
		out_text(o, "Gate: ");
		gate_outcome(o, s, c);
		out_text(o, ".\n");
		gate_not_judged(o, s, c);
	}
	say_cautions(o, s, c);
	write_findings(o, s, c, shown);
	say_outlier_hosts(o, c, false);
	if (shown > 0 && shown < c->ranking->n)
		out_char(o, '\n');
	write_others(o, s, c);
}

/* A comment on a pull request is limited to 65536 characters. */
enum { MAX_FOLDED = 100 };

static void write_folded(struct out *o, const struct style *s, const struct comparison *c,
			 size_t from)
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
	size_t shown = c->show.all ? c->ranking->n : c->ranking->n_reported;

	out_text(o, "**");
	if (c->gated)
		out_printf(o, "Gate %s. ",
			   gate_result(comparison_gate(c), false) == GATE_FAILED ? "FAILED"
										 : "passed");
	rank_headline(o, s, c);
	out_text(o, "**\n\n");
	if (c->gated) {
		out_text(o, "Gate: ");
		gate_outcome(o, s, c);
		out_text(o, ".\n\n");
	}
	part_heading_per_run(o, "- before: ", &c->before);
	part_heading_per_run(o, "- after: ", &c->after);
	say_cautions(o, s, c);
	out_char(o, '\n');
	rank_run_lines(o, c);
	write_findings(o, s, c, shown);
	say_outlier_hosts(o, c, true);
	if (shown < c->ranking->n)
		write_folded(o, s, c, shown);
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
	case OUTPUT_FORMAT_GITHUB:
		rank_github(o, c);
		break;
	case OUTPUT_FORMAT_BMF:
		rank_bmf(o, c);
		break;
	case OUTPUT_FORMAT_BENCHMARK_ACTION:
		rank_benchmark_action(o, c);
		break;
	case OUTPUT_FORMAT_FOLDED:
	case OUTPUT_FORMAT_SVG:
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
