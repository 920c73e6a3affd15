/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/intake_parts.h"

#include <string.h>

#include "base/out.h"
#include "formats/carried.h"
#include "watch/parts.h"
#include "watch/read_error.h"
#include "watch/snapshots.h"

enum {
	MAX_BAD_LINES = 64,	/* dropped before the lines between them are taken */
	MAX_BAD_UNKNOWN = 1024, /* dropped before the format is detected; then all is dropped */
	DETECT_BYTES = 1 << 22, /* searched for a format, line by line, before reading in parts */
	PART_BYTES = 1 << 12,	/* of a segment of many bad lines, which is read in parts */
};

/* Reports the first bytes of an interval that could not be read. */
static void say_refused(struct intake *k, const char *what, const struct read_error *error)
{
	struct out *o;

	if (k->refusal_reported)
		return;
	k->refusal_reported = true;
	o = out_to_memory();
	out_printf(o, "%s: %.*s%c", what, STR_ARG(out_memory(error->text)), '\0');
	k->report(k->ctx, out_memory(o).p);
	out_free(o);
}

/* --- the header ---------------------------------------------------------------------------- */

/* Decides whether bytes after a restart need the header of before: not if they can be read without
 * it.  False: more bytes are needed to decide. */
static bool settle_header(struct intake *k, size_t n, enum ending ending)
{
	struct read_error error = { .text = out_to_memory() };
	struct profile *p = reading_piece(&k->reading, (struct str){ intake_waits(k).p, n },
					  &k->reading.options, &error);
	bool its_own = p != NULL && parts_count(p) > 0,
	     unknown = p == NULL && read_error_is_empty(&error);

	profile_free(p);
	out_free(error.text);
	if (unknown && ending != ENDS_FOR_GOOD)
		return false;
	if (its_own || unknown) {
		pending_drop_header(&k->pending);
		k->header_known = false;
	}
	k->restarted = false;
	return true;
}

/* Removes lines that repeat the header, as a second writer to a FIFO prints, from the first n
 * pending bytes, and counts them as read.  Returns their bytes. */
static size_t cut_headers_out(struct intake *k, size_t n)
{
	size_t lines = 0, left = pending_cut_headers(&k->pending, n, &lines);

	k->ledger.read += n - left;
	k->ledger.lines += lines;
	return n - left;
}

/* --- snapshots ------------------------------------------------------------------------------ */

void intake_note_snapshots(struct intake *k, const struct snapshot_counts *before)
{
	const struct snapshot_counts *now = snapshots_counts(k->snapshots);

	k->ledger.resets += now->resets - before->resets;
	k->ledger.gaps += now->gaps - before->gaps;
	k->ledger.differenced += now->differenced - before->differenced;
}

/* Takes ownership of the profile. */
static void take_snapshots(struct intake *k, struct str bytes, struct profile *p)
{
	const struct snapshot_counts before = *snapshots_counts(k->snapshots);

	reading_take_snapshots(&k->reading, k->snapshots, bytes, p, k->latest);
	intake_note_snapshots(k, &before);
}

/* Whether p can be added to the interval as it is: it comes from events, or from snapshots that the
 * user or the collector states to be deltas. */
static bool adds_up(const struct intake *k, const struct profile *p)
{
	if (k->reading.options.build.snapshots == SNAPSHOTS_DELTA ||
	    (reading_has_events(&k->reading) && !p->printing.cumulative))
		return true;
	return k->reading.options.build.snapshots == SNAPSHOTS_AUTO &&
	       k->options.kind == INTAKE_STREAM && p->printing.cleared;
}

/* --- segments --------------------------------------------------------------------------------- */

static void refuse_rest(struct intake *k, size_t n, const struct read_error *error)
{
	k->ledger.dropped += n;
	k->ledger.refused += pending_lines(&k->pending, n);
	say_refused(k, "not read", error);
	carried_forget(k->carried);
	pending_drop(&k->pending, n);
}

/* False: n bytes were dropped instead of being searched for a format. */
static bool search_is_affordable(struct intake *k, size_t n)
{
	if (k->reading.format != NULL || format_search_pays(&k->search, n))
		return true;
	if (!k->search.reported)
		k->report(k->ctx, "no format recognised: most of each interval is dropped");
	k->search.reported = true;
	k->ledger.dropped += n;
	k->ledger.refused += pending_lines(&k->pending, n);
	pending_drop(&k->pending, n);
	return false;
}

