/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dnsperf: the queries that dnsperf -v lists, one a line, among its other output.
 *
 *	> NOERROR www.example.test A 0.000350
 *	> NXDOMAIN none.example.test A 0.000297
 *	> T mail.example.test AAAA
 *
 * The response code, the query, and seconds to the response.  The operation is the record type,
 * the layer is the code.  Queries without a response (T) have no latency; a warning counts them.
 * The time at which a query was sent is not stated.
 *
 * Seen: 2.10.  Not read: updates (-u), and the output of -O latency-histogram in later versions.
 */
#include <math.h>

#include "formats/stream.h"
#include "formats/text.h"

enum kind { OTHER, ANSWERED, LOST };

struct query {
	struct str code, type, seconds;
};

static enum kind scan_query(struct str line, struct query *ret)
{
	struct str name;

	if (!str_has_prefix(line, STR("> ")) || !str_cut(str_skip(line, 2), ' ', &ret->code, &name))
		return OTHER;
	if (str_eq(ret->code, STR("T")))
		return LOST;
	ret->seconds = text_last_word(&name);
	ret->type = text_last_word(&name);
	return ret->type.n > 0 && name.n > 0 ? ANSWERED : OTHER;
}

static enum probe probe_dnsperf(struct str head, struct clue *clue)
{
	bool banner = false;
	struct query query;
	struct str line, rest = head;
	double v;

	while (text_line(&rest, &line)) {
		if (str_eq(line, STR("DNS Performance Testing Tool"))) {
			banner = true;
			probe_near(clue, head, line, "no queries after it: -v lists them");
		} else if (str_has_prefix(line, STR("> "))) {
			enum kind kind = scan_query(line, &query);

			if (kind == LOST && banner)
				return PROBE_MAGIC;
			if (kind != ANSWERED || number_f64(query.seconds, &v) != NUMBER_OK)
				return PROBE_NO;
			return banner ? PROBE_MAGIC : PROBE_SHAPE;
		} else if (!banner) {
			return PROBE_NO;
		}
	}
	return PROBE_NO;
}

struct reader {
	struct stream stream;
	uint64_t lost;
};

/* Reads "[Status] Stopping after 10.000000 seconds" (of -l) or "after 50 runs through file", and
 * "Run time (s):         0.015997". */
static void read_status(struct reader *r, struct str line)
{
	static const struct str stop = STR_INIT("[Status] Stopping after "),
				time = STR_INIT("Run time (s):");
	double seconds;

	if (str_has_prefix(line, stop) && str_contains(line, STR(" seconds")))
		build_run_fixed_duration(r->stream.lines.to);
	else if (str_has_prefix(line, time) &&
		 number_f64(str_trim(str_skip(line, time.n)), &seconds) == NUMBER_OK &&
		 seconds > 0 && isfinite(seconds))
		build_elapsed(r->stream.lines.to, seconds);
}

static bool dnsperf_line(void *reader)
{
	struct reader *r = reader;
	struct lines *l = &r->stream.lines;
	struct sample sample = { .layer = STR("") };
	struct query query;

	switch (scan_query(l->text, &query)) {
	case LOST:
		r->lost++;
		return true;
	case ANSWERED:
		break;
	case OTHER:
		read_status(r, l->text);
		return !str_has_prefix(l->text, STR("> ")) ||
		       lines_fail(l, DIAG_LINE_UNEXPECTED, l->text,
				  "expected > CODE NAME TYPE SECONDS");
	}
	if (!decimal_parse(query.seconds, &sample.latency) || sample.latency.billionths < 0)
		return lines_fail(l, DIAG_NUMBER_BAD, query.seconds, "expected seconds");
	sample.layer = query.code;
	sample.name = query.type;
	sample.where = query.type;
	return samples_add(&l->samples, &sample, query.seconds, query.seconds);
}

static bool dnsperf_end(void *reader)
{
	struct reader *r = reader;
	const struct read_task *task = r->stream.lines.task;

	if (r->lost > 0)
		diag_file(task->diag, DIAG_COLLECTOR_ERROR, task->in,
			  "%llu queries had no answer and are not counted",
			  (unsigned long long)r->lost);
	return true;
}

static const struct accumulator_options sampling = { .unit = UNIT_S,
						     .unit_source = UNIT_STATED,
						     .granularity = 1e-6 };

const struct format format_dnsperf = {
	.name = "dnsperf",
	.title = "queries that dnsperf -v lists",
	.versions = "2.10",
	.unit = "s, always",
	.totals = "exact",
	.probe = probe_dnsperf,
	.streams = true,
	.read = stream_read,
	.spec =
		&(const struct line_format){
			.size = sizeof(struct reader),
			.line = dnsperf_line,
			.end = dnsperf_end,
			.sampling = &sampling,
			.no_intervals = "intervals need the time of each query; dnsperf has none",
			.drop_single_layer = true },
};
