/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the calls to explain and the calls to compare them with. */
#include <string.h>

#include "analyze/align.h"
#include "analyze/causes/causes.h"
#include "analyze/distance.h"
#include "base/arena.h"

const struct cause_rules cause_rules_default = {
	.min_share = 0.10,
	.percentage = 0.5,
	.usual = 0.99,
	.mark = 0.8,
	.mark_against = 0.2,
	.min_peak = 20,
	.min_calls = 5,
	.value_q = 0.05,
	.value_difference = 0.10,
	.max_overhead = 0.10,
	.shifted = 0.5,
};

const char *cause_what_name(enum cause_what w)
{
	static const char *const names[] = {
		[CHOSEN_PEAK] = "peak",	    [CHOSEN_RANGE] = "range",	[CHOSEN_AFTER] = "after",
		[CHOSEN_BEFORE] = "before", [CHOSEN_FASTER] = "faster", [CHOSEN_OTHERS] = "others",
		[CHOSEN_ALL] = "all",	    [CHOSEN_NONE] = "none",
	};

	return names[w];
}

/* --- the function's own histogram ------------------------------------------------------- */

/* The bucket of the scheme that a bucket of the tree lies in; a range's edges split buckets. */
static int scheme_bucket(const struct bucket_scheme *s, const struct call_tree *t, uint32_t bucket)
{
	return bucket == 0 ? s->first - 1 : bucket_find(s, t->edge[bucket] * (1 + 1e-12));
}

static struct histogram histogram_of(struct arena *a, const struct call_tree *t)
{
	struct bucket_scheme scheme = bucket_log2(CALL_TREE_RESOLUTION);
	struct histogram h = { .scheme = bucket_scheme_copy(a, &scheme) };
	uint64_t *count = arena_alloc(a, t->n_edges, sizeof(*count));

	for (uint32_t i = 0; i < t->n_cells; i++) {
		if (t->cell[i].node == 0)
			count[t->cell[i].bucket] += t->cell[i].present;
	}
	h.bucket = arena_alloc(a, t->n_edges, sizeof(*h.bucket));
	for (uint32_t i = 0; i < t->n_edges; i++) {
		int index = scheme_bucket(h.scheme, t, i);

		if (count[i] == 0)
			continue;
		h.count += count[i];
		if (h.n > 0 && h.bucket[h.n - 1].edges->index == index)
			h.bucket[h.n - 1].count += count[i];
		else
			h.bucket[h.n++] =
				(struct bucket){ edges_make(a, h.scheme, index), count[i] };
	}
	return h;
}

struct peaks cause_peaks(struct arena *a, const struct call_tree *t, struct histogram *ret)
{
	*ret = histogram_of(a, t);
	return peaks_find(a, ret, &peak_rules_default);
}

double cause_distance(const struct histogram *before, const struct histogram *after)
{
	struct aligned aligned;
	double octaves;

	if (before->count == 0 || after->count == 0)
		return NAN;
	aligned_init(&aligned);
	align(&aligned, before, after, 1);
	octaves = distance_at(METRIC_EMD)->between(&aligned);
	aligned_release(&aligned);
	return octaves;
}

/* --- choices ------------------------------------------------------------------------------- */

static struct cause_choice choice_of(struct arena *a, const struct call_tree *t,
				     enum cause_what what, double low, double high, bool inside)
{
	struct cause_choice c = { .what = what, .low = low, .high = high };
	bool *bucket = arena_alloc(a, t->n_edges, sizeof(*bucket));

	for (uint32_t i = 0; i < t->n_edges; i++) {
		bool within = t->edge[i] >= low * (1 - 1e-12) && t->edge[i] < high * (1 - 1e-12);

		bucket[i] = within == inside;
	}
	for (uint32_t i = 0; i < t->n_edges; i++) {
		const struct call_cell *cell = bucket[i] ? call_tree_find_cell(t, 0, i) : NULL;

		if (cell == NULL)
			continue;
		c.count += cell->present;
		c.total += (double)cell->total;
	}
	c.mean = c.count > 0 ? c.total / (double)c.count : 0;
	c.bucket = bucket;
	return c;
}

/* Chooses the calls of a range as closely as the tree's buckets allow: a saved tree may lack the
 * edges of the range. */
static struct cause_choice range_choice(struct arena *a, const struct call_tree *t, double low,
					double high)
{
	struct cause_choice c = choice_of(a, t, CHOSEN_RANGE, low, high, true);
	uint32_t first = 0, end;

	while (first + 1 < t->n_edges && !c.bucket[first])
		first++;
	for (end = first; end < t->n_edges && c.bucket[end]; end++)
		;
	if (end == first)
		return c;
	c.low = t->edge[first];
	if (end < t->n_edges)
		c.high = t->edge[end];
	return c;
}

static struct cause_choice no_choice(struct arena *a, const struct call_tree *t)
{
	return choice_of(a, t, CHOSEN_NONE, 0, 0, true);
}

static struct cause_choice peak_choice(struct arena *a, const struct call_tree *t,
				       const struct peaks *peaks, size_t number)
{
	const struct peak *p = &peaks->v[number - 1];
	struct cause_choice c = choice_of(a, t, CHOSEN_PEAK, p->low, p->high, true);

	c.number = number;
	return c;
}

