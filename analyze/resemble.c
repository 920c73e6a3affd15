/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/resemble.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/distance.h"
#include "analyze/totals.h"
#include "base/arena.h"
#include "base/xalloc.h"

const struct resemble_rules resemble_rules_default = {
	.max_octaves = 0.5,
	.max_ratio = 4,
	.min_share = 0.01,
	.min_slowness = 10,
	.min_calls = 20,
	.min_sum = 100,
	.min_near = 1000,
};

enum counts_similar counts_compare(uint64_t a, uint64_t b)
{
	uint64_t difference = a > b ? a - b : b - a;

	if (difference == 0)
		return COUNTS_EQUAL;
	if (difference == 1)
		return COUNTS_BY_ONE;
	if ((double)difference <= fmax(2, 2 * sqrt((double)(a < b ? a : b))))
		return COUNTS_NEAR;
	return COUNTS_APART;
}

const char *counts_name(enum counts_similar c)
{
	static const char *const names[] = { "equal", "by-one", "near", "apart" };

	return names[c];
}

struct peak_book peak_book_begin(struct arena *a, const struct profile *p, struct aligned *grid,
				 const struct resemble_rules *rules)
{
	struct peak_book b = { .profile = p, .grid = grid, .rules = rules, .fastest = HUGE_VAL };

	if (p == NULL)
		return b;
	b.latency = totals_of(p).latency;
	b.of = arena_make(a, struct peaks, p->n_ops);
	return b;
}

bool peak_book_add(struct peak_book *b, struct arena *a, size_t n)
{
	const struct profile *p = b->profile;

	for (; p != NULL && n > 0 && b->n < p->n_ops; n--, b->n++) {
		const struct operation *op = &p->op[b->n];
		struct peaks *of = &b->of[b->n];

		*of = peaks_find(a, &op->hist, &peak_rules_default);
		for (size_t k = 0; op->unit == p->unit && k < of->n; k++) {
			if (of->v[k].count >= b->rules->min_calls)
				b->fastest = fmin(b->fastest, of->v[k].mean);
		}
	}
	return p != NULL && b->n < p->n_ops;
}

struct peak_book peak_book_of(struct arena *a, const struct profile *p, struct aligned *grid,
			      const struct resemble_rules *rules)
{
	struct peak_book b = peak_book_begin(a, p, grid, rules);

	(void)peak_book_add(&b, a, SIZE_MAX);
	return b;
}

/* Makes room for a new entry at position `at` among the n best of a list; returns `at`, which is
 * MAX_LIKE when the entry is not among the best. */
static size_t make_room(void *list, size_t size, size_t *n, size_t at)
{
	char *base = list;

	if (at == MAX_LIKE)
		return at;
	*n = *n < MAX_LIKE ? *n + 1 : *n;
	memmove(base + (at + 1) * size, base + at * size, (*n - at - 1) * size);
	return at;
}

/* --- one peak against another ----------------------------------------------------- */

/* The calls of a peak as a histogram, which borrows from op. */
static struct histogram peak_slice(const struct operation *op, const struct peak *p)
{
	struct histogram h = op->hist;

	h.bucket = &op->hist.bucket[p->first];
	h.n = p->last - p->first + 1;
	h.count = p->count;
	return h;
}

static bool cores_overlap(const struct peak *a, const struct peak *b)
{
	return a->core_low < b->core_high && b->core_low < a->core_high;
}

/* Measures both on one grid, so that their bucket schemes do not matter. */
static void measure_likeness(const struct peak_book *b, const struct operation *op,
			     const struct peak *p, struct like_peak *l)
{
	struct histogram mine = peak_slice(op, p), theirs = peak_slice(l->op, &l->peak);
	double shift = 0;

	align(b->grid, &mine, &theirs, 1);
	for (size_t i = 0; i < b->grid->n; i++)
		shift += b->grid->diff[i] * b->grid->position[i];
	l->apart = fabs(shift);
	l->emd = distance_at(METRIC_EMD)->between(b->grid);
}

static double ratio_of(const struct peak *a, const struct peak *b)
{
	return exp2(fabs(log2((double)a->count / (double)b->count)));
}

/* Whether a peak is slow enough to be caused by waiting, and costs enough to matter. */
static bool peak_waits(const struct peak_book *b, const struct peak *p)
{
	return p->total >= b->rules->min_share * b->latency &&
	       p->mean >= b->rules->min_slowness * b->fastest;
}

/* Half the width, in octaves, of the bucket with most of a peak's calls. */
static double half_bucket(const struct operation *op, const struct peak *p)
{
	const struct edges *e = op->hist.bucket[p->mode].edges;

	return e->low > 0 && e->high < HUGE_VAL ? log2(e->high / e->low) / 2 : 0;
}

