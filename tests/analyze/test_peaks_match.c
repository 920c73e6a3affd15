/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which peak of one side is which of the other, and where calls went. */
#include "tests/analyze/made.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/peaks.h"
#include "base/arena.h"
#include "base/attr.h"
#include "tests/unit/cells.h"

static struct peaks find(struct arena *a, const struct profile *p, size_t op)
{
	return peaks_find(a, &p->op[op].hist, &peak_rules_default);
}

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static struct peak_pairs match(struct arena *a, const struct profile *p)
{
	struct peaks before = find(a, p, 0), after = find(a, p, 1);

	return peaks_match(a, &before, &after, &match_rules_default);
}

/* OSprof 6.1: with a second process llseek gains a right-hand peak, 25 % of its calls. */
static void a_new_peak_is_gained(void **state)
{
	struct profile *p =
		made_profile("op one\n7 2000\n8 6000\n9 200\n"
			     "op two\n7 1500\n8 4500\n9 100\n21 500\n22 1000\n23 500\n");
	struct arena *a = arena_new();
	struct peak_pairs m = match(a, p);

	(void)state;
	assert_int_equal(m.n, 2);
	assert_int_equal(m.v[0].change, PEAK_SHRANK); /* from all calls to three quarters */
	assert_int_equal(m.v[1].change, PEAK_GAINED);
	assert_null(m.v[1].before);
	assert_true(fabs(m.v[1].after->share - 0.247) < 0.001);
	arena_free(a);
	profile_free(p);
}

static void peaks_move_and_stay(void **state)
{
	struct profile *p = made_profile("op before\n8 1000\n16 900\n24 50\n"
					 "op after\n8 1000\n17 900\n");
	struct arena *a = arena_new();
	struct peak_pairs m = match(a, p);

	(void)state;
	assert_int_equal(m.n, 3);
	assert_int_equal(m.v[0].change, PEAK_KEPT);
	assert_int_equal(m.v[1].change, PEAK_MOVED);
	assert_int_equal(m.v[2].change, PEAK_LOST);
	arena_free(a);
	profile_free(p);
}

static double worth_of(const struct peak *b, const struct peak *a)
{
	double apart = fabs(b->position - a->position);

	return apart >= 0.35 ? 0 : (sqrt(b->share * a->share) + 1e-6) * (1 - apart / 0.7);
}

enum { MANY = 40 };

/* What the pairs of peaks from i and k on are worth at most, by trying everything. */
static double max_worth(const struct peaks *b, const struct peaks *a)
{
	double best[MANY + 1][MANY + 1] = { { 0 } };

	for (size_t i = b->n; i-- > 0;) {
		for (size_t k = a->n; k-- > 0;) {
			double paired = worth_of(&b->v[i], &a->v[k]) + best[i + 1][k + 1];

			best[i][k] = fmax(paired, fmax(best[i + 1][k], best[i][k + 1]));
		}
	}
	return best[0][0];
}

static struct peaks random_peaks(struct peak *v, double octaves, uint64_t *seed)
{
	struct peaks r = { v, next_random(seed) % (MANY + 1) };
	double position = (double)(next_random(seed) % 40) / 4;

	for (size_t i = 0; i < r.n; i++) {
		position += 0.01 + octaves * (double)(next_random(seed) % 100) / 100;
		v[i] = (struct peak){ .position = position,
				      .share = (double)(1 + next_random(seed) % 50) / 1000 };
	}
	return r;
}

static void no_pairs_are_worth_more(void **state)
{
	uint64_t seed = 7;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		struct peak before[MANY], after[MANY];
		double octaves = (double)(1 + round % 20) / 10, made = 0;
		struct peaks b = random_peaks(before, octaves, &seed);
		struct peaks c = random_peaks(after, octaves, &seed);
		struct arena *a = arena_new();
		struct peak_pairs m = peaks_match(a, &b, &c, &match_rules_default);

		for (size_t i = 0; i < m.n; i++) {
			if (m.v[i].before != NULL && m.v[i].after != NULL)
				made += worth_of(m.v[i].before, m.v[i].after);
		}
		assert_true(fabs(made - max_worth(&b, &c)) < 1e-9);
		arena_free(a);
	}
}

/* --- by hand -------------------------------------------------------------------------- */

enum { MAX = 6 };

/* Peaks as place and share, up to a share of 0; what is expected of them, in order, with the
 * numbers of the peaks of a pair; and links, with how much they carry. */
struct by_hand {
	const char *what;
	struct peak before[MAX], after[MAX];
	struct {
		int before, after; /* from 0; -1: none */
		enum peak_change change;
	} pair[MAX];
	size_t n_pairs;
	struct {
		size_t before, after;
		double share;
	} link[MAX];
	size_t n_links;
};

