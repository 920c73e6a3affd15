/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * siege: the report of siege, as text or JSON.
 *
 *	Transactions:                    100 hits
 *	Elapsed time:                   0.40 secs
 *	Response time:                  0.01 secs
 *	Longest transaction:            0.02
 *	{ "transactions": 100, "response_time": 0.01, "longest_transaction": 0.02 }
 *
 * The operation is "transaction"; those that failed have no latency.  Since 4.1.6 times are ms.
 *
 * Seen: 4.0; others in posts.
 */
#include "formats/report/report.h"

static const struct report_format siege = {
	.line = REPORT_LINES(
		LINE("Transactions: {calls}*", .run = true), LINE("Elapsed time: {elapsed}"),
		LINE("Response time: {mean}"), LINE("Longest transaction: {max}"),
		LINE("Shortest transaction: {min}"),
		LINE("{{ \"transactions\": {calls},", .run = true),
		LINE("\"elapsed_time\": {elapsed},"), LINE("\"response_time\": {mean},"),
		LINE("\"longest_transaction\": {max},"), LINE("\"shortest_transaction\": {min}*")),
	.name = "transaction",
	.unit = UNIT_S,
};

const struct format format_siege = {
	.name = "siege",
	.title = "transactions, as siege prints them",
	.versions = "4.0",
	.unit = "stated, or seconds",
	.totals = "mean times transactions, to 10 ms",
	.line_marks =
		LINE_MARKS({ .has = MARKS("Longest transaction:"), .score = PROBE_MARKS },
			   { .has = MARKS("\"longest_transaction\":"), .score = PROBE_MARKS }),
	.read = report_read,
	.spec = &siege,
};
