/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pgbench-report: the summary that pgbench prints, with -r also its statements.
 *
 *	number of transactions actually processed: 100/100
 *	latency average = 13.312 ms
 *	latency stddev = 9.711 ms
 *	statement latencies in milliseconds and failures:
 *	         0.415           0  BEGIN;
 *	         9.623           0  END;
 *	SQL script 1: <builtin: TPC-B (sort of)>
 *	 - 132 transactions (47.5% of total, tps = 131.832836)
 *	 - latency average = 14.172 ms
 *
 * Operations are "transaction" and, as layers, scripts and statements; each statement has as many
 * calls as there are transactions, of its script if there are several: "SCRIPT/END;".
 *
 * Seen: 15; others from posts.
 */
#include "formats/report/report.h"

static const struct report_format pgbench_report = {
	.line = REPORT_LINES(
		LINE("transaction type: *", .run = true, .opens = 2),
		LINE("number of clients: {clients}"),
		LINE("duration: {elapsed}", .of = "", .fixed_duration = true),
		LINE("number of transactions actually processed: {calls}/{number}", .of = ""),
		LINE("number of transactions actually processed: {calls}", .of = ""),
		LINE("latency average = {mean} (including*"), LINE("latency average = {mean}"),
		LINE("latency average: {mean}"), LINE("latency stddev = {deviation}"),
		LINE("statement latencies in {unit}*", .opens = 1),
		LINE("{mean} {number} {name}", .layer = "statement", .begins = true, .in = 1),
		LINE("{mean} {name}", .layer = "statement", .begins = true, .in = 1),
		LINE("SQL script {number}: {name}", .layer = "script", .begins = true,
		     .heads = true, .opens = 2),
		LINE("- statement latencies in {unit}*", .opens = 1),
		LINE("- {calls} transactions (*", .also = true),
		LINE("- {calls} transactions (*", .of_group = true),
		LINE("- latency average = {mean}"), LINE("- latency stddev = {deviation}"),
		LINE("- *")),
	.nest = REPORT_NESTS({ "transaction", "script" }, { "transaction", "statement" }),
	.name = "transaction",
	.unit = UNIT_MS,
};

const struct format format_pgbench_report = {
	.name = "pgbench-report",
	.title = "transactions and statements, as pgbench prints them",
	.versions = "15",
	.unit = "stated",
	.totals = "mean times transactions, to 1 us",
	.line_marks = LINE_MARKS({ .has = MARKS("number of transactions actually processed:"),
				   .score = PROBE_MARKS },
				 { .has = MARKS("latency average"), .score = PROBE_MARKS }),
	.read = report_read,
	.spec = &pgbench_report,
};
