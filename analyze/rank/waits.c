/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/rank/waits.h"

#include <math.h>

#include "analyze/idle.h"

static const double covering = 0.5;	 /* share of the remainder that a wait has to cover */
static const double min_growth = 0.05;	 /* of the elapsed time: the minimum effect, 5 % */
static const double min_relative = 3.32; /* octaves of calls relative to the work: 10 times */

bool ranked_is_idle(const struct ranked *r)
{
	return r->idle && r->wait != WAIT_MATTERS && r->wait != WAIT_RELATIVE;
}

bool wait_is_left_out(enum wait_role role)
{
	return role >= WAIT_FOR_INPUT;
}

const char *wait_role_name(enum wait_role role)
{
	static const char *const names[] = {
		[WAIT_NONE] = "does not wait",
		[WAIT_STEADY] = "waits as long as before",
		[WAIT_MATTERS] = "makes the run longer",
		[WAIT_RELATIVE] = "waits more for the same work",
		[WAIT_FOR_INPUT] = "waits for input",
		[WAIT_FOR_CHILD] = "waits for a process or thread",
		[WAIT_DECLARED] = "declared idle",
		[WAIT_EXPLAINED] = "waits, and does not make the run longer",
		[WAIT_UNKNOWN] = "waits, and the elapsed time is not known",
	};

	return names[role];
}

struct elapsed_change elapsed_change_of(const struct run_account *before,
					const struct run_account *after)
{
	struct elapsed_change e = { *before, *after, NAN, NAN, true };
	double at_once = fmax(fmax(before->concurrency, after->concurrency), 1);
	bool rest = before->concurrency_stated && after->concurrency_stated &&
		    !isnan(before->rest) && !isnan(after->rest);

	e.grew = after->elapsed - before->elapsed;
	if (isnan(e.grew))
		return e;
	if (isnan(at_once))
		at_once = 1;
	e.remainder = e.grew - fmax(after->busy - before->busy, 0) / at_once -
		      (rest ? fmax(after->rest - before->rest, 0) / at_once : 0);
	return e;
}

/* Seconds a run by which the waiting grew. */
static double wait_growth(const struct ranking *all, const struct ranked *r)
{
	return (r->run_after.total - r->run_before.total) * all->seconds;
}

/* What calls of one wait add to elapsed time: those of concurrent clients overlap. */
static bool covers(const struct ranking *all, double grew)
{
	const struct elapsed_change *e = &all->elapsed;
	double at_once = fmax(fmax(e->before.concurrency, e->after.concurrency), 1);

	return e->remainder >= min_growth * e->before.elapsed &&
	       grew / (isnan(at_once) ? 1 : at_once) >= covering * e->remainder;
}

/* How the number of calls changed, in octaves, against that of the operations that work. */
static double relative_calls(const struct ranking *all, const struct ranked *r)
{
	double work_before = 0, work_after = 0;

	for (size_t i = 0; i < all->n; i++) {
		if (!all->v[i].idle) {
			work_before += all->v[i].run_before.calls;
			work_after += all->v[i].run_after.calls;
		}
	}
	if (!(work_before > 0) || !(work_after > 0) || !(r->run_after.calls > 0))
		return NAN;
	return log2((r->run_after.calls / work_after) /
		    (fmax(r->run_before.calls, 1) / work_before));
}

static enum wait_role role_of(const struct ranking *all, const struct ranked *r, bool repeated)
{
	enum wait_class class = wait_class_of(ranked_operation(r)->name);
	double grew = wait_growth(all, r);
	bool known = !isnan(all->elapsed.grew);

	if (!(grew > 0) ||
	    (known && !covers(all, grew) && grew < min_growth * all->elapsed.before.elapsed))
		return WAIT_STEADY;
	if (class == WAIT_CLASS_INPUT)
		return WAIT_FOR_INPUT;
	if (class == WAIT_CLASS_CHILD)
		return WAIT_FOR_CHILD;
	if (class == WAIT_CLASS_NONE)
		return WAIT_DECLARED;
	if (known && !covers(all, grew))
		return WAIT_EXPLAINED;
	if (known && all->elapsed.certain)
		return WAIT_MATTERS;
	if (repeated || relative_calls(all, r) >= min_relative)
		return WAIT_RELATIVE;
	return WAIT_UNKNOWN;
}

void waits_find(struct ranking *all, bool repeated)
{
	for (size_t i = 0; i < all->n; i++) {
		struct ranked *r = &all->v[i];

		r->wait = !r->idle || !(all->seconds > 0) ? WAIT_NONE : role_of(all, r, repeated);
	}
}
