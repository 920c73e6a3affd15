/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jmeter: results of Apache JMeter in CSV (.jtl), one sample a line.
 *
 *	timeStamp,elapsed,label,responseCode,responseMessage,threadName,success,Latency
 *	1795316491128,50,"data, large",200,OK,users 1-2,true,43
 *	1795316491179,2,missing,404,Not Found,users 1-2,false,2
 *
 * The operation is the label; its latency is "elapsed", from the request to the end of the
 * response, in whole ms.  (The column Latency is the time to the first byte.)  Failed samples
 * count.  timeStamp is the start of the sample in ms since the epoch: JMeter's default properties
 * set sampleresult.timestamp.start.  The columns, their order and the separator are properties,
 * too.
 *
 * Seen: 2.13; results of 5.x in repositories.  Left out with a note: rows of remote engines in a
 * statistical mode, whose SampleCount is not 1.  Not supported: results in XML, results without a
 * header (format csv reads them with --column), times as dates with --interval.
 */
#include "formats/bench/tool_table.h"

static enum row_use use_of_count(struct str count)
{
	return str_eq(count, STR("1")) ? ROW_LATENCY : ROW_INCONCLUSIVE;
}

static const struct row_filter single_samples = {
	.role = ROLE_COUNT,
	.use = use_of_count,
	.inconclusive = "rows that are not of one sample each",
};

static const struct tool_column columns[] = {
	{ .role = ROLE_LATENCY, .title = "elapsed", .unit = UNIT_MS },
	{ .role = ROLE_OPERATION, .title = "label" },
	{ .role = ROLE_START, .title = "timeStamp", .unit = UNIT_MS },
	{ .role = ROLE_COUNT, .title = "SampleCount", .optional = true },
};

static const struct tool_table results = { .column = columns,
					   .n_columns = COUNT_OF(columns),
					   .separators = ",\t;|",
					   .granularity = 1,
					   .filter = &single_samples };

static bool jmeter_is_one(struct str head)
{
	return tool_table_begins(&results, head);
}

const struct format format_jmeter = {
	.name = "jmeter",
	.title = "results of Apache JMeter as CSV, one sample a line",
	.versions = "2.13, 5.x",
	.unit = "ms, always",
	.totals = "exact",
	.suffix = SUFFIXES(".jtl"),
	.is_one = jmeter_is_one,
	.streams = true,
	.read = tool_table_read,
	.spec = &results,
};
