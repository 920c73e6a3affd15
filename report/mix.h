/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof mix: mixes of operations side by side. */
#ifndef REPORT_MIX_H
#define REPORT_MIX_H

#include "analyze/mix.h"
#include "report/report.h"

/* Prints the mixes of n runs, run[i] being that of number i; `all`: every operation
 * in text, too. */
void report_mix(struct out *o, const struct style *s, const struct run *run, const struct mix *m,
		bool all);

#endif