#define AT(octave, part)                                                                           \
	{                                                                                          \
		.position = (octave), .share = (part)                                              \
	}

static const struct by_hand cases[] = {
	{ "identical",
	  { AT(10, .7), AT(20, .3) },
	  { AT(10, .7), AT(20, .3) },
	  { { 0, 0, PEAK_KEPT }, { 1, 1, PEAK_KEPT } },
	  2,
	  { { 0, 0, .7 }, { 1, 1, .3 } },
	  2 },
	{ "all four octaves up",
	  { AT(10, .7), AT(20, .3) },
	  { AT(14, .7), AT(24, .3) },
	  { { 0, 0, PEAK_MOVED }, { 1, 1, PEAK_MOVED } },
	  2,
	  { { 0, 0, .7 }, { 1, 1, .3 } },
	  2 },
	{ "one of two, ten octaves up",
	  { AT(10, .7), AT(14, .3) },
	  { AT(14, .3), AT(20, .7) },
	  { { 1, 0, PEAK_KEPT }, { 0, 1, PEAK_MOVED } },
	  2,
	  { { 0, 1, .7 }, { 1, 0, .3 } },
	  2 },
	{ "a twentieth split off",
	  { AT(10, .6), AT(14, .4) },
	  { AT(10, .57), AT(14, .38), AT(24, .05) },
	  { { 0, 0, PEAK_KEPT }, { 1, 1, PEAK_KEPT }, { -1, 2, PEAK_GAINED } },
	  3,
	  { { 0, 0, .57 }, { 0, 2, .03 }, { 1, 1, .38 }, { 1, 2, .02 } },
	  4 },
	{ "two merge",
	  { AT(10, .6), AT(14, .4) },
	  { AT(12, 1) },
	  { { 0, 0, PEAK_MOVED }, { 1, -1, PEAK_LOST } },
	  2,
	  { { 0, 0, .6 }, { 1, 0, .4 } },
	  2 },
	{ "one splits",
	  { AT(12, 1) },
	  { AT(10, .4), AT(14, .6) },
	  { { -1, 0, PEAK_GAINED }, { 0, 1, PEAK_MOVED } },
	  2,
	  { { 0, 0, .4 }, { 0, 1, .6 } },
	  2 },
	{ "weights swap",
	  { AT(10, .9), AT(20, .1) },
	  { AT(10, .1), AT(20, .9) },
	  { { 0, 0, PEAK_SHRANK }, { 1, 1, PEAK_GREW } },
	  2,
	  { { 0, 0, .1 }, { 0, 1, .8 }, { 1, 1, .1 } },
	  3 },
	{ "nearly all move, some stay",
	  { AT(10, 1) },
	  { AT(10, .1), AT(19, .9) },
	  { { 0, 0, PEAK_SHRANK }, { -1, 1, PEAK_GAINED } },
	  2,
	  { { 0, 0, .1 }, { 0, 1, .9 } },
	  2 },
	{ "weights swap while both move a little",
	  { AT(10, .7), AT(12, .3) },
	  { AT(10.5, .3), AT(12.5, .7) },
	  { { 0, 0, PEAK_MOVED }, { 1, 1, PEAK_MOVED } },
	  2,
	  { { 0, 0, .3 }, { 0, 1, .4 }, { 1, 1, .3 } },
	  3 },
	{ "beyond 16 octaves calls are others",
	  { AT(10, .9), AT(12, .1) },
	  { AT(10, .9), AT(30, .1) },
	  { { 0, 0, PEAK_KEPT }, { 1, -1, PEAK_LOST }, { -1, 1, PEAK_GAINED } },
	  3,
	  { { 0, 0, .9 } },
	  1 },
	/* 0.5 of 12 go to 10, where 0.1 stay: the nearest peak, not the lost one beyond. */
	{ "a peak that absorbs its neighbour and a new one far away",
	  { AT(10, .1), AT(12, .9) },
	  { AT(10, .6), AT(12, .35), AT(25, .05) },
	  { { 0, 0, PEAK_GREW }, { 1, 1, PEAK_SHRANK }, { -1, 2, PEAK_GAINED } },
	  3,
	  { { 0, 0, .1 }, { 1, 0, .5 }, { 1, 1, .35 }, { 1, 2, .05 } },
	  4 },
	{ "of many slices none is the whole",
	  { AT(12, 1) },
	  { AT(2, .09), AT(4, .09), AT(6, .09), AT(8, .73) },
	  { { -1, 0, PEAK_GAINED },
	    { -1, 1, PEAK_GAINED },
	    { -1, 2, PEAK_GAINED },
	    { 0, 3, PEAK_MOVED } },
	  4,
	  { { 0, 0, .09 }, { 0, 1, .09 }, { 0, 2, .09 }, { 0, 3, .73 } },
	  4 },
};

