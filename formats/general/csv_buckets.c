/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Histogram tables of the csv format: one row a bucket, low <= latency < high.
 *
 * `inf`, `-inf` and an empty field are open ends.  Rows may come in any order, and those of several
 * operations may be mixed.  Besides operation, low, high and count there may be these columns:
 *
 * 	layer
 * 	unit		of the row, if the names of low and high do not state it
 * 	start, end	of the row's interval, in seconds; empty: the whole run
 * 	interval	instead of these: the number of the interval
 * 	total		the exact sum of the operation's latencies in the interval,
 * 	stated_count	and the number of calls, counted apart; on one of its rows or more
 *
 * A row with neither low nor high is for an operation with summary statistics only; its count is
 * the stated one.
 */
#include <math.h>

#include "formats/carried.h"
#include "formats/general/csv_collection.h"

struct reader {
	struct rows *rows;
	struct collection all;
	double start_rate, end_rate;
};

/* --- rows ------------------------------------------------------------------------ */

static bool read_unit(struct reader *r, struct op *op)
{
	struct str s = rows_optional(r->rows, ROLE_UNIT);
	enum unit unit;

	if (s.n == 0)
		return true;
	if (!unit_parse(s, &unit))
		return rows_fail(r->rows, ROLE_UNIT, DIAG_NAME_BAD,
				 "expected cycles, ns, us, ms, s, plain or unknown");
	if (op->unit != UNIT_UNKNOWN && unit != op->unit)
		return rows_fail(r->rows, ROLE_UNIT, DIAG_UNIT_CLASH, "elsewhere it is %s",
				 unit_name(op->unit));
	op->unit = unit;
	return true;
}

static bool csv_buckets_take_time(struct reader *r, enum role role, double rate, double *ret)
{
	if (!rows_f64(r->rows, role, ret))
		return false;
	*ret /= rate;
	return *ret >= 0 || rows_fail(r->rows, role, DIAG_INTERVAL_BAD, "expected 0 or more");
}

static bool read_times(struct reader *r, double *ret_start, double *ret_end)
{
	bool has_end = r->rows->columns.has[ROLE_END];
	struct str start = rows_field(r->rows, ROLE_START), end = rows_optional(r->rows, ROLE_END);
	double length = r->rows->options->build.interval;

	if (start.n == 0 && end.n == 0)
		return true;
	if (start.n == 0 || (has_end && end.n == 0))
		return rows_fail(r->rows, start.n == 0 ? ROLE_START : ROLE_END, DIAG_INTERVAL_BAD,
				 "expected a start and an end, or neither");
	if (!csv_buckets_take_time(r, ROLE_START, r->start_rate, ret_start))
		return false;
	*ret_end = length > 0 ? *ret_start + length : HUGE_VAL;
	if (!has_end)
		return true;
	if (!csv_buckets_take_time(r, ROLE_END, r->end_rate, ret_end))
		return false;
	return *ret_start < *ret_end ||
	       rows_fail(r->rows, ROLE_END, DIAG_INTERVAL_BAD, "expected start < end");
}

/* Reads the row's interval, as arguments of collection_part(). */
static bool read_interval(struct reader *r, double *ret_start, double *ret_end)
{
	const double exact_integers = 9007199254740992.0; /* 2^53 */
	uint64_t number;

	*ret_start = -1;
	*ret_end = 0;
	if (r->rows->columns.has[ROLE_START])
		return read_times(r, ret_start, ret_end);
	if (rows_optional(r->rows, ROLE_INTERVAL).n == 0)
		return true;
	if (!rows_count(r->rows, ROLE_INTERVAL, &number))
		return false;
	*ret_start = (double)number;
	return *ret_start < exact_integers || rows_fail(r->rows, ROLE_INTERVAL, DIAG_NUMBER_RANGE,
							"expected the number of an interval");
}

