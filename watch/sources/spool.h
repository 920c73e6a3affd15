/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frames that wait to be sent, one file each, so that they survive their process.
 *
 * A name has the end of the interval, the start of the sender and the sequence number:
 * 00000001790000010-9f3c21aa-00000000000000000412.frame.
 */
#ifndef WATCH_SOURCES_SPOOL_H
#define WATCH_SOURCES_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "watch/sources/frame.h"

struct diag;
struct spool;

/* A frame that is not acknowledged yet. */
struct waiting_frame {
	char sender[FRAME_NAME + 1];
	uint64_t boot, seq;
	double end;  /* of its interval, by the clock at that time */
	double from; /* earliest end among waiting frames of the same start */
	char *bytes; /* the head line, then the body; on the heap */
	size_t n;
	bool spooled; /* it also is in a file */
};

/* Opens the folder, or makes it for this user only.  NULL: it is not writable, or another process
 * uses it, which was reported. */
MUST_CHECK struct spool *spool_open(const char *folder, struct diag *diag);
/* Leaves the files. */
void spool_close(struct spool *s); /* NULL is fine */

/* Appends all frames to an array, oldest first; frames of one start are in order of their numbers
 * even if the clock was set back.  *ret_bad: files that were not complete frames, and were removed.
 * False: the folder cannot be read, which was reported. */
MUST_CHECK bool spool_read(struct spool *s, struct waiting_frame **frame, size_t *n, size_t *cap,
			   uint64_t *ret_bad, struct diag *diag);
/* Writes a frame to a file.  False: see errno.  Without a spool (NULL) it does nothing. */
bool spool_write(struct spool *s, struct waiting_frame *frame);
/* Removes the file of a frame, if it has one. */
void spool_remove(struct spool *s, const struct waiting_frame *frame);

#endif
