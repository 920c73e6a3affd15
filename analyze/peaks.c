/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/peaks.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/comb.h"
#include "analyze/peaks_parts.h"
#include "base/arena.h"
#include "base/attr.h"
#include "base/xalloc.h"

const struct peak_rules peak_rules_default = {
	.min_z = 3,
	.usual_buckets = 32,
	.min_ratio = 1.5,
	.min_latency = 0.05,
	.min_gap = 1,
	.chance = 0.001,
};

enum { FEW = 64 };

/* Cells per octave, at most; 0: one for each bucket.  Where many buckets have few calls each, only
 * several together show a valley between two hills. */
static const double grains[] = { 2, 8, 0 };

/* One cell of the landscape: a bucket, adjacent buckets together, or a gap between buckets that
 * could hold latencies. */
struct cell {
	uint64_t count;
	double width;	    /* in octaves */
	double height;	    /* count / width */
	size_t first, last; /* indices of the histogram's buckets; not of a gap */
	int from, to;	    /* bucket numbers in the scheme, including empty ones */
	size_t summit;	    /* top cell of its hill, by union-find, once reached */
	bool gap, reached, saddle;
};

struct landscape {
	struct cell *cell;
	size_t *order; /* cells by falling height */
	size_t n, n_filled;
};

/* Returns the octaves of the latencies that are possible between two edges; 0 below zero. */
static double octaves_between(const struct histogram *h, double low, double high)
{
	histogram_narrow(h, &low, &high);
	return low > 0 ? log2(high / low) : 0;
}

/* The width of bucket i in octaves.  A bucket that reaches to zero counts as wide as its neighbour;
 * one without an upper edge as an octave, since its calls may lie anywhere above. */
static double width_of(const struct histogram *h, int i)
{
	const struct bucket_scheme *s = h->scheme;
	double width;

	if (i >= s->limit)
		return 1;
	if (s->kind == BUCKET_LOG2 && !(h->granularity > 0))
		return 1.0 / s->resolution;
	if (!(bucket_low(s, i) > 0) && ++i >= s->limit)
		return 1;
	width = octaves_between(h, bucket_low(s, i), bucket_high(s, i));
	return width > 0 ? width : 1;
}

/* The number of the grain's cell that holds a latency above 0; tolerates rounding of edges.  Finer
 * cells lie within coarser ones. */
static double place_in(double grain, double latency)
{
	return floor(grain * (log2(latency) + 1e-10));
}

static bool begins_in(const struct bucket_scheme *s, int i, double grain, double position)
{
	double low = bucket_low(s, i);

	return low > 0 && place_in(grain, low) == position;
}

/* Finds the range of the scheme's buckets that begin in the same cell as bucket i. */
static void find_neighbours(const struct bucket_scheme *s, int i, double grain, int *from, int *to)
{
	double low = bucket_low(s, i), position;

	*from = *to = i;
	if (grain == 0 || !(low > 0) || i >= s->limit)
		return;
	position = place_in(grain, low);
	*from = bucket_find(s, exp2(position / grain));
	*from += !begins_in(s, *from, grain, position);
	*to = bucket_find(s, exp2((position + 1) / grain));
	*to -= *to >= s->limit || !begins_in(s, *to, grain, position);
}

static double width_of_cell(const struct histogram *h, const struct cell *c)
{
	if (c->from == c->to)
		return width_of(h, c->from);
	return octaves_between(h, bucket_low(h->scheme, c->from), bucket_high(h->scheme, c->to));
}

/* Returns the gap between two cells; its width is 0 if no latency could lie in it. */
static struct cell gap_between(const struct histogram *h, const struct cell *before,
			       const struct cell *after)
{
	double low = bucket_high(h->scheme, before->to), high = bucket_low(h->scheme, after->from);
	struct cell gap = { .gap = true, .width = 0 };

	if (after->from != before->to + 1 && histogram_can_hold(h, low, high))
		gap.width = low > 0 ? log2(high / low) : HUGE_VAL;
	return gap;
}

