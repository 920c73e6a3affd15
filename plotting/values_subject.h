/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The input of figures of recorded variables. */
#ifndef PLOTTING_VALUES_SUBJECT_H
#define PLOTTING_VALUES_SUBJECT_H

#include "analyze/values/values.h"

/* All borrowed. */
struct values_subject {
	const struct profile *profile;
	const struct values *values; /* of calls, not of a value profile */
};

#endif
