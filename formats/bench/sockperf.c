/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sockperf: messages of the network benchmark sockperf (--full-log), one a line.
 *
 *	sockperf: # dropped messages = 0; # duplicated messages = 0; # out-of-order messages = 0
 *	...
 *	packet, txTime(sec), rxTime(sec), latency(usec)
 *	0, 2.404653971, 2.404767557, 56.793
 *	1, 2.406653967, 2.406686456, 16.245
 *	------------------------------
 *
 * The operation is named by the header: latency, half of the time from sending to receiving, or,
 * with --full-rtt, rtt, the whole time.  Intervals use txTime.  The tables of several servers are
 * added up.  Statistics before a table are skipped, except the numbers of dropped and out-of-order
 * messages, which are in no table.
 *
 * Seen: 3.7, the source at ed92afb.  Not supported: the histogram of --histogram, after a
 * log.
 */

#include "formats/carried.h"
#include "formats/measure.h"
#include "formats/text.h"
#include "formats/worker_pool.h"

/* Finds "latency" in "packet, txTime(sec), rxTime(sec), latency(usec)". */
static bool take_head(struct str line, struct str *ret)
{
	static const struct str columns = STR_INIT("packet, txTime(sec), rxTime(sec), ");
	struct str rest;

	return str_has_prefix(line, columns) &&
	       str_cut(str_skip(line, columns.n), '(', ret, &rest) && ret->n > 0 &&
	       str_eq(rest, STR("usec)"));
}

static bool sockperf_is_head(struct str line)
{
	struct str ignored;

	return take_head(line, &ignored);
}

/* --- messages ---------------------------------------------------------------------- */

enum { PACKET, SENT, RECEIVED, LATENCY, FIELDS };

/* Splits "0, 2.404653971, 2.404767557, 56.793"; false, with the number of fields in *ret_n, for
 * other lines. */
static bool sockperf_split_row(struct str line, struct str *field, size_t *ret_n)
{
	struct str rest = line;

	*ret_n = 0;
	for (bool more = true; more; (*ret_n)++) {
		struct str one = rest;

		more = str_cut(rest, ',', &one, &rest);
		if (*ret_n == FIELDS)
			return false;
		field[*ret_n] = str_trim(one);
	}
	return *ret_n == FIELDS;
}

static bool sockperf_add_row(struct str name, struct samples *s, const struct block *block,
			     struct str line, bool last)
{
	struct sample sample = { .layer = STR(""),
				 .name = name,
				 .offset = block->at + (uint64_t)(line.p - s->in->bytes.p),
				 .where = line };
	struct str field[FIELDS];
	size_t n;

	if (!sockperf_split_row(line, field, &n) || (last && field[LATENCY].n == 0))
		return format_fail(s->in, s->diag,
				   last && n <= FIELDS ? DIAG_INPUT_TRUNCATED
						       : DIAG_LINE_UNEXPECTED,
				   line, "expected packet, txTime, rxTime and a latency");
	if (number_decimal(field[LATENCY], &sample.latency) != NUMBER_OK)
		return format_fail(s->in, s->diag, DIAG_NUMBER_BAD, field[LATENCY],
				   "expected a latency in us");
	if (number_decimal(field[SENT], &sample.start) != NUMBER_OK)
		return format_fail(s->in, s->diag, DIAG_NUMBER_BAD, field[SENT],
				   "expected a time in s");
	sample.timed = true;
	return samples_add(s, &sample, field[LATENCY], field[SENT]);
}

/* Returns the number in "... # dropped messages = 2; ...", or 0 if it is missing. */
static uint64_t stated_number(struct str line, struct str title)
{
	size_t at = str_find(line, title);
	struct str digits = str_skip(line, at + title.n);
	uint64_t n = 0;

	if (at == line.n)
		return 0;
	digits.n = 0;
	while (digits.p + digits.n < line.p + line.n && is_digit(digits.p[digits.n]))
		digits.n++;
	return number_u64(digits, &n) == NUMBER_OK ? n : 0;
}

/* Rows begin with a digit and have commas; bins of a histogram have no commas. */
static bool is_row(struct str line)
{
	return str_begins_with_digit(line) && str_contains(line, STR(","));
}

static bool sockperf_read_block(void *member, const struct block *block, struct samples *s)
{
	const struct str *name = member;
	struct cursor c = cursor_on(s->in), line;

	while (scan_line(&c, &line)) {
		struct str text = text_content(cursor_rest(&line));

		if (is_row(text)) {
			if (!sockperf_add_row(*name, s, block, text, line.end == s->in->bytes.n))
				return false;
		} else if (str_has_prefix(text, STR("sockperf: # dropped"))) {
			s->skipped[0] += stated_number(text, STR("# dropped messages = ")) +
					 stated_number(text, STR("# out-of-order messages = "));
		}
	}
	return true;
}

/* Reads "test was performed using the following parameters: --mps=300 --time=1", which may have a
 * number of packets instead, and "sockperf: [Total Run] RunTime=1.003 sec; ...". */
static void sockperf_read_duration(struct str line, struct builder *to)
{
	struct str value, rest;
	double seconds;

	if (str_has_prefix(line, STR("test was performed using ")) &&
	    str_contains(line, STR(" --time=")))
		build_run_fixed_duration(to);
	if (str_has_prefix(line, STR("sockperf: [Total Run] RunTime=")) &&
	    str_cut(line, '=', &rest, &value) && str_cut(value, ';', &value, &rest) &&
	    measure_seconds(value, &seconds))
		build_elapsed(to, seconds);
}

static bool read_sockperf(const struct read_task *task)
{
	static const struct accumulator_options kind = { .unit = UNIT_US,
							 .unit_source = UNIT_STATED,
							 .start_rate = 1 };
	struct carried *carried = task->options->carried;
	struct str head, line, name = STR("");
	bool rtt = false;
	struct worker_pool_job job = { .task = task,
				       .sampling = &kind,
				       .alone = task->options->build.interval > 0,
				       .ctx = &name,
				       .size = sizeof(name),
				       .read = sockperf_read_block,
				       .skipped = {
					       { DIAG_NOT_RECORDED,
						 "messages were dropped or came out of order" } } };

	if (!format_look(task->in, sockperf_is_head, &head, task->diag))
		return false;
	while (text_line(&head, &line) && !take_head(line, &name))
		sockperf_read_duration(line, task->to);
	/* The text read so far is released as more is read, so keep a copy of the kind. */
	carried_copy(carried, CARRIED_KIND, &rtt);
	rtt = name.n > 0 ? str_eq(name, STR("rtt")) : rtt;
	carried_leave_bytes(carried, CARRIED_KIND, &rtt, sizeof(rtt));
	name = rtt ? STR("rtt") : STR("latency");
	return worker_pool_read(&job);
}

const struct format format_sockperf = {
	.name = "sockperf",
	.title = "messages of sockperf --full-log, one a line",
	.versions = "3.7",
	.unit = "us, always",
	.totals = "exact",
	.has_line = sockperf_is_head,
	.streams = true,
	.read = read_sockperf,
};
