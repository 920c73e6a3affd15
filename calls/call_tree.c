/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calls/call_tree.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/xalloc.h"

enum { OCTAVES = 63, GRID = OCTAVES * CALL_TREE_RESOLUTION + 1 };

static const char *const kinds[N_CALL_KINDS] = {
	[CALL_IS_RUNNING] = "running",	   [CALL_IS_BLOCKED] = "blocked",
	[CALL_IS_PREEMPTED] = "preempted", [CALL_IS_INTERRUPT] = "interrupt",
	[CALL_IS_QUEUED] = "queued",	   [CALL_IS_UNKNOWN] = "unknown",
};

const char *call_kind_name(enum call_kind k)
{
	return kinds[k];
}

bool call_kind_parse(struct str s, enum call_kind *ret)
{
	for (size_t k = 0; k < N_CALL_KINDS; k++) {
		if (str_eq(s, str_from(kinds[k]))) {
			*ret = (enum call_kind)k;
			return true;
		}
	}
	return false;
}

struct call_tree *call_tree_new(void)
{
	struct call_tree *t = xcalloc(1, sizeof(*t));

	t->arena = arena_new();
	t->edge = xcalloc(GRID + CALL_TREE_EXTRA + 1, sizeof(*t->edge));
	t->n_edges = GRID + 1;
	for (uint32_t i = 1; i < t->n_edges; i++)
		t->edge[i] = exp2((double)(i - 1) / CALL_TREE_RESOLUTION);
	return t;
}

/* Clears the arrays of cells, before cells get new numbers. */
static void forget_near(struct call_tree *t)
{
	for (size_t i = 0; i < COUNT_OF(t->near); i++) {
		free(t->near[i]);
		t->near[i] = NULL;
	}
}

void call_tree_free(struct call_tree *t)
{
	if (t == NULL)
		return;
	number_map_release(&t->children);
	forget_near(t);
	number_map_release(&t->cells);
	number_map_release(&t->ys);
	number_map_release(&t->values);
	number_map_release(&t->value_kinds);
	str_table_release(&t->names);
	arena_free(t->arena);
	free(t->edge);
	free(t->node);
	free(t->cell);
	free(t->y);
	free(t->y_count);
	free(t->value);
	free(t);
}

void call_tree_add_edge(struct call_tree *t, double edge)
{
	uint32_t at = t->n_edges;

	while (at > 0 && t->edge[at - 1] > edge)
		at--;
	if (!(edge > 0) || t->edge[at - 1] == edge || t->n_edges == GRID + 1 + CALL_TREE_EXTRA)
		return;
	memmove(t->edge + at + 1, t->edge + at, (t->n_edges - at) * sizeof(*t->edge));
	t->edge[at] = edge;
	t->n_edges++;
}

uint32_t call_tree_name(struct call_tree *t, struct str name)
{
	bool fresh;

	return (uint32_t)str_table_add(&t->names, name, t->arena, &fresh);
}

/* --- nodes ----------------------------------------------------------------------------- */

static uint32_t add_node(struct call_tree *t, uint32_t parent, uint32_t name, enum call_kind kind)
{
	t->node = xgrow(t->node, &t->cap_nodes, t->n_nodes + 1, sizeof(*t->node));
	t->node[t->n_nodes] =
		(struct call_node){ .parent = parent, .name = name, .kind = kind, .depth = 1 };
	return t->n_nodes++;
}

void call_tree_root(struct call_tree *t, uint32_t name)
{
	assert(t->n_nodes == 0);
	(void)add_node(t, 0, name, CALL_IS_RUNNING);
}

static uint64_t child_key(uint32_t parent, uint32_t name)
{
	return (uint64_t)parent << 32 | name;
}

/* Past the limit all new children of a node become one node, which also stands for everything
 * below it. */
static uint32_t overflow_node(struct call_tree *t, uint32_t parent)
{
	uint32_t name = call_tree_name(t, STR("(others)"));
	uint64_t *number;
	bool fresh;

	t->full = true;
	if (parent != 0 && t->node[parent].name == name)
		return parent;
	number = number_map_at(&t->children, child_key(parent, name), &fresh);
	if (fresh)
		*number = add_node(t, parent, name, CALL_IS_RUNNING);
	return (uint32_t)*number;
}

