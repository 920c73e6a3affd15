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
#include "base/hash.h"
#include "formats/csv_rows.h"

struct op {
	struct str layer, name;
	struct str where;
	enum unit unit;
	size_t order;
	UT_hash_handle hh;
};

/* An operation in one interval, or in the whole run. */
struct part {
	struct {
		const struct op *op;
		double start, end; /* of numbered ones: the number, 0; of the whole run: -1, 0 */
	} key;
	size_t rank; /* among all parts, in the order they are pushed in */
	bool has_total, has_count;
	struct decimal total;
	uint64_t count;
	struct str where;
	UT_hash_handle hh;
};

struct line {
	struct part *part;
	double low, high;
	uint64_t count;
	struct str where;
};

struct collection {
	struct rows *r;
	struct arena *arena;
	enum unit unit; /* of all rows; UNIT_UNKNOWN: each says its own */
	double start_rate, end_rate;
	struct op *ops;
	struct part *parts;
	char *key; /* scratch */
	size_t cap_key;
	struct line *line;
	size_t n, cap;
};

static bool is_whole_run(const struct part *p)
{
	return p->key.start < 0;
}

/* --- rows ------------------------------------------------------------------------ */

static struct op *find_op(struct collection *c, struct str layer, struct str name)
{
	size_t n = layer.n + 1 + name.n;
	struct op *op;

	c->key = xgrow(c->key, &c->cap_key, n, 1);
	if (layer.n > 0)
		memcpy(c->key, layer.p, layer.n);
	c->key[layer.n] = '\0';
	if (name.n > 0)
		memcpy(c->key + layer.n + 1, name.p, name.n);
	HASH_FIND(hh, c->ops, c->key, n, op);
	if (op == NULL) {
		struct str key = arena_str(c->arena, (struct str){ c->key, n });

		op = arena_make(c->arena, struct op, 1);
		op->layer = (struct str){ key.p, layer.n };
		op->name = str_skip(key, layer.n + 1);
		op->where = table_place(&c->r->table, c->r->columns.at[ROLE_OPERATION]);
		op->unit = c->unit;
		op->order = HASH_COUNT(c->ops);
		HASH_ADD_KEYPTR(hh, c->ops, key.p, key.n, op);
	}
	return op;
}

static struct part *find_part(struct collection *c, const struct op *op, double start, double end)
{
	struct part *p, wanted;

