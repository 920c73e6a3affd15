/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/losses.h"

#include "base/diag.h"
#include "base/out.h"
#include "profile/profile.h"

static const char *const losses[] = {
	[LOSS_NAME] = "the operation's name",
	[LOSS_UNIT] = "the unit",
	[LOSS_HZ] = "the clock rate",
	[LOSS_ELAPSED] = "how long the capture took",
	[LOSS_CONCURRENCY] = "how many clients called at a time",
	[LOSS_FIXED_DURATION] = "that calls were made for a time",
	[LOSS_LOST] = "lost events",
	[LOSS_THRESHOLD] = "thresholds",
	[LOSS_GRANULARITY] = "granularities",
	[LOSS_ROUNDED] = "that edges were rounded",
	[LOSS_DEVIATION] = "standard deviations",
	[LOSS_EXTREMES] = "minima and maxima",
	[LOSS_COUNTS] = "stated counts that disagree with the buckets",
	[LOSS_INTERVALS] = "intervals",
	[LOSS_NEGATIVE] = "latencies below zero (put at zero)",
	[LOSS_TOP] = "that the top bucket is open",
	[LOSS_SCHEME] = "where buckets lie that nothing fell into",
	[LOSS_NAMES] = "control bytes in names (escaped)",
};

static void find_stated(const struct stated *s, const struct histogram *h, bool *lost)
{
	lost[LOSS_EXTREMES] |= s->has_min || s->has_max;
	lost[LOSS_DEVIATION] |= s->has_deviation;
	lost[LOSS_COUNTS] |= s->has_count && h->n > 0 && s->count != h->count;
}

static void find_of_operation(const struct operation *op, bool *lost)
{
	const struct histogram *h = &op->hist;

	lost[LOSS_NAME] |= op->name.n > 0 || op->layer.n > 0;
	lost[LOSS_UNIT] |= op->unit != UNIT_UNKNOWN;
	lost[LOSS_FIXED_DURATION] |= op->fixed_duration;
	lost[LOSS_LOST] |= op->lost > 0;
	lost[LOSS_THRESHOLD] |= op->threshold > 0;
	lost[LOSS_GRANULARITY] |= h->granularity > 0;
	lost[LOSS_ROUNDED] |= h->approximate;
	lost[LOSS_NEGATIVE] |= h->n > 0 && h->bucket[0].edges->low < 0;
	lost[LOSS_TOP] |= h->n > 0 && h->bucket[h->n - 1].edges->high == HUGE_VAL;
	lost[LOSS_INTERVALS] |= op->n_intervals > 0;
	find_stated(&op->stated, h, lost);
	for (size_t i = 0; i < op->n_intervals; i++)
		find_stated(&op->interval[i].stated, &op->interval[i].hist, lost);
}

void losses_find(const struct profile *p, bool *lost)
{
	for (size_t i = 0; i < p->n_ops; i++)
		find_of_operation(&p->op[i], lost);
	lost[LOSS_HZ] |= p->hz > 0;
	lost[LOSS_ELAPSED] |= p->elapsed > 0;
	lost[LOSS_CONCURRENCY] |= p->concurrency > 0;
	lost[LOSS_LOST] |= p->lost > 0;
}

void losses_report(const bool *lost, const char *format, struct diag *diag)
{
	struct out *o = out_to_memory();

	for (size_t i = 0; i < LOSS_N; i++) {
		if (!lost[i])
			continue;
		out_text(o, out_memory(o).n > 0 ? ", " : "");
		out_text(o, losses[i]);
	}
	if (out_memory(o).n > 0)
		diag_plain(diag, DIAG_NOT_REPRESENTABLE, "%s has no room for %.*s", format,
			   STR_ARG(out_memory(o)));
	out_free(o);
}
