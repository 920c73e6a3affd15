/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a workload would take at the costs of other runs, as osprof predict prints it. */
#ifndef REPORT_PREDICT_H
#define REPORT_PREDICT_H

#include "analyze/predict.h"
#include "report/report.h"

/* A prediction and the runs that it was made from. */
struct prediction_report {
	struct run costs, counts;
	const struct prediction *found;
	bool all; /* text: list every operation, not only those that take longest */
};

void report_prediction(struct out *o, const struct style *s, const struct prediction_report *r);

#endif
