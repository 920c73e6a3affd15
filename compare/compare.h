/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loads and ranks two sides, for rank and distance.
 *
 *	if (!compare_runs(&c, &load, &how, diag))
 *		return EXIT_ERROR;
 *	... c.ranking ...
 *	compared_release(&c);
 */
#ifndef COMPARE_COMPARE_H
#define COMPARE_COMPARE_H

#include "compare/compared.h"

struct diag;
struct compare_options;
struct load_options;

/* Reads both sides, compares them and judges each operation.  False when an error was reported;
 * then there is nothing to release.  *ret borrows from the options, and must not be moved. */
MUST_CHECK bool compare_runs(struct compared *ret, const struct load_options *q,
			     const struct compare_options *how, struct diag *diag);
/* Reads the annotations of the run after (load/sidecar.h); verdicts that they mark as expected
 * do not fail.  False when an error was reported. */
MUST_CHECK bool compare_annotations(struct compared *c, const struct load_options *q,
				    struct diag *diag);
/* Returns a run as a side for rank(). */
struct rank_side side_of_run(const struct run *run);
/* Warns when the runs of a side drifted. */
void report_drift(const char *path, const struct drift *d, struct diag *diag);

/* Frees both sides and the comparison. */
void compared_release(struct compared *c);

#endif
