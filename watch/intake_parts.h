/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An intake, for watch/intake.c, which takes bytes, and watch/intake_segment.c, which reads them. */
#ifndef WATCH_INTAKE_PARTS_H
#define WATCH_INTAKE_PARTS_H

#include "watch/cut.h"
#include "watch/format_search.h"
#include "watch/intake.h"
#include "watch/pending.h"
#include "watch/reading.h"
#include "watch/snapshots.h"

enum {
	/* Of a segment with many bad lines, read at once: at 3 MB/s some 0.1 s of a processor. */
	TROUBLED_BYTES = 1 << 18,
};

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
	struct format_search search;
	bool refusal_reported; /* in this interval */
	bool troubled;	       /* the last segment had many bad lines */
	bool in_record;	       /* the pending bytes begin a record whose rest may come */
	struct print_ending print_ending;
	size_t next_try; /* pending bytes at which to look for a place to cut again */
	struct snapshot_series *snapshots; /* of formats that print histograms */
	struct carried *carried;	   /* calls that are open where a segment ends */
	const struct intake_tap *tap;	   /* NULL: none */
	double latest;			   /* arrival of the last bytes, in seconds */
};

static inline struct str intake_waits(const struct intake *k)
{
	return pending_bytes(&k->pending);
}

/* Returns how many of the pending bytes can be read: those before the end of the last complete line,
 * or of the last complete snapshot. */
size_t intake_place_to_cut(struct intake *k, enum ending ending);
/* Reads the first n pending bytes.  Drops lines that cannot be read, and reports the first. */
void intake_read_segment(struct intake *k, size_t n, enum ending ending);
/* Counts since `before` of the snapshots. */
void intake_note_snapshots(struct intake *k, const struct snapshot_counts *before);

#endif
