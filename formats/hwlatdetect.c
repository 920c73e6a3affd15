/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hwlatdetect: gaps that the hardware made, as rt-tests' hwlatdetect lists them.
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
 * A line "ts:" is a gap, the larger of inner and outer; the operation is "hwlat".  Only
 * what reached the threshold was recorded.  Of `count` gaps within a window the largest is
 * told; the others are lost.  Where the lines are missing there is nothing to count:
 * --watch and --report have them.
 *
 * Seen: the reports in rt-tests' documentation; rt-tests 2.4's source.
 */
#include <string.h>

#include "formats/lines.h"
#include "formats/samples.h"
#include "formats/text.h"

static enum probe probe_hwlatdetect(struct str head, struct clue *clue)
{
	struct str s, rest = head;

	(void)clue;
	while (text_line(&rest, &s)) {
		if (str_has_prefix(s, STR("hwlatdetect:")))
			return PROBE_MAGIC;
		if (str_has_prefix(s, STR("ts: ")) && str_contains(s, STR("inner:")) &&
		    str_contains(s, STR("outer:")))
			return PROBE_MARKS;
	}
	return PROBE_NO;
}

struct reader {
	struct lines lines;
	struct builder *to;
	struct samples samples;
	uint64_t threshold; /* us; 0: not said */
	uint64_t stated;    /* samples that exceed it */
	struct str stated_at;
	size_t n;
};

/* The digits behind "inner:" and the like. */
static bool number_behind(struct str s, struct str title, struct str *ret)
{
	size_t at = str_find(s, title);
	struct str rest;
	size_t n = 0;

	if (at == s.n)
		return false;
	rest = str_trim(str_skip(s, at + title.n));
	while (n < rest.n && ((rest.p[n] >= '0' && rest.p[n] <= '9') || rest.p[n] == '.'))
		n++;
	*ret = (struct str){ rest.p, n };
	return n > 0;
}

/* Older versions print no count. */
static bool add_others(struct reader *r, struct str s)
{
	struct str count;
	uint64_t n;

	return !number_behind(s, STR("count:"), &count) || number_u64(count, &n) != NUMBER_OK ||
	       n < 2 || build_lost(r->to, n - 1, count);
}

static bool add_gap(struct reader *r, struct str s)
{
	struct sample sample = { .layer = STR(""), .name = STR("hwlat"), .where = s };
	struct str start, inner, outer;
	uint64_t in, out;

	if (!number_behind(s, STR("ts:"), &start) || !number_behind(s, STR("inner:"), &inner) ||
	    !number_behind(s, STR("outer:"), &outer) ||
	    number_decimal(start, &sample.start) != NUMBER_OK ||
	    number_u64(inner, &in) != NUMBER_OK || number_u64(outer, &out) != NUMBER_OK)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
				  "expected ts, inner and outer");
	r->n++;
	sample.latency = decimal_from_u64(in > out ? in : out);
	return samples_add(&r->samples, &sample, in > out ? inner : outer, start) &&
	       add_others(r, s);
}

static bool read_lines(struct reader *r)
{
	struct str title = STR("Samples exceeding threshold:"), number;

	while (lines_next(&r->lines)) {
		struct str s = r->lines.text;

		if (str_has_prefix(s, STR("ts:")) && !add_gap(r, s))
			return false;
		if (str_has_prefix(s, title) && number_behind(s, title, &number)) {
			r->stated_at = s;
			if (number_u64(number, &r->stated) != NUMBER_OK)
				return lines_fail(&r->lines, DIAG_NUMBER_BAD, number,
						  "expected a number of samples");
		}
	}
	return true;
}

static uint64_t find_threshold(struct input *in)
{
	struct str s, number, rest = in->bytes;
	uint64_t threshold = 0;

	while (text_line(&rest, &s)) {
		if (str_has_prefix(s, STR("ts:")))
			break; /* it stands above them */
		if (number_behind(s, STR("Latency threshold:"), &number) &&
		    number_u64(number, &threshold) == NUMBER_OK)
			break;
	}
	return threshold;
}

/* Nothing reached the threshold: an operation without a call. */
static bool push_none(struct reader *r)
{
	struct str where = { r->lines.in->bytes.p, 1 };

	if (!build_operation(r->to, STR(""), STR("hwlat"), where) || !build_histogram(r->to, where))
		return false;
	build_unit(r->to, UNIT_US, UNIT_STATED);
	if (r->threshold > 0)
		build_threshold(r->to, (double)r->threshold);
	return true;
}

static bool push(struct reader *r)
{
	if (r->n == 0 && r->stated > 0)
		return format_fail(r->lines.in, r->lines.diag, DIAG_NO_OPERATIONS, r->stated_at,
				   "of these only the largest is told; --watch or --report lists "
				   "them");
	return r->n == 0 ? push_none(r) : sampler_push(r->samples.sampler, r->to);
}

static bool read_hwlatdetect(struct input *in, const struct read_options *options,
			     struct builder *to, struct diag *diag)
{
	struct reader r = { .to = to, .threshold = find_threshold(in) };
	struct sampler_options kind = { .unit = UNIT_US,
					.unit_source = UNIT_STATED,
					.granularity = 1,
					.threshold = (double)r.threshold,
					.start_rate = 1 };
	bool fine;

	lines_start(&r.lines, in, diag);
	samples_start(&r.samples, in, options, &kind, diag);
	fine = read_lines(&r) && push(&r);
	samples_release(&r.samples);
	return fine;
}

const struct format format_hwlatdetect = {
	.name = "hwlatdetect",
	.title = "hwlatdetect: gaps that the hardware made, one a line",
	.versions = "rt-tests 2.4",
	.unit = "us",
	.totals = "exact",
	.probe = probe_hwlatdetect,
	.read = read_hwlatdetect,
};
