/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two sides, loaded and ranked: what rank and distance begin with. */
#ifndef COMPARE_COMPARE_H
#define COMPARE_COMPARE_H

#include "compare/compared.h"

struct diag;
struct request;

/* Reads both sides, compares them and judges each operation; false when an error was reported. */
MUST_CHECK bool compare_runs(struct compared *ret, const struct request *q,
			     const struct rank_rules *rules, struct diag *diag);
/* Reads what is kept beside the run after; verdicts that are expected do not fail then. */
MUST_CHECK bool compare_annotations(struct compared *c, const struct request *q, struct diag *diag);
/* Warns when the runs of a side drifted. */
void report_drift(const char *path, const struct drift *d, struct diag *diag);

/* Frees both sides and the comparison. */
void compared_release(struct compared *c);

#endif
