/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/intake.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "formats/carried.h"
#include "watch/intake_parts.h"
#include "watch/snapshots.h"

static const struct plugins no_plugins;

/* --- bytes -------------------------------------------------------------------------------- */

/* Reads all that is complete; a JSON value that was cut off is read alone, and spoils no other.  Of
 * a source with many bad lines that goes on, only a part. */
static void read_complete(struct intake *k, enum ending ending)
{
	struct str s = intake_waits(k);
	bool one_turn = ending == GOES_ON;
	size_t n, before;

	/* A pause within a line completes nothing: the collector writes full buffers. */
	if (ending == IS_QUIET && s.n > 0 && s.p[s.n - 1] != '\n')
		ending = GOES_ON;
	do {
		n = intake_place_to_cut(k, ending);
		before = intake_waits(k).n;
		intake_read_segment(k, n, ending);
	} while (n > 0 && intake_waits(k).n < before && !(k->troubled && one_turn));
}

/* Begins an interval: looks for a format again, from the next line on. */
static void begin_interval(struct intake *k)
{
	if (k->search.gave_up) {
		k->ledger.dropped += intake_waits(k).n; /* the beginning of a line */
		pending_drop(&k->pending, intake_waits(k).n);
		k->skipping = true;
	}
	k->refusal_reported = false;
	format_search_anew(&k->search);
}

/* Drops bytes that arrive after the search for a format was given up. */
static void drop_arrived(struct intake *k, struct str bytes)
{
	k->ledger.dropped += bytes.n;
	k->ledger.refused += cut_count_lines(bytes);
}

static void drop_waiting(struct intake *k, const char *why)
{
	k->ledger.dropped += intake_waits(k).n;
	k->ledger.refused++;
	pending_drop(&k->pending, intake_waits(k).n);
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

static void limit_waiting(struct intake *k)
{
	struct str s = intake_waits(k);

	if (k->options.kind == INTAKE_DOCUMENT) {
		if (s.n > k->options.max_bytes)
			drop_waiting(k, "a document is too large; --max-input raises the limit");
		return;
	}
	if (s.n >= (k->troubled || k->reading.format == NULL
			    ? TROUBLED_BYTES
			    : reading_segment_bytes(&k->reading)) &&
	    s.n >= k->next_try) {
		read_complete(k, GOES_ON);
		s = intake_waits(k);
		k->next_try = k->troubled ? 0 : 2 * s.n;
	}
	if (s.n > k->options.max_bytes)
		drop_waiting(k, "no place to cut; --max-input raises the limit");
	else if (s.n > LONGEST_LINE && memchr(s.p, '\n', s.n) == NULL) {
		drop_waiting(k, "a line of more than 1 MiB was dropped");
		k->skipping = true;
	}
}

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

		if (k->search.gave_up)
			drop_arrived(k, (struct str){ bytes, part });
		else if (k->skipping)
			part = skip_line(k, bytes, n);
		else
			pending_append(&k->pending, bytes, part);
		bytes += part;
		n -= part;
		if (!k->skipping && !k->search.gave_up)
			limit_waiting(k);
	}
}

void intake_cut(struct intake *k, bool quiet)
{
	if (k->options.kind == INTAKE_STREAM)
		read_complete(k, quiet ? IS_QUIET : GOES_ON);
	begin_interval(k);
}

void intake_end(struct intake *k)
{
	intake_read_segment(k, intake_waits(k).n, ENDS_FOR_GOOD);
	begin_interval(k);
	k->skipping = false;
	k->restarted = k->pending.header > 0;
}

void intake_finish(struct intake *k)
{
	const struct snapshot_counts before = *snapshots_counts(k->snapshots);

	snapshots_end(k->snapshots);
	intake_note_snapshots(k, &before);
}

void intake_break(struct intake *k)
{
	if (k->options.kind == INTAKE_STREAM)
		read_complete(k, ENDS_FOR_GOOD);
	begin_interval(k);
	k->skipping = false;
	if (intake_waits(k).n > 0)
		drop_waiting(k, "the source ended within a line or a snapshot");
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
	return k->own_ledger ? k->ledger.in - k->ledger.read - k->ledger.dropped
			     : intake_waits(k).n;
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
