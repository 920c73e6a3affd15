/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads two sides for a comparison by host, from sums by host or from the files of hosts. */
#ifndef LOAD_HOSTS_LOAD_H
#define LOAD_HOSTS_LOAD_H

#include "load/load.h"

/* Loads both sides.  With --pairs, *ret_differences holds the differences within each host, else it
 * is NULL; the caller frees it.  False when an error was reported. */
MUST_CHECK bool hosts_load(struct loaded *ret_before, struct loaded *ret_after,
			   struct profile **ret_differences, const struct load_options *q,
			   struct diag *diag);

#endif
