/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof causes: text, CSV and Markdown. */
#include "report/causes.h"

#include "base/arena.h"
#include "base/escape.h"
#include "base/out.h"
#include "profile/quantity.h"
#include "report/page/flame.h"
#include "report/parts.h"
#include "report/sparkline.h"
#include "report/table.h"

enum { MAX_COMPANY = 5, SPARK = 12 };

static const struct scale ns = { .unit = UNIT_NS };

static bool is_markdown(const struct style *s)
{
	return s->output_format == OUTPUT_FORMAT_MARKDOWN;
}

static bool shows_section(const struct causes_report *r, enum causes_section section)
{
	return (r->sections & 1U << section) != 0;
}

/* --- tables --------------------------------------------------------------------------------- */

static void write_heading(struct out *o, const struct style *s, const char *words)
{
	out_printf(o, is_markdown(s) ? "\n### %s\n\n" : "\n%s\n", words);
}

static const struct column peak_columns[] = {
	{ NULL, "", ALIGN_LEFT },
	{ "peak", "peak", ALIGN_RIGHT },
	{ NULL, "core range", ALIGN_RIGHT },
	{ "calls", "calls", ALIGN_RIGHT },
	{ "share", "share", ALIGN_RIGHT },
	{ "mean", "mean", ALIGN_RIGHT },
};

static void peaks_table(struct out *o, const struct style *s, const struct causes_report *r)
{
	struct table *t = table_begin(peak_columns, COUNT_OF(peak_columns), s, o);
	const struct cause_choice *c = &r->causes->chosen, *against = &r->causes->against;

	for (size_t i = 0; i < r->peaks->n; i++) {
		const struct peak *p = &r->peaks->v[i];
		bool here = c->what == CHOSEN_PEAK && c->number == i + 1;
		bool there = !r->pair && against->what == CHOSEN_PEAK && against->number == i + 1;

		table_text(t, here ? "chosen" : there ? "against" : "", TONE_STRONG);
		table_count(t, i + 1);
		table_range(t, p->core_low, p->core_high, ns);
		table_count(t, p->count);
		table_share(t, p->share);
		table_latency(t, p->mean, ns, true);
	}
	table_end(t);
}

static const struct column cause_columns[] = {
	{ "path", NULL, ALIGN_LEFT },
	{ "kind", NULL, ALIGN_LEFT },
	{ "what", NULL, ALIGN_LEFT },
	{ "added_ns", "added", ALIGN_RIGHT },
	{ "share", "share", ALIGN_RIGHT },
	{ "error_ns", NULL, ALIGN_RIGHT },
	{ NULL, "+-", ALIGN_RIGHT },
	{ "unusual", NULL, ALIGN_RIGHT },
	{ NULL, "of calls", ALIGN_RIGHT },
	{ "present", NULL, ALIGN_RIGHT },
	{ "present_against", "of others", ALIGN_RIGHT },
	{ NULL, "time in it", ALIGN_RIGHT },
	{ NULL, "in others", ALIGN_RIGHT },
	{ "mean_ns", NULL, ALIGN_RIGHT },
	{ "mean_against_ns", NULL, ALIGN_RIGHT },
	{ "more_calls_ns", NULL, ALIGN_RIGHT },
	{ "slower_calls_ns", NULL, ALIGN_RIGHT },
	{ "maxcount", NULL, ALIGN_RIGHT },
	{ NULL, "path", ALIGN_LEFT },
};

static void path_cell(struct table *t, const struct style *s, const struct causes *c, uint32_t node,
		      uint32_t from)
{
	struct out *path = out_to_memory();
	struct style plain = *s;

	if (s->output_format == OUTPUT_FORMAT_CSV) {
		plain.output_format = OUTPUT_FORMAT_TEXT;
		causes_path(path, &plain, c, node, from);
		table_name(t, out_memory(path));
	} else {
		struct out *cell = table_open(t);

		if (cell != NULL)
			causes_path(cell, s, c, node, from);
		table_close(t, TONE_PLAIN);
	}
	out_free(path);
}

static void error_cell(struct table *t, const struct cause *one)
{
	if (2 * one->error > 0.1 * fabs(one->added))
		table_latency(t, 2 * one->error, ns, false);
	else
		table_text(t, "", TONE_PLAIN);
}

