/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/peaks.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/xalloc.h"

const struct peak_rules peak_rules_default = { .min_z = 3, .min_ratio = 1.5 };
const struct match_rules match_rules_default = {
	.max_octaves = 1.5, .moved = 0.35, .share_ratio = 1.5, .share_points = 0.10
};

enum { GAP = -1, FEW = 64 };

/* The histogram as a landscape: its buckets, and one empty cell for each gap that
 * latencies could lie in. */
struct cell {
	uint64_t count;
	double width;  /* of its bucket; 1 where all are equally wide; endless: a gap */
	double height; /* calls for each width */
	long bucket;   /* GAP: between two buckets */
	size_t summit; /* cell at the top of the hill this belongs to, once reached */
	bool reached;
};

struct landscape {
	struct cell *cell;
	size_t *order; /* cells by falling height */
	size_t n;
};

/* How wide bucket i is, in octaves, where a scheme's buckets are not equally wide: those of
 * LOG_LINEAR double at each power of two, and so do their counts, though the latencies are
 * spread evenly.  What is open at an end, or reaches to zero, counts as wide as the one
 * beside it.  Between two ticks of a clock nothing can lie: a tick is the least width. */
static double width_of(const struct histogram *h, int i)
{
	const struct bucket_scheme *s = h->scheme;
	double low, high;

	if (s->kind == BUCKET_LOG2 || s->kind == BUCKET_LINEAR)
		return 1;
	if (i >= s->limit)
		i = s->limit - 1;
	else if (!(bucket_low(s, i) > 0))
		i++;
	low = bucket_low(s, i);
	high = bucket_high(s, i);
	if (!(low > 0) || isinf(high))
		return 1;
	return log2(fmax(high, low + h->granularity) / low);
}

static size_t lay_out(struct landscape *l, const struct histogram *h)
{
	size_t n = 0;

	for (size_t i = 0; i < h->n; i++) {
		double width;

		if (i > 0 && h->bucket[i].index != h->bucket[i - 1].index + 1 &&
		    histogram_can_hold(h, h->bucket[i - 1].high, h->bucket[i].low))
			l->cell[n++] = (struct cell){ .bucket = GAP, .width = HUGE_VAL };
		width = width_of(h, h->bucket[i].index);
		l->cell[n++] = (struct cell){ .count = h->bucket[i].count,
					      .width = width,
					      .height = (double)h->bucket[i].count / width,
					      .bucket = (long)i };
	}
	return n;
}

static bool before_in_order(const struct landscape *l, size_t a, size_t b)
{
	double ha = l->cell[a].height, hb = l->cell[b].height;

	return ha != hb ? ha > hb : a < b;
}

static void sift_down(const struct landscape *l, size_t *v, size_t root, size_t n)
{
	for (;;) {
		size_t child = 2 * root + 1, swap;

		if (child >= n)
			return;
		if (child + 1 < n && before_in_order(l, v[child], v[child + 1]))
			child++;
		if (!before_in_order(l, v[root], v[child]))
			return;
		swap = v[root];
		v[root] = v[child];
		v[child] = swap;
		root = child;
	}
}

/* Heap sort: in place, and never quadratic. */
static void sort_by_height(struct landscape *l)
{
	size_t *v = l->order;

	for (size_t i = 0; i < l->n; i++)
		v[i] = i;
	for (size_t i = l->n / 2; i > 0; i--)
		sift_down(l, v, i - 1, l->n);
	for (size_t end = l->n; end > 1; end--) {
		size_t swap = v[0];

		v[0] = v[end - 1];
		v[end - 1] = swap;
		sift_down(l, v, 0, end - 1);
	}
}

static size_t summit_of(struct landscape *l, size_t cell)
{
	while (l->cell[cell].summit != cell) {
		l->cell[cell].summit = l->cell[l->cell[cell].summit].summit;
		cell = l->cell[cell].summit;
	}
	return cell;
}

/* Of two buckets that are not equally wide, what of the wider one's calls would fall into
 * one as wide as the other is compared. */
