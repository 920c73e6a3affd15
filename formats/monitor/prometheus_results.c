/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/monitor/prometheus_results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/tables/str_table.h"
#include "base/xalloc.h"
#include "formats/monitor/data_points.h"
#include "formats/monitor/prometheus_native.h"
#include "formats/monitor/prometheus_series.h"

static const uint64_t FIRST = UINT64_MAX; /* no previous point */

/* The data of one operation. */
struct series {
	size_t number;
	struct prometheus_operation operation;
	bool has_buckets;
	/* While pushing. */
	const double *bound; /* bounds of the last point that had any */
	size_t n_bounds;
};

struct prometheus_column {
	struct series *series;
	enum prometheus_part part;
	double le;
	size_t moment; /* number of the last moment with a value */
};

struct value {
	uint64_t stamp; /* ns */
	struct prometheus_column *column;
	struct str text;
};

struct prometheus_results {
	struct arena *arena;
	struct input *in;
	struct diag *diag;
	struct str_table keys;	  /* keys of series */
	struct series **series;	  /* by number */
	struct str_table columns; /* keys: series, part and le */
	struct prometheus_column **column;
	struct value *value;
	size_t cap_series, cap_columns, n, cap;
	size_t moment, from; /* current moment's number; first value not assigned to a moment */
	uint64_t stamp;	     /* time of the moment */
	size_t others;
	/* Answers of rate() and increase(): some counts have fractions. */
	bool fractions;
	double scale;	/* what is printed times this is a number of calls */
	uint64_t *time; /* while pushing: all times of values, ascending */
	size_t n_times;
};

struct prometheus_results *prometheus_results_new(struct arena *a, struct input *in,
						  double interval, struct diag *diag)
{
	struct prometheus_results *r = arena_make(a, struct prometheus_results, 1);

	*r = (struct prometheus_results){
		.arena = a, .in = in, .diag = diag, .scale = interval > 0 ? interval : 1
	};
	return r;
}

void prometheus_results_free(struct prometheus_results *r)
{
	if (r == NULL)
		return;
	str_table_release(&r->keys);
	str_table_release(&r->columns);
	free(r->series);
	free(r->column);
	free(r->value);
	free(r->time);
}

/* --- taking in ----------------------------------------------------------------------------- */

static struct series *find_series(struct prometheus_results *r,
				  const struct prometheus_column_name *name)
{
	struct str key = name->series.n > 0 ? name->series : STR("{}");
	bool is_new;
	size_t number = str_table_add(&r->keys, key, r->arena, &is_new);
	struct series *s;

	if (!is_new)
		return r->series[number];
	s = arena_make(r->arena, struct series, 1);
	s->number = number;
	s->operation = prometheus_operation(r->keys.key[number], name->metric_bytes, r->arena);
	r->series = xgrow(r->series, &r->cap_series, number + 1, sizeof(struct series *));
	r->series[number] = s;
	return s;
}

bool prometheus_results_column(struct prometheus_results *r,
			       const struct prometheus_column_name *name,
			       struct prometheus_column **ret)
{
	struct prometheus_column c = { .part = name->part };
	char key[sizeof(size_t) + sizeof(double) + 1];
	bool is_new;
	size_t number;

	if (c.part == PART_BUCKET && !prometheus_le(r->in, r->diag, name->le, &c.le))
		return false;
	c.le += 0.0; /* -0 is 0 */
	c.series = find_series(r, name);
	c.series->has_buckets |= c.part == PART_BUCKET || c.part == PART_NATIVE;
	memcpy(key, &c.series->number, sizeof(size_t));
	memcpy(key + sizeof(size_t), &c.le, sizeof(double));
	key[sizeof(key) - 1] = (char)c.part;
	number = str_table_add(&r->columns, (struct str){ key, sizeof(key) }, r->arena, &is_new);
	if (is_new) {
		r->column = xgrow(r->column, &r->cap_columns, number + 1, sizeof(*r->column));
		r->column[number] = arena_copy(r->arena, &c, 1, sizeof(c));
	}
	*ret = r->column[number];
	return true;
}

void prometheus_results_other(struct prometheus_results *r)
{
	r->others++;
}

bool prometheus_results_add(struct prometheus_results *r, struct prometheus_column *c,
			    struct str stamp, struct str value)
{
	struct decimal seconds;

