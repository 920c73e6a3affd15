/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/intake.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "formats/carried.h"
#include "watch/cut.h"
#include "watch/parts.h"
#include "watch/pending.h"
#include "watch/read_error.h"
#include "watch/reading.h"
#include "watch/snapshots.h"

enum {
	MAX_BAD_LINES = 64,	/* dropped before the lines between them are taken */
	MAX_BAD_UNKNOWN = 1024, /* dropped before the format is detected; then all is dropped */
	DETECT_BYTES = 1 << 22, /* searched for a format, line by line, before reading in parts */
	PART_BYTES = 1 << 12,	/* of a segment of many bad lines, which is read in parts */
};

static const struct plugins no_plugins;

/* What follows the pending bytes. */
enum ending {
	GOES_ON,       /* perhaps the rest of a record or a report */
	IS_QUIET,      /* nothing for a while: a snapshot or a report is complete */
	ENDS_FOR_GOOD, /* nothing */
};

struct intake {
	char *name;
	struct intake_options options;
	struct reading reading;
	intake_sink *sink;
	intake_report *report;
	void *ctx;
	struct ledger ledger;
	bool own_ledger; /* the source passes on profiles, not bytes */
	struct pending pending;
	bool skipping;	   /* the rest of a line that was too long */
	bool header_known; /* whether there is a header, and which, has been found out */
	bool restarted;	   /* the next bytes may have a header of their own */
	bool in_record;	   /* the pending bytes begin a record whose rest may come */
	struct print_ending print_ending;
	size_t next_try; /* pending bytes at which to look for a place to cut again */
	struct snapshot_series *snapshots; /* of formats that print histograms */
	struct carried *carried;	   /* calls that are open where a segment ends */
	const struct intake_tap *tap;	   /* NULL: none */
	double latest;			   /* arrival of the last bytes, in seconds */
};

static void say(struct intake *k, const char *what, const struct read_error *error)
{
	struct out *o = out_to_memory();

	out_printf(o, "%s: %.*s%c", what, STR_ARG(out_memory(error->text)), '\0');
	k->report(k->ctx, out_memory(o).p);
	out_free(o);
}

static struct str waiting(const struct intake *k)
{
	return pending_bytes(&k->pending);
}

/* --- the header ---------------------------------------------------------------------------- */

/* Decides whether bytes after a restart need the header of before: not if they can be read without
 * it.  False: more bytes are needed to decide. */
