/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * k6: output of k6 run --out csv, one value of a metric per line.
 *
 *	metric_name,timestamp,metric_value,check,error,...,method,name,...,url,extra_tags
 *	http_reqs,1726890104,1.000000,,,...,GET,https://example.org/,...
 *	http_req_duration,1726890104,132.018300,,,...,GET,https://example.org/,...
 *	iteration_duration,1726890104,316.436200,,,...,,,...
 *
 * The layer is the metric, if k6 itself measures it as a time, in ms; the operation is the tag
 * name (the URL of requests, unless the script groups them), or "script" if there is none.  The
 * timestamp is the end of a request, in seconds since the epoch.  For a reused connection, the
 * times blocked and connecting are 0.
 *
 * Seen: the example of its manual and a file of 2024 in a repository; the source at 8788307.  Left
 * out: counters, rates and gauges of k6; with a note, all metrics of the script, because the file
 * does not state which are times.  Not supported: --out json; --interval if K6_CSV_TIME_FORMAT is
 * set.
 */
#include "formats/bench/k6_metrics.h"
#include "formats/bench/tool_table.h"

static enum row_use use_of_metric(struct str metric)
{
	static const char *const others[] = {
		"http_reqs",
		"http_req_failed",
		"checks",
		"data_sent",
		"data_received",
		"iterations",
		"dropped_iterations",
		"vus",
		"vus_max",
		"ws_sessions",
		"ws_msgs_sent",
		"ws_msgs_received",
		"grpc_streams",
		"grpc_streams_msgs_sent",
		"grpc_streams_msgs_received",
		"browser_data_sent",
		"browser_data_received",
		"browser_http_req_failed",
		"browser_web_vital_cls",
	};

	if (k6_is_time(metric))
		return ROW_LATENCY;
	for (size_t i = 0; i < COUNT_OF(others); i++) {
		if (str_eq(metric, str_from(others[i])))
			return ROW_OTHER;
	}
	return ROW_INCONCLUSIVE;
}

static const struct row_filter times_only = {
	.role = ROLE_LAYER,
	.use = use_of_metric,
	.inconclusive = "values of metrics of the script, which may be no times",
};

static const struct tool_column columns[] = {
	{ .role = ROLE_LAYER, .title = "metric_name" },
	{ .role = ROLE_START, .title = "timestamp", .unit = UNIT_S },
	{ .role = ROLE_LATENCY, .title = "metric_value", .unit = UNIT_MS },
	{ .role = ROLE_OPERATION, .title = "name", .optional = true },
};

static const struct tool_table values = { .column = columns,
					  .n_columns = COUNT_OF(columns),
					  .separators = ",",
					  .name = STR_INIT("script"),
					  .filter = &times_only };

static bool k6_is_one(struct str head)
{
	return tool_table_begins(&values, head);
}

const struct format format_k6 = {
	.name = "k6",
	.title = "what k6 --out csv writes, one value of a metric a line",
	.versions = "0.49, 0.5x",
	.unit = "ms, always",
	.totals = "exact",
	.is_one = k6_is_one,
	.streams = true,
	.read = tool_table_read,
	.spec = &values,
};
