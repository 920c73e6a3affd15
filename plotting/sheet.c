/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plotting/sheet.h"

#include <math.h>

#include "analyze/timeline.h"
#include "base/arena.h"

enum { FALLBACK_RESOLUTION = 2, FINEST_RESOLUTION = 8 };

/* --- rows ------------------------------------------------------------------------------- */

/* Rows do not extend over gaps, so that these stay empty. */
struct rows rows_of(struct arena *a, const struct profile *p, size_t max)
{
	struct timeline_list list = timeline_intervals(a, p);
	size_t together = (list.n + max - 1) / max;
	struct rows r = { .v = arena_make(a, struct row, list.n + 1) };

	for (size_t i = 0, taken = 0; i < list.n; i++) {
		const struct timeline_interval *v = &list.v[i];

		if (taken > 0 && taken < together && v->start <= r.v[r.n - 1].end) {
			r.v[r.n - 1].end = fmax(r.v[r.n - 1].end, v->end);
			taken++;
		} else {
			r.v[r.n++] = (struct row){ v->start, v->end };
			taken = 1;
		}
	}
	return r;
}

/* --- columns ----------------------------------------------------------------------------- */

struct bucket_scheme sheet_scheme(const struct operation *const *op, size_t n)
{
	unsigned resolution = 0;

	for (size_t i = 0; i < n; i++) {
		unsigned own;

		if (op[i] == NULL || op[i]->hist.n == 0)
			continue;
		own = op[i]->hist.scheme->kind == BUCKET_LOG2 ? op[i]->hist.scheme->resolution
							      : FALLBACK_RESOLUTION;
		resolution = resolution == 0 || own < resolution ? own : resolution;
	}
	if (resolution == 0)
		resolution = 1;
	return bucket_log2(resolution < FINEST_RESOLUTION ? resolution : FINEST_RESOLUTION);
}

/* Converts a histogram to the unit and the buckets of the sheet. */
static struct histogram on_scheme(struct arena *a, const struct histogram *h,
				  const struct bucket_scheme *scheme, double scale)
{
	struct histogram scaled = scale == 1 ? *h : histogram_scaled(a, h, scale), exact;

	if (scaled.n == 0 || bucket_scheme_eq(scaled.scheme, scheme))
		return scaled;
	if (histogram_rebin(a, &scaled, scheme, &exact))
		return exact;
	return histogram_rebin_split(a, &scaled, scheme);
}

/* --- filling ---------------------------------------------------------------------------------- */

/* Returns the column of a bucket, or of the first bucket above it. */
static size_t column_of(const struct sheet *s, int index)
{
	size_t low = 0, high = s->n_buckets;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (s->bucket[mid].edges->index < index)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static void add_histogram(struct sheet *s, size_t row, const struct histogram *h, double part)
{
	double *to = &s->calls[row * s->n_buckets];

	for (size_t i = 0; i < h->n; i++)
		to[column_of(s, h->bucket[i].edges->index)] += part * (double)h->bucket[i].count;
}

/* Adds the calls of an interval to the rows that it overlaps, from *at on. */
static void spread_interval(struct sheet *s, double start, double end, const struct histogram *h,
			    size_t *at)
{
	while (*at < s->rows.n && s->rows.v[*at].end <= start)
		++*at;
	for (size_t i = *at; i < s->rows.n && s->rows.v[i].start < end; i++) {
		double common = fmin(end, s->rows.v[i].end) - fmax(start, s->rows.v[i].start);

		add_histogram(s, i, h, common / (end - start));
	}
}

struct sheet sheet_of(struct arena *a, const struct operation *op, const struct rows *rows,
		      const struct bucket_scheme *scheme, double scale, double origin)
{
	struct sheet s = { .rows = *rows };
	struct histogram whole;
	size_t at = 0;

	if (op == NULL)
		return s;
	whole = on_scheme(a, &op->hist, scheme, scale);
	s.bucket = whole.bucket;
	s.n_buckets = whole.n;
	s.calls = arena_make(a, double, s.rows.n *s.n_buckets + 1);
	for (size_t i = 0; i < op->n_intervals && s.n_buckets > 0; i++) {
		const struct interval *v = &op->interval[i];
		struct histogram h = on_scheme(a, &v->hist, scheme, scale);

		spread_interval(&s, v->start - origin, v->end - origin, &h, &at);
	}
	return s;
}

/* Copies the calls of one side to their columns of the pair. */
static double *moved_columns(struct arena *a, const struct sheet *pair, const struct sheet *side)
{
	double *to = arena_make(a, double, pair->rows.n * pair->n_buckets + 1);

	for (size_t c = 0; c < side->n_buckets; c++) {
		size_t column = column_of(pair, side->bucket[c].edges->index);

		for (size_t row = 0; row < side->rows.n; row++)
			to[row * pair->n_buckets + column] = side->calls[row * side->n_buckets + c];
	}
	return to;
}

struct sheet sheet_pair(struct arena *a, const struct sheet *before, const struct sheet *after)
{
	struct sheet s = { .rows = after->rows };
	size_t i = 0, k = 0;

	s.bucket = arena_make(a, struct bucket, after->n_buckets + before->n_buckets);
	while (i < after->n_buckets || k < before->n_buckets) {
		bool left = k == before->n_buckets ||
			    (i < after->n_buckets &&
			     after->bucket[i].edges->index <= before->bucket[k].edges->index);
		bool right = i == after->n_buckets ||
			     (k < before->n_buckets &&
			      before->bucket[k].edges->index <= after->bucket[i].edges->index);

		s.bucket[s.n_buckets++] = left ? after->bucket[i] : before->bucket[k];
		i += left;
		k += right;
	}
	s.calls = moved_columns(a, &s, before);
	s.after = moved_columns(a, &s, after);
	return s;
}
