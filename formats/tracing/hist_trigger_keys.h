/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys in the specification of a hist: trigger.  For formats/tracing/hist_trigger.c only. */
#ifndef FORMATS_TRACING_HIST_TRIGGER_KEYS_H
#define FORMATS_TRACING_HIST_TRIGGER_KEYS_H

#include <stdint.h>

#include "base/attr.h"
#include "base/str.h"

/* How a key's values are put into buckets: not at all, by powers of two, or in equal widths. */
enum shape { SHAPE_PLAIN, SHAPE_LOG2, SHAPE_BUCKETS };

/* One key of a hist trigger; strings are borrowed from the input. */
struct hist_key {
	struct str name;
	enum shape shape;
	uint64_t width; /* of SHAPE_BUCKETS */
	bool syscall, execname;
	struct str mark; /* ", name:", with which it begins if it is not the first key */
};

/* Returns whether a key or value of this name is a latency. */
bool hist_is_latency(struct str name);
/* Returns the list after `what`, "keys=" or ":vals=", in a specification. */
struct str hist_list(struct str spec, struct str what);
/* Takes the next item off a list; false at the end. */
MUST_CHECK bool hist_next(struct str *list, struct str *ret);
/* Parses "lat.log2", "pid" or "id.syscall"; does not set `mark`. */
void hist_parse_key(struct str s, struct hist_key *ret);

#endif