	memset(&wanted.key, 0, sizeof(wanted.key));
	wanted.key.op = op;
	wanted.key.start = start + 0.0; /* -0 is 0 */
	wanted.key.end = end + 0.0;
	HASH_FIND(hh, c->parts, &wanted.key, sizeof(wanted.key), p);
	if (p == NULL) {
		p = arena_make(c->arena, struct part, 1);
		p->key = wanted.key;
		p->where = op->where;
		HASH_ADD(hh, c->parts, key, sizeof(p->key), p);
	}
	return p;
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

/* An edge; nothing and "inf" are open. */
static bool read_edge(struct collection *c, enum role role, double open, double *ret)
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

static bool read_bucket(struct collection *c, struct part *p)
{
	struct line l = { .part = p };

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
	c->line = xgrow(c->line, &c->cap, c->n + 1, sizeof(*c->line));
	c->line[c->n++] = l;
	return true;
}

static bool read_row(struct collection *c)
{
	struct op *op =
		find_op(c, rows_optional(c->r, ROLE_LAYER), rows_field(c->r, ROLE_OPERATION));
	double start, end;
	struct part *p;

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

static int compare_f64(double a, double b)
{
	return (a > b) - (a < b);
}

static int compare_spans(const struct part *a, const struct part *b)
{
	int order = compare_f64(a->key.start, b->key.start);

	return order != 0 ? order : compare_f64(a->key.end, b->key.end);
}

static int by_operation(const struct part *a, const struct part *b)
{
	int order = compare_f64((double)a->key.op->order, (double)b->key.op->order);

	return order != 0 ? order : compare_spans(a, b);
}

static void order_parts(struct collection *c)
{
	size_t rank = 0;

	HASH_SORT(c->parts, by_operation);
	for (struct part *p = c->parts; p != NULL; p = p->hh.next)
		p->rank = rank++;
}

static int by_part(const void *pa, const void *pb)
{
	const struct line *a = pa, *b = pb;
	int order = compare_f64((double)a->part->rank, (double)b->part->rank);

	if (order == 0)
		order = compare_f64(a->low, b->low);
	return order != 0 ? order : (a->where.p > b->where.p) - (a->where.p < b->where.p);
}

static bool lines_are_apart(struct collection *c)
{
	for (size_t i = 1; i < c->n; i++) {
		const struct line *a = &c->line[i - 1], *b = &c->line[i];
		const struct line *later = b->where.p > a->where.p ? b : a;
		const struct line *earlier = later == b ? a : b;

		if (a->part == b->part && b->low < a->high)
			return format_fail(c->r->in, c->r->diag, DIAG_BUCKET_ORDER, later->where,
					   "from %.12g to %.12g overlaps an earlier row's %.12g to "
					   "%.12g",
					   later->low, later->high, earlier->low, earlier->high);
	}
	return true;
}

/* --- to the builder ------------------------------------------------------------------- */

static bool enter_interval(struct collection *c, const struct part *p, double least)
{
	double start = p->key.start, end = p->key.end;
	double length = c->r->options->build.interval;

	if (!c->r->columns.has[ROLE_START]) { /* only numbers are known */
		if (length == 0)
			build_untimed(c->r->to);
		start = (p->key.start - least) * (length > 0 ? length : 1);
		end = (p->key.start - least + 1) * (length > 0 ? length : 1);
	} else if (isinf(end)) { /* only a start is given */
		end = start;
	}
	return build_interval(c->r->to, start, end, p->where);
}

static bool push_part(struct collection *c, const struct part *p, size_t *line, double least)
{
	struct builder *b = c->r->to;
	bool has_lines = *line < c->n && c->line[*line].part == p;

	if (is_whole_run(p))
		build_whole_run(b);
	else if (!enter_interval(c, p, least))
		return false;
	/* In the whole run an operation of moments only has no histogram. */
	if ((has_lines || !is_whole_run(p)) && !build_histogram(b, p->where))
		return false;
	for (; *line < c->n && c->line[*line].part == p; (*line)++) {
		const struct line *l = &c->line[*line];

		if (!build_range(b, l->low, l->high, l->count, l->where))
			return false;
	}
	return (!p->has_total || build_total(b, p->total, p->where)) &&
	       (!p->has_count || build_count(b, p->count, p->where));
}

static double least_start(const struct collection *c)
{
	double least = HUGE_VAL;

	for (const struct part *p = c->parts; p != NULL; p = p->hh.next) {
		if (!is_whole_run(p) && p->key.start < least)
			least = p->key.start;
	}
	return least;
}

static bool push(struct collection *c)
{
	double least = least_start(c);
	const struct op *op = NULL;
	size_t line = 0;

	for (const struct part *p = c->parts; p != NULL; p = p->hh.next) {
		if (p->key.op != op) {
			op = p->key.op;
			if (!build_new_operation(c->r->to, op->layer, op->name, op->where))
				return false;
			build_unit(c->r->to, op->unit, UNIT_STATED);
		}
		if (!push_part(c, p, &line, least))
			return false;
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
	bool fine = collect(&c);

	if (fine) {
		order_parts(&c);
		if (c.n > 0)
			qsort(c.line, c.n, sizeof(*c.line), by_part);
		fine = lines_are_apart(&c) && push(&c);
	}
	HASH_CLEAR(hh, c.ops);
	HASH_CLEAR(hh, c.parts);
	free(c.key);
	free(c.line);
	arena_free(c.arena);
	return fine;
}
