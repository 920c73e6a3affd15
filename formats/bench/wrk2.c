/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wrk2: spectra of the HTTP load generator wrk2 --latency.
 *
 *	Running 30s test @ http://127.0.0.1:80/index.html
 *	  2 threads and 100 connections
 *	  Latency Distribution (HdrHistogram - Recorded Latency)
 *	 50.000%    6.67ms
 *	  Detailed Percentile spectrum:
 *	       Value   Percentile   TotalCount 1/(1-Percentile)
 *	       0.921     0.000000            1         1.00
 *	  60018 requests in 30.00s, 19.81MB read
 *
 * A spectrum is a histogram in ms (formats/bench/percentiles.h): the operation "recorded" and, with
 * -U, "uncorrected".
 *
 * Seen: 44a94c1.
 */
#include <math.h>
#include <string.h>

#include "formats/bench/percentiles.h"

struct reader {
	struct lines lines;
	size_t n_runs;
	bool uncorrected; /* the next spectrum is of uncorrected latencies */
};

static bool read_spectrum(struct reader *r, struct str header)
{
	struct str name = r->uncorrected ? STR("uncorrected") : STR("recorded");

	return build_operation_in(r->lines.to, UNIT_MS, STR(""), name, header) &&
	       percentiles_read(&r->lines, r->lines.to, header);
}

/* Reads "2 threads and 100 connections": each connection has one request at a time. */
static void read_connections(struct reader *r, struct str line)
{
	struct cursor c = cursor_at(r->lines.in, line);
	uint64_t n;

	if (scan_past(&c, STR(" and ")) && scan_u64(&c, &n))
		build_concurrency(r->lines.to, n);
}

/* Reads "  60018 requests in 30.00s, 19.81MB read", the end of a run. */
static void read_requests(struct reader *r, struct str line)
{
	struct str rest = str_skip(line, str_find(line, STR(" requests in ")));
	struct str time, end;

	if (str_cut(str_skip(rest, strlen(" requests in ")), ',', &time, &end))
		lines_took(&r->lines, time);
}

static bool wrk2_line(void *reader)
{
	struct reader *r = reader;
	struct str line = r->lines.text;

	if (str_has_prefix(line, STR("Running ")) && str_contains(line, STR(" test @ "))) {
		if (r->n_runs++ > 0)
			build_next_interval(r->lines.to, NAN);
		r->uncorrected = false;
	} else if (str_has_prefix(line, STR("Latency Distribution"))) {
		r->uncorrected = str_contains(line, STR("Uncorrected"));
	} else if (str_has_suffix(line, STR(" connections"))) {
		read_connections(r, line);
	} else if (str_contains(line, STR(" requests in "))) {
		read_requests(r, line);
	}
	return !percentiles_header(line) || read_spectrum(r, line);
}

const struct format format_wrk2 = {
	.name = "wrk2",
	.title = "wrk2 --latency: spectra of requests",
	.versions = "44a94c1",
	.unit = "ms, always",
	.totals = "mean times requests, to 1 us",
	.line_marks = LINE_MARKS(
		{ .has = MARKS("Latency Distribution (HdrHistogram"), .score = PROBE_MAGIC }),
	.parts = MARKS("hgrm"),
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .line = wrk2_line,
					     .snapshots = SNAPSHOTS_DELTA,
					     .fixed_duration = true /* wrk2 has no other mode */ },
};
