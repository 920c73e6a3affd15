/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/otlp_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "profile/sampler.h"

enum {
	FINEST = 12, /* scale that a bucket scheme can have: 2^12 buckets an octave */
	LARGEST_INDEX = 1 << 28,
};

struct entry {
	struct otlp_point point;
	size_t document, order;
	struct entry *next; /* of the series */
};

struct series {
	struct str key;
	struct otlp_series_name name;
	struct entry *first, *last;
	size_t n;
	const struct entry **sorted; /* while pushing: by group */
	size_t at;		     /* the next to push */
	int scale;		     /* exponential: of all its points */
	int first_bucket;
	UT_hash_handle hh;
};

struct otlp_points {
	struct arena *arena;
	struct input *in;
	struct diag *diag;
	struct series *series; /* in file order */
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
	if (p != NULL)
		HASH_CLEAR(hh, p->series);
}

void otlp_points_next_document(struct otlp_points *p)
{
	p->document++;
}

/* --- taking in -------------------------------------------------------------------- */

static struct series *find(struct otlp_points *p, const struct otlp_series_name *name)
{
	struct str key = arena_printf(p->arena, "%.*s%c%.*s", STR_ARG(name->layer), '\0',
				      STR_ARG(name->name));
	struct series *s;

	HASH_FIND(hh, p->series, key.p, key.n, s);
	if (s != NULL)
		return s;
	s = arena_make(p->arena, struct series, 1);
	s->key = key;
	s->name = *name;
	s->name.layer = (struct str){ key.p, name->layer.n };
	s->name.name = str_skip(key, name->layer.n + 1);
	s->scale = FINEST;
	HASH_ADD_KEYPTR(hh, p->series, s->key.p, s->key.n, s);
	return s;
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
		s->first_bucket = s->scale < 0 ? 0 : sampler_scheme(s->name.unit, 1).first;
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
	size_t n = 0;

	s->sorted = arena_make(p->arena, const struct entry *, s->n);
	for (const struct entry *e = s->first; e != NULL; e = e->next)
		s->sorted[n++] = e;
	qsort(s->sorted, s->n, sizeof(const struct entry *), by_group);
	find_first_bucket(s);
}

/* --- buckets -------------------------------------------------------------------------- */

struct cell {
	int index;
	uint64_t count;
};

static int by_index(const void *pa, const void *pb)
{
	const struct cell *a = pa, *b = pb;

	return (a->index > b->index) - (a->index < b->index);
}

/* Adds up cells of one bucket; *ret_n of them stay. */
static bool join(const struct otlp_points *p, const struct otlp_point *point, struct cell *cell,
		 size_t n, size_t *ret_n)
{
	size_t kept = 0;

	if (n > 0)
		qsort(cell, n, sizeof(*cell), by_index);
	for (size_t i = 1; i < n; i++) {
		if (cell[i].index != cell[kept].index)
			cell[++kept] = cell[i];
		else if (__builtin_add_overflow(cell[kept].count, cell[i].count, &cell[kept].count))
			return fail(p, point, DIAG_COUNT_OVERFLOW, "the sum of a bucket");
	}
	*ret_n = n > 0 ? kept + 1 : 0;
	return true;
}

static double edge_of(int scale, int index)
{
	return exp2(ldexp(index, -scale));
}

/* Scales below 0: wider than an octave, which no scheme has a name for. */
static bool push_wide(const struct series *s, const struct cell *cell, size_t n, struct str where,
		      struct builder *to)
{
	if (!build_histogram(to, where))
		return false;
	for (size_t i = 0; i < n; i++) {
		double low = edge_of(s->scale, cell[i].index);
		double high = edge_of(s->scale, cell[i].index + 1);

		if (cell[i].index < s->first_bucket) {
			bool zero = cell[i].index == s->first_bucket - 1;

			low = zero ? 0 : -HUGE_VAL;
			high = zero ? edge_of(s->scale, s->first_bucket) : 0;
		}
		if (!build_range(to, low, high, cell[i].count, where))
			return false;
	}
	return true;
}

