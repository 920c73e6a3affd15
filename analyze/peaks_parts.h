/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that the files of analyze/peaks*.c share. */
#ifndef ANALYZE_PEAKS_PARTS_H
#define ANALYZE_PEAKS_PARTS_H

#include "analyze/peaks.h"

/* Finds slow calls that are a peak by their latency, and marks in `begins` the buckets where these
 * peaks begin.  `begins` holds the beginnings of the peaks found before. */
void peaks_mark_slow(const struct histogram *h, const struct peak_rules *rules, bool *begins);

/* Transports the calls that did not stay from one side to the other, from the lowest peaks up,
 * which gives the least total distance.  left_before and left_after are each peak's share of the
 * calls without those that stayed; they are used up.  `ret` has room for as many links as there are
 * peaks; returns how many were made. */
size_t peaks_transport(const struct peaks *before, const struct peaks *after, double *left_before,
		       double *left_after, const struct match_rules *rules, struct peak_link *ret);

/* Chooses, from links in the order of peaks_transport(), those whose two peaks are the same one.
 * Each peak is in at most one of them, and together they carry as many calls as possible. */
void peaks_mate(const struct peak_link *link, size_t n, const struct match_rules *rules,
		bool *ret_mates);

#endif
