/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tpcc-mysql: the results of tpcc_start.
 *
 *	<Raw Results>
 *	  [0] sc:3129 lt:17179  rt:0  fl:0 avg_rt: 8.2 (5)
 *
 * Transactions in time (sc) and late ones (lt) are calls.
 *
 * Seen: in posts.  Not supported: versions before 2016, which print counts only.
 */
#include "formats/report/report.h"

#define ROW(number, transaction)                                                                   \
	LINE("[" number "] sc:{calls} lt:{calls} rt:{number} fl:{number} avg_rt: {mean} (*",       \
	     .name = transaction, .begins = true, .in = 1)

static const struct report_format tpcc_mysql = {
	.line = REPORT_LINES(LINE("<Raw Results>", .opens = 1), LINE("<Raw Results2*", .opens = 2),
			     ROW("0", "New-Order"), ROW("1", "Payment"), ROW("2", "Order-Status"),
			     ROW("3", "Delivery"), ROW("4", "Stock-Level"),
			     LINE("in {elapsed}.", .of = ""),
			     LINE("[0] sc:*", .in = 1,
				  .refuse = "needs avg_rt:, which tpcc-mysql prints since 2016")),
	.unit = UNIT_MS,
	.fixed_duration = true,
};

const struct format format_tpcc_mysql = {
	.name = "tpcc-mysql",
	.title = "transactions, as tpcc-mysql prints them",
	.versions = "2016",
	.unit = "ms, always",
	.totals = "mean times transactions, to 0.1 ms",
	.line_marks = LINE_MARKS({ .line = "<Raw Results>", .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &tpcc_mysql,
};
