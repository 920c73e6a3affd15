/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/intake.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "formats/carried.h"
#include "watch/cut.h"
#include "watch/gathered.h"
#include "watch/hearing.h"
#include "watch/parts.h"
#include "watch/reading.h"
#include "watch/snapshots.h"

enum {
	MAX_BAD_LINES = 64,	/* of a segment: then what lies before the next one is taken */
	MAX_BAD_UNKNOWN = 1024, /* while nobody knows the format: then the rest is dropped */
	PART_BYTES = 1 << 12,	/* of a segment of many bad lines: so much moves with each */
};

static const struct plugins no_plugins;

/* What is known of what comes after the bytes that wait. */
enum ending {
	GOES_ON,       /* the rest of a record or a report may be next */
	IS_QUIET,      /* nothing came for a while: what was being printed is complete */
	ENDS_FOR_GOOD, /* nothing comes */
};

struct intake {
	char *name;
	struct intake_options options;
	struct reading reading;
	intake_sink *sink;
	intake_report *report;
	void *ctx;
	struct ledger ledger;
	bool own_ledger; /* bytes do not come here */
	struct gathered gathered;
	bool skipping;	 /* what is left of a line that was too long */
	bool headed;	 /* what the header is has been found out */
	bool begun_anew; /* what comes may have a header of its own, or go on below this one */
	bool begun;	 /* the rest of a record or a report is waited for */
	struct print_habit habit;
	size_t next_try;		   /* bytes from which on it is looked for a place to cut */
	struct snapshot_series *snapshots; /* of formats that print histograms */
	struct carried *carried;	   /* calls that are open where a segment ends */
	const struct intake_tap *tap;	   /* NULL: nobody asks */
	double latest;			   /* when bytes came, in seconds */
};

static void say(struct intake *k, const char *what, const struct hearing *h)
{
	struct out *o = out_to_memory();

	out_printf(o, "%s: %.*s%c", what, STR_ARG(out_memory(h->text)), '\0');
	k->report(k->ctx, out_memory(o).p);
	out_free(o);
}

static struct str waiting(const struct intake *k)
{
	return gathered_waiting(&k->gathered);
}

/* --- the header ---------------------------------------------------------------------------- */

/* What came anew, where it can be read without the header of before, has no use for it.  False:
 * more of it has to tell. */
static bool settle_header(struct intake *k, size_t n, enum ending ending)
{
	struct hearing h = { .text = out_to_memory() };
	struct profile *p = reading_piece(&k->reading, (struct str){ waiting(k).p, n },
					  &k->reading.options, &h);
	bool its_own = p != NULL && parts_count(p) > 0, unknown = p == NULL && hearing_is_empty(&h);

	profile_free(p);
	out_free(h.text);
	if (unknown && ending != ENDS_FOR_GOOD)
		return false;
	if (its_own || unknown) {
		gathered_drop_header(&k->gathered);
		k->headed = false;
	}
	k->begun_anew = false;
	return true;
}

/* Whoever else writes to a FIFO or a file begins with the header, too: of the first n bytes that
 * wait the lines that are again one of it go, and count as read.  How many bytes went. */
