/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/hosts/hosts.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/rank/runs_judging.h"
#include "base/arena.h"

/* --- what the spreads say ------------------------------------------------------------- */

static const struct host_spread *spread_of(const struct operation *op, int f)
{
	static const struct host_spread none = { 0 };

	return op != NULL && op->spreads != NULL ? &op->spreads->of[f] : &none;
}

static int by_key(const void *a, const void *b)
{
	return operation_cmp_key(a, b);
}

const struct operation *hosts_change_of(const struct profile *differences, const struct ranked *r)
{
	if (differences == NULL || differences->n_ops == 0 || r->before == NULL)
		return NULL;
	return bsearch(r->before, differences->op, differences->n_ops, sizeof(*differences->op),
		       by_key);
}

static struct sample unpaired_sample(const struct host_spread *before,
				     const struct host_spread *after)
{
	double n[2] = { (double)before->n, (double)after->n };
	struct sample s = { .ok = before->n >= 2 && after->n >= 2 };

	s.df = n[0] + n[1] - 2;
	s.difference = spread_mean(after) - spread_mean(before);
	s.variance = s.ok ? ((n[0] - 1) * spread_variance(before) +
			     (n[1] - 1) * spread_variance(after)) /
				     s.df
			  : NAN;
	s.per_runs = s.ok ? 1 / n[0] + 1 / n[1] : NAN;
	return s;
}

static struct sample paired_sample(const struct host_spread *differences)
{
	struct sample s = { .ok = differences->n >= 2 };

	s.df = (double)differences->n - 1;
	s.difference = spread_mean(differences);
	s.variance = spread_variance(differences);
	s.per_runs = s.ok ? 1 / (double)differences->n : NAN;
	return s;
}

static double median_position(const struct histogram *h)
{
	const struct bucket *b = histogram_quantile(h, 0.5);

	return b != NULL ? bucket_position(h->scheme, b->edges->index) : NAN;
}

/* Whether any call lies beyond 8 times the median.  Without one, the tail feature only reflects
 * the number of calls. */
static bool has_tail(const struct histogram *h)
{
	static const double tail_from = 3;

	return h->n > 0 && bucket_position(h->scheme, h->bucket[h->n - 1].edges->index) >
				   median_position(h) + tail_from;
}

static void measure_change(struct arena *a, const struct judging *j, struct judged *one,
			   const struct profile *differences)
{
	const struct ranked *r = one->r;
	const struct operation *change = hosts_change_of(differences, r);
	double scale = r->scale_after > 0 ? log2(r->scale_after) : 0;

	for (int f = 0; f < N_BASIC_FEATURES; f++) {
		const struct host_spread *before = spread_of(r->before, f);
		const struct host_spread *after = spread_of(r->after, f);
		struct sample *s = &one->over_hosts[f];

		*s = differences != NULL ? paired_sample(spread_of(change, f))
					 : unpaired_sample(before, after);
		s->difference += f == FEATURE_SHIFT || f == FEATURE_MEAN ? scale : 0;
		if (f == FEATURE_CALLS && (r->idle || isnan(r->calls_octaves)))
			s->ok = false;
		one->f.value[f] = arena_make(a, double, 2);
		one->f.value[f][0] = spread_mean(before);
		one->f.value[f][1] = spread_mean(before) + s->difference;
	}
	one->f.has_tail = has_tail(&r->before->hist) || has_tail(&r->after->hist);
	one->f.log_calls = M_LN2 *
			   (spread_mean(spread_of(r->before, FEATURE_CALLS)) +
			    spread_mean(spread_of(r->after, FEATURE_CALLS))) /
			   2;
	one->f.fewest = fmin((double)operation_count(r->before), (double)operation_count(r->after));
	one->cost = j->all->effects.per_call != 0 ? r->effect_octaves : 0;
}

static void note_hosts(struct ranked *r)
{
	r->runs->n_before = spread_of(r->before, FEATURE_CALLS)->n;
	r->runs->n_after = spread_of(r->after, FEATURE_CALLS)->n;
	r->runs->share_before = r->share_before;
	r->runs->share_after = r->share_after;
}

static void collect_judged(struct arena *a, struct judging *j, const struct profile *differences,
			   struct ranking *all)
{
	j->v = arena_make(a, struct judged, all->n + 1);
	for (size_t i = 0; i < all->n; i++) {
		struct ranked *r = &all->v[i];
		struct judged *one = &j->v[j->n];

		runs_none_known(r->runs);
		note_hosts(r);
		if (r->before == NULL || r->after == NULL)
			continue;
		*one = (struct judged){ .r = r };
		measure_change(a, j, one, differences);
		r->runs->tested = runs_is_tested(j, r, &one->f);
		j->n++;
	}
}

/* Finds what operations share.  Its p stays NAN, since spreads of operations do not give one. */
static void find_shared(struct arena *a, struct judging *j, struct runs_judgement *ret)
{
	runs_find_effects(a, j);
	if (!j->run_effect_known)
		return;
	for (size_t i = 0; i < j->n; i++)
		ret->n_grouped += j->v[i].grouped;
	ret->shared.value = j->run_effect[FEATURE_MEAN][1] - j->run_effect[FEATURE_MEAN][0];
	ret->run_effect_removed = j->both = true;
}

struct runs_judgement hosts_judge(struct arena *a, const struct profile *before,
				  const struct profile *after, const struct profile *differences,
				  const struct rank_rules *rank_rules,
				  const struct runs_rules *rules, struct ranking *all)
{
	struct runs_judgement ret = { .rules = *rules,
				      .n_before = before->n_hosts,
				      .n_after = after->n_hosts,
				      .by_host = true,
				      .paired = differences != NULL };
	struct judging j = { .rank_rules = rank_rules,
			     .rules = rules,
			     .all = all,
			     .by_host = true,
			     .n_before = 1,
			     .n_runs = 2,
			     .replicates = { before->n_hosts, after->n_hosts } };
	struct replicate_stats *known = arena_make(a, struct replicate_stats, all->n);
	struct arena *own = arena_new();

	ret.shared = ret.elapsed = effect_unknown;
	ret.drift_before = ret.drift_after = (struct drift){ NAN, NAN, NAN, false };
	for (size_t i = 0; i < all->n; i++)
		all->v[i].runs = &known[i];
	collect_judged(own, &j, differences, all);
	find_shared(own, &j, &ret);
	runs_test_all(&j);
	for (size_t i = 0; i < j.n; i++) {
		runs_judge_pair(&j, &j.v[i]);
		ret.n_tested += j.v[i].r->runs->tested;
	}
	for (size_t i = 0; i < all->n; i++) {
		if (all->v[i].before == NULL || all->v[i].after == NULL)
			runs_judge_alone(&all->v[i], ret.n_before, ret.n_after);
	}
	rank_order(all, rank_rules->sort);
	arena_free(own);
	return ret;
}
