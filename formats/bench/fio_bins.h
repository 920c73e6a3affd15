/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The buckets of fio: 64 in each octave, in json+ by their midpoint, in histogram
 * logs by their number.
 */
#ifndef FORMATS_BENCH_FIO_BINS_H
#define FORMATS_BENCH_FIO_BINS_H

#include <stdint.h>

#include "base/attr.h"
#include "profile/bucket.h"

enum {
	FIO_BINS = 29 * 64,	/* from fio 3 on, in nanoseconds */
	FIO_BINS_OLD = 19 * 64, /* before, in microseconds */
	FIO_COARSEST = 6,	/* of log_hist_coarseness: 2^6 neighbours in one */
};

/* n_bins buckets after 2^coarseness neighbours were put together; the last is open. */
struct bucket_scheme fio_scheme(int n_bins, int coarseness);

/* The bucket with this midpoint; false when there is none. */
MUST_CHECK bool fio_bin(uint64_t midpoint, int n_bins, int *ret);

#endif
