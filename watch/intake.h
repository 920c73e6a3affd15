/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bytes of one source, as they come, into profiles by the readers that exist.
 *
 * Whole lines gather in a segment, which is read where an interval ends or SEGMENT_BYTES are
 * there, of calls that go to many intervals TIMED_BYTES, since each of these takes memory; what
 * begins a line that is not complete waits for its rest.  The lines that a source began with and
 * that its reader needs (the header of a table) stand before each segment, and calls that are open
 * at its end go on in the next one (formats/carried.h). Nothing is lost in silence: bytes in = read
 * + dropped + waiting.
 */
#ifndef WATCH_INTAKE_H
#define WATCH_INTAKE_H

#include <stdint.h>

#include "formats/format.h"
#include "plugin/reader.h"
#include "profile/profile.h"

enum {
	SEGMENT_BYTES = 8 << 20,
	TIMED_BYTES = 1 << 19,	      /* where calls go to the intervals they began in */
	LONGEST_LINE = 1 << 20,	      /* longer ones are dropped */
	UNRECOGNIZED_BYTES = 1 << 20, /* of no known format: as many are waited for, then dropped */
};

/* Seconds without a byte: what was being printed is complete. */
#define INTAKE_QUIET 0.2

/* What is in a segment. */
enum intake_kind {
	INTAKE_STREAM,	 /* lines, snapshots: what comes adds up */
	INTAKE_DOCUMENT, /* each end of input completes a document (poll:) */
};

/* How a source's bytes are read. */
struct intake_options {
	const struct format *from;     /* NULL: found out */
	const struct plugins *plugins; /* whose formats are, too; NULL: none */
	struct read_options read;
	enum intake_kind kind;
	size_t max_bytes; /* of a document, and of a segment without a place to cut */
};

/* What became of a source's bytes and profiles since it was opened. */
struct ledger {
	uint64_t in, read, dropped; /* bytes; the rest waits */
	uint64_t lines;		    /* that were read */
	uint64_t refused;	    /* lines that were dropped as they could not be read */
	uint64_t resets;	    /* counters that shrank */
	uint64_t differenced;	    /* snapshots that held all of the one before */
	uint64_t lost;		    /* events, as the collector says */
	uint64_t gaps;		    /* times that an unknown number of calls was lost */
	uint64_t repeated;	    /* profiles that came again, and were left out */
};

struct intake;

/* Who is given single samples, of formats that have some.  What is read again, because a line of
 * it could not be, is given again: `restart` comes before each reading, and `keep` after the one
 * that counts. */
struct intake_tap {
	struct sample_tap *samples;
	void (*restart)(void *ctx);
	void (*keep)(void *ctx);
	void *ctx;
};

/* Takes over the profile. */
typedef void intake_sink(void *ctx, struct profile *p);
/* What is to be reported the source; valid for the time of the call. */
typedef void intake_report(void *ctx, const char *message);

/* An intake for one source, which hands profiles to the sink; intake_free() frees it. */
struct intake *intake_new(const char *name, const struct intake_options *options, intake_sink *sink,
			  intake_report *report, void *ctx);
void intake_free(struct intake *k); /* NULL is fine */

/* Where n bytes may be written, for intake_take(), which need not copy them then. */
char *intake_room(struct intake *k, size_t n);
/* Takes n more bytes of the source, which came at `at`, in seconds of a clock that never goes
 * back. */
void intake_take(struct intake *k, const char *bytes, size_t n, double at);
/* An interval ends.  `quiet`: nothing came for a while, so what is there is complete. */
void intake_cut(struct intake *k, bool quiet);
/* The source came to its end; it may begin again.  A document is complete then. */
void intake_end(struct intake *k);
/* Nothing more will come: what waited for more to show what it is counts now. */
void intake_finish(struct intake *k);
/* The source broke off: what is complete is read, the rest is given up. */
void intake_break(struct intake *k);

/* So many events were lost, as profiles say that were handed over. */
void intake_lost(struct intake *k, uint64_t events);
/* Calls were lost, nobody knows how many. */
void intake_gap(struct intake *k);

/* From now on samples are given to `tap`, too, which is borrowed; NULL: to nobody any more. */
void intake_tap(struct intake *k, const struct intake_tap *tap);

/* The bytes that came in, were read, were dropped and wait. */
const struct ledger *intake_ledger(const struct intake *k);
/* The same, for a source that hands over profiles and counts its bytes itself: what is in it and
 * neither read nor dropped waits. */
struct ledger *intake_own_ledger(struct intake *k);
uint64_t intake_waiting(const struct intake *k);   /* bytes */
const char *intake_format(const struct intake *k); /* NULL: not known yet */

#endif
