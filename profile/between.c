/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/between.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/xalloc.h"
#include "profile/builder/builder_parts.h"

bool profile_has_intervals(const struct profile *p)
{
	for (size_t i = 0; i < p->n_ops; i++) {
		if (p->op[i].n_intervals > 0)
			return true;
	}
	return false;
}

/* The time that the intervals of all operations cover. */
static struct time_range covered_time(const struct profile *p)
{
	struct time_range r = { HUGE_VAL, -HUGE_VAL };

	for (size_t i = 0; i < p->n_ops; i++) {
		for (size_t k = 0; k < p->op[i].n_intervals; k++) {
			r.from = fmin(r.from, p->op[i].interval[k].start);
			r.to = fmax(r.to, p->op[i].interval[k].end);
		}
	}
	return r;
}

/* Leaves the intervals in the range, which are adjacent. */
static void choose_intervals(struct operation *op, struct time_range range)
{
	size_t from = 0, to;

	while (from < op->n_intervals &&
	       (op->interval[from].start + op->interval[from].end) / 2 < range.from)
		from++;
	for (to = from; to < op->n_intervals &&
			(op->interval[to].start + op->interval[to].end) / 2 < range.to;)
		to++;
	op->interval += from;
	op->n_intervals = to - from;
}

/* Makes the operation the sum of its intervals. */
static bool add_up(struct operation *op, struct arena *a)
{
	struct histogram *h = xcalloc(op->n_intervals, sizeof(*h));
	struct stated sum = op->interval[0].stated;
	bool ok = true;

	for (size_t k = 0; k < op->n_intervals; k++)
		h[k] = op->interval[k].hist;
	for (size_t k = 1; k < op->n_intervals && ok; k++)
		ok = stated_add(&sum, &op->interval[k].stated) == STATED_ADDED;
	ok = ok && histogram_sum(a, h, op->n_intervals, &op->hist) == MERGE_DONE;
	free(h);
	sum.count_agrees = sum.total_agrees = sum.self_agrees = true;
	op->stated = sum;
	op->lost = 0;
	op->spreads = NULL;
	op->floor = NULL;
	return ok;
}

static bool keep_operations(struct profile *p, struct time_range range, struct diag *diag)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->n_ops; i++) {
		struct operation *op = &p->op[i];

		choose_intervals(op, range);
		if (op->n_intervals == 0)
			continue;
		if (!add_up(op, p->arena)) {
			diag_plain(diag, DIAG_COUNT_OVERFLOW, "the intervals of %.*s",
				   STR_ARG(op->name));
			return false;
		}
		p->op[kept++] = *op;
	}
	p->n_ops = kept;
	return true;
}

/* What is known of the whole run only is not known of a part of it. */
static void forget_whole(struct profile *p)
{
	for (size_t i = 0; i < p->n_replicates; i++)
		profile_free(p->replicate[i]);
	p->n_replicates = 0;
	p->baseline = (struct baseline){ .n_runs = 0 };
	p->by_host = false;
	p->lost = 0;
	p->cpu_speed = 0;
	p->contention = (struct contention){ .capacity = 0 };
	p->elapsed = 0;
	p->elapsed_source = ELAPSED_UNKNOWN;
}

bool profile_keep_between(struct profile *p, struct time_range range, struct diag *diag)
{
	struct time_range all = covered_time(p), kept;

	if (!keep_operations(p, (struct time_range){ all.from + range.from, all.from + range.to },
			     diag))
		return false;
	if (p->n_ops == 0) {
		diag_plain(diag, DIAG_INTERVAL_BAD,
			   "no interval lies there; those of the file end after %.9g%s",
			   all.to - all.from, p->untimed ? "" : " s");
		return false;
	}
	forget_whole(p);
	kept = covered_time(p);
	if (!p->untimed) {
		p->elapsed = kept.to - kept.from;
		p->elapsed_source = ELAPSED_TIMESTAMPS;
	}
	return true;
}
