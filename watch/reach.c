/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/reach.h"

#include <math.h>

#include "base/diag.h"

static double percent_higher(double octaves)
{
	return 100 * (exp2(octaves) - 1);
}

void reach_note(struct diag *diag, const struct reported_start *s)
{
	const struct watch_rules *r = &s->rules;

	if (s->reach.n > 0)
		diag_plain(diag, DIAG_WATCH_REACH,
			   "latency that rises and stays so, of %zu operations: by %.0f %% or "
			   "more, by %.0f %% in the median",
			   s->reach.n, percent_higher(s->reach.min),
			   percent_higher(s->reach.median));
	else
		diag_plain(
			diag, DIAG_WATCH_REACH,
			"nothing for %.0f min, then latency that rises and stays so: by %.0f %%, "
			"after an hour by %.0f %%, after four by %.0f %%; with --reference now",
			watch_first_judged(r) / 60,
			percent_higher(watch_reach_after(r, watch_first_judged(r))),
			percent_higher(
				watch_reach_after(r, fmax(reach_times[1], watch_first_judged(r)))),
			percent_higher(
				watch_reach_after(r, fmax(reach_times[2], watch_first_judged(r)))));
}
