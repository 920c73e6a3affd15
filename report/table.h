/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables: the same cells as aligned text, CSV or Markdown.
 *
 * Cells are filled row by row, left to right.  A number is given once; text and
 * Markdown show it as people read it, CSV with twelve digits in the run's unit.
 */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "profile/quantity.h"
#include "report/style.h"

struct out;
struct table;

/* On which side of a column its cells stand. */
enum column_align { ALIGN_LEFT, ALIGN_RIGHT };

/* One column of a table: its names in each output format; NULL: it is not in that one. */
struct column {
	const char *name;  /* in CSV */
	const char *title; /* in text and Markdown */
	enum column_align align;
};

/* CSV goes to `o` as it comes, the others at table_end(). */
struct table *table_begin(const struct column *columns, size_t n, const struct style *style,
			  struct out *o);
/* On a terminal that has no room for all columns the one to the right is left out, but before
 * it all that are spare, those of the highest degree first.  Columns of one degree go together. */
void table_spare(struct table *t, size_t column, unsigned degree);
/* Rows of a CSV table that somebody else has begun. */
struct table *table_part(const struct column *columns, size_t n, const struct style *style,
			 struct out *o);
/* So many rows will come: room for them is made at once. */
void table_expect(struct table *t, size_t n_rows);
void table_end(struct table *t); /* prints and frees */

/* One cell each, in the order of the columns; those a output format does not show are
 * still given. */
void table_name(struct table *t, struct str hostile);
void table_name_of(struct table *t, struct str layer, struct str name); /* "layer/name" */
void table_text(struct table *t, const char *ours, enum tone tone);
void table_count(struct table *t, uint64_t v);
void table_number(struct table *t, double v); /* NAN: empty, here and in a range */
/* `estimated`, from buckets: a "~" before it, but not in CSV.  NAN: empty in CSV, else "-". */
void table_latency(struct table *t, double v, struct scale s, bool estimated);
void table_range(struct table *t, double low, double high, struct scale s); /* text only */
void table_share(struct table *t, double v); /* in CSV a share, in text a percentage */
void table_empty(struct table *t);

/* A cell written piece by piece: what goes to the first one's answer, all of it ours, until
 * it is closed. */
struct out *table_open(struct table *t);
void table_close(struct table *t, enum tone tone);

#endif
