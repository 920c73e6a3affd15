/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * redis-info: the section commandstats of INFO of Redis and Valkey, also among all others.
 *
 *	# Commandstats
 *	cmdstat_lpush:calls=300,usec=127,usec_per_call=0.42,rejected_calls=0,failed_calls=0
 *	cmdstat_client|setname:calls=1,usec=4,usec_per_call=4.00
 *
 * Calls and us of processor time in the server, since it began or CONFIG RESETSTAT; a command
 * that comes again is of another print.  No distribution.
 *
 * Seen: Redis 7.0.  Left out: percentiles (latencystats), which have no counts.
 */
#include <math.h>

#include "formats/lines.h"
#include "formats/reported.h"
#include "formats/text.h"

static const struct str mark = STR_INIT("cmdstat_");

/* "cmdstat_get:calls=2,usec=12,..."; a name may hold a colon. */
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

static enum probe probe_redis_info(struct str head, struct clue *clue)
{
	struct str line, rest = head, name, calls, after;

	while (text_line(&rest, &line)) {
		if (split_command(line, &name, &calls, &after))
			return PROBE_MAGIC;
		if (str_has_prefix(line, STR("redis_version:")) ||
		    str_has_prefix(line, STR("latency_percentiles_usec_")))
			probe_near(clue, head, line, "without the section commandstats");
	}
	return PROBE_NO;
}

struct reader {
	struct lines lines;
};

static bool redis_info_push(struct reader *r, struct str name, uint64_t calls, struct str calls_at,
			    uint64_t us, struct str us_at)
{
	if (reported_again(&r->lines.reported, name))
		build_next_interval(r->lines.to, NAN);
	if (calls == 0)
		return true;
	if (!build_operation(r->lines.to, STR(""), name, name))
		return false;
	build_unit(r->lines.to, UNIT_US, UNIT_STATED);
	return build_count(r->lines.to, calls, calls_at) &&
	       build_total(r->lines.to, decimal_from_u64(us), us_at);
}

static bool redis_info_line(void *reader)
{
	struct reader *r = reader;
	struct str name, calls_at, us_at, rest;
	struct lines *l = &r->lines;
	uint64_t calls, us;

	if (!str_has_prefix(l->text, mark))
		return true;
	if (!split_command(l->text, &name, &calls_at, &rest) ||
	    !str_has_prefix(rest, STR("usec=")) ||
	    !str_cut(str_skip(rest, sizeof("usec=") - 1), ',', &us_at, &rest))
		return lines_fail(l, DIAG_LINE_UNEXPECTED, l->text,
				  "expected cmdstat_NAME:calls=NUMBER,usec=NUMBER,...");
	return lines_count(l, calls_at, &calls, "expected a number of calls") &&
	       lines_count(l, us_at, &us, "expected whole us") &&
	       redis_info_push(r, name, calls, calls_at, us, us_at);
}

const struct format format_redis_info = {
	.name = "redis-info",
	.title = "INFO commandstats of Redis and Valkey: calls and totals only",
	.versions = "Redis 7.0",
	.unit = "us, always",
	.totals = "exact, in steps of 1 us",
	.probe = probe_redis_info,
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .line = redis_info_line,
					     .snapshots = SNAPSHOTS_CUMULATIVE },
};
