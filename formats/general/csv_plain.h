/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads plain rows of individual samples fast: rows with the expected number of fields, quotes only
 * around whole fields, names that were met before, and numbers of digits and a point.
 *
 * It takes rows until it meets one that is not plain; the slow path (formats/table/table.h) reads that
 * one, and its name may then be learned.
 */
#ifndef FORMATS_GENERAL_CSV_PLAIN_H
#define FORMATS_GENERAL_CSV_PLAIN_H

#include "base/input/blocks.h"
#include "formats/general/bulk.h"
#include "formats/table/csv_columns.h"

struct plain_rows;

/* Returns NULL when no row can be plain: there is a column of layers or none of operations, or the
 * resolution is high. */
struct plain_rows *plain_new(const struct columns *c, char separator, bool with_start,
			     struct accumulator *s);
void plain_free(struct plain_rows *f); /* NULL is fine */

/* Takes rows of the block from byte `at` on; returns where the first row not taken begins. */
size_t plain_take(struct plain_rows *f, const struct block *block, size_t at);
/* Learns the name of a record that the slow path read as this sample.  True: the sample is counted,
 * and rows with the name are plain from now on.  False: the caller has to count it. */
bool plain_learn(struct plain_rows *f, struct str record, const struct sample *sample);
/* To be called after the last row. */
void plain_finish(struct plain_rows *f);

#endif
