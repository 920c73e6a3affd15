/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the bytes of one source are read, and which of its first lines all that follow need. */
#ifndef WATCH_READING_H
#define WATCH_READING_H

#include "formats/format.h"
#include "plugin/reader.h"
#include "watch/layers.h"

struct hearing;

enum { READING_MAX_HEADER = 8 /* lines */ };

/* All is borrowed but the layers, which who has it releases. */
struct reading {
	const char *name; /* of the source */
	const struct plugins *plugins;
	const struct format *format; /* NULL: not known yet */
	struct read_options options; /* with what is carried from one piece to the next */
	bool wrapped;  /* something stands around what is read: it is looked for each time */
	bool in_parts; /* these are parts of a larger piece, where nothing was found around it */
	struct layers layers;
};

/* Reads a piece with these options; who calls frees the profile.  NULL: `h` has the error. */
struct profile *reading_piece(struct reading *r, struct str bytes,
			      const struct read_options *options, struct hearing *h);
/* The same in another way; NULL where it cannot be read so. */
struct profile *reading_as(struct reading *r, struct str bytes, enum snapshots snapshots);

/* Lines of it add up, wherever it is cut. */
bool reading_has_events(const struct reading *r);
/* Sets the format to that of this name. */
void reading_set_format(struct reading *r, struct str name);

/* Bytes and lines at the beginning of a segment, of which `all` was read, that hold no call and
 * without which what follows them does not read the same; 0: there are none. */
size_t reading_header(struct reading *r, struct str segment, const struct profile *all,
		      size_t *ret_lines);

#endif