uint32_t call_tree_child(struct call_tree *t, uint32_t parent, uint32_t name, enum call_kind kind)
{
	const uint64_t *known = number_map_find(&t->children, child_key(parent, name));
	uint32_t node;
	bool fresh;

	if (known != NULL)
		return (uint32_t)*known;
	if (t->n_nodes >= CALL_TREE_NODES)
		return overflow_node(t, parent);
	node = add_node(t, parent, name, kind);
	*number_map_at(&t->children, child_key(parent, name), &fresh) = node;
	return node;
}

uint32_t call_tree_fold(struct call_tree *t, uint32_t parent, uint32_t name, enum call_kind kind)
{
	const uint64_t *known = number_map_find(&t->children, child_key(parent, name));
	uint32_t up = parent;
	bool fresh;

	if (known != NULL)
		return (uint32_t)*known;
	while (up != 0 && t->node[up].name != name)
		up = t->node[up].parent;
	if (t->node[up].name != name)
		return call_tree_child(t, parent, name, kind);
	*number_map_at(&t->children, child_key(parent, name), &fresh) = up;
	return up;
}

/* --- cells ------------------------------------------------------------------------------ */

/* Computes the bucket in the regular grid, then corrects it for edges added by ranges. */
uint32_t call_tree_bucket(const struct call_tree *t, int64_t latency)
{
	/* For each 32nd of an octave, the number of grid edges at or below its begin; no part has
	 * more than one edge inside. */
	static const uint8_t below[32] = { 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5,
					   5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 7, 8, 8, 8, 8, 8 };
	uint32_t octave, bucket;
	double v = (double)latency;

	if (latency < 1)
		return 0;
	octave = 63 - (uint32_t)__builtin_clzll((unsigned long long)latency);
	bucket = octave * CALL_TREE_RESOLUTION +
		 below[((uint64_t)latency << (63 - octave) >> 58) % 32];
	bucket += bucket + 1 < t->n_edges && v >= t->edge[bucket + 1];
	for (uint32_t i = GRID + 1; i < t->n_edges; i++)
		bucket += bucket + 1 < t->n_edges && v >= t->edge[bucket + 1];
	return bucket;
}

struct call_cell *call_tree_cell_new(struct call_tree *t, uint32_t node, uint32_t bucket)
{
	bool fresh;
	uint64_t *number = number_map_at(&t->cells, (uint64_t)node << 16 | bucket, &fresh);

	if (fresh) {
		*number = t->n_cells;
		t->cell = xgrow(t->cell, &t->cap_cells, t->n_cells + 1, sizeof(*t->cell));
		t->cell[t->n_cells++] = (struct call_cell){ .node = node, .bucket = bucket };
	}
	if (node < CALL_TREE_NEAR) {
		if (t->near[bucket] == NULL)
			t->near[bucket] = xcalloc(CALL_TREE_NEAR, sizeof(**t->near));
		t->near[bucket][node] = (uint32_t)*number + 1;
	}
	return &t->cell[*number];
}

double call_y_edge(unsigned bucket)
{
	return exp2((double)(bucket + 1) / CALL_Y_RESOLUTION);
}

const struct call_cell *call_tree_find_cell(const struct call_tree *t, uint32_t node,
					    uint32_t bucket)
{
	const uint64_t *number = number_map_find(&t->cells, (uint64_t)node << 16 | bucket);

	return number != NULL ? &t->cell[*number] : NULL;
}

uint64_t call_tree_y(const struct call_tree *t, const struct call_cell *cell, unsigned bucket)
{
	const uint64_t *number = number_map_find(&t->ys, (uint64_t)(cell - t->cell) << 8 | bucket);

	return number != NULL ? t->y_count[*number] : 0;
}

uint32_t call_tree_y_new(struct call_tree *t, const struct call_cell *cell, unsigned bucket)
{
	uint64_t key = (uint64_t)(cell - t->cell) << 8 | bucket;
	bool fresh;
	uint64_t *number = number_map_at(&t->ys, key, &fresh);

	if (fresh) {
		*number = t->n_y;
		t->y = xgrow(t->y, &t->cap_y, t->n_y + 1, sizeof(*t->y));
		t->y_count = xgrow(t->y_count, &t->cap_y_count, t->n_y + 1, sizeof(*t->y_count));
		t->y[t->n_y] = key;
		t->y_count[t->n_y++] = 0;
	}
	return (uint32_t)*number;
}

