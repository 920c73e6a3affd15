/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file of --policy, kept while messages may point into it. */
#ifndef COMPARE_POLICY_FILE_H
#define COMPARE_POLICY_FILE_H

#include "analyze/rank/policy.h"
#include "base/input/input.h"

struct diag;

/* A policy with the text that it was read from; policy_release() frees both. */
struct policy_file {
	struct input input;
	struct policy *policy; /* NULL: none */
};

/* Loads the policy of --policy; none if the path is NULL.  False when an error was reported. */
MUST_CHECK bool policy_load(struct policy_file *ret, const char *path, size_t max_input,
			    struct diag *diag);
void policy_release(struct policy_file *f);

/* Warns of sections that apply to no operation of either side. */
void policy_warn(struct policy_file *f, const struct ranking *all, struct diag *diag);

#endif
