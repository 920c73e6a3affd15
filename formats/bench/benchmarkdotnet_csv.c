/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * benchmarkdotnet-csv: measurements of BenchmarkDotNet, --exporters csvmeasurements.
 *
 *	Target;Target_Namespace;Target_Type;Target_Method;...;Measurement_IterationStage;
 *	Measurement_IterationIndex;Measurement_Nanoseconds;Measurement_Operations;Measurement_Value
 *
 * A call is an iteration of the stage Result; its latency is Measurement_Value, the mean of its
 * operations in ns.  The operation is Target_Method.
 *
 * Seen: in the source of 0.11 and 0.13.  Recognised and refused: the table of means, -report.csv.
 */
#include "formats/bench/tool_table.h"

static enum row_use use_of_stage(struct str stage)
{
	return str_eq(stage, STR("Result")) ? ROW_LATENCY : ROW_OTHER;
}

static const struct row_filter results = { .role = ROLE_COUNT, .use = use_of_stage };

static const struct tool_column columns[] = {
	{ .role = ROLE_LATENCY, .title = "Measurement_Value", .unit = UNIT_NS },
	{ .role = ROLE_OPERATION, .title = "Target_Method" },
	{ .role = ROLE_COUNT, .title = "Measurement_IterationStage" },
};

static const struct tool_table measurements = {
	.column = columns, .n_columns = COUNT_OF(columns), .separators = ",;\t", .filter = &results
};

static bool benchmarkdotnet_csv_is_one(struct str head)
{
	return tool_table_begins(&measurements, head);
}

const struct format format_benchmarkdotnet_csv = {
	.name = "benchmarkdotnet-csv",
	.title = "BenchmarkDotNet --exporters csvmeasurements: iterations",
	.versions = "0.11, 0.13",
	.unit = "ns, always",
	.totals = "sum of the means of iterations",
	.is_one = benchmarkdotnet_csv_is_one,
	.streams = true,
	.read = tool_table_read,
	.spec = &measurements,
};
