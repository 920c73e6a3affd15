/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * blkparse: block requests from blktrace, as blkparse prints them by itself.
 *
 *	  8,0    3       10     0.000024062   697  D   W 223490 + 56 [kjournald]
 *	  8,0    1       11     0.009507758     0  C   W 223490 + 56 [0]
 *	CPU1 (8,0):
 *	 Reads Queued:           0,        0KiB  Writes Queued:           7,      128KiB
 *	Events (8,0): 89 entries, 0 skips
 *
 * A request lasts from its issue (D) to its completion (C), by device and sector: what
 * btt calls D2C.  A requeue (R) takes the issue back.  The operation is what the
 * request is (R, W, WS, RA, FW ...), the device the layer.  Flushes have no sector:
 * one is open at a time.  Requests without issue or completion are reported in a note;
 * skips are events lost.
 *
 * Seen: 1.2.0.  Not supported: lines of one's own format (-f); time in the queue,
 * for which merges had to be followed: btt has it.
 */
#include "formats/samples.h"
#include "formats/stream.h"
#include "formats/text.h"
#include "profile/pairing.h"

static const uint64_t billion = 1000000000;

struct request {
	struct str device;
	uint64_t major, minor, ns;
	char action;
	struct str kind; /* "WS" */
	struct str rest;
};

/* "8,0    3       10     0.000024062   697  D   W 223490 + 56 [kjournald]" */
static bool parse_request(struct str s, struct request *ret)
{
	struct input in = { .bytes = s };
	struct cursor c = cursor_on(&in);
	struct request q = { .device = s };
	uint64_t number, seconds;
	struct str action;
	size_t from;

	if (!scan_u64(&c, &q.major) || !scan_char(&c, ',') || !scan_u64(&c, &q.minor))
		return false;
	q.device.n = c.at;
	for (int i = 0; i < 2; i++) { /* processor, sequence */
		scan_blanks(&c);
		if (!scan_u64(&c, &number))
			return false;
	}
	scan_blanks(&c);
	if (!scan_u64(&c, &seconds) || seconds > UINT64_MAX / billion - 1 || !scan_char(&c, '.'))
		return false;
	from = c.at;
	if (!scan_u64(&c, &number) || c.at - from != 9)
		return false;
	q.ns = seconds * billion + number;
	scan_blanks(&c);
	if (!scan_u64(&c, &number) || !scan_word(&c, &action) || action.n > 2 ||
	    action.p[0] < 'A' || action.p[0] > 'z' || !scan_word(&c, &q.kind))
		return false;
	q.action = action.n == 1 ? action.p[0] : '\0';
	q.rest = str_trim(cursor_rest(&c));
	*ret = q;
	return true;
}

static enum probe probe_blkparse(struct str head, struct clue *clue)
{
	struct str line, rest = head;
	struct request q;
	size_t seen = 0;

	(void)clue;
	while (seen < 2 && text_next(&rest, &line)) {
		line = text_content(line);
		if (parse_request(line, &q))
			seen++;
		else if (str_has_prefix(line, STR("Events (")) &&
			 str_contains(line, STR(" entries")))
			return PROBE_MARKS;
	}
	return seen >= 2 ? PROBE_MAGIC : seen == 1 ? PROBE_MARKS : PROBE_NO;
}

/* --- reading ----------------------------------------------------------------------- */

struct reader {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	struct samples samples;
	struct pairing *open;
	bool last; /* the current line ends the file, without a newline */
};

/* "223490 + 56 [kjournald]"; a flush has no "+". */
static bool slot_of(struct reader *r, const struct request *q, struct pairing_slot *ret)
{
	struct cursor c = cursor_at(r->in, q->rest);

	ret->who = q->major << 32 | q->minor;
	ret->what = UINT64_MAX;
	if (!str_contains(q->rest, STR(" + ")))
		return str_has_suffix(q->rest, STR("]"));
	return scan_u64(&c, &ret->what) && str_has_suffix(q->rest, STR("]"));
}

