/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the command line to causes: what osprof causes prints and osprof plot causes draws. */
#ifndef COMPARE_CAUSES_FOUND_H
#define COMPARE_CAUSES_FOUND_H

#include "compare/causes_load.h"

struct comparison;

/*
 * The causes of a peak or range, with the trees they were found in; causes_found_release() frees
 * it.
 */
struct causes_found {
	struct arena *arena;
	struct cause_rules rules;
	struct causes_side before, after; /* `after` alone, unless two are compared */
	bool pair;
	struct peaks peaks, before_peaks;
	struct histogram hist, before_hist;
	struct causes causes;

	/* Its own. */
	const struct request *request;
	struct diag *diag;
};

/* Whether all operands are kept trees, which say themselves which function they are of. */
bool causes_are_kept(const struct request *q);

/* Reads both sides.  To be released in any case; false when an error was reported. */
MUST_CHECK bool causes_found_load(struct causes_found *ret, const struct request *q,
				  struct diag *diag);
/* Chooses calls and finds their causes. */
MUST_CHECK bool causes_found_find(struct causes_found *f);
void causes_found_release(struct causes_found *f);

/* Of the operations that a comparison of two traces reports, the first few, for a page: what
 * cannot be read is left out. */
struct causes_page;
struct causes_page *causes_page_new(struct comparison *c, const struct request *q);
void causes_page_free(struct causes_page *p); /* NULL is fine */

/* What is reported of them, runs of both sides included; sections and depth as asked for. */
struct causes_report causes_found_report(struct causes_found *f);

#endif