/* --- values ------------------------------------------------------------------------------ */

static const uint64_t dropped = UINT64_MAX; /* a key with too many values */

/* Whether a value of this key is still counted. */
static bool is_kept(struct call_tree *t, uint32_t key, uint32_t value)
{
	uint64_t *kinds_of, *known;
	bool fresh;

	kinds_of = number_map_at(&t->value_kinds, (uint64_t)key << 32 | UINT32_MAX, &fresh);
	if (*kinds_of == dropped)
		return false;
	if (number_map_find(&t->value_kinds, (uint64_t)key << 32 | value) != NULL)
		return true;
	if (++*kinds_of > CALL_TREE_VALUES) {
		*kinds_of = dropped;
		return false;
	}
	known = number_map_at(&t->value_kinds, (uint64_t)key << 32 | value, &fresh);
	*known = 1;
	return true;
}

static uint64_t value_key(uint32_t key, uint32_t value, uint32_t bucket)
{
	return number_map_mix(((uint64_t)key << 32 | value) + 1) ^ (uint64_t)bucket * 0x9e3779b9U;
}

void call_tree_count_value(struct call_tree *t, uint32_t key, uint32_t value, uint32_t bucket,
			   uint64_t n)
{
	uint64_t *number, hash = value_key(key, value, bucket) >> 1;
	bool fresh;

	if (!is_kept(t, key, value))
		return;
	for (;; hash++) {
		const struct call_value_count *v;

		number = number_map_at(&t->values, hash, &fresh);
		if (fresh)
			break;
		v = &t->value[*number];
		if (v->key == key && v->value == value && v->bucket == bucket) {
			t->value[*number].count += n;
			return;
		}
	}
	*number = t->n_values;
	t->value = xgrow(t->value, &t->cap_values, t->n_values + 1, sizeof(*t->value));
	t->value[t->n_values++] = (struct call_value_count){ key, value, bucket, n };
}

uint64_t call_tree_gaps(const struct call_tree *t)
{
	uint64_t gaps = t->wide_gaps;

	for (size_t i = 0; i < COUNT_OF(t->gap); i++)
		gaps += t->gap[i];
	return gaps;
}

int64_t call_tree_short_gap(const struct call_tree *t)
{
	double all = (double)call_tree_gaps(t);
	uint64_t seen = 0;

	for (size_t i = 0; i < COUNT_OF(t->gap); i++) {
		seen += t->gap[i];
		if (seen > 0 && (double)seen >= 0.01 * all)
			return (int64_t)i;
	}
	return 0;
}

/* --- adding trees up ----------------------------------------------------------------------- */

/* Returns the bucket of one tree that holds a bucket of another. */
static uint32_t bucket_in(const struct call_tree *to, const struct call_tree *from, uint32_t bucket)
{
	uint32_t at = to->n_edges - 1;

	while (at > 0 && to->edge[at] > from->edge[bucket])
		at--;
	return at;
}

/* Removes the edges of t that `other` does not have, merging their buckets. */
static void drop_edges(struct call_tree *t, const struct call_tree *other)
{
	uint32_t *at = xcalloc(t->n_edges, sizeof(*at)), n = 0, k = 0;

	for (uint32_t i = 0; i < t->n_edges; i++) {
		while (k + 1 < other->n_edges && other->edge[k] < t->edge[i])
			k++;
		if (other->edge[k] == t->edge[i])
			t->edge[n++] = t->edge[i];
		at[i] = n - 1;
	}
	if (n < t->n_edges) {
		struct call_cell *cell = t->cell;
		uint32_t n_cells = t->n_cells;
		uint64_t *y = t->y, *count = t->y_count;
		uint32_t n_y = t->n_y, n_values = t->n_values;
		struct call_value_count *value = t->value;
		struct call_tree rest = *t;

		forget_near(t);
		number_map_release(&t->cells);
		number_map_release(&t->ys);
		number_map_release(&t->values);
		t->cell = NULL;
		t->y = t->y_count = NULL;
		t->value = NULL;
		t->n_cells = t->n_y = t->n_values = 0;
		t->cap_cells = t->cap_y = t->cap_y_count = t->cap_values = 0;
		t->n_edges = n;
		for (uint32_t i = 0; i < n_cells; i++)
			cell[i].bucket = at[cell[i].bucket];
		for (uint32_t i = 0; i < n_values; i++)
			value[i].bucket = at[value[i].bucket];
		rest = (struct call_tree){ .arena = t->arena,
					   .names = t->names,
					   .edge = t->edge,
					   .n_edges = n,
					   .node = t->node,
					   .n_nodes = t->n_nodes,
					   .cell = cell,
					   .n_cells = n_cells,
					   .y = y,
					   .y_count = count,
					   .n_y = n_y,
					   .value = value,
					   .n_values = n_values };
		call_tree_merge(t, &rest);
		free(cell);
		free(y);
		free(count);
		free(value);
	}
	free(at);
}

