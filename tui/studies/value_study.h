/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The recorded variables of the browsed run: which of them separates the peaks of each operation,
 * and the data that these results borrow from. */
#ifndef TUI_STUDIES_VALUE_STUDY_H
#define TUI_STUDIES_VALUE_STUDY_H

#include "analyze/values/values.h"

/* The variables of a run's calls, for the browser; value_study_free() frees it. */
struct value_study {
	struct values values;

	/* Private. */
	struct profile *profile;
	struct variables *variables;
	struct arena *arena;
};

void value_study_free(struct value_study *s); /* NULL is fine */

/* Returns the results for an operation; NULL when there are none, because it has too few calls. */
const struct operation_values *value_study_of(const struct value_study *s,
					      const struct operation *op);

#endif
