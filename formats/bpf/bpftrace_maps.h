/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Interprets bpftrace's maps, printed as text or as JSON.
 *
 * A reader adds every entry of every map in file order.  Only at the end, when all maps are known,
 * is it decided which of them are histograms, which ones hold their exact totals, and whether the
 * top bucket is open.  Then everything is pushed to the builder at once.
 *
 * Names and keys are borrowed and must outlive the maps.
 */
#ifndef FORMATS_BPF_BPFTRACE_MAPS_H
#define FORMATS_BPF_BPFTRACE_MAPS_H

#include <stdint.h>

#include "base/attr.h"
#include "base/decimal.h"
#include "base/str.h"

struct arena;
struct builder;
struct diag;
struct input;
struct map;
struct maps;

/* Returns an empty collection; its strings are allocated in the arena. */
struct maps *maps_new(struct input *in, struct arena *arena, struct diag *diag);
void maps_free(struct maps *m); /* NULL is fine */

/* Returns the map with this name, without its '@'; adds it if it is new. */
struct map *maps_find(struct maps *m, struct str name);

/* One entry of a map.  `keyed` is false if the map has no keys; `where` is a part of the input's
 * bytes. */
struct map_entry {
	struct map *map;
	struct str key; /* raw: as in the text or the decoded JSON string */
	bool keyed;
	struct str where;
};

void maps_histogram(struct maps *m, const struct map_entry *e); /* its rows follow */
/* Tells that the collector does not saturate: [2G, 4G) is a bucket like any other. */
void maps_top_is_closed(struct maps *m);
void maps_row(struct maps *m, double low, double high, uint64_t count, struct str where);
void maps_scalar(struct maps *m, const struct map_entry *e, struct decimal value);
void maps_stats(struct maps *m, const struct map_entry *e, uint64_t count, struct decimal total);
/* Joins the last three entries into one if they are {"count", "average", "total"} of an unkeyed
 * stats map; returns whether they were. */
bool maps_join_stats(struct maps *m);
/* Adds an entry of any other kind: a time series, a string, a stack. */
void maps_other(struct maps *m, const struct map_entry *e);
void map_is_average(struct map *map); /* its numbers are not sums */

void maps_begin_snapshot(struct maps *m);     /* further entries are in the next snapshot */
void maps_time(struct maps *m, double stamp); /* seconds of the day; NAN: unknown */

/* The edges between which bpftrace <= 0.19 puts everything from 2^31 on, and what its JSON prints
 * instead of the lower edge. */
#define MAPS_TOP_LOW	0x1p31
#define MAPS_TOP_HIGH	0x1p32
#define MAPS_BROKEN_LOW (-0x1p31)

/* Pushes every map that is a histogram, with its totals; false when an error was reported. */
MUST_CHECK bool maps_push(struct maps *m, struct builder *to);

#endif