static bool stands_out(const struct cell *summit, const struct cell *saddle,
		       const struct peak_rules *rules)
{
	double width = fmin(summit->width, saddle->width);
	double p = (double)summit->count * (width / summit->width);
	double v = saddle->count == 0 ? 0 : (double)saddle->count * (width / saddle->width);
	double z = 2 * (sqrt(p + 0.375) - sqrt(v + 0.375));

	return z >= rules->min_z * M_SQRT2 && (p + 0.5) / (v + 0.5) >= rules->min_ratio;
}

/* Floods the landscape from the top; hills that do not stand out join the higher
 * neighbour they meet.  Marks in `is_saddle` the cells where two peaks meet. */
static void flood(struct landscape *l, const struct peak_rules *rules, bool *is_saddle)
{
	for (size_t i = 0; i < l->n; i++) {
		size_t at = l->order[i];
		struct cell *c = &l->cell[at];
		bool left = at > 0 && l->cell[at - 1].reached;
		bool right = at + 1 < l->n && l->cell[at + 1].reached;
		size_t a = left ? summit_of(l, at - 1) : at, b = right ? summit_of(l, at + 1) : at;
		size_t high, low;

		c->reached = true;
		c->summit = at;
		if (!left || !right) {
			c->summit = left ? a : b;
			continue;
		}
		high = before_in_order(l, a, b) ? a : b;
		low = high == a ? b : a;
		c->summit = high;
		if (stands_out(&l->cell[low], c, rules))
			is_saddle[at] = true;
		else
			l->cell[low].summit = high;
	}
}

/* A few stray calls should not make a peak look wide. */
static void find_core(struct peak *p, const struct histogram *h)
{
	const double tail = 0.05 * (double)p->count;
	size_t first = p->first, last = p->last;
	double below = (double)h->bucket[first].count, above = (double)h->bucket[last].count;

	while (first < p->mode && below <= tail)
		below += (double)h->bucket[++first].count;
	while (last > p->mode && above <= tail)
		above += (double)h->bucket[--last].count;
	p->core_low = h->bucket[first].low;
	p->core_high = h->bucket[last].high;
}

static void measure(struct peak *p, const struct histogram *h)
{
	p->low = h->bucket[p->first].low;
	p->high = h->bucket[p->last].high;
	p->mode = p->first;
	for (size_t i = p->first; i <= p->last; i++) {
		const struct bucket *b = &h->bucket[i];

		p->count += b->count;
		p->total += (double)b->count * bucket_mean(b);
		p->place += (double)b->count * bucket_place(h->scheme, b->index);
		if (b->count > h->bucket[p->mode].count)
			p->mode = i;
	}
	p->share = (double)p->count / (double)h->count;
	p->mean = p->total / (double)p->count;
	p->place /= (double)p->count;
	find_core(p, h);
}

/* Cuts at the saddles: a saddle's own calls go to the side that is higher next to it. */
static struct peaks cut(struct arena *a, const struct landscape *l, const bool *is_saddle,
			const struct histogram *h)
{
	struct peaks r = { .n = 0 };
	size_t n_saddles = 0, start = 0;

	for (size_t i = 0; i < l->n; i++)
		n_saddles += is_saddle[i];
	r.v = arena_make(a, struct peak, n_saddles + 1);
	for (size_t i = 0; i <= l->n; i++) {
		struct peak *p = &r.v[r.n];
		size_t end = i; /* one past the last cell of this peak */

		if (i < l->n && !is_saddle[i])
			continue;
		if (i < l->n && l->cell[i].bucket != GAP &&
		    l->cell[i - 1].height >= l->cell[i + 1].height)
			end = i + 1;
		while (l->cell[start].bucket == GAP)
			start++;
		p->first = (size_t)l->cell[start].bucket;
		p->last = (size_t)l->cell[end - 1].bucket;
		measure(p, h);
		r.n++;
		start = end;
	}
	return r;
}

