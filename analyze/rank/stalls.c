/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/rank/stalls.h"

#include <math.h>

#include "analyze/body.h"
#include "analyze/rank/rank.h"

/* Stalls that a run may have without having changed.  With five, gates fail in 6 of 300 pairs of
 * unchanged runs of ten programs, half of them beside other load; without this rule and the others
 * for one run a side, in 17 (tests/bench/live.py). */
static const double usual_stalls = 5;

/* Calls and latency that are left without the slowest calls. */
struct rest {
	double calls, latency;
};

static struct rest without_buckets(const struct operation *op, double slowest)
{
	double calls = (double)operation_count(op), total = operation_total(op);
	double max = op->stated.has_max ? op->stated.max : 0;

	return (struct rest){ fmax(calls - slowest, 0), fmax(total - slowest * max, 0) };
}

static struct rest without_slowest(const struct operation *op, double slowest)
{
	struct rest rest = { (double)operation_count(op), operation_total(op) };
	double left = slowest;

	if (op->hist.n == 0)
		return without_buckets(op, slowest);
	for (size_t i = op->hist.n; i-- > 0 && left > 0;) {
		double taken = fmin((double)op->hist.bucket[i].count, left);

		rest.latency -= taken * histogram_bucket_mean(&op->hist, i);
		left -= taken;
	}
	rest.calls = fmax(rest.calls - slowest, 0);
	rest.latency = rest.calls > 0 ? fmax(rest.latency, 0) : 0;
	return rest;
}

static double stalled_calls(const struct ranking *all, size_t n_runs)
{
	return usual_stalls * fmax(all->at_once, 1) * (double)n_runs;
}

static struct rest rest_before(const struct ranking *all, const struct ranked *r)
{
	if (r->before == NULL)
		return (struct rest){ 0, 0 };
	return without_slowest(r->before, stalled_calls(all, all->n_before));
}

static struct rest rest_after(const struct ranking *all, const struct ranked *r)
{
	struct rest rest = { 0, 0 };

	if (r->after != NULL)
		rest = without_slowest(r->after, stalled_calls(all, all->n_after));
	rest.latency *= r->scale_after;
	return rest;
}

double stalls_free_change(const struct ranking *all, const struct ranked *r)
{
	struct rest before = rest_before(all, r), after = rest_after(all, r);
	double whole = ranked_change(all, r), change;

	if (r->fixed_duration && after.calls > 0) /* for as many calls as before */
		after.latency *= before.calls / after.calls / all->runs_ratio;
	change = after.latency * all->runs_ratio - before.latency;
	if (change * whole <= 0)
		return 0;
	return fabs(change) < fabs(whole) ? change : whole;
}

static double share_of(const struct rest *rest, const struct operation *op, double share,
		       double scale)
{
	double total = op != NULL ? operation_total(op) * scale : 0;

	return total > 0 ? share * fmin(rest->latency / total, 1) : 0;
}

double stalls_free_share(const struct ranking *all, const struct ranked *r)
{
	struct rest before = rest_before(all, r), after = rest_after(all, r);

	return fmax(share_of(&before, r->before, r->share_before, 1),
		    share_of(&after, r->after, r->share_after, r->scale_after));
}

bool stalls_leave_body(const struct ranking *all, const struct ranked *r)
{
	return (double)operation_count(r->before) > 2 * stalled_calls(all, all->n_before) &&
	       (double)operation_count(r->after) > 2 * stalled_calls(all, all->n_after);
}

/* --- delays of the other operations ---------------------------------------------------------- */

enum { MIN_CALLS_DELAYED = 30 }; /* so that three calls are faster than the tenth */

/* The fastest calls, which no delay moved.  Any part will do that delays spare: from 0.05 to 0.3, with
 * 82 to 90 wrong of 7,734 labels of real runs (osprof judge), and the same 18 of them missed. */
static const double fastest = 0.1;

struct delays stalls_delays(const struct ranked *r)
{
	double n = r->before != NULL ? (double)operation_count(r->before) : 0;
	struct delays d = { 0, 0 };
	double moved;

	if (r->before == NULL || r->after == NULL || r->idle || r->before->hist.n == 0 ||
	    r->after->hist.n == 0 || fmin(n, (double)operation_count(r->after)) < MIN_CALLS_DELAYED)
		return d;
	moved = body_quantile(&r->after->hist, fastest) - body_quantile(&r->before->hist, fastest) +
		log2(r->scale_after);
	d.before = r->compared_before;
	d.after = r->compared_after * n / (double)operation_count(r->after) / exp2(moved);
	return d;
}

/* The octaves by which delays changed the mean latency of all operations but this one; 0 if there
 * are too few others. */
static double delays_of_others(const struct ranking *all, const struct ranked *r)
{
	size_t others = all->n_delays - (r->delays.before > 0);
	double before = all->delays.before - r->delays.before;
	double after = all->delays.after - r->delays.after;

	if (others + 1 < MIN_OPERATIONS_SHARING || !(before > 0) || !(after > 0))
		return 0;
	return log2(after / before);
}

double stalls_explain(const struct ranking *all, const struct ranked *r)
{
	double others = delays_of_others(all, r), own = r->mean_octaves;

	if (r->delays.before > 0 && r->delays.after > 0)
		own = log2(r->delays.after / r->delays.before);
	if (r->idle || !(own * others > 0) || own * r->mean_octaves < 0)
		return 0;
	return fabs(own) < fabs(others) ? own : others;
}
