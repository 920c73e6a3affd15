/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests how much information classes have about groups, compared with chance. */
#include <math.h>
#include <stdlib.h>

#include "analyze/stats/random.h"
#include "analyze/values/values_parts.h"
#include "base/xalloc.h"

static double n_log_n(double n)
{
	return n > 0 ? n * log2(n) : 0;
}

double values_entropy(const struct value_group *group, size_t n)
{
	double all = 0, sum = 0;

	for (size_t i = 0; i < n; i++) {
		all += (double)group[i].calls;
		sum += n_log_n((double)group[i].calls);
	}
	return all > 0 ? log2(all) - sum / all : 0;
}

/* --- hypergeometric numbers --------------------------------------------------------- */

static double log_choose(double n, double k)
{
	return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

/* Draws how many of `drawn` calls belong to a group that has `of` of `all` calls.  Inversion goes
 * outwards from the most likely number, so the number of steps is about the standard deviation. */
static uint64_t draw_count(uint64_t all, uint64_t of, uint64_t drawn, uint64_t *state)
{
	uint64_t lowest = drawn + of > all ? drawn + of - all : 0;
	uint64_t highest = drawn < of ? drawn : of;
	double n = (double)all, k = (double)of, m = (double)drawn;
	uint64_t up = (uint64_t)((m + 1) * (k + 1) / (n + 2)), down;
	double left, above, below;

	if (lowest == highest)
		return lowest;
	up = up < lowest ? lowest : up > highest ? highest : up;
	down = up;
	above = below = exp(log_choose(k, (double)up) + log_choose(n - k, m - (double)up) -
			    log_choose(n, m));
	left = random_share(state) - above;
	while (left >= 0 && (up < highest || down > lowest)) {
		if (up < highest) {
			double x = (double)up++;

			above *= (k - x) * (m - x) / ((x + 1) * (n - k - m + x + 1));
			left -= above;
			if (left < 0)
				return up;
		}
		if (down > lowest) {
			double x = (double)down--;

			below *= x * (n - k - m + x) / ((k - x + 1) * (m - x + 1));
			left -= below;
			if (left < 0)
				return down;
		}
	}
	return up; /* rounding errors: probabilities sum to 1 */
}

/* Draws a random table with the row sums of the classes and the column sums of the groups, which
 * `rest` holds and which are used up.  Returns the sum of n log n over its cells. */
static double draw_table(const struct separation *s, uint64_t *rest, size_t n_groups,
			 uint64_t *state)
{
	uint64_t all = 0;
	double sum = 0;

	for (size_t g = 0; g < n_groups; g++)
		all += rest[g];
	for (size_t i = 0; i < s->n; i++) {
		uint64_t row = s->class[i].calls, among = all;

		all -= row;
		for (size_t g = 0; g < n_groups; g++) {
			uint64_t n =
				g + 1 == n_groups ? row : draw_count(among, rest[g], row, state);

			among -= rest[g];
			rest[g] -= n;
			row -= n;
			sum += n_log_n((double)n);
		}
	}
	return sum;
}

/* --- the test ------------------------------------------------------------------------- */

static double cells_of(const struct separation *s, size_t n_groups)
{
	double sum = 0;

	for (size_t i = 0; i < s->n; i++) {
		for (size_t g = 0; g < n_groups; g++)
			sum += n_log_n((double)s->class[i].of_group[g]);
	}
	return sum;
}

/* Draws tables, and updates p; returns the total of draw_table() over them. */
static double draw_tables(struct separation *s, const struct value_group *group, size_t n_groups,
			  const struct value_rules *rules, size_t draws)
{
	uint64_t *rest = xcalloc(n_groups, sizeof(*rest));
	double observed = cells_of(s, n_groups), all = 0;

	while (s->draws < draws && s->as_telling < rules->enough) {
		double sum;

		for (size_t g = 0; g < n_groups; g++)
			rest[g] = group[g].calls;
		sum = draw_table(s, rest, n_groups, &s->random);
		s->as_telling += sum >= observed * (1 - 1e-12);
		all += sum;
		s->draws++;
	}
	free(rest);
	s->p = (double)(s->as_telling + 1) / (double)(s->draws + 1);
	return all;
}

void values_draw_more(struct separation *s, const struct value_group *group, size_t n_groups,
		      const struct value_rules *rules, size_t draws)
{
	(void)draw_tables(s, group, n_groups, rules, draws);
}

void values_test(struct separation *s, const struct value_group *group, size_t n_groups,
		 double entropy, const struct value_rules *rules, uint64_t seed)
{
	double observed = cells_of(s, n_groups), margins = 0, all = 0, chance;

	for (size_t g = 0; g < n_groups; g++) {
		all += (double)group[g].calls;
		margins += n_log_n((double)group[g].calls);
	}
	for (size_t i = 0; i < s->n; i++)
		margins += n_log_n((double)s->class[i].calls);
	s->random = seed;
	s->draws = s->as_telling = 0;
	chance = draw_tables(s, group, n_groups, rules, rules->permutations);
	s->information = fmax(0, (observed - margins) / all + log2(all));
	chance =
		s->draws > 0 ? fmax(0, (chance / (double)s->draws - margins) / all + log2(all)) : 0;
	s->share = entropy > chance ? fmax(0, (s->information - chance) / (entropy - chance)) : 0;
}

/* --- one cut between groups ---------------------------------------------------------------- */

static double entropy_of(double n, double all)
{
	return all > 0 ? (n_log_n(all) - n_log_n(n) - n_log_n(all - n)) / all : 0;
}

/* The share of the cut's entropy that the classes explain, less what so many classes explain by
 * chance (Miller-Madow correction). */
static double cut_share(const struct separation *s, const struct value_group *group,
			size_t n_groups, size_t cut)
{
	double all = 0, first = 0, left = 0, entropy, chance;

	for (size_t g = 0; g < n_groups; g++) {
		all += (double)group[g].calls;
		first += g < cut ? (double)group[g].calls : 0;
	}
	for (size_t i = 0; i < s->n; i++) {
		double n = (double)s->class[i].calls, of_first = 0;

		for (size_t g = 0; g < cut; g++)
			of_first += (double)s->class[i].of_group[g];
		left += n * entropy_of(of_first, n);
	}
	entropy = entropy_of(first, all);
	chance = (double)(s->n - 1) / (2 * all * log(2));
	return entropy > chance ? fmax(0, (entropy - left / all - chance) / (entropy - chance)) : 0;
}

void values_cut(struct separation *s, const struct value_group *group, size_t n_groups,
		uint64_t min_calls)
{
	uint64_t before = 0, all = 0;

	for (size_t g = 0; g < n_groups; g++)
		all += group[g].calls;
	for (size_t cut = 1; cut < n_groups; cut++) {
		double share;

		before += group[cut - 1].calls;
		if (before < min_calls || all - before < min_calls)
			continue;
		share = cut_share(s, group, n_groups, cut);
		if (s->cut == 0 || share > s->cut_share) {
			s->cut = cut;
			s->cut_share = share;
		}
	}
}
