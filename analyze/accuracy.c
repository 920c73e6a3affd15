/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/accuracy.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "analyze/stats/binomial.h"
#include "base/xalloc.h"

/* An operation as a distance sees it. */
struct scored {
	double score;
	bool changed;
};

/* Returns how much an operation differs by a distance. */
static double score_of(const struct labelled *l, size_t metric)
{
	double v = fabs(l->metric[metric]);

	return isnan(v) ? 0 : v;
}

static int larger_score(const void *one, const void *other)
{
	double a = ((const struct scored *)one)->score, b = ((const struct scored *)other)->score;

	return (a < b) - (a > b);
}

/* Returns a threshold between two neighbours of the order. */
static double threshold_between(double above, double below)
{
	double middle = (above + below) / 2;

	if (isinf(above))
		return below > 0 ? 2 * below : DBL_MIN;
	return middle > below ? middle : above; /* there may be no number between them */
}

static bool is_reported(double score, double threshold)
{
	return !isinf(threshold) && score >= threshold;
}

/* Returns the threshold with the smallest sum of both error rates; of several the largest, which
 * reports the fewest; infinite if it is best to report nothing.  NAN unless some were changed, and
 * some not. */
static double best_threshold(struct scored *s, size_t n)
{
	size_t n_changed = 0, n_same, found = 0, alarms = 0;
	double best = 1, threshold = HUGE_VAL;

	for (size_t i = 0; i < n; i++)
		n_changed += s[i].changed;
	n_same = n - n_changed;
	if (n_changed == 0 || n_same == 0)
		return NAN;
	qsort(s, n, sizeof(*s), larger_score);
	for (size_t i = 0; i < n; i++) {
		double errors;

		s[i].changed ? found++ : alarms++;
		if (i + 1 < n && s[i + 1].score == s[i].score)
			continue;
		errors = (double)(n_changed - found) / (double)n_changed +
			 (double)alarms / (double)n_same;
		if (errors < best) {
			best = errors;
			threshold = threshold_between(s[i].score, i + 1 < n ? s[i + 1].score : 0);
		}
	}
	return threshold;
}

/* Returns the threshold that the labels of one half find for a distance. */
static double half_threshold(const struct labelled *l, size_t n, size_t metric, unsigned half)
{
	struct scored *s = xcalloc(n, sizeof(*s));
	size_t m = 0;
	double threshold;

	for (size_t i = 0; i < n; i++)
		if (l[i].half == half)
			s[m++] = (struct scored){ score_of(&l[i], metric), l[i].changed };
	threshold = best_threshold(s, m);
	free(s);
	return threshold;
}

static void count_error(struct accuracy *a, const struct labelled *l, bool reported)
{
	struct error_rate *rate = l->changed ? &a->false_negative : &a->false_positive;

	rate->of++;
	rate->wrong += reported != l->changed;
}

static void add_intervals(struct accuracy *a)
{
	struct error_rate *fp = &a->false_positive, *fn = &a->false_negative;

	binomial_interval(fp->wrong, fp->of, &fp->low, &fp->high);
	binomial_interval(fn->wrong, fn->of, &fn->low, &fn->high);
}

static struct accuracy selection_accuracy(const struct labelled *l, size_t n)
{
	struct accuracy a = { .threshold = { NAN, NAN } };

	for (size_t i = 0; i < n; i++)
		count_error(&a, &l[i], l[i].reported);
	add_intervals(&a);
	return a;
}

static struct accuracy distance_accuracy(const struct labelled *l, size_t n, size_t metric)
{
	struct accuracy a = { .distance = distance_at((enum metric)metric) };
	double found[2] = { half_threshold(l, n, metric, 0), half_threshold(l, n, metric, 1) };

	a.threshold[0] = a.threshold[1] = NAN;
	for (size_t i = 0; i < n; i++) {
		double threshold = found[!l[i].half];

		if (isnan(threshold))
			continue;
		a.threshold[l[i].half] = threshold;
		count_error(&a, &l[i], is_reported(score_of(&l[i], metric), threshold));
	}
	add_intervals(&a);
	return a;
}

size_t accuracy_measure(const struct labelled *l, size_t n, struct accuracy ret[MAX_ACCURACIES])
{
	size_t n_measured = 0;

	ret[n_measured++] = selection_accuracy(l, n);
	for (size_t m = 0; m < N_METRICS; m++)
		if (distance_at((enum metric)m)->ranks)
			ret[n_measured++] = distance_accuracy(l, n, m);
	return n_measured;
}

double accuracy_wrong_share(const struct accuracy *a)
{
	size_t of = a->false_positive.of + a->false_negative.of;

	return of > 0 ? (double)(a->false_positive.wrong + a->false_negative.wrong) / (double)of
		      : NAN;
}