static bool complete(struct reader *r, const struct request *q, struct pairing_slot slot)
{
	struct sample sample = { .layer = q->device, .where = q->kind };

	if (!pairing_end(r->open, slot, STR(""), &sample.name, &sample.start))
		return true;
	sample.latency.billionths = decimal_from_u64(q->ns).billionths - sample.start.billionths;
	return samples_add(&r->samples, &sample, q->kind, q->kind);
}

static bool read_request(struct reader *r, const struct request *q, struct str line)
{
	struct pairing_slot slot;

	if (q->action != 'D' && q->action != 'C' && q->action != 'R')
		return true;
	if (!slot_of(r, q, &slot))
		return format_fail(r->in, r->diag,
				   r->last ? DIAG_INPUT_TRUNCATED : DIAG_LINE_UNEXPECTED, line,
				   "expected SECTOR + SECTORS [PROCESS]");
	if (q->action == 'C')
		return complete(r, q, slot);
	if (q->action == 'D')
		pairing_begin(r->open, slot, q->kind, decimal_from_u64(q->ns));
	else
		pairing_forget(r->open, slot);
	return true;
}

/* "Events (8,0): 89 entries, 0 skips", "Skips: 12 forward (1200 -   0.1%)" */
static bool read_skips(struct reader *r, struct str s)
{
	struct cursor c = cursor_at(r->in, str_skip(s, str_find(s, STR(" entries, "))));
	uint64_t skips;

	if (scan_literal(&c, STR(" entries, ")))
		return !scan_u64(&c, &skips) || skips == 0 || build_lost(r->to, skips, s);
	c = cursor_at(r->in, str_skip(s, str_find(s, STR(" forward ("))));
	if (scan_literal(&c, STR(" forward (")) && scan_u64(&c, &skips) && skips > 0)
		return build_lost(r->to, skips, s);
	return true;
}

static bool blkparse_read_line(struct reader *r, struct str s)
{
	struct request q;

	if (parse_request(s, &q))
		return read_request(r, &q, s);
	if (str_has_prefix(s, STR("Events (")) || str_has_prefix(s, STR("Skips:")))
		return read_skips(r, s);
	if (str_begins_with_digit(s))
		return format_fail(r->in, r->diag,
				   r->last ? DIAG_INPUT_TRUNCATED : DIAG_LINE_UNEXPECTED, s,
				   "not a line of blkparse's default format");
	return true;
}

static bool blkparse_read_lines(struct reader *r, struct stream *stream)
{
	bool ok = true;

	while (ok && stream_next(stream)) {
		r->last = stream->lines.cut;
		ok = blkparse_read_line(r, stream->lines.text);
	}
	return stream_end(stream) && ok;
}

static bool read_blkparse(const struct read_task *task)
{
	struct accumulator_options kind = { .unit = UNIT_NS,
					    .unit_source = UNIT_STATED,
					    .start_rate = 1e9 };
	struct reader r = { .to = task->to, .diag = task->diag };
	struct stream stream;
	bool ok;

	stream_start(&stream, task->in, task->to, task->diag);
	r.in = stream.lines.in;
	r.open = pairing_new(PAIRING_SINGLE);
	samples_start(&r.samples, r.in, task->options, &kind, task->diag);
	build_drop_single_layer(task->to);
	ok = blkparse_read_lines(&r, &stream);
	if (ok) {
		pairing_report(r.open, task->in, task->diag);
		ok = accumulator_push(r.samples.accumulator, task->to);
	}
	samples_release(&r.samples);
	pairing_free(r.open);
	return ok;
}

const struct format format_blkparse = {
	.name = "blkparse",
	.title = "blkparse: block requests of blktrace",
	.versions = "1.0 to 1.2.0",
	.unit = "stated",
	.totals = "exact",
	.probe = probe_blkparse,
	.streams = true,
	.read = read_blkparse,
};
