/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/arena.h"
#include "base/diag.h"
#include "cli/command.h"
#include "cli/compare.h"
#include "cli/groups.h"

static bool counts_as_change(const struct ranked *r, enum gate gate)
{
	if (!r->reported || gate == GATE_OFF)
		return false;
	return gate == GATE_ANY || r->verdict == VERDICT_REGRESSED;
}

static enum exit_status status_of(const struct ranking *all, const struct settings *s)
{
	enum exit_status status = EXIT_FINE;

	for (size_t i = 0; i < all->n; i++) {
		if (counts_as_change(&all->v[i], s->gate))
			return EXIT_DIFFERS;
		if (s->strict && s->gate != GATE_OFF && all->v[i].verdict == VERDICT_INCONCLUSIVE)
			status = EXIT_UNSURE;
	}
	return status;
}

static enum exit_status run_rank(struct context *cx, const struct settings *s)
{
	struct compared c;
	enum exit_status status;

	if (!compare_sides(&c, s, &s->rules, cx->diag))
		return EXIT_TROUBLE;
	report_rank(cx->out, &cx->style, &c.comparison);
	status = status_of(&c.ranking, s);
	compared_release(&c);
	return status;
}

static const enum option_id options[] = { OPTIONS_RULES,  OPT_ALL,	    OPT_EXIT_CODE,
					  OPT_STRICT,	  OPTIONS_CHOOSING, OPTIONS_PRINTING,
					  OPTIONS_READING };

const struct command command_rank = {
	.name = "rank",
	.operands = "BEFORE AFTER",
	.summary = "Which operations differ, how, how sure",
	.min_operands = 2,
	.max_operands = 2,
	.sides = true,
	.options = options,
	.n_options = COUNT_OF(options),
	.dresses = DRESSES_TABLE | 1U << DRESS_JUNIT,
	.run = run_rank,
};