/* Whether to wait for more bytes because the first n have no call: more may tell the format, or
 * these are the header of what follows. */
static bool waits_for_more(const struct intake *k, const struct profile *p,
			   const struct read_error *error, size_t n, enum ending ending)
{
	bool empty = p != NULL ? parts_count(p) == 0 : read_error_is_empty(error);

	if (ending == ENDS_FOR_GOOD)
		return false;
	if (k->reading.format == NULL)
		return (empty || (p == NULL && read_error_is_undecided(error))) &&
		       intake_waits(k).n < UNRECOGNIZED_BYTES;
	if (ending == GOES_ON && !reading_has_events(&k->reading))
		return empty &&
		       intake_waits(k).n < UNRECOGNIZED_BYTES; /* a title, and a blank line */
	return empty && !k->header_known && reading_has_events(&k->reading) &&
	       !carried_is_open(k->carried) && pending_lines(&k->pending, n) <= READING_MAX_HEADER;
}

/* Returns how many of n bytes lie before the record at their end; n: it is too large to wait. */
static size_t before_record(struct intake *k, const struct read_error *error, size_t n)
{
	size_t max = k->reading.in_parts ? 16 * PART_BYTES : SEGMENT_BYTES / 2;
	size_t before = pending_before(&k->pending, n, error->line);

	/* A record within this one begins at the same place. */
	if (before == n || k->in_record)
		before = 0;
	k->in_record = before > 0 || n < max;
	return k->in_record ? before : n;
}

static void keep_open_calls(struct intake *k)
{
	if (carried_keep(k->carried))
		return;
	k->report(k->ctx, "too many calls have not ended: they are dropped");
	k->ledger.gaps++;
}

static void segment_taken(struct intake *k, size_t n, struct profile *p)
{
	struct str bytes = pending_segment(&k->pending, n);

	k->ledger.read += n;
	k->ledger.lines += pending_lines(&k->pending, n);
	k->search.reported = false;
	if (k->reading.format == NULL)
		reading_set_format(&k->reading, str_from(p->format));
	k->reading.guessed = false;
	if (!k->header_known && reading_has_events(&k->reading)) {
		k->pending.header = reading_header(&k->reading, bytes, p, &k->pending.headers);
		k->header_known = true;
	}
	keep_open_calls(k);
	if (adds_up(k, p))
		k->sink(k->ctx, p);
	else
		take_snapshots(k, bytes, p);
	/* The header stays; it was among the first bytes. */
	if (k->pending.header > 0 && bytes.n == n)
		pending_drop(&k->pending, n - k->pending.header);
	else
		pending_drop(&k->pending, n);
}

/* Reads those of n bytes that lie before a bad line.  Returns how many bytes that took. */
static size_t read_before(struct intake *k, size_t n, size_t line)
{
	size_t before = pending_before(&k->pending, n, line), waited = intake_waits(k).n;

	if (before < n)
		intake_read_segment(k, before, ENDS_FOR_GOOD);
	return waited - intake_waits(k).n;
}

/* Reads the first n pending bytes in parts, so that the cost of a bad line does not depend on n.
 * Parts grow while their format is unknown, since what waits for it is read again.  Leaves what is
 * more than TROUBLED_BYTES to the next turn, if there is one. */
static void read_in_parts(struct intake *k, size_t n, enum ending ending)
{
	struct pending all = k->pending;
	struct str segment = { pending_bytes(&all).p, n };

	k->pending = (struct pending){ .header = all.header, .headers = all.headers };
	pending_append(&k->pending, all.buf, all.header);
	k->reading.in_parts = k->troubled = true;
	while (segment.n > 0 && (ending != GOES_ON || n - segment.n < TROUBLED_BYTES)) {
		struct str rest = str_skip(segment, PART_BYTES - 1 + intake_waits(k).n);
		size_t part = segment.n - rest.n + cut_lines(rest, 1);

		pending_append(&k->pending, segment.p, part);
		segment = str_skip(segment, part);
		intake_read_segment(k, intake_waits(k).n, segment.n > 0 ? GOES_ON : ending);
	}
	k->reading.in_parts = false;
	/* The caller may have written into the old buffer's room, so that buffer is kept. */
	pending_put_back(&all, n - segment.n, &k->pending);
	k->pending = all;
}

/* Drops the line of *n bytes that cannot be read, after *bad others; after each MAX_BAD_LINES reads
 * what lies before it first.  False: nothing of the *n bytes is left to read in this turn. */
