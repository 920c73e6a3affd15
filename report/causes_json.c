/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof causes as JSON: schema osprof.causes/1. */
#include "base/arena.h"
#include "base/out.h"
#include "report/causes.h"
#include "report/jout.h"
#include "report/parts.h"

static const char *method_name(enum cause_method m)
{
	static const char *const names[] = {
		[CAUSES_ADDED] = "added",
		[CAUSES_TIME] = "time",
		[CAUSES_MAXCOUNT] = "maxcount",
	};

	return names[m];
}

static void links_json(struct jout *j, const struct call_link_counts *l)
{
	jout_flat_object(j, "links");
	jout_u64(j, "submits", l->submits);
	jout_u64(j, "followed", l->found);
	jout_u64(j, "unmatched", l->submits - l->found);
	jout_u64(j, "serves", l->serves);
	jout_u64(j, "missing", l->missing);
	jout_u64(j, "early", l->early);
	jout_u64(j, "repeated", l->twice);
	jout_u64(j, "left_out", l->left);
	jout_end_object(j);
}

static void runs_json(struct jout *j, const struct causes_report *r)
{
	jout_array(j, "runs");
	for (size_t i = 0; i < r->n_runs; i++) {
		const struct call_tally *t = &r->run[i].tally;

		jout_flat_object(j, NULL);
		jout_text(j, "path", r->run[i].path);
		jout_text(j, "format", r->run[i].format);
		jout_u64(j, "threads", t->threads);
		jout_u64(j, "calls", t->calls);
		jout_u64(j, "recursive", t->recursive);
		jout_u64(j, "lost", t->lost);
		jout_u64(j, "unfinished", t->unfinished);
		jout_u64(j, "unmatched", t->unmatched);
		jout_u64(j, "clipped", t->clipped);
		jout_f64(j, "clipped_ns", (double)t->clipped_ns);
		jout_u64(j, "unfinished_others", t->unfinished_others);
		jout_u64(j, "orphans", t->orphans);
		jout_u64(j, "duplicates", t->twice);
		jout_u64(j, "cyclic", t->cyclic);
		jout_u64(j, "backwards", t->backwards);
		jout_bool(j, "filtered", r->run[i].filtered);
		jout_bool(j, "full", r->run[i].full);
		links_json(j, &r->run[i].links);
		jout_end_object(j);
	}
	jout_end_array(j);
}

static void choice_json(struct jout *j, const char *key, const struct cause_choice *c)
{
	jout_flat_object(j, key);
	jout_text(j, "what", cause_what_name(c->what));
	if (c->number > 0)
		jout_u64(j, "number", c->number);
	else
		jout_null(j, "number");
	jout_f64(j, "low", c->what == CHOSEN_NONE ? NAN : c->low);
	jout_f64(j, "high", c->what == CHOSEN_NONE || c->high == HUGE_VAL ? NAN : c->high);
	jout_u64(j, "count", c->count);
	jout_f64(j, "mean", c->count > 0 ? c->mean : NAN);
	jout_f64(j, "total", c->total);
	jout_end_object(j);
}

static void path_json(struct jout *j, struct arena *a, const struct causes *c, uint32_t node)
{
	struct str *name;
	size_t n = cause_path(c, a, node, &name);

	jout_flat_array(j, "path");
	for (size_t i = 0; i < n; i++)
		jout_str(j, NULL, name[i]);
	jout_end_array(j);
}

static void example_json(struct jout *j, const struct causes *c, const struct call_cell *cell)
{
	if (cell == NULL) {
		jout_null(j, "example");
		return;
	}
	jout_flat_object(j, "example");
	jout_str(j, c->tree->spans ? "trace" : "thread", call_tree_str(c->tree, cell->thread));
	if (cell->start >= 0)
		jout_u64(j, "start", (uint64_t)cell->start);
	else
		jout_f64(j, "start", (double)cell->start);
	jout_f64(j, "latency", (double)cell->latency);
	jout_end_object(j);
}

static void cause_json(struct jout *j, struct arena *a, const struct causes *c,
		       const struct cause *one)
{
	const struct cause_node *n = &c->node[one->node];

	jout_object(j, NULL);
	path_json(j, a, c, one->node);
	jout_text(j, "kind", call_kind_name(n->kind));
	jout_text(j, "what", one->spread ? "spread" : "own");
	jout_f64(j, "added", one->added);
	jout_f64(j, "share", one->share);
	jout_f64(j, "error", one->error);
	if (c->n_runs[0] > 0)
		jout_f64(j, "runs_q", one->runs_q);
	jout_f64(j, "more_calls", one->more_calls);
	jout_f64(j, "slower_calls", one->slower_calls);
	jout_f64(j, "overhead", one->overhead);
	jout_bool(j, "new", one->fresh);
	jout_bool(j, "gone", one->gone);
	if (c->method == CAUSES_MAXCOUNT)
		jout_u64(j, "maxcount", one->maxcount);
	jout_flat_object(j, "chosen");
	jout_f64(j, "present", cause_mean(&c->chosen, n->chosen.present));
	jout_f64(j, "unusual", one->unusual);
	jout_f64(j, "calls", cause_mean(&c->chosen, n->chosen.calls));
	jout_f64(j, "mean", cause_mean(&c->chosen, n->chosen.total));
	jout_end_object(j);
	jout_flat_object(j, "against");
	jout_f64(j, "present", cause_mean(&c->against, n->against.present));
	jout_f64(j, "calls", cause_mean(&c->against, n->against.calls));
	jout_f64(j, "mean", cause_mean(&c->against, n->against.total));
	jout_end_object(j);
	example_json(j, c, one->example);
	jout_end_object(j);
}

