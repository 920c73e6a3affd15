/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/timeline.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/stats/change_points.h"
#include "analyze/stats/ranks.h"
#include "analyze/stats/significance.h"
#include "analyze/totals.h"
#include "base/arena.h"
#include "base/parallel.h"
#include "base/xalloc.h"

/* Searching fewer values takes less time than starting a thread. */
enum { MIN_VALUES_PER_THREAD = 4096 };

const struct timeline_rules timeline_rules_default = {
	.alpha = 0.05,
	.min_strength = 0.25,
	.min_octaves = 0.25,
	.shuffles = 199,
	.seed = 20061106,
	.threads = 1,
};

/* --- the intervals of the run ------------------------------------------------------------ */

static int by_start(const void *a, const void *b)
{
	const struct timeline_interval *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* Adds an operation's intervals, which ascend like the first n_known of the list.  An interval that
 * is among these can only extend its end; others are appended. */
static void list_add(struct timeline_list *list, size_t n_known, const struct operation *op,
		     struct arena *a, size_t *cap)
{
	size_t at = 0;

	list->v = arena_grow(a, list->v, cap, list->n + op->n_intervals, sizeof(*list->v));
	for (size_t k = 0; k < op->n_intervals; k++) {
		const struct interval *v = &op->interval[k];

		while (at < n_known && list->v[at].start < v->start)
			at++;
		if (at < n_known && list->v[at].start == v->start)
			list->v[at].end = fmax(list->v[at].end, v->end);
		else
			list->v[list->n++] =
				(struct timeline_interval){ .start = v->start, .end = v->end };
	}
}

/* Sorts the list, and keeps each start once, with the latest of its ends. */
static void list_settle(struct timeline_list *list)
{
	size_t kept = 0;

	qsort(list->v, list->n, sizeof(*list->v), by_start);
	for (size_t i = 0; i < list->n; i++) {
		struct timeline_interval *last = kept > 0 ? &list->v[kept - 1] : NULL;

		if (last != NULL && last->start == list->v[i].start)
			last->end = fmax(last->end, list->v[i].end);
		else
			list->v[kept++] = list->v[i];
	}
	list->n = kept;
}

/* Operations mostly share their intervals, so the list is sorted again only when it doubles. */
struct timeline_list timeline_intervals(struct arena *a, const struct profile *p)
{
	struct timeline_list list = { .n = 0 };
	size_t cap = 0, n_known = 0;

	for (size_t i = 0; i < p->n_ops; i++) {
		if (p->op[i].n_intervals == 0)
			continue;
		list_add(&list, n_known, &p->op[i], a, &cap);
		if (list.n >= 2 * n_known) {
			list_settle(&list);
			n_known = list.n;
		}
	}
	if (list.n > n_known)
		list_settle(&list);
	return list;
}

static double length_of(const struct timeline *t, size_t i)
{
	return t->rounded ? t->usual : t->interval[i].end - t->interval[i].start;
}

static bool is_whole(double v)
{
	return v == floor(v);
}

/* Collectors that print times in seconds make intervals of 2.5 s alternate between 2 and 3 s. Rates
 * over these lengths would be periodic by themselves. */
static bool are_rounded(const struct timeline *t)
{
	for (size_t i = 0; i < t->n; i++) {
		if (!is_whole(t->interval[i].start) || !is_whole(t->interval[i].end) ||
		    (i > 0 && t->interval[i].start != t->interval[i - 1].end))
			return false;
	}
	return t->longest > t->shortest && t->longest - t->shortest <= 1;
}

static void measure_lengths(struct timeline *t)
{
	double *length = xcalloc(t->n, sizeof(*length));

	for (size_t i = 0; i < t->n; i++)
		length[i] = length_of(t, i);
	t->usual = median_of(length, t->n); /* sorts */
	t->shortest = length[0];
	t->longest = length[t->n - 1];
	t->rounded = are_rounded(t);
	if (t->rounded)
		t->usual = (t->interval[t->n - 1].end - t->interval[0].start) / (double)t->n;
	free(length);
}

/* Numbers the intervals, counting gaps; steps strictly ascend, however the lengths differ. */
static void number_steps(struct timeline *t)
{
	double missing = 0;

	for (size_t i = 1; i < t->n; i++) {
		double gap = t->interval[i].start - t->interval[i - 1].end;
		double more = fmax(0, round(gap / t->usual));

		/* Limit the steps of a gap, which may be many years. */
		more = fmin(more, 10 * (double)t->n);
		missing += more;
		t->interval[i].step = t->interval[i - 1].step + 1 + (size_t)more;
	}
	t->n_missing = (size_t)missing;
}

/* --- operations ------------------------------------------------------------------------------ */

static double latency_in(const struct interval *v)
{
	if (v->stated.has_total && v->stated.total_agrees)
		return decimal_f64(v->stated.total);
	return histogram_total(&v->hist);
}

/* Adds an operation and its intervals; these and those of the timeline ascend. */
static void fill_operation(struct timeline *t, struct arena *a, const struct profile *p,
			   const struct operation *op)
{
	struct timeline_op *to = &t->op[t->n_ops++];
	size_t at = 0;

	to->op = op;
	/* The own time within an interval is not known; assume the same share as in the run. */
	to->own_part = op->idle || op->unit != p->unit ? 0 : operation_own_part(op);
	to->calls = arena_make(a, double, t->n);
	to->latency = arena_make(a, double, t->n);
	for (size_t k = 0; k < op->n_intervals; k++) {
		const struct interval *v = &op->interval[k];

		double latency = latency_in(v);

		while (at < t->n && t->interval[at].start < v->start)
			at++;
		if (at == t->n)
			break;
		to->calls[at] += (double)v->hist.count;
		to->latency[at] += latency;
		t->interval[at].calls += op->unit == p->unit ? (double)v->hist.count : 0;
		t->interval[at].latency += to->own_part * latency;
	}
}

/* --- what it finds ---------------------------------------------------------------------------- */

/* A value in each of an operation's intervals in which it is defined. */
struct rates {
	double *value;
	size_t *step, *interval;
	size_t n;
};

static struct rates rates_room(size_t n)
{
	return (struct rates){ xcalloc(n + 1, sizeof(double)), xcalloc(n + 1, sizeof(size_t)),
			       xcalloc(n + 1, sizeof(size_t)), 0 };
}

static void rates_release(struct rates *r)
{
	free(r->value);
	free(r->step);
	free(r->interval);
}

static void rates_add(struct rates *r, const struct timeline *t, size_t i, double value)
{
	r->value[r->n] = value;
	r->step[r->n] = t->interval[i].step;
	r->interval[r->n++] = i;
}

/* An operation in only a few intervals can show neither a period nor a change. */
static bool is_tested(const struct timeline *t, const struct timeline_op *op)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		n += op->calls[i] > 0;
	return n >= PERIOD_MIN_CYCLES;
}

