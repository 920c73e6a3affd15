/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits a hist: trigger's histogram into one for each combination of the keys other than the
 * latency.  For formats/tracing/hist_trigger.c only. */
#ifndef FORMATS_TRACING_HIST_TRIGGER_ROWS_H
#define FORMATS_TRACING_HIST_TRIGGER_ROWS_H

#include "base/tables/hash.h"
#include "formats/lines.h"
#include "formats/tracing/hist_trigger_keys.h"

enum { HIST_LOG2_BUCKETS = 64 };

struct hist_group;
struct hist_row;

/* The rows of one hist trigger, grouped by all keys but the latency; in its arena. */
struct hist_rows {
	struct lines *lines;
	struct arena *arena;
	const struct hist_key *key; /* the latency key */
	struct bucket_scheme scheme;
	double edge[HIST_LOG2_BUCKETS + 1];
	enum unit unit;
	struct hist_group *groups, *current;
	struct hist_row *row, *sorted; /* rows of all groups; scratch for one group */
	size_t n_rows, cap_rows, cap_sorted;
};

/* `r` must be all zeroes or dropped, and the arena cleared.  Plain numbers go to buckets of this
 * resolution. */
void hist_rows_start(struct hist_rows *r, struct lines *lines, struct arena *arena,
		     const struct hist_key *key, unsigned resolution);
/* Adds a row, in any order.  False when an error was reported. */
MUST_CHECK bool hist_rows_add(struct hist_rows *r, struct str name, struct str latency,
			      uint64_t hits, struct str where);
MUST_CHECK bool hist_rows_push(struct hist_rows *r, struct str layer, struct builder *to);
/* Forgets everything but its memory, for the next histogram; `r` may be all zeroes. */
void hist_rows_drop(struct hist_rows *r);
void hist_rows_release(struct hist_rows *r);

#endif
