/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plotting/kind.h"

enum { PANELS = 8, FEW_PANELS = 4, MANY = 1000000 };

static const char no_intervals[] = "nothing was sampled in time";

static const struct figure_kind kinds[] = {
	{ "histogram", "calls by latency, runs one over the other", NEEDS_RUNS, PANELS, false,
	  figure_histogram, "", NULL, NULL, NULL },
	{ "latency", "latency by bucket", NEEDS_RUNS, PANELS, false, figure_latency, "", NULL, NULL,
	  NULL },
	{ "cumulative", "share of the calls that are faster", NEEDS_RUNS, PANELS, false,
	  figure_cumulative, "", NULL, NULL, NULL },
	{ "percentiles", "how long the slowest calls take", NEEDS_RUNS, PANELS, false,
	  figure_percentiles, "", NULL, NULL, NULL },
	{ "difference", "what share of the calls came to a bucket or left it", NEEDS_PAIR, PANELS,
	  false, figure_difference, "", NULL, NULL, NULL },
	{ "shift", "by how much each quantile moved", NEEDS_PAIR, PANELS, false, figure_shift, "",
	  NULL, NULL, NULL },
	{ "distances", "every distance of an operation", NEEDS_PAIR, FEW_PANELS, false,
	  figure_distances, "", NULL, NULL, NULL },
	{ "ranking", "which operations carry the change", NEEDS_PAIR, MANY, true, figure_ranking,
	  "no operation is measured in the run's unit", NULL, NULL, NULL },
	{ "mix", "calls and latency of the operations of each run", NEEDS_RUNS, MANY, true,
	  figure_mix, "no operation was called", NULL, NULL, NULL },
	{ "layers", "latency of each operation, and what of it is its own", NEEDS_RUNS, MANY, true,
	  figure_layers, "no operation took time", NULL, NULL, NULL },
	{ .name = "values",
	  .title = "calls by a recorded variable and peak; values of a value profile",
	  .needs = NEEDS_ONE,
	  .max_ops = 6,
	  .all_ops = true,
	  .build = figure_values,
	  .lacks = "no call has a value, and no operation holds values; --unit plain says that "
		   "numbers without a unit are",
	  .build_values = figure_values_of_calls },
	{ "map", "calls by latency and elapsed time, as colours", NEEDS_INTERVALS, FEW_PANELS,
	  false, figure_map, no_intervals, NULL, NULL, NULL },
	{ "space", "the same in three dimensions", NEEDS_INTERVALS, FEW_PANELS, false, figure_space,
	  no_intervals, NULL, NULL, NULL },
	{ "views", "one operation over latency and time, in three views", NEEDS_ONE, 1, false,
	  figure_views, no_intervals, NULL, NULL, NULL },
	{ "timeline", "latency over elapsed time, with periods and changes", NEEDS_ONE, PANELS,
	  false, figure_timeline, no_intervals, NULL, NULL, NULL },
	{ .name = "calls",
	  .title = "per-call records: how long each took, one after the other",
	  .needs = NEEDS_CALLS,
	  .max_ops = FEW_PANELS,
	  .build_calls = figure_calls,
	  .lacks = "there are no calls" },
	{ .name = "blocking",
	  .title = "per-call records: what they waited for",
	  .needs = NEEDS_CALLS,
	  .build_calls = figure_blocking,
	  .lacks = "no call blocked" },
	{ .name = "sites",
	  .title = "per-call records: what each call site cost",
	  .needs = NEEDS_CALLS,
	  .build_calls = figure_sites,
	  .lacks = "there are no calls" },
	{ .name = "user-kernel",
	  .title = "per-call records: as the caller sees them and in the kernel",
	  .needs = NEEDS_CALLS,
	  .max_ops = 2,
	  .build_calls = figure_user_kernel,
	  .lacks = "no call has a time in the kernel" },
	{ .name = "causes",
	  .title = "paths of calls that make some calls of a function slow",
	  .needs = NEEDS_TREES,
	  .build_causes = figure_causes,
	  .lacks = "calls of the function take no time" },
};

const struct figure_kind *figure_kind_at(size_t i)
{
	return i < COUNT_OF(kinds) ? &kinds[i] : NULL;
}

bool figure_kind_by_name(struct str name, const struct figure_kind **ret)
{
	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		if (str_eq(name, str_from(kinds[i].name))) {
			*ret = &kinds[i];
			return true;
		}
	}
	return false;
}