	if (number_decimal(stamp, &seconds) != NUMBER_OK || seconds.billionths < 0 ||
	    seconds.billionths > UINT64_MAX)
		return format_fail(r->in, r->diag, DIAG_NUMBER_BAD, stamp,
				   "expected a time in seconds");
	r->value = xgrow(r->value, &r->cap, r->n + 1, sizeof(*r->value));
	r->value[r->n++] = (struct value){ (uint64_t)seconds.billionths, c, value };
	return true;
}

void prometheus_results_end_moment(struct prometheus_results *r)
{
	bool again = false;

	for (size_t i = r->from; i < r->n; i++)
		again |= r->value[i].column->moment == r->moment;
	if (again) { /* a new moment; also true for the very first one */
		r->moment++;
		r->stamp = r->value[r->from].stamp;
	}
	for (; r->from < r->n; r->from++) {
		r->value[r->from].column->moment = r->moment;
		r->value[r->from].stamp = r->stamp;
	}
}

void prometheus_results_end_range(struct prometheus_results *r)
{
	r->from = r->n;
}

/* --- points ---------------------------------------------------------------------------------- */

/* The values of one series at one time, in the order of their parts. */
struct group {
	const struct value *value;
	size_t n_buckets;
	const struct value *sum, *count, *native; /* NULL: there is none */
};

static struct group group_of(const struct value *value, size_t n)
{
	struct group g = { .value = value };

	for (size_t i = 0; i < n; i++) {
		enum prometheus_part part = value[i].column->part;

		g.n_buckets += part == PART_BUCKET;
		g.sum = part == PART_SUM ? &value[i] : g.sum;
		g.count = part == PART_COUNT ? &value[i] : g.count;
		g.native = part == PART_NATIVE ? &value[i] : g.native;
	}
	return g;
}

/* Stores the bounds, unless they equal those of the previous point, as they mostly do. */
static void keep_bounds(struct prometheus_results *r, const struct group *g, size_t n)
{
	struct series *s = g->value->column->series;
	bool same = n == s->n_bounds;
	double *bound;

	for (size_t i = 0; same && i < n; i++)
		same = s->bound[i] == g->value[i].column->le;
	if (same)
		return;
	bound = arena_make(r->arena, double, n);
	for (size_t i = 0; i < n; i++)
		bound[i] = g->value[i].column->le;
	s->bound = bound;
	s->n_bounds = n;
}

/* Converts counts, which are cumulative up to le; *ret_upto is the count of all. */
static bool take_buckets(struct prometheus_results *r, const struct group *g, uint64_t *count,
			 uint64_t *ret_upto)
{
	uint64_t before = 0, upto;

	for (size_t i = 0; i < g->n_buckets; i++) {
		struct str text = g->value[i].text;

		if (!prometheus_count(r->in, r->diag, text, &upto))
			return false;
		if (upto < before)
			return format_fail(r->in, r->diag, DIAG_BUCKET_ORDER, text,
					   "counts are cumulative, and up to a lower le there are "
					   "%llu",
					   (unsigned long long)before);
		count[i] = upto - before;
		before = upto;
	}
	*ret_upto = before;
	return true;
}

/* Returns the difference of two fractional counts, rounded; adds the rounding to *lost. */
static uint64_t rounded_count(double upto, double before, double *lost)
{
	double n = upto - before, whole = rint(n);

	*lost += fabs(n - whole);
	return (uint64_t)whole;
}

/* Converts the fractions of calls that rate() and increase() extrapolate.  They are rounded where
 * that changes no more than a hundredth of the calls: the share of a bucket is then known to one
 * percent, as it is printed. */
static bool take_fractions(struct prometheus_results *r, const struct group *g, uint64_t *count,
			   uint64_t *ret_upto)
{
	double before = 0, lost = 0, v;

	*ret_upto = 0;
	for (size_t i = 0; i < g->n_buckets; i++) {
		struct str text = g->value[i].text;

		if (number_f64(text, &v) != NUMBER_OK || !(v >= 0) || !(v * r->scale < 0x1p63))
			return format_fail(r->in, r->diag, DIAG_NUMBER_BAD, text,
					   "expected a number of calls");
		v = fmax(v * r->scale, before); /* the last digits may differ */
		count[i] = rounded_count(v, before, &lost);
		*ret_upto += count[i];
		before = v;
	}
	if (lost * 100 > before)
		return format_fail(r->in, r->diag, DIAG_NUMBER_BAD, g->value->text,
				   "fractions of few calls: of rate(), --interval has to state the "
				   "range in its brackets; of increase(), take a longer one");
	return true;
}

