/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by report/values*.c only. */
#ifndef REPORT_VALUES_PARTS_H
#define REPORT_VALUES_PARTS_H

#include "report/values.h"

enum { VALUE_DIGITS = 15 };

/* Prints the values on one side of a split: "up to 4096", "0", "file, socket and 3 more".
 * `first` selects the chosen side.  Unless `whole`, long names are shortened in the middle. */
void put_side(struct out *o, const struct separation *s, bool first, bool whole);

/* Prints the schema osprof.values/1. */
void values_json(struct out *o, const struct values_report *r);

#endif