static bool push_exponential(const struct otlp_points *p, const struct series *s,
			     const struct entry *const *e, size_t n_entries, struct builder *to)
{
	const struct otlp_point *point = &e[0]->point;
	struct bucket_scheme scheme = bucket_log2(1U << (s->scale > 0 ? s->scale : 0));
	size_t room = 0, n = 0;
	struct cell *cell;
	bool fine;

	for (size_t i = 0; i < n_entries; i++)
		room += e[i]->point.positive.n + e[i]->point.negative.n + 1;
	cell = xcalloc(room, sizeof(*cell));
	for (size_t i = 0; i < n_entries; i++) {
		const struct otlp_point *q = &e[i]->point;

		for (size_t k = 0; k < q->negative.n; k++) {
			if (q->negative.count[k] > 0)
				cell[n++] =
					(struct cell){ s->first_bucket - 2, q->negative.count[k] };
		}
		if (q->zeros > 0)
			cell[n++] = (struct cell){ s->first_bucket - 1, q->zeros };
		for (size_t k = 0; k < q->positive.n; k++) {
			if (q->positive.count[k] > 0)
				cell[n++] =
					(struct cell){ index_of(s, q,
								q->positive.offset + (int64_t)k),
						       q->positive.count[k] };
		}
	}
	scheme.first = s->first_bucket;
	fine = join(p, point, cell, n, &n);
	if (fine && s->scale < 0)
		fine = push_wide(s, cell, n, point->where, to);
	else if (fine)
		fine = build_scheme(to, &scheme, point->where);
	for (size_t i = 0; fine && s->scale >= 0 && i < n; i++)
		fine = build_bucket(to, cell[i].index, cell[i].count, point->where);
	free(cell);
	return fine;
}

/* A value up to a first bound of 0 is 0, which the next bucket has. */
static bool push_explicit(const struct otlp_points *p, const struct entry *const *e, size_t n,
			  struct builder *to)
{
	const struct otlp_point *first = &e[0]->point;
	const double *bound = first->bound;
	size_t n_bounds = first->n_bounds;
	double low = n_bounds > 0 && bound[0] < 0 ? -HUGE_VAL : 0;
	uint64_t carried = 0;

	for (size_t i = 1; i < n; i++) {
		const struct otlp_point *q = &e[i]->point;

		if (q->n_bounds != n_bounds ||
		    (n_bounds > 0 && memcmp(q->bound, bound, n_bounds * sizeof(*bound)) != 0))
			return fail(p, q, DIAG_SCHEME_MIXED, "other bounds in the same series");
	}
	if (!build_histogram(to, first->where))
		return false;
	for (size_t k = 0; k <= n_bounds; k++) {
		double high = k < n_bounds ? bound[k] : HUGE_VAL;
		uint64_t count = carried;

		for (size_t i = 0; i < n; i++) {
			const struct otlp_run *run = &e[i]->point.explicit_counts;

			if (k < run->n && __builtin_add_overflow(count, run->count[k], &count))
				return fail(p, &e[i]->point, DIAG_COUNT_OVERFLOW,
					    "the sum of a bucket");
		}
		carried = 0;
		if (k == 0 && high == 0) {
			carried = count;
			continue;
		}
		if (!build_range(to, low, high, count, first->where))
			return false;
		low = high;
	}
	return true;
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
	if (!build_operation(to, s->name.layer, s->name.name, s->first->point.where))
		return false;
	build_unit(to, s->name.unit, UNIT_STATED);
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

/* Document by document, each of which is a print. */
static bool push_prints(const struct otlp_points *p, struct builder *to)
{
	uint64_t before = 0; /* a clock that goes back says nothing */

	build_prints(to, PRINTS_CUMULATIVE);
	for (size_t document = 0; document <= p->document; document++) {
		bool begun = false;

		for (struct series *s = p->series; s != NULL; s = s->hh.next) {
			const struct entry *e = s->at < s->n ? s->sorted[s->at] : NULL;
			size_t n;

			if (e == NULL || e->point.delta || e->document != document)
				continue;
			if (!begun)
				build_next_interval(to, e->point.end > before
								? since_origin(p, e->point.end)
								: NAN);
			if (!begun)
				before = e->point.end;
			begun = true;
			n = group_size(s);
			if (!open_operation(s, to) || !push_group(p, s, n, to))
				return false;
			s->at += n;
		}
	}
	return true;
}

bool otlp_points_push(struct otlp_points *p, struct builder *to)
{
	bool intervals = false, prints = false;

	for (struct series *s = p->series; s != NULL; s = s->hh.next) {
		prepare(p, s);
		if (s->first->point.delta)
			intervals |= group_size(s) < s->n;
		else
			prints |= group_size(s) < s->n;
	}
	if (prints && !intervals && !push_prints(p, to))
		return false;
	for (struct series *s = p->series; s != NULL; s = s->hh.next) {
		if (s->at == s->n)
			continue;
		if (s->first->point.delta ? !push_deltas(p, s, intervals, to)
					  : !push_last(p, s, to))
			return false;
	}
	return true;
}
