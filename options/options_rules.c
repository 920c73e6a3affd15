/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of how runs are compared. */
#include <string.h>

#include "base/out.h"
#include "base/xalloc.h"
#include "options/options_taken.h"

const char *take_metric(struct options *o, const char *arg)
{
	struct rank_rules *r = &o->compare.rules;

	if (!distance_by_name(str_from(arg), &r->metric) || !distance_at(r->metric)->ranks)
		return "emd chi_square chi_square_effect kl jeffrey jensen_shannon minkowski_l1 "
		       "minkowski_l2 ks total_operations or total_latency";
	if (!o->sort_given)
		r->sort = SORT_SCORE;
	return NULL;
}

void list_metrics(struct out *o)
{
	for (int m = 0; m < N_METRICS; m++) {
		if (distance_at((enum metric)m)->ranks)
			out_printf(o, " %s", distance_at((enum metric)m)->name);
	}
}

void take_sort(struct options *o, int which)
{
	o->sort_given = true;
	o->compare.rules.sort = (enum rank_sort)which;
}

const char *take_fixed_duration(struct options *o, const char *arg)
{
	(void)arg;
	o->compare.rules.workload = WORKLOAD_FIXED_DURATION;
	return NULL;
}

const char *take_fixed_work(struct options *o, const char *arg)
{
	(void)arg;
	o->compare.rules.workload = WORKLOAD_FIXED_WORK;
	return NULL;
}

const char *take_rename(struct options *o, const char *arg)
{
	struct rank_rules *rules = &o->compare.rules;
	struct rename_rule rename;

	if (!str_cut(str_from(arg), '=', &rename.before, &rename.after) || rename.before.n == 0 ||
	    rename.after.n == 0)
		return "OLD=NEW, two names of operations";
	o->rename = xgrow(o->rename, &o->renames_cap, rules->n_renames + 1, sizeof(rename));
	o->rename[rules->n_renames++] = rename;
	rules->rename = o->rename;
	return NULL;
}

const char *take_quantiles(struct options *o, const char *arg)
{
	o->show.quantiles_asked = true;
	return quantiles_parse(str_from(arg), &o->show.quantiles) ? NULL
								  : "up to 8 numbers from 0 to 100";
}

void take_exit_code(struct options *o, int which)
{
	o->compare.gate = which < 0 ? GATE_REGRESSED : GATE_ANY;
}

void take_replicates(struct options *o, int which)
{
	(void)which;
	o->load.by_host = true;
}
