/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "formats/monitor/data_points_parts.h"

enum {
	FINEST = 12, /* largest scale of a bucket scheme: 2^12 buckets per octave */
	LARGEST_INDEX = 1 << 28,
};

void data_attribute_put(struct out *to, bool first, struct str key, struct str value)
{
	out_text(to, first ? "" : ",");
	out_bytes(to, key);
	out_text(to, "=\"");
	for (size_t i = 0; i < value.n; i++) {
		if (value.p[i] == '"' || value.p[i] == '\\')
			out_char(to, '\\');
		out_char(to, value.p[i]);
	}
	out_char(to, '"');
}

struct data_points *data_points_new(struct arena *a, struct input *in, struct diag *diag)
{
	struct data_points *p = arena_make(a, struct data_points, 1);

	*p = (struct data_points){ .arena = a, .in = in, .diag = diag, .origin = UINT64_MAX };
	return p;
}

void data_points_free(struct data_points *p)
{
	if (p == NULL)
		return;
	str_table_release(&p->names);
	free(p->series);
	free(p->name);
}

void data_points_next_document(struct data_points *p)
{
	p->document++;
}

/* --- taking in -------------------------------------------------------------------- */

static char *put_text(char *to, struct str s)
{
	if (s.n > 0)
		memcpy(to, s.p, s.n);
	return to + s.n;
}

/* Returns the key "layer NUL metric{attributes}", valid until the next call. */
static struct str data_points_name_of(struct data_points *p, const struct data_series *name)
{
	struct str open = name->attributes.n > 0 ? STR("{") : STR("");
	struct str close = name->attributes.n > 0 ? STR("}") : STR("");
	char *end;

	p->name = xgrow(p->name, &p->cap_name,
			name->layer.n + name->metric.n + name->attributes.n + sizeof("{}"), 1);
	end = put_text(put_text(p->name, name->layer), STR("\0"));
	end = put_text(put_text(put_text(put_text(end, name->metric), open), name->attributes),
		       close);
	return (struct str){ p->name, (size_t)(end - p->name) };
}

static struct series *add_series(struct data_points *p, size_t number,
				 const struct data_series *name)
{
	struct series *s = arena_make(p->arena, struct series, 1);
	struct str key = p->names.key[number];

	s->number = number;
	s->layer = (struct str){ key.p, name->layer.n };
	s->name = str_skip(key, name->layer.n + 1);
	s->unit = name->unit;
	s->unit_source = name->unit_source;
	s->scale = FINEST;
	p->series = xgrow(p->series, &p->cap_series, number + 1, sizeof(struct series *));
	p->series[number] = s;
	return s;
}

static struct series *find_series(struct data_points *p, const struct data_series *name)
{
	bool is_new;
	size_t number = str_table_add(&p->names, data_points_name_of(p, name), p->arena, &is_new);

	return is_new ? add_series(p, number, name) : p->series[number];
}

static bool check_run(const struct data_points *p, const struct data_point *point,
		      const struct data_run *run)
{
	if (run->offset < -(int64_t)LARGEST_INDEX || run->offset > LARGEST_INDEX ||
	    run->n > LARGEST_INDEX)
		return points_fail(p, point, DIAG_NUMBER_RANGE, "an offset that no bucket has");
	return true;
}

static bool check_point(const struct data_points *p, const struct series *s,
			const struct data_point *point)
{
	if (s->n > 0 && s->first->point.exponential != point->exponential)
		return points_fail(p, point, DIAG_SCHEME_MIXED,
				   "explicit and exponential buckets in one series");
	if (s->n > 0 && s->first->point.counting != point->counting)
		return points_fail(p, point, DIAG_SCHEME_MIXED,
				   "delta and cumulative points in one series");
	if (!point->exponential && point->explicit_counts.n > 0 &&
	    point->explicit_counts.n != point->n_bounds + 1)
		return points_fail(p, point, DIAG_BUCKET_BOUNDS,
				   "expected one count more than explicit bounds");
	if (point->exponential && (point->scale < -64 || point->scale > 64))
		return points_fail(p, point, DIAG_NUMBER_RANGE, "a scale that no histogram has");
	return check_run(p, point, &point->positive) && check_run(p, point, &point->negative);
}

bool data_points_add(struct data_points *p, const struct data_series *name,
		     const struct data_point *point)
{
	struct series *s = find_series(p, name);
	struct entry *e;

	if (!check_point(p, s, point))
		return false;
	e = arena_make(p->arena, struct entry, 1);
	e->point = *point;
	e->document = p->document;
	e->order = s->n++;
	e->series = s;
	if (p->last != NULL)
		p->last->later = e;
	else
		p->first = e;
	p->last = e;
	if (s->last != NULL)
		s->last->next = e;
	else
		s->first = e;
	s->last = e;
	if (point->scale < s->scale)
		s->scale = (int)point->scale;
	if (point->start < p->origin)
		p->origin = point->start;
	return true;
}

