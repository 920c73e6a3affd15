/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of analyze/causes.h. */
#ifndef ANALYZE_CAUSES_PARTS_H
#define ANALYZE_CAUSES_PARTS_H

#include "analyze/causes.h"

/* The paper's arithmetic (DARC, section 3), with all chosen calls for each decision. */
void causes_by_maxcount(struct causes *c, struct arena *a, const struct cause_rules *rules);
void causes_find_values(struct causes *c, struct arena *a, const struct cause_rules *rules);

/* The cause that a node of the tree stands for; `spread` when no callee of it stands out. */
struct cause causes_cause(const struct causes *c, uint32_t node, bool spread,
			  const struct cause_rules *rules);

#endif