static void cause_row(struct table *t, const struct style *s, const struct causes *c,
		      const struct cause *one)
{
	const struct cause_node *n = &c->node[one->node];

	path_cell(t, s, c, one->node, 0);
	table_text(t, call_kind_name(n->kind), TONE_PLAIN);
	table_text(t, one->spread ? "spread" : "own", TONE_PLAIN);
	table_latency(t, one->added, ns, false);
	table_share(t, one->share);
	table_number(t, one->error);
	error_cell(t, one);
	table_number(t, one->unusual);
	table_share(t, one->in);
	table_number(t, cause_mean(&c->chosen, n->chosen.present));
	table_share(t, cause_mean(&c->against, n->against.present));
	table_latency(t, cause_mean(&c->chosen, causes_spent(one, &n->chosen)), ns, false);
	table_latency(t, cause_mean(&c->against, causes_spent(one, &n->against)), ns, false);
	table_number(t, cause_mean(&c->chosen, n->chosen.total));
	table_number(t, cause_mean(&c->against, n->against.total));
	table_number(t, one->more_calls);
	table_number(t, one->slower_calls);
	table_count(t, one->maxcount);
	path_cell(t, s, c, one->node, n->parent == one->node ? 0 : 1);
}

static void causes_table(struct out *o, const struct style *s, const struct causes_report *r)
{
	struct table *t = table_begin(cause_columns, COUNT_OF(cause_columns), s, o);

	table_keep_last(t);
	for (size_t i = 0; i < r->causes->n_causes; i++)
		cause_row(t, s, r->causes, &r->causes->cause[i]);
	table_end(t);
}

/* --- the tree --------------------------------------------------------------------------------- */

static const struct column tree_columns[] = {
	{ "path", NULL, ALIGN_LEFT },
	{ "kind", NULL, ALIGN_LEFT },
	{ "added_ns", "added", ALIGN_RIGHT },
	{ "own_added_ns", NULL, ALIGN_RIGHT },
	{ NULL, "share", ALIGN_RIGHT },
	{ "present", "calls", ALIGN_RIGHT },
	{ "present_against", NULL, ALIGN_RIGHT },
	{ "calls", NULL, ALIGN_RIGHT },
	{ "calls_against", NULL, ALIGN_RIGHT },
	{ "own_ns", "own", ALIGN_RIGHT },
	{ "own_against_ns", NULL, ALIGN_RIGHT },
	{ "mean_ns", "total", ALIGN_RIGHT },
	{ "mean_against_ns", "of others", ALIGN_RIGHT },
	{ NULL, "times", ALIGN_LEFT },
	{ NULL, "of others", ALIGN_LEFT },
	{ NULL, "function", ALIGN_LEFT },
};

static void times_cell(struct table *t, const struct style *s, const struct causes *c,
		       uint32_t node, bool against, unsigned from, unsigned to)
{
	uint64_t y[CALL_Y_BUCKETS];
	double v[CALL_Y_BUCKETS];
	struct out *cell;

	if (s->output_format == OUTPUT_FORMAT_CSV) {
		table_empty(t);
		return;
	}
	cell = table_open(t);
	cause_times(c, node, against, y);
	for (unsigned i = from; i < to; i++)
		v[i - from] = log2(1 + (double)y[i]);
	if (cell != NULL && to > from)
		sparkline_heights(cell, s, v, to - from, SPARK);
	table_close(t, TONE_DIM);
}

struct tree_view {
	struct table *t;
	const struct style *s;
	const struct causes_report *r;
	struct arena *a;
	unsigned from, to; /* range of buckets of times to show */
	double min;	   /* smallest added time to show */
};

static void name_cell(struct tree_view *v, uint32_t node, unsigned level, size_t left_out)
{
	struct out *cell = table_open(v->t);

	if (cell != NULL) {
		out_repeat(cell, ' ',
			   is_markdown(v->s) ? 0 : 2 * (size_t)(level < 40 ? level : 40));
		for (unsigned i = 0; is_markdown(v->s) && i < level && i < 40; i++)
			out_text(cell, "&nbsp;&nbsp;");
		if (left_out > 0)
			out_printf(cell, "(%zu more)", left_out);
		else
			causes_say_name(cell, v->s, v->r->causes->node[node].name);
	}
	table_close(v->t, left_out > 0 ? TONE_DIM : TONE_PLAIN);
}

