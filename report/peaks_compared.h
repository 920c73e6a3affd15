/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof peaks of two sides. */
#ifndef REPORT_PEAKS_COMPARED_H
#define REPORT_PEAKS_COMPARED_H

struct comparison;
struct out;
struct peaks_over_runs;
struct style;

/* Prints what became of each peak of a comparison. */
void report_peaks_compared(struct out *o, const struct style *s, const struct comparison *c,
			   const struct peaks_over_runs *all);

#endif
