/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * btt-dat: the latency of each block request, from btt -l and btt -q
 * (lat_8,0_d2c.dat, x_8,0_q2c.dat).
 *
 *	0.002588 0.002583
 *	0.003792 0.000329
 *
 * A line is a time and a latency, both in seconds with six decimals.  The file does not state
 * that, nor the operation: this is the end of the file's name (d2c, q2c), or else `latency`.
 * Latencies are in steps of a microsecond.
 *
 * Seen: 1.2.0.  Not supported: other .dat files of btt, which have no latencies.
 */

#include "formats/text.h"
#include "formats/worker_pool.h"

enum { DIGITS = 6 };

/* Takes "0.002588", with six digits after the point: without the point, these are microseconds. */
static bool take_seconds(struct cursor *c, struct str *ret_word, struct decimal *ret_ns)
{
	enum { MAX = 17 }; /* digits that fit into 64 bits, as nanoseconds too */
	uint64_t us = 0;
	size_t point;

	if (!scan_word(c, ret_word) || ret_word->n < DIGITS + 1 || ret_word->n > MAX)
		return false;
	point = ret_word->n - DIGITS - 1;
	for (size_t i = 0; i < ret_word->n; i++) {
		unsigned digit = (unsigned)(ret_word->p[i] - '0');

		if (i == point ? ret_word->p[i] != '.' : digit > 9)
			return false;
		us = i == point ? us : us * 10 + digit;
	}
	*ret_ns = decimal_from_u64(us * 1000);
	return true;
}

static bool parse_line(struct cursor c, struct str *ret_latency, struct decimal *ret_at,
		       struct decimal *ret_ns)
{
	struct str at;

	return take_seconds(&c, &at, ret_at) && take_seconds(&c, ret_latency, ret_ns) &&
	       (scan_blanks(&c), cursor_done(&c));
}

static enum probe probe_btt_dat(struct str head, struct clue *clue)
{
	struct cursor rest = CURSOR_OVER(head), line;
	struct decimal at, ns;
	struct str latency;
	size_t good = 0;

	while (scan_line(&rest, &line)) {
		if (str_trim(cursor_rest(&line)).n == 0)
			continue;
		if (!parse_line(line, &latency, &at, &ns)) {
			if (good > 0)
				*clue = (struct clue){ line.at, "not two numbers with six digits "
								"after the point" };
			return PROBE_NO;
		}
		good++;
	}
	return good > 0 ? PROBE_SHAPE : PROBE_NO;
}

/* Returns "d2c" for ".../lat_8,0_d2c.dat". */
static struct str btt_dat_name_of(struct str path)
{
	static const char *const known[] = { "d2c", "q2c", "q2d" };

	if (str_has_suffix(path, STR(".dat")))
		path.n -= sizeof(".dat") - 1;
	for (size_t i = 0; i < COUNT_OF(known); i++) {
		if (str_has_suffix(path, str_from(known[i])))
			return str_from(known[i]);
	}
	return STR("latency");
}

/* The only operation is named by the file, so `member` points to its name. */
static bool btt_dat_read_block(void *member, const struct block *block, struct samples *s)
{
	struct cursor rest = cursor_on(s->in), line;
	struct sample sample = { .name = *(const struct str *)member, .timed = true };

	while (scan_line(&rest, &line)) {
		struct str text = text_content(cursor_rest(&line)), latency;

		if (text.n == 0)
			continue;
		if (!parse_line(cursor_at(s->in, text), &latency, &sample.start, &sample.latency))
			return format_fail(s->in, s->diag,
					   line.end == s->in->bytes.n ? DIAG_INPUT_TRUNCATED
								      : DIAG_LINE_UNEXPECTED,
					   text,
					   "expected TIME LATENCY, in seconds with six digits");
		sample.where = text;
		sample.offset = block->at + (uint64_t)(text.p - s->in->bytes.p);
		if (!samples_add(s, &sample, latency, text))
			return false;
	}
	return true;
}

static bool read_btt_dat(const struct read_task *task)
{
	static const struct accumulator_options kind = {
		.unit = UNIT_NS, .unit_source = UNIT_STATED, .granularity = 1000, .start_rate = 1e9
	};
	const struct str name = btt_dat_name_of(task->in->name);
	struct worker_pool_job job = { .task = task,
				       .sampling = &kind,
				       .alone = task->options->build.interval > 0,
				       .ctx = &name,
				       .size = sizeof(name),
				       .read = btt_dat_read_block };

	return worker_pool_read(&job);
}

const struct format format_btt_dat = {
	.name = "btt-dat",
	.title = "btt -l, btt -q: the latency of each block request",
	.versions = "1.2.0",
	.unit = "s, always",
	.totals = "exact",
	.suffix = SUFFIXES(".dat"),
	.probe = probe_btt_dat,
	.streams = true,
	.read = read_btt_dat,
};
