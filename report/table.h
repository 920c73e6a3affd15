/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables: the same cells as aligned text, CSV or Markdown.
 *
 * Cells are filled row by row, left to right.  Text and Markdown show numbers in readable
 * units; CSV shows them with twelve digits in the run's unit.
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

/* The alignment of a column's cells. */
enum column_align { ALIGN_LEFT, ALIGN_RIGHT };

/* One column of a table.  A name of NULL leaves the column out of that output format. */
struct column {
	const char *name;  /* in CSV */
	const char *title; /* in text and Markdown */
	enum column_align align;
};

/* Begins a table; table_end() frees it.  CSV is printed row by row, the other formats at
 * table_end(). */
struct table *table_begin(const struct column *columns, size_t n, const struct style *style,
			  struct out *o);
/* Marks a column as spare.  When the terminal is too narrow, spare columns are left out first,
 * those of the highest degree before others and all of one degree together; then the rightmost
 * columns are left out. */
void table_spare(struct table *t, size_t column, unsigned degree);
/* Marks the last column as what a row is about: it is never left out, and may reach beyond the
 * right edge. */
void table_keep_last(struct table *t);
/* Begins further rows of a CSV table whose header is printed already. */
struct table *table_part(const struct column *columns, size_t n, const struct style *style,
			 struct out *o);
/* Reserves memory for n_rows rows. */
void table_expect(struct table *t, size_t n_rows);
void table_end(struct table *t); /* prints and frees */

/* Each of these fills the next cell.  Cells of columns that the output format does not show
 * must be filled, too. */
void table_name(struct table *t, struct str hostile);
void table_name_of(struct table *t, struct str layer, struct str name); /* "layer/name" */
void table_text(struct table *t, const char *ours, enum tone tone);
void table_count(struct table *t, uint64_t v);
void table_number(struct table *t, double v); /* NAN: empty, also in table_range() */
/* A value `estimated` from buckets gets a "~", except in CSV.  NAN is empty in CSV, else "-". */
void table_latency(struct table *t, double v, struct scale s, bool estimated);
void table_range(struct table *t, double low, double high, struct scale s); /* text only */
void table_share(struct table *t, double v); /* a fraction in CSV, a percentage in text */
void table_empty(struct table *t);

/* Fill a cell piece by piece: write to what table_open() returns, then call table_close().  The
 * text is not escaped. */
struct out *table_open(struct table *t);
void table_close(struct table *t, enum tone tone);

#endif