static bool drop_line(struct intake *k, size_t *n, enum ending ending,
		      const struct read_error *error, size_t *bad)
{
	bool known = k->reading.format != NULL;
	size_t cut = k->pending.header > 0 ? cut_headers_out(k, *n) : 0;

	*n -= cut;
	if (cut > 0)
		return true;
	if ((known || read_error_is_of_line(error)) && *bad > 0 &&
	    (*bad % MAX_BAD_LINES == 0 || (!known && *bad * *n >= DETECT_BYTES))) {
		size_t taken = read_before(k, *n, error->line);

		*n -= taken;
		if (*n > 2 * PART_BYTES && !k->reading.in_parts) {
			read_in_parts(k, *n, ending);
			return false;
		}
		if (taken > 0)
			return true;
	}
	if (known || (read_error_is_of_line(error) && *bad < MAX_BAD_UNKNOWN))
		cut = pending_cut_line(&k->pending, *n, error->line);
	if (cut == 0) {
		refuse_rest(k, *n, error);
		return false;
	}
	if ((*bad)++ == 0)
		say_refused(k, "a line was not read", error);
	k->ledger.refused++;
	k->ledger.dropped += cut;
	*n -= cut;
	return true;
}

size_t intake_place_to_cut(struct intake *k, enum ending ending)
{
	struct str s = intake_waits(k);
	size_t newline = str_find_last(s, STR("\n"));
	enum text_end end = TEXT_IS_OVER;

	if (newline >= s.n)
		return 0;
	s.n = newline + 1;
	if (reading_is_settled(&k->reading, s.n) ? reading_has_events(&k->reading)
						 : s.p[0] != '{' || s.n >= UNRECOGNIZED_BYTES)
		return s.n;
	if (ending == GOES_ON)
		end = s.n < reading_segment_bytes(&k->reading) ? TEXT_GOES_ON : TEXT_IS_LONG;
	return cut_snapshots(&k->print_ending, s, end);
}

/* Returns how many of the first n bytes are whole snapshots, now that p has a format. */
static size_t complete_of_first(struct intake *k, const struct profile *p, size_t n,
				enum ending ending)
{
	size_t complete;

	if (k->reading.format != NULL || ending == ENDS_FOR_GOOD)
		return n;
	reading_set_format(&k->reading, str_from(p->format));
	complete = intake_place_to_cut(k, ending);
	k->reading.guessed = complete == 0;
	return complete < n ? complete : n;
}

void intake_read_segment(struct intake *k, size_t n, enum ending ending)
{
	struct read_error error = { .text = out_to_memory() };
	struct read_options options = k->reading.options;
	struct profile *p = NULL;
	size_t bad = 0;

	options.tap = k->tap != NULL ? k->tap->samples : NULL;
	k->in_record = false;
	if (n > 0 && k->restarted && !settle_header(k, n, ending))
		n = 0;
	if (n > 0)
		reading_forget_guess(&k->reading);
	while (n > 0 && search_is_affordable(k, n)) {
		if (k->tap != NULL)
			k->tap->restart(k->tap->ctx);
		carried_set_going_on(k->carried, ending == GOES_ON);
		p = reading_piece(&k->reading, pending_segment(&k->pending, n), &options, &error);
		if (p == NULL && ending == GOES_ON && read_error_is_truncated(&error)) {
			size_t before = before_record(k, &error, n);

			if (before == n)
				ending = IS_QUIET;
			n = before;
			continue;
		}
		if (waits_for_more(k, p, &error, n, ending)) {
			profile_free(p);
			p = NULL;
			break;
		}
		if (p != NULL) {
			size_t complete = complete_of_first(k, p, n, ending);

			if (complete == n)
				break;
			n = complete;
			profile_free(p);
			p = NULL;
			continue;
		}
		if (read_error_is_empty(&error) && k->reading.format != NULL) {
			keep_open_calls(k);
			k->ledger.read += n;
			k->ledger.lines += pending_lines(&k->pending, n);
			pending_drop(&k->pending, n);
			break;
		}
		if (!drop_line(k, &n, ending, &error, &bad))
			break;
	}
	if (bad == 0 && !k->reading.in_parts)
		k->troubled = false;
	k->reading.wrapped |= error.wrapped;
	if (p != NULL && k->tap != NULL)
		k->tap->keep(k->tap->ctx);
	if (p != NULL)
		segment_taken(k, n, p);
	out_free(error.text);
}
