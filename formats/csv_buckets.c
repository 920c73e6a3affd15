/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Histogram tables of the csv format: one row a bucket, low <= latency < high.
 *
 * `inf`, `-inf` and nothing are open ends.  Rows may come in any order, those of
 * several operations mixed.  Besides operation, low, high and count there may be
 *
 *	layer
 *	unit		of the row, where the names of low and high don't say it
 *	start, end	of the interval the row is of, in seconds; none: the whole run
 *	interval	in place of them: its number
 *	total		the exact sum of latencies of the operation in the interval,
 *	stated_count	and its calls, counted apart: on one of its rows or on several
 *
 * A row with neither low nor high tells of an operation of which only moments
 * are known; its count is the stated one.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/places.h"
#include "base/str_table.h"
#include "base/xalloc.h"
#include "formats/csv_rows.h"

/* A row that is a bucket. */
struct line {
	struct line *next; /* of the part */
	double low, high;
	uint64_t count;
	struct str where;
};

/* An operation in one interval, or in the whole run. */
struct part {
	struct part *next; /* of the operation */
	double start, end; /* of numbered ones: the number, 0; of the whole run: -1, 0 */
	struct line *first, *last;
	size_t n_lines;
	uint64_t count;
	struct decimal total;
	bool has_total, has_count;
	bool mixed; /* a row begins before the one before it ends */
};

struct op {
	struct str layer, name;
	struct str where;
	struct part *first, *last;
	struct part *at_hand; /* of an interval; NULL: none yet */
	struct part whole;    /* the run, if has_whole */
	size_t n_parts;
	enum unit unit;
	bool has_whole;
	bool mixed; /* parts do not come in the order of their times */
};

struct collection {
	struct rows *r;
	struct arena *arena;
	enum unit unit; /* of all rows; UNIT_UNKNOWN: each says its own */
	double start_rate, end_rate;
	struct places places; /* of operations, by layer and name */
	struct op **op;	      /* by number: in file order */
	struct op *at_hand;
	struct str_table spans; /* struct span_key */
	struct part **part;	/* by number; without those of the whole run */
	size_t n_ops, cap_ops, cap_parts;
	struct line *room; /* for lines to come */
	size_t n_room;
};

static bool is_whole_run(const struct part *p)
{
	return p->start < 0;
}

/* --- rows ------------------------------------------------------------------------ */

/* What stands in the file stays there; what was in quotes is gone with the row. */
static struct str keep(struct collection *c, struct str s)
{
	return c->r->table.decoded ? arena_str(c->arena, s) : s;
}

static struct op *add_op(struct collection *c, struct str layer, struct str name)
{
	struct op *op = arena_make(c->arena, struct op, 1);

	op->layer = keep(c, layer);
	op->name = keep(c, name);
	op->where = table_place(&c->r->table, c->r->columns.at[ROLE_OPERATION]);
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
	return places_hash(&c->places, name, layer.n > 0 ? places_hash(&c->places, layer, 0) : 0);
}

static struct op *look_up_op(struct collection *c, struct str layer, struct str name)
{
	size_t at, number;
	uint32_t hash;

	places_reserve(&c->places, c->n_ops);
	hash = hash_of(c, layer, name);
	at = places_first(&c->places, hash);
	for (; places_next(&c->places, &at, hash, &number); at++) {
		if (is_op(c->op[number], layer, name))
			return c->op[number];
	}
	places_take(&c->places, at, hash, c->n_ops);
	return add_op(c, layer, name);
}

/* The operation of the next row is on its way while this one is read. */
static void expect_next(const struct collection *c)
{
	const struct columns *of = &c->r->columns;
	struct str layer = { "", 0 };

	if (of->has[ROLE_LAYER])
		layer = table_peek(&c->r->table, of->at[ROLE_LAYER]);
	places_expect(&c->places,
		      hash_of(c, layer, table_peek(&c->r->table, of->at[ROLE_OPERATION])));
}