static bool peak_resembles(const struct peak_book *b, const struct operation *op,
			   const struct peak *p, struct like_peak *l)
{
	const struct resemble_rules *r = b->rules;
	const struct peak *other = &l->peak;
	double max;

	if (p->count < r->min_calls || other->count < r->min_calls || !cores_overlap(p, other))
		return false;
	l->counts = counts_compare(p->count, other->count);
	if (l->counts == COUNTS_APART &&
	    (ratio_of(p, other) > r->max_ratio || !peak_waits(b, p) || !peak_waits(b, other)))
		return false;
	measure_likeness(b, op, p, l);
	max = r->max_octaves;
	/* There are many ways to unite peaks, so united peaks must be nearer, unless their counts
	 * agree, too. */
	if (l->counts != COUNTS_APART || (l->number == l->last && l->own_first == l->own_last))
		max += fmax(half_bucket(op, p), half_bucket(l->op, other));
	return l->apart <= max && (l->counts != COUNTS_APART || l->emd <= max);
}

static bool is_nearer(const struct peak *p, const struct like_peak *a, const struct like_peak *b)
{
	if (a->counts != b->counts)
		return a->counts < b->counts;
	return a->emd + log2(ratio_of(p, &a->peak)) / 2 < b->emd + log2(ratio_of(p, &b->peak)) / 2;
}

static struct like_peak like_of(const struct peak_book *b, size_t op, size_t number, size_t own)
{
	return (struct like_peak){ .op = &b->profile->op[op],
				   .peak = b->of[op].v[number],
				   .number = number + 1,
				   .last = number + 1,
				   .own_first = own + 1,
				   .own_last = own + 1 };
}

/* --- adjacent peaks as one ------------------------------------------------------------ */

static struct peak united_peak(const struct peaks *p, size_t first, size_t last)
{
	struct peak u = p->v[first];
	size_t largest = first;

	u.position *= (double)u.count;
	for (size_t k = first + 1; k <= last; k++) {
		const struct peak *next = &p->v[k];

		u.count += next->count;
		u.share += next->share;
		u.total += next->total;
		u.position += next->position * (double)next->count;
		largest = next->count > p->v[largest].count ? k : largest;
	}
	u.last = p->v[last].last;
	u.high = p->v[last].high;
	u.core_high = p->v[last].core_high;
	u.mode = p->v[largest].mode;
	u.mean = u.total / (double)u.count;
	u.position /= (double)u.count;
	u.typical = exp2(u.position);
	return u;
}

/* Whether `peak` is the largest of the united peaks, which alone represents them. */
static bool speaks_for(const struct peaks *p, size_t peak, size_t first, size_t last)
{
	for (size_t k = first; k <= last; k++) {
		if (p->v[k].count > p->v[peak].count)
			return false;
	}
	return true;
}

/* Finds the best match between united peaks of two operations, at least one of which unites
 * several. All peaks of one with all peaks of the other do not count: that compares whole
 * operations. */
static bool find_union(const struct peak_book *b, size_t op, size_t peak, size_t other,
		       struct like_peak *best)
{
	const struct peaks *mine = &b->of[op], *theirs = &b->of[other];
	bool found = false;

	for (size_t f = 0; f <= peak; f++) {
		for (size_t t = peak; t < mine->n && speaks_for(mine, peak, f, t); t++) {
			struct peak own = united_peak(mine, f, t);

			for (size_t k = 0; k < theirs->n; k++) {
				for (size_t m = k; m < theirs->n; m++) {
					struct like_peak l = like_of(b, other, k, f);

					if ((f == t && k == m) ||
					    (t - f + 1 == mine->n && m - k + 1 == theirs->n))
						continue;
					l.peak = united_peak(theirs, k, m);
					l.last = m + 1;
					l.own_last = t + 1;
					if (!speaks_for(mine, peak, f, t) ||
					    !peak_resembles(b, &b->profile->op[op], &own, &l) ||
					    (found && !is_nearer(&own, &l, best)))
						continue;
					*best = l;
					found = true;
				}
			}
		}
	}
	return found;
}

static void add_like(const struct peak *p, struct like_peak ret[MAX_LIKE], size_t *n,
		     const struct like_peak *l)
{
	size_t at = *n;

	while (at > 0 && is_nearer(p, l, &ret[at - 1]))
		at--;
	if (make_room(ret, sizeof(*ret), n, at) < MAX_LIKE)
		ret[at] = *l;
}

size_t resemble_peaks(const struct peak_book *b, size_t op, size_t peak,
		      struct like_peak ret[MAX_LIKE])
{
	const struct operation *mine = &b->profile->op[op];
	const struct peak *p = &b->of[op].v[peak];
	size_t n = 0;

	for (size_t i = 0; i < b->profile->n_ops; i++) {
		const struct operation *other = &b->profile->op[i];
		bool any = false;

		for (size_t k = 0; i != op && other->unit == mine->unit && k < b->of[i].n; k++) {
			struct like_peak l = like_of(b, i, k, peak);

			if (!peak_resembles(b, mine, p, &l))
				continue;
			any = true;
			add_like(p, ret, &n, &l);
		}
		if (!any && i != op && other->unit == mine->unit) {
			struct like_peak l;

			if (find_union(b, op, peak, i, &l))
				add_like(p, ret, &n, &l);
		}
	}
	return n;
}