/* The share of alpha for one test (Bonferroni). */
static double share_of_alpha(const struct timeline *t, const struct timeline_op *op, size_t n_ops,
			     const struct timeline_rules *rules)
{
	size_t n = 0;

	for (size_t i = 0; i < n_ops; i++)
		n += is_tested(t, &op[i]);
	return rules->alpha / (3 * (double)(n > 0 ? n : 1)); /* period, calls, mean */
}

/* What can change, as a series: log2 of the calls by unit of time, with half a call more so that
 * none is a number, too; log2 of the mean latency, where there are calls. */
static struct rates series_of(const struct timeline *t, const struct timeline_op *op,
			      enum timeline_what what)
{
	struct rates r = rates_room(t->n);

	for (size_t i = 0; i < t->n; i++) {
		if (what == TIMELINE_CALLS)
			rates_add(&r, t, i, log2((op->calls[i] + 0.5) / length_of(t, i)));
		else if (op->calls[i] > 0 && op->latency[i] > 0)
			rates_add(&r, t, i, log2(op->latency[i] / op->calls[i]));
	}
	return r;
}

/* A floor of the variance: changes far below the smallest one are not searched. */
static double noise_floor(const struct timeline_rules *rules)
{
	return rules->min_octaves * rules->min_octaves / 16;
}

/* Whether the ranks still show the period once what persists is removed: numbers that wander look
 * periodic by chance. */
static bool is_period_of_whitened(const struct rates *r, const struct period *p, double alpha,
				  struct noise_filters *filters)
{
	double *white = xcalloc(r->n + 1, sizeof(*white)), min = 1 / (12. * (double)r->n);
	struct noise_weights seen, w;
	struct noise_prior prior;
	bool found;

