/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * blkparse: block requests from blktrace, in blkparse's default output format.
 *
 *	  8,0    3       10     0.000024062   697  D   W 223490 + 56 [kjournald]
 *	  8,0    1       11     0.009507758     0  C   W 223490 + 56 [0]
 *	CPU1 (8,0):
 *	 Reads Queued:           0,        0KiB  Writes Queued:           7,      128KiB
 *	Events (8,0): 89 entries, 0 skips
 *
 * The latency of a request is from its issue (D) to its completion (C), matched by device and
 * sector: btt's D2C.  A requeue (R) cancels the issue.  The operation is the type of the request
 * (R, W, WS, RA, FW ...), the device the layer.  Flushes have no sector: one is open at a time.
 * Unmatched issues and completions are reported in a note; skips are lost events.
 *
 * Seen: 1.2.0.  Not supported: custom output formats (-f); time in the queue, which requires
 * following merges: use btt for that.
 */
#include "calls/pairing.h"
#include "formats/call_latencies.h"
#include "formats/samples.h"
#include "formats/stream.h"
#include "formats/text.h"

static const uint64_t billion = 1000000000;

struct request {
	struct str device;
	uint64_t major, minor, ns;
	char action;
	struct str kind; /* "WS" */
	struct str rest;
};

/* Parses "8,0    3       10     0.000024062   697  D   W 223490 + 56 [kjournald]". */
static bool parse_request(struct str s, struct request *ret)
{
	struct cursor c = CURSOR_OVER(s);
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
	struct stream stream;
	struct pairing *open;
};

/* Finds the slot of "223490 + 56 [kjournald]"; a flush has no "+". */
static bool slot_of(struct reader *r, const struct request *q, struct pairing_slot *ret)
{
	struct cursor c = cursor_at(r->stream.lines.in, q->rest);

	ret->who = q->major << 32 | q->minor;
	ret->what = UINT64_MAX;
	if (!str_contains(q->rest, STR(" + ")))
		return str_has_suffix(q->rest, STR("]"));
	return scan_u64(&c, &ret->what) && str_has_suffix(q->rest, STR("]"));
}

static bool complete_request(struct reader *r, const struct request *q, struct pairing_slot slot)
{
	struct sample sample = { .layer = q->device, .where = q->kind };

	if (!pairing_end(r->open, slot, STR(""), &sample.name, &sample.start))
		return true;
	sample.timed = true;
	sample.latency.billionths = decimal_from_u64(q->ns).billionths - sample.start.billionths;
	return samples_add(&r->stream.lines.samples, &sample, q->kind, q->kind);
}

static bool read_request(struct reader *r, const struct request *q)
{
	struct pairing_slot slot;

	if (q->action != 'D' && q->action != 'C' && q->action != 'R')
		return true;
	if (!slot_of(r, q, &slot))
		return lines_fail(&r->stream.lines, DIAG_LINE_UNEXPECTED, r->stream.lines.text,
				  "expected SECTOR + SECTORS [PROCESS]");
	if (q->action == 'C')
		return complete_request(r, q, slot);
	if (q->action == 'D')
		pairing_begin(r->open, slot, q->kind, decimal_from_u64(q->ns));
	else
		pairing_forget(r->open, slot);
	return true;
}

/* Reads "Events (8,0): 89 entries, 0 skips" or "Skips: 12 forward (1200 -   0.1%)". */
static bool read_skips(struct lines *l)
{
	struct cursor c = cursor_at(l->in, l->text);
	uint64_t skips;

	return (!scan_past(&c, STR(" entries, ")) && !scan_past(&c, STR(" forward ("))) ||
	       !scan_u64(&c, &skips) || skips == 0 || build_lost(l->to, skips, l->text);
}

static void blkparse_start(void *reader)
{
	struct reader *r = reader;

	r->open = call_pairs_begin(r->stream.lines.task->options->carried, CARRIED_CALLS,
				   PAIRING_SINGLE);
}

static bool blkparse_line(void *reader)
{
	struct reader *r = reader;
	struct lines *l = &r->stream.lines;
	struct request q;

	if (parse_request(l->text, &q))
		return read_request(r, &q);
	if (str_has_prefix(l->text, STR("Events (")) || str_has_prefix(l->text, STR("Skips:")))
		return read_skips(l);
	return !str_begins_with_digit(l->text) ||
	       lines_fail(l, DIAG_LINE_UNEXPECTED, l->text,
			  "not a line of blkparse's default format");
}

static bool blkparse_end(void *reader)
{
	struct reader *r = reader;
	const struct read_task *task = r->stream.lines.task;

	call_pairs_end(&r->open, task->options->carried, CARRIED_CALLS, task->in, task->diag);
	return true;
}

static void blkparse_release(void *reader)
{
	struct reader *r = reader;

	pairing_free(r->open);
}

static const struct accumulator_options sampling = { .unit = UNIT_NS,
						     .unit_source = UNIT_STATED,
						     .start_rate = 1e9 };

const struct format format_blkparse = {
	.name = "blkparse",
	.title = "blkparse: block requests of blktrace",
	.versions = "1.0 to 1.2.0",
	.unit = "stated",
	.totals = "exact",
	.probe = probe_blkparse,
	.streams = true,
	.read = stream_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .start = blkparse_start,
					     .line = blkparse_line,
					     .end = blkparse_end,
					     .release = blkparse_release,
					     .sampling = &sampling,
					     .drop_single_layer = true },
};