/* Makes the landscape of the buckets from first to last. */
static void lay_out(struct landscape *l, const struct histogram *h, size_t first, size_t last,
		    double grain)
{
	struct cell *before = NULL;

	l->n = l->n_filled = 0;
	for (size_t i = first; i <= last; i++) {
		struct cell c = { .count = h->bucket[i].count, .first = i, .last = i };

		if (before != NULL && h->bucket[i].edges->index <= before->to) {
			before->count += c.count;
			before->last = i;
			continue;
		}
		find_neighbours(h->scheme, h->bucket[i].edges->index, grain, &c.from, &c.to);
		if (before != NULL) {
			l->cell[l->n] = gap_between(h, before, &c);
			l->n += l->cell[l->n].width > 0;
		}
		before = &l->cell[l->n++];
		*before = c;
		l->n_filled++;
	}
	for (size_t i = 0; i < l->n; i++) {
		struct cell *c = &l->cell[i];

		if (!c->gap)
			c->width = width_of_cell(h, c);
		c->height = c->gap ? 0 : (double)c->count / c->width;
	}
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

/* Heap sort, since it is in place and never quadratic. */
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

/* Whether a summit stands out from a saddle (struct peak_rules).  Of cells that differ in width,
 * the wider one's count is scaled to the width of the other. */
static bool stands_out(const struct cell *summit, const struct cell *saddle, double min_z,
		       double min_ratio)
{
	double width = fmin(summit->width, saddle->width);
	double p = (double)summit->count * (width / summit->width);
	double v = saddle->count == 0 ? 0 : (double)saddle->count * (width / saddle->width);
	double z = 2 * (sqrt(p + 0.375) - sqrt(v + 0.375));

	return z >= min_z * M_SQRT2 && (p + 0.5) / (v + 0.5) >= min_ratio;
}

static double min_z_of(const struct peak_rules *rules, size_t n_buckets)
{
	double more = (double)n_buckets / rules->usual_buckets;

	return more > 1 ? sqrt(rules->min_z * rules->min_z + 4 * log(more)) : rules->min_z;
}

/* Visits cells from the top.  Where two hills meet, the lower one joins the higher one, and the
 * saddle is marked if the lower one stands out. */
static void flood_cells(struct landscape *l, const struct peak_rules *rules)
{
	double min_z = min_z_of(rules, l->n_filled);

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
		if (stands_out(&l->cell[low], c, min_z, rules->min_ratio))
			c->saddle = true;
		else
			l->cell[low].summit = high;
	}
}

/* Leaves out 5 % of the calls at either end, so that a few stray calls do not widen a peak. */
static void find_core(struct peak *p, const struct histogram *h)
{
	const double tail = 0.05 * (double)p->count;
	size_t first = p->first, last = p->last;
	double below = (double)h->bucket[first].count, above = (double)h->bucket[last].count;

	while (first < p->mode && below <= tail)
		below += (double)h->bucket[++first].count;
	while (last > p->mode && above <= tail)
		above += (double)h->bucket[--last].count;
	p->core_low = h->bucket[first].edges->low;
	p->core_high = h->bucket[last].edges->high;
}

static void measure_peak(struct peak *p, const struct histogram *h)
{
	double octaves = 0;

	p->low = h->bucket[p->first].edges->low;
	p->high = h->bucket[p->last].edges->high;
	p->mode = p->first;
	for (size_t i = p->first; i <= p->last; i++) {
		const struct bucket *b = &h->bucket[i];
		double mean = histogram_bucket_mean(h, i);

		p->count += b->count;
		p->total += (double)b->count * mean;
		p->position += (double)b->count * bucket_position(h->scheme, b->edges->index);
		octaves += (double)b->count * log2(mean);
		if (b->count > h->bucket[p->mode].count)
			p->mode = i;
	}
	p->share = (double)p->count / (double)h->count;
	p->mean = p->total / (double)p->count;
	p->position /= (double)p->count;
	p->typical = isfinite(octaves) ? exp2(octaves / (double)p->count) : p->mean;
	find_core(p, h);
}

static const struct cell *lowest_within(const struct landscape *l)
{
	const struct cell *lowest = &l->cell[1];

	for (size_t i = 1; i + 1 < l->n; i++) {
		if (l->cell[i].height < lowest->height)
			lowest = &l->cell[i];
	}
	return lowest;
}

