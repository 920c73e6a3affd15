/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a comparison fails: by a policy, or by verdicts where no policy speaks. */
#ifndef ANALYZE_GATE_H
#define ANALYZE_GATE_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/policy.h"

struct annotations;

/* What a gate looks at; borrows all of it. */
struct gate {
	const struct ranking *ranking;
	const struct rank_rules *rules;	       /* with the policy, if there is one */
	const struct annotations *annotations; /* whose expected verdicts do not fail; NULL: none */
	unsigned fails;			       /* verdicts that fail where no policy speaks */
};

/* What the gate says of one operation of the ranking. */
struct ruling gate_ruling(struct gate g, const struct ranked *r);
/* The number of operations that fail, and of those that would but for an annotation. */
size_t gate_failures(struct gate g);
size_t gate_expected(struct gate g);
/* The policy's line that the run as a whole fails by; 0: it does not. */
size_t gate_run_failure(struct gate g);

/* How a gate ends: 0, 1 and 3 are its exit statuses. */
enum gate_result {
	GATE_PASSED,
	GATE_FAILED,
	GATE_INCONCLUSIVE, /* nothing failed, and something that is large enough is not known */
};
/* The run, or an operation, fails; `strict` asks for certainty, too. */
enum gate_result gate_result(struct gate g, bool strict);

#endif
