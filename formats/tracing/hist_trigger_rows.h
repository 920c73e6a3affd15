/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The histograms within one of a hist: trigger: its entries, distinguished by all keys but
 * the latency.  For formats/tracing/hist_trigger.c alone. */
#ifndef FORMATS_TRACING_HIST_TRIGGER_ROWS_H
#define FORMATS_TRACING_HIST_TRIGGER_ROWS_H

#include "base/hash.h"
#include "formats/lines.h"
#include "formats/tracing/hist_trigger_keys.h"

enum { HIST_LOG2_BUCKETS = 64 };

struct hist_group;
struct hist_row;

/* The entries of one hist trigger, by all keys but the latency; in its arena. */
struct hist_rows {
	struct lines *lines;
	struct arena *arena;
	const struct hist_key *key; /* the latency */
	struct bucket_scheme scheme;
	double edge[HIST_LOG2_BUCKETS + 1];
	enum unit unit;
	struct hist_group *groups, *current;
	struct hist_row *row, *sorted; /* of all groups; scratch, of one */
	size_t n_rows, cap_rows, cap_sorted;
};

/* `r` is all zeroes or was dropped, and the arena cleared.  Rows of plain numbers go to buckets of
 * this resolution. */
void hist_rows_start(struct hist_rows *r, struct lines *lines, struct arena *arena,
		     const struct hist_key *key, unsigned resolution);
/* Rows come in any order.  False when an error was reported. */
MUST_CHECK bool hist_rows_add(struct hist_rows *r, struct str name, struct str latency,
			      uint64_t hits, struct str where);
MUST_CHECK bool hist_rows_push(struct hist_rows *r, struct str layer, struct builder *to);
/* Forgets all; keeps its memory for the next histogram.  Also of all zeroes. */
void hist_rows_drop(struct hist_rows *r);
void hist_rows_release(struct hist_rows *r);

#endif
