/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/statistics.h"

bool statistics_push(const struct statistics *s, struct builder *to)
{
	struct str where = s->where.p != NULL ? s->where : s->name;

	if (!(s->unique ? build_new_operation(to, s->layer, s->name, where)
			: build_operation(to, s->layer, s->name, where)))
		return false;
	if (s->unit != UNIT_UNKNOWN)
		build_unit(to, s->unit, UNIT_STATED);
	if (s->rounded)
		build_rounded_totals(to);
	if (s->has_min)
		build_min(to, decimal_f64(s->min));
	if (s->has_max)
		build_max(to, decimal_f64(s->max));
	return build_count(to, s->count, s->count_at) &&
	       (s->total_at.p == NULL || build_total(to, s->total, s->total_at));
}
