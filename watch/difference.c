/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/difference.h"

#include <math.h>

static const struct operation *find(const struct profile *p, const struct operation *like)
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

static bool contains(const struct operation *later, const struct operation *earlier)
{
	if (operation_count(later) < operation_count(earlier))
		return false;
	if (earlier->hist.n == 0)
		return true;
	return bucket_scheme_eq(later->hist.scheme, earlier->hist.scheme) &&
	       histogram_contains(&later->hist, &earlier->hist);
}

bool difference_contains(const struct profile *later, const struct profile *earlier)
{
	for (size_t i = 0; i < earlier->n_ops; i++) {
		const struct operation *op = find(later, &earlier->op[i]);

		if (op == NULL || !contains(op, &earlier->op[i]))
			return false;
	}
	return true;
}

/* Extremes are those of all calls: nothing is known of the new ones. */
static void take_stated_away(struct stated *from, const struct stated *earlier)
{
	struct decimal negative = { -earlier->total.billionths };

	from->has_count &= earlier->has_count && from->count >= earlier->count;
	if (from->has_count)
		from->count -= earlier->count;
	from->has_total &= earlier->has_total && decimal_add(from->total, negative, &from->total);
	from->has_min = from->has_max = false;
}

static void take_away(struct operation *from, const struct operation *earlier)
{
	take_stated_away(&from->stated, &earlier->stated);
	if (earlier->hist.n > 0)
		histogram_take_away(&from->hist, &earlier->hist);
	from->lost -= earlier->lost <= from->lost ? earlier->lost : 0;
}

size_t difference_take_away(struct profile *later, const struct profile *earlier)
{
	size_t resets = 0;

	for (size_t i = 0; i < later->n_ops; i++) {
		struct operation *op = &later->op[i];
		const struct operation *before = find(earlier, op);

		op->n_intervals = 0;
		if (before == NULL)
			continue;
		if (contains(op, before))
			take_away(op, before);
		else
			resets++;
	}
	later->lost -= earlier->lost <= later->lost ? earlier->lost : 0;
	later->elapsed = 0;
	return resets;
}

/* Bits that it tells where an independent count of as many calls, times `growth`, is not below
 * this one. */
static double bits_of(double count, double growth)
{
	double z = (count - 0.5 - growth * count) / sqrt(growth * count);

	return -log2(erfc(z / sqrt(2)) / 2);
}

static double bits_of_operation(const struct operation *op, double growth)
{
	double bits = 0;

	for (size_t i = 0; i < op->hist.n; i++)
		bits += bits_of((double)op->hist.bucket[i].count, growth);
	return bits;
}

bool difference_is_sure(const struct profile *later, const struct profile *earlier)
{
	static const double min_bits = 10, min_deviations = 4, min_growth = 1.6, max_growth = 2.5;
	double before = 0, after = 0, bits = 0, growth;

	for (size_t i = 0; i < earlier->n_ops; i++)
		before += (double)operation_count(&earlier->op[i]);
	for (size_t i = 0; i < later->n_ops; i++)
		after += (double)operation_count(&later->op[i]);
	if (before == 0)
		return false;
	growth = fmax(after / before, 1);
	for (size_t i = 0; i < earlier->n_ops; i++)
		bits += bits_of_operation(&earlier->op[i], growth);
	return bits >= min_bits || (growth >= min_growth && growth <= max_growth &&
				    (after - before) / sqrt(after + before) >= min_deviations);
}
