/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plotting/kind.h"

enum { PANELS = 8, FEW_PANELS = 4, MANY = 1000000 };

static const char few_runs[] = "there is only one run";
static const char no_intervals[] = "nothing was sampled in time";

static const struct figure_kind kinds[] = {
	{ .name = "histogram",
	  .title = "calls by latency, runs one over the other",
	  .needs = NEEDS_RUNS,
	  .max_ops = PANELS,
	  .build = figure_histogram },
	{ .name = "latency",
	  .title = "latency by bucket",
	  .needs = NEEDS_RUNS,
	  .max_ops = PANELS,
	  .build = figure_latency },
	{ .name = "cumulative",
	  .title = "share of the calls that are faster",
	  .needs = NEEDS_RUNS,
	  .max_ops = PANELS,
	  .build = figure_cumulative },
	{ .name = "percentiles",
	  .title = "how long the slowest calls take",
	  .needs = NEEDS_RUNS,
	  .max_ops = PANELS,
	  .build = figure_percentiles },
	{ .name = "difference",
	  .title = "what share of the calls came to a bucket or left it",
	  .needs = NEEDS_PAIR,
	  .max_ops = PANELS,
	  .build = figure_difference },
	{ .name = "shift",
	  .title = "by how much each quantile changed, with an interval",
	  .needs = NEEDS_PAIR,
	  .max_ops = PANELS,
	  .build = figure_shift },
	{ .name = "ranking",
	  .title = "which operations carry the change",
	  .needs = NEEDS_PAIR,
	  .max_ops = MANY,
	  .all_ops = true,
	  .build = figure_ranking,
	  .lacks = "no operation is measured in the run's unit" },
	{ .name = "forest",
	  .title = "change of each operation, with intervals by repeated runs",
	  .needs = NEEDS_PAIR,
	  .max_ops = MANY,
	  .all_ops = true,
	  .build = figure_forest,
	  .lacks = "no operation has latencies in both runs" },
	{ .name = "history",
	  .title = "mean latency and p99 run by run, with change points",
	  .needs = NEEDS_RUNS,
	  .max_ops = PANELS,
	  .build = figure_history,
	  .lacks = few_runs },
	{ .name = "runs",
	  .title = "all latencies of every run, as colours",
	  .needs = NEEDS_RUNS,
	  .max_ops = PANELS,
	  .build = figure_runs,
	  .lacks = few_runs },
	{ .name = "mix",
	  .title = "shares of the operations in calls and latency",
	  .needs = NEEDS_RUNS,
	  .max_ops = MANY,
	  .all_ops = true,
	  .build = figure_mix,
	  .lacks = "no operation was called" },
	{ .name = "layers",
	  .title = "latency of each operation, and what of it is its own",
	  .needs = NEEDS_RUNS,
	  .max_ops = MANY,
	  .all_ops = true,
	  .build = figure_layers,
	  .lacks = "no operation took time" },
	{ .name = "values",
	  .title = "calls by a recorded variable and peak; values of a value profile",
	  .needs = NEEDS_ONE,
	  .max_ops = 6,
	  .all_ops = true,
	  .build = figure_values,
	  .lacks = "no call has a value, and no operation holds values; --unit plain says that "
		   "numbers without a unit are",
	  .build_values = figure_values_of_calls },
	{ .name = "map",
	  .title = "calls by time and latency, as colours",
	  .needs = NEEDS_INTERVALS,
	  .max_ops = FEW_PANELS,
	  .build = figure_map,
	  .lacks = no_intervals },
	{ .name = "timeline",
	  .title = "mean latency and p99 over time, with periods and changes",
	  .needs = NEEDS_ONE,
	  .max_ops = PANELS,
	  .build = figure_timeline,
	  .lacks = no_intervals },
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
