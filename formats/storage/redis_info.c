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
#include <math.h>

#include "formats/lines.h"
#include "formats/reported.h"
#include "formats/statistics.h"
#include "formats/text.h"

static const struct str mark = STR_INIT("cmdstat_");

/* Splits "cmdstat_get:calls=2,usec=12,..."; a name may contain a colon. */
static bool split_command(struct str line, struct str *ret_name, struct str *ret_calls,
			  struct str *ret_rest)
{
	static const struct str calls = STR_INIT(":calls=");
	size_t at = str_find(line, calls);

	if (!str_has_prefix(line, mark) || at == line.n || at == mark.n)
		return false;
	*ret_name = str_skip((struct str){ line.p, at }, mark.n);
	return str_cut(str_skip(line, at + calls.n), ',', ret_calls, ret_rest);
}

static const char no_commands[] = "without the section commandstats";

static bool is_command(struct str line)
{
	struct str name, calls, after;

	return split_command(line, &name, &calls, &after);
}

static bool redis_info_line(void *lines)
{
	struct statistics of = { .unit = UNIT_US };
	struct lines *l = lines;
	struct str rest;
	uint64_t us;

	if (!str_has_prefix(l->text, mark))
		return true;
	if (!split_command(l->text, &of.name, &of.count_at, &rest) ||
	    !str_has_prefix(rest, STR("usec=")) ||
	    !str_cut(str_skip(rest, sizeof("usec=") - 1), ',', &of.total_at, &rest))
		return lines_fail(l, DIAG_LINE_UNEXPECTED, l->text,
				  "expected cmdstat_NAME:calls=NUMBER,usec=NUMBER,...");
	if (!lines_count(l, of.count_at, &of.count, "expected a number of calls") ||
	    !lines_count(l, of.total_at, &us, "expected whole us"))
		return false;
	of.total = decimal_from_u64(us);
	if (reported_again(&l->reported, of.name))
		build_next_interval(l->to, NAN);
	return of.count == 0 || statistics_push(&of, l->to);
}

const struct format format_redis_info = {
	.name = "redis-info",
	.title = "INFO commandstats of Redis and Valkey: calls and totals only",
	.versions = "Redis 7.0",
	.unit = "us, always",
	.totals = "exact, in steps of 1 us",
	.line_marks = LINE_MARKS({ .is = is_command, .score = PROBE_MAGIC },
				 { .has = MARKS("redis_version:"), .why = no_commands },
				 { .has = MARKS("latency_percentiles_usec_"), .why = no_commands }),
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct lines),
					     .line = redis_info_line,
					     .snapshots = SNAPSHOTS_CUMULATIVE },
};
