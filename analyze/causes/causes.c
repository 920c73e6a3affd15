/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/causes/causes.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/causes/causes_parts.h"
#include "analyze/stats/poisson.h"
#include "base/arena.h"
#include "base/xalloc.h"

/* --- the nodes of both sides ------------------------------------------------------------ */

/* Adds the paths of a tree to `all`; returns the node of `all` for each of its nodes. */
static const uint32_t *join_paths(struct arena *a, struct call_tree *all, const struct call_tree *t)
{
	uint32_t *at = arena_alloc(a, (size_t)t->n_nodes + 1, sizeof(*at));

	for (uint32_t i = 0; i < t->n_nodes; i++) {
		const struct call_node *n = &t->node[i];
		uint32_t name = call_tree_name(all, call_tree_str(t, n->name));

		if (i == 0 && all->n_nodes == 0)
			call_tree_root(all, name);
		at[i] = i == 0 ? 0 : call_tree_child(all, at[n->parent], name, n->kind);
		if (all->node[at[i]].depth < n->depth)
			all->node[at[i]].depth = n->depth;
	}
	return at;
}

/* Inverts the mapping, which is one to one: a path has one node in a tree. */
static const uint32_t *turn_around(struct arena *a, const uint32_t *at, uint32_t n, uint32_t all)
{
	uint32_t *in = arena_alloc(a, (size_t)all + 1, sizeof(*in));

	for (uint32_t i = 0; i < all; i++)
		in[i] = CAUSE_NO_NODE;
	for (uint32_t i = 0; i < n; i++)
		in[at[i]] = i;
	return in;
}

static void lay_out(struct causes *c, struct arena *a)
{
	struct call_tree *all = call_tree_new();

	c->node_of_tree = join_paths(a, all, c->tree);
	c->node_of_base = c->base == c->tree ? c->node_of_tree : join_paths(a, all, c->base);
	c->n_nodes = all->n_nodes;
	c->in_tree = turn_around(a, c->node_of_tree, c->tree->n_nodes, c->n_nodes);
	c->in_base = turn_around(a, c->node_of_base, c->base->n_nodes, c->n_nodes);
	c->node = arena_alloc(a, (size_t)all->n_nodes + 1, sizeof(*c->node));
	for (uint32_t i = 0; i < all->n_nodes; i++) {
		const struct call_node *n = &all->node[i];

		c->node[i] = (struct cause_node){ .name = arena_str(a, call_node_name(all, i)),
						  .kind = n->kind,
						  .parent = n->parent,
						  .depth = n->depth };
	}
	call_tree_free(all);
}

/* --- sums ---------------------------------------------------------------------------------- */

static void add_cell(struct cause_sums *to, const struct call_cell *c)
{
	to->present += (double)c->present;
	to->calls += (double)c->calls;
	to->own += (double)c->own;
	to->total += (double)c->total;
	to->squares += c->squares;
	to->as_callee += (double)c->as_callee;
	to->as_self += (double)c->as_self;
}

/* How many more calls of a node were traced per call of the function. */
static double more_traced(const struct causes *c, uint32_t node)
{
	const struct cause_node *n = &c->node[node];

	if (n->kind != CALL_IS_RUNNING && n->kind != CALL_IS_INTERRUPT)
		return 0;
	return cause_mean(&c->chosen, n->chosen.calls) - cause_mean(&c->against, n->against.calls);
}

static void sum_up(struct causes *c)
{
	const struct call_tree *t = c->tree, *b = c->base;

	for (uint32_t i = 0; i < c->n_nodes; i++)
		c->node[i].chosen = c->node[i].against = (struct cause_sums){ .present = 0 };
	/* One pass for both sides of the same tree: the cells do not fit into the cache. */
	for (uint32_t i = 0; i < t->n_cells; i++) {
		const struct call_cell *cell = &t->cell[i];

		if (c->chosen.bucket[cell->bucket])
			add_cell(&c->node[c->node_of_tree[cell->node]].chosen, cell);
		if (b == t && c->against.bucket[cell->bucket])
			add_cell(&c->node[c->node_of_tree[cell->node]].against, cell);
	}
	for (uint32_t i = 0; b != t && i < b->n_cells; i++) {
		if (c->against.bucket[b->cell[i].bucket])
			add_cell(&c->node[c->node_of_base[b->cell[i].node]].against, &b->cell[i]);
	}
	c->more_calls = 0;
	for (uint32_t i = 0; i < c->n_nodes; i++) {
		struct cause_node *n = &c->node[i];

		if (i > 0)
			c->more_calls += more_traced(c, i);
		n->added = cause_mean(&c->chosen, n->chosen.total) -
			   cause_mean(&c->against, n->against.total);
		n->own_added = cause_mean(&c->chosen, n->chosen.own) -
			       cause_mean(&c->against, n->against.own);
	}
}

