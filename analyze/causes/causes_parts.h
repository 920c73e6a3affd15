/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that the files of analyze/causes/causes*.c share. */
#ifndef ANALYZE_CAUSES_CAUSES_PARTS_H
#define ANALYZE_CAUSES_CAUSES_PARTS_H

#include "analyze/causes/causes.h"

/* Fills c->cause by DARC's maxcount (section 3), using all chosen calls for each decision. */
void causes_by_maxcount(struct causes *c, struct arena *a, const struct cause_rules *rules);
/* Fills c->value. */
void causes_find_values(struct causes *c, struct arena *a, const struct cause_rules *rules);

/* Returns the cause at a node; `spread` as in struct cause. */
struct cause causes_cause(const struct causes *c, uint32_t node, bool spread,
			  const struct cause_rules *rules);

#endif
