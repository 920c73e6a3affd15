/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cassandra-stress: the results of cassandra-stress.
 *
 *	Results:
 *	Latency mean              :    0.9 ms [READ: 0.8 ms, WRITE: 0.9 ms]
 *	Latency median            :    0.7 ms [READ: 0.6 ms, WRITE: 0.7 ms]
 *	Latency 95th percentile   :    1.8 ms [READ: 1.7 ms, WRITE: 1.8 ms]
 *	Latency max               :   50.5 ms [READ: 48.1 ms, WRITE: 50.5 ms]
 *	Total partitions          :    100,000 [READ: 50,012, WRITE: 49,988]
 *
 * Operations are the kinds of requests.  Rows of a second before the results are means, and not
 * read.
 *
 * Seen: in posts, and in the documentation of 4.0.
 */
#include "formats/report/report.h"

/* "LABEL : 0.9 ms [READ: 0.8 ms, WRITE: 0.9 ms]", of two kinds, of one, or of no known kind. */
#define BY_KIND(label, value, other)                                                               \
	LINE(label " : " other " [{name}: " value ", *]", .also = true),                           \
		LINE(label " : " other " [*, {name}: " value "]"),                                 \
		LINE(label " : " other " [{name}: " value "]"), LINE(label " : " value)

static const struct report_format cassandra_stress = {
	.line = REPORT_LINES(LINE("Results:", .run = true), LINE("Total operations : {calls}"),
			     LINE("Running with {clients} threadCount"),
			     BY_KIND("Latency mean", "{mean}", "{time}"),
			     BY_KIND("Latency median", "{p50}", "{time}"),
			     BY_KIND("Latency 95th percentile", "{p95}", "{time}"),
			     BY_KIND("Latency 99th percentile", "{p99}", "{time}"),
			     BY_KIND("Latency 99.9th percentile", "{p99.9}", "{time}"),
			     BY_KIND("Latency max", "{max}", "{time}"),
			     BY_KIND("Total partitions", "{calls}", "{number}")),
	.unit = UNIT_MS,
	.grouped = true,
};

const struct format format_cassandra_stress = {
	.name = "cassandra-stress",
	.title = "requests, as cassandra-stress prints them",
	.versions = "4.0",
	.unit = "stated after each number",
	.totals = "mean times requests, to 0.1 ms",
	.line_marks = LINE_MARKS({ .has = MARKS("Latency mean ", ": "), .score = PROBE_MARKS },
				 { .has = MARKS("Total partitions ", ": "), .score = PROBE_MARKS },
				 { .has = MARKS("type", "total ops,", "op/s,"),
				   .why = "rows of a second are means; the results below them have "
					  "latencies, -log hdrfile=FILE writes all" }),
	.read = report_read,
	.spec = &cassandra_stress,
};