/* Mostly that of the row before. */
static struct op *find_op(struct collection *c, struct str layer, struct str name)
{
	if (c->at_hand == NULL || !is_op(c->at_hand, layer, name))
		c->at_hand = look_up_op(c, layer, name);
	return c->at_hand;
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
		c->part[number] = arena_make(c->arena, struct part, 1);
		add_part(op, c->part[number], start, end);
	}
	return c->part[number];
}

static struct part *find_part(struct collection *c, struct op *op, double start, double end)
{
	struct part *p = op->at_hand;

	if (start < 0) {
		if (!op->has_whole)
			add_part(op, &op->whole, start, end);
		op->has_whole = true;
		return &op->whole;
	}
	if (p == NULL || p->start != start || p->end != end)
		op->at_hand = find_interval(c, op, start + 0.0, end + 0.0); /* -0 is 0 */
	return op->at_hand;
}

static bool read_unit(struct collection *c, struct op *op)
{
	struct str s = rows_optional(c->r, ROLE_UNIT);
	enum unit unit;

	if (s.n == 0)
		return true;
	if (!unit_parse(s, &unit))
		return rows_fail(c->r, ROLE_UNIT, DIAG_NAME_BAD,
				 "expected cycles, ns, us, ms, s, plain or unknown");
	if (op->unit != UNIT_UNKNOWN && unit != op->unit)
		return rows_fail(c->r, ROLE_UNIT, DIAG_UNIT_CLASH, "elsewhere it is %s",
				 unit_name(op->unit));
	op->unit = unit;
	return true;
}

static bool take_time(struct collection *c, enum role role, double rate, double *ret)
{
	if (!rows_f64(c->r, role, ret))
		return false;
	*ret /= rate;
	return *ret >= 0 || rows_fail(c->r, role, DIAG_INTERVAL_BAD, "expected 0 or more");
}

static bool read_times(struct collection *c, double *ret_start, double *ret_end)
{
	bool has_end = c->r->columns.has[ROLE_END];
	struct str start = rows_field(c->r, ROLE_START), end = rows_optional(c->r, ROLE_END);
	double length = c->r->options->build.interval;

	if (start.n == 0 && end.n == 0)
		return true;
	if (start.n == 0 || (has_end && end.n == 0))
		return rows_fail(c->r, start.n == 0 ? ROLE_START : ROLE_END, DIAG_INTERVAL_BAD,
				 "expected a start and an end, or neither");
	if (!take_time(c, ROLE_START, c->start_rate, ret_start))
		return false;
	*ret_end = length > 0 ? *ret_start + length : HUGE_VAL;
	if (!has_end)
		return true;
	if (!take_time(c, ROLE_END, c->end_rate, ret_end))
		return false;
	return *ret_start < *ret_end ||
	       rows_fail(c->r, ROLE_END, DIAG_INTERVAL_BAD, "expected start < end");
}

/* The interval the row is of: what find_part() takes. */
static bool read_interval(struct collection *c, double *ret_start, double *ret_end)
{
	const double exact_integers = 9007199254740992.0; /* 2^53 */
	uint64_t number;

	*ret_start = -1;
	*ret_end = 0;
	if (c->r->columns.has[ROLE_START])
		return read_times(c, ret_start, ret_end);
	if (rows_optional(c->r, ROLE_INTERVAL).n == 0)
		return true;
	if (!rows_count(c->r, ROLE_INTERVAL, &number))
		return false;
	*ret_start = (double)number;
	return *ret_start < exact_integers || rows_fail(c->r, ROLE_INTERVAL, DIAG_NUMBER_RANGE,
							"expected the number of an interval");
}

static bool read_total(struct collection *c, struct part *p)
{
	struct decimal total;

	if (rows_optional(c->r, ROLE_TOTAL).n == 0)
		return true;
	if (!rows_decimal(c->r, ROLE_TOTAL, &total))
		return false;
	if (p->has_total && !decimal_eq(total, p->total))
		return rows_fail(c->r, ROLE_TOTAL, DIAG_STATED_CLASH,
				 "an earlier row of the operation says %.15g",
				 decimal_f64(p->total));
	p->has_total = true;
	p->total = total;
	return true;
}

