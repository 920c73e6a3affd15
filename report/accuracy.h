/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The accuracy of methods on labelled pairs of runs, as osprof judge prints it. */
#ifndef REPORT_ACCURACY_H
#define REPORT_ACCURACY_H

#include "analyze/accuracy.h"
#include "analyze/rank/ranked.h"
#include "report/style.h"

struct out;

/* An operation that the selection was wrong about. */
struct misjudged {
	struct str before, after; /* the runs, as the table of labels names them */
	struct str operation;
	bool changed; /* it was, and was not reported; false: the other way round */
	enum verdict verdict;
};

/* What was measured; borrows all that it points to. */
struct accuracy_report {
	const char *path; /* of the table of labels */
	struct accuracy accuracy[MAX_ACCURACIES];
	size_t n_accuracies;
	struct misjudged *wrong;
	size_t n_wrong;
	size_t n_runs, n_pairs;
	size_t n_changed, n_same, n_unscored; /* labels */
	size_t n_missing; /* labels that name no operation of their runs, left out */
};

/* Prints it; `all`: also the misjudged operations beyond the first. */
void report_accuracy(struct out *o, const struct style *s, const struct accuracy_report *r,
		     bool all);

#endif
