/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much latency an operation of a ranking gained, which judging and sorting use. */
#include <math.h>

#include "analyze/rank/rank.h"

double ranked_change(const struct ranking *all, const struct ranked *r)
{
	return r->compared_after * all->runs_ratio - r->compared_before;
}

/* Own time, in the operation's unit; 0 when it is absent. */
static double own_of(const struct operation *op)
{
	return op != NULL ? operation_own(op) : 0;
}

static bool is_nested(const struct operation *op)
{
	return op != NULL && op->own_known != OWN_TOTAL;
}

double ranked_own_change(const struct ranking *all, const struct ranked *r)
{
	if (r->fixed_duration || !(is_nested(r->before) || is_nested(r->after)))
		return ranked_change(all, r);
	return own_of(r->after) * r->scale_after * all->runs_ratio - own_of(r->before);
}

double ranking_busy(const struct ranking *all)
{
	return fmax(totals_busy(&all->before),
		    totals_busy(&all->after) * all->scale_after * all->runs_ratio);
}
