/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sums of all processes become one, which the first has. */
#ifndef MPI_TREE_H
#define MPI_TREE_H

#include <stdbool.h>

#include "base/attr.h"

struct diag;
struct profile;

/* Whether it holds in all processes; all have to ask. */
bool tree_all(bool here);
/* Takes `own` of each process up a binomial tree.  *ret_sum is NULL in all but the first.
 * False in all when an error was reported in one of them. */
MUST_CHECK bool tree_sum(struct profile *own, struct profile **ret_sum, struct diag *diag);

#endif