/* Returns the first bucket after a saddle at buckets first..last, which is where finer cells among
 * them are lowest.  A single bucket goes to the left peak if `left`, the higher neighbour. */
static size_t bucket_after(struct landscape *spare, const struct histogram *h, size_t first,
			   size_t last, size_t g, bool left)
{
	const struct cell *c;

	if (g == COUNT_OF(grains) || first == last)
		return left ? last + 1 : first;
	lay_out(spare, h, first - 1, last + 1, grains[g]);
	c = lowest_within(spare);
	return c->gap ? (c + 1)->first : bucket_after(spare, h, c->first, c->last, g + 1, left);
}

/* Searches for peaks within buckets first..last, and marks the buckets where they begin. */
static void split_range(struct landscape *l, struct landscape *spare, const struct histogram *h,
			size_t first, size_t last, size_t g, const struct peak_rules *rules,
			bool *begins)
{
	lay_out(l, h, first, last, grains[g]);
	if (grains[g] > 0 && l->n_filled == last - first + 1)
		return;
	sort_by_height(l);
	flood_cells(l, rules);
	for (size_t i = 0; i < l->n; i++) {
		const struct cell *c = &l->cell[i];

		if (c->saddle && c->gap)
			begins[(c + 1)->first] = true;
		else if (c->saddle)
			begins[bucket_after(spare, h, c->first, c->last, g + 1,
					    (c - 1)->height >= (c + 1)->height)] = true;
	}
}

static size_t last_of(const struct histogram *h, const bool *begins, size_t first)
{
	size_t last = first;

	while (last + 1 < h->n && !begins[last + 1])
		last++;
	return last;
}

static bool is_finer(const struct bucket_scheme *s, double grain)
{
	return grain == 0 || s->kind != BUCKET_LOG2 || (double)s->resolution > grain;
}

/* Searches with coarse cells first and single buckets last, each time within the known peaks. */
static void find_beginnings(struct landscape *l, struct landscape *spare, const struct histogram *h,
			    const struct peak_rules *rules, bool *begins)
{
	for (size_t g = 0; g < COUNT_OF(grains); g++) {
		size_t last;

		for (size_t first = 0; is_finer(h->scheme, grains[g]) && first < h->n;
		     first = last + 1) {
			last = last_of(h, begins, first);
			split_range(l, spare, h, first, last, g, rules, begins);
		}
	}
}

static struct peaks peaks_from(struct arena *a, const struct histogram *h, const bool *begins)
{
	struct peaks r = { .n = 0 };
	size_t n = 1, last;

	for (size_t i = 1; i < h->n; i++)
		n += begins[i];
	r.v = arena_make(a, struct peak, n);
	for (size_t first = 0; first < h->n; first = last + 1) {
		struct peak *p = &r.v[r.n++];

		last = last_of(h, begins, first);
		p->first = first;
		p->last = last;
		measure_peak(p, h);
	}
	return r;
}

struct peaks peaks_find(struct arena *a, const struct histogram *h, const struct peak_rules *rules)
{
	struct histogram shape = *h; /* with the step of its clock, if that can be seen */
	struct cell few_cells[2][2 * FEW];
	size_t few_order[2 * FEW];
	bool few_begin[FEW] = { false };
	bool many = h->n > FEW, *begins = many ? xcalloc(h->n, sizeof(bool)) : few_begin;
	struct landscape l = { few_cells[0], few_order, 0, 0 };
	struct landscape spare = { few_cells[1], NULL, 0, 0 };
	struct peaks r;

	if (h->n == 0)
		return (struct peaks){ .n = 0 };
	shape.granularity = comb_step(h, rules->chance);
	if (many) {
		l.cell = xcalloc(2 * h->n, sizeof(*l.cell));
		l.order = xcalloc(2 * h->n, sizeof(*l.order));
		spare.cell = xcalloc(2 * h->n, sizeof(*spare.cell));
	}
	find_beginnings(&l, &spare, &shape, rules, begins);
	peaks_mark_slow(&shape, rules, begins);
	r = peaks_from(a, h, begins);
	if (many) {
		free(l.cell);
		free(l.order);
		free(spare.cell);
		free(begins);
	}
	return r;
}