	ranks_of(r->value, r->n, white);
	for (size_t i = 0; i < r->n; i++)
		white[i] = white[i] / (double)r->n - 0.5;
	seen = noise_likelihoods(filters, white, r->n, TIMELINE_MIN, min);
	prior = noise_prior(&seen, 1);
	w = noise_posterior(&prior, &seen);
	noise_whiten(filters, noise_best(&w), white, r->n, white);
	found = period_p(white, r->step, r->n, (size_t)p->length) <= alpha;
	free(white);
	return found;
}

static void find_period(const struct timeline *t, struct timeline_op *op, double alpha,
			const struct timeline_rules *rules, struct noise_filters *filters)
{
	struct rates r = rates_room(t->n);

	for (size_t i = 0; i < t->n; i++)
		rates_add(&r, t, i, op->latency[i] / length_of(t, i));
	op->period = period_find(r.value, r.step, r.n, alpha, rules->min_strength);
	if (op->period.found && !is_period_of_whitened(&r, &op->period, alpha, filters))
		op->period = (struct period){ .p = 1 };
	op->period.length *= t->usual;
	rates_release(&r);
}

/* The level over the intervals from `from` up to before `to`. */
static double level_between(const struct timeline *t, const struct timeline_op *op,
			    enum timeline_what what, size_t from, size_t to)
{
	double sum = 0, by = 0;

	for (size_t i = from; i < to; i++) {
		sum += what == TIMELINE_CALLS ? op->calls[i] : op->latency[i];
		by += what == TIMELINE_CALLS ? length_of(t, i) : op->calls[i];
	}
	return by > 0 ? sum / by : 0;
}

static bool is_large(const struct timeline_change *c, const struct timeline_rules *rules)
{
	if (c->before <= 0 || c->after <= 0)
		return c->before != c->after;
	return fabs(log2(c->after / c->before)) >= rules->min_octaves;
}

static int by_position(const void *a, const void *b)
{
	const struct tested_step *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

/* Writes the steps of a series, by position, to ret, which has room for 2 n. */
static size_t steps_of(const struct series *s, const struct change_point_rules *rules,
		       struct tested_step *ret)
{
	size_t n = change_points_find(s, rules, ret), kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (ret[i].found)
			ret[kept++] = ret[i];
	}
	qsort(ret, kept, sizeof(*ret), by_position);
	for (size_t i = 0; i < kept; i++) {
		size_t from = i > 0 ? ret[i - 1].at : 0, to = i + 1 < kept ? ret[i + 1].at : s->n;

		if (to - from >= 2 * rules->min)
			ret[i].at = change_point_position(s, rules, from, to);
	}
	return kept;
}

static void find_changes(const struct timeline *t, struct timeline_op *op, enum timeline_what what,
			 const struct noise_weights *weights, struct noise_filters *filters,
			 double alpha, const struct timeline_rules *rules)
{
	struct rates r = series_of(t, op, what);
	struct tested_step *found = xcalloc(2 * r.n + 1, sizeof(*found));
	struct series s = { r.value, r.n, noise_floor(rules), *weights, filters };
	struct change_point_rules how = { alpha, TIMELINE_MIN, rules->shuffles, rules->seed };
	size_t n = steps_of(&s, &how, found);

	for (size_t k = 0; k < n; k++) {
		size_t from = k > 0 ? r.interval[found[k - 1].at] : 0;
		size_t to = k + 1 < n ? r.interval[found[k + 1].at] : t->n;
		struct timeline_change c = { .what = what,
					     .interval = r.interval[found[k].at],
					     .p = found[k].p };

		c.before = level_between(t, op, what, from, c.interval);
		c.after = level_between(t, op, what, c.interval, to);
		if (is_large(&c, rules))
			op->change[op->n_changes++] = c;
	}
	free(found);
	rates_release(&r);
}

static int by_time(const void *a, const void *b)
{
	const struct timeline_change *x = a, *y = b;

	if (x->interval != y->interval)
		return x->interval < y->interval ? -1 : 1;
	return (int)x->what - (int)y->what;
}