/* The nearest faster peak with enough calls; else all faster calls; else none. */
static struct cause_choice usual_against(struct arena *a, const struct call_tree *t,
					 const struct peaks *peaks, const struct cause_choice *c,
					 const struct cause_rules *rules)
{
	struct cause_choice faster;

	for (size_t k = c->number; c->what == CHOSEN_PEAK && k-- > 1;) {
		if (peaks->v[k - 1].count >= rules->min_peak)
			return peak_choice(a, t, peaks, k);
	}
	faster = choice_of(a, t, CHOSEN_FASTER, 0, c->low, true);
	return faster.count > 0 ? faster : no_choice(a, t);
}

static bool against_of(struct arena *a, const struct call_tree *t, const struct peaks *peaks,
		       const struct cause_question *q, const struct cause_rules *rules,
		       const struct cause_choice *chosen, struct cause_choice *ret)
{
	if (q->method == CAUSES_TIME || q->against == CHOSEN_NONE)
		*ret = no_choice(a, t);
	else if (q->against == CHOSEN_FASTER)
		*ret = choice_of(a, t, CHOSEN_FASTER, 0, chosen->low, true);
	else if (q->against == CHOSEN_OTHERS)
		*ret = choice_of(a, t, CHOSEN_OTHERS, chosen->low, chosen->high, false);
	else if (q->against == CHOSEN_PEAK && q->against_peak > peaks->n)
		return false;
	else if (q->against == CHOSEN_PEAK)
		*ret = peak_choice(a, t, peaks, q->against_peak);
	else
		*ret = usual_against(a, t, peaks, chosen, rules);
	return true;
}

/* The peak with the largest product of its calls and the time that they take longer. */
static size_t costliest_peak(struct arena *a, const struct call_tree *t, const struct peaks *peaks,
			     const struct cause_rules *rules)
{
	double max = -1;
	size_t best = peaks->n;

	for (size_t k = 2; k <= peaks->n; k++) {
		struct cause_choice c = peak_choice(a, t, peaks, k);
		struct cause_choice r = usual_against(a, t, peaks, &c, rules);
		double cost = (double)c.count * (c.mean - r.mean);

		if (cost > max) {
			max = cost;
			best = k;
		}
	}
	return best;
}

static enum cause_error choose_calls(struct arena *a, const struct call_tree *t,
				     const struct peaks *peaks, const struct cause_question *q,
				     const struct cause_rules *rules, struct cause_choice *ret)
{
	if (q->peak > peaks->n)
		return CAUSE_NO_SUCH_PEAK;
	if (q->range)
		*ret = range_choice(a, t, q->low, q->high);
	else if (q->peak > 0)
		*ret = peak_choice(a, t, peaks, q->peak);
	else if (peaks->n > 1)
		*ret = peak_choice(a, t, peaks, costliest_peak(a, t, peaks, rules));
	else
		*ret = choice_of(a, t, CHOSEN_ALL, 0, HUGE_VAL, true);
	return ret->count > 0 ? CAUSE_OK : CAUSE_NO_CALLS;
}

enum cause_error causes_choose(struct arena *a, const struct call_tree *t,
			       const struct peaks *peaks, const struct cause_question *q,
			       const struct cause_rules *rules, struct cause_choice *ret_chosen,
			       struct cause_choice *ret_against)
{
	enum cause_error trouble = choose_calls(a, t, peaks, q, rules, ret_chosen);

	if (trouble != CAUSE_OK)
		return trouble;
	return against_of(a, t, peaks, q, rules, ret_chosen, ret_against) ? CAUSE_OK
									  : CAUSE_NO_SUCH_PEAK;
}

/* The number of the peak before that a peak after matches; 0 when it was gained. */
static size_t partner_of(struct arena *a, const struct peaks *before, const struct peaks *after,
			 size_t number)
{
	struct peak_pairs pairs = peaks_match(a, before, after, &match_rules_default);

	for (size_t i = 0; i < pairs.n; i++) {
		if (pairs.v[i].after == &after->v[number - 1] && pairs.v[i].before != NULL)
			return (size_t)(pairs.v[i].before - before->v) + 1;
	}
	return 0;
}

enum cause_error causes_choose_pair(struct arena *a, const struct call_tree *before,
				    const struct peaks *before_peaks, const struct call_tree *after,
				    const struct peaks *after_peaks, const struct cause_question *q,
				    const struct cause_rules *rules,
				    struct cause_choice *ret_chosen,
				    struct cause_choice *ret_against)
{
	size_t partner = 0;

	if (q->peak > after_peaks->n ||
	    (q->against == CHOSEN_PEAK && q->against_peak > before_peaks->n))
		return CAUSE_NO_SUCH_PEAK;
	(void)rules;
	if (q->range) {
		*ret_chosen = range_choice(a, after, q->low, q->high);
	} else if (q->peak > 0) {
		*ret_chosen = peak_choice(a, after, after_peaks, q->peak);
		partner = partner_of(a, before_peaks, after_peaks, q->peak);
	} else {
		*ret_chosen = choice_of(a, after, CHOSEN_AFTER, 0, HUGE_VAL, true);
	}
	if (q->against == CHOSEN_PEAK)
		partner = q->against_peak;
	if (q->method == CAUSES_TIME || q->against == CHOSEN_NONE)
		*ret_against = no_choice(a, before);
	else if (partner > 0)
		*ret_against = peak_choice(a, before, before_peaks, partner);
	else if (q->range)
		*ret_against = range_choice(a, before, q->low, q->high);
	else
		*ret_against = choice_of(a, before, CHOSEN_BEFORE, 0, HUGE_VAL, true);
	ret_chosen->side = CAUSE_SIDE_AFTER;
	ret_against->side = CAUSE_SIDE_BEFORE;
	return ret_chosen->count > 0 ? CAUSE_OK : CAUSE_NO_CALLS;
}
