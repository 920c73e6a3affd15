/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading the bytes of one source piece by piece, and finding the header that each piece needs. */
#ifndef WATCH_READING_H
#define WATCH_READING_H

#include "formats/format.h"
#include "plugin/reader.h"
#include "watch/layers.h"

struct read_error;
struct snapshot_series;

enum {
	READING_MAX_HEADER = 8, /* lines */
	SEGMENT_BYTES = 8 << 20,
	TIMED_BYTES = 1 << 19, /* of a segment of calls with start times */
};

/* Borrows all but the layers, which the owner releases. */
struct reading {
	const char *name; /* of the source */
	const struct plugins *plugins;
	const struct format *format; /* NULL: not known yet */
	bool guessed; /* the format is that of the first lines, none of which was taken yet */
	struct read_options options; /* .carried: what passes from one piece to the next */
	bool wrapped;  /* log prefixes were found once: each piece is searched for them */
	bool in_parts; /* pieces are parts of a larger one that has no log prefixes */
	struct layers layers;
};

/* Reads a piece with these options.  The caller frees the profile.  NULL: see `error`. */
struct profile *reading_piece(struct reading *r, struct str bytes,
			      const struct read_options *options, struct read_error *error);
/* Adds the snapshots of a piece, which gave p at `at`, one by one: what the reader concluded from
 * these few together is a guess.  Takes ownership of p. */
void reading_take_snapshots(struct reading *r, struct snapshot_series *to, struct str bytes,
			    struct profile *p, double at);

/* The format has an event a line: it can be cut after any line, and pieces add up. */
bool reading_has_events(const struct reading *r);
void reading_set_format(struct reading *r, struct str name);
/* A report may stand before the events that it is of, which tell another format. */
void reading_forget_guess(struct reading *r);
/* Whether the format is known; a guess is not when as many as n bytes wait. */
bool reading_is_settled(const struct reading *r, size_t n);
/* Returns how many bytes a segment has at least if no pause ends it. */
size_t reading_segment_bytes(const struct reading *r);

/* Finds the header of a source in its first segment, from which `all` was read: the first lines
 * that contain no call, if the others do not read the same without them.  Returns its bytes; 0:
 * none. */
size_t reading_header(struct reading *r, struct str segment, const struct profile *all,
		      size_t *ret_lines);

#endif
