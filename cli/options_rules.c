/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of how runs are compared. */
#include <string.h>

#include "base/out.h"
#include "base/xalloc.h"
#include "cli/options_taken.h"
#include "cli/settings.h"

const char *take_metric(struct settings *s, const char *arg)
{
	struct rank_rules *r = &s->request.rules;

	if (!distance_by_name(str_from(arg), &r->metric) || !distance_at(r->metric)->ranks)
		return "emd chi_square chi_square_effect kl jeffrey jensen_shannon minkowski_l1 "
		       "minkowski_l2 ks total_operations or total_latency";
	if (!s->sort_given)
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

void take_sort(struct settings *s, int which)
{
	s->sort_given = true;
	s->request.rules.sort = (enum rank_sort)which;
}

const char *take_fixed_duration(struct settings *s, const char *arg)
{
	(void)arg;
	s->request.rules.workload = WORKLOAD_FIXED_DURATION;
	return NULL;
}

const char *take_fixed_work(struct settings *s, const char *arg)
{
	(void)arg;
	s->request.rules.workload = WORKLOAD_FIXED_WORK;
	return NULL;
}

const char *take_rename(struct settings *s, const char *arg)
{
	struct rank_rules *rules = &s->request.rules;
	struct rename_rule rename;

	if (!str_cut(str_from(arg), '=', &rename.before, &rename.after) || rename.before.n == 0 ||
	    rename.after.n == 0)
		return "OLD=NEW, two names of operations";
	s->rename = xgrow(s->rename, &s->renames_cap, rules->n_renames + 1, sizeof(rename));
	s->rename[rules->n_renames++] = rename;
	rules->rename = s->rename;
	return NULL;
}

const char *take_quantiles(struct settings *s, const char *arg)
{
	s->request.quantiles_asked = true;
	return quantiles_parse(str_from(arg), &s->request.quantiles)
		       ? NULL
		       : "up to 8 numbers from 0 to 100";
}

void take_exit_code(struct settings *s, int which)
{
	s->request.gate = which < 0 ? GATE_REGRESSED : GATE_ANY;
}

void take_replicates(struct settings *s, int which)
{
	(void)which;
	s->request.by_host = true;
}

const char *take_handler(struct settings *s, const char *arg)
{
	if (s->n_handlers == COUNT_OF(s->handler))
		return "8 handlers at most";
	s->handler[s->n_handlers++] = arg;
	return NULL;
}