static void tree_row(struct tree_view *v, uint32_t node, unsigned level)
{
	const struct causes *c = v->r->causes;
	const struct cause_node *n = &c->node[node];

	path_cell(v->t, v->s, c, node, 0);
	table_text(v->t, call_kind_name(n->kind), TONE_PLAIN);
	table_latency(v->t, n->added, ns, false);
	table_number(v->t, n->own_added);
	table_share(v->t, c->added != 0 ? n->added / c->added : 0);
	table_share(v->t, cause_mean(&c->chosen, n->chosen.present));
	table_number(v->t, cause_mean(&c->against, n->against.present));
	table_number(v->t, cause_mean(&c->chosen, n->chosen.calls));
	table_number(v->t, cause_mean(&c->against, n->against.calls));
	table_latency(v->t, cause_mean(&c->chosen, n->chosen.own), ns, false);
	table_number(v->t, cause_mean(&c->against, n->against.own));
	table_latency(v->t, cause_mean(&c->chosen, n->chosen.total), ns, false);
	table_latency(v->t, cause_mean(&c->against, n->against.total), ns, false);
	times_cell(v->t, v->s, c, node, false, v->from, v->to);
	times_cell(v->t, v->s, c, node, true, v->from, v->to);
	name_cell(v, node, level, 0);
}

static void rest_row(struct tree_view *v, size_t n, unsigned level)
{
	for (size_t i = 0; i + 1 < COUNT_OF(tree_columns); i++)
		table_text(v->t, "", TONE_PLAIN);
	name_cell(v, 0, level, n);
}

/* Text leaves out nodes whose added time is small, unless all are requested. */
static bool is_shown(const struct tree_view *v, uint32_t node)
{
	const struct cause_node *n = &v->r->causes->node[node];

	return v->r->all || v->s->output_format == OUTPUT_FORMAT_CSV || fabs(n->added) >= v->min;
}

static void tree_rows(struct tree_view *v)
{
	struct level {
		uint32_t *child;
		size_t n, next, left_out;
	} *level = NULL;
	size_t n = 1, cap = 0;

	tree_row(v, 0, 0);
	level = arena_grow(v->a, level, &cap, 1, sizeof(*level));
	level[0] = (struct level){ .n = 0 };
	level[0].n = cause_children(v->r->causes, v->a, 0, &level[0].child);
	while (n > 0) {
		struct level *top = &level[n - 1];
		uint32_t child;

		if (top->next == top->n || (v->r->depth > 0 && n >= v->r->depth)) {
			if (top->left_out > 0)
				rest_row(v, top->left_out, (unsigned)n);
			n--;
			continue;
		}
		child = top->child[top->next++];
		if (!is_shown(v, child)) {
			top->left_out++;
			continue;
		}
		tree_row(v, child, (unsigned)n);
		level = arena_grow(v->a, level, &cap, n + 1, sizeof(*level));
		level[n] = (struct level){ .n = 0 };
		level[n].n = cause_children(v->r->causes, v->a, child, &level[n].child);
		n++;
	}
}

static void tree_table(struct out *o, const struct style *s, const struct causes_report *r)
{
	struct tree_view v = { .s = s, .r = r, .a = arena_new() };
	uint64_t y[CALL_Y_BUCKETS];

	v.min = 0.2 * r->rules->min_share * fabs(r->causes->added);
	v.from = CALL_Y_BUCKETS;
	for (int side = 0; side < 2; side++) {
		cause_times(r->causes, 0, side == 1, y);
		for (unsigned i = 0; i < CALL_Y_BUCKETS; i++) {
			if (y[i] > 0) {
				v.from = i < v.from ? i : v.from;
				v.to = i + 1 > v.to ? i + 1 : v.to;
			}
		}
	}
	v.t = table_begin(tree_columns, COUNT_OF(tree_columns), s, o);
	table_keep_last(v.t);
	if (r->causes->n_nodes > 0)
		tree_rows(&v);
	table_end(v.t);
	arena_free(v.a);
}

/* --- values, and calls at the same time -------------------------------------------------- */

static const struct column value_columns[] = {
	{ "of", "of", ALIGN_LEFT },	     { "value", "value", ALIGN_LEFT },
	{ "chosen", "chosen", ALIGN_RIGHT }, { "against", "others", ALIGN_RIGHT },
	{ "q", "q", ALIGN_RIGHT },
};

static void values_table(struct out *o, const struct style *s, const struct causes_report *r)
{
	struct table *t = table_begin(value_columns, COUNT_OF(value_columns), s, o);

	for (size_t i = 0; i < r->causes->n_values; i++) {
		const struct cause_value *v = &r->causes->value[i];
		struct out *cell;

		table_name(t, v->of);
		table_name(t, v->value);
		table_share(t, v->chosen);
		table_share(t, v->against);
		cell = table_open(t);
		if (cell != NULL)
			out_digits(cell, v->q, 2);
		table_close(t, TONE_PLAIN);
	}
	table_end(t);
}