static bool take_sum(struct prometheus_results *r, struct str text, struct data_point *ret)
{
	if (!prometheus_sum(r->in, r->diag, text, &ret->has_sum, &ret->sum))
		return false;
	return !r->fractions || r->scale == 1 ||
	       decimal_from_f64(decimal_f64(ret->sum) * r->scale, &ret->sum) ||
	       format_fail(r->in, r->diag, DIAG_TOTAL_OVERFLOW, text, "sum times --interval");
}

static bool make_classic(struct prometheus_results *r, const struct group *g,
			 struct data_point *ret)
{
	bool is_open = isinf(g->value[g->n_buckets - 1].column->le);
	size_t n_bounds = g->n_buckets - is_open;
	uint64_t *count = arena_make(r->arena, uint64_t, n_bounds + 1), upto = 0;

	if (!(r->fractions ? take_fractions : take_buckets)(r, g, count, &upto))
		return false;
	ret->count = upto;
	if (g->count != NULL && !r->fractions &&
	    !prometheus_count(r->in, r->diag, g->count->text, &ret->count))
		return false;
	if (!is_open && ret->count > upto)
		count[n_bounds] = ret->count - upto;
	if (n_bounds > 0) {
		keep_bounds(r, g, n_bounds);
		ret->bound = g->value->column->series->bound;
		ret->n_bounds = n_bounds;
		ret->explicit_counts = (struct data_run){ .count = count, .n = n_bounds + 1 };
	}
	ret->where = g->value->text;
	return g->sum == NULL || take_sum(r, g->sum->text, ret);
}

static int by_time(const void *pa, const void *pb)
{
	const uint64_t *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

/* Returns the latest time before `stamp` that has values, or `stamp` if there is none. */
static uint64_t time_before(const struct prometheus_results *r, uint64_t stamp)
{
	const uint64_t *at = bsearch(&stamp, r->time, r->n_times, sizeof(*r->time), by_time);

	return at > r->time ? at[-1] : stamp;
}

/* The first of several answers covers as long as the second: returns where that begins. */
static uint64_t step_before(const struct prometheus_results *r, uint64_t stamp)
{
	uint64_t step = r->n_times > 1 ? r->time[1] - r->time[0] : 0;

	return step < stamp ? stamp - step : 0;
}

/* `before` is the time of the series' previous point, or FIRST.  A series that begins later than
 * others is assumed to begin at zero. */
static bool add_point(struct prometheus_results *r, const struct group *g, uint64_t before,
		      struct data_points *to)
{
	const struct prometheus_operation *op = &g->value->column->series->operation;
	struct data_series name = { .layer = op->layer,
				    .metric = op->name,
				    .attributes = STR(""),
				    .unit = op->unit,
				    .unit_source = op->unit_source };
	uint64_t stamp = g->value->stamp;
	struct data_point point = { .exponential = false };

	if (g->native != NULL
		    ? !prometheus_native(r->in, r->diag, r->arena, g->native->text, &point)
		    : !make_classic(r, g, &point))
		return false;
	if (r->fractions)
		point.counting = r->n_times > 1 ? COUNTING_DELTA : COUNTING_ON;
	else
		point.counting = r->n_times > 1 ? COUNTING_SINCE_FIRST : COUNTING_ON;
	point.start = before != FIRST ? before
		      : r->fractions  ? step_before(r, stamp)
				      : time_before(r, stamp);
	point.end = stamp;
	return data_points_add(to, &name, &point);
}

/* --- all together ---------------------------------------------------------------------------- */

/* Orders by series, time, part, and le of buckets. */
static int by_position(const void *pa, const void *pb)
{
	const struct value *a = pa, *b = pb;
	const struct prometheus_column *ca = a->column, *cb = b->column;

	if (ca->series != cb->series)
		return ca->series->number < cb->series->number ? -1 : 1;
	if (a->stamp != b->stamp)
		return a->stamp < b->stamp ? -1 : 1;
	if (ca->part != cb->part)
		return ca->part < cb->part ? -1 : 1;
	return (ca->le > cb->le) - (ca->le < cb->le);
}

/* Drops sums and counts of series without buckets, such as summaries. */
static void drop_others(struct prometheus_results *r)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->n; i++) {
		if (r->value[i].column->series->has_buckets)
			r->value[kept++] = r->value[i];
	}
	r->n = kept;
	for (size_t i = 0; i < r->columns.n; i++)
		r->others += !r->column[i]->series->has_buckets;
}