static struct peaks listed(struct peak *v)
{
	struct peaks r = { v, 0 };

	while (r.n < MAX && v[r.n].share > 0)
		r.n++;
	return r;
}

static void worked_by_hand(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct by_hand c = cases[i];
		struct peaks b = listed(c.before), d = listed(c.after);
		struct arena *a = arena_new();
		struct peak_pairs m = peaks_match(a, &b, &d, &match_rules_default);

		print_message("%s\n", c.what);
		assert_int_equal(m.n, c.n_pairs);
		for (size_t k = 0; k < m.n; k++) {
			int nb = m.v[k].before != NULL ? (int)(m.v[k].before - b.v) : -1;
			int na = m.v[k].after != NULL ? (int)(m.v[k].after - d.v) : -1;

			assert_int_equal(nb, c.pair[k].before);
			assert_int_equal(na, c.pair[k].after);
			assert_int_equal(m.v[k].change, c.pair[k].change);
		}
		assert_int_equal(m.n_links, c.n_links);
		for (size_t k = 0; k < m.n_links; k++) {
			assert_ptr_equal(m.link[k].before, &b.v[c.link[k].before]);
			assert_ptr_equal(m.link[k].after, &d.v[c.link[k].after]);
			assert_true(fabs(m.link[k].share - c.link[k].share) < 1e-12);
		}
		arena_free(a);
	}
}

/* --- whatever the peaks ------------------------------------------------------------------ */

/* Each peak is in one pair, and where the pair lists of both sides say; no peak sends or gets
 * more calls than it has; what moved less than a third of an octave did not move. */
static void every_peak_is_in_one_pair(void **state)
{
	uint64_t seed = 99;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		struct peak before[MANY], after[MANY];
		double octaves = (double)(1 + round % 20) / 5;
		struct peaks b = random_peaks(before, octaves, &seed);
		struct peaks c = random_peaks(after, octaves, &seed);
		double sent[MANY] = { 0 }, got[MANY] = { 0 };
		struct arena *a = arena_new();
		struct peak_pairs m = peaks_match(a, &b, &c, &match_rules_default);
		size_t n = 0;

		for (size_t i = 0; i < b.n; i++)
			assert_ptr_equal(m.v[m.of_before[i]].before, &b.v[i]);
		for (size_t i = 0; i < c.n; i++)
			assert_ptr_equal(m.v[m.of_after[i]].after, &c.v[i]);
		for (size_t i = 0; i < m.n; i++) {
			const struct peak_pair *p = &m.v[i];

			n += (p->before != NULL) + (p->after != NULL);
			assert_true((p->change == PEAK_MOVED) ==
				    (p->before != NULL && p->after != NULL &&
				     fabs(p->before->position - p->after->position) >= 0.35));
		}
		assert_int_equal(n, b.n + c.n);
		for (size_t i = 0; i < m.n_links; i++) {
			sent[m.link[i].before - b.v] += m.link[i].share;
			got[m.link[i].after - c.v] += m.link[i].share;
		}
		for (size_t i = 0; i < b.n; i++)
			assert_true(sent[i] <= b.v[i].share + 1e-9);
		for (size_t i = 0; i < c.n; i++)
			assert_true(got[i] <= c.v[i].share + 1e-9);
		arena_free(a);
	}
}

/* Far more than can be weighed against each other: each is paired with its like. */
static void a_thicket_is_paired(void **state)
{
	enum { N = 8000 };
	struct peak *v = calloc(N, sizeof(*v));
	struct peaks b = { v, N };
	struct arena *a = arena_new();
	struct peak_pairs m;

	(void)state;
	assert_non_null(v);
	for (size_t i = 0; i < N; i++)
		v[i] = (struct peak){ .position = 10 + (double)i / N, .share = 1.0 / N };
	m = peaks_match(a, &b, &b, &match_rules_default);
	assert_int_equal(m.n, N);
	for (size_t i = 0; i < N; i++)
		assert_ptr_equal(m.v[i].before, m.v[i].after);
	arena_free(a);
	free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_peak_is_gained),
		cmocka_unit_test(peaks_move_and_stay),
		cmocka_unit_test(worked_by_hand),
		cmocka_unit_test(every_peak_is_in_one_pair),
		cmocka_unit_test(no_pairs_are_worth_more),
		cmocka_unit_test(a_thicket_is_paired),
	};

	return cmocka_run_group_tests_name("peaks_match", tests, NULL, NULL);
}
