/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plotting/kind.h"

enum { PANELS = 8, FEW_PANELS = 4, MANY = 1000000 };

static const char no_intervals[] = "nothing was sampled in time";

static const struct figure_kind kinds[] = {
	{ "histogram", "calls by latency, runs one over the other", NEEDS_RUNS, PANELS, false,
	  figure_histogram, "" },
	{ "latency", "latency by bucket", NEEDS_RUNS, PANELS, false, figure_latency, "" },
	{ "cumulative", "share of the calls that are faster", NEEDS_RUNS, PANELS, false,
	  figure_cumulative, "" },
	{ "percentiles", "how long the slowest calls take", NEEDS_RUNS, PANELS, false,
	  figure_percentiles, "" },
	{ "difference", "what share of the calls came to a bucket or left it", NEEDS_PAIR, PANELS,
	  false, figure_difference, "" },
	{ "shift", "by how much each quantile moved", NEEDS_PAIR, PANELS, false, figure_shift, "" },
	{ "distances", "every distance of an operation", NEEDS_PAIR, FEW_PANELS, false,
	  figure_distances, "" },
	{ "ranking", "which operations carry the change", NEEDS_PAIR, MANY, true, figure_ranking,
	  "no operation is measured in the run's unit" },
	{ "mix", "calls and latency of the operations of each run", NEEDS_RUNS, MANY, true,
	  figure_mix, "no operation was called" },
	{ "values", "values of a value profile, one operation over the other", NEEDS_ONE, 6, true,
	  figure_values,
	  "no operation holds values; --unit plain says that numbers without a unit are" },
	{ "map", "calls by latency and elapsed time, as colours", NEEDS_INTERVALS, FEW_PANELS,
	  false, figure_map, no_intervals },
	{ "space", "the same in three dimensions", NEEDS_INTERVALS, FEW_PANELS, false, figure_space,
	  no_intervals },
	{ "views", "one operation over latency and time, in three views", NEEDS_ONE, 1, false,
	  figure_views, no_intervals },
	{ "timeline", "latency over elapsed time, with periods and changes", NEEDS_ONE, PANELS,
	  false, figure_timeline, no_intervals },
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
