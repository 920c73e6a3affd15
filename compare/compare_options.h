/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How runs are compared, and what fails. */
#ifndef COMPARE_COMPARE_OPTIONS_H
#define COMPARE_COMPARE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/rank/rank.h"
#include "analyze/rank/runs.h"

/* Which verdicts make a command fail. */
enum gate_kind { GATE_OFF, GATE_REGRESSED, GATE_ANY };

struct compare_options {
	struct rank_rules rules;
	struct runs_rules runs; /* of repeated runs */
	enum gate_kind gate;
	const char *policy_path; /* NULL: none */
	bool ignore_annotations;
	uint64_t seed; /* of permutation tests */
	size_t splits; /* maximum number of splits of repeated runs into halves */
};

/* Returns the defaults: the rules of rank, one thread. */
struct compare_options compare_options_default(void);

#endif
