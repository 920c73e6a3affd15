/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tree of calls out of what a recorded command's functions tell (collect/stream.h), grown
 * while it runs. */
#ifndef RECORD_NESTED_CALLS_H
#define RECORD_NESTED_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "collect/stream.h"

struct call_tree;
struct nested_calls;
struct osprof;

/* Of this function, which is in the profile.  The stream is borrowed. */
struct nested_calls *nested_calls_start(struct stream *s, const struct osprof *profile,
					const char *function);
/* The command has ended: all that is there is taken.  The tree is the caller's; *ret_waited:
 * how often its threads had to wait. */
struct call_tree *nested_calls_finish(struct nested_calls *n, uint64_t *ret_waited);

#endif
