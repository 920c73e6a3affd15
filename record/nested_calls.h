/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds a call tree from the events of a recorded command (collect/stream.h), while it runs. */
#ifndef RECORD_NESTED_CALLS_H
#define RECORD_NESTED_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "collect/stream.h"

struct call_tree;
struct nested_calls;
struct osprof;

/* Starts a thread that builds the tree of this function, an operation of the profile.  Borrows the
 * stream. */
struct nested_calls *nested_calls_start(struct stream *s, const struct osprof *profile,
					const char *function);
/* Takes the remaining events after the command has ended, and frees n.  The caller owns the tree;
 * *ret_waited: how often threads of the command had to wait. */
struct call_tree *nested_calls_finish(struct nested_calls *n, uint64_t *ret_waited);

#endif