static const struct column meanwhile_columns[] = {
	{ "waiting", "of the waiting", ALIGN_RIGHT },
	{ "trace", "of the trace", ALIGN_RIGHT },
	{ "path", "other threads are in", ALIGN_LEFT },
};

static void meanwhile_table(struct out *o, const struct style *s, const struct causes_report *r)
{
	struct table *t = table_begin(meanwhile_columns, COUNT_OF(meanwhile_columns), s, o);
	size_t n = r->n_meanwhile;

	if (s->output_format != OUTPUT_FORMAT_CSV && !r->all && n > MAX_COMPANY)
		n = MAX_COMPANY;
	for (size_t i = 0; i < n; i++) {
		const struct meanwhile_calls *m = &r->meanwhile[i];
		struct out *path = out_to_memory();

		for (size_t k = 0; k < m->n; k++) {
			out_text(path, k > 0 ? " > " : "");
			out_bytes(path, m->path[k]);
		}
		table_share(t, m->waiting);
		table_share(t, m->trace);
		table_name(t, out_memory(path));
		out_free(path);
	}
	table_end(t);
}

/* --- the report -------------------------------------------------------------------------- */

static void say_runs(struct out *o, const struct causes *c, double q)
{
	if (c->n_runs[0] == 0 || isnan(q))
		return;
	out_printf(o, " (over %zu + %zu runs, q ", c->n_runs[0], c->n_runs[1]);
	out_digits(o, q, 2);
	out_char(o, ')');
}

static void say_what(struct out *o, const struct style *s, const struct causes_report *r)
{
	const struct causes *c = r->causes;

	write_heading(o, s, "causes");
	causes_say_comparison(o, c);
	if (c->against.count > 0) {
		out_text(o, ": ");
		quantity_latency(o, c->chosen.mean, ns);
		out_text(o, " against ");
		quantity_latency(o, c->against.mean, ns);
	}
	say_runs(o, c, c->runs_q);
	out_text(o, is_markdown(s) ? ".\n\n" : "\n");
}

static void say_rest(struct out *o, const struct style *s, const struct causes_report *r)
{
	const struct causes *c = r->causes;

	if (c->n_causes > 0 && c->method != CAUSES_MAXCOUNT) {
		/* A line directly below a table would be a row of it. */
		out_text(o, is_markdown(s) ? "\nelsewhere: " : "elsewhere: ");
		quantity_latency(o, c->elsewhere, ns);
		out_char(o, '\n');
	}
	if (c->inconclusive)
		out_printf(o, "inconclusive: %llu calls are too few\n",
			   (unsigned long long)c->chosen.count);
	if (fabs(c->overhead_share) > r->rules->max_overhead) {
		out_text(o, "Tracing may explain ");
		quantity_percent(o, fabs(c->overhead_share));
		out_text(o, " of the difference, or more: a traced call costs its caller about ");
		quantity_latency(o, c->overhead, ns);
		out_text(o, "; --overhead subtracts it\n");
	}
}

/* Says which trace holds an example. */
static void say_example(struct out *o, const struct style *s, const struct causes *c,
			const struct call_cell *cell)
{
	if (cell == NULL || !c->tree->spans)
		return;
	out_text(o, " (most of all in trace ");
	causes_say_name(o, s, call_tree_str(c->tree, cell->thread));
	out_char(o, ')');
}

static double mark_weight(const struct cause_mark *m)
{
	return m->chosen - m->against;
}

/* Returns the mark that follows `last` by decreasing weight, in the order of the tree among
 * equals.  last = c->n_marks returns the first mark. */
static size_t mark_after(const struct causes *c, size_t last)
{
	size_t best = c->n_marks;

	for (size_t i = 0; i < c->n_marks; i++) {
		double weight = mark_weight(&c->mark[i]);

		if (last < c->n_marks && (weight > mark_weight(&c->mark[last]) ||
					  (weight == mark_weight(&c->mark[last]) && i <= last)))
			continue;
		if (best == c->n_marks || weight > mark_weight(&c->mark[best]))
			best = i;
	}
	return best;
}