static bool read_stated_count(struct collection *c, struct part *p, enum role role)
{
	uint64_t count;

	if (rows_optional(c->r, role).n == 0)
		return true;
	if (!rows_count(c->r, role, &count))
		return false;
	if (p->has_count && count != p->count)
		return rows_fail(c->r, role, DIAG_STATED_CLASH,
				 "an earlier row of the operation says %llu",
				 (unsigned long long)p->count);
	p->has_count = true;
	p->count = count;
	return true;
}

static bool read_other_edge(struct collection *c, enum role role, double open, double *ret)
{
	struct str s = rows_field(c->r, role), word = s;

	if (s.n > 0 && (s.p[0] == '-' || s.p[0] == '+'))
		word = str_skip(s, 1);
	if (s.n == 0)
		*ret = open;
	else if (str_eq_nocase(word, STR("inf")) || str_eq_nocase(word, STR("infinity")))
		*ret = s.p[0] == '-' ? -HUGE_VAL : HUGE_VAL;
	else
		return rows_f64(c->r, role, ret);
	return true;
}

/* An edge, mostly a whole number; nothing and "inf" are open. */
static bool read_edge(struct collection *c, enum role role, double open, double *ret)
{
	uint64_t whole;

	if (number_u64(rows_field(c->r, role), &whole) != NUMBER_OK)
		return read_other_edge(c, role, open, ret);
	*ret = (double)whole;
	return true;
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

static void add_line(struct collection *c, struct part *p, const struct line *l)
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

static bool read_bucket(struct collection *c, struct part *p)
{
	struct line l = { .next = NULL };

	if (!read_edge(c, ROLE_LOW, -HUGE_VAL, &l.low) ||
	    !read_edge(c, ROLE_HIGH, HUGE_VAL, &l.high) || !rows_count(c->r, ROLE_COUNT, &l.count))
		return false;
	/* Open at both ends it says how many there were, not how long they took. */
	if (isinf(l.low) && isinf(l.high) && l.low < l.high)
		return read_stated_count(c, p, ROLE_COUNT);
	if (!(l.low < l.high))
		return rows_fail(c->r, ROLE_LOW, DIAG_BUCKET_BOUNDS, "from %.12g to %.12g", l.low,
				 l.high);
	l.where = table_place(&c->r->table, c->r->columns.at[ROLE_LOW]);
	add_line(c, p, &l);
	return true;
}

static bool read_row(struct collection *c)
{
	struct op *op =
		find_op(c, rows_optional(c->r, ROLE_LAYER), rows_field(c->r, ROLE_OPERATION));
	double start, end;
	struct part *p;

	expect_next(c);
	if (!read_unit(c, op) || !read_interval(c, &start, &end))
		return false;
	p = find_part(c, op, start, end);
	if (!read_total(c, p) || !read_stated_count(c, p, ROLE_STATED_COUNT))
		return false;
	if (rows_field(c->r, ROLE_LOW).n == 0 && rows_field(c->r, ROLE_HIGH).n == 0)
		return read_stated_count(c, p, ROLE_COUNT); /* if there is one */
	return read_bucket(c, p);
}

/* --- into order --------------------------------------------------------------------- */

static int by_span(const void *pa, const void *pb)
{
	return compare_spans(*(struct part *const *)pa, *(struct part *const *)pb);
}

/* Of an operation whose intervals came in another order. */
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

/* Two lists by their low edges, lines of equal ones as they stand in the file. */
static struct line *merge(struct line *earlier, struct line *later)
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

/* Takes the first n lines of *rest, which come sorted. */
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
	return merge(first, later);
}

static bool lines_are_apart(struct collection *c, const struct part *p)
{
	for (const struct line *a = p->first, *b = a->next; b != NULL; a = b, b = b->next) {
		const struct line *later = b->where.p > a->where.p ? b : a;
		const struct line *earlier = later == b ? a : b;

		if (b->low < a->high)
			return format_fail(c->r->in, c->r->diag, DIAG_BUCKET_ORDER, later->where,
					   "from %.12g to %.12g overlaps an earlier row's %.12g to "
					   "%.12g",
					   later->low, later->high, earlier->low, earlier->high);
	}
	return true;
}

