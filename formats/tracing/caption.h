/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The text above a table that names nothing itself: DTrace and SystemTap print
 * what the script prints, and then a table.
 *
 *	Fri Feb  6 21:58:48 2015 FS latency (ns):
 *
 *	FS call: do_sync_read()
 *	     value |---------------...
 *
 * The nearest line is the name, a heading above it the layer; a unit in brackets
 * counts for all below it.  Frames of a stack are one name.
 */
#ifndef FORMATS_TRACING_CAPTION_H
#define FORMATS_TRACING_CAPTION_H

#include <stdint.h>

#include "base/attr.h"
#include "base/str.h"
#include "profile/builder.h"

struct arena;
struct diag;

/* What is known from the text above the next table; strings are borrowed from the input. */
struct caption {
	struct str name;  /* empty when there is nothing above the table */
	struct str where; /* the line it is on */
	struct str layer; /* the heading above it; stays until the next one */
	enum unit unit;
	enum unit layer_unit;
	bool has_stamp;
	double stamp; /* seconds of the day */
	bool has_count, has_max;
	uint64_t count; /* "count: 7615, avg: 154375 us, max: 199043 us" */
	double max;
	uint64_t lost; /* events the lines tell of */
	struct str lost_slot;
};

/* Takes the lines between two tables, and what *c still holds of the ones before.
 * Names that have to be changed live in the arena. */
void caption_read(struct caption *c, struct str text, struct arena *arena);

/* Tells the builder of the time and of losses. */
MUST_CHECK bool caption_push_marks(const struct caption *c, struct builder *to);

#endif