static void add_cell(struct call_cell *to, const struct call_cell *c, uint32_t thread)
{
	to->present += c->present;
	to->calls += c->calls;
	to->own += c->own;
	to->total += c->total;
	to->squares += c->squares;
	to->as_callee += c->as_callee;
	to->as_self += c->as_self;
	if (c->largest > to->largest || to->present == c->present) {
		to->largest = c->largest;
		to->start = c->start;
		to->latency = c->latency;
		to->thread = thread;
	}
}

/* Adds up structures that consist of 64-bit counts only. */
static void add_counts(void *to, const void *from, size_t size)
{
	uint64_t *a = to;
	const uint64_t *b = from;

	for (size_t i = 0; i < size / sizeof(*a); i++)
		a[i] += b[i];
}

static void merge_nodes(struct call_tree *to, const struct call_tree *from, uint32_t *node)
{
	for (uint32_t i = 0; i < from->n_nodes; i++) {
		const struct call_node *n = &from->node[i];
		uint32_t name = call_tree_name(to, from->names.key[n->name]);

		if (i == 0 && to->n_nodes == 0)
			call_tree_root(to, name);
		node[i] = i == 0 ? 0 : call_tree_child(to, node[n->parent], name, n->kind);
		if (to->node[node[i]].depth < n->depth)
			to->node[node[i]].depth = n->depth;
	}
}

void call_tree_merge(struct call_tree *to, const struct call_tree *from)
{
	uint32_t *node = xcalloc((size_t)from->n_nodes + 1, sizeof(*node));
	uint32_t *cell = xcalloc((size_t)from->n_cells + 1, sizeof(*cell));

	if (to->names.key != from->names.key)
		drop_edges(to, from);
	merge_nodes(to, from, node);
	for (uint32_t i = 0; i < from->n_cells; i++) {
		const struct call_cell *c = &from->cell[i];
		struct call_cell *sum =
			call_tree_cell(to, node[c->node], bucket_in(to, from, c->bucket));

		cell[i] = (uint32_t)(sum - to->cell);
		add_cell(sum, c, call_tree_name(to, from->names.key[c->thread]));
	}
	for (uint32_t i = 0; i < from->n_y; i++)
		call_tree_count_y(to, &to->cell[cell[from->y[i] >> 8]], from->y[i] & 255,
				  from->y_count[i]);
	for (uint32_t i = 0; i < from->n_values; i++) {
		const struct call_value_count *v = &from->value[i];

		call_tree_count_value(to, call_tree_name(to, from->names.key[v->key]),
				      call_tree_name(to, from->names.key[v->value]),
				      bucket_in(to, from, v->bucket), v->count);
	}
	to->filtered = to->filtered || from->filtered;
	to->full = to->full || from->full;
	to->unfolded = to->unfolded || from->unfolded;
	to->spans = to->spans || from->spans;
	for (size_t i = 0; i < COUNT_OF(to->gap); i++)
		to->gap[i] += from->gap[i];
	if (from->overhead > to->overhead)
		to->overhead = from->overhead;
	to->wide_gaps += from->wide_gaps;
	add_counts(&to->tally, &from->tally, sizeof(to->tally));
	add_counts(&to->links, &from->links, sizeof(to->links));
	free(node);
	free(cell);
}