static void side_json(struct jout *j, const char *key, const struct cause_choice *choice,
		      const struct cause_sums *s)
{
	jout_flat_object(j, key);
	jout_f64(j, "present", cause_mean(choice, s->present));
	jout_f64(j, "calls", cause_mean(choice, s->calls));
	jout_f64(j, "own", cause_mean(choice, s->own));
	jout_f64(j, "mean", cause_mean(choice, s->total));
	jout_f64(j, "as_callee", s->as_callee);
	jout_f64(j, "as_self", s->as_self);
	jout_end_object(j);
}

static void open_node(struct jout *j, const struct causes *c, uint32_t node)
{
	const struct cause_node *n = &c->node[node];

	jout_object(j, node == 0 ? "tree" : NULL);
	jout_str(j, "name", n->name);
	jout_text(j, "kind", call_kind_name(n->kind));
	jout_f64(j, "added", n->added);
	jout_f64(j, "own_added", n->own_added);
	side_json(j, "chosen", &c->chosen, &n->chosen);
	side_json(j, "against", &c->against, &n->against);
	jout_u64(j, "depth", n->depth);
	jout_array(j, "children");
}

/* Does not recurse, because a hostile trace can be arbitrarily deep. */
static void tree_json(struct jout *j, struct arena *a, const struct causes_report *r)
{
	struct level {
		uint32_t *child;
		size_t n, next;
	} *level = NULL;
	size_t n = 1, cap = 0;

	if (r->causes->n_nodes == 0) {
		jout_null(j, "tree");
		return;
	}
	level = arena_grow(a, level, &cap, 1, sizeof(*level));
	open_node(j, r->causes, 0);
	level[0] = (struct level){ .n = 0 };
	level[0].n = cause_children(r->causes, a, 0, &level[0].child);
	while (n > 0) {
		struct level *top = &level[n - 1];
		uint32_t child;

		if (top->next == top->n || (r->depth > 0 && n >= r->depth)) {
			jout_end_array(j);
			jout_end_object(j);
			n--;
			continue;
		}
		child = top->child[top->next++];
		open_node(j, r->causes, child);
		level = arena_grow(a, level, &cap, n + 1, sizeof(*level));
		level[n] = (struct level){ .n = 0 };
		level[n].n = cause_children(r->causes, a, child, &level[n].child);
		n++;
	}
}

static void rest_json(struct jout *j, struct arena *a, const struct causes_report *r)
{
	const struct causes *c = r->causes;

	jout_array(j, "marks");
	for (size_t i = 0; i < c->n_marks; i++) {
		jout_flat_object(j, NULL);
		path_json(j, a, c, c->mark[i].node);
		jout_f64(j, "chosen", c->mark[i].chosen);
		jout_f64(j, "against", c->mark[i].against);
		jout_end_object(j);
	}
	jout_end_array(j);
	jout_array(j, "values");
	for (size_t i = 0; i < c->n_values; i++) {
		jout_flat_object(j, NULL);
		jout_str(j, "of", c->value[i].of);
		jout_str(j, "value", c->value[i].value);
		jout_f64(j, "chosen", c->value[i].chosen);
		jout_f64(j, "against", c->value[i].against);
		jout_f64(j, "q", c->value[i].q);
		jout_end_object(j);
	}
	jout_end_array(j);
	jout_array(j, "meanwhile");
	for (size_t i = 0; i < r->n_meanwhile; i++) {
		jout_flat_object(j, NULL);
		jout_flat_array(j, "path");
		for (size_t k = 0; k < r->meanwhile[i].n; k++)
			jout_str(j, NULL, r->meanwhile[i].path[k]);
		jout_end_array(j);
		jout_f64(j, "waiting", r->meanwhile[i].waiting);
		jout_f64(j, "trace", r->meanwhile[i].trace);
		jout_end_object(j);
	}
	jout_end_array(j);
}

void causes_json(struct out *o, const struct causes_report *r)
{
	struct jout j = jout_on(o);
	struct arena *a = arena_new();
	const struct causes *c = r->causes;

	jout_document(&j, "osprof.causes/1");
	jout_text(&j, "unit", "ns");
	jout_str(&j, "function", r->function);
	jout_text(&j, "method", method_name(c->method));
	runs_json(&j, r);
	jout_array(&j, "peaks");
	for (size_t i = 0; i < r->peaks->n; i++)
		jout_peak(&j, NULL, &r->peaks->v[i]);
	jout_end_array(&j);
	choice_json(&j, "chosen", &c->chosen);
	choice_json(&j, "against", &c->against);
	jout_f64(&j, "added", c->added);
	jout_f64(&j, "elsewhere", c->elsewhere);
	if (c->n_runs[0] > 0)
		jout_f64(&j, "runs_q", c->runs_q);
	jout_bool(&j, "inconclusive", c->inconclusive);
	jout_flat_object(&j, "overhead");
	jout_f64(&j, "per_call", c->overhead);
	jout_f64(&j, "share", c->overhead_share);
	jout_end_object(&j);
	jout_array(&j, "causes");
	for (size_t i = 0; i < c->n_causes; i++)
		cause_json(&j, a, c, &c->cause[i]);
	jout_end_array(&j);
	tree_json(&j, a, r);
	rest_json(&j, a, r);
	jout_end_object(&j);
	jout_finish(&j);
	arena_free(a);
}
