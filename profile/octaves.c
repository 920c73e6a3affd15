/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/octaves.h"

#include <math.h>

static void stretch_range(struct octaves *f, const struct histogram *h)
{
	for (size_t i = 0; i < h->n; i++) {
		const double edges[] = { h->bucket[i].edges->low, h->bucket[i].edges->high };

		for (int e = 0; e < 2; e++) {
			if (!(edges[e] > 0) || isinf(edges[e]))
				continue;
			f->lowest = fmin(f->lowest, log2(edges[e]));
			f->highest = fmax(f->highest, log2(edges[e]));
		}
		f->has_zero |= h->bucket[i].edges->low <= 0 && h->bucket[i].edges->high > 0;
		f->has_negative |= h->bucket[i].edges->high <= 0;
		f->has_top |= isinf(h->bucket[i].edges->high);
	}
}

double octaves_left(const struct octaves *f, const struct bucket *b)
{
	return b->edges->low > 0    ? log2(b->edges->low)
	       : b->edges->high > 0 ? f->lowest - 1
				    : f->lowest - 2;
}

double octaves_right(const struct octaves *f, const struct bucket *b)
{
	return isinf(b->edges->high) ? f->highest + 1
	       : b->edges->high > 0  ? log2(b->edges->high)
				     : f->lowest - 1;
}

struct octaves octaves_around(const struct histogram *const *h, size_t n)
{
	struct octaves f = {
		.from = HUGE_VAL, .to = -HUGE_VAL, .lowest = HUGE_VAL, .highest = -HUGE_VAL
	};

	for (size_t i = 0; i < n; i++) {
		if (h[i] != NULL)
			stretch_range(&f, h[i]);
	}
	if (f.lowest > f.highest)
		f.lowest = f.highest = 0;
	for (size_t i = 0; i < n; i++) {
		if (h[i] == NULL || h[i]->n == 0)
			continue;
		f.from = fmin(f.from, octaves_left(&f, &h[i]->bucket[0]));
		f.to = fmax(f.to, octaves_right(&f, &h[i]->bucket[h[i]->n - 1]));
	}
	return f;
}
