/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The percentile tables of HdrHistogram, by themselves (.hgrm) and in what others
 * print (wrk2):
 *
 *	       Value     Percentile TotalCount 1/(1-Percentile)
 *
 *	        0.02 0.000000000000        356           1.00
 *	     1803.55 1.000000000000      48761
 *	#[Mean    =        67.81, StdDeviation   =       258.95]
 *	#[Max     =      1803.55, Total count    =        48761]
 *
 * TotalCount calls took Value or less.  So what lies between two rows is a bucket.
 * Values were rounded when they were printed.
 */
#ifndef FORMATS_BENCH_PERCENTILES_H
#define FORMATS_BENCH_PERCENTILES_H

#include "formats/lines.h"

/* The line above a table, in blanks or in quotes and commas. */
bool percentiles_header(struct str line);

/* Reads rows and footers from the line after the header on into the operation at
 * hand; the first other line comes next.  False when an error was reported. */
MUST_CHECK bool percentiles_read(struct lines *lines, struct builder *to, struct str header);

#endif
