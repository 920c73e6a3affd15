/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/realtime/cyclictest_raw.h"

#include "formats/samples.h"
#include "formats/stream.h"

static bool scan_colon(struct cursor *c)
{
	scan_blanks(c);
	if (!scan_char(c, ':'))
		return false;
	scan_blanks(c);
	return true;
}

/* Parses a line: the digits of the thread's number, and the latency, also as digits. */
static bool scan_raw(struct str s, struct str *ret_thread, struct str *ret_latency, int *ret)
{
	struct cursor c = CURSOR_OVER(s);
	uint64_t ignored;

	scan_blanks(&c);
	*ret_thread = cursor_rest(&c);
	if (!scan_u64(&c, &ignored))
		return false;
	ret_thread->n -= cursor_rest(&c).n;
	if (!scan_colon(&c) || !scan_u64(&c, &ignored) || !scan_colon(&c))
		return false;
	*ret_latency = cursor_rest(&c);
	return scan_int(&c, ret) && cursor_done(&c);
}

bool cyclictest_is_raw(struct str line)
{
	struct str thread, latency;
	int us;

	return scan_raw(line, &thread, &latency, &us);
}

bool cyclictest_is_histogram(struct str line)
{
	return str_eq(line, STR("# Histogram"));
}

struct reader {
	struct stream stream;
	struct samples samples;
	/* The first line that is not one of -v; an error if no histogram follows. */
	bool is_bad, is_cut;
	struct str bad;
	struct input bad_line;
};

static void keep_bad(struct reader *r, struct str line)
{
	if (r->is_bad)
		return;
	r->is_bad = true;
	r->is_cut = r->stream.lines.cut;
	r->bad = input_keep_line(r->stream.lines.in, line, &r->bad_line);
}

static bool cyclictest_raw_read_line(struct reader *r, struct str s)
{
	struct sample sample = { .layer = STR("") };
	struct str latency;
	int us;

	if (!scan_raw(s, &sample.name, &latency, &us)) {
		if (str_begins_with_digit(s))
			keep_bad(r, s);
		return true;
	}
	sample.latency = decimal_from_i64(us);
	sample.where = sample.name;
	return samples_add(&r->samples, &sample, latency, sample.name);
}

static bool cyclictest_raw_read_lines(struct reader *r, bool *ret_histogram)
{
	while (stream_next(&r->stream)) {
		*ret_histogram = cyclictest_is_histogram(r->stream.lines.text);
		if (*ret_histogram)
			return stream_complete(&r->stream);
		if (!cyclictest_raw_read_line(r, r->stream.lines.text))
			return false;
	}
	return true;
}

static bool cyclictest_raw_push(struct reader *r, struct input *in, bool intervals,
				struct builder *to, struct diag *diag)
{
	if (intervals)
		return format_fail(in, diag, DIAG_COLUMN_MISSING, (struct str){ in->bytes.p, 1 },
				   "intervals need times, and cyclictest -v prints none");
	if (!r->is_bad)
		return accumulator_push(r->samples.accumulator, to);
	diag_part(diag, r->is_cut ? DIAG_INPUT_TRUNCATED : DIAG_LINE_UNEXPECTED, &r->bad_line,
		  r->bad, "expected thread: cycle: latency");
	return false;
}

bool cyclictest_read_raw(struct input *in, const struct read_options *options, struct builder *to,
			 bool *ret_histogram, struct diag *diag)
{
	static const struct accumulator_options kind = { .unit = UNIT_US,
							 .unit_source = UNIT_GUESSED,
							 .granularity = 1 };
	struct reader r = { .is_bad = false };
	bool histogram = false, ok;

	stream_start(&r.stream, in, to, diag);
	samples_start(&r.samples, r.stream.lines.in, options, &kind, diag);
	ok = cyclictest_raw_read_lines(&r, &histogram);
	ok = stream_end(&r.stream) && ok;
	if (ok && !histogram)
		ok = cyclictest_raw_push(&r, in, options->build.interval > 0, to, diag);
	samples_release(&r.samples);
	input_release(&r.bad_line);
	*ret_histogram = histogram;
	return ok;
}
