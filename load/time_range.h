/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operands that name a part of a file: "FILE@FROM:TO", from and to a time since the beginning of
 * the run.  Either may be absent.
 */
#ifndef LOAD_TIME_RANGE_H
#define LOAD_TIME_RANGE_H

#include "profile/between.h"

/* Whether the operand names a part; then *ret_path is the file's path on the heap.  A file whose
 * own name looks like that is read as a whole. */
bool operand_names_part(const char *operand, char **ret_path, struct time_range *ret);

/* Returns the longest interval of which both ends of the range are multiples, in seconds. */
double time_range_step(struct time_range range);

#endif
