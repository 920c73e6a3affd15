/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Percentile tables of HdrHistogram, in files of their own (.hgrm) and in the output of other
 * programs (wrk2):
 *
 *	       Value     Percentile TotalCount 1/(1-Percentile)
 *
 *	        0.02 0.000000000000        356           1.00
 *	     1803.55 1.000000000000      48761
 *	#[Mean    =        67.81, StdDeviation   =       258.95]
 *	#[Max     =      1803.55, Total count    =        48761]
 *
 * TotalCount calls took Value or less, so two consecutive rows bound a bucket.  Values were rounded
 * for printing.
 */
#ifndef FORMATS_BENCH_PERCENTILES_H
#define FORMATS_BENCH_PERCENTILES_H

#include "formats/lines.h"

/* Whether the line is the head of a table, separated by blanks or with quotes and commas. */
bool percentiles_header(struct str line);

/* Whether the line is a row of a table. */
bool percentiles_row(struct str line);

/* Reads rows and footers after the header into the current operation, up to the first other line,
 * which is left to be read.  False when an error was reported. */
MUST_CHECK bool percentiles_read(struct lines *lines, struct builder *to, struct str header);

#endif