static bool settle_header(struct intake *k, size_t n, enum ending ending)
{
	struct read_error error = { .text = out_to_memory() };
	struct profile *p = reading_piece(&k->reading, (struct str){ waiting(k).p, n },
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

static void report_found(void *ctx, const char *message)
{
	struct intake *k = ctx;

	k->report(k->ctx, message);
}

static void hand_added(void *ctx, struct profile *p)
{
	struct intake *k = ctx;

	k->sink(k->ctx, p);
}

static void note_snapshots(struct intake *k, const struct snapshot_counts *before)
{
	const struct snapshot_counts *now = snapshots_counts(k->snapshots);

	k->ledger.resets += now->resets - before->resets;
	k->ledger.gaps += now->gaps - before->gaps;
	k->ledger.differenced += now->differenced - before->differenced;
}

/* Takes the snapshots of a segment one by one: what the reader concluded from these few together is
 * a guess.  Takes ownership of the profile. */
static void take_snapshots(struct intake *k, struct str bytes, struct profile *p)
{
	const struct snapshot_counts before = *snapshots_counts(k->snapshots);
	struct profile *prints =
		p->printing.several ? reading_as(&k->reading, bytes, SNAPSHOTS_DELTA) : NULL;
	struct profile *last = NULL;

	if (p->printing.cumulative)
		snapshots_set_cumulative(k->snapshots);
	if (prints != NULL && parts_hold_all(prints)) {
		snapshots_take_each(k->snapshots, prints, k->latest);
	} else {
		last = reading_as(&k->reading, bytes, SNAPSHOTS_CUMULATIVE);
		/* A reader that counts more than the last one saw a decrease: all are deltas. */
		if (last == NULL || (prints != NULL && parts_count(p) > parts_count(last)))
			snapshots_take(k->snapshots, p, k->latest);
		else
			snapshots_take(k->snapshots, last, k->latest);
	}
	note_snapshots(k, &before);
	profile_free(prints);
	profile_free(last);
	profile_free(p);
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
	say(k, "not read", error);
	carried_forget(k->carried);
	pending_drop(&k->pending, n);
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
		       waiting(k).n < UNRECOGNIZED_BYTES;
	if (ending == GOES_ON && !reading_has_events(&k->reading))
		return empty && waiting(k).n < UNRECOGNIZED_BYTES; /* a title, and a blank line */
	return empty && !k->header_known && reading_has_events(&k->reading) &&
	       !carried_is_open(k->carried) && pending_lines(&k->pending, n) <= READING_MAX_HEADER;
}

/* Returns how many of n bytes lie before the record at their end; n: it is too large to wait. */
static size_t before_record(struct intake *k, const struct read_error *error, size_t n)
{
	size_t most = k->reading.in_parts ? 16 * PART_BYTES : SEGMENT_BYTES / 2;
	size_t before = pending_before(&k->pending, n, error->line);

	/* A record within this one begins at the same place. */
	if (before == n || k->in_record)
		before = 0;
	k->in_record = before > 0 || n < most;
	return k->in_record ? before : n;
}

static void keep_open_calls(struct intake *k)
{
	if (carried_keep(k->carried))
		return;
	k->report(k->ctx, "too many calls have not ended: they are given up");
	k->ledger.gaps++;
}

static void taken(struct intake *k, size_t n, struct profile *p)
{
	struct str bytes = pending_segment(&k->pending, n);

	k->ledger.read += n;
	k->ledger.lines += pending_lines(&k->pending, n);
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

static void read_segment(struct intake *k, size_t n, enum ending ending);

/* Reads those of n bytes that lie before a bad line.  Returns how many bytes that took. */
static size_t read_before(struct intake *k, size_t n, size_t line)
{
	size_t before = pending_before(&k->pending, n, line), waited = waiting(k).n;

	if (before < n)
		read_segment(k, before, ENDS_FOR_GOOD);
	return waited - waiting(k).n;
}

/* Reads the first n pending bytes in parts, so that the cost of a bad line does not depend on n.
 * Parts grow while their format is unknown, since what waits for it is read again. */
static void read_in_parts(struct intake *k, size_t n, enum ending ending)
{
	struct pending all = k->pending;
	struct str segment = { pending_bytes(&all).p, n };

	k->pending = (struct pending){ .header = all.header, .headers = all.headers };
	pending_append(&k->pending, all.buf, all.header);
	k->reading.in_parts = true;
	while (segment.n > 0) {
		struct str rest = str_skip(segment, PART_BYTES - 1 + waiting(k).n);
		size_t part = segment.n - rest.n + cut_lines(rest, 1);

		pending_append(&k->pending, segment.p, part);
		segment = str_skip(segment, part);
		read_segment(k, waiting(k).n, segment.n > 0 ? GOES_ON : ending);
	}
	k->reading.in_parts = false;
	/* The caller may have written into the old buffer's room, so that buffer is kept. */
	pending_put_back(&all, n, &k->pending);
	k->pending = all;
}

/* Drops the line of *n bytes that cannot be read, after *bad others; after each MAX_BAD_LINES reads
 * what lies before it first.  False: nothing of the *n bytes is left to read. */
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
	if ((*bad)++ == 0 && !k->reading.in_parts)
		say(k, "a line was not read", error);
	k->ledger.refused++;
	k->ledger.dropped += cut;
	*n -= cut;
	return true;
}

/* Returns the end of the last complete line, or of the last complete snapshot. */
static size_t place_to_cut(struct intake *k, enum ending ending)
{
	struct str s = waiting(k);
	const char *newline = s.n > 0 ? memrchr(s.p, '\n', s.n) : NULL;
	enum text_end end = TEXT_IS_OVER;

	if (newline == NULL)
		return 0;
	s.n = (size_t)(newline - s.p) + 1;
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
	complete = place_to_cut(k, ending);
	k->reading.guessed = complete == 0;
	return complete < n ? complete : n;
}

/* Reads the first n pending bytes.  Drops lines that cannot be read, and reports the first. */
static void read_segment(struct intake *k, size_t n, enum ending ending)
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
	while (n > 0) {
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
	k->reading.wrapped |= error.wrapped;
	if (p != NULL && k->tap != NULL)
		k->tap->keep(k->tap->ctx);
	if (p != NULL)
		taken(k, n, p);
	out_free(error.text);
}

/* --- bytes -------------------------------------------------------------------------------- */

/* Reads all that is complete; a JSON value that was cut off is read alone, and spoils no other. */
static void read_complete(struct intake *k, enum ending ending)
{
	struct str s = waiting(k);
	size_t n, before;

	/* A pause within a line completes nothing: the collector writes full buffers. */
	if (ending == IS_QUIET && s.n > 0 && s.p[s.n - 1] != '\n')
		ending = GOES_ON;
	do {
		n = place_to_cut(k, ending);
		before = waiting(k).n;
		read_segment(k, n, ending);
	} while (n > 0 && waiting(k).n < before);
}

static void drop_waiting(struct intake *k, const char *why)
{
	k->ledger.dropped += waiting(k).n;
	k->ledger.refused++;
	pending_drop(&k->pending, waiting(k).n);
	carried_forget(k->carried);
	k->report(k->ctx, why);
}

/* Drops the rest of a line that was too long. */
static size_t skip_line(struct intake *k, const char *bytes, size_t n)
{
	const char *newline = memchr(bytes, '\n', n);
	size_t skipped = newline != NULL ? (size_t)(newline - bytes) + 1 : n;

	k->skipping = newline == NULL;
	k->ledger.dropped += skipped;
	return skipped;
}

static void limit(struct intake *k)
{
	struct str s = waiting(k);

	if (k->options.kind == INTAKE_DOCUMENT) {
		if (s.n > k->options.max_bytes)
			drop_waiting(k, "a document is too large; --max-input raises the limit");
		return;
	}
	if (s.n >= reading_segment_bytes(&k->reading) && s.n >= k->next_try) {
		read_complete(k, GOES_ON);
		s = waiting(k);
		k->next_try = 2 * s.n;
	}
	if (s.n > k->options.max_bytes)
		drop_waiting(k, "no place to cut; --max-input raises the limit");
	else if (s.n > LONGEST_LINE && memchr(s.p, '\n', s.n) == NULL) {
		drop_waiting(k, "a line of more than 1 MiB was dropped");
		k->skipping = true;
	}
}

struct intake *intake_new(const char *name, const struct intake_options *options, intake_sink *sink,
			  intake_report *report, void *ctx)
{
	struct intake *k = xcalloc(1, sizeof(*k));

	k->name = xstrdup(name);
	k->options = *options;
	k->carried = carried_new();
	k->reading = (struct reading){
		.name = k->name,
		.plugins = options->plugins != NULL ? options->plugins : &no_plugins,
		.format = options->from,
		.options = options->read,
	};
	k->reading.options.carried = k->carried;
	k->sink = sink;
	k->report = report;
	k->ctx = ctx;
	k->snapshots =
		snapshots_new(options->read.build.snapshots, options->kind == INTAKE_DOCUMENT,
			      &(struct snapshot_calls){ hand_added, report_found, k });
	return k;
}

void intake_free(struct intake *k)
{
	if (k == NULL)
		return;
	snapshots_free(k->snapshots);
	carried_free(k->carried);
	layers_release(&k->reading.layers);
	pending_free(&k->pending);
	free(k->name);
	free(k);
}

char *intake_room(struct intake *k, size_t n)
{
	return pending_room(&k->pending, n);
}

void intake_take(struct intake *k, const char *bytes, size_t n, double at)
{
	k->ledger.in += n;
	/* Read what was printed before the pause with its own arrival time. */
	if (at - k->latest >= INTAKE_QUIET && k->options.kind == INTAKE_STREAM &&
	    k->reading.format != NULL && (k->in_record || !reading_has_events(&k->reading)))
		read_complete(k, IS_QUIET);
	k->latest = at;
	while (n > 0) {
		size_t part = n < LONGEST_LINE ? n : LONGEST_LINE;

		if (k->skipping)
			part = skip_line(k, bytes, n);
		else
			pending_append(&k->pending, bytes, part);
		bytes += part;
		n -= part;
		if (!k->skipping)
			limit(k);
	}
}

void intake_cut(struct intake *k, bool quiet)
{
	if (k->options.kind == INTAKE_STREAM)
		read_complete(k, quiet ? IS_QUIET : GOES_ON);
}

void intake_end(struct intake *k)
{
	k->skipping = false;
	read_segment(k, waiting(k).n, ENDS_FOR_GOOD);
	k->restarted = k->pending.header > 0;
}

void intake_finish(struct intake *k)
{
	const struct snapshot_counts before = *snapshots_counts(k->snapshots);

	snapshots_end(k->snapshots);
	note_snapshots(k, &before);
}

void intake_break(struct intake *k)
{
	k->skipping = false;
	if (k->options.kind == INTAKE_STREAM)
		read_complete(k, ENDS_FOR_GOOD);
	if (waiting(k).n > 0)
		drop_waiting(k, "broke off within a line or a print");
	carried_forget(k->carried);
	k->restarted = k->pending.header > 0;
}

void intake_lost(struct intake *k, uint64_t events)
{
	k->ledger.lost += events;
}

void intake_gap(struct intake *k)
{
	k->ledger.gaps++;
	carried_forget(k->carried);
}

void intake_tap(struct intake *k, const struct intake_tap *tap)
{
	k->tap = tap;
}

const struct ledger *intake_ledger(const struct intake *k)
{
	return &k->ledger;
}

uint64_t intake_waiting(const struct intake *k)
{
	return k->own_ledger ? k->ledger.in - k->ledger.read - k->ledger.dropped : waiting(k).n;
}

struct ledger *intake_own_ledger(struct intake *k)
{
	k->own_ledger = true;
	return &k->ledger;
}

const char *intake_format(const struct intake *k)
{
	return k->reading.format != NULL ? k->reading.format->name : NULL;
}