/* --- what tracing costs --------------------------------------------------------------------- */

static void estimate_overhead(struct causes *c)
{
	double overhead = (double)call_tree_short_gap(c->tree),
	       subtracted = (double)c->tree->overhead;

	c->overhead = overhead > subtracted ? overhead - subtracted : 0;
	c->overhead_share = c->added != 0 ? c->more_calls * c->overhead / c->added : 0;
}

/* How many more traced calls a node makes itself, or together with all nodes below it. */
static double more_made(const struct causes *c, uint32_t node, bool below)
{
	uint32_t at = c->node[node].child;
	double more = 0;

	while (at != CAUSE_NO_NODE) {
		more += more_traced(c, at);
		if (below && c->node[at].child != CAUSE_NO_NODE) {
			at = c->node[at].child;
			continue;
		}
		while (at != node && c->node[at].sibling == CAUSE_NO_NODE && below)
			at = c->node[at].parent;
		if (at == node)
			break;
		at = c->node[at].sibling;
	}
	return more;
}

/* --- descending ------------------------------------------------------------------------------ */

static uint64_t whole_number(double v)
{
	return v > 0 ? (uint64_t)(v + 0.5) : 0;
}

/* The 99th percentile of the other calls' time in a node; calls without the node count as 0. */
static double usual_of(const struct causes *c, uint32_t node, const struct cause_rules *rules)
{
	uint64_t y[CALL_Y_BUCKETS], with = 0, n = c->against.count, below;
	double rank = ceil(rules->usual * (double)n);

	cause_times(c, node, true, y);
	for (size_t i = 0; i < CALL_Y_BUCKETS; i++)
		with += y[i];
	below = n - with;
	if (n == 0 || rank <= (double)below)
		return 0;
	for (unsigned i = 0; i < CALL_Y_BUCKETS; i++) {
		below += y[i];
		if ((double)below >= rank)
			return call_y_edge(i);
	}
	return 0;
}

/* Returns the share of the chosen calls that are unusual.  Sets *ret_shifted when these add less
 * than half of what the path adds, as where each call takes a little longer. */
static double unusual_of(const struct causes *c, uint32_t node, const struct cause_rules *rules,
			 bool *ret_shifted)
{
	const double middle = exp2(-0.5 / CALL_Y_RESOLUTION); /* of a bucket, from its upper edge */
	const struct cause_node *n = &c->node[node];
	double usual = usual_of(c, node, rules), added = 0;
	double against = cause_mean(&c->against, n->against.total);
	uint64_t y[CALL_Y_BUCKETS], more = 0;

	cause_times(c, node, false, y);
	for (unsigned i = 0; i < CALL_Y_BUCKETS; i++) {
		if (call_y_edge(i) <= usual * (1 + 1e-9))
			continue;
		more += y[i];
		added += (double)y[i] * (call_y_edge(i) * middle - against);
	}
	*ret_shifted = n->added <= 0 || cause_mean(&c->chosen, added) < rules->shifted * n->added;
	return c->chosen.count > 0 ? (double)more / (double)c->chosen.count : 0;
}

/* The squared standard error of a mean. */
static double squared_error(const struct cause_choice *c, const struct cause_sums *s)
{
	double n = (double)c->count, mean = cause_mean(c, s->total);
	double variance = n > 1 ? s->squares / n - mean * mean : 0;

	return variance > 0 ? variance / (n - 1) : 0;
}

