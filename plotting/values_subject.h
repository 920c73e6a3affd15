/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What figures of recorded variables are made of. */
#ifndef PLOTTING_VALUES_SUBJECT_H
#define PLOTTING_VALUES_SUBJECT_H

#include "analyze/values.h"

/* All borrowed. */
struct values_subject {
	const struct profile *profile;
	const struct values *values; /* of calls, not of a value profile */
};

#endif