struct peaks peaks_find(struct arena *a, const struct histogram *h, const struct peak_rules *rules)
{
	struct cell few_cells[2 * FEW];
	size_t few_order[2 * FEW];
	bool few_saddles[2 * FEW] = { false };
	bool many = h->n > FEW, *is_saddle = many ? xcalloc(2 * h->n, sizeof(bool)) : few_saddles;
	struct landscape l = { few_cells, few_order, 0 };
	struct peaks r;

	if (h->n == 0)
		return (struct peaks){ .n = 0 };
	if (many) {
		l.cell = xcalloc(2 * h->n, sizeof(*l.cell));
		l.order = xcalloc(2 * h->n, sizeof(*l.order));
	}
	l.n = lay_out(&l, h);
	sort_by_height(&l);
	flood(&l, rules, is_saddle);
	r = cut(a, &l, is_saddle, h);
	if (many) {
		free(l.cell);
		free(l.order);
		free(is_saddle);
	}
	return r;
}

/* --- matching ------------------------------------------------------------------ */

const char *peak_change_name(enum peak_change c)
{
	static const char *const names[] = { "kept", "moved", "grew", "shrank", "gained", "lost" };

	return names[c];
}

/* What pairing two peaks is worth: more the more calls both hold, the nearer they lie. */
static double worth(const struct peak *b, const struct peak *a, const struct match_rules *rules)
{
	double apart = fabs(b->place - a->place);

	if (apart > rules->max_octaves)
		return 0;
	return (sqrt(b->share * a->share) + 1e-6) * (1 - apart / (2 * rules->max_octaves));
}

static enum peak_change tell_change(const struct peak *b, const struct peak *a,
				    const struct match_rules *rules)
{
	double points = a->share - b->share;
	bool weighty = fabs(points) >= rules->share_points;
	/* A growing ratio counts where it is not a few calls of very many. */
	bool multiplied = fabs(log(a->share / b->share)) >= log(rules->share_ratio) &&
			  fabs(points) >= rules->share_points / 10;

	if (fabs(a->place - b->place) >= rules->moved)
		return PEAK_MOVED;
	if (weighty || multiplied)
		return points > 0 ? PEAK_GREW : PEAK_SHRANK;
	return PEAK_KEPT;
}

struct peak_pairs peaks_match(struct arena *arena, const struct peaks *before,
			      const struct peaks *after, const struct match_rules *rules)
{
	size_t nb = before->n, na = after->n, width = na + 1, i = 0, k = 0;
	/* best[i][k]: what the peaks from i and k on are worth at most. */
	double *best = xcalloc((nb + 1) * width, sizeof(*best));
	struct peak_pairs r = { .v = arena_make(arena, struct peak_pair, nb + na), .n = 0 };

	for (size_t x = nb; x-- > 0;) {
		for (size_t y = na; y-- > 0;) {
			double w = worth(&before->v[x], &after->v[y], rules);
			double paired = w > 0 ? w + best[(x + 1) * width + y + 1] : 0;
			double skipped = fmax(best[(x + 1) * width + y], best[x * width + y + 1]);

			best[x * width + y] = fmax(paired, skipped);
		}
	}
	while (i < nb || k < na) {
		struct peak_pair *p = &r.v[r.n++];
		double w = i < nb && k < na ? worth(&before->v[i], &after->v[k], rules) : 0;
		double here = best[i * width + k];

		if (w > 0 && here == w + best[(i + 1) * width + k + 1]) {
			*p = (struct peak_pair){ &before->v[i], &after->v[k], PEAK_KEPT };
			p->change = tell_change(p->before, p->after, rules);
			i++;
			k++;
		} else if (k == na || (i < nb && here == best[(i + 1) * width + k])) {
			*p = (struct peak_pair){ &before->v[i++], NULL, PEAK_LOST };
		} else {
			*p = (struct peak_pair){ NULL, &after->v[k++], PEAK_GAINED };
		}
	}
	free(best);
	return r;
}
