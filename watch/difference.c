/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/difference.h"

#include <math.h>

#include "base/arena.h"
#include "watch/parts.h"

static const struct operation *operation_like(const struct profile *p, const struct operation *like)
{
	size_t low = 0, high = p->n_ops;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = operation_cmp_key(&p->op[middle], like);

		if (order == 0)
			return &p->op[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* Returns the bucket with the same edges.  Schemes may differ, as when `later` has an open bucket
 * above. */
static struct bucket *same_bucket(const struct histogram *h, const struct bucket *b)
{
	for (size_t i = 0; i < h->n; i++) {
		if (h->bucket[i].edges->low == b->edges->low &&
		    h->bucket[i].edges->high == b->edges->high)
			return &h->bucket[i];
	}
	return NULL;
}

static bool contains_buckets(const struct histogram *later, const struct histogram *earlier)
{
	if (bucket_scheme_eq(later->scheme, earlier->scheme))
		return histogram_contains(later, earlier);
	for (size_t i = 0; i < earlier->n; i++) {
		const struct bucket *same = same_bucket(later, &earlier->bucket[i]);

		if (same == NULL || same->count < earlier->bucket[i].count)
			return false;
	}
	return true;
}

static void subtract_buckets(struct histogram *from, const struct histogram *earlier)
{
	size_t left = 0;

	if (bucket_scheme_eq(from->scheme, earlier->scheme)) {
		histogram_subtract(from, earlier);
		return;
	}
	for (size_t i = 0; i < earlier->n; i++)
		same_bucket(from, &earlier->bucket[i])->count -= earlier->bucket[i].count;
	from->count -= earlier->count;
	for (size_t i = 0; i < from->n; i++) {
		if (from->bucket[i].count > 0)
			from->bucket[left++] = from->bucket[i];
	}
	from->n = left;
}

static bool contains(const struct operation *later, const struct operation *earlier)
{
	if (operation_count(later) < operation_count(earlier))
		return false;
	return earlier->hist.n == 0 || contains_buckets(&later->hist, &earlier->hist);
}

bool difference_shrinks(const struct profile *later, const struct profile *earlier)
{
	for (size_t i = 0; i < earlier->n_ops; i++) {
		const struct operation *op = operation_like(later, &earlier->op[i]);

		if (op != NULL && !contains(op, &earlier->op[i]))
			return true;
	}
	return false;
}

bool difference_contains(const struct profile *later, const struct profile *earlier)
{
	for (size_t i = 0; i < earlier->n_ops; i++) {
		if (operation_like(later, &earlier->op[i]) == NULL)
			return false;
	}
	return !difference_shrinks(later, earlier);
}

struct profile *difference_absent(const struct profile *earlier, const struct profile *later,
				  size_t max)
{
	struct profile *absent = profile_new("watch");

	absent->format = earlier->format;
	absent->unit = earlier->unit;
	absent->hz = earlier->hz;
	absent->op = arena_make(absent->arena, struct operation, earlier->n_ops);
	for (size_t i = 0; i < earlier->n_ops && absent->n_ops < max; i++) {
		if (operation_like(later, &earlier->op[i]) == NULL)
			absent->op[absent->n_ops++] = earlier->op[i];
	}
	if (absent->n_ops > 0)
		return absent;
	profile_free(absent);
	return NULL;
}

/* Minimum and maximum are those of all calls, so those of the new ones are unknown. */
static void subtract_stated(struct stated *from, const struct stated *earlier)
{
	struct decimal negative = { -earlier->total.billionths };

	from->has_count &= earlier->has_count && from->count >= earlier->count;
	if (from->has_count)
		from->count -= earlier->count;
	from->has_total &= earlier->has_total && decimal_add(from->total, negative, &from->total);
	from->has_min = from->has_max = from->has_deviation = false;
}

static void subtract(struct operation *from, const struct operation *earlier)
{
	subtract_stated(&from->stated, &earlier->stated);
	if (earlier->hist.n > 0)
		subtract_buckets(&from->hist, &earlier->hist);
	from->lost -= earlier->lost <= from->lost ? earlier->lost : 0;
}

size_t difference_subtract(struct profile *later, const struct profile *earlier)
{
	size_t resets = 0;

	for (size_t i = 0; i < later->n_ops; i++) {
		struct operation *op = &later->op[i];
		const struct operation *before = operation_like(earlier, op);

		op->n_intervals = 0;
		if (before == NULL)
			continue;
		if (contains(op, before))
			subtract(op, before);
		else
			resets++;
	}
	later->lost -= earlier->lost <= later->lost ? earlier->lost : 0;
	later->elapsed = 0;
	return resets;
}

/* Returns the bits of evidence of one bucket that did not shrink: -log2 of the probability that an
 * independent count with mean growth * count is at least `count`. */
static double bits_of(double count, double growth)
{
	double z = (count - 0.5 - growth * count) / sqrt(growth * count);

	return -log2(erfc(z / sqrt(2)) / 2);
}

/* The calls of a timer fall into few buckets and are the same number each time: fewer unchanged
 * buckets than this are no evidence. */
enum { MIN_UNCHANGED = 4 };

double difference_bits(const struct profile *later, const struct profile *earlier)
{
	double before = (double)parts_count(earlier), bits = 0;
	double growth = before > 0 ? fmax((double)parts_count(later) / before, 1) : 1;
	size_t n = 0;

	for (size_t i = 0; i < earlier->n_ops; i++) {
		const struct histogram *h = &earlier->op[i].hist;

		for (size_t k = 0; k < h->n; k++)
			bits += bits_of((double)h->bucket[k].count, growth);
		n += h->n;
	}
	return growth > 1 || n >= MIN_UNCHANGED ? bits : 0;
}

bool difference_is_doubled(const struct profile *later, const struct profile *earlier, bool or_more)
{
	static const double min_deviations = 4, min_growth = 1.6, max_growth = 2.5;
	double before = (double)parts_count(earlier), after = (double)parts_count(later);

	return after >= min_growth * before && (or_more || after <= max_growth * before) &&
	       (after - before) / sqrt(after + before) >= min_deviations;
}
