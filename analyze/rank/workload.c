/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/rank/workload.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"

static const double equal_elapsed = 0.03; /* share of the longer of two runs */
static const double equal_total = 0.15;	  /* octaves between sums of latency: 11 % */
static const double opposite = 0.15;	  /* octaves of mean and calls, at least */
static const double major_share = 0.5;	  /* of the time of all calls */
static const double filled = 0.9;	  /* share of the clients' time that calls take */
static const double equal_calls = 0.04;	  /* octaves between operations of one loop: 3 % */
enum { MIN_CALLS_IN_LOOP = 30 };

/* --- numbers of calls without the iterations -------------------------------------------- */

static void compare_totals(struct ranked *r, double runs_ratio)
{
	r->metric[METRIC_TOTAL_LATENCY] =
		relative_difference(r->compared_before, r->compared_after * runs_ratio);
}

/* Neither calls nor total of this operation are a result: compares totals of as many calls. */
static void ignore_calls(struct ranked *r, double runs_ratio)
{
	double nb = (double)operation_count(r->before), na = (double)operation_count(r->after);

	r->fixed_duration = true;
	if (na > 0 && nb > 0)
		r->compared_after *= nb / na / runs_ratio;
	r->calls_octaves = NAN;
	r->metric[METRIC_TOTAL_OPERATIONS] = NAN;
	compare_totals(r, runs_ratio);
}

/* Removes the work that the run got done more, or less, in the same time. */
static void remove_iterations(struct ranked *r, double octaves_done, double runs_ratio)
{
	r->fixed_duration = true;
	r->compared_after *= exp2(-octaves_done);
	r->calls_octaves -= octaves_done;
	compare_totals(r, runs_ratio);
}

static bool is_on_both_sides(const struct ranked *r)
{
	return r->before != NULL && r->after != NULL;
}

/* --- the number of iterations ---------------------------------------------------------------- */

static bool speaks_for_loop(const struct ranked *r)
{
	return is_on_both_sides(r) && !r->idle && isfinite(r->calls_octaves) &&
	       operation_count(r->before) >= MIN_CALLS_IN_LOOP;
}

static int by_number(const void *pa, const void *pb)
{
	double a = *(const double *)pa, b = *(const double *)pb;

	return (a > b) - (a < b);
}

/* The change of calls, in octaves, of the largest group of operations whose calls changed by the
 * same factor; of several as large, the nearest to no change.  Sets *ret_n to their number and
 * *ret_of to that of all that could be in it. */
static double largest_group(const struct ranking *all, size_t *ret_n, size_t *ret_of)
{
	double *v = xcalloc(all->n + 1, sizeof(*v)), done = NAN;
	size_t n = 0, end = 0;

	*ret_n = 0;
	for (size_t i = 0; i < all->n; i++) {
		if (speaks_for_loop(&all->v[i]))
			v[n++] = all->v[i].calls_octaves;
	}
	qsort(v, n, sizeof(*v), by_number);
	for (size_t from = 0; from < n; from++) {
		double middle;

		while (end < n && v[end] <= v[from] + 2 * equal_calls)
			end++;
		middle = v[from + (end - from) / 2];
		if (end - from > *ret_n || (end - from == *ret_n && fabs(middle) < fabs(done))) {
			*ret_n = end - from;
			done = middle;
		}
	}
	*ret_of = n;
	free(v);
	return done;
}

/* --- evidence of a loop ---------------------------------------------------------------------- */

static bool states_fixed_duration(const struct rank_side *before, const struct rank_side *after)
{
	return before->profile->fixed_duration || after->profile->fixed_duration;
}

static bool took_equally_long(const struct elapsed_change *e)
{
	return fabs(e->grew) <= equal_elapsed * fmax(e->before.elapsed, e->after.elapsed);
}

/* Whether the calls take all the time that the clients have. */
static bool is_filled(const struct run_account *a)
{
	double at_once = fmax(a->concurrency, 1);

	return a->busy + a->waiting >= filled * at_once * a->elapsed;
}

/* Whether the time of all calls stayed the same, most of it in operations whose means and numbers
 * of calls moved in opposite directions: what a loop without a pause does, and a program that makes
 * more calls for the same work does not. */
static bool exchanges_calls_for_latency(const struct ranking *all)
{
	double before = totals_busy(&all->before);
	double after = totals_busy(&all->after) * all->scale_after * all->runs_ratio;
	double moved_before = 0, moved_after = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct ranked *r = &all->v[i];

		if (!is_on_both_sides(r) || r->idle || !(r->mean_octaves * r->calls_octaves < 0) ||
		    fmin(fabs(r->mean_octaves), fabs(r->calls_octaves)) < opposite)
			continue;
		moved_before += operation_own(r->before);
		moved_after += operation_own(r->after) * r->scale_after * all->runs_ratio;
	}
	return before > 0 && after > 0 && fabs(log2(after / before)) <= equal_total &&
	       moved_before >= major_share * before && moved_after >= major_share * after;
}

static bool is_closed_loop(const struct ranking *all, double done)
{
	const struct elapsed_change *e = &all->elapsed;

	if (fabs(done) < opposite)
		return false;
	if (!(e->before.elapsed > 0 && e->after.elapsed > 0))
		return exchanges_calls_for_latency(all);
	return took_equally_long(e) && ((is_filled(&e->before) && is_filled(&e->after)) ||
					exchanges_calls_for_latency(all));
}

static bool is_fixed_duration(const struct ranking *all, const struct rank_side *before,
			      const struct rank_side *after, enum workload workload, double done)
{
	return workload == WORKLOAD_FIXED_DURATION || states_fixed_duration(before, after) ||
	       is_closed_loop(all, done);
}

static bool operation_is_fixed(const struct ranked *r)
{
	return is_on_both_sides(r) && (r->before->fixed_duration || r->after->fixed_duration);
}

void workload_find(struct ranking *all, const struct rank_side *before,
		   const struct rank_side *after, enum workload workload)
{
	size_t n, of;
	double done;

	if (workload == WORKLOAD_FIXED_WORK)
		return;
	for (size_t i = 0; i < all->n; i++) {
		if (operation_is_fixed(&all->v[i]))
			ignore_calls(&all->v[i], all->runs_ratio);
	}
	done = largest_group(all, &n, &of);
	/* In a loop, operations are called as often as each other: more than half of them agree. */
	if (isnan(done) || 2 * n < of || !is_fixed_duration(all, before, after, workload, done))
		return;
	all->fixed_duration = true;
	all->iterations_octaves = done;
	for (size_t i = 0; i < all->n; i++) {
		struct ranked *r = &all->v[i];

		if (is_on_both_sides(r) && !r->fixed_duration)
			remove_iterations(r, done, all->runs_ratio);
	}
}