static bool read_total(struct reader *r, struct part *p)
{
	struct decimal total;

	if (rows_optional(r->rows, ROLE_TOTAL).n == 0)
		return true;
	if (!rows_decimal(r->rows, ROLE_TOTAL, &total))
		return false;
	if (p->has_total && !decimal_eq(total, p->total))
		return rows_fail(r->rows, ROLE_TOTAL, DIAG_CONFLICTING_VALUES,
				 "an earlier row of the operation says %.15g",
				 decimal_f64(p->total));
	p->has_total = true;
	p->total = total;
	return true;
}

static bool read_stated_count(struct reader *r, struct part *p, enum role role)
{
	uint64_t count;

	if (rows_optional(r->rows, role).n == 0)
		return true;
	if (!rows_count(r->rows, role, &count))
		return false;
	if (p->has_count && count != p->count)
		return rows_fail(r->rows, role, DIAG_CONFLICTING_VALUES,
				 "an earlier row of the operation says %llu",
				 (unsigned long long)p->count);
	p->has_count = true;
	p->count = count;
	return true;
}

static bool read_other_edge(struct reader *r, enum role role, double open, double *ret)
{
	struct str s = rows_field(r->rows, role), word = s;

	if (s.n > 0 && (s.p[0] == '-' || s.p[0] == '+'))
		word = str_skip(s, 1);
	if (s.n == 0)
		*ret = open;
	else if (str_eq_nocase(word, STR("inf")) || str_eq_nocase(word, STR("infinity")))
		*ret = s.p[0] == '-' ? -HUGE_VAL : HUGE_VAL;
	else
		return rows_f64(r->rows, role, ret);
	return true;
}

/* Reads an edge, usually a whole number; an empty field and "inf" are open. */
static bool read_edge(struct reader *r, enum role role, double open, double *ret)
{
	uint64_t whole;

	if (number_u64(rows_field(r->rows, role), &whole) != NUMBER_OK)
		return read_other_edge(r, role, open, ret);
	*ret = (double)whole;
	return true;
}

static bool read_bucket(struct reader *r, struct part *p)
{
	struct line l = { .next = NULL };

	if (!read_edge(r, ROLE_LOW, -HUGE_VAL, &l.low) ||
	    !read_edge(r, ROLE_HIGH, HUGE_VAL, &l.high) ||
	    !rows_count(r->rows, ROLE_COUNT, &l.count))
		return false;
	/* Open at both ends: only the number of calls is known. */
	if (isinf(l.low) && isinf(l.high) && l.low < l.high)
		return read_stated_count(r, p, ROLE_COUNT);
	if (!(l.low < l.high))
		return rows_fail(r->rows, ROLE_LOW, DIAG_BUCKET_BOUNDS, "from %.12g to %.12g",
				 l.low, l.high);
	l.where = table_where(&r->rows->table, r->rows->columns.at[ROLE_LOW]);
	collection_add(&r->all, p, &l);
	return true;
}

static bool csv_buckets_read_row(struct reader *r)
{
	struct op *op = collection_op(&r->all, rows_optional(r->rows, ROLE_LAYER),
				      rows_field(r->rows, ROLE_OPERATION));
	double start, end;
	struct part *p;

	collection_expect(&r->all);
	if (!read_unit(r, op) || !read_interval(r, &start, &end))
		return false;
	p = collection_part(&r->all, op, start, end);
	if (!read_total(r, p) || !read_stated_count(r, p, ROLE_STATED_COUNT))
		return false;
	if (rows_field(r->rows, ROLE_LOW).n == 0 && rows_field(r->rows, ROLE_HIGH).n == 0)
		return read_stated_count(r, p, ROLE_COUNT); /* if there is one */
	return read_bucket(r, p);
}

/* --- to the builder ------------------------------------------------------------------- */

