/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hwlatdetect: gaps caused by the hardware, listed by hwlatdetect (rt-tests).
 *
 *	hwlatdetect:  test duration 60 seconds
 *	   parameters:
 *	        CPU list:          0-3
 *	        Latency threshold: 100us
 *	Max Latency: 326us
 *	Samples recorded: 5
 *	Samples exceeding threshold: 5
 *	ts: 1662650739.017274507, inner:6, outer:326, cpu:0, count:1
 *
 * A line "ts:" is a gap, the larger of inner and outer; the operation is "hwlat".  Only gaps that
 * reached the threshold are recorded.  Of `count` gaps within a window, the largest is printed; the
 * others count as lost.  Without these lines, which --watch and --report print, nothing can be
 * read.
 *
 * Seen: the reports in rt-tests' documentation; rt-tests 2.4's source.
 */

#include "formats/measure.h"
#include "formats/samples.h"
#include "formats/stream.h"
#include "formats/text.h"

struct reader {
	struct stream stream;
	const struct read_options *options;
	struct builder *to;
	struct samples samples;
	bool started;	    /* a gap was read; the threshold comes before the first */
	uint64_t threshold; /* us; 0: not stated */
	uint64_t stated;    /* stated number of samples that exceed it */
	struct str stated_at;
	struct input stated_line;
};

/* Counts the gaps that are not printed; older versions print no count. */
static bool add_others(struct reader *r, struct str s)
{
	struct str count;
	uint64_t n;

	return !text_number_after(s, STR("count:"), &count) || number_u64(count, &n) != NUMBER_OK ||
	       n < 2 || build_lost(r->to, n - 1, count);
}

static void start_samples(struct reader *r)
{
	struct accumulator_options kind = { .unit = UNIT_US,
					    .unit_source = UNIT_STATED,
					    .granularity = 1,
					    .threshold = (double)r->threshold,
					    .start_rate = 1 };

	samples_start(&r->samples, r->stream.lines.in, r->options, &kind, r->stream.lines.diag);
	r->started = true;
}

static bool add_gap(struct reader *r, struct str s)
{
	struct sample sample = { .layer = STR(""), .name = STR("hwlat"), .where = s };
	struct str start_at, inner, outer;
	uint64_t in, out;

	if (!text_number_after(s, STR("ts:"), &start_at) ||
	    !text_number_after(s, STR("inner:"), &inner) ||
	    !text_number_after(s, STR("outer:"), &outer) ||
	    number_decimal(start_at, &sample.start) != NUMBER_OK ||
	    number_u64(inner, &in) != NUMBER_OK || number_u64(outer, &out) != NUMBER_OK)
		return lines_fail(&r->stream.lines, DIAG_LINE_UNEXPECTED, s,
				  "expected ts, inner and outer");
	if (!r->started)
		start_samples(r);
	sample.latency = decimal_from_u64(in > out ? in : out);
	sample.timed = true;
	return samples_add(&r->samples, &sample, in > out ? inner : outer, start_at) &&
	       add_others(r, s);
}

static bool take_stated(struct reader *r, struct str s, struct str number)
{
	input_release(&r->stated_line);
	r->stated_at = input_keep_line(r->stream.lines.in, s, &r->stated_line);
	return number_u64(number, &r->stated) == NUMBER_OK ||
	       lines_fail(&r->stream.lines, DIAG_NUMBER_BAD, number,
			  "expected a number of samples");
}

/* Reads "hwlatdetect:  test duration 60 seconds". */
static void hwlatdetect_read_duration(struct reader *r, struct str s)
{
	static const struct str title = STR_INIT("test duration ");
	size_t at = str_find(s, title);
	double seconds;

	if (at < s.n && str_has_prefix(s, STR("hwlatdetect:")) &&
	    measure_seconds(str_skip(s, at + title.n), &seconds))
		build_elapsed(r->to, seconds);
}

static bool hwlatdetect_read_line(struct reader *r, struct str s)
{
	struct str title = STR("Samples exceeding threshold:"), number;
	uint64_t threshold;

	if (str_has_prefix(s, STR("ts:")))
		return add_gap(r, s);
	hwlatdetect_read_duration(r, s);
	if (str_has_prefix(s, title) && text_number_after(s, title, &number) && number.n > 0)
		return take_stated(r, s, number);
	if (r->threshold == 0 && text_number_after(s, STR("Latency threshold:"), &number) &&
	    number_u64(number, &threshold) == NUMBER_OK)
		r->threshold = threshold;
	return true;
}

/* If nothing reached the threshold, pushes an operation without calls. */
static bool push_none(struct reader *r, struct input *in)
{
	struct str where = { in->bytes.p, 1 };

	if (!build_operation(r->to, STR(""), STR("hwlat"), where) || !build_histogram(r->to, where))
		return false;
	build_unit(r->to, UNIT_US, UNIT_STATED);
	if (r->threshold > 0)
		build_threshold(r->to, (double)r->threshold);
	return true;
}

static bool hwlatdetect_push(struct reader *r, struct input *in)
{
	if (r->started)
		return accumulator_push(r->samples.accumulator, r->to);
	if (r->stated == 0)
		return push_none(r, in);
	diag_part(r->stream.lines.diag, DIAG_NO_OPERATIONS, &r->stated_line, r->stated_at,
		  "only the largest of these is reported; --watch or --report lists them");
	return false;
}

static bool read_hwlatdetect(const struct read_task *task)
{
	struct reader r = { .options = task->options, .to = task->to };
	bool ok = true;

	stream_start(&r.stream, task->in, task->to, task->diag);
	while (ok && stream_next(&r.stream))
		ok = hwlatdetect_read_line(&r, r.stream.lines.text);
	ok = stream_end(&r.stream) && ok && hwlatdetect_push(&r, task->in);
	if (r.started)
		samples_release(&r.samples);
	input_release(&r.stated_line);
	return ok;
}

const struct format format_hwlatdetect = {
	.name = "hwlatdetect",
	.title = "hwlatdetect: gaps that the hardware made, one a line",
	.versions = "rt-tests 2.4",
	.unit = "us",
	.totals = "exact",
	.line_marks =
		LINE_MARKS({ .has = MARKS("hwlatdetect:"), .score = PROBE_MAGIC },
			   { .has = MARKS("ts: ", "inner:", "outer:"), .score = PROBE_MARKS }),
	.streams = true,
	.read = read_hwlatdetect,
};
