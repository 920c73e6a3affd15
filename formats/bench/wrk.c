/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wrk: reports of the HTTP load generators wrk and wrk2.
 *
 *	Running 30s test @ http://127.0.0.1:80/index.html
 *	  Thread Stats   Avg      Stdev     Max   +/- Stdev
 *	    Latency     6.60ms    1.92ms  12.50ms   68.46%
 *	  Latency Distribution (HdrHistogram - Recorded Latency)
 *	 50.000%    6.67ms
 *	  Detailed Percentile spectrum:
 *	       Value   Percentile   TotalCount 1/(1-Percentile)
 *	       0.921     0.000000            1         1.00
 *	  60018 requests in 30.00s, 19.81MB read
 *
 * A spectrum is a histogram in ms (formats/bench/percentiles.h): the operation "recorded" and, with
 * wrk2 -U, "uncorrected".  Without a spectrum there are summary statistics of "latency": requests,
 * mean and maximum, in us; the four percentiles of wrk are left out.
 *
 * Seen: wrk 4.1, wrk2 at 44a94c1.
 */
#include <math.h>
#include <string.h>

#include "formats/bench/percentiles.h"
#include "formats/measure.h"
#include "formats/text.h"

struct reader {
	struct lines lines;
	size_t n_runs;
	bool uncorrected;    /* the next spectrum is of uncorrected latencies */
	bool spectrum;	     /* this run has a spectrum */
	bool any_spectrum;   /* some run has a spectrum */
	bool percentiles;    /* percentiles were left out */
	bool has_statistics; /* mean and max are set, in us */
	double mean, max;
	struct str latency; /* line of mean and max */
};

/* Parses "6.60ms" to us. */
static bool wrk_read_time(struct str s, double *ret)
{
	struct str number;
	uint64_t ns;
	double v;

	if (!measure_take(&s, &number, &ns) || s.n > 0 || number_f64(number, &v) != NUMBER_OK)
		return false;
	*ret = v * ((double)ns / 1e3);
	return true;
}

/* Reads "    Latency     6.60ms    1.92ms  12.50ms   68.46%". */
static bool read_latency(struct reader *r, struct str s)
{
	struct cursor line = cursor_at(r->lines.in, s);
	struct str word[4];

	for (size_t i = 0; i < COUNT_OF(word); i++) {
		if (!scan_word(&line, &word[i]))
			return format_fail(r->lines.in, r->lines.diag, DIAG_LINE_UNEXPECTED,
					   cursor_rest(&line),
					   "expected mean, deviation and maximum");
	}
	r->has_statistics = wrk_read_time(word[1], &r->mean) && wrk_read_time(word[3], &r->max);
	/* If nothing was measured, wrk prints "-nanus" or "0.00us". */
	return r->has_statistics || str_contains(word[1], STR("nan")) ||
	       format_fail(r->lines.in, r->lines.diag, DIAG_NUMBER_BAD, word[1], "expected a time");
}

/* Reads "  60018 requests in 30.00s, 19.81MB read", the end of a run. */
static bool read_requests(struct reader *r, struct str count, struct str rest)
{
	struct decimal total;
	struct str end;
	uint64_t n;

	(void)str_cut(str_skip(rest, strlen("requests in ")), ',', &rest, &end);
	lines_took(&r->lines, rest);
	if (number_u64(count, &n) != NUMBER_OK)
		return format_fail(r->lines.in, r->lines.diag, DIAG_NUMBER_BAD, count,
				   "expected a number");
	if (r->spectrum || !r->has_statistics)
		return true;
	if (!build_operation_in(r->lines.to, UNIT_US, STR(""), STR("latency"), r->latency))
		return false;
	build_max(r->lines.to, r->max);
	if (!decimal_from_f64(r->mean * (double)n, &total))
		return format_fail(r->lines.in, r->lines.diag, DIAG_TOTAL_OVERFLOW, count,
				   "mean times calls");
	build_rounded_totals(r->lines.to);
	return build_count(r->lines.to, n, count) && build_total(r->lines.to, total, r->latency);
}

static bool read_spectrum(struct reader *r, struct str header)
{
	struct str name = r->uncorrected ? STR("uncorrected") : STR("recorded");

	r->spectrum = r->any_spectrum = true;
	if (!build_operation_in(r->lines.to, UNIT_MS, STR(""), name, header))
		return false;
	return percentiles_read(&r->lines, r->lines.to, header);
}

/* Reads "2 threads and 100 connections": each connection has one request at a time. */
static void read_connections(struct reader *r, struct str line)
{
	struct cursor c = cursor_at(r->lines.in, line);
	uint64_t n;

	if (scan_past(&c, STR(" and ")) && scan_u64(&c, &n))
		build_concurrency(r->lines.to, n);
}

static void begin_run(struct reader *r)
{
	if (r->n_runs++ > 0)
		build_next_interval(r->lines.to, NAN);
	r->spectrum = r->uncorrected = r->has_statistics = false;
}

static bool wrk_line(void *reader)
{
	struct reader *r = reader;
	struct str count, rest, line = r->lines.text;

	if (str_has_prefix(line, STR("Running ")) && str_contains(line, STR(" test @ ")))
		begin_run(r);
	else if (str_has_prefix(line, STR("Latency Distribution")))
		r->uncorrected = str_contains(line, STR("Uncorrected"));
	else if (str_has_prefix(line, STR("Latency ")))
		return (r->latency = line).n > 0 && read_latency(r, line);
	else if (str_contains(line, STR(" threads and ")) &&
		 str_has_suffix(line, STR(" connections")))
		read_connections(r, line);
	else if (percentiles_header(line))
		return read_spectrum(r, line);
	else if (str_cut(line, ' ', &count, &rest) && str_has_prefix(rest, STR("requests in ")))
		return read_requests(r, count, rest);
	else if (str_cut(line, '%', &count, &rest) && rest.n > 0)
		r->percentiles |= !r->spectrum;
	return true;
}

static bool wrk_end(void *reader)
{
	const struct reader *r = reader;

	if (r->percentiles && !r->any_spectrum)
		diag_file(r->lines.diag, DIAG_NOT_A_HISTOGRAM, r->lines.in,
			  "percentiles of wrk; wrk2 --latency prints a spectrum");
	return true;
}

const struct format format_wrk = {
	.name = "wrk",
	.title = "wrk and wrk2: latency spectra, or summary statistics",
	.versions = "wrk 4.1, wrk2 at 44a94c1",
	.unit = "stated after each number; ms in spectra",
	.totals = "mean times requests, to the digits of the mean",
	.line_marks = LINE_MARKS(
		{ .has = MARKS("Running ", " test @ "), .score = PROBE_MARKS },
		{ .has = MARKS("Thread Stats ", "Avg", "Stdev", "Max"), .score = PROBE_MAGIC }),
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .line = wrk_line,
					     .end = wrk_end,
					     .snapshots = SNAPSHOTS_DELTA,
					     .fixed_duration = true /* wrk has no other mode */ },
};
