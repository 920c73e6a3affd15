/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/rank/noise.h"
#include "analyze/stats/significance.h"
#include "base/diag.h"
#include "compare/repeated.h"
#include "load/load.h"
#include "profile/repeats.h"
#include "program/command.h"
#include "program/write.h"

enum { ENOUGH_RUNS = 5 };

static void report_rate(const struct noise *noise, struct diag *diag)
{
	const struct replays *r = &noise->one;
	size_t failed = r->alarms[ALARM_REGRESSED], any = r->alarms[ALARM_ANY];

	diag_plain(diag, DIAG_BASELINE_RATE,
		   "%zu of %zu fail --exit-code, a rate of at most %.0f %%; %zu fail "
		   "--exit-code=any, at most %.0f %%",
		   failed, r->n, 100 * largest_rate(failed, r->n), any,
		   100 * largest_rate(any, r->n));
}

static void report_baseline(const struct profile *p, const struct noise *noise, struct diag *diag)
{
	report_rate(noise, diag);
	if (p->machine.n == 0)
		diag_plain(diag, DIAG_MACHINE_UNKNOWN,
			   "state it with --machine NAME or --this-machine");
	if (noise->n_runs < ENOUGH_RUNS)
		diag_plain(diag, DIAG_BASELINE_SMALL,
			   "%zu runs show little of how runs vary; record %d to 10", noise->n_runs,
			   ENOUGH_RUNS);
	if (noise->one.alarms[ALARM_ANY] > 0)
		diag_plain(diag, DIAG_BASELINE_NOISY,
			   "%zu of its %zu runs would be reported when judged against the others; "
			   "run `osprof aa` to see why",
			   noise->one.alarms[ALARM_ANY], noise->one.n);
}

static enum exit_status write_baseline(struct context *cx, const struct settings *s,
				       const struct loaded *l, const struct noise *noise)
{
	struct profile *p =
		profile_of_runs((const struct profile *const *)l->single, l->n_runs, cx->diag);
	enum exit_status status = EXIT_ERROR;

	if (p == NULL)
		return EXIT_ERROR;
	noise_store(noise, p);
	report_baseline(p, noise, cx->diag);
	status = write_profile(cx, s, p);
	profile_free(p);
	return status;
}

static enum exit_status run_baseline(struct context *cx, const struct settings *s)
{
	enum exit_status status = EXIT_ERROR;
	struct repeated r;

	if (!repeated_measure(&r, &s->options.load, &s->options.compare, cx->diag))
		return EXIT_ERROR;
	status = write_baseline(cx, s, &r.loaded, &r.noise);
	repeated_release(&r);
	return status;
}

const struct command command_baseline = {
	.id = COMMAND_baseline,
	.name = "baseline",
	.operands = "RUN... -o FILE",
	.summary = "Store repeated runs, to judge new runs against them",
	.min_operands = 1,
	.max_operands = MANY_OPERANDS,
	.run = run_baseline,
};