static bool enter_interval(struct reader *r, const struct part *p, double min, struct str where)
{
	double start = p->start, end = p->end;
	double length = r->rows->options->build.interval;

	if (!r->rows->columns.has[ROLE_START]) { /* only numbers of intervals are known */
		if (length == 0)
			build_untimed(r->rows->to);
		start = (p->start - min) * (length > 0 ? length : 1);
		end = (p->start - min + 1) * (length > 0 ? length : 1);
	} else if (isinf(end)) { /* only a start is given */
		end = start;
	}
	return build_interval(r->rows->to, start, end, where);
}

static bool push_part(struct reader *r, const struct part *p, double min, struct str where)
{
	struct builder *b = r->rows->to;

	if (part_is_whole_run(p))
		build_whole_run(b);
	else if (!enter_interval(r, p, min, where))
		return false;
	/* In the whole run, an operation with only summary statistics has no histogram. */
	if ((p->n_lines > 0 || !part_is_whole_run(p)) && !build_histogram(b, where))
		return false;
	for (const struct line *l = p->first; l != NULL; l = l->next) {
		if (!build_range(b, l->low, l->high, l->count, l->where))
			return false;
	}
	return (!p->has_total || build_total(b, p->total, where)) &&
	       (!p->has_count || build_count(b, p->count, where));
}

static double min_start(const struct reader *r)
{
	double min = HUGE_VAL;

	for (size_t i = 0; i < r->all.n_parts; i++)
		min = fmin(min, r->all.part[i]->start);
	return min;
}

static bool csv_buckets_push(struct reader *r)
{
	double min = min_start(r);

	build_all_differ(r->rows->to);
	for (size_t i = 0; i < r->all.n_ops; i++) {
		const struct op *op = r->all.op[i];

		if (!build_new_operation(r->rows->to, op->layer, op->name, op->where))
			return false;
		build_unit(r->rows->to, op->unit, UNIT_STATED);
		for (const struct part *p = op->first; p != NULL; p = p->next) {
			if (!push_part(r, p, min, op->where))
				return false;
		}
	}
	return true;
}

/* --- the table -------------------------------------------------------------------------- */

/* Finds the unit in the names of low, high and total; none: each row states its own. */
static bool find_unit(struct reader *r)
{
	static const enum role roles[] = { ROLE_LOW, ROLE_HIGH, ROLE_TOTAL };

	for (size_t i = 0; i < COUNT_OF(roles); i++) {
		enum unit unit = r->rows->columns.unit[roles[i]];

		if (!r->rows->columns.has[roles[i]] || unit == UNIT_UNKNOWN)
			continue;
		if (r->all.unit != UNIT_UNKNOWN && r->all.unit != unit)
			return rows_fail(r->rows, roles[i], DIAG_UNIT_CLASH,
					 "%s here, %s in a column before", unit_name(unit),
					 unit_name(r->all.unit));
		r->all.unit = unit;
	}
	return (!r->rows->columns.has[ROLE_START] ||
		rows_time_rate(r->rows, ROLE_START, &r->start_rate)) &&
	       (!r->rows->columns.has[ROLE_END] || rows_time_rate(r->rows, ROLE_END, &r->end_rate));
}

static bool collect_rows(struct reader *r)
{
	enum table_next what;

	if (!find_unit(r))
		return false;
	do {
		what = rows_next(r->rows);
	} while (what == TABLE_RECORD && csv_buckets_read_row(r));
	return what == TABLE_END;
}

bool rows_read_buckets(struct rows *rows)
{
	struct reader r = { .rows = rows };
	bool ok;

	collection_start(&r.all, rows);
	ok = collect_rows(&r);
	if (ok && r.all.n_ops > 0 && carried_goes_on(rows->options->carried))
		/* Nothing marks the last row. */
		ok = format_fail(rows->in, rows->diag, DIAG_INPUT_TRUNCATED, r.all.op[0]->where,
				 "expected the rest of the histograms");
	ok = ok && collection_order(&r.all) && csv_buckets_push(&r);
	collection_release(&r.all);
	return ok;
}
