/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operations of bricks, as gluster volume profile tells them in text and in XML.  A brick has
 * cumulative statistics and those of an interval; the kind that comes first is read, the
 * other passed over.  A brick that comes again begins the next print.
 */
#ifndef FORMATS_STORAGE_GLUSTER_STATS_H
#define FORMATS_STORAGE_GLUSTER_STATS_H

#include "formats/format.h"
#include "formats/reported.h"
#include "formats/statistics.h"

/* Which statistics of a brick the current rows belong to. */
enum gluster_section { GLUSTER_NONE, GLUSTER_CUMULATIVE, GLUSTER_INTERVAL };

/* The bricks of a file while they are read. */
struct gluster_stats {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	enum unit unit; /* of times; UNIT_UNKNOWN: not stated */

	/* Its own. */
	enum gluster_section first, section;
	struct str brick;
	struct reported bricks; /* of this print */
	double longest;		/* seconds */
	size_t unmeasured;	/* rows */
};

/* What follows belongs to this brick. */
void gluster_begin_brick(struct gluster_stats *g, struct str name);
/* What follows is of this section. */
void gluster_begin_section(struct gluster_stats *g, enum gluster_section section);
void gluster_duration(struct gluster_stats *g, uint64_t seconds); /* of the current section */
/* A row of the current section, whose total is the mean.  False when an error was reported. */
MUST_CHECK bool gluster_push(struct gluster_stats *g, struct statistics *row);
/* Tells what was left out, and how prints follow each other; releases all.  `ok`: nothing
 * went wrong. */
void gluster_end(struct gluster_stats *g, bool ok);

#endif
