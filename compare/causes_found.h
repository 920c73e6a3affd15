/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the causes that osprof causes prints and osprof plot causes draws. */
#ifndef COMPARE_CAUSES_FOUND_H
#define COMPARE_CAUSES_FOUND_H

#include "load/causes_load.h"

struct comparison;
struct show_options;

/*
 * The causes of a peak or range, with the trees they were found in; causes_found_release() frees
 * it.
 */
struct causes_found {
	struct arena *arena;
	struct cause_rules rules;
	struct causes_side before, after; /* only `after`, unless two sides are compared */
	bool pair;
	struct peaks peaks, before_peaks;
	struct histogram hist, before_hist;
	struct causes causes;

	/* Private. */
	const struct load_options *load;
	const struct causes_options *options;
	struct diag *diag;
};

/* Whether all operands are saved trees, which state their function themselves. */
bool causes_are_kept(const struct load_options *q);

/* Reads both sides; false when an error was reported.  Call causes_found_release() in any case. */
MUST_CHECK bool causes_found_load(struct causes_found *ret, const struct load_options *q,
				  const struct causes_options *options, struct diag *diag);
/* Chooses calls and finds their causes; false when an error was reported. */
MUST_CHECK bool causes_found_find(struct causes_found *f);
void causes_found_release(struct causes_found *f);

/* Finds causes of the first few operations that a comparison of two traces reports, for its page;
 * leaves out those that cannot be read.  NULL when the inputs hold no calls or cannot be read
 * again. */
struct causes_page;
struct causes_page *causes_page_new(struct comparison *c, const struct load_options *q,
				    const struct causes_options *options);
void causes_page_free(struct causes_page *p); /* NULL is fine */

/* Returns the report, with the runs of both sides, of which so much is shown. */
struct causes_report causes_found_report(struct causes_found *f, const struct show_options *show);

#endif