/* Whether it was called in at most half of the intervals. */
static bool is_sparse(const struct timeline *t, const struct timeline_op *op)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		n += op->calls[i] > 0;
	return n >= PERIOD_MIN_EVENTS && 2 * n <= t->n + 1;
}

/* Finds the period of a sparse operation by the gaps between its intervals. */
static void find_period_of_events(const struct timeline *t, struct timeline_op *op, double alpha)
{
	size_t *event = xcalloc(t->n + 1, sizeof(*event)), k = 0, first = 0, last = 0;

	for (size_t i = 0; i < t->n; i++) {
		if (!(op->calls[i] > 0))
			continue;
		first = k == 0 ? i : first;
		last = i;
		event[k++] = t->interval[i].step;
	}
	op->period = period_of_events(event, k, t->interval[t->n - 1].step + 1, alpha);
	op->period.length = (t->interval[last].start - t->interval[first].start) / (double)(k - 1);
	free(event);
}

/* Where values show no period, the intervals with calls may; these tests share alpha / 3. */
static void find_periods_of_events(const struct timeline *t, struct timeline_op *op, size_t n,
				   const struct timeline_rules *rules)
{
	size_t n_sparse = 0;

	for (size_t i = 0; i < n; i++)
		n_sparse += is_sparse(t, &op[i]);
	for (size_t i = 0; i < n; i++) {
		if (!op[i].period.found && is_sparse(t, &op[i]))
			find_period_of_events(t, &op[i], rules->alpha / (3 * (double)n_sparse));
	}
}

enum { N_WHAT = TIMELINE_MEAN + 1 };

/* What the threads share; each operation is searched by one of them. */
struct search {
	const struct timeline *t;
	struct timeline_op *op;
	double alpha;
	const struct timeline_rules *rules;
	struct noise_weights *likelihood[N_WHAT]; /* of the noise of each operation */
	struct noise_prior prior[N_WHAT];	  /* of all operations */
};

static bool is_searched(const struct search *s, size_t i, enum timeline_what what)
{
	/* The mean of a peak hardly moves: a call that is slower lies in another one. */
	return is_tested(s->t, &s->op[i]) && (what != TIMELINE_MEAN || s->op[i].peak == NULL);
}

static void look_at_noise(void *ctx, size_t from, size_t to)
{
	struct search *s = ctx;
	struct noise_filters *filters = noise_filters_new();

	for (size_t i = from; i < to; i++) {
		for (int what = 0; what < N_WHAT; what++) {
			struct rates r;

			if (!is_searched(s, i, (enum timeline_what)what))
				continue;
			r = series_of(s->t, &s->op[i], (enum timeline_what)what);
			s->likelihood[what][i] = noise_likelihoods(
				filters, r.value, r.n, TIMELINE_MIN, noise_floor(s->rules));
			rates_release(&r);
		}
	}
	noise_filters_free(filters);
}

/* Finds the shares of the models of noise among the operations that are searched. */
static void fill_prior(struct search *s, size_t n, enum timeline_what what)
{
	struct noise_weights *v = xcalloc(n + 1, sizeof(*v));
	size_t m = 0;

	for (size_t i = 0; i < n; i++) {
		if (is_searched(s, i, what))
			v[m++] = s->likelihood[what][i];
	}
	s->prior[what] = noise_prior(v, m);
	free(v);
}

static void search_stretch(void *ctx, size_t from, size_t to)
{
	const struct search *s = ctx;
	struct noise_filters *filters = noise_filters_new();

	for (size_t i = from; i < to; i++) {
		struct timeline_op *op = &s->op[i];

		if (!is_tested(s->t, op))
			continue;
		find_period(s->t, op, s->alpha, s->rules, filters);
		for (int what = 0; what < N_WHAT; what++) {
			struct noise_weights w;

			if (!is_searched(s, i, (enum timeline_what)what))
				continue;
			w = noise_posterior(&s->prior[what], &s->likelihood[what][i]);
			find_changes(s->t, op, (enum timeline_what)what, &w, filters, s->alpha,
				     s->rules);
		}
		qsort(op->change, op->n_changes, sizeof(*op->change), by_time);
	}
	noise_filters_free(filters);
}

