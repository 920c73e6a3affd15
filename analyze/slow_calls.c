/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/slow_calls.h"

#include <gsl/gsl_sf_gamma.h>

#include "analyze/body.h"

const struct slow_call_rules slow_call_rules_default = {
	.beyond = 3,
	.shape = 4,
	.min_calls = 50,
	.min_octaves = 1.5,
	.further_p = 0.002,
	.slice_low = 0.0007,
	.slice_high = 0.1,
	.slice = 0.0007,
	.deviations = 3,
};

static double log_beta(double a, double b)
{
	return gsl_sf_lngamma(a) + gsl_sf_lngamma(b) - gsl_sf_lngamma(a + b);
}

/* The beta-binomial probability that all but `others` of k slow calls are on the first side, whose
 * mean share of them is a / (a + b). */
static double beta_binomial(double k, double others, double a, double b)
{
	double i = k - others;

	return exp(gsl_sf_lngamma(k + 1) - gsl_sf_lngamma(i + 1) - gsl_sf_lngamma(others + 1) +
		   log_beta(i + a, others + b) - log_beta(a, b));
}

enum { MAX_SUMMED = 300 };

/* Twice the upper tail, from i to k.  For very many calls, k is scaled down to MAX_SUMMED terms:
 * both sums approximate the beta distribution of the share. */
static double tail_of(double k, double i, double a, double b)
{
	double scale = fmax(k / MAX_SUMMED, 1), sum = 0;

	/* b may be less than the rounding error of the last. */
	for (double others = (k - i) / scale; others >= -1e-9; others--)
		sum += beta_binomial(k / scale, others < 1e-9 ? 0 : others, a, b);
	return fmin(1, 2 * sum);
}

static double p_of(double before, double after, double n_before, double n_after,
		   const struct slow_call_rules *rules)
{
	double k = round(before) + round(after), n = n_before + n_after;
	double a = 2 * rules->shape * n_after / n, b = 2 * rules->shape * n_before / n;

	if (k == 0 || n_before == 0 || n_after == 0)
		return 1;
	if (round(after) * n >= k * n_after)
		return tail_of(k, round(after), a, b);
	return tail_of(k, round(before), b, a);
}

static double odds_of(double slow, double n)
{
	return (slow + 0.5) / (n - slow + 0.5);
}

/* Preempted calls wait for the time slices of others; how many there are depends on the CPU time
 * of all calls. */
static bool look_preempted(const struct histogram *h, double slow, double latency, double seconds,
			   const struct slow_call_rules *rules)
{
	double in_range = calls_beyond(h, log2(rules->slice_low / seconds)).calls -
			  calls_beyond(h, log2(rules->slice_high / seconds)).calls;
	double cpu = fmax(histogram_total(h) - latency, 0) * seconds;
	double expected = cpu / rules->slice;

	return slow > 0 && in_range >= slow - 0.5 &&
	       slow <= expected + rules->deviations * sqrt(expected + 1);
}

static struct slow_calls compare_beyond(const struct histogram *before,
					const struct histogram *after, double limit)
{
	struct slow_calls s = { .limit = exp2(limit), .p = 1 };
	struct beyond b = calls_beyond(before, limit), a = calls_beyond(after, limit);

	s.before = b.calls;
	s.after = a.calls;
	s.latency_before = b.latency;
	s.latency_after = a.latency;
	s.octaves = log2(odds_of(s.after, (double)after->count) /
			 odds_of(s.before, (double)before->count));
	return s;
}

static bool is_candidate_limit(const struct slow_calls *s, const struct slow_call_rules *rules)
{
	return fmax(s->before, s->after) >= rules->min_calls &&
	       fabs(s->octaves) >= rules->min_octaves;
}

/* Whether an edge lies within no bucket, so that the share of the calls beyond it is known. */
static bool is_edge_of(const struct histogram *h, double edge)
{
	for (size_t i = 0; i < h->n && h->bucket[i].edges->low < edge; i++) {
		if (h->bucket[i].edges->high > edge)
			return false;
	}
	return true;
}

/* Compares at one edge; false if the shares beyond it are not known, or trivial. */
static bool compare_at_edge(const struct histogram *before, const struct histogram *after,
			    double edge, const struct slow_call_rules *rules,
			    struct slow_calls *ret)
{
	double n_before = (double)before->count, n_after = (double)after->count;

	if (!(edge > 0) || !is_edge_of(before, edge) || !is_edge_of(after, edge))
		return false;
	*ret = compare_beyond(before, after, log2(edge));
	ret->p = p_of(ret->before, ret->after, n_before, n_after, rules);
	return ret->before + ret->after < n_before + n_after;
}

/* In wide buckets only the shares of calls beyond their edges are known.  Finds the edge with the
 * strongest evidence, and charges for the others; false if there is none. */
static bool compare_at_edges(const struct histogram *before, const struct histogram *after,
			     const struct slow_call_rules *rules, struct slow_calls *ret)
{
	struct slow_calls best = { .p = HUGE_VAL }, s;
	double n_edges = 0;

	for (size_t i = 0, k = 0; i < before->n || k < after->n;) {
		double b = i < before->n ? before->bucket[i].edges->low : HUGE_VAL;
		double a = k < after->n ? after->bucket[k].edges->low : HUGE_VAL;

		i += b <= a;
		k += a <= b;
		if (!compare_at_edge(before, after, fmin(a, b), rules, &s))
			continue;
		n_edges++;
		if (s.p < best.p)
			best = s;
	}
	if (n_edges == 0)
		return false;
	best.p = fmin(best.p * n_edges, 1);
	*ret = best;
	return true;
}

struct slow_calls slow_calls_compare(const struct histogram *before, const struct histogram *after,
				     double seconds, const struct slow_call_rules *rules)
{
	double n_before = (double)before->count, n_after = (double)after->count;
	double limit = fmax(body_quantile(before, 0.5), body_quantile(after, 0.5)) + rules->beyond;
	struct slow_calls s = compare_beyond(before, after, limit), next = s;
	bool more;

	if (fmax(body_median_width(before), body_median_width(after)) > rules->beyond &&
	    compare_at_edges(before, after, rules, &s))
		return s;
	s.p = p_of(s.before, s.after, n_before, n_after, rules);
	/* Among many slow calls, a few may be slower than any before. */
	while (next.before + next.after > 0 && next.before + next.after >= rules->min_calls) {
		next = compare_beyond(before, after, ++limit);
		if (!is_candidate_limit(&next, rules))
			continue;
		next.p = p_of(next.before, next.after, n_before, n_after, rules);
		next.further = true;
		if (next.p < s.p)
			s = next;
	}
	more = s.after * n_before >= s.before * n_after;
	if (seconds > 0)
		s.preempted =
			look_preempted(more ? after : before, more ? s.after : s.before,
				       more ? s.latency_after : s.latency_before, seconds, rules);
	return s;
}
