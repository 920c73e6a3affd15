/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/bench/fio_bins.h"

enum { PART_BITS = 6, EXACT = 2 << PART_BITS }; /* below EXACT a bucket is one value */

struct bucket_scheme fio_scheme(int n_bins, int coarseness)
{
	struct bucket_scheme s =
		bucket_log_linear(1U << (PART_BITS - coarseness), (double)(1 << coarseness));

	s.limit = (n_bins >> coarseness) - 1;
	return s;
}

bool fio_bin(uint64_t midpoint, int n_bins, int *ret)
{
	int octave, shift, bin;
	uint64_t low;

	if (midpoint < EXACT) {
		*ret = (int)midpoint;
		return true;
	}
	octave = 63 - __builtin_clzll(midpoint);
	shift = octave - PART_BITS;
	low = midpoint - (UINT64_C(1) << shift) / 2;
	bin = ((shift + 1) << PART_BITS) + (int)((low >> shift) & ((1 << PART_BITS) - 1));
	if ((low & ((UINT64_C(1) << shift) - 1)) != 0 || bin >= n_bins)
		return false;
	*ret = bin;
	return true;
}