static void say_mark(struct out *o, const struct style *s, const struct causes *c,
		     const struct cause_mark *m)
{
	out_text(o, is_markdown(s) ? "- " : "");
	quantity_percent(o, m->chosen);
	out_text(o, " of the ");
	causes_say_choice(o, &c->chosen);
	out_text(o, ", ");
	quantity_percent(o, m->against);
	out_text(o, " of the ");
	causes_say_choice(o, &c->against);
	out_text(o, " have ");
	causes_path(o, s, c, m->node, 1);
	out_text(o, ".\n");
}

/* Every caller of a slow function marks slow calls, so that there are many marks: prints those
 * of the highest weight, unless all are requested. */
static void say_marks(struct out *o, const struct style *s, const struct causes_report *r)
{
	enum { FEW_MARKS = 5 };
	const struct causes *c = r->causes;
	bool all = r->all || c->n_marks <= FEW_MARKS + 1;
	size_t at = c->n_marks;

	for (size_t i = 0; i < c->n_marks && (all || i < FEW_MARKS); i++) {
		at = all ? i : mark_after(c, at);
		say_mark(o, s, c, &c->mark[at]);
	}
	if (!all)
		out_printf(o, "%s%zu more such paths with --all.\n", is_markdown(s) ? "- " : "",
			   c->n_marks - FEW_MARKS);
}

/* The conclusion: it comes before the numbers that it rests on. */
static void say_sentences(struct out *o, const struct style *s, const struct causes_report *r)
{
	const struct causes *c = r->causes;

	for (size_t i = 0; i < c->n_causes && c->method != CAUSES_MAXCOUNT; i++) {
		out_text(o, is_markdown(s) ? "- " : "");
		causes_sentence(o, s, r, &c->cause[i]);
		say_runs(o, c, c->cause[i].runs_q);
		say_example(o, s, c, c->cause[i].example);
		out_text(o, ".\n");
	}
	for (size_t i = 0; i < c->n_causes && c->method == CAUSES_MAXCOUNT; i++) {
		out_text(o, is_markdown(s) ? "- " : "");
		out_printf(o, "root cause found, maxcount %llu: ",
			   (unsigned long long)c->cause[i].maxcount);
		causes_path(o, s, c, c->cause[i].node, 0);
		out_text(o, ".\n");
	}
	say_marks(o, s, r);
}

static void report_csv(struct out *o, const struct style *s, const struct causes_report *r)
{
	if (r->sections == 1U << CAUSES_SECTION_TREE)
		tree_table(o, s, r);
	else if (r->sections == 1U << CAUSES_SECTION_VALUES)
		values_table(o, s, r);
	else if (r->sections == 1U << CAUSES_SECTION_MEANWHILE)
		meanwhile_table(o, s, r);
	else
		causes_table(o, s, r);
}

static void report_words(struct out *o, const struct style *s, const struct causes_report *r)
{
	const struct causes *c = r->causes;

	out_text(o, is_markdown(s) ? "## " : "");
	causes_say_name(o, s, r->function);
	out_text(o, ": ");
	quantity_count(o, (double)r->hist->count);
	out_text(o, " calls");
	out_text(o, is_markdown(s) ? "\n\n" : "\n");
	peaks_table(o, s, r);
	if (shows_section(r, CAUSES_SECTION_CAUSES)) {
		say_what(o, s, r);
		say_sentences(o, s, r);
		out_char(o, '\n');
		causes_table(o, s, r);
		say_rest(o, s, r);
	}
	if (shows_section(r, CAUSES_SECTION_TREE) && !is_markdown(s)) {
		write_heading(o, s, "tree");
		tree_table(o, s, r);
	}
	if (shows_section(r, CAUSES_SECTION_VALUES) && c->n_values > 0) {
		write_heading(o, s, "values");
		values_table(o, s, r);
	}
	if (shows_section(r, CAUSES_SECTION_MEANWHILE) && r->n_meanwhile > 0) {
		write_heading(o, s, "meanwhile");
		meanwhile_table(o, s, r);
	}
}

void report_causes(struct out *o, const struct style *s, const struct causes_report *r)
{
	if (s->output_format == OUTPUT_FORMAT_JSON)
		causes_json(o, r);
	else if (s->output_format == OUTPUT_FORMAT_CSV)
		report_csv(o, s, r);
	else if (s->output_format == OUTPUT_FORMAT_FOLDED)
		causes_folded(o, r);
	else if (s->output_format == OUTPUT_FORMAT_HTML)
		causes_html(o, r);
	else if (s->output_format == OUTPUT_FORMAT_SVG)
		causes_svg(o, r);
	else
		report_words(o, s, r);
}