static bool into_order(struct collection *c)
{
	for (size_t i = 0; i < c->n_ops; i++) {
		if (c->op[i]->mixed)
			order_parts(c->op[i]);
		for (struct part *p = c->op[i]->first; p != NULL; p = p->next) {
			struct line *rest = p->first;

			if (!p->mixed)
				continue;
			p->first = take_sorted(&rest, p->n_lines);
			if (!lines_are_apart(c, p))
				return false;
		}
	}
	return true;
}

/* --- to the builder ------------------------------------------------------------------- */

static bool enter_interval(struct collection *c, const struct part *p, double least,
			   struct str where)
{
	double start = p->start, end = p->end;
	double length = c->r->options->build.interval;

	if (!c->r->columns.has[ROLE_START]) { /* only numbers are known */
		if (length == 0)
			build_untimed(c->r->to);
		start = (p->start - least) * (length > 0 ? length : 1);
		end = (p->start - least + 1) * (length > 0 ? length : 1);
	} else if (isinf(end)) { /* only a start is given */
		end = start;
	}
	return build_interval(c->r->to, start, end, where);
}

static bool push_part(struct collection *c, const struct part *p, double least, struct str where)
{
	struct builder *b = c->r->to;

	if (is_whole_run(p))
		build_whole_run(b);
	else if (!enter_interval(c, p, least, where))
		return false;
	/* In the whole run an operation of moments only has no histogram. */
	if ((p->n_lines > 0 || !is_whole_run(p)) && !build_histogram(b, where))
		return false;
	for (const struct line *l = p->first; l != NULL; l = l->next) {
		if (!build_range(b, l->low, l->high, l->count, l->where))
			return false;
	}
	return (!p->has_total || build_total(b, p->total, where)) &&
	       (!p->has_count || build_count(b, p->count, where));
}

static double least_start(const struct collection *c)
{
	double least = HUGE_VAL;

	for (size_t i = 0; i < c->spans.n; i++)
		least = fmin(least, c->part[i]->start);
	return least;
}

static bool push(struct collection *c)
{
	double least = least_start(c);

	build_all_differ(c->r->to);
	for (size_t i = 0; i < c->n_ops; i++) {
		const struct op *op = c->op[i];

		if (!build_new_operation(c->r->to, op->layer, op->name, op->where))
			return false;
		build_unit(c->r->to, op->unit, UNIT_STATED);
		for (const struct part *p = op->first; p != NULL; p = p->next) {
			if (!push_part(c, p, least, op->where))
				return false;
		}
	}
	return true;
}

/* --- the table -------------------------------------------------------------------------- */

/* The unit that the names of low, high and total end in. */
static bool find_unit(struct collection *c)
{
	static const enum role roles[] = { ROLE_LOW, ROLE_HIGH, ROLE_TOTAL };

	for (size_t i = 0; i < COUNT_OF(roles); i++) {
		enum unit unit = c->r->columns.unit[roles[i]];

		if (!c->r->columns.has[roles[i]] || unit == UNIT_UNKNOWN)
			continue;
		if (c->unit != UNIT_UNKNOWN && c->unit != unit)
			return rows_fail(c->r, roles[i], DIAG_UNIT_CLASH,
					 "%s here, %s in a column before", unit_name(unit),
					 unit_name(c->unit));
		c->unit = unit;
	}
	return (!c->r->columns.has[ROLE_START] ||
		rows_time_rate(c->r, ROLE_START, &c->start_rate)) &&
	       (!c->r->columns.has[ROLE_END] || rows_time_rate(c->r, ROLE_END, &c->end_rate));
}

static bool collect(struct collection *c)
{
	enum table_next what;

	if (!find_unit(c))
		return false;
	do {
		what = rows_next(c->r);
	} while (what == TABLE_RECORD && read_row(c));
	return what == TABLE_END;
}

bool rows_read_buckets(struct rows *r)
{
	struct collection c = { .r = r, .arena = arena_new() };
	bool fine = collect(&c) && into_order(&c) && push(&c);

	places_release(&c.places);
	str_table_release(&c.spans);
	free(c.op);
	free(c.part);
	arena_free(c.arena);
	return fine;
}
