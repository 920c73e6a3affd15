/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/comb.h"

enum {
	MIN_GAPS = 2,	      /* one gap has no period */
	MAX_MULTIPLES = 4096, /* of which the closest two buckets can be; bounds the time */
};

/* A step lies in [low, high). */
struct step {
	double low, high;
};

/* Whether bucket i and the next one have latencies above 0, and empty buckets between. */
static bool gap_follows(const struct histogram *h, size_t i)
{
	const struct edges *a = h->bucket[i].edges, *b = h->bucket[i + 1].edges;

	return a->low > 0 && b->index != a->index + 1 && !isinf(b->high);
}

/* Finds the gap after which the next bucket ends soonest: its two buckets are one step apart. */
static bool find_closest(const struct histogram *h, size_t *ret)
{
	double closest = HUGE_VAL;

	for (size_t i = 0; i + 1 < h->n; i++) {
		double max = h->bucket[i + 1].edges->high - h->bucket[i].edges->low;

		if (gap_follows(h, i) && max < closest) {
			closest = max;
			*ret = i;
		}
	}
	return closest < HUGE_VAL;
}

/* Keeps the steps of which the bucket holds a multiple; all, if several multiples come into
 * question.  False if none is left. */
static bool narrow_down(struct step *s, const struct edges *e)
{
	double first = floor(e->low / s->high) + 1, last = ceil(e->high / s->low) - 1;

	if (!(e->low > 0) || isinf(e->high) || first < last)
		return true;
	if (first > last)
		return false;
	s->low = fmax(s->low, e->low / first);
	s->high = fmin(s->high, e->high / first);
	return s->low < s->high;
}

/* Returns the number of the fewest decimal digits in the range: most clocks have such steps. */
static double roundest_step(const struct step *s)
{
	enum { MAX_DIGITS = 6 };
	double digit = pow(10, floor(log10(s->high)));

	for (int i = 0; i < MAX_DIGITS; i++, digit /= 10) {
		double round = ceil(s->low / digit) * digit;

		if (round < s->high)
			return round;
	}
	return (s->low + s->high) / 2;
}

static bool all_hold(const struct histogram *h, double step)
{
	const struct histogram clock = { .granularity = step };

	for (size_t i = 0; i < h->n; i++) {
		const struct edges *e = h->bucket[i].edges;

		if (!histogram_can_hold(&clock, e->low, e->high))
			return false;
	}
	return true;
}

static size_t count_explained_gaps(const struct histogram *h, double step)
{
	const struct histogram clock = { .granularity = step };
	size_t n = 0;

	for (size_t i = 0; i + 1 < h->n; i++)
		n += gap_follows(h, i) && !histogram_can_hold(&clock, h->bucket[i].edges->high,
							      h->bucket[i + 1].edges->low);
	return n;
}

/* Returns the negative logarithm of the chance that calls spread smoothly fall only into buckets
 * that hold a multiple: near a bucket of width w < step, a part w / step of all latencies does. */
static double evidence_for(const struct histogram *h, double step)
{
	double sum = 0;

	for (size_t i = 0; i < h->n; i++) {
		const struct edges *e = h->bucket[i].edges;

		if (e->low > 0 && e->high - e->low < step)
			sum += (double)h->bucket[i].count * log(step / (e->high - e->low));
	}
	return sum;
}

/* Returns the step if the closest buckets are its k-th multiple and the next one; 0: none. */
static double step_with(const struct histogram *h, size_t closest, double k, double min_evidence)
{
	const struct edges *a = h->bucket[closest].edges, *b = h->bucket[closest + 1].edges;
	struct step s = { fmax(a->low / k, b->low / (k + 1)),
			  fmin(a->high / k, b->high / (k + 1)) };
	double step;

	if (!(s.low < s.high))
		return 0;
	for (size_t i = 0; i < h->n; i++) {
		if (!narrow_down(&s, h->bucket[i].edges))
			return 0;
	}
	step = roundest_step(&s);
	return all_hold(h, step) && count_explained_gaps(h, step) >= MIN_GAPS &&
			       evidence_for(h, step) >= min_evidence
		       ? step
		       : 0;
}

double comb_step(const struct histogram *h, double chance)
{
	size_t closest = 0;
	double first, last, min_evidence;

	if (h->granularity > 0 || !find_closest(h, &closest))
		return h->granularity;
	first = fmax(1, floor(h->bucket[closest].edges->low / (h->bucket[closest + 1].edges->high -
							       h->bucket[closest].edges->low)));
	last = h->bucket[closest].edges->high /
	       (h->bucket[closest + 1].edges->low - h->bucket[closest].edges->high);
	last = fmin(last, first + MAX_MULTIPLES);
	min_evidence = log((last - first + 1) / chance); /* each k is a trial */
	for (double k = first; k <= last; k++) {
		double step = step_with(h, closest, k, min_evidence);

		if (step > 0)
			return step;
	}
	return 0;
}
