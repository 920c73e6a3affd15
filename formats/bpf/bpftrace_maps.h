/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What bpftrace's maps mean, whether they were printed as text or as JSON.
 *
 * A reader hands over every entry of every map in file order; only at the end,
 * when all maps are known, is it decided which of them are histograms, which
 * ones hold their exact totals, and whether the top bucket is open.  Then all
 * of it is pushed into the builder at once.
 *
 * Names and keys are borrowed and have to outlive the maps.
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

/* No maps yet; their strings lie in the arena. */
struct maps *maps_new(struct input *in, struct arena *arena, struct diag *diag);
void maps_free(struct maps *m); /* NULL is fine */

/* The map of that name, which is given without its '@'. */
struct map *maps_find(struct maps *m, struct str name);

/* One entry of a map.  `keyed` is false for a map that has no keys; `where` is
 * a part of the input's bytes. */
struct map_entry {
	struct map *map;
	struct str key; /* raw: as the text or the decoded JSON string has it */
	bool keyed;
	struct str where;
};

void maps_histogram(struct maps *m, const struct map_entry *e); /* its rows follow */
/* The collector is one that does not saturate: [2G, 4G) is a bucket like any other. */
void maps_top_is_closed(struct maps *m);
void maps_row(struct maps *m, double low, double high, uint64_t count, struct str where);
void maps_scalar(struct maps *m, const struct map_entry *e, struct decimal value);
void maps_stats(struct maps *m, const struct map_entry *e, uint64_t count, struct decimal total);
/* The last three were {"count", "average", "total"} of an unkeyed stats map. */
bool maps_join_stats(struct maps *m);
/* Neither of these: a time series, a string, a stack. */
void maps_other(struct maps *m, const struct map_entry *e);
void map_is_average(struct map *map); /* its numbers are no sums */

void maps_print_begins(struct maps *m);	      /* entries from here on belong to another print */
void maps_time(struct maps *m, double stamp); /* seconds of the day; NAN: not known */

/* Bounds between which bpftrace <= 0.19 puts everything from 2^31 on, and what
 * its JSON says instead of them. */
#define MAPS_TOP_LOW	0x1p31
#define MAPS_TOP_HIGH	0x1p32
#define MAPS_BROKEN_LOW (-0x1p31)

/* Pushes every map that is a histogram, with its totals; false when an error was reported. */
MUST_CHECK bool maps_push(struct maps *m, struct builder *to);

#endif
