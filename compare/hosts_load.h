/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two sides of a comparison by host: sums by host, or the files of hosts. */
#ifndef COMPARE_HOSTS_LOAD_H
#define COMPARE_HOSTS_LOAD_H

#include "compare/load.h"

/* *ret_differences: of each host from itself, with --pairs; else NULL.  The caller frees it. */
MUST_CHECK bool hosts_load(struct loaded *ret_before, struct loaded *ret_after,
			   struct profile **ret_differences, const struct request *q,
			   struct diag *diag);

#endif
