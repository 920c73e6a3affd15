/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the output format cannot represent, reported in one note. */
#ifndef FORMATS_LOSSES_H
#define FORMATS_LOSSES_H

#include <stdbool.h>

struct diag;
struct profile;

/* What a writer may have to leave out. */
enum loss {
	LOSS_NAME,
	LOSS_UNIT,
	LOSS_HZ,
	LOSS_ELAPSED,
	LOSS_CONCURRENCY,
	LOSS_FIXED_DURATION,
	LOSS_LOST,
	LOSS_THRESHOLD,
	LOSS_GRANULARITY,
	LOSS_ROUNDED,
	LOSS_EXTREMES,
	LOSS_DEVIATION,
	LOSS_COUNTS,
	LOSS_INTERVALS,
	LOSS_NEGATIVE,
	LOSS_TOP,
	LOSS_SCHEME,
	LOSS_NAMES,
};
enum { LOSS_N = LOSS_NAMES + 1 };

/* Marks what the profile has of these, except the last two, which only the writer knows.  The
 * writer then clears what its format can represent. */
void losses_find(const struct profile *p, bool *lost);
void losses_report(const bool *lost, const char *format, struct diag *diag);

#endif