/* --- sums of peaks ------------------------------------------------------------------ */

static bool sum_matches(const struct peak_book *b, const struct operation *op, struct like_sum *s)
{
	uint64_t calls = operation_count(s->op);

	s->counts = counts_compare(s->count, calls);
	s->mean = s->total / (double)s->count;
	switch (s->counts) {
	case COUNTS_EQUAL:
	case COUNTS_BY_ONE:
		return s->count >= b->rules->min_sum;
	case COUNTS_NEAR: /* tracers miss a few calls; within one layer, chance is too likely */
		return s->count >= b->rules->min_near && !str_eq(op->layer, s->op->layer) &&
		       s->mean >= operation_mean(s->op) / 2;
	case COUNTS_APART:
		break;
	}
	return false;
}

/* The cached result of resemble_peaks() for one peak. */
struct said {
	struct like_peak like[MAX_LIKE];
	size_t n;
	bool known;
};

/* Whether resemble_peaks() already says that this single peak is like the only peak of s->op. */
static bool is_said(const struct peak_book *b, size_t op, const struct like_sum *s, size_t other,
		    struct said *said)
{
	struct said *of_first = &said[s->first];

	if (s->first != s->last || b->of[other].n != 1)
		return false;
	if (!of_first->known)
		of_first->n = resemble_peaks(b, op, s->first, of_first->like);
	of_first->known = true;
	for (size_t i = 0; i < of_first->n; i++) {
		if (of_first->like[i].op == s->op)
			return true;
	}
	return false;
}

static bool is_closer_sum(const struct like_sum *a, const struct like_sum *b)
{
	if (a->counts != b->counts)
		return a->counts < b->counts;
	return a->count > b->count;
}

/* Finds the best sequence of adjacent peaks for one other operation. */
static bool find_sum(const struct peak_book *b, size_t op, size_t other, struct said *said,
		     struct like_sum *best)
{
	const struct operation *mine = &b->profile->op[op];
	const struct peaks *peaks = &b->of[op];
	bool found = false;

	for (size_t first = 0; first < peaks->n; first++) {
		struct like_sum s = { first, first, 0, 0, 0, &b->profile->op[other], 0 };

		for (; s.last < peaks->n; s.last++) {
			s.count += peaks->v[s.last].count;
			s.total += peaks->v[s.last].total;
			if (s.count == mine->hist.count || !sum_matches(b, mine, &s) ||
			    is_said(b, op, &s, other, said) || (found && !is_closer_sum(&s, best)))
				continue;
			*best = s;
			found = true;
		}
	}
	return found;
}

size_t resemble_sums(const struct peak_book *b, size_t op, struct like_sum ret[MAX_LIKE])
{
	const struct operation *mine = &b->profile->op[op];
	struct said *said = xcalloc(b->of[op].n + 1, sizeof(*said));
	size_t n = 0;

	for (size_t i = 0; i < b->profile->n_ops; i++) {
		struct like_sum s;
		size_t at = n;

		if (i == op || b->profile->op[i].unit != mine->unit ||
		    !find_sum(b, op, i, said, &s))
			continue;
		while (at > 0 && is_closer_sum(&s, &ret[at - 1]))
			at--;
		if (make_room(ret, sizeof(*ret), &n, at) < MAX_LIKE)
			ret[at] = s;
	}
	free(said);
	return n;
}

/* --- operations called equally often -------------------------------------------------- */

static size_t count_matching(const struct peak_book *b, size_t op, size_t other)
{
	size_t n = 0;

	for (size_t i = 0; i < b->of[op].n; i++) {
		bool found = false;

		for (size_t k = 0; !found && k < b->of[other].n; k++) {
			struct like_peak l = like_of(b, other, k, i);

			found = peak_resembles(b, &b->profile->op[op], &b->of[op].v[i], &l) &&
				l.counts != COUNTS_APART;
		}
		n += found;
	}
	return n;
}

static bool is_closer_kin(const struct resemble_calls *a, const struct resemble_calls *b)
{
	if (a->n_matching != b->n_matching)
		return a->n_matching > b->n_matching;
	return a->counts < b->counts;
}

size_t resemble_calls(const struct peak_book *b, size_t op, struct resemble_calls ret[MAX_LIKE])
{
	const struct operation *mine = &b->profile->op[op];
	uint64_t calls = operation_count(mine);
	size_t n = 0;

	for (size_t i = 0; calls >= b->rules->min_sum && i < b->profile->n_ops; i++) {
		struct resemble_calls l = { .op = &b->profile->op[i], .n_peaks = b->of[op].n };
		size_t at = n;

		l.counts = counts_compare(calls, operation_count(l.op));
		if (i == op || l.counts > COUNTS_BY_ONE || l.op->unit != mine->unit)
			continue;
		l.n_matching = count_matching(b, op, i);
		while (at > 0 && is_closer_kin(&l, &ret[at - 1]))
			at--;
		if (make_room(ret, sizeof(*ret), &n, at) < MAX_LIKE)
			ret[at] = l;
	}
	return n;
}
