/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * k6-report: the summary that k6 prints at its end.
 *
 *	http_req_duration..............: avg=117.9ms min=114.9ms med=116.2ms max=144.3ms ...
 *	  { expected_response:true }...: avg=117.9ms min=114.9ms med=116.2ms max=144.3ms ...
 *	http_reqs......................: 302    9.88/s
 *	iteration_duration.............: avg=2.16s min=2.12s med=2.16s max=2.27s ...
 *	iterations.....................: 100    3.27/s
 *
 * Operations have the names of the metrics.  Those of requests have as many calls as http_reqs
 * says, iteration_duration as many as iterations; others have no number of calls and are left out
 * with a note, without one those of a part of the calls, "{ expected_response:true }".
 *
 * Seen: in posts, and in the documentation of 0.50 and 1.0.
 */
#include "formats/report/report.h"

static const struct report_format k6_report = {
	.line = REPORT_LINES(
		LINE("{{ *"),
		LINE("✓ {name}..*: avg={mean} min={min} med={p50} max={max} p(90)={p90} "
		     "p(95)={p95}",
		     .begins = true),
		LINE("✗ {name}..*: avg={mean} min={min} med={p50} max={max} p(90)={p90} "
		     "p(95)={p95}",
		     .begins = true),
		LINE("{name}..*: avg={mean} min={min} med={p50} max={max} p(90)={p90} p(95)={p95}",
		     .begins = true),
		LINE("vus_max..*: {clients} *"),
		LINE("http_reqs..*: {calls} {rate}/s", .of = "http_req_"),
		LINE("http_reqs..*: {calls} *", .of = "http_req_"),
		LINE("iterations..*: {calls} {rate}/s", .of = "iteration_duration"),
		LINE("iterations..*: {calls} *", .of = "iteration_duration")),
	.omit_uncounted = true,
};

const struct format format_k6_report = {
	.name = "k6-report",
	.title = "requests and iterations, as k6 prints them",
	.versions = "0.50, 1.0",
	.unit = "stated after each number",
	.totals = "mean times calls, to the digits of the mean",
	.line_marks =
		LINE_MARKS({ .has = MARKS("http_req_duration..", ": avg="), .score = PROBE_MAGIC },
			   { .has = MARKS("iteration_duration..", ": avg="), .score = PROBE_MAGIC },
			   { .has = MARKS("\xe2\x9c", " http_req_duration..", ": avg="),
			     .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &k6_report,
};
