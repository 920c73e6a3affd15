/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What finding and matching peaks are made of. */
#ifndef ANALYZE_PEAKS_PARTS_H
#define ANALYZE_PEAKS_PARTS_H

#include "analyze/peaks.h"

/* Marks where a few slow calls begin that are a peak by their latency.  The peaks that are
 * known begin at the buckets that `begins` has. */
void peaks_mark_slow(const struct histogram *h, const struct peak_rules *rules, bool *begins);

/* What is left of each peak's share of the calls once those that stayed are taken away: it is
 * carried from one side to the other, the lowest to the lowest, which is the least way in
 * all.  Room for as many links as there are peaks; returns how many were made. */
size_t peaks_transport(const struct peaks *before, const struct peaks *after, double *left_before,
		       double *left_after, const struct match_rules *rules, struct peak_link *ret);

/* Of links as peaks_transport() gives them those that make two peaks one and the same: each
 * peak is in one of them at most, and they carry as many calls as can be. */
void peaks_mate(const struct peak_link *link, size_t n, const struct match_rules *rules,
		bool *ret_mates);

#endif