/* Finds periods and changes; all tests share alpha. */
static void find_all(struct timeline *t, struct arena *a, struct timeline_op *op, size_t n,
		     const struct timeline_rules *rules)
{
	struct search search = {
		.t = t, .op = op, .alpha = share_of_alpha(t, op, n, rules), .rules = rules
	};
	struct parallel how = { .threads = rules->threads,
				.fewest = MIN_VALUES_PER_THREAD / t->n + 1 };

	for (size_t i = 0; i < n; i++)
		op[i].change = arena_make(a, struct timeline_change, 2 * (t->n / TIMELINE_MIN + 1));
	for (int what = 0; what < N_WHAT; what++)
		search.likelihood[what] = xcalloc(n + 1, sizeof(struct noise_weights));
	parallel_for(n, &how, look_at_noise, &search);
	for (int what = 0; what < N_WHAT; what++)
		fill_prior(&search, n, (enum timeline_what)what);
	parallel_for(n, &how, search_stretch, &search);
	for (int what = 0; what < N_WHAT; what++)
		free(search.likelihood[what]);
	find_periods_of_events(t, op, n, rules);
}

/* --- peaks --------------------------------------------------------------------------------- */

/* Adds the buckets of an interval to the peaks; both ascend. */
static void take_buckets(struct timeline_op *peak, size_t n, const struct histogram *h, size_t at)
{
	size_t k = 0;

	for (size_t b = 0; b < h->n; b++) {
		const struct bucket *bucket = &h->bucket[b];

		while (k + 1 < n && bucket->edges->low >= peak[k + 1].peak->low)
			k++;
		peak[k].calls[at] += (double)bucket->count;
		peak[k].latency[at] += (double)bucket->count * histogram_bucket_mean(h, b);
	}
}

static void take_peaks_of(struct timeline *t, struct arena *a, const struct operation *op)
{
	struct peaks found = peaks_find(a, &op->hist, &peak_rules_default);
	struct timeline_op *peak = &t->peak[t->n_peaks];
	size_t at = 0;

	if (found.n < 2)
		return;
	for (size_t k = 0; k < found.n; k++)
		peak[k] = (struct timeline_op){ .op = op,
						.peak = &found.v[k],
						.calls = arena_make(a, double, t->n),
						.latency = arena_make(a, double, t->n) };
	t->n_peaks += found.n;
	for (size_t i = 0; i < op->n_intervals && at < t->n; i++) {
		while (at < t->n && t->interval[at].start < op->interval[i].start)
			at++;
		if (at < t->n)
			take_buckets(peak, found.n, &op->interval[i].hist, at);
	}
}

static void take_peaks(struct timeline *t, struct arena *a)
{
	size_t fit = TIMELINE_MAX_CELLS / t->n + 1, max = 0, n = t->n_ops;

	n = n < TIMELINE_MAX_PEAKS_OF ? n : TIMELINE_MAX_PEAKS_OF;
	n = n < fit ? n : fit;

	for (size_t i = 0; i < n; i++)
		max += t->op[i].op->hist.n;
	t->peak = arena_make(a, struct timeline_op, max + 1);
	for (size_t i = 0; i < n; i++)
		take_peaks_of(t, a, t->op[i].op);
}

/* The share of the error probability that peaks get: they say how what operations do came about. */
static const double part_of_peaks = 0.2;

struct timeline timeline_of(struct arena *a, const struct profile *p,
			    const struct timeline_rules *rules)
{
	const struct operation **order = order_by_latency(a, p);
	struct timeline_list list = timeline_intervals(a, p);
	struct timeline_rules of_operations = *rules, of_peaks = *rules;
	struct timeline t = { .n = 0 };

	t.interval = list.v;
	t.n = list.n;
	if (t.n == 0)
		return t;
	measure_lengths(&t);
	number_steps(&t);
	t.op = arena_make(a, struct timeline_op, p->n_ops);
	for (size_t i = 0; i < p->n_ops; i++) {
		if (order[i]->n_intervals > 0)
			fill_operation(&t, a, p, order[i]);
	}
	of_operations.alpha = rules->alpha - part_of_peaks * rules->alpha;
	of_peaks.alpha = part_of_peaks * rules->alpha;
	find_all(&t, a, t.op, t.n_ops, &of_operations);
	take_peaks(&t, a);
	find_all(&t, a, t.peak, t.n_peaks, &of_peaks);
	return t;
}
