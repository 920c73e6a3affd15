/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ab: the requests of ApacheBench from ab -g, one a line.
 *
 *	starttime	seconds	ctime	dtime	ttime	wait
 *	Sun Nov 22 02:58:36 2026	1795316316	0	3	3	2
 *
 * Start time as text and in seconds since the epoch; then whole ms: to connect, after that, both
 * together (ttime, the latency), and waiting for the first byte of the response.  The lines are
 * sorted by ttime.
 *
 * Seen: 2.3 of httpd 2.4.  Recognised and refused: ab -e, which has only percentiles.
 */
#include "formats/bench/tool_table.h"
#include "formats/text.h"

static const struct tool_column columns[] = {
	{ .role = ROLE_LATENCY, .title = "ttime", .unit = UNIT_MS },
	{ .role = ROLE_START, .title = "seconds", .unit = UNIT_S },
};

static const struct tool_table requests = { .column = columns,
					    .n_columns = COUNT_OF(columns),
					    .separators = "\t",
					    .header =
						    "starttime\tseconds\tctime\tdtime\tttime\twait",
					    .name = STR_INIT("request"),
					    .granularity = 1 };

static enum probe probe_ab(struct str head, struct clue *clue)
{
	struct str line;

	if (!text_line(&head, &line))
		return PROBE_NO;
	if (tool_table_is_head(&requests, line))
		return PROBE_MAGIC;
	if (str_eq(line, STR("Percentage served,Time in ms")))
		*clue = (struct clue){ 0, "ab -e writes percentiles only; ab -g a line for each "
					  "request" };
	return PROBE_NO;
}

const struct format format_ab = {
	.name = "ab",
	.title = "requests that ab -g writes, one a line",
	.versions = "2.3 of httpd 2.4",
	.unit = "ms, always",
	.totals = "exact",
	.probe = probe_ab,
	.streams = true,
	.read = tool_table_read,
	.spec = &requests,
};
