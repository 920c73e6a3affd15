/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/stats/permutation.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/stats/random.h"
#include "base/arena.h"
#include "base/xalloc.h"

/* --- which runs change sides -------------------------------------------------------- */

static double count_ways(size_t n, size_t k)
{
	double r = 1;

	for (size_t i = 1; i <= k; i++)
		r = r * (double)(n - k + i) / (double)i;
	return r;
}

static uint64_t lowest_bits(size_t n)
{
	return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

/* The next larger number with the same number of bits set. */
static uint64_t next_mask(uint64_t m)
{
	uint64_t low = m & -m, carried = m + low;

	return carried | (((m ^ carried) >> 2) / low);
}

/* Draws `wanted` of n runs, all sets being equally likely (Knuth's algorithm S). */
static uint64_t draw_mask(size_t n, size_t wanted, uint64_t *state)
{
	uint64_t mask = 0;

	for (size_t i = 0; i < n && wanted > 0; i++) {
		if (random_share(state) * (double)(n - i) < (double)wanted) {
			mask |= UINT64_C(1) << i;
			wanted--;
		}
	}
	return mask;
}

static int by_number(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;

	return (a > b) - (a < b);
}

struct permutations permutations_make(struct arena *a, size_t n_before, size_t n_after, size_t max,
				      uint64_t seed)
{
	struct permutations r = { .n_before = n_before, .n_runs = n_before + n_after };
	double all = count_ways(r.n_runs, n_before);
	uint64_t m = lowest_bits(n_before);

	assert(r.n_runs <= MAX_RUNS_PERMUTED && n_before > 0 && n_after > 0);
	r.all = all <= (double)max;
	r.n = r.all ? (size_t)(all + 0.5) : max;
	r.mask = arena_make(a, uint64_t, r.n);
	for (size_t i = 0; i < r.n; i++) {
		r.mask[i] = r.all ? m : draw_mask(r.n_runs, n_before, &seed);
		if (r.all && i + 1 < r.n)
			m = next_mask(m);
	}
	qsort(r.mask, r.n, sizeof(*r.mask), by_number);
	return r;
}

/* --- distances ----------------------------------------------------------------------- */

/*
 * With the mean over all runs subtracted, all runs sum to 0, so F_before - F_after is
 * (1/nb + 1/na) times the sum over the runs before.  A permutation then costs one sum, and
 * no number is larger than the differences between runs.
 *
 * Most distances are far from the observed one, so single precision is enough to compare
 * them.  Where rounding could matter, the distance is computed again in double precision.
 */
enum { LANES = 4, MAX_IN_BLOCK = 10 };

struct shapes {
	size_t n_runs, n;  /* n: cells, padded with empty ones to a multiple of LANES */
	double *away;	   /* [run * n + cell]: deviation from the mean of all runs, weighted */
	size_t n_in_block; /* runs of a block, which holds the sum of every subset of them */
	size_t n_blocks;
	float *sum; /* [((block << n_in_block) + set) * n + cell] */
};

static void fill_away(struct shapes *s, const struct permutations *r, const struct grid *g)
{
	double weight = 1 / (double)r->n_before + 1 / (double)(r->n_runs - r->n_before);

	memset(s->away, 0, s->n_runs * s->n * sizeof(*s->away));
	for (size_t i = 0; i + 1 < g->n; i++) {
		double mean = 0, width = g->position[i + 1] - g->position[i];

		for (size_t k = 0; k < r->n_runs; k++)
			mean += g->cdf[k * g->n + i] / (double)r->n_runs;
		for (size_t k = 0; k < r->n_runs; k++)
			s->away[k * s->n + i] = (g->cdf[k * g->n + i] - mean) * width * weight;
	}
}

/* Fills the sum of each subset of a block's runs, from that of the subset without its last run. */
static void fill_sums(struct shapes *s)
{
	for (size_t k = 0; k < s->n_runs; k++) {
		float *block = s->sum + ((k / s->n_in_block) << s->n_in_block) * s->n;
		size_t bit = (size_t)1 << (k % s->n_in_block);

		if (bit == 1)
			memset(block, 0, s->n * sizeof(*block));
		for (size_t i = 0; i < s->n; i++)
			block[bit * s->n + i] = (float)s->away[k * s->n + i];
		for (size_t set = bit + 1; set < 2 * bit; set++) {
			for (size_t i = 0; i < s->n; i++)
				block[set * s->n + i] =
					block[(set - bit) * s->n + i] + block[bit * s->n + i];
		}
	}
}

static double distance_of(const struct shapes *s, uint64_t mask)
{
	double distance = 0;

	for (size_t i = 0; i < s->n; i++) {
		double x = 0;

		for (size_t k = 0; k < s->n_runs; k++)
			x += mask >> k & 1 ? s->away[k * s->n + i] : 0;
		distance += fabs(x);
	}
	return distance;
}

/* An upper bound of the rounding error of single_distance(): each addition and conversion is off by
 * at most 2^-24 of the sum of all magnitudes. */
static double reach_of_rounding(const struct shapes *s)
{
	double all = 0, steps = (double)(2 * s->n_runs + s->n / LANES + LANES);

	for (size_t i = 0; i < s->n_runs * s->n; i++)
		all += fabs(s->away[i]);
	return steps * 0x1p-23 * all;
}

/* Four cells at a time, with the vector extension of GCC and Clang, which any machine supports: a
 * plain loop over lanes is half as fast at -O3. */
typedef float lanes __attribute__((vector_size(LANES * sizeof(float)), aligned(4), may_alias));
typedef int32_t lane_bits __attribute__((vector_size(LANES * sizeof(float))));

static lanes absolute_lanes(lanes x)
{
	return (lanes)((lane_bits)x & INT32_MAX);
}

static float single_distance(const float *upper, const float *lower, size_t n)
{
	lanes sum = { 0 };

	for (size_t i = 0; i < n; i += LANES)
		sum += absolute_lanes(*(const lanes *)(upper + i) + *(const lanes *)(lower + i));
	return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static void add_upper(const struct shapes *s, uint64_t mask, float *ret)
{
	uint64_t sets = ((uint64_t)1 << s->n_in_block) - 1;

	memset(ret, 0, s->n * sizeof(*ret));
	for (size_t b = 1; b < s->n_blocks; b++) {
		uint64_t set = mask >> (b * s->n_in_block) & sets;
		const float *from = s->sum + ((b << s->n_in_block) + set) * s->n;

		for (size_t i = 0; i < s->n; i++)
			ret[i] += from[i];
	}
}

/* Counts the permutations with a distance of at least `enough`.  Masks ascend, so consecutive ones
 * often share all blocks but the lowest. */
static size_t count_reached(const struct shapes *s, const struct permutations *r, double enough)
{
	double reach = reach_of_rounding(s);
	uint64_t lower = ((uint64_t)1 << s->n_in_block) - 1;
	float *upper = xcalloc(s->n + 1, sizeof(*upper));
	size_t reached = 0;

	for (size_t i = 0; i < r->n; i++) {
		uint64_t m = r->mask[i];
		double distance;

		if (i == 0 || ((m ^ r->mask[i - 1]) & ~lower) != 0)
			add_upper(s, m, upper);
		distance = (double)single_distance(upper, s->sum + (m & lower) * s->n, s->n);
		if (fabs(distance - enough) <= reach)
			distance = distance_of(s, m);
		reached += distance >= enough;
	}
	free(upper);
	return reached;
}

void permutation_room_release(struct permutation_room *room)
{
	free(room->away);
	free(room->sum);
	*room = (struct permutation_room){ 0 };
}

static void make_room(struct permutation_room *room, size_t n_away, size_t n_sum)
{
	if (n_away > room->n_away) {
		free(room->away);
		room->away = xcalloc(n_away, sizeof(*room->away));
		room->n_away = n_away;
	}
	if (n_sum > room->n_sum) {
		free(room->sum);
		room->sum = xcalloc(n_sum, sizeof(*room->sum));
		room->n_sum = n_sum;
	}
}

double permutation_p(const struct permutations *r, const struct grid *g,
		     struct permutation_room *room, double *ret_distance)
{
	struct shapes s = { .n_runs = r->n_runs };
	size_t reached;
	double seen;

	s.n = g->n > 0 ? (g->n - 1 + LANES - 1) / LANES * LANES : 0;
	s.n_blocks = (r->n_runs + MAX_IN_BLOCK - 1) / MAX_IN_BLOCK;
	s.n_in_block = (r->n_runs + s.n_blocks - 1) / s.n_blocks;
	make_room(room, r->n_runs * s.n + 1, (s.n_blocks << s.n_in_block) * s.n + 1);
	s.away = room->away;
	s.sum = room->sum;
	fill_away(&s, r, g);
	fill_sums(&s);
	seen = distance_of(&s, lowest_bits(r->n_before));
	/* Sums taken in another order differ in their last bits; count these as ties. */
	reached = count_reached(&s, r, seen - 1e-9 * (1 + seen));
	*ret_distance = seen;
	return r->all ? (double)reached / (double)r->n : (double)(reached + 1) / (double)(r->n + 1);
}
