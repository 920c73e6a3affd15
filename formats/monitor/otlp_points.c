/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/monitor/otlp_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str_table.h"
#include "base/xalloc.h"
#include "formats/bucket_sums.h"
#include "profile/sampler.h"

enum {
	FINEST = 12, /* scale that a bucket scheme can have: 2^12 buckets an octave */
	LARGEST_INDEX = 1 << 28,
};

struct entry {
	struct otlp_point point;
	size_t document, order;
	struct series *series;
	struct entry *next;  /* of the series */
	struct entry *later; /* of all */
};

struct series {
	size_t number;
	struct str layer, name;
	enum unit unit;
	struct entry *first, *last;
	size_t n;
	const struct entry **sorted; /* while pushing: by group */
	size_t at;		     /* the next to push */
	int scale;		     /* exponential: of all its points */
	int first_bucket;
};

struct otlp_points {
	struct arena *arena;
	struct input *in;
	struct diag *diag;
	struct str_table names; /* layer, NUL, name */
	struct series **series; /* by number: in file order */
	size_t cap_series;
	char *name; /* scratch */
	size_t cap_name;
	struct entry *first, *last;
	size_t document;
	uint64_t origin; /* earliest start */
};

struct otlp_points *otlp_points_new(struct arena *a, struct input *in, struct diag *diag)
{
	struct otlp_points *p = arena_make(a, struct otlp_points, 1);

	*p = (struct otlp_points){ .arena = a, .in = in, .diag = diag, .origin = UINT64_MAX };
	return p;
}

void otlp_points_free(struct otlp_points *p)
{
	if (p == NULL)
		return;
	str_table_release(&p->names);
	free(p->series);
	free(p->name);
}

void otlp_points_next_document(struct otlp_points *p)
{
	p->document++;
}

/* --- taking in -------------------------------------------------------------------- */

static char *put(char *to, struct str s)
{
	if (s.n > 0)
		memcpy(to, s.p, s.n);
	return to + s.n;
}

/* Layer, NUL, metric{attributes}: until the next one. */
static struct str name_of(struct otlp_points *p, const struct otlp_series_name *name)
{
	struct str open = name->attributes.n > 0 ? STR("{") : STR("");
	struct str close = name->attributes.n > 0 ? STR("}") : STR("");
	char *end;

	p->name = xgrow(p->name, &p->cap_name,
			name->layer.n + name->metric.n + name->attributes.n + sizeof("{}"), 1);
	end = put(put(p->name, name->layer), STR("\0"));
	end = put(put(put(put(end, name->metric), open), name->attributes), close);
	return (struct str){ p->name, (size_t)(end - p->name) };
}

static struct series *add_series(struct otlp_points *p, size_t number,
				 const struct otlp_series_name *name)
{
	struct series *s = arena_make(p->arena, struct series, 1);
	struct str key = p->names.key[number];

	s->number = number;
	s->layer = (struct str){ key.p, name->layer.n };
	s->name = str_skip(key, name->layer.n + 1);
	s->unit = name->unit;
	s->scale = FINEST;
	p->series = xgrow(p->series, &p->cap_series, number + 1, sizeof(struct series *));
	p->series[number] = s;
	return s;
}

static struct series *find(struct otlp_points *p, const struct otlp_series_name *name)
{
	bool is_new;
	size_t number = str_table_add(&p->names, name_of(p, name), p->arena, &is_new);

	return is_new ? add_series(p, number, name) : p->series[number];
}

static bool fail(const struct otlp_points *p, const struct otlp_point *point, enum diag_code code,
		 const char *what)
{
	return format_fail(p->in, p->diag, code, point->where, "%s", what);
}

static bool check_run(const struct otlp_points *p, const struct otlp_point *point,
		      const struct otlp_run *run)
{
	if (run->offset < -(int64_t)LARGEST_INDEX || run->offset > LARGEST_INDEX ||
	    run->n > LARGEST_INDEX)
		return fail(p, point, DIAG_NUMBER_RANGE, "an offset that no bucket has");
	return true;
}

