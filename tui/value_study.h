/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which recorded variable separates the peaks of each operation of the run that is browsed, and
 * what all of that borrows from. */
#ifndef TUI_VALUE_STUDY_H
#define TUI_VALUE_STUDY_H

#include "analyze/values.h"

/* The variables of a run's calls, for the browser; value_study_free() frees it. */
struct value_study {
	struct values values;

	/* Its own. */
	struct profile *profile;
	struct variables *variables;
	struct arena *arena;
};

void value_study_free(struct value_study *s); /* NULL is fine */

/* What is known of an operation; NULL: it has too few calls. */
const struct operation_values *value_study_of(const struct value_study *s,
					      const struct operation *op);

#endif
