/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operations of bricks, from gluster volume profile in text and XML.  A brick has cumulative
 * statistics and those of an interval; the kind that comes first is read, the other is skipped.  A
 * repeated brick begins the next snapshot.
 */
#ifndef FORMATS_STORAGE_GLUSTER_STATS_H
#define FORMATS_STORAGE_GLUSTER_STATS_H

#include "formats/format.h"
#include "formats/reported.h"
#include "formats/statistics.h"

/* The section of a brick to which the current rows belong. */
enum gluster_section { GLUSTER_NONE, GLUSTER_CUMULATIVE, GLUSTER_INTERVAL };

/* The state of reading the bricks of a file. */
struct gluster_stats {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	enum unit unit; /* unit of times; UNIT_UNKNOWN: not stated */

	/* Private. */
	enum gluster_section first, section;
	struct str brick;
	struct reported bricks; /* bricks in this snapshot */
	double longest;		/* longest duration in seconds */
	size_t unmeasured;	/* rows without a measured latency */
};

/* Begins a brick. */
void gluster_begin_brick(struct gluster_stats *g, struct str name);
/* Begins a section of the current brick. */
void gluster_begin_section(struct gluster_stats *g, enum gluster_section section);
void gluster_duration(struct gluster_stats *g, uint64_t seconds); /* of the current section */
/* Pushes a row of the current section; row->total must hold the mean.  False when an error was
 * reported. */
MUST_CHECK bool gluster_push(struct gluster_stats *g, struct statistics *row);
/* Frees everything.  If `ok`, also reports what was left out, and sets the kind of snapshots. */
void gluster_end(struct gluster_stats *g, bool ok);

#endif
