/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/account.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/body.h"
#include "base/arena.h"

const struct account_rules account_rules_default = { .min_part = 0.01,
						     .min_headline = 0.1,
						     .min_octaves = 0.0705 };

/* The input of an account. */
struct accounting {
	const struct ranked_peaks *peaks;
	double runs_before, runs_after;
	double total_before, total_after; /* of all peaks */
};

static double total_of(const struct peaks *p)
{
	double sum = 0;

	for (size_t i = 0; i < p->n; i++)
		sum += p->v[i].total;
	return sum;
}

static bool is_weighty(const struct peak *p, double total)
{
	double least = account_rules_default.min_part;

	return p != NULL && (p->share >= least || p->total >= least * total);
}

static bool is_moved(const struct peak_pair *p)
{
	return p->before != NULL && p->after != NULL;
}

/* Returns the link between both sides of a peak that moved.  For any other peak, returns its
 * largest link, or NULL when that carries less than half of the peak's calls. */
static const struct peak_link *main_link(const struct peak_pairs *pairs, const struct peak_pair *of)
{
	const struct peak *p = of->after != NULL ? of->after : of->before;
	const struct peak_link *most = NULL;

	for (size_t i = 0; i < pairs->n_links; i++) {
		const struct peak_link *l = &pairs->link[i];
		bool own = is_moved(of) ? l->before == of->before && l->after == of->after
					: l->before == p || l->after == p;

		if (own && (most == NULL || l->share > most->share))
			most = l;
	}
	return most != NULL && (is_moved(of) || 2 * most->share >= p->share) ? most : NULL;
}

static double added_by(const struct accounting *g, const struct peak_pair *p)
{
	return (p->after != NULL ? p->after->total / g->runs_after : 0) -
	       (p->before != NULL ? p->before->total / g->runs_before : 0);
}

static struct peak_news news_of(const struct accounting *g, const struct peak_pair *p)
{
	struct peak_news n = { p->before, p->after, false, 0, 0, added_by(g, p) };
	bool stayed = p->change == PEAK_GREW || p->change == PEAK_SHRANK;
	const struct peak_link *l = stayed ? NULL : main_link(&g->peaks->pairs, p);

	if (l != NULL) {
		n.before = l->before;
		n.after = l->after;
	}
	if (l != NULL && p->change == PEAK_MOVED)
		n.share = l->share;
	else
		n.share = p->after != NULL ? p->after->share : p->before->share;
	n.stayed = stayed;
	if (p->after != NULL)
		n.calls = (double)p->after->count / g->runs_after * (n.share / p->after->share);
	else
		n.calls = (double)p->before->count / g->runs_before;
	return n;
}

/* The latency added counts most; among peaks that add about as much, the share of the calls. */
static double weight(const struct peak_news *n)
{
	return fabs(n->added) * sqrt(sqrt(n->share));
}

static int by_falling_weight(const void *x, const void *y)
{
	double a = weight(x), b = weight(y);

	return (a < b) - (a > b);
}

/* Fills r->news with the peaks that changed, the heaviest first. */
static void find_news(struct arena *a, const struct accounting *g, struct account *r)
{
	const struct peak_pairs *pairs = &g->peaks->pairs;
	struct peak_news *all = arena_make(a, struct peak_news, pairs->n);
	size_t n = 0;

	for (size_t i = 0; i < pairs->n; i++) {
		const struct peak_pair *p = &pairs->v[i];

		if (p->change == PEAK_KEPT)
			continue;
		if (is_weighty(p->before, g->total_before) || is_weighty(p->after, g->total_after))
			all[n++] = news_of(g, p);
		else
			r->n_smaller++;
	}
	qsort(all, n, sizeof(*all), by_falling_weight);
	for (; r->n_news < n && r->n_news < MAX_NEWS; r->n_news++)
		r->news[r->n_news] = all[r->n_news];
	r->n_smaller += n - r->n_news;
}

static bool is_headline(const struct peak_news *n, double change)
{
	double least = account_rules_default.min_headline;
	double calls = n->stayed ? fabs(n->after->share - n->before->share) : n->share;

	return calls >= least || fabs(n->added) >= least * fabs(change);
}

static bool differs(double octaves)
{
	return !isnan(octaves) && fabs(octaves) >= account_rules_default.min_octaves;
}

static enum account_kind kind_of(const struct account *r, const struct ranked *ranked)
{
	if (ranked->before == NULL || (r->calls_before == 0 && r->calls_after > 0))
		return ACCOUNT_NEW;
	if (ranked->after == NULL || (r->calls_after == 0 && r->calls_before > 0))
		return ACCOUNT_GONE;
	if (r->n_news > 0 && is_headline(&r->news[0], r->change))
		return ACCOUNT_PEAK;
	if (differs(ranked->mean_octaves))
		return ACCOUNT_MEAN;
	if (differs(ranked->body_octaves) &&
	    !(fabs(ranked->calls_octaves) > fabs(ranked->body_octaves)))
		return ACCOUNT_BODY;
	return differs(ranked->calls_octaves) ? ACCOUNT_CALLS : ACCOUNT_NOTHING;
}

static struct body_range body_of(const struct operation *op, double scale)
{
	return (struct body_range){ scale * exp2(body_quantile(&op->hist, 0.05)),
				    /* cppcheck-suppress ignoredReturnValue; it is used */
				    scale * exp2(body_quantile(&op->hist, 0.95)) };
}

static double calls_of(const struct operation *op, double runs)
{
	return op != NULL ? (double)operation_count(op) / runs : 0;
}

struct account account_of(struct arena *a, const struct ranking *all, const struct ranked *r,
			  const struct ranked_peaks *peaks, size_t runs_before, size_t runs_after)
{
	double nb = (double)runs_before, na = (double)runs_after;
	struct account n = { .calls_before = calls_of(r->before, nb),
			     .calls_after = calls_of(r->after, na),
			     .change = r->fixed_duration
					       ? ranked_change(all, r) / nb
					       : r->run_after.total - r->run_before.total };
	struct accounting g = { .peaks = peaks, .runs_before = nb, .runs_after = na };

	g.total_before = total_of(&peaks->before);
	g.total_after = total_of(&peaks->after);
	/* A change below the resolution of the clock is no change. */
	if (r->fixed_duration && r->mean_octaves == 0)
		n.change = 0;
	n.change_of_run =
		totals_busy(&all->after) * all->scale_after / na - totals_busy(&all->before) / nb;
	n.mean_before = n.calls_before > 0 ? r->compared_before / nb / n.calls_before : NAN;
	n.mean_after = isnan(r->mean_octaves) || !(n.mean_before > 0)
			       ? (n.calls_after > 0 ? r->compared_after / na / n.calls_after : NAN)
			       : n.mean_before * exp2(r->mean_octaves);
	if (r->before != NULL && r->after != NULL)
		find_news(a, &g, &n);
	n.kind = kind_of(&n, r);
	if (n.kind == ACCOUNT_BODY) {
		n.body_before = body_of(r->before, 1);
		n.body_after = body_of(r->after, r->scale_after);
	}
	return n;
}
