/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that the files of analyze/causes/causes*.c share. */
#ifndef ANALYZE_CAUSES_CAUSES_PARTS_H
#define ANALYZE_CAUSES_CAUSES_PARTS_H

#include "analyze/causes/causes.h"

/* Fills c->value. */
void causes_find_values(struct causes *c, struct arena *a, const struct cause_rules *rules);

#endif
