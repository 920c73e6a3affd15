/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/general/csv_collection.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/xalloc.h"

void collection_start(struct collection *c, const struct rows *rows)
{
	*c = (struct collection){ .rows = rows, .arena = arena_new() };
}

void collection_release(struct collection *c)
{
	hash_index_release(&c->hash_index);
	str_table_release(&c->spans);
	free(c->op);
	free(c->part);
	arena_free(c->arena);
}

/* --- operations ------------------------------------------------------------------------ */

/* Fields point into the file, and are only copied if quotes were removed, as such copies go with
 * the row. */
static struct str keep_field(struct collection *c, struct str s)
{
	return c->rows->table.decoded ? arena_str(c->arena, s) : s;
}

static struct op *add_op(struct collection *c, struct str layer, struct str name)
{
	struct op *op = arena_make(c->arena, struct op, 1);

	op->layer = keep_field(c, layer);
	op->name = keep_field(c, name);
	op->where = table_where(&c->rows->table, c->rows->columns.at[ROLE_OPERATION]);
	op->unit = c->unit;
	c->op = xgrow(c->op, &c->cap_ops, c->n_ops + 1, sizeof(struct op *));
	c->op[c->n_ops++] = op;
	return op;
}

static bool is_op(const struct op *op, struct str layer, struct str name)
{
	return str_eq(op->name, name) && str_eq(op->layer, layer);
}

static uint32_t hash_of(const struct collection *c, struct str layer, struct str name)
{
	return hash_index_hash(&c->hash_index, name,
			       layer.n > 0 ? hash_index_hash(&c->hash_index, layer, 0) : 0);
}

static struct op *look_up_op(struct collection *c, struct str layer, struct str name)
{
	size_t at, number;
	uint32_t hash;

	hash_index_reserve(&c->hash_index, c->n_ops);
	hash = hash_of(c, layer, name);
	at = hash_index_first(&c->hash_index, hash);
	for (; hash_index_next(&c->hash_index, &at, hash, &number); at++) {
		if (is_op(c->op[number], layer, name))
			return c->op[number];
	}
	hash_index_take(&c->hash_index, at, hash, c->n_ops);
	return add_op(c, layer, name);
}

void collection_expect(const struct collection *c)
{
	const struct columns *of = &c->rows->columns;
	struct str layer = STR("");

	if (of->has[ROLE_LAYER])
		layer = table_peek(&c->rows->table, of->at[ROLE_LAYER]);
	hash_index_prefetch(&c->hash_index,
			    hash_of(c, layer, table_peek(&c->rows->table, of->at[ROLE_OPERATION])));
}

/* Usually the same as that of the previous row. */
struct op *collection_op(struct collection *c, struct str layer, struct str name)
{
	if (c->current == NULL || !is_op(c->current, layer, name))
		c->current = look_up_op(c, layer, name);
	return c->current;
}

static int compare_f64(double a, double b)
{
	return (a > b) - (a < b);
}

static int compare_spans(const struct part *a, const struct part *b)
{
	int order = compare_f64(a->start, b->start);

	return order != 0 ? order : compare_f64(a->end, b->end);
}

static void add_part(struct op *op, struct part *p, double start, double end)
{
	p->start = start;
	p->end = end;
	if (op->last != NULL) {
		op->last->next = p;
		op->mixed |= compare_spans(op->last, p) > 0;
	} else {
		op->first = p;
	}
	op->last = p;
	op->n_parts++;
}

struct span_key {
	const struct op *op;
	double start, end;
};

static struct part *find_interval(struct collection *c, struct op *op, double start, double end)
{
	struct span_key key = { op, start, end };
	size_t number;
	bool is_new;

	number = str_table_add(&c->spans, (struct str){ (const char *)&key, sizeof(key) }, c->arena,
			       &is_new);
	if (is_new) {
		c->part = xgrow(c->part, &c->cap_parts, number + 1, sizeof(struct part *));
		c->part[c->n_parts++] = arena_make(c->arena, struct part, 1);
		add_part(op, c->part[number], start, end);
	}
	return c->part[number];
}