static bool check(const struct otlp_points *p, const struct series *s,
		  const struct otlp_point *point)
{
	if (s->n > 0 && s->first->point.exponential != point->exponential)
		return fail(p, point, DIAG_SCHEME_MIXED,
			    "explicit and exponential buckets in one series");
	if (s->n > 0 && s->first->point.delta != point->delta)
		return fail(p, point, DIAG_SCHEME_MIXED,
			    "delta and cumulative points in one series");
	if (!point->exponential && point->explicit_counts.n > 0 &&
	    point->explicit_counts.n != point->n_bounds + 1)
		return fail(p, point, DIAG_BUCKET_BOUNDS,
			    "expected one count more than explicit bounds");
	if (point->exponential && (point->scale < -64 || point->scale > 64))
		return fail(p, point, DIAG_NUMBER_RANGE, "a scale that no histogram has");
	return check_run(p, point, &point->positive) && check_run(p, point, &point->negative);
}

bool otlp_points_add(struct otlp_points *p, const struct otlp_series_name *name,
		     const struct otlp_point *point)
{
	struct series *s = find(p, name);
	struct entry *e;

	if (!check(p, s, point))
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

/* --- one series at a time ------------------------------------------------------------- */

/* Bucket k of a run, on the scale of the series. */
static int index_of(const struct series *s, const struct otlp_point *point, int64_t k)
{
	int64_t shift = point->scale - s->scale;

	if (shift > 62)
		return k < 0 ? -1 : 0;
	return (int)(k >> shift);
}

/* The lowest positive bucket of all: below it lies what counts as zero. */
static void find_first_bucket(struct series *s)
{
	bool any = false;

	for (const struct entry *e = s->first; e != NULL; e = e->next) {
		const struct otlp_run *run = &e->point.positive;

		for (size_t i = 0; i < run->n; i++) {
			int index = index_of(s, &e->point, run->offset + (int64_t)i);

			if (run->count[i] == 0)
				continue;
			if (!any || index < s->first_bucket)
				s->first_bucket = index;
			any = true;
			break;
		}
	}
	if (!any) { /* nothing but zeros: next to nothing is zero, too */
		s->scale = s->scale < 0 ? s->scale : 0;
		s->first_bucket = s->scale < 0 ? 0 : sampler_scheme(s->unit, 1).first;
	}
}

/* Points that come together: of one time, or of one document. */
static bool same_group(const struct entry *a, const struct entry *b)
{
	if (a->point.delta)
		return a->point.start == b->point.start && a->point.end == b->point.end;
	return a->document == b->document;
}

static int by_group(const void *pa, const void *pb)
{
	const struct entry *a = *(const struct entry *const *)pa;
	const struct entry *b = *(const struct entry *const *)pb;

	if (a->point.delta && a->point.start != b->point.start)
		return a->point.start < b->point.start ? -1 : 1;
	if (a->point.delta && a->point.end != b->point.end)
		return a->point.end < b->point.end ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static void prepare(struct otlp_points *p, struct series *s)
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
	find_first_bucket(s);
}

/* --- buckets -------------------------------------------------------------------------- */

static double edge_of(int scale, int index)
{
	return exp2(ldexp(index, -scale));
}

/* Scales below 0: wider than an octave, which no scheme has a name for. */
static bool push_wide(const struct series *s, const struct bucket_sums *sums, struct str where,
		      struct builder *to)
{
	if (!build_histogram(to, where))
		return false;
	for (size_t i = 0; i < sums->n; i++) {
		int index = sums->at[i].index;
		double low = edge_of(s->scale, index), high = edge_of(s->scale, index + 1);

		if (index < s->first_bucket) {
			bool zero = index == s->first_bucket - 1;

			low = zero ? 0 : -HUGE_VAL;
			high = zero ? edge_of(s->scale, s->first_bucket) : 0;
		}
		if (!build_range(to, low, high, sums->at[i].count, where))
			return false;
	}
	return true;
}

static bool push_fine(const struct series *s, const struct bucket_sums *sums, struct str where,
		      struct builder *to)
{
	struct bucket_scheme scheme = bucket_log2(1U << s->scale);

	scheme.first = s->first_bucket;
	if (!build_scheme(to, &scheme, where))
		return false;
	for (size_t i = 0; i < sums->n; i++) {
		if (!build_bucket(to, sums->at[i].index, sums->at[i].count, where))
			return false;
	}
	return true;
}

/* Everything negative is one bucket, what counts as zero the next. */
static bool add_counts(const struct series *s, const struct otlp_point *q, struct bucket_sums *sums)
{
	const struct otlp_run *below = &q->negative, *above = &q->positive;
	bool fits = true;

	for (size_t k = 0; fits && k < below->n; k++)
		fits = below->count[k] == 0 ||
		       bucket_sums_add(sums, s->first_bucket - 2, below->count[k]);
	if (fits && q->zeros > 0)
		fits = bucket_sums_add(sums, s->first_bucket - 1, q->zeros);
	for (size_t k = 0; fits && k < above->n; k++)
		fits = above->count[k] == 0 ||
		       bucket_sums_add(sums, index_of(s, q, above->offset + (int64_t)k),
				       above->count[k]);
	return fits;
}

static bool push_exponential(const struct otlp_points *p, const struct series *s,
			     const struct entry *const *e, size_t n, struct builder *to)
{
	const struct otlp_point *first = &e[0]->point;
	struct bucket_sums sums = { .n = 0 };
	bool fine = true;

	for (size_t i = 0; fine && i < n; i++)
		fine = add_counts(s, &e[i]->point, &sums);
	if (!fine || !bucket_sums_settle(&sums))
		fine = fail(p, first, DIAG_COUNT_OVERFLOW, "the sum of a bucket");
	else if (s->scale < 0)
		fine = push_wide(s, &sums, first->where, to);
	else
		fine = push_fine(s, &sums, first->where, to);
	bucket_sums_release(&sums);
	return fine;
}

/* The counts of all points, bucket by bucket. */
static bool sum_explicit(const struct otlp_points *p, const struct entry *const *e, size_t n,
			 uint64_t *sum)
{
	const struct otlp_point *first = &e[0]->point;

	for (size_t i = 0; i < n; i++) {
		const struct otlp_point *q = &e[i]->point;

		if (q->n_bounds != first->n_bounds ||
		    (q->bound != first->bound &&
		     memcmp(q->bound, first->bound, q->n_bounds * sizeof(*q->bound)) != 0))
			return fail(p, q, DIAG_SCHEME_MIXED, "other bounds in the same series");
		for (size_t k = 0; k < q->explicit_counts.n; k++) {
			if (__builtin_add_overflow(sum[k], q->explicit_counts.count[k], &sum[k]))
				return fail(p, q, DIAG_COUNT_OVERFLOW, "the sum of a bucket");
		}
	}
	return true;
}

/* A value up to a first bound of 0 is 0, which the next bucket has. */
static bool carry_zeros(const struct otlp_points *p, const struct otlp_point *q, uint64_t *sum)
{
	return !__builtin_add_overflow(sum[0], sum[1], &sum[1]) ||
	       fail(p, q, DIAG_COUNT_OVERFLOW, "the sum of a bucket");
}

static bool push_explicit(const struct otlp_points *p, const struct entry *const *e, size_t n,
			  struct builder *to)
{
	const struct otlp_point *q = &e[0]->point;
	double low = q->bound[0] < 0 ? -HUGE_VAL : 0;
	uint64_t *sum = xcalloc(q->n_bounds + 1, sizeof(*sum));
	bool fine = sum_explicit(p, e, n, sum) && build_histogram(to, q->where);
	size_t k = 0;

	if (fine && q->bound[0] == 0) {
		fine = carry_zeros(p, q, sum);
		k = 1;
	}
	for (; fine && k <= q->n_bounds; k++) {
		double high = k < q->n_bounds ? q->bound[k] : HUGE_VAL;

		fine = build_range(to, low, high, sum[k], q->where);
		low = high;
	}
	free(sum);
	return fine;
}

/* --- to the builder ---------------------------------------------------------------- */

static bool push_moments(const struct otlp_point *q, struct builder *to)
{
	if (q->has_min)
		build_min(to, q->min);
	if (q->has_max)
		build_max(to, q->max);
	return build_count(to, q->count, q->where) &&
	       (!q->has_sum || build_total(to, q->sum, q->where));
}

static bool push_group(const struct otlp_points *p, const struct series *s, size_t n,
		       struct builder *to)
{
	const struct entry *const *e = s->sorted + s->at;
	bool bare = !e[0]->point.exponential && e[0]->point.n_bounds == 0;
	bool fine = true;

	if (e[0]->point.exponential)
		fine = push_exponential(p, s, e, n, to);
	else if (!bare)
		fine = push_explicit(p, e, n, to);
	for (size_t i = 0; fine && i < n; i++)
		fine = push_moments(&e[i]->point, to);
	return fine;
}

static size_t group_size(const struct series *s)
{
	size_t n = 1;

	while (s->at + n < s->n && same_group(s->sorted[s->at], s->sorted[s->at + n]))
		n++;
	return n;
}

static bool open_operation(const struct series *s, struct builder *to)
{
	if (!build_operation(to, s->layer, s->name, s->first->point.where))
		return false;
	build_unit(to, s->unit, UNIT_STATED);
	return true;
}

/* Seconds; below 0 where an end lies before every start. */
static double since_origin(const struct otlp_points *p, uint64_t ns)
{
	return ns >= p->origin ? (double)(ns - p->origin) / 1e9 : -(double)(p->origin - ns) / 1e9;
}

/* All points of a series that hold their own time each. */
static bool push_deltas(const struct otlp_points *p, struct series *s, bool intervals,
			struct builder *to)
{
	if (!open_operation(s, to))
		return false;
	for (size_t n; s->at < s->n; s->at += n) {
		const struct otlp_point *q = &s->sorted[s->at]->point;
		/* A clock may stand still meanwhile. */
		uint64_t end = q->end == q->start ? q->end + 1 : q->end;

		n = group_size(s);
		if (intervals &&
		    !build_interval(to, since_origin(p, q->start), since_origin(p, end), q->where))
			return false;
		if (!push_group(p, s, n, to))
			return false;
	}
	return true;
}

/* The last word of a series that counts on. */
static bool push_last(const struct otlp_points *p, struct series *s, struct builder *to)
{
	size_t n = group_size(s);

	while (s->at + n < s->n) {
		s->at += n;
		n = group_size(s);
	}
	build_whole_run(to);
	return open_operation(s, to) && push_group(p, s, n, to);
}

/* Series that have points in the document at hand. */
struct firsts {
	struct series **series;
	size_t n, cap;
};

static int by_number(const void *pa, const void *pb)
{
	const struct series *a = *(struct series *const *)pa, *b = *(struct series *const *)pb;

	return (a->number > b->number) - (a->number < b->number);
}

/* Those that begin a group of cumulative points in the document of `e`: in *ret, by the number
 * of their series.  The first entry of the next document. */
static const struct entry *gather_document(const struct entry *e, struct firsts *ret)
{
	size_t document = e->document;
	bool mixed = false;

	ret->n = 0;
	for (; e != NULL && e->document == document; e = e->later) {
		struct series *s = e->series;

		if (e->point.delta || s->at == s->n || s->sorted[s->at] != e)
			continue;
		ret->series = xgrow(ret->series, &ret->cap, ret->n + 1, sizeof(struct series *));
		ret->series[ret->n++] = s;
		mixed |= ret->n > 1 && s->number < ret->series[ret->n - 2]->number;
	}
	if (mixed)
		qsort(ret->series, ret->n, sizeof(struct series *), by_number);
	return e;
}

static bool push_document(const struct otlp_points *p, const struct firsts *f, uint64_t *before,
			  struct builder *to)
{
	for (size_t i = 0; i < f->n; i++) {
		struct series *s = f->series[i];
		uint64_t end = s->sorted[s->at]->point.end;
		size_t n = group_size(s);

		if (i == 0) {
			/* A clock that goes back says nothing. */
			build_next_interval(to, end > *before ? since_origin(p, end) : NAN);
			*before = end;
		}
		if (!open_operation(s, to) || !push_group(p, s, n, to))
			return false;
		s->at += n;
	}
	return true;
}

/* Document by document, each of which is a print. */
static bool push_prints(const struct otlp_points *p, struct builder *to)
{
	struct firsts f = { .n = 0 };
	uint64_t before = 0;
	bool fine = true;

	build_prints(to, PRINTS_CUMULATIVE);
	for (const struct entry *e = p->first; fine && e != NULL;) {
		e = gather_document(e, &f);
		fine = push_document(p, &f, &before, to);
	}
	free(f.series);
	return fine;
}

bool otlp_points_push(struct otlp_points *p, struct builder *to)
{
	bool intervals = false, prints = false;

	for (size_t i = 0; i < p->names.n; i++) {
		struct series *s = p->series[i];

		prepare(p, s);
		if (s->first->point.delta)
			intervals |= group_size(s) < s->n;
		else
			prints |= group_size(s) < s->n;
	}
	if (prints && !intervals && !push_prints(p, to))
		return false;
	for (size_t i = 0; i < p->names.n; i++) {
		struct series *s = p->series[i];

		if (s->at == s->n)
			continue;
		if (s->first->point.delta ? !push_deltas(p, s, intervals, to)
					  : !push_last(p, s, to))
			return false;
	}
	return true;
}
