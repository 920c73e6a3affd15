/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/relabel.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/xalloc.h"

/* --- which runs change sides -------------------------------------------------------- */

static double ways(size_t n, size_t k)
{
	double r = 1;

	for (size_t i = 1; i <= k; i++)
		r = r * (double)(n - k + i) / (double)i;
	return r;
}

static uint64_t lowest(size_t n)
{
	return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

/* The next larger number with as many bits. */
static uint64_t next_mask(uint64_t m)
{
	uint64_t low = m & -m, carried = m + low;

	return carried | (((m ^ carried) >> 2) / low);
}

/* splitmix64: the same numbers everywhere. */
static uint64_t draw(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* `wanted` of n runs, each set as likely as the others (Knuth's algorithm S). */
static uint64_t draw_mask(size_t n, size_t wanted, uint64_t *state)
{
	uint64_t mask = 0;

	for (size_t i = 0; i < n && wanted > 0; i++) {
		if ((double)(draw(state) >> 11) * 0x1p-53 * (double)(n - i) < (double)wanted) {
			mask |= UINT64_C(1) << i;
			wanted--;
		}
	}
	return mask;
}

struct relabelings relabelings_make(struct arena *a, size_t n_before, size_t n_after, size_t most,
				    uint64_t seed)
{
	struct relabelings r = { .n_before = n_before, .n_runs = n_before + n_after };
	double all = ways(r.n_runs, n_before);
	uint64_t m = lowest(n_before);

	assert(r.n_runs <= MOST_RUNS_RELABELED && n_before > 0 && n_after > 0);
	r.all = all <= (double)most;
	r.n = r.all ? (size_t)(all + 0.5) : most;
	r.mask = arena_make(a, uint64_t, r.n);
	for (size_t i = 0; i < r.n; i++) {
		r.mask[i] = r.all ? m : draw_mask(r.n_runs, n_before, &seed);
		if (r.all && i + 1 < r.n)
			m = next_mask(m);
	}
	return r;
}

/* --- sums of any set of runs --------------------------------------------------------- */

/* Runs in blocks of 7: what each of the 128 sets of a block adds up to is made once,
 * and a relabeling takes one sum from each block. */
enum { LANES = 4 };
enum { BLOCK = 7, SETS = 1 << BLOCK, MOST_BLOCKS = (MOST_RUNS_RELABELED + BLOCK - 1) / BLOCK };

struct sums {
	size_t n, n_blocks; /* cells, the last ones empty */
	double *set;	    /* [(block * SETS + set) * n + cell], weighted */
	double *base;	    /* [cell]: subtracted from what the blocks add up to */
};

/* F_before - F_after is sum over before of F (1/nb + 1/na) less sum of all F / na. */
static void fill_sums(struct sums *s, const struct relabelings *r, const struct grid *g)
{
	double na = (double)(r->n_runs - r->n_before), weight = 1 / (double)r->n_before + 1 / na;

	for (size_t k = 0; k < r->n_runs; k++) {
		double *block = s->set + (k / BLOCK) * SETS * s->n;
		size_t bit = (size_t)1 << (k % BLOCK);

		for (size_t set = bit; set < 2 * bit; set++) {
			for (size_t i = 0; i + 1 < g->n; i++) {
				double width = g->place[i + 1] - g->place[i];

				block[set * s->n + i] = block[(set - bit) * s->n + i] +
							g->cdf[k * g->n + i] * width * weight;
			}
		}
		for (size_t i = 0; i + 1 < g->n; i++)
			s->base[i] += g->cdf[k * g->n + i] * (g->place[i + 1] - g->place[i]) / na;
	}
}

/* Four cells at a time, each with a sum of its own: additions need not wait for one
 * another. */
static double distance_of(const struct sums *s, uint64_t mask)
{
	const double *from[MOST_BLOCKS];
	double sum[LANES] = { 0 };

	for (size_t b = 0; b < s->n_blocks; b++)
		from[b] = s->set + (b * SETS + (mask >> (b * BLOCK) & (SETS - 1))) * s->n;
	for (size_t i = 0; i < s->n; i += LANES) {
		double x[LANES];

		for (size_t k = 0; k < LANES; k++)
			x[k] = from[0][i + k] - s->base[i + k];
		for (size_t b = 1; b < s->n_blocks; b++) {
			for (size_t k = 0; k < LANES; k++)
				x[k] += from[b][i + k];
		}
		for (size_t k = 0; k < LANES; k++)
			sum[k] += fabs(x[k]);
	}
	return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

double relabel_p(const struct relabelings *r, const struct grid *g, double *ret_distance)
{
	struct sums s = { .n = g->n > 0 ? (g->n - 1 + LANES - 1) / LANES * LANES : 0 };
	size_t reached = 0;
	double seen, enough;

	s.n_blocks = (r->n_runs + BLOCK - 1) / BLOCK;
	s.set = xcalloc(s.n_blocks * SETS * s.n + s.n + 1, sizeof(*s.set));
	s.base = s.set + s.n_blocks * SETS * s.n;
	fill_sums(&s, r, g);
	seen = distance_of(&s, lowest(r->n_before));
	/* Sums in another order differ in their last bits: those are ties. */
	enough = seen - 1e-9 * (1 + seen);
	for (size_t i = 0; i < r->n; i++)
		reached += distance_of(&s, r->mask[i]) >= enough;
	free(s.set);
	*ret_distance = seen;
	return r->all ? (double)reached / (double)r->n : (double)(reached + 1) / (double)(r->n + 1);
}
