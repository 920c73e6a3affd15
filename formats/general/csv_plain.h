/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of individual samples that are plain, fast: the fields that are expected, quotes around
 * whole fields only, names that were met before, numbers of digits and a point.
 *
 * It takes rows until it meets one that is not; that one is read the usual way
 * (formats/table.h), and its name may be learned.
 */
#ifndef FORMATS_GENERAL_CSV_PLAIN_H
#define FORMATS_GENERAL_CSV_PLAIN_H

#include "base/blocks.h"
#include "formats/csv_columns.h"
#include "formats/general/bulk.h"

struct plain_rows;

/* NULL where no row can be plain: columns of layers, none of operations, a high resolution. */
struct plain_rows *plain_new(const struct columns *c, char separator, bool with_start,
			     struct accumulator *s);
void plain_free(struct plain_rows *f); /* NULL is fine */

/* Takes rows of the block from byte `at` on; where the first one that was not taken begins. */
size_t plain_take(struct plain_rows *f, const struct block *block, size_t at);
/* The record was read the usual way, as this sample.  True when it was taken: rows with its
 * name are plain from now on. */
bool plain_learn(struct plain_rows *f, struct str record, const struct sample *sample);
/* No more rows come. */
void plain_finish(struct plain_rows *f);

#endif
