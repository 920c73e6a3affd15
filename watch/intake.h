/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Turns the bytes of one source into profiles while they arrive, by the readers of formats/.
 *
 * Complete lines are collected in a segment.  It is read when an interval ends or when it has
 * SEGMENT_BYTES (TIMED_BYTES if calls go to the intervals they began in, each of which takes
 * memory).  A header that the reader needs, such as that of a table, is put before each segment.
 * Calls that are open at the end of a segment continue in the next one (formats/carried.h).
 * Every byte is accounted for: in = read + dropped + waiting.
 */
#ifndef WATCH_INTAKE_H
#define WATCH_INTAKE_H

#include <stdint.h>

#include "formats/format.h"
#include "plugin/reader.h"
#include "profile/profile.h"

enum {
	LONGEST_LINE = 1 << 20,	      /* longer lines are dropped */
	UNRECOGNIZED_BYTES = 1 << 20, /* wait for the format to be detected; more are dropped */
};

/* Seconds without a byte after which a snapshot or a report is complete. */
#define INTAKE_QUIET 0.2

enum intake_kind {
	INTAKE_STREAM,	 /* lines, or snapshots one after the other */
	INTAKE_DOCUMENT, /* the end of the input completes a document (poll:) */
};

/* How a source's bytes are read. */
struct intake_options {
	const struct format *from;     /* NULL: detected */
	const struct plugins *plugins; /* with formats of their own; NULL: none */
	struct read_options read;
	enum intake_kind kind;
	size_t max_bytes; /* of a document, and of a segment that cannot be cut */
};

/* What became of a source's bytes and profiles since it was opened. */
struct ledger {
	uint64_t in, read, dropped; /* bytes; the rest waits */
	uint64_t lines;		    /* read */
	uint64_t refused;	    /* lines dropped because they could not be read */
	uint64_t resets;	    /* counter resets */
	uint64_t differenced;	    /* snapshots found to contain the previous one */
	uint64_t lost;		    /* events, as the collector reports */
	uint64_t gaps;		    /* times that an unknown number of calls was lost */
	uint64_t repeated;	    /* profiles received twice and left out */
};

struct intake;

/* Receives individual samples, if the format has them.  A segment with a bad line is read again
 * without it: `restart` precedes each reading, and `keep` follows the one that counts. */
struct intake_tap {
	struct sample_tap *samples;
	void (*restart)(void *ctx);
	void (*keep)(void *ctx);
	void *ctx;
};

/* Takes ownership of the profile. */
typedef void intake_sink(void *ctx, struct profile *p);
/* Reports a message about the source, which is valid during the call. */
typedef void intake_report(void *ctx, const char *message);

/* Returns an intake for one source that passes profiles to the sink; intake_free() frees it. */
struct intake *intake_new(const char *name, const struct intake_options *options, intake_sink *sink,
			  intake_report *report, void *ctx);
void intake_free(struct intake *k); /* NULL is fine */

/* Returns room for n bytes.  intake_take() does not copy what was written there. */
char *intake_room(struct intake *k, size_t n);
/* Takes n bytes that arrived at `at`, in seconds of a monotonic clock. */
void intake_take(struct intake *k, const char *bytes, size_t n, double at);
/* Reads what is complete at the end of an interval.  `quiet`: no bytes came for INTAKE_QUIET, so
 * all of it is. */
void intake_cut(struct intake *k, bool quiet);
/* Reads all at the end of the input; the source may start again.  Completes a document. */
void intake_end(struct intake *k);
/* Passes on snapshots that waited for the next one: no more will come. */
void intake_finish(struct intake *k);
/* Reads what is complete and drops the rest, after the source broke off. */
void intake_break(struct intake *k);

/* Counts events that were lost, as a source of profiles reports. */
void intake_lost(struct intake *k, uint64_t events);
/* Counts a gap: an unknown number of calls was lost. */
void intake_gap(struct intake *k);

/* Also passes samples to `tap` from now on.  Borrows it; NULL ends this. */
void intake_tap(struct intake *k, const struct intake_tap *tap);

const struct ledger *intake_ledger(const struct intake *k);
/* Returns the ledger of a source of profiles, which counts its bytes there itself. */
struct ledger *intake_own_ledger(struct intake *k);
uint64_t intake_waiting(const struct intake *k);   /* bytes */
const char *intake_format(const struct intake *k); /* NULL: not known yet */

#endif
