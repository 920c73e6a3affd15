/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file of --policy, kept for as long as messages may point into it. */
#ifndef CLI_POLICY_H
#define CLI_POLICY_H

#include "analyze/policy.h"
#include "base/input.h"

struct settings;

struct policy_file {
	struct input input;
	struct policy *policy; /* NULL: there is none */
};

/* Without --policy there is nothing to load, which is fine. */
MUST_CHECK bool policy_load(struct policy_file *ret, const struct settings *s, struct diag *diag);
void policy_release(struct policy_file *f);

/* Warns of lines that hold for no operation of either side. */
void policy_warn(struct policy_file *f, const struct ranking *all, struct diag *diag);

#endif
