/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decides whether a comparison fails: by its policy, or by verdicts where no policy applies. */
#ifndef ANALYZE_RANK_GATE_H
#define ANALYZE_RANK_GATE_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/rank/policy.h"

struct annotations;

/* The input of a gate; borrows all of it. */
struct gate {
	const struct ranking *ranking;
	const struct rank_rules *rules;	       /* including the policy, if any */
	const struct annotations *annotations; /* expected verdicts do not fail; may be NULL */
	unsigned fails; /* set of verdicts that fail where no policy applies */
};

/* Returns the ruling on one operation of the ranking. */
struct ruling gate_ruling(struct gate g, const struct ranked *r);
/* Returns the number of operations that fail, or that only an annotation keeps from failing. */
size_t gate_failures(struct gate g);
size_t gate_expected(struct gate g);
/* Whether the run as a whole fails; *ret_line is the line of the policy that says so, 0: none does.
 */
bool gate_run_fails(struct gate g, size_t *ret_line);
/* Returns the number of operations that regressed, but are too small a part of the run to be
 * reported. */
size_t gate_small_regressions(struct gate g);

/* How a gate ends: 0, 1 and 3 are its exit statuses. */
enum gate_result {
	GATE_PASSED,
	GATE_FAILED,
	GATE_INCONCLUSIVE, /* nothing failed, but a large enough operation is inconclusive */
};
/* Returns GATE_FAILED when the run or an operation fails; GATE_INCONCLUSIVE only with `strict`. */
enum gate_result gate_result(struct gate g, bool strict);

#endif