static size_t cut_headers_out(struct intake *k, size_t n)
{
	size_t lines = 0, left = gathered_cut_headers(&k->gathered, n, &lines);

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

/* What one reader makes of several prints is a guess about these few: they are taken one by one.
 * Takes over the profile. */
static void take_snapshots(struct intake *k, struct str bytes, struct profile *p)
{
	const struct snapshot_counts before = *snapshots_counts(k->snapshots);
	struct profile *prints =
		p->printing.several ? reading_as(&k->reading, bytes, SNAPSHOTS_DELTA) : NULL;
	struct profile *last = NULL;

	if (p->printing.cumulative)
		snapshots_count_on(k->snapshots);
	if (prints != NULL && parts_hold_all(prints)) {
		snapshots_take_each(k->snapshots, prints, k->latest);
	} else {
		last = reading_as(&k->reading, bytes, SNAPSHOTS_CUMULATIVE);
		snapshots_take(k->snapshots, last != NULL ? last : p, k->latest);
	}
	note_snapshots(k, &before);
	profile_free(prints);
	profile_free(last);
	profile_free(p);
}

/* Whether it adds up as it is: who printed it says so, or it is of single events. */
static bool adds_up(const struct intake *k, const struct profile *p)
{
	if (k->reading.options.build.snapshots == SNAPSHOTS_DELTA ||
	    (reading_has_events(&k->reading) && !p->printing.cumulative))
		return true;
	return k->reading.options.build.snapshots == SNAPSHOTS_AUTO &&
	       k->options.kind == INTAKE_STREAM && p->printing.cleared;
}

/* --- segments --------------------------------------------------------------------------------- */

static void refuse_rest(struct intake *k, size_t n, const struct hearing *h)
{
	k->ledger.dropped += n;
	k->ledger.refused += gathered_lines(&k->gathered, n);
	say(k, "not read", h);
	carried_forget(k->carried);
	gathered_drop(&k->gathered, n);
}

/* As long as there is no call: more of it may tell what it is, or it is the header of what follows.
 */
static bool waits_for_more(const struct intake *k, const struct profile *p, const struct hearing *h,
			   size_t n, enum ending ending)
{
	bool empty = p != NULL ? parts_count(p) == 0 : hearing_is_empty(h);

	if (ending == ENDS_FOR_GOOD)
		return false;
	if (k->reading.format == NULL)
		return (empty || (p == NULL && hearing_is_undecided(h))) &&
		       waiting(k).n < UNRECOGNIZED_BYTES;
	return empty && !k->headed && reading_has_events(&k->reading) &&
	       !carried_is_open(k->carried) &&
	       gathered_lines(&k->gathered, n) <= READING_MAX_HEADER;
}

/* A record or a report has begun in n bytes, and its rest may come: how many bytes are read now,
 * which is all that lies before it.  `n`: it is too large to wait for, and read as it is. */
static size_t before_record(struct intake *k, const struct hearing *h, size_t n)
{
	size_t most = k->reading.in_parts ? 16 * PART_BYTES : SEGMENT_BYTES / 2;
	size_t before = gathered_before(&k->gathered, n, h->line);

	/* Another one within it begins where it does. */
	if (before == n || k->begun)
		before = 0;
	k->begun = before > 0 || n < most;
	return k->begun ? before : n;
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
	struct str bytes = gathered_segment(&k->gathered, n);

	k->ledger.read += n;
	k->ledger.lines += gathered_lines(&k->gathered, n);
	if (k->reading.format == NULL)
		reading_set_format(&k->reading, str_from(p->format));
	if (!k->headed && reading_has_events(&k->reading)) {
		k->gathered.header = reading_header(&k->reading, bytes, p, &k->gathered.headers);
		k->headed = true;
	}
	keep_open_calls(k);
	if (adds_up(k, p))
		k->sink(k->ctx, p);
	else
		take_snapshots(k, bytes, p);
	/* The header stays; it was among the first bytes. */
	if (k->gathered.header > 0 && bytes.n == n)
		gathered_drop(&k->gathered, n - k->gathered.header);
	else
		gathered_drop(&k->gathered, n);
}

static void read_segment(struct intake *k, size_t n, enum ending ending);

/* Of n bytes of which a line is bad those before it: how many of them went. */
static size_t read_before(struct intake *k, size_t n, size_t line)
{
	size_t before = gathered_before(&k->gathered, n, line), waited = waiting(k).n;

	if (before < n)
		read_segment(k, before, ENDS_FOR_GOOD);
	return waited - waiting(k).n;
}

/* Reads the first n bytes that wait, a few lines at a time: what a bad line costs does not depend
 * on how much there is. */
static void read_in_parts(struct intake *k, size_t n, enum ending ending)
{
	struct gathered all = k->gathered;
	struct str segment = { gathered_waiting(&all).p, n };

	k->gathered = (struct gathered){ .header = all.header, .headers = all.headers };
	gathered_append(&k->gathered, all.buf, all.header);
	k->reading.in_parts = true;
	while (segment.n > 0) {
		struct str rest = str_skip(segment, PART_BYTES - 1);
		size_t part = segment.n - rest.n + cut_lines(rest, 1);

		gathered_append(&k->gathered, segment.p, part);
		segment = str_skip(segment, part);
		read_segment(k, waiting(k).n, segment.n > 0 ? GOES_ON : ending);
	}
	k->reading.in_parts = false;
	/* Who wrote into its room has to find it where it was. */
	gathered_put_back(&all, n, &k->gathered);
	k->gathered = all;
}

/* Of *n bytes with a line that cannot be read it is dropped, as the latest of *bad ones, and before
 * that, of many, what lies before it is read.  False: so is all that comes after it. */
static bool drop_line(struct intake *k, size_t *n, enum ending ending, const struct hearing *h,
		      size_t *bad)
{
	bool known = k->reading.format != NULL;
	size_t cut = k->gathered.header > 0 ? cut_headers_out(k, *n) : 0;

	*n -= cut;
	if (cut > 0)
		return true;
	if ((known || hearing_is_of_line(h)) && *bad > 0 && *bad % MAX_BAD_LINES == 0) {
		size_t taken = read_before(k, *n, h->line);

		*n -= taken;
		if (*n > 2 * PART_BYTES && !k->reading.in_parts) {
			read_in_parts(k, *n, ending);
			return false;
		}
		if (taken > 0)
			return true;
	}
	if (known || (hearing_is_of_line(h) && *bad < MAX_BAD_UNKNOWN))
		cut = gathered_cut_line(&k->gathered, *n, h->line);
	if (cut == 0) {
		refuse_rest(k, *n, h);
		return false;
	}
	if ((*bad)++ == 0 && !k->reading.in_parts)
		say(k, "a line was not read", h);
	k->ledger.refused++;
	k->ledger.dropped += cut;
	*n -= cut;
	return true;
}

/* Reads the first n bytes that wait; lines that cannot be read are dropped, and the first
 * of them is reported. */
static void read_segment(struct intake *k, size_t n, enum ending ending)
{
	struct hearing h = { .text = out_to_memory() };
	struct read_options options = k->reading.options;
	struct profile *p = NULL;
	size_t bad = 0;

	options.tap = k->tap != NULL ? k->tap->samples : NULL;
	k->begun = false;
	if (n > 0 && k->begun_anew && !settle_header(k, n, ending))
		n = 0;
	while (n > 0) {
		if (k->tap != NULL)
			k->tap->restart(k->tap->ctx);
		carried_set_going_on(k->carried, ending == GOES_ON);
		p = reading_piece(&k->reading, gathered_segment(&k->gathered, n), &options, &h);
		if (p == NULL && ending == GOES_ON && hearing_is_truncated(&h)) {
			size_t before = before_record(k, &h, n);

			if (before == n)
				ending = IS_QUIET;
			n = before;
			continue;
		}
		if (waits_for_more(k, p, &h, n, ending)) {
			profile_free(p);
			p = NULL;
			break;
		}
		if (p != NULL)
			break;
		if (hearing_is_empty(&h) && k->reading.format != NULL) {
			keep_open_calls(k);
			k->ledger.read += n;
			k->ledger.lines += gathered_lines(&k->gathered, n);
			gathered_drop(&k->gathered, n);
			break;
		}
		if (!drop_line(k, &n, ending, &h, &bad))
			break;
	}
	k->reading.wrapped |= h.wrapped;
	if (p != NULL && k->tap != NULL)
		k->tap->keep(k->tap->ctx);
	if (p != NULL)
		taken(k, n, p);
	out_free(h.text);
}

/* --- bytes -------------------------------------------------------------------------------- */

/* After the last line that is complete; of snapshots, after the last one that is. */
static size_t place_to_cut(struct intake *k, enum ending ending)
{
	struct str s = waiting(k);
	const char *newline = s.n > 0 ? memrchr(s.p, '\n', s.n) : NULL;
	size_t end;
	bool json;

	if (newline == NULL)
		return 0;
	s.n = (size_t)(newline - s.p) + 1;
	if (k->reading.format == NULL || reading_has_events(&k->reading))
		return s.n;
	end = cut_after_json(s, &json);
	return json ? end : cut_after_print(&k->habit, s, ending != GOES_ON);
}

/* What is broken off is read by itself, so that it spoils nothing else. */
static void read_complete(struct intake *k, enum ending ending)
{
	size_t n, before;

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
	gathered_drop(&k->gathered, waiting(k).n);
	carried_forget(k->carried);
	k->report(k->ctx, why);
}

/* What remains of a line that was too long goes, too. */
static size_t skip_line(struct intake *k, const char *bytes, size_t n)
{
	const char *newline = memchr(bytes, '\n', n);
	size_t skipped = newline != NULL ? (size_t)(newline - bytes) + 1 : n;

	k->skipping = newline == NULL;
	k->ledger.dropped += skipped;
	return skipped;
}

static size_t segment_bytes(const struct intake *k)
{
	return k->reading.options.build.interval > 0 ? TIMED_BYTES : SEGMENT_BYTES;
}

static void limit(struct intake *k)
{
	struct str s = waiting(k);

	if (k->options.kind == INTAKE_DOCUMENT) {
		if (s.n > k->options.max_bytes)
			drop_waiting(k, "a document is too large; --max-input raises the limit");
		return;
	}
	if (s.n >= segment_bytes(k) && s.n >= k->next_try) {
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

	k->name = strcpy(xcalloc(strlen(name) + 1, 1), name);
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
	gathered_free(&k->gathered);
	free(k->name);
	free(k);
}

char *intake_room(struct intake *k, size_t n)
{
	return gathered_room(&k->gathered, n);
}

void intake_take(struct intake *k, const char *bytes, size_t n, double at)
{
	k->ledger.in += n;
	/* What was printed before is read with the time at which it came. */
	if (at - k->latest >= INTAKE_QUIET && k->options.kind == INTAKE_STREAM &&
	    k->reading.format != NULL && (k->begun || !reading_has_events(&k->reading)))
		read_complete(k, IS_QUIET);
	k->latest = at;
	while (n > 0) {
		size_t part = n < LONGEST_LINE ? n : LONGEST_LINE;

		if (k->skipping)
			part = skip_line(k, bytes, n);
		else
			gathered_append(&k->gathered, bytes, part);
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
	k->begun_anew = k->gathered.header > 0;
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
	k->begun_anew = k->gathered.header > 0;
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
