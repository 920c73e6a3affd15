/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The buckets of fio: 64 per octave, identified by midpoint in json+ and by number in histogram
 * logs.
 */
#ifndef FORMATS_BENCH_FIO_BINS_H
#define FORMATS_BENCH_FIO_BINS_H

#include <stdint.h>

#include "base/attr.h"
#include "profile/bucket.h"

enum {
	FIO_BINS = 29 * 64,	/* since fio 3, in nanoseconds */
	FIO_BINS_OLD = 19 * 64, /* before fio 3, in microseconds */
	FIO_COARSEST = 6,	/* maximum of log_hist_coarseness: merges 2^6 buckets */
};

/* Returns the scheme of n_bins buckets that each merge 2^coarseness buckets; the last is open. */
struct bucket_scheme fio_scheme(int n_bins, int coarseness);

/* Finds the bucket with this midpoint; false when there is none. */
MUST_CHECK bool fio_bin(uint64_t midpoint, int n_bins, int *ret);

#endif
