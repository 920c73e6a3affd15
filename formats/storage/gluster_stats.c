/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/storage/gluster_stats.h"

#include <math.h>

void gluster_begin_brick(struct gluster_stats *g, struct str name)
{
	g->brick = name;
	if (reported_again(&g->bricks, name))
		build_next_interval(g->to, NAN);
}

void gluster_begin_section(struct gluster_stats *g, enum gluster_section section)
{
	g->section = section;
	if (g->first == GLUSTER_NONE)
		g->first = section;
}

void gluster_duration(struct gluster_stats *g, uint64_t seconds)
{
	if (g->section != g->first || (double)seconds <= g->longest)
		return;
	g->longest = (double)seconds;
	build_elapsed(g->to, g->longest);
}

bool gluster_push(struct gluster_stats *g, struct statistics *row)
{
	if (g->section != g->first)
		return true;
	if (row->max.billionths == 0) {
		g->unmeasured++;
		return true;
	}
	if (!decimal_times(row->total, row->count, &row->total))
		return format_fail(g->in, g->diag, DIAG_TOTAL_OVERFLOW, row->total_at,
				   "mean times calls");
	row->layer = g->brick;
	row->unit = g->unit;
	row->has_min = row->has_max = row->rounded = true;
	return statistics_push(row, g->to);
}

void gluster_end(struct gluster_stats *g, bool ok)
{
	reported_release(&g->bricks);
	if (!ok)
		return;
	build_snapshots(g->to,
			g->first == GLUSTER_INTERVAL ? SNAPSHOTS_DELTA : SNAPSHOTS_CUMULATIVE);
	if (g->unmeasured > 0)
		diag_file(g->diag, DIAG_NOT_A_HISTOGRAM, g->in,
			  "%zu operations that were counted, but not measured", g->unmeasured);
}
