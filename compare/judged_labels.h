/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the selection of rank and the distances find in labelled pairs, each judged alone. */
#ifndef COMPARE_JUDGED_LABELS_H
#define COMPARE_JUDGED_LABELS_H

#include "compare/labels.h"
#include "report/accuracy.h"

struct compare_options;
struct load_options;

/* The accuracy of each method; judged_labels_release() frees it. */
struct judged_labels {
	struct accuracy_report report; /* borrows from the labels */

	/* Private. */
	struct labels labels;
	size_t cap_wrong;
};

/* Reads the table of the only operand, and each run that it names once, and judges each pair by
 * itself.  False when an error was reported. */
MUST_CHECK bool judged_labels_measure(struct judged_labels *ret, const struct load_options *q,
				      const struct compare_options *how, struct diag *diag);
void judged_labels_release(struct judged_labels *j);

#endif