/* The cell with the node's slowest call among the chosen buckets; NULL when there is none. */
static const struct call_cell *example_of(const struct causes *c, uint32_t node)
{
	const struct call_cell *best = NULL;

	for (uint32_t i = 0; c->in_tree[node] != CAUSE_NO_NODE && i < c->tree->n_edges; i++) {
		const struct call_cell *cell =
			c->chosen.bucket[i] ? call_tree_find_cell(c->tree, c->in_tree[node], i)
					    : NULL;

		if (cell != NULL && (best == NULL || cell->largest > best->largest))
			best = cell;
	}
	return best;
}

static struct cause cause_of(const struct causes *c, uint32_t node, bool spread,
			     const struct cause_rules *rules)
{
	const struct cause_node *n = &c->node[node];
	double calls = cause_mean(&c->chosen, n->chosen.calls);
	double calls_against = cause_mean(&c->against, n->against.calls);
	double each = n->against.calls > 0 ? n->against.total / n->against.calls : 0;
	struct cause cause = { .node = node, .spread = spread };
	bool shifted;

	cause.added = spread ? n->added : n->own_added;
	cause.share = c->added != 0 ? cause.added / c->added : 0;
	cause.error = sqrt(squared_error(&c->chosen, &n->chosen) +
			   squared_error(&c->against, &n->against));
	cause.more_calls = (calls - calls_against) * each;
	cause.slower_calls = n->added - cause.more_calls;
	cause.overhead =
		cause.added != 0 ? more_made(c, node, spread) * c->overhead / cause.added : 0;
	cause.fresh = c->against.count > 0 && n->against.present == 0;
	cause.gone = n->chosen.present == 0;
	cause.unusual = unusual_of(c, node, rules, &shifted);
	cause.in = shifted ? cause_mean(&c->chosen, n->chosen.present) : cause.unusual;
	cause.maxcount =
		whole_number(node == 0 || spread ? n->chosen.as_self : n->chosen.as_callee);
	cause.example = example_of(c, node);
	return cause;
}

static void add_cause(struct causes *c, struct arena *a, size_t *cap, const struct cause *one)
{
	c->cause = arena_grow(a, c->cause, cap, c->n_causes + 1, sizeof(*c->cause));
	c->cause[c->n_causes++] = *one;
}