/* --- points that come together ------------------------------------------------------------ */

/* Whether two points are for the same time or, if cumulative, in the same document. */
static bool same_group(const struct entry *a, const struct entry *b)
{
	if (a->point.counting == COUNTING_ON)
		return a->document == b->document;
	return a->point.start == b->point.start && a->point.end == b->point.end;
}

static int by_group(const void *pa, const void *pb)
{
	const struct entry *a = *(const struct entry *const *)pa;
	const struct entry *b = *(const struct entry *const *)pb;
	bool by_time = a->point.counting != COUNTING_ON;

	if (by_time && a->point.start != b->point.start)
		return a->point.start < b->point.start ? -1 : 1;
	if (by_time && a->point.end != b->point.end)
		return a->point.end < b->point.end ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static void prepare_series(struct data_points *p, struct series *s)
{
	bool mixed = false;
	size_t n = 0;

	s->sorted = arena_make(p->arena, const struct entry *, s->n);
	for (const struct entry *e = s->first; e != NULL; e = e->next) {
		s->sorted[n++] = e;
		mixed |= n > 1 && by_group(&s->sorted[n - 2], &s->sorted[n - 1]) > 0;
	}
	if (mixed)
		qsort(s->sorted, s->n, sizeof(const struct entry *), by_group);
	points_find_first_bucket(s);
}

static size_t group_size(const struct series *s)
{
	size_t n = 1;

	while (s->at + n < s->n && same_group(s->sorted[s->at], s->sorted[s->at + n]))
		n++;
	return n;
}

/* --- to the builder ---------------------------------------------------------------- */

static bool open_operation(const struct series *s, struct builder *to)
{
	if (!build_operation(to, s->layer, s->name, s->first->point.where))
		return false;
	build_unit(to, s->unit, s->unit_source);
	return true;
}

static bool data_points_push_summary(const struct data_point *q, struct builder *to)
{
	if (q->has_min)
		build_min(to, q->min);
	if (q->has_max)
		build_max(to, q->max);
	return build_count(to, q->count, q->where) &&
	       (!q->has_sum || build_total(to, q->sum, q->where));
}

static bool push_group(const struct data_points *p, const struct series *s, size_t n,
		       struct builder *to)
{
	const struct entry *const *e = s->sorted + s->at;
	struct bucket_sums counts = { .n = 0 };
	bool ok = points_gather(p, s, e, n, &counts) &&
		  points_push_counts(p, s, &e[0]->point, &counts, to);

	bucket_sums_release(&counts);
	for (size_t i = 0; ok && i < n; i++)
		ok = data_points_push_summary(&e[i]->point, to);
	return ok;
}

/* Returns a time in seconds since the origin; negative when an end is before every start. */
static double since_origin(const struct data_points *p, uint64_t ns)
{
	return ns >= p->origin ? (double)(ns - p->origin) / 1e9 : -(double)(p->origin - ns) / 1e9;
}

static bool open_interval(const struct data_points *p, const struct data_point *q,
			  struct builder *to)
{
	/* The clock may not have advanced. */
	uint64_t end = q->end == q->start ? q->end + 1 : q->end;

	return build_interval(to, since_origin(p, q->start), since_origin(p, end), q->where);
}

/* Pushes all points of a series of delta temporality. */
static bool push_deltas(const struct data_points *p, struct series *s, bool intervals,
			struct builder *to)
{
	if (!open_operation(s, to))
		return false;
	for (size_t n; s->at < s->n; s->at += n) {
		n = group_size(s);
		if (intervals && !open_interval(p, &s->sorted[s->at]->point, to))
			return false;
		if (!push_group(p, s, n, to))
			return false;
	}
	return true;
}

/* Subtracts the previous point; false after a counter reset. */
static bool take_away(struct data_point *q, struct bucket_sums *counts,
		      const struct data_point *before, const struct bucket_sums *counts_before)
{
	if (q->count < before->count || !(q->exponential || points_same_bounds(q, before)) ||
	    !bucket_sums_subtract(counts, counts_before))
		return false;
	q->count -= before->count;
	q->has_sum = q->has_sum && before->has_sum &&
		     !__builtin_sub_overflow(q->sum.billionths, before->sum.billionths,
					     &q->sum.billionths);
	return true;
}

/* Pushes the difference of each point from the previous one. */
static bool push_since_first(const struct data_points *p, struct series *s, struct builder *to)
{
	struct bucket_sums now = { .n = 0 }, before = { .n = 0 }, counts = { .n = 0 };
	const struct data_point *earlier = NULL;
	bool ok = open_operation(s, to);

	for (; ok && s->at < s->n; s->at++) {
		struct data_point q = s->sorted[s->at]->point;
		struct bucket_sums swap = before;

		ok = points_gather(p, s, &s->sorted[s->at], 1, &now);
		if (ok && q.start != q.end) {
			bucket_sums_copy(&counts, &now);
			if (earlier != NULL)
				(void)take_away(&q, &counts, earlier, &before);
			ok = open_interval(p, &q, to) &&
			     points_push_counts(p, s, &q, &counts, to) &&
			     data_points_push_summary(&q, to);
		}
		earlier = &s->sorted[s->at]->point;
		before = now;
		now = swap;
	}
	bucket_sums_release(&now);
	bucket_sums_release(&before);
	bucket_sums_release(&counts);
	return ok;
}

/* Pushes the last group of a cumulative series. */
static bool push_last(const struct data_points *p, struct series *s, struct builder *to)
{
	size_t n = group_size(s);

	while (s->at + n < s->n) {
		s->at += n;
		n = group_size(s);
	}
	build_whole_run(to);
	return open_operation(s, to) && push_group(p, s, n, to);
}

/* The series that have cumulative points in the current document. */
struct firsts {
	struct series **series;
	size_t n, cap;
};

static int by_number(const void *pa, const void *pb)
{
	const struct series *a = *(struct series *const *)pa, *b = *(struct series *const *)pb;

	return (a->number > b->number) - (a->number < b->number);
}

/* Collects the series with a group of cumulative points in the document of `e` in *ret, by number.
 * Returns the first entry of the next document. */
static const struct entry *gather_document(const struct entry *e, struct firsts *ret)
{
	size_t document = e->document;
	bool mixed = false;

	ret->n = 0;
	for (; e != NULL && e->document == document; e = e->later) {
		struct series *s = e->series;

		if (e->point.counting != COUNTING_ON || s->at == s->n || s->sorted[s->at] != e)
			continue;
		ret->series = xgrow(ret->series, &ret->cap, ret->n + 1, sizeof(struct series *));
		ret->series[ret->n++] = s;
		mixed |= ret->n > 1 && s->number < ret->series[ret->n - 2]->number;
	}
	if (mixed)
		qsort(ret->series, ret->n, sizeof(struct series *), by_number);
	return e;
}

static bool push_document(const struct data_points *p, const struct firsts *f, uint64_t *before,
			  struct builder *to)
{
	for (size_t i = 0; i < f->n; i++) {
		struct series *s = f->series[i];
		uint64_t end = s->sorted[s->at]->point.end;
		size_t n = group_size(s);

		if (i == 0) {
			/* The time of a clock that went back is not used. */
			build_next_interval(to, end > *before ? since_origin(p, end) : NAN);
			*before = end;
		}
		if (!open_operation(s, to) || !push_group(p, s, n, to))
			return false;
		s->at += n;
	}
	return true;
}

/* Pushes documents in order; each is a snapshot. */
static bool push_snapshots(const struct data_points *p, struct builder *to)
{
	struct firsts f = { .n = 0 };
	uint64_t before = 0;
	bool ok = true;

	for (const struct entry *e = p->first; ok && e != NULL;) {
		e = gather_document(e, &f);
		ok = push_document(p, &f, &before, to);
	}
	free(f.series);
	return ok;
}

static bool push_series(const struct data_points *p, struct series *s, bool intervals,
			struct builder *to)
{
	switch (s->first->point.counting) {
	case COUNTING_DELTA:
		return push_deltas(p, s, intervals, to);
	case COUNTING_SINCE_FIRST:
		return push_since_first(p, s, to);
	case COUNTING_ON:
		break;
	}
	return push_last(p, s, to);
}

bool data_points_push(struct data_points *p, struct builder *to)
{
	bool intervals = false, snapshots = false, on = false, off = false;

	for (size_t i = 0; i < p->names.n; i++) {
		struct series *s = p->series[i];

		prepare_series(p, s);
		on |= s->first->point.counting == COUNTING_ON;
		off |= s->first->point.counting == COUNTING_DELTA;
		if (s->first->point.counting != COUNTING_ON)
			intervals |= group_size(s) < s->n;
		else
			snapshots |= group_size(s) < s->n;
	}
	if (on != off)
		build_snapshots(to, on ? SNAPSHOTS_CUMULATIVE : SNAPSHOTS_DELTA);
	if (snapshots && !intervals && !push_snapshots(p, to))
		return false;
	for (size_t i = 0; i < p->names.n; i++) {
		if (p->series[i]->at < p->series[i]->n &&
		    !push_series(p, p->series[i], intervals, to))
			return false;
	}
	return true;
}