struct part *collection_part(struct collection *c, struct op *op, double start, double end)
{
	struct part *p = op->current;

	if (start < 0) {
		if (!op->has_whole)
			add_part(op, &op->whole, start, end);
		op->has_whole = true;
		return &op->whole;
	}
	if (p == NULL || p->start != start || p->end != end)
		op->current = find_interval(c, op, start + 0.0, end + 0.0); /* -0 is 0 */
	return op->current;
}

static struct line *make_line(struct collection *c)
{
	enum { MANY = 32 };

	if (c->n_room == 0) {
		c->room = arena_make(c->arena, struct line, MANY);
		c->n_room = MANY;
	}
	c->n_room--;
	return c->room++;
}

void collection_add(struct collection *c, struct part *p, const struct line *l)
{
	struct line *copy = make_line(c);

	*copy = *l;
	if (p->last != NULL) {
		p->last->next = copy;
		p->mixed |= l->low < p->last->high;
	} else {
		p->first = copy;
	}
	p->last = copy;
	p->n_lines++;
}

/* --- sorting --------------------------------------------------------------------- */

static int by_span(const void *pa, const void *pb)
{
	return compare_spans(*(struct part *const *)pa, *(struct part *const *)pb);
}

/* For an operation whose intervals were not in order. */
static void order_parts(struct op *op)
{
	struct part **sorted = xcalloc(op->n_parts, sizeof(struct part *)), **tail = &op->first;
	size_t n = 0;

	for (struct part *p = op->first; p != NULL; p = p->next)
		sorted[n++] = p;
	qsort(sorted, n, sizeof(struct part *), by_span);
	for (size_t i = 0; i < n; i++, tail = &(*tail)->next)
		*tail = sorted[i];
	*tail = NULL;
	free(sorted);
}

/* Merges two lists by their low edges; lines with equal edges stay in file order. */
static struct line *merge_lists(struct line *earlier, struct line *later)
{
	struct line *first, **tail = &first;

	while (earlier != NULL && later != NULL) {
		struct line **lower = later->low < earlier->low ? &later : &earlier;

		*tail = *lower;
		tail = &(*tail)->next;
		*lower = *tail;
	}
	*tail = earlier != NULL ? earlier : later;
	return first;
}

/* Takes the first n lines of *rest and sorts them. */
static struct line *take_sorted(struct line **rest, size_t n)
{
	struct line *first = *rest, *later;

	if (n == 1) {
		*rest = first->next;
		first->next = NULL;
		return first;
	}
	first = take_sorted(rest, n / 2);
	later = take_sorted(rest, n - n / 2);
	return merge_lists(first, later);
}

static bool lines_are_apart(const struct rows *rows, const struct part *p)
{
	for (const struct line *a = p->first, *b = a->next; b != NULL; a = b, b = b->next) {
		const struct line *later = b->where.p > a->where.p ? b : a;
		const struct line *earlier = later == b ? a : b;

		if (b->low < a->high)
			return format_fail(rows->in, rows->diag, DIAG_BUCKET_ORDER, later->where,
					   "from %.12g to %.12g overlaps an earlier row's %.12g to "
					   "%.12g",
					   later->low, later->high, earlier->low, earlier->high);
	}
	return true;
}

bool collection_order(struct collection *c)
{
	for (size_t i = 0; i < c->n_ops; i++) {
		if (c->op[i]->mixed)
			order_parts(c->op[i]);
		for (struct part *p = c->op[i]->first; p != NULL; p = p->next) {
			struct line *rest = p->first;

			if (!p->mixed)
				continue;
			p->first = take_sorted(&rest, p->n_lines);
			if (!lines_are_apart(c->rows, p))
				return false;
		}
	}
	return true;
}