static int by_size(const void *a, const void *b)
{
	const struct cause *x = a, *y = b;

	if (fabs(x->added) != fabs(y->added))
		return fabs(x->added) > fabs(y->added) ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/* Follows from the function down each path that adds enough time. */
static void descend_paths(struct causes *c, struct arena *a, const struct cause_rules *rules)
{
	double min = rules->min_share * fabs(c->added);
	uint32_t *stack = xcalloc((size_t)c->n_nodes + 1, sizeof(*stack));
	size_t n = 0, cap = 0;

	if (c->n_nodes > 0 && c->added != 0)
		stack[n++] = 0;
	while (n > 0) {
		uint32_t at = stack[--n];
		bool own = fabs(c->node[at].own_added) >= min, deeper = false;
		struct cause one;

		for (uint32_t k = c->node[at].child; k != CAUSE_NO_NODE; k = c->node[k].sibling) {
			if (fabs(c->node[k].added) < min)
				continue;
			stack[n++] = k;
			deeper = true;
		}
		if (!own && deeper)
			continue;
		one = cause_of(c, at, !own, rules);
		add_cause(c, a, &cap, &one);
	}
	if (c->n_causes > 0)
		qsort(c->cause, c->n_causes, sizeof(*c->cause), by_size);
	c->elsewhere = c->added;
	for (size_t i = 0; i < c->n_causes; i++)
		c->elsewhere -= c->cause[i].added;
	if (fabs(c->elsewhere) < 1e-12 * fabs(c->added))
		c->elsewhere = 0; /* rounding error */
	free(stack);
}

/* --- maxcount --------------------------------------------------------------------------------- */

/* DARC's decisions (section 3).  From the function down, the search goes on with those among a
 * node's own time and its callees that were the largest in enough of the calls.  A path ends
 * where the own time is chosen, or at a node without callees. */
static void end_path(struct causes *c, struct arena *a, size_t *cap, uint32_t node, double count,
		     const struct cause_rules *rules)
{
	struct cause one = cause_of(c, node, false, rules);

	one.maxcount = (uint64_t)count;
	add_cause(c, a, cap, &one);
}

static double largest_count(const struct causes *c, uint32_t node)
{
	double max = c->node[node].chosen.as_self;

	for (uint32_t k = c->node[node].child; k != CAUSE_NO_NODE; k = c->node[k].sibling)
		max = fmax(max, c->node[k].chosen.as_callee);
	return max;
}

static bool has_callees(const struct causes *c, uint32_t node)
{
	for (uint32_t k = c->node[node].child; k != CAUSE_NO_NODE; k = c->node[k].sibling) {
		if (c->node[k].chosen.present > 0)
			return true;
	}
	return false;
}

static int by_maxcount(const void *a, const void *b)
{
	const struct cause *x = a, *y = b;

	if (x->maxcount != y->maxcount)
		return x->maxcount > y->maxcount ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/* Fills c->cause by DARC's maxcount, using all chosen calls for each decision. */
static void find_by_maxcount(struct causes *c, struct arena *a, const struct cause_rules *rules)
{
	uint32_t *front = xcalloc((size_t)c->n_nodes + 1, sizeof(*front));
	size_t n = 0, cap = 0;

	if (c->n_nodes > 0 && c->chosen.count > 0)
		front[n++] = 0;
	while (n > 0) {
		uint32_t at = front[--n];
		double max = largest_count(c, at);
		double min = rules->percentage * max;

		if (max <= 0)
			continue;
		if (c->node[at].chosen.as_self >= min)
			end_path(c, a, &cap, at, c->node[at].chosen.as_self, rules);
		for (uint32_t k = c->node[at].child; k != CAUSE_NO_NODE; k = c->node[k].sibling) {
			const struct cause_sums *s = &c->node[k].chosen;

			if (s->present == 0 || s->as_callee < min)
				continue;
			if (has_callees(c, k))
				front[n++] = k;
			else
				end_path(c, a, &cap, k, s->as_callee, rules);
		}
	}
	if (c->n_causes > 0)
		qsort(c->cause, c->n_causes, sizeof(*c->cause), by_maxcount);
	c->elsewhere = c->added;
	for (size_t i = 0; i < c->n_causes; i++)
		c->elsewhere -= c->cause[i].added;
	free(front);
}

/* --- marks ---------------------------------------------------------------------------------------
 */

/* Whether a path comes as often in the time of the chosen calls as in that of the others, as timer
 * interrupts do: long calls then have it because they are long. */
static bool comes_with_time(const struct causes *c, const struct cause_node *n)
{
	double time = c->node[0].chosen.total, expected, low, high;

	if (!(n->against.calls > 0) || !(time > 0))
		return false;
	expected = n->chosen.calls / time * c->node[0].against.total;
	poisson_interval((size_t)n->against.calls, &low, &high);
	return expected >= low && expected <= high;
}

static void find_marks(struct causes *c, struct arena *a, const struct cause_rules *rules)
{
	bool *on_path = xcalloc((size_t)c->n_nodes + 1, sizeof(*on_path));
	bool *marked = xcalloc((size_t)c->n_nodes + 1, sizeof(*marked));
	size_t cap = 0;

	for (size_t i = 0; i < c->n_causes; i++) {
		for (uint32_t n = c->cause[i].node; !on_path[n]; n = c->node[n].parent)
			on_path[n] = true;
	}
	for (uint32_t i = 1; i < c->n_nodes && c->against.count > 0; i++) {
		const struct cause_node *n = &c->node[i];
		struct cause_mark m = { i, cause_mean(&c->chosen, n->chosen.present),
					cause_mean(&c->against, n->against.present) };

		marked[i] = marked[n->parent];
		if (marked[i] || on_path[i] || m.chosen < rules->mark ||
		    m.against > rules->mark_against)
			continue;
		marked[i] = true;
		if (comes_with_time(c, n))
			continue;
		c->mark = arena_grow(a, c->mark, &cap, c->n_marks + 1, sizeof(*c->mark));
		c->mark[c->n_marks++] = m;
	}
	free(on_path);
	free(marked);
}

/* --- all of it
 * -------------------------------------------------------------------------------------- */

static void find_all(struct causes *c, struct arena *a, const struct cause_rules *rules)
{
	c->cause = NULL;
	c->mark = NULL;
	c->value = NULL;
	c->n_causes = c->n_marks = c->n_values = 0;
	sum_up(c);
	c->added = c->n_nodes > 0 ? c->node[0].added : 0;
	estimate_overhead(c);
	if (c->method == CAUSES_MAXCOUNT)
		find_by_maxcount(c, a, rules);
	else
		descend_paths(c, a, rules);
	find_marks(c, a, rules);
	causes_find_values(c, a, rules);
	c->inconclusive = c->chosen.count < rules->min_calls;
}

static void link_children(struct causes *c)
{
	for (uint32_t i = 0; i < c->n_nodes; i++)
		c->node[i].child = c->node[i].sibling = CAUSE_NO_NODE;
	for (uint32_t i = c->n_nodes; i-- > 1;) {
		struct cause_node *parent = &c->node[c->node[i].parent];

		c->node[i].sibling = parent->child;
		parent->child = i;
	}
}

void causes_find(struct causes *ret, struct arena *a, const struct call_tree *tree,
		 const struct cause_choice *chosen, const struct call_tree *base,
		 const struct cause_choice *against, enum cause_method method,
		 const struct cause_rules *rules)
{
	*ret = (struct causes){
		.tree = tree, .base = base, .chosen = *chosen, .against = *against, .method = method
	};
	lay_out(ret, a);
	link_children(ret);
	find_all(ret, a, rules);
}

void causes_update(struct causes *c, struct arena *a, const struct cause_choice *chosen,
		   const struct cause_choice *against, const struct cause_rules *rules)
{
	c->chosen = *chosen;
	c->against = *against;
	find_all(c, a, rules);
}

void causes_swap_sides(struct causes *c)
{
	const struct call_tree *tree = c->tree;
	const uint32_t *node_of_tree = c->node_of_tree, *in_tree = c->in_tree;

	c->tree = c->base;
	c->node_of_tree = c->node_of_base;
	c->in_tree = c->in_base;
	c->base = tree;
	c->node_of_base = node_of_tree;
	c->in_base = in_tree;
}

/* --- looking at it ---------------------------------------------------------------------------- */

struct child {
	double added;
	uint32_t node;
};

static int by_added(const void *a, const void *b)
{
	const struct child *x = a, *y = b;

	if (x->added != y->added)
		return x->added > y->added ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

size_t cause_children(const struct causes *c, struct arena *a, uint32_t node, uint32_t **ret)
{
	struct child *child = NULL;
	size_t n = 0, cap = 0;

	for (uint32_t k = c->node[node].child; k != CAUSE_NO_NODE; k = c->node[k].sibling) {
		child = xgrow(child, &cap, n + 1, sizeof(*child));
		child[n++] = (struct child){ fabs(c->node[k].added), k };
	}
	if (n > 0)
		qsort(child, n, sizeof(*child), by_added);
	*ret = arena_alloc(a, n + 1, sizeof(**ret));
	for (size_t i = 0; i < n; i++)
		(*ret)[i] = child[i].node;
	free(child);
	return n;
}

size_t cause_path(const struct causes *c, struct arena *a, uint32_t node, struct str **ret)
{
	size_t n = 1, at;

	for (uint32_t i = node; i != 0; i = c->node[i].parent)
		n++;
	*ret = arena_alloc(a, n, sizeof(**ret));
	at = n;
	for (uint32_t i = node; at > 0; i = c->node[i].parent)
		(*ret)[--at] = c->node[i].name;
	return n;
}

void cause_times(const struct causes *c, uint32_t node, bool against, uint64_t ret[CALL_Y_BUCKETS])
{
	const struct call_tree *t = against ? c->base : c->tree;
	const struct cause_choice *choice = against ? &c->against : &c->chosen;
	uint32_t at = against ? c->in_base[node] : c->in_tree[node];

	memset(ret, 0, CALL_Y_BUCKETS * sizeof(*ret));
	for (uint32_t i = 0; at != CAUSE_NO_NODE && i < t->n_edges; i++) {
		const struct call_cell *cell =
			choice->bucket[i] ? call_tree_find_cell(t, at, i) : NULL;

		for (unsigned y = 0; cell != NULL && y < CALL_Y_BUCKETS; y++)
			ret[y] += call_tree_y(t, cell, y);
	}
}
