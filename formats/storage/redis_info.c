/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * redis-info: the section commandstats of INFO of Redis and Valkey, by itself or among others.
 *
 *	# Commandstats
 *	cmdstat_lpush:calls=300,usec=127,usec_per_call=0.42,rejected_calls=0,failed_calls=0
 *	cmdstat_client|setname:calls=1,usec=4,usec_per_call=4.00
 *
 * Calls and us of CPU time in the server, since its start or CONFIG RESETSTAT; a repeated command
 * begins another snapshot.  No distribution.
 *
 * Seen: Redis 7.0.  Left out: percentiles (latencystats), which have no counts.
 */
#include "formats/report/report.h"

static const char no_commands[] = "without the section commandstats";

static const struct report_format redis_info = {
	.line = REPORT_LINES(LINE("cmdstat_{name}:calls={calls},usec={total},*", .begins = true),
			     LINE("cmdstat_*", .refuse = "expected cmdstat_NAME:calls=NUMBER,"
							 "usec=NUMBER,...")),
	.unit = UNIT_US,
	.repeated = REPEATED_SNAPSHOT,
	.omit_uncalled = true,
};

const struct format format_redis_info = {
	.name = "redis-info",
	.title = "INFO commandstats of Redis and Valkey: calls and totals only",
	.versions = "Redis 7.0",
	.unit = "us, always",
	.totals = "exact, in steps of 1 us",
	.line_marks = LINE_MARKS({ .line = "cmdstat_{name}:calls=*,*", .score = PROBE_MAGIC },
				 { .has = MARKS("redis_version:"), .why = no_commands },
				 { .has = MARKS("latency_percentiles_usec_"), .why = no_commands }),
	.read = report_read,
	.spec = &redis_info,
};
