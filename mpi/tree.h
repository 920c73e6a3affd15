/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reduces the sums of all processes to one, in the first process. */
#ifndef MPI_TREE_H
#define MPI_TREE_H

#include <stdbool.h>

#include "base/attr.h"

struct diag;
struct profile;

/* Whether `here` is true in all processes; a collective call. */
bool tree_all(bool here);
/* Merges the `own` profiles of all processes along a binomial tree, and frees them.  *ret_sum is
 * NULL in all but the first.  Returns false in all when an error was reported in one of them. */
MUST_CHECK bool tree_sum(struct profile *own, struct profile **ret_sum, struct diag *diag);

#endif