static void find_times(struct prometheus_results *r)
{
	r->time = xcalloc(r->n, sizeof(*r->time));
	for (size_t i = 0; i < r->n; i++)
		r->time[i] = r->value[i].stamp;
	qsort(r->time, r->n, sizeof(*r->time), by_time);
	for (size_t i = 0; i < r->n; i++) {
		if (i == 0 || r->time[i] != r->time[i - 1])
			r->time[r->n_times++] = r->time[i];
	}
}

/* Removes duplicate values from the *n values at `from`, and updates *n; fails when duplicates
 * differ. */
static bool settle_group(const struct prometheus_results *r, struct value *from, size_t *n)
{
	size_t kept = 1;

	for (size_t i = 1; i < *n; i++) {
		const struct value *v = &from[i], *before = &from[kept - 1];

		if (v->column != before->column)
			from[kept++] = *v;
		else if (!str_eq(v->text, before->text))
			return format_fail(r->in, r->diag, DIAG_CONFLICTING_VALUES,
					   v->text.p > before->text.p ? v->text : before->text,
					   "another value of the same series and time");
	}
	*n = kept;
	return true;
}

static bool make_points(struct prometheus_results *r, struct data_points *to)
{
	const struct series *series = NULL;
	uint64_t before = FIRST;

	for (size_t i = 0, n; i < r->n; i += n) {
		struct value *from = &r->value[i];
		size_t n_once;
		struct group g;

		if (from->column->series != series)
			before = FIRST;
		series = from->column->series;
		for (n = 1; i + n < r->n && from[n].column->series == series &&
			    from[n].stamp == from->stamp;
		     n++)
			;
		n_once = n;
		if (!settle_group(r, from, &n_once))
			return false;
		g = group_of(from, n_once);
		if (g.native == NULL && g.n_buckets == 0)
			continue;
		if (!add_point(r, &g, before, to))
			return false;
		before = from->stamp;
	}
	return true;
}

/* Counters are whole numbers: fractions of them are extrapolated by rate() and increase(). */
static bool has_fractions(const struct prometheus_results *r)
{
	double v;

	for (size_t i = 0; i < r->n; i++) {
		if (r->value[i].column->part == PART_BUCKET &&
		    number_f64(r->value[i].text, &v) == NUMBER_OK && isfinite(v) && v != floor(v))
			return true;
	}
	return false;
}

static void report_fractions(const struct prometheus_results *r)
{
	if (r->scale == 1)
		diag_file(r->diag, DIAG_COUNTS_ROUNDED, r->in,
			  "rate() or increase() extrapolated them, taken as numbers of calls; of "
			  "rate(), use --interval to state the range in its brackets");
	else
		diag_file(r->diag, DIAG_COUNTS_ROUNDED, r->in,
			  "taken as calls a second of rate(), times --interval");
}

bool prometheus_results_push(struct prometheus_results *r, struct builder *to)
{
	struct data_points *points = data_points_new(r->arena, r->in, r->diag);
	bool ok;

	drop_others(r);
	r->fractions = has_fractions(r);
	if (r->fractions)
		report_fractions(r);
	if (r->n > 0) {
		find_times(r);
		qsort(r->value, r->n, sizeof(*r->value), by_position);
	}
	if (r->n_times > 1) /* ranges that overlap count calls once */
		r->scale = fmin(r->scale, (double)(r->time[1] - r->time[0]) / 1e9);
	ok = make_points(r, points) && data_points_push(points, to);
	if (ok && r->others > 0)
		diag_file(r->diag, DIAG_NOT_A_HISTOGRAM, r->in, "%zu series without buckets",
			  r->others);
	data_points_free(points);
	return ok;
}
